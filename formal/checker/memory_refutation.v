(** What decides that no attention head computes F* on R, with and without a prompt (docs/certificate-format.md,
    section 11). *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory statements.memory statements.rules
  statements.rules_memory proofs.paths proofs.refutations_numbers proofs.rules_messages proofs.rules_no_attention
  proofs.rules_alike proofs.rules_decoys checker.tables checker.models checker.agreement checker.refutation
  checker.memory_models checker.memory_claims checker.memory_texts.

(** ** Sums over lists, position by position *)

Definition sum_on (A : Type) (s : seq A) (F : A -> Z) : Z := foldr (fun t r => (F t + r)%coqZ) 0%coqZ s.
Definition balanced_z (A : Type) (here there : A -> nat) (w : A -> Z) (s : seq A) : bool :=
  all (fun p => sum_on [seq t <- s | here t == p] w =? sum_on [seq t <- s | there t == p] w)%coqZ (map here s ++ map there s).

Section Lists.

Variables (R : realFieldType) (A : Type).
Implicit Type s : seq A.
Notation of_Z := (of_Z R).

Lemma shows_sum_on s r (P : pred A) (f : A -> R) F : (forall t, P t -> r * f t = of_Z (F t)) -> all P s ->
  r * (\sum_(t <- s) f t) = of_Z (sum_on s F).
Proof.
by move=> fE; elim: s => [|t u IH] /=; rewrite ?big_nil ?mulr0 // big_cons mulrDr => /andP[/fE-> /IH->]; rewrite of_ZD.
Qed.

Lemma of_sum_ord k F : of_Z (sum k F) = \sum_(i < k) of_Z (F i).
Proof.
rewrite -(big_mkord xpredT (fun i => of_Z (F i))) /index_iota subn0 /sum.
by elim: (iota 0 k) => [|i s IH]; rewrite ?big_nil // big_cons -IH of_ZD.
Qed.

Lemma balancedP s here there w : balanced_z here there w s ->
  forall p, \sum_(t <- s | here t == p) of_Z (w t) = \sum_(t <- s | there t == p) of_Z (w t).
Proof.
have sumE P : \sum_(t <- s | P t) of_Z (w t) = of_Z (sum_on (filter P s) w).
  rewrite -big_filter -[LHS]mul1r (shows_sum_on (P := xpredT) (F := w)) ?all_predT // => t _; exact: mul1r.
have none (f : A -> nat) p : p \notin map f s -> [seq t <- s | f t == p] = [::].
  by elim: s {sumE} => //= t u IH; rewrite inE negb_or eq_sym => /andP[/negbTE-> /IH].
move=> /allP ok p; rewrite !sumE; have [/ok/Z.eqb_eq-> //|] := boolP (p \in map here s ++ map there s).
by rewrite mem_cat negb_or => /andP[/none-> /none->].
Qed.

End Lists.

(** ** The trees of 4.3 *)

(** Terms are (input, i, i', t), constraints (input, rival, t); the children of a node are those of the masks 1, 2, ... *)
Definition term_z : Type := nat * nat * nat * Z.
Definition rivals : Type := seq (nat * nat * Z).
Inductive head_tree_z := AttendsZ of nat & (nat -> head_tree_z) | KeysZ of seq term_z | ValuesZ of rivals.

Fixpoint masks (t : nat) : seq bitseq := if t is k.+1 then map (cons false) (masks k) ++ map (cons true) (masks k) else [:: [::]].
Definition mask_number (s : bitseq) : nat := foldr (fun (b : bool) k => b + k.*2)%N 0%N s.

Lemma mem_masks s : s \in masks (size s). Proof. by elim: s => //= -[] s IH; rewrite mem_cat !map_f ?orbT. Qed.

Section Decided.

(** The inputs with their labels; with each input its outputs G_i, all times one number, or its columns. *)
Variables (c K : nat) (labels : seq (seq nat * nat)) (rows : seq (seq nat * seq (seq Z))).
Variables (n : nat) (columns : seq (seq nat * seq (seq (seq Z)))).

Definition text_at (i : nat) : seq nat := (nth ([::], 0%N) labels i).1.
Definition label_at_z (i : nat) : nat := (nth ([::], 0%N) labels i).2.
Definition named (cs : rivals) : seq constraint_z := [seq (text_at r.1.1, label_at_z r.1.1, r.1.2, r.2) | r <- cs].
Definition row (x : seq nat) (i z : nat) : Z := get2 (look [::] rows x) i z.

Definition learn_z (known : seq nat -> option bitseq) (x : seq nat) (mask : bitseq) : seq nat -> option bitseq :=
  fun y => if y == x then Some mask else known y.

Section Known.

Variable known : seq nat -> option bitseq.

Definition good_term_z (t : term_z) : bool :=
  let: (k, i, i', w) := t in let x := text_at k in
  (k < size labels)%N && if known x is Some mask then
    [&& (i < size x)%N && nth false mask i, (i' < size x)%N, i' != i & if nth false mask i' then ~~ (w =? 0)%coqZ else (0 <? w)%coqZ]
  else false.
Definition unattended_z (t : term_z) : bool :=
  let: (k, i, i', w) := t in if known (text_at k) is Some mask then ~~ nth false mask i' else false.
Definition keys_leaf_z (ts : seq term_z) : bool :=
  [&& all good_term_z ts, has unattended_z ts,
      each c.+1 (fun z => sum_on ts (fun '(k, i, i', w) => w * (row (text_at k) i z - row (text_at k) i' z)) =? 0)%coqZ &
      balanced_z (fun t : term_z => t.1.1.2) (fun t => t.1.2) snd ts].

Definition attended_z (x : seq nat) (z' z : nat) : Z :=
  sum (size x) (fun i => if nth false (odflt [::] (known x)) i && (nth z' x i == z') then row x i z else 0%coqZ).
Definition values_leaf_z (cs : rivals) : bool :=
  let cs := named cs in
  constraints_z K (fun x l => ((x, l) \in labels) && (known x != None)) cs &&
  each K.+1 (fun l => each c.+1 (fun z' => each c.+1 (fun z => combine (fun x => attended_z x z' z) cs l =? 0)%coqZ)).

End Known.

Fixpoint no_head_z (known : seq nat -> option bitseq) (t : head_tree_z) : bool :=
  match t with
  | AttendsZ k child =>
      let x := text_at k in
      [&& (k < size labels)%N, known x == None &
          all (fun mask => has id mask ==> no_head_z (learn_z known x mask) (child (mask_number mask).-1)) (masks (size x))]
  | KeysZ ts => keys_leaf_z known ts
  | ValuesZ cs => values_leaf_z known cs
  end.

(** ** Inputs that are alike *)

(** The column of Z_i(x) of the state f. *)
Definition cell (x : seq nat) (i f : nat) : seq Z := nth [::] (nth [::] (look [::] columns x) i) f.
Definition nothing_in (v : seq Z) : bool := each c.+1 (fun z => get v z =? 0)%coqZ.
(** A column that is not 0; w is a multiple of v, which is not 0. *)
Definition direction_z (x : seq nat) (i : nat) : seq Z := cell x i (find (fun f => ~~ nothing_in (cell x i f)) (iota 0 n)).
Definition multiple_z (v w : seq Z) : bool :=
  let k := find (fun e => ~~ (e =? 0)%coqZ) v in
  ~~ (get v k =? 0)%coqZ && each c.+1 (fun z => get w z * get v k =? get w k * get v z)%coqZ.

Definition pairs (x' x : seq nat) (i f : nat) : seq (Z * Z) := [seq (get (cell x' i f) z, get (cell x i f) z) | z <- iota 0 c.+1].
Definition alike_at_z (x' x : seq nat) (i : nat) : bool :=
  proportional [seq (get (cell x' i f) z, get (cell x i f) z) | f <- iota 0 n, z <- iota 0 c.+1] ||
  each n (fun f => proportional (pairs x' x i f)) && each n (fun f => multiple_z (direction_z x' i) (cell x' i f)).
Definition alike_z (x' x : seq nat) : bool := (size x == size x') && all (alike_at_z x' x) (iota 0 (size x').+1).


(** The embedding of the column k at position i, where i = 0 is that of the prompt. *)
Variables (size_W : nat) (W : seq (seq Z)).
Definition embedding_z (i k : nat) (x : seq nat) : Z := if i is i'.+1 then get2 W (nth 0%N x i') k else 1%coqZ.
Definition no_prompted_in (cs : rivals) : bool :=
  let x' := text_at 0 in let cs := named cs in
  [&& (0 < size labels)%N, constraints_z K (fun x l => ((x, l) \in labels) && alike_z x' x) cs &
      all (fun i => each n (fun f => nothing_in (cell x' i f)) ||
        each K.+1 (fun l => each size_W (fun k => combine (embedding_z i k) cs l =? 0)%coqZ)) (iota 0 (size x').+1)].

(** ** Decoys: a group is its contested position, its first two inputs and the others; a term is (group, decoy, t); a
    leaf has a term, the others, and two inputs. *)

Definition group_z : Type := nat * (nat * nat * seq nat).
Definition decoy_z : Type := nat * nat * Z.
Definition decoy_leaf_z : Type := decoy_z * seq decoy_z * nat * nat.

Variable groups : seq group_z.
Let group0 : group_z := (0, (0, 0, [::]))%N.
Definition group_at_z (g : nat) : group_z := nth group0 groups (if (g < (size groups).-1.+1)%N then g else 0%N).
Definition contested_z (g : group_z) : nat := g.1.
Definition one_z (g : group_z) : seq nat := text_at g.2.1.1.
Definition members_z (g : group_z) : seq nat := let: (_, (k1, k2, ks)) := g in [:: k1, k2 & ks].

Definition good_group_z (g : group_z) : bool :=
  let: (i, (k1, k2, ks)) := g in
  [&& all (fun k => (k < size labels)%N && alike_z (text_at k1) (text_at k)) (members_z g), label_at_z k1 != label_at_z k2,
      (1 <= i <= size (text_at k1))%N & text_at k2 == replace (text_at k1) i (nth 0%N (text_at k2) i.-1)].

Definition good_decoy_z (dir : seq Z) (t : decoy_z) : bool :=
  let: (g, k, w) := t in let x := one_z (group_at_z g) in let i := contested_z (group_at_z g) in
  [&& (1 <= k <= size x)%N, k != i, (0 <? w)%coqZ &
      each n (fun f => multiple_z dir (cell x k f) && (nothing_in (cell x k f) ==> nothing_in (cell x i f)))].
Definition direction_at (b : decoy_leaf_z) : seq Z := let: (t, _, _, _) := b in direction_z (one_z (group_at_z t.1.1)) t.1.2.
Definition good_leaf_z (b : decoy_leaf_z) : bool :=
  let: (t, ts, _, _) := b in all (good_decoy_z (direction_at b)) (t :: ts) &&
  balanced_z (fun t => contested_z (group_at_z t.1.1)) (fun t => t.1.2) snd (t :: ts).

(** The tokens and labels that a leaf swaps. *)
Definition swap_z (b : decoy_leaf_z) : nat * nat * (nat * nat) :=
  let: (t, _, k, k') := b in let i := contested_z (group_at_z t.1.1) in
  (nth 0%N (text_at k) i.-1, nth 0%N (text_at k) t.1.2.-1, (label_at_z k, label_at_z k')).
Definition good_swap_z (b : decoy_leaf_z) : bool :=
  let: (t, _, k, k') := b in let: (y, y', (l, l')) := swap_z b in let g := group_at_z t.1.1 in
  [&& k \in members_z g, k' \in members_z g, text_at k' == replace (replace (text_at k) (contested_z g) y') t.1.2 y & l != l'].

Definition decoys_in (leaves : seq decoy_leaf_z) : bool :=
  let swap := head (0, 0, (0, 0))%N (map swap_z leaves) in
  [&& (0 < size groups)%N, (0 < size leaves)%N, all good_group_z groups,
      all (fun b => [&& good_leaf_z b, good_swap_z b & swap_z b == swap]) leaves &
      all (fun g => each n (fun f => has (fun b => multiple_z (direction_at b) (cell (one_z g) (contested_z g) f)) leaves)) groups].

(** ** That is right *)

Variables (R : realFieldType) (N : nat) (M S : finType).
Notation X := (ordinal_finType c.+1).
Variables (m : memory_hmm R N M S X) (mu : 'I_K.+1 -> M -> R) (j : 'I_N) (Hs : {set hidden N S}).
Notation of_Z := (of_Z R).
Notation ix := (ord_numbering c).
Notation word := (word ix).
Notation F := (memory_F_star m mu j).
Notation text_ok := (all (fun z => (z < c.+1)%N)).

Definition in_labels (x : seq nat) : bool := x \in map fst labels.

Hypothesis labelsP : forall x l, (x, l) \in labels ->
  [/\ (l < K.+1)%N, text_ok x, in_R m Hs (word x) & F (word x) = inord l].

Lemma text_in k : (k < size labels)%N -> (text_at k, label_at_z k) \in labels.
Proof. by move=> lt_k; rewrite /text_at /label_at_z -surjective_pairing mem_nth. Qed.

Lemma text_P k : (k < size labels)%N -> [/\ in_labels (text_at k), text_ok (text_at k) & in_R m Hs (word (text_at k))].
Proof. by move=> /text_in k_in; have [_ ok x_R _] := labelsP k_in; split=> //; exact: (map_f fst k_in). Qed.

Section Attends.

Variables (d : R) (d0 : 0 < d).
Hypothesis rowsE : forall x i z, in_labels x -> (i < size x)%N -> d * G (hbar m) (word x) i.+1 z = of_Z (row x i (ix z)).

Definition knows (kz : seq nat -> option bitseq) (known : knowledge X) : Prop :=
  forall x, text_ok x -> known (word x) = kz x.

Definition real_term (t : term_z) : term R X := let: (k, i, i', w) := t in Term (word (text_at k)) i i' (of_Z w).

Fixpoint real_head_tree (t : head_tree_z) : head_tree R X K :=
  match t with
  | AttendsZ k child => Attends (word (text_at k)) (fun mask => real_head_tree (child (mask_number mask).-1))
  | KeysZ ts => Keys _ (map real_term ts)
  | ValuesZ cs => Values (map (real_constraint R K ix) (named cs))
  end.

Lemma keys_leaf_zP kz known ts : knows kz known -> keys_leaf_z kz ts -> keys_leaf m known (map real_term ts).
Proof.
pose t0 : term_z := (0, 0, 0, 0%coqZ)%N.
move=> so /and4P[good /(has_nthP t0)[i1 lt1 un] /(eachP ix) zero balanced].
have knownE k : (k < size labels)%N -> known (word (text_at k)) = kz (text_at k) by move=> /text_P[_ ok _]; exact: so.
have termE i : (i < size ts)%N -> nth (Term [::] 0 0 0) (map real_term ts) i = real_term (nth t0 ts i) by exact: nth_map.
split=> [i|||p].
- rewrite size_map => lt_i; rewrite termE //; have := all_nthP t0 good i lt_i.
  case: (nth _ _ _) => [[[k h] h'] w] /andP[lt_k]; rewrite /good_term /= size_map knownE //.
  case: (kz _) => // mask /and4P[here_ok lt_h' neq sign]; exists mask; split=> //.
  by case: ifP sign => _; rewrite -(of_Z_lt R, of_Z_eqE R).
- exists i1; rewrite ?size_map // termE //; move: (all_nthP t0 good i1 lt1) un.
  case: (nth _ _ _) => [[[k h] h'] w] /andP[lt_k _]; rewrite /unattended_z /unattended /= knownE //.
  by case: (kz _) => // mask; exists mask.
- move=> z; apply: (shows_zero d0 _ (zero z)); rewrite big_map; apply: shows_sum_on good => -[[[k h] h'] w] /andP[lt_k].
  case: (kz _) => // mask /and4P[/andP[lt_h _] lt_h' _ _]; have [k_in _ _] := text_P lt_k.
  by rewrite mulrCA mulrBr !rowsE // -of_ZB -of_ZM.
have same f g : (forall t : term_z, f (real_term t) = g t) -> forall q : term_z -> R,
    (forall t, times (real_term t) = q t) ->
    \sum_(t <- map real_term ts | f t == p) times t = \sum_(t <- ts | g t == p) q t.
  by move=> fg q tq; rewrite big_map; apply: eq_big => [t|t _]; rewrite ?fg ?tq.
rewrite (same (@here R X) (fun t => t.1.1.2) _ (fun t => of_Z t.2)) => [|[[[]]]|[[[]]]] //.
by rewrite (same (@there R X) (fun t => t.1.2) _ (fun t => of_Z t.2)) => [|[[[]]]|[[[]]]] //; exact: balancedP balanced p.
Qed.

Lemma attended_shown kz known x z' z : knows kz known -> text_ok x -> in_labels x ->
  d * attended_output m known (word x) z' z = of_Z (attended_z kz x (ix z') (ix z)).
Proof.
move=> so ok x_in; rewrite /attended_output so // -(big_mkord (fun i => nth false (odflt [::] (kz x)) i &&
  (nth z' (word x) i == z')) (fun i => G (hbar m) (word x) i.+1 z)) size_map big_mkord big_mkcond mulr_sumr of_sum_ord.
apply: eq_bigr => i _; have lt_i := all_nthP (ix z' : nat) ok i (ltn_ord i).
have -> : (nth z' (word x) i == z') = (nth (ix z' : nat) x i == ix z').
  rewrite (nth_map (ix z' : nat)) //; move: (nth _ x i) lt_i => y lt_y.
  by apply/eqP/eqP => [<-|->]; [rewrite (itemK ix) | exact: (numberK ix)].
by case: (_ && _); rewrite ?mulr0 ?of_Z0 // rowsE.
Qed.

Lemma values_leaf_zP kz known cs : knows kz known -> values_leaf_z kz cs ->
  values_leaf m mu j Hs known (map (real_constraint R K ix) (named cs)).
Proof.
move=> so /andP[ok /(eachP (ord_numbering K)) zero].
pose good (y : seq X) := in_R m Hs y /\ known y != None.
have goodP x l : (l < K.+1)%N -> ((x, l) \in labels) && (kz x != None) -> good (word x) /\ F (word x) = inord l.
  by move=> _ /andP[/labelsP[_ x_ok x_R Fx] known_x]; rewrite /good so.
split=> [|l z' z]; first exact: (constraints_zP R goodP ok).
move: (zero l) => /(eachP ix)/(_ z')/(eachP ix)/(_ z) zero_z.
apply: (shows_zero d0 (combine_shows goodP l ok _) zero_z) => x l' _ _ /andP[x_in _].
by have [_ x_ok _ _] := labelsP x_in; apply: attended_shown => //; exact: (map_f fst x_in).
Qed.

Lemma no_head_zP kz known t : knows kz known -> no_head_z kz t -> no_head m mu j Hs known (real_head_tree t).
Proof.
elim: t kz known => [k child IH|ts|cs] kz known so /=; last 2 first.
- exact: keys_leaf_zP.
- exact: values_leaf_zP.
case/and3P=> lt_k /eqP new /allP below; have [_ ok x_R] := text_P lt_k.
split=> [||mask]; rewrite ?so // size_map => eq_size some_bit.
apply: IH (implyP (below mask _) some_bit) => [y ok_y|]; last by rewrite -eq_size mem_masks.
by rewrite /learn /learn_z -so //; case: (y =P _) => [->|neq]; [rewrite eqxx | case: eqP => // /(@word_inj _ _ ix _ _ ok_y ok)].
Qed.

End Attends.

Section Alike.

Variables (ig : numbering (full N M S) n) (ic : numbering (cell_state N M S) size_W) (d : R) (d0 : 0 < d).
Hypothesis columnsE : forall x i, in_labels x -> (i <= size x)%N -> exists2 q : R, 0 < q &
  forall f z, 0 < P_H (hbar m) 1 f -> q * prompt_column m (word x) i f z = of_Z (get (cell x i (ig f)) (ix z)).
Hypothesis W_E : forall z k, d * memit m z k = of_Z (get2 W (ix z) (ic k)).

Lemma nothing_zP x i f : in_labels x -> (i <= size x)%N -> 0 < P_H (hbar m) 1 f ->
  nothing_in (cell x i (ig f)) <-> forall z, prompt_column m (word x) i f z = 0.
Proof.
move=> x_in le_i pos; have [q q0 E] := columnsE x_in le_i.
split=> [/(eachP ix) zero z|zero]; first by apply: (shows_zero q0 (E f z pos) (zero z)).
by apply/(eachP ix) => z; rewrite -(shows_eq0 q0 (E f z pos)) zero.
Qed.

Lemma multiple_zP v w : multiple_z v w -> exists s : R, forall z, of_Z (get w (ix z)) = s * of_Z (get v (ix z)).
Proof.
case/andP; set k := find _ v; rewrite -(of_Z_eqE R) => nz /(eachP ix) eq_vw.
exists (of_Z (get w k) / of_Z (get v k)) => z; apply: (mulfI nz).
by rewrite mulrA [_ * (_ / _)]mulrC divfK // -!of_ZM Z.mul_comm; apply/eqP; rewrite of_Z_eqE.
Qed.

Lemma alike_zP x' x : in_labels x' -> in_labels x -> alike_z x' x -> alike m (word x') (word x).
Proof.
move=> x'_in x_in /andP[/eqP eq_size /allP ok]; split; rewrite !size_map // => i le_i.
have le_ix : (i <= size x)%N by rewrite eq_size.
have [q' q'0 E'] := columnsE x'_in le_i; have [q q0 E] := columnsE x_in le_ix.
have scaled r f z : 0 < P_H (hbar m) 1 f -> of_Z (get (cell x i (ig f)) (ix z)) = r * of_Z (get (cell x' i (ig f)) (ix z)) ->
    prompt_column m (word x) i f z = r * q' / q * prompt_column m (word x') i f z.
  by move=> pos; rewrite -E // -E' // => eq_r; apply: (mulfI (lt0r_neq0 q0)); rewrite eq_r mulrA [RHS]mulrA [q * (_ / _)]mulrC divfK ?lt0r_neq0.
have := ok i; rewrite mem_iota add0n ltnS le_i => /(_ isT)/orP[/(@proportionalP R)[r r0]|/andP[/(eachP ig) each_f /(eachP ig) dir]].
  rewrite all_pairs => /(eachP ig) eq_r; exists (fun=> r * q' / q); last by left.
  move=> f pos; split=> [|z]; first by rewrite divr_gt0 ?mulr_gt0.
  by apply: scaled => //; move: (eq_r f) => /(eachP ix)/(_ z)/eqP.
have /fin_all_exists[r ok_r] f : exists r : R, 0 < r /\ forall z, of_Z (get (cell x i (ig f)) (ix z)) = r * of_Z (get (cell x' i (ig f)) (ix z)).
  case/(@proportionalP R): (each_f f) => r r0; rewrite /pairs all_map => /(eachP ix) eq_r.
  by exists r; split=> // z; apply/eqP; exact: eq_r.
have /fin_all_exists[s ok_s] f := multiple_zP (dir f).
exists (fun f => r f * q' / q); first by move=> f pos; have [r0 rE] := ok_r f; split=> [|z]; [rewrite divr_gt0 ?mulr_gt0 | exact: scaled].
right; exists (fun f => s f / q'), (fun z => of_Z (get (direction_z x' i) (ix z))) => f z pos.
by apply: (mulfI (lt0r_neq0 q'0)); rewrite E' // ok_s [RHS]mulrA [q' * (_ / _)]mulrC divfK ?lt0r_neq0.
Qed.

Theorem no_prompted_ok cs : no_prompted_in cs -> forall (u : letter R (full N M S)) (h : attention R N M S X K),
  (forall g, 0 <= u g) -> exists2 x, in_R m Hs x &
  F x <> attention_head h (size x).+1 (prompted_output m u x) (prompted_embedding m u x).
Proof.
case/and3P=> lt0 ok /allP zero; set x' := text_at 0 in ok zero; have [x'_in _ _] := text_P lt0.
pose good (y : seq X) := in_R m Hs y /\ alike m (word x') y.
have in_l x l : (x, l) \in labels -> in_labels x by exact: (map_f fst).
have goodP x l : (l < K.+1)%N -> ((x, l) \in labels) && alike_z x' x -> good (word x) /\ F (word x) = inord l.
  by move=> _ /andP[x_in eq_x]; have [_ _ x_R Fx] := labelsP x_in; split=> //; split=> //; apply: alike_zP; rewrite ?(in_l _ _ x_in).
apply: (rule_no_prompted_attention_head (constraints_zP R goodP ok)) => i f z; rewrite size_map => le_i pos nz l k.
have := zero i; rewrite mem_iota add0n ltnS le_i => /(_ isT)/orP[/(eachP ig)/(_ f)|].
  by move=> /(nothing_zP x'_in le_i pos)/(_ z) z0; rewrite z0 eqxx in nz.
move=> /(eachP (ord_numbering K))/(_ l)/(eachP ic)/(_ k) zero_k.
have r0 : 0 < (if i is 0%N then 1 else d) by case: (i).
apply: (shows_zero r0 (combine_shows goodP l ok _) zero_k) => x l' _ _ /andP[x_in /andP[/eqP eq_size _]].
have [_ x_ok _ _] := labelsP x_in; rewrite /token_embedding /embedding_z; case: (i) le_i => [|i'] lt_i' /=; first exact: mulr1.
rewrite -map_comp (nth_map 0%N) ?eq_size //= W_E itemK //.
by apply: (all_nthP 0%N x_ok); rewrite eq_size.
Qed.

(** ** Decoys *)

Notation k_groups := (size groups).-1.
Definition real_group (g : group_z) : group X :=
  let: (i, (k1, k2, ks)) := g in Group (word (text_at k1)) (word (text_at k2)) [seq word (text_at k) | k <- ks] i.
Definition group_of (g : 'I_k_groups.+1) : group X := real_group (nth group0 groups g).
Definition real_decoy (t : decoy_z) : decoy_term R [finType of 'I_k_groups.+1] := (inord t.1.1, t.1.2, of_Z t.2).
Definition real_direction (v : seq Z) : X -> R := fun z => of_Z (get v (ix z)).
Definition real_leaf (b : decoy_leaf_z) : leaf R X [finType of 'I_k_groups.+1] :=
  let: (t, ts, k, k') := b in
  Leaf (real_decoy t) (map real_decoy ts) (real_direction (direction_at b)) (word (text_at k)) (word (text_at k')).

Lemma group_ofE g : group_of (inord g) = real_group (group_at_z g).
Proof. by rewrite /group_of /group_at_z val_insubd. Qed.

Lemma real_members g : members (real_group g) = [seq word (text_at k) | k <- members_z g].
Proof. by case: g => i [[k1 k2] ks]. Qed.

Lemma one_real g : one (real_group g) = word (one_z g). Proof. by case: g => i [[]]. Qed.
Lemma contested_real g : contested (real_group g) = contested_z g. Proof. by case: g => i [[]]. Qed.

Lemma word_replace x i z : (i.-1 < size x)%N -> word (replace x i z) = replace (word x) i (item ix z).
Proof. by rewrite /replace; move: i.-1 => {i}; elim: x => // y x IH [|i] //= lt_i; rewrite IH. Qed.

Lemma labelE k : (k < size labels)%N -> F (word (text_at k)) = inord (label_at_z k) /\ (label_at_z k < K.+1)%N.
Proof. by move=> /text_in/labelsP[]. Qed.

Lemma label_neq k k' : (k < size labels)%N -> (k' < size labels)%N -> label_at_z k != label_at_z k' ->
  F (word (text_at k)) != F (word (text_at k')).
Proof. by move=> /labelE[-> lt] /labelE[-> lt']; rewrite -val_eqE /= !inordK. Qed.

Lemma member_P g k : good_group_z g -> k \in members_z g ->
  [/\ (k < size labels)%N, size (text_at k) = size (one_z g), in_labels (one_z g) & alike m (word (one_z g)) (word (text_at k))].
Proof.
case: g => i [[k1 k2] ks] /and4P[/allP ok _ _ _] k_in; have /andP[lt_k eq_k] := ok k k_in.
have /andP[lt1 _] := ok k1 (mem_head _ _); have [in1 _ _] := text_P lt1; have [in_k _ _] := text_P lt_k.
by split=> //; [case/andP: eq_k => /eqP | exact: alike_zP].
Qed.

Lemma contested_P g : good_group_z g -> (1 <= contested_z g <= size (one_z g))%N.
Proof. by case: g => i [[k1 k2] ks] /and4P[]. Qed.

Lemma pred_lt k t : (1 <= k <= t)%N -> (k.-1 < t)%N. Proof. by case: k. Qed.

Lemma group_P g : good_group_z g -> good_group m mu j Hs (real_group g).
Proof.
move=> ok; have le_i := contested_P ok; have in_g k := member_P (k := k) ok.
split=> [x||| ]; first by rewrite real_members => /mapP[k /in_g[lt_k _ _ eq_k] ->]; have [_ _ x_R] := text_P lt_k; move: eq_k; case: (g) => i [[]].
all: case: g ok le_i in_g => i [[k1 k2] ks] /and4P[_ neq _ /eqP eq_x] le_i in_g.
- have [|lt1 _ _ _] := in_g k1; first exact: mem_head.
  by have [|lt2 _ _ _] := in_g k2; [rewrite !inE eqxx orbT | exact: label_neq].
- by rewrite /= size_map.
by exists (item ix (nth 0%N (text_at k2) i.-1)); rewrite /= -word_replace -?eq_x //; exact: pred_lt.
Qed.

Lemma multiple_column x i f v : in_labels x -> (i <= size x)%N -> 0 < P_H (hbar m) 1 f -> multiple_z v (cell x i (ig f)) ->
  multiple_of (real_direction v) (prompt_column m (word x) i f).
Proof.
move=> x_in le_i pos /multiple_zP[s sE]; have [q q0 E] := columnsE x_in le_i; exists (s / q) => z.
by apply: (mulfI (lt0r_neq0 q0)); rewrite E // sE [RHS]mulrA [q * (_ / _)]mulrC divfK ?lt0r_neq0.
Qed.

Section Leaves.

Hypotheses (some_group : (0 < size groups)%N) (all_groups : all good_group_z groups).

Lemma group_atP g : good_group_z (group_at_z g).
Proof. by apply: (all_nthP group0 all_groups); case: ifP => //; rewrite prednK. Qed.

Lemma group_at_one g : in_labels (one_z (group_at_z g)).
Proof.
have := group_atP g; case: (group_at_z g) => i [[k1 k2] ks] ok.
by have [|_ _ ok1 _] := member_P (k := k1) ok; first exact: mem_head.
Qed.

Lemma decoy_P v t : good_decoy_z v t -> good_decoy m group_of (real_direction v) (real_decoy t).
Proof.
case: t => [[g k] w] /and4P[le_k neq w0 /(eachP ig) cells]; have x_in := group_at_one g.
rewrite /good_decoy -[(real_decoy _).1.1]/(inord g : 'I_k_groups.+1) group_ofE one_real contested_real.
rewrite -[decoy _]/k -[factor _]/(of_Z w); have := contested_P (group_atP g).
case/andP=> _ le_i; rewrite size_map -of_Z0 of_Z_lt; split=> // f pos; have /andP[mult none] := cells f.
have le_k' : (k <= size (one_z (group_at_z g)))%N by case/andP: le_k.
split; first exact: multiple_column.
case=> z nz; apply/existsP; apply: contraNT nz => /existsPn zero; apply/eqP; move: z.
apply/(nothing_zP x_in le_i pos)/(implyP none)/(nothing_zP x_in le_k' pos) => z.
by apply/eqP/negPn; exact: zero.
Qed.

Lemma all_decoys v ts : all (good_decoy_z v) ts ->
  forall t, t \in map real_decoy ts -> good_decoy m group_of (real_direction v) t.
Proof. by elim: ts => //= t ts IH /andP[/decoy_P ok /IH{}IH] u; rewrite inE => /orP[/eqP->|/IH]. Qed.

Lemma leaf_P b : good_leaf_z b -> good_leaf m group_of (real_leaf b).
Proof.
case: b => [[[t ts] k] k'] /andP[ok balanced]; split=> [|p]; first exact: (@all_decoys _ (t :: ts)).
have sumE f g : (forall t : decoy_z, f (real_decoy t) = g t) ->
    \sum_(c <- map real_decoy (t :: ts) | f c == p) factor c = \sum_(c <- t :: ts | g c == p) of_Z c.2.
  by move=> fg; rewrite big_map; apply: eq_big => [e|e _]; rewrite ?fg.
rewrite (sumE _ (fun c => contested_z (group_at_z c.1.1))) => [|e]; last first.
  by rewrite -[(real_decoy _).1.1]/(inord e.1.1 : 'I_k_groups.+1) group_ofE contested_real.
by rewrite (sumE (@decoy R _) (fun c => c.1.2)) //; exact: balancedP balanced p.
Qed.

Lemma swap_P b y y' l l' : good_leaf_z b -> good_swap_z b -> swap_z b = (y, y', (l, l')) ->
  good_swap m mu j group_of (item ix y) (item ix y') (inord l) (inord l') (real_leaf b).
Proof.
case: b => [[[[[g k0] w] ts] k] k'] /andP[/andP[/and4P[le_k0 _ _ _] _] _].
rewrite /good_swap_z => swap eq_s; move: swap; rewrite eq_s; case: eq_s => eq_y eq_y' eq_l eq_l'.
rewrite [contested_z _]/= => /and4P[k_in k'_in /eqP eq_x neq]; have ok := group_atP g.
have [lt_k size_k _ _] := member_P ok k_in; have [lt_k' _ _ _] := member_P ok k'_in.
have le_i : (1 <= contested_z (group_at_z g) <= size (text_at k))%N by rewrite size_k; exact: contested_P.
rewrite -size_k in le_k0; rewrite /good_swap -[(lead _).1.1]/(inord g : 'I_k_groups.+1) group_ofE real_members.
have [Fk lt_l] := labelE lt_k; have [Fk' lt_l'] := labelE lt_k'.
split; [by split; apply: map_f | | | split].
- by rewrite contested_real !(nth_map 0%N) ?pred_lt // eq_y eq_y'.
- rewrite contested_real -[swapped _]/(word (text_at k')) -[decoy _]/k0 eq_x.
  by rewrite !word_replace ?size_replace // pred_lt.
- by rewrite -val_eqE /= !inordK // -?eq_l -?eq_l'.
- by rewrite -eq_l.
- by rewrite -eq_l'.
Qed.

End Leaves.

Theorem decoys_ok leaves : decoys_in leaves -> forall (u : letter R (full N M S)) (h : attention R N M S X K),
  (forall g, 0 <= u g) -> exists2 x, in_R m Hs x &
  F x <> attention_head h (size x).+1 (prompted_output m u x) (prompted_embedding m u x).
Proof.
rewrite /decoys_in; case: (head _ _) => [[y y'] [l l']] /and5P[some_group some_leaf ok_groups ok_leaves directions].
pose b0 : decoy_leaf_z := ((0%N, 0%N, 0%coqZ), [::], 0%N, 0%N).
pose leaf_of (b : 'I_(size leaves)) := real_leaf (nth b0 leaves b).
have leaf_at (b : 'I_(size leaves)) := all_nthP b0 ok_leaves b (ltn_ord b).
have lt_group (g : 'I_k_groups.+1) : (g < size groups)%N by rewrite (leq_trans (ltn_ord g)) // prednK.
apply: (rule_decoys (leaf_of := leaf_of) (y := item ix y) (y' := item ix y') (l := inord l) (l' := inord l')).
split=> [|g|b|b|g f pos]; first by rewrite card_ord.
- exact: group_P (all_nthP group0 ok_groups g (lt_group g)).
- by have /and3P[ok _ _] := leaf_at b; exact: leaf_P.
- by have /and3P[ok swap /eqP eq_s] := leaf_at b; exact: swap_P.
have lt_g := lt_group g; have := all_nthP group0 directions g lt_g => /(eachP ig)/(_ f)/(has_nthP b0)[b lt_b mult].
have ok := all_nthP group0 ok_groups g lt_g; exists (Ordinal lt_b).
have x_in : in_labels (one_z (nth group0 groups g)).
  by move: ok; case: (nth _ _ _) => i [[k1 k2] ks] ok; have [|_ _ ok1 _] := member_P (k := k1) ok; first exact: mem_head.
have /andP[_ le_i] := contested_P ok; have := multiple_column x_in le_i pos mult.
by rewrite /leaf_of /group_of one_real contested_real -[val (Ordinal _)]/b; case: (nth b0 leaves b) => [[[t ts] k] k'].
Qed.

End Alike.

End Decided.

(** ** Of the model on a page *)

Section Models.

Variables (N a b c K : nat) (memories initial : seq Q) (transition emission mu : seq (seq Q)) (j : nat) (S' : seq nat).
Notation states := (N.+1 * b.+1)%N.
Notation columns := (a.+1 * (N.+1 * b.+1))%N.
Notation M := (ordinal_finType a.+1).
Notation S := (ordinal_finType b.+1).
Notation X := (ordinal_finType c.+1).

Section Computed.

Variables (T : tables) (mu_z : seq (seq Z)) (inputs : seq (seq nat)).

Definition labels_in : seq (seq nat * nat) := tabulate (label_z T K (task_z T (lifted_z N a b j mu_z))) inputs.
Definition labels_ok : bool := all (fun xl => (xl.2 < K.+1)%N && memory_label_in N a b K j S' T mu_z xl.1 xl.2) labels_in.
Definition outputs_in (x : seq nat) : seq (seq Q) := [seq output_q T (tau_z T (first_z T) x i.+1) | i <- iota 0 (size x)].
Definition rows_scale : Z := common (flatten (flatten (map outputs_in inputs))).
Definition rows_in : seq (seq nat * seq (seq Z)) :=
  let d := rows_scale in tabulate (fun x => map (map (cleared d)) (outputs_in x)) inputs.
Definition state_z (f : nat) : seq Z := vec (n T) (fun g => if g == f then 1 else 0)%coqZ.
Definition columns_in : seq (seq nat * seq (seq (seq Z))) :=
  let p := first_z T in
  tabulate (fun x => [seq [seq if (0 <? get p f)%coqZ then emission_z T (law_z T (state_z f) x i) else [::] | f <- iota 0 (n T)]
    | i <- iota 0 (size x).+1]) inputs.

End Computed.

Notation bar_T := (bar_tables N a b c memories initial transition emission).
Notation mu_z := (integers2 mu).

Definition no_attention_z (inputs : seq (seq nat)) (t : head_tree_z) : bool :=
  let T := bar_T in labels_ok T mu_z inputs && no_head_z c K (labels_in T mu_z inputs) (rows_in T inputs) (fun=> None) t.
Definition no_prompted_attention_z (inputs : seq (seq nat)) (cs : rivals) : bool :=
  let T := bar_T in
  labels_ok T mu_z inputs && no_prompted_in c K (labels_in T mu_z inputs) (n T) (columns_in T inputs) columns (integers2 emission) cs.
Definition decoys_z (inputs : seq (seq nat)) (groups : seq group_z) (leaves : seq decoy_leaf_z) : bool :=
  let T := bar_T in
  labels_ok T mu_z inputs && decoys_in c (labels_in T mu_z inputs) (n T) (columns_in T inputs) groups leaves.

Context {valid : valid_memory N a b c memories initial transition emission} {R : realFieldType}.
Notation m := (of_memory_table R valid).
Notation of_Z := (of_Z R).
Notation ig := (full_numbering N a b).
Notation ic := (column_numbering N a b).
Notation ix := (ord_numbering c).
Notation jstar := (inord j : 'I_N.+1).
Notation task := (fun (l : 'I_K.+1) (v : M) => of_Q R (entry2 mu l v)).
Notation Hstar := (@recoverable N.+1 S jstar [set s : S | val s \in S']).

Let D := bar_describes R valid.

Section Inputs.

Variable inputs : seq (seq nat).
Hypothesis ok : labels_ok bar_T mu_z inputs.
Notation labels := (labels_in bar_T mu_z inputs).

Lemma label_in x l : (x, l) \in labels -> [/\ (l < K.+1)%N, all (fun z => (z < c.+1)%N) x, in_R m Hstar (word ix x) &
  memory_F_star m task jstar (word ix x) = inord l].
Proof.
by move=> /(allP ok)/andP[lt_l label_x]; have [x_R Fx] := @memory_labelP _ _ _ _ _ _ _ _ _ _ _ _ valid R _ _ label_x; split=> //; exact: memory_label_ok label_x.
Qed.

Lemma input_in x : in_labels labels x -> x \in inputs /\ all (fun z => (z < c.+1)%N) x.
Proof.
rewrite /in_labels => /mapP[[y l] yl_in ->]; split; last by have [] := label_in yl_in.
by case/mapP: yl_in => y' y'_in [-> _].
Qed.

Lemma rows_inE x i z : in_labels labels x -> (i < size x)%N ->
  of_Z (rows_scale bar_T inputs) * G (hbar m) (word ix x) i.+1 z = of_Z (row (rows_in bar_T inputs) x i (ix z)).
Proof.
case/input_in=> x_in x_ok lt_i; have lt_out : (i < size (outputs_in bar_T x))%N by rewrite size_map size_iota.
rewrite (G_q _ x_ok lt_i) /row look_tabulate // /get2 (nth_map [::]) //.
have outE : nth [::] (outputs_in bar_T x) i = output_q bar_T (tau_z bar_T (first_z bar_T) x i.+1).
  by rewrite (nth_map 0%N) ?size_iota // nth_iota.
rewrite -outE; apply: cleared_entry; have := common_divides (flatten (flatten (map (outputs_in bar_T) inputs))).
by rewrite all_flatten all_flatten all_map => /allP/(_ x x_in) rows; exact: (all_nthP [::] rows).
Qed.

Lemma columns_inE x i : in_labels labels x -> (i <= size x)%N -> exists2 q : R, 0 < q &
  forall f z, 0 < P_H (hbar m) 1 f ->
  q * prompt_column m (word ix x) i f z = of_Z (get (cell (columns_in bar_T inputs) x i (ig f)) (ix z)).
Proof.
case/input_in=> x_in x_ok le_i; have [q q0 lawE] := @law_behind_shown N a b c memories initial transition emission valid R x i 1 x_ok ltr01.
exists (of_Z (dW bar_T) * q) => [|f z pos]; first by rewrite mulr_gt0 ?(dW_gt0 D).
rewrite /cell look_tabulate // (nth_map 0%N) ?size_iota // nth_iota // add0n (nth_table ig).
rewrite -(first_pos D) pos; have stateE : shows (T := bar_T) ig (1 : R) (fun g => (g == f)%:R) (state_z bar_T (ig f)).
  by move=> g; rewrite [get _ _](get_vec ig) (inj_eq (can_inj (numberK ig))) mul1r; case: eqP.
rewrite -(emission_shows D z (lawE _ _ stateE)); congr (_ * _); apply: eq_bigr => g _; congr (_ * _).
by apply: law_behindE; rewrite size_map.
Qed.

End Inputs.

Theorem no_attention_ok inputs t : no_attention_z inputs t ->
  forall (h : attention R N.+1 M S X K) (e : X -> letter R (cell_state N.+1 M S)), exists2 x, in_R m Hstar x &
  memory_F_star m task jstar x <> attention_head h (size x) (G (hbar m) x) (letter_at (map e x)).
Proof.
case/andP=> ok tree; have empty : knows (fun=> None) (@nothing X) by [].
have refuted := no_head_zP (label_in ok) (common_gt0 R _) (rows_inE ok) empty tree.
exact: rule_no_attention_head refuted.
Qed.

Theorem no_prompted_attention_ok inputs cs : no_prompted_attention_z inputs cs ->
  forall (u : letter R (full N.+1 M S)) (h : attention R N.+1 M S X K), (forall g, 0 <= u g) -> exists2 x, in_R m Hstar x &
  memory_F_star m task jstar x <> attention_head h (size x).+1 (prompted_output m u x) (prompted_embedding m u x).
Proof.
have W_E := @emissionE N a b c memories initial transition emission valid R.
by case/andP=> ok; exact: (no_prompted_ok (label_in ok) (common_gt0 R _) (columns_inE ok) W_E).
Qed.

Theorem decoys_z_ok inputs groups leaves : decoys_z inputs groups leaves ->
  forall (u : letter R (full N.+1 M S)) (h : attention R N.+1 M S X K), (forall g, 0 <= u g) -> exists2 x, in_R m Hstar x &
  memory_F_star m task jstar x <> attention_head h (size x).+1 (prompted_output m u x) (prompted_embedding m u x).
Proof. by case/andP=> ok; exact: (decoys_ok (label_in ok) (columns_inE ok)). Qed.

End Models.
