(** Walks in a finite directed graph: where each vertex reaches every other, and its return times have no common
    divisor, walks of (n-1)^2 + 1 steps lead from anywhere to anywhere (Wielandt). *)

From Headproof Require Import definitions.prelude.

Local Open Scope nat_scope.

(** A walk of k steps along r from x to y. *)
Fixpoint walk (T : finType) (r : rel T) (k : nat) (x y : T) : bool :=
  if k is l.+1 then [exists z, r x z && walk r l z y] else x == y.

Section Walks.

Variables (T : finType) (r : rel T).
Implicit Types (x y z : T) (B : {set T}).

Lemma walk_cons k x y z : r x z -> walk r k z y -> walk r k.+1 x y.
Proof. by move=> xz zy; apply/existsP; exists z; rewrite xz. Qed.

Lemma walkD a b x y : walk r (a + b) x y = [exists z, walk r a x z && walk r b z y].
Proof.
elim: a x => [|a IH] x /=; first by apply/idP/existsP => [|[z /andP[/eqP->]]//]; exists x; rewrite eqxx.
apply/existsP/existsP => [[z /andP[xz]]|[t /andP[/existsP[z /andP[xz zt]] ty]]]; last first.
  by exists z; rewrite xz IH; apply/existsP; exists t; rewrite zt.
rewrite IH => /existsP[t /andP[zt ty]]; exists t; rewrite ty andbT; apply/existsP; exists z; exact/andP.
Qed.

Lemma walk_cat a b x y z : walk r a x z -> walk r b z y -> walk r (a + b) x y.
Proof. by move=> xz zy; rewrite walkD; apply/existsP; exists z; rewrite xz. Qed.

Lemma walk1 x y : walk r 1 x y = r x y.
Proof. by apply/existsP/idP => [[z /andP[xz /eqP<-]]//|]; exists y; rewrite /= eqxx andbT. Qed.

Lemma walk_times a k x : walk r k x x -> walk r (a * k) x x.
Proof. by move=> loop; elim: a => [|a IH] /=; [exact: eqxx | exact: walk_cat IH]. Qed.

Lemma walk_turned k x y : walk (fun y x => r x y) k y x = walk r k x y.
Proof.
elim: k y => [|k IH] y; first exact: eq_sym.
rewrite -[in RHS]addn1 walkD; apply: eq_existsb => z.
by rewrite walk1 andbC; congr (_ && _); exact: IH.
Qed.

Lemma walk_connect k x y : walk r k x y -> connect r x y.
Proof.
elim: k x => [|k IH] x /=; first by move/eqP->.
by case/existsP=> z /andP[/connect1 xz /IH]; exact: connect_trans.
Qed.

Lemma connect_walk x y : connect r x y -> exists k, walk r k x y.
Proof.
case/connectP=> p; elim: p x => [|z p IH] x /=; first by move=> _ ->; exists 0; rewrite /= eqxx.
by case/andP=> xz /IH{}IH /IH[k zy]; exists k.+1; exact: walk_cons zy.
Qed.

(** The vertices that a walk meets. *)
Lemma walk_vertices k x y : walk r k x y -> exists w : nat -> T,
  [/\ w 0 = x, w k = y & forall i j, i <= j <= k -> walk r (j - i) (w i) (w j)].
Proof.
elim: k x => [|k IH] x /=.
  by move/eqP->; exists (fun=> y); split=> // -[|i] [|j]; rewrite ?andbF //= eqxx.
case/existsP=> z /andP[xz /IH[w [w0 wk steps]]]; exists (fun i => if i is l.+1 then w l else x); split=> //.
case=> [|i] [|j] //= le_jk; [ | exact: steps].
by apply: walk_cons xz _; rewrite -w0; have := steps 0 j le_jk; rewrite subn0.
Qed.

(** ** Sets that grow *)

(** The vertices from which one step leads into B. *)
Definition before B : {set T} := [set x | [exists y in B, r x y]].

Lemma before_sub B B' : B \subset B' -> before B \subset before B'.
Proof.
move=> /subsetP sub; apply/subsetP => x; rewrite !inE => /exists_inP[y /sub yB' xy].
by apply/exists_inP; exists y.
Qed.

Lemma mem_before k B x : (x \in iter k before B) = [exists y in B, walk r k x y].
Proof.
elim: k x => [|k IH] x /=; first by apply/idP/exists_inP => [|[y yB /eqP->]//]; exists x.
rewrite inE; apply/exists_inP/exists_inP => [[z]|[y yB /existsP[z /andP[xz zy]]]].
  by rewrite IH => /exists_inP[y yB zy] xz; exists y => //; apply/existsP; exists z; rewrite xz.
by exists z => //; rewrite IH; apply/exists_inP; exists y.
Qed.

(** A set that has a step into it from each of its members, and that all vertices reach, grows until it is all. *)
Lemma grows B k : B \subset before B -> (forall x, exists l, x \in iter l before B) -> #|T| - #|B| <= k ->
  iter k before B = setT.
Proof.
move=> sub reach le_k; pose S l := iter l before B.
have up l : S l \subset S l.+1 by elim: l => [//|l IH]; exact: before_sub.
have stays l : S l.+1 = S l -> S l = setT.
  move=> eq_S; apply/setP => x; rewrite inE; have [d] := reach x; apply: subsetP.
  elim: d => [|d /before_sub IH]; last by rewrite -eq_S.
  by elim: (l) => [|i IH]; [| exact: subset_trans IH (up i)].
have [//|] : S k = setT \/ #|B| + k <= #|S k|.
  elim: (k) => [|l [all|large]]; [by right; rewrite addn0 | left; apply/eqP; rewrite -subTset -all; exact: up | ].
  have [/stays all|neq] := eqVneq (S l.+1) (S l); [by left; apply/eqP; rewrite -subTset -all up | right].
  by rewrite addnS (leq_ltn_trans large) // proper_card // properEneq eq_sym neq up.
move=> large; apply/eqP; rewrite eqEcard subsetT cardsT; apply: leq_trans large; by rewrite -leq_subLR.
Qed.

End Walks.

Lemma walk_walk (T : finType) (r : rel T) s k x y : walk (walk r s) k x y = walk r (k * s) x y.
Proof. by elim: k x => [//|k IH] x; rewrite mulSn walkD; apply: eq_existsb => z; congr (_ && _); exact: IH. Qed.

(** ** Wielandt's bound *)

Section Wielandt.

Variables (T : finType) (r : rel T).
Hypotheses (irreducible : forall x y, exists k, walk r k x y).
Hypothesis (aperiodic : forall x d, (forall k, walk r k x x -> d %| k) -> d = 1).
Notation n := #|T|.
Implicit Types (x y z : T).

(** From a vertex with a loop of s steps every vertex is reached by steps of s. *)
Lemma loop_reaches s x y : 0 < s -> walk r s x x -> exists k, walk r (k * s) x y.
Proof.
move=> s0 loop.
pose P d := (0 < d) && [exists z, walk r d x z && connect (walk r s) z x].
have back d : P d -> exists q, walk r (d + q * s) x x.
  case/andP=> _ /existsP[z /andP[xz /connect_walk[q]]]; rewrite walk_walk => zx; exists q; exact: walk_cat zx.
have home k d q z : walk r (k * d) z x -> walk r (d + q * s) x x -> connect (walk r s) z x.
  move=> zx /(walk_times (s.-1 * k)) xx; apply: (@walk_connect _ _ (k * d + s.-1 * k * q)); rewrite walk_walk.
  have := walk_cat zx xx; congr (walk r _ z x).
  by rewrite mulnDr addnA -mulnDl -mulSn (prednK s0) [in RHS]mulnDl -mulnA (mulnC s) !mulnA.
have /ex_minnP[d Pd least] : exists d, P d.
  by exists s; rewrite /P s0; apply/existsP; exists x; rewrite loop connect0.
have [q xx] := back d Pd; have d0 : 0 < d by case/andP: Pd.
have d1 : d = 1.
  apply: (aperiodic (x := x)) => k; rewrite /dvdn {1}(divn_eq k d) addnC walkD => /existsP[z /andP[xz zx]].
  apply: contraTT (ltn_pmod k d0); rewrite -lt0n -leqNgt => rest; apply: least; rewrite /P rest.
  by apply/existsP; exists z; rewrite xz (home _ _ _ _ zx xx).
have [k xy] := irreducible x y; exists (k + k * s.-1 * q).
have := walk_cat (walk_times (k * s.-1) xx) xy; congr (walk r _ x y).
by rewrite d1 mulnDr muln1 addnAC -mulnSr prednK // mulnDl mulnA.
Qed.

(** The shortest cycles. *)
Section Cycle.

Variables (s : nat) (x : T).
Hypotheses (s0 : 0 < s) (loop : walk r s x x) (least : forall k y, 0 < k -> walk r k y y -> s <= k).

Definition cycle_vertices : {set T} := [set y | walk r s y y].

Lemma injective_below k (w : nat -> T) : (forall i j, i < j < k -> w i != w j) -> injective (fun i : 'I_k => w i).
Proof.
move=> neq i j eq_w; apply/val_inj; have [lt|lt|//] := ltngtP i j.
  by have := neq i j; rewrite lt ltn_ord eq_w eqxx => /(_ isT).
by have := neq j i; rewrite lt ltn_ord eq_w eqxx => /(_ isT).
Qed.

Lemma card_cycle : s <= #|cycle_vertices|.
Proof.
have [w [w0 ws steps]] := walk_vertices loop.
have inj : injective (fun i : 'I_s => w i).
  apply: injective_below => i j /andP[lt_ij lt_j]; apply/eqP => eq_w.
  have := steps i j; rewrite (ltnW lt_ij) (ltnW lt_j) eq_w => /(_ isT) /least.
  by rewrite subn_gt0 lt_ij => /(_ isT); rewrite leqNgt (leq_ltn_trans (leq_subr i j) lt_j).
rewrite -[s]card_ord -(card_codom inj); apply/subset_leq_card/subsetP => _ /codomP[i ->].
have le_i : i <= s := ltnW (ltn_ord i).
have out : walk r (s - i) (w i) x by rewrite -ws steps // le_i /=.
have home : walk r i x (w i) by have := steps 0 i; rewrite w0 subn0; exact.
by rewrite inE; have := walk_cat out home; rewrite subnK.
Qed.

(** A cycle of all vertices would be a period. *)
Lemma short_cycle : s < n \/ n = 1.
Proof.
have n0 : 0 < n by apply/card_gt0P; exists x.
have [|le_n] := ltnP s n; [by left | right].
have eq_s : s = n by apply/eqP; rewrite eqn_leq le_n andbT (leq_trans card_cycle) ?max_card.
have round y z : walk r n y z -> y = z.
  move=> /walk_vertices[w [w0 wn steps]]; apply/eqP; rewrite -w0 -wn; apply: contraT => neq.
  have /leq_card : injective (fun i : 'I_n.+1 => w i); last by rewrite card_ord ltnn.
  apply: injective_below => i j /andP[lt_ij lt_j]; apply: contra neq => /eqP eq_w.
  have := steps i j; rewrite (ltnW lt_ij) -ltnS lt_j eq_w => /(_ isT) /least; rewrite subn_gt0 lt_ij eq_s => /(_ isT).
  case: i eq_w lt_ij {steps} => [|i] eq_w lt_ij; rewrite ?subn0 => le_j.
    by rewrite eq_w (_ : j = n) //; apply/eqP; rewrite eqn_leq le_j andbT -ltnS.
  by move: le_j; rewrite leqNgt (leq_trans _ (lt_j : j <= n)) // ltn_subrL (leq_ltn_trans _ lt_ij).
have period k y : walk r k y y -> n %| k.
  elim/ltn_ind: k => k IH yy; have [lt_k|le_k] := ltnP k n.
    by case: k lt_k yy {IH} => [|k] lt_k // /least => /(_ isT); rewrite eq_s leqNgt lt_k.
  move: yy; rewrite -(subnKC le_k) walkD => /existsP[z /andP[/round<-]] /IH; rewrite dvdn_addr //; apply.
  by rewrite ltn_subrL n0 (leq_trans n0).
by apply: (aperiodic (x := x)) => k; exact: period.
Qed.

End Cycle.

(** Wielandt's bound. *)
Theorem wielandt x y : walk r (n.-1 ^ 2).+1 x y.
Proof.
have n0 : 0 < n by apply/card_gt0P; exists x.
have [z0 [z1 edge]] : exists z0 z1, r z0 z1.
  suff /existsP[z0 /existsP[z1 edge]] : [exists z0, exists z1, r z0 z1] by exists z0, z1.
  apply: contraT => /existsPn none; suff: 2 = 1 by [].
  apply: (aperiodic (x := x)) => -[|k] //= /existsP[z /andP[xz _]].
  by have /existsPn/(_ z)/negP := none x.
have cycles : exists s, (0 < s) && [exists z, walk r s z z].
  have [k back] := irreducible z1 z0; exists k.+1; apply/existsP; exists z0; exact: walk_cons back.
case/ex_minnP: cycles => s /andP[s0 /existsP[c loop]] min_s.
have least k z : 0 < k -> walk r k z z -> s <= k.
  by move=> k0 zz; apply: min_s; rewrite k0; apply/existsP; exists z.
pose C := cycle_vertices s; have large : s <= #|C| := card_cycle loop least.
have into : iter (n - s) (before r) C = setT.
  apply: grows; last exact: leq_sub2l.
    apply/subsetP => z; rewrite !inE -[s]prednK //= => /existsP[t /andP[zt tz]]; apply/exists_inP; exists t => //.
    rewrite inE -[s]prednK // -addn1; apply: walk_cat tz _; by rewrite walk1.
  move=> z; have [k zc] := irreducible z c; exists k; rewrite mem_before; apply/exists_inP; exists c => //.
  by rewrite inE.
have all_walks u v : walk r (n - s + n.-1 * s) u v.
  have : u \in iter (n - s) (before r) C by rewrite into.
  rewrite mem_before => /exists_inP[z]; rewrite inE => zz uz; apply: walk_cat uz _.
  rewrite -walk_walk -walk_turned; set r' := fun _ _ => _.
  suff : v \in iter n.-1 (before r') [set z] by rewrite mem_before => /exists_inP[t /set1P->].
  rewrite (@grows _ r') // ?cards1 ?subn1 //.
    by rewrite sub1set inE; apply/exists_inP; exists z; rewrite ?set11.
  move=> t; have [k zt] := loop_reaches t s0 zz; exists k; rewrite mem_before; apply/exists_inP; exists z.
    exact: set11.
  by rewrite walk_turned walk_walk.
have step_out u : exists v, r u v.
  have [k uc] := irreducible u c; have := walk_cat uc loop; rewrite -[s]prednK // addnS => /existsP[v /andP[uv _]].
  by exists v.
have pad d u v : walk r (d + (n - s + n.-1 * s)) u v.
  elim: d u => [|d IH] u; first exact: all_walks.
  by have [t ut] := step_out u; rewrite addSn; apply: walk_cons ut (IH t).
suff le : n - s + n.-1 * s <= (n.-1 ^ 2).+1 by rewrite -(subnK le).
have [lt_s|->] := short_cycle loop least; last first.
  by rewrite mul0n addn0 leq_subr.
have [d ->] : exists d, n = s.+1 + d by exists (n - s.+1); rewrite subnKC.
by rewrite addSn /= -addnS addKn addSn ltnS -mulnn mulnDr addnC leq_add2l leq_pmull // ltn_addr.
Qed.

End Wielandt.
