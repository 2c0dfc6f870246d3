(** What decides assumptions 3.1, 3.2 and 3.5 of a model by tables (docs/certificate-format.md, section 4). *)

From Headproof Require Import definitions.prelude definitions.hmm statements.rules proofs.paths
  proofs.refutations_numbers proofs.rules_assumptions proofs.rules_wielandt checker.tables checker.models.

(** ** Integers of the library *)

Definition int_of_Z (z : Z) : int :=
  match z with Z0 => 0 | Zpos p => Posz (Pos.to_nat p) | Zneg p => - Posz (Pos.to_nat p) end.

Lemma of_Z_int (R : realFieldType) z : of_Z R z = (int_of_Z z)%:~R.
Proof.
have pos p : of_Z R (Zpos p) = (Pos.to_nat p)%:R.
  elim/Pos.peano_ind: p => [//|p IH]; by rewrite Pos2Z.inj_succ -Z.add_1_r of_ZD IH Pos2Nat.inj_succ -addn1 natrD.
by case: z => [//|p|p]; rewrite -1?[Zneg p]/(- Zpos p)%coqZ ?of_ZN pos /int_of_Z ?rmorphN /= -pmulrn.
Qed.

Lemma int_of_ZD x y : int_of_Z (x + y) = int_of_Z x + int_of_Z y.
Proof. by apply: (@intr_inj rat_numDomainType); rewrite rmorphD /= -!of_Z_int of_ZD. Qed.
Lemma int_of_ZM x y : int_of_Z (x * y) = int_of_Z x * int_of_Z y.
Proof. by apply: (@intr_inj rat_numDomainType); rewrite rmorphM /= -!of_Z_int of_ZM. Qed.

(** A matrix with an inverse modulo p has a determinant that is not 0. *)
Lemma det_neq0 r (N L : 'M[int]_r) (p : Z) (k : 'I_r -> 'I_r -> Z) : (1 < p)%coqZ ->
  (forall i j, (L *m N) i j = (i == j)%:R + int_of_Z (p * k i j)) -> \det N != 0.
Proof.
move=> p1 inverse; apply/eqP => N0; pose q := Z.to_nat p.
have q1 : (1 < q)%N by apply/ssrnat.ltP; rewrite -[1%N]/(Z.to_nat 1); apply/Z2Nat.inj_lt => //; apply: (Z.le_trans _ 1) (Z.lt_le_incl _ _ p1).
have p_q : int_of_Z p = q by rewrite /q; case: (p) p1.
have : \det (map_mx intr (L *m N) : 'M['Z_q]_r) = 1.
  rewrite (_ : map_mx _ _ = 1%:M) ?det1 //; apply/matrixP => i j; rewrite mxE inverse mxE int_of_ZM p_q.
  have q0 : (q : int)%:~R = 0 :> 'Z_q by exact: char_Zp.
  by rewrite rmorphD rmorphM /= q0 mul0r addr0; case: eqP.
by rewrite det_map_mx det_mulmx N0 mulr0 rmorph0 => /eqP; rewrite eq_sym oner_eq0.
Qed.

(** ** Columns W[:,t] that rows or a vector show to be independent or dependent *)

Section Columns.

Variables (n c : nat) (W : seq (seq Z)).

(** Rows L[g], g in P, that are > 0 on the column W[:,g], and 0 on the others in Q. *)
Definition dual_rows (P Q : pred nat) (L : seq (seq Z)) : bool :=
  each n (fun g => P g ==> each n (fun h => Q h ==>
    let v := sum c (fun z => get2 L g z * get2 W z h)%coqZ in if g == h then (0 <? v)%coqZ else (v =? 0)%coqZ)).

Variables (R : realFieldType) (T X : finType) (i : numbering T n) (ix : numbering X c) (d : R) (f : X -> T -> R).
Notation of_Z := (of_Z R).
Hypotheses (d0 : 0 < d) (fE : forall z t, d * f z t = of_Z (get2 W (ix z) (i t))).

Lemma dual_rowsP (P Q : pred nat) L : (forall t, P (i t) -> Q (i t)) -> dual_rows P Q L ->
  exists L' : T -> X -> R, forall g h, P (i g) -> Q (i h) -> \sum_z L' g z * f z h = (g == h)%:R.
Proof.
pose v g h := sum c (fun z => get2 L g z * get2 W z h)%coqZ.
move=> PQ /(eachP i) dual; exists (fun g z => of_Z (get2 L (i g) (ix z)) * (d / of_Z (v (i g) (i g)))) => g h Pg Qh.
have sumE : \sum_z of_Z (get2 L (i g) (ix z)) * (d * f z h) = of_Z (v (i g) (i h)).
  by rewrite (of_sum ix); apply: eq_bigr => z _; rewrite fE of_ZM.
transitivity (of_Z (v (i g) (i h)) / of_Z (v (i g) (i g))).
  by rewrite -sumE mulr_suml; apply: eq_bigr => z _; rewrite -!mulrA; congr (_ * (_ * _)); exact: mulrC.
have {}dual h' : Q (i h') -> _ := implyP (eachP i _ (implyP (dual g) Pg) h').
have := dual h Qh; have := dual g (PQ g Pg); rewrite /= eqxx.
rewrite -/(v _ _) -/(v _ _) (inj_eq (can_inj (numberK i))); case: eqP => [->|_] vgh vgg.
  by rewrite divff // gt_eqF // -of_Z0 of_Z_lt.
by rewrite (_ : of_Z (v _ _) = 0) ?mul0r //; apply/eqP; rewrite -of_Z0 of_Z_eqE.
Qed.

(** Tokens at which the columns W[:,t], t in P, are a matrix with the inverse L modulo p. *)
Definition minor_z (P : pred nat) (tokens : seq nat) (p : Z) (L : seq (seq Z)) : bool :=
  let columns := [seq [seq get2 W z h | z <- tokens] | h <- iota 0 n & P h] in
  let r := size columns in
  [&& (1 <? p)%coqZ, all (fun z => (z < c)%N) tokens, size tokens == r &
      each r (fun i => let row := nth [::] L i in each r (fun j =>
        (dot_lists row (nth [::] columns j) - (if i == j then 1 else 0)) mod p =? 0)%coqZ)].

(** W v = 0. *)
Definition kills (v : seq Z) : bool := each c (fun z => sum n (fun t => get2 W z t * get v t) =? 0)%coqZ.

Lemma killsP v : kills v -> forall z, \sum_t f z t * of_Z (get v (i t)) = 0.
Proof.
move=> /(eachP ix) null z; apply: (shows_zero d0 _ (null z)).
by apply: (shows_sum i) => t; rewrite mulrA fE of_ZM.
Qed.

End Columns.

Section Decided.

Variables (T : tables) (K : nat) (mu : seq (seq Z)).
Notation n := (n T).

(** What shows that the columns W[:,h], h in P, are independent. *)
Inductive columns_z := DualZ of seq (seq Z) | MinorZ of seq nat & Z & seq (seq Z).
Definition independent_z (P : pred nat) (e : columns_z) : bool :=
  match e with
  | DualZ L => dual_rows n (c T) (W T) P P L
  | MinorZ tokens p L => minor_z n (c T) (W T) P tokens p L
  end.

(** W v = 0, and v is not 0. *)
Definition null_z (v : seq Z) : bool := kills n (c T) (W T) v && some n (fun h => ~~ (get v h =? 0)%coqZ).

(** Where A^e has entries > 0. *)
Definition bits (B : seq (seq bool)) (i j : nat) : bool := nth false (nth [::] B i) j.
Definition bits_of (F : nat -> nat -> bool) : seq (seq bool) := [seq [seq F i j | j <- iota 0 n] | i <- iota 0 n].
Definition times_bits (B C : seq (seq bool)) := bits_of (fun i j => some n (fun g => bits B i g && bits C g j)).
Definition pattern : seq (seq bool) := bits_of (fun i j => 0 <? get2 (A T) i j)%coqZ.
Fixpoint power (e : positive) : seq (seq bool) :=
  match e with
  | xH => pattern
  | xO e => let B := power e in times_bits B B
  | xI e => let B := power e in times_bits pattern (times_bits B B)
  end.
Definition ergodic_z : bool := let B := power (Pos.of_nat (n.-1 ^ 2).+1) in each n (fun i => each n (bits B i)).
Definition full_z : bool := each n (fun i => 0 <? get (p0 T) i)%coqZ.

Definition supp_z (h : nat) : bool := some K.+1 (fun l => ~~ (get2 mu l h =? 0)%coqZ).
Definition covered_z (B : seq nat) (h : nat) : bool := some n (fun f => (f \in B) && (0 <? get2 (A T) h f)%coqZ).
Definition cover_z (B : seq nat) (e : columns_z) : bool :=
  each n (fun h => supp_z h ==> covered_z B h) && independent_z (covered_z B) e.

Inductive cover_tree_z := CoverZ of nat & (nat -> cover_tree_z) | DependentZ of seq Z.
Fixpoint no_cover_z (B : seq nat) (t : cover_tree_z) : bool :=
  match t with
  | CoverZ h child => [&& (h < n)%N, supp_z h & each n (fun f => (0 <? get2 (A T) h f)%coqZ ==> no_cover_z (f :: B) (child f))]
  | DependentZ v => null_z v && each n (fun h => ~~ (get v h =? 0)%coqZ ==> covered_z B h)
  end.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X).
Variables (ih : numbering H n) (ix : numbering X (c T)) (D : describes m ih ix).
Notation of_Z := (of_Z R).

Lemma null_zP v : null_z v -> let v' h := of_Z (get v (ih h)) in
  (exists h, v' h != 0) /\ forall z, \sum_h emit m z h * v' h = 0.
Proof.
case/andP=> null /(someP ih)[h nz]; split; first by exists h; rewrite -of_Z0 of_Z_eqE.
exact: (killsP (dW_gt0 D) (emit_shown D) null).
Qed.

Lemma minor_zP (P : pred nat) tokens p L (Ps : {set H}) : (forall h, (h \in Ps) = P (ih h)) ->
  minor_z n (c T) (W T) P tokens p L -> independent Ps (column m).
Proof.
rewrite /minor_z size_map; set hs := [seq h <- _ | _] => PsE /and4P[/Z.ltb_lt p1 /allP lt_c /eqP size_t /allP inverse].
have lt_n (j : 'I_(size hs)) : (nth 0%N hs j < n)%N && P (nth 0%N hs j).
  by have := mem_nth 0%N (ltn_ord j); rewrite mem_filter mem_iota add0n andbC.
pose col (j : 'I_(size hs)) := item ih (nth 0%N hs j); pose z (i : 'I_(size hs)) := item ix (nth 0%N tokens i).
have colE j : ih (col j) = nth 0%N hs j by rewrite itemK //; case/andP: (lt_n j).
apply: (minor_independent (col := col) (z := z) (d := of_Z (dW T)) (N := \matrix_(i, j) int_of_Z (get2 (W T) (ix (z i)) (ih (col j))))).
- move=> j j' eq_j; apply/val_inj/eqP; rewrite -(nth_uniq 0%N (ltn_ord j) (ltn_ord j')) ?filter_uniq ?iota_uniq //.
  by rewrite -!colE eq_j.
- move=> h; rewrite PsE; apply/idP/codomP => [Ph|[j ->]]; last by rewrite colE; case/andP: (lt_n j).
  have h_in : ih h \in hs by rewrite mem_filter Ph mem_iota number_lt.
  have lt_h : (index (ih h) hs < size hs)%N by rewrite index_mem.
  by exists (Ordinal lt_h); rewrite /col /= nth_index // numberK.
- by move=> i j; rewrite mxE -of_Z_int (emit_shown D).
pose row (i : 'I_(size hs)) := nth [::] L i; pose column (j : 'I_(size hs)) := nth [::] [seq [seq get2 (W T) z h | z <- tokens] | h <- hs] (val j).
pose off i j : Z := (dot_lists (row i) (column j) - (if val i == val j then 1 else 0))%coqZ.
apply: (det_neq0 (L := \matrix_(i, k) int_of_Z (get (row i) k)) (k := fun i j => (off i j / p)%coqZ) p1) => i j.
have in_r (i' : 'I_(size hs)) : val i' \in iota 0 (size hs) by rewrite mem_iota ltn_ord.
have /Z.eqb_eq mod0 := allP (inverse _ (in_r i)) _ (in_r j).
rewrite -((Z.div_exact (off i j) p _).2 mod0); last by move=> p0; rewrite p0 in p1.
have -> : (i == j)%:R = int_of_Z (if val i == val j then 1 else 0)%coqZ by rewrite val_eqE; case: eqP.
rewrite -int_of_ZD Zplus_minus; apply: (@intr_inj rat_numDomainType).
have columnE : column j = [seq get2 (W T) z (nth 0%N hs j) | z <- tokens] by rewrite /column (nth_map 0%N) ?ltn_ord.
rewrite -of_Z_int columnE (dot_listsE _ _ (n := size hs)) ?size_map ?size_t // mxE rmorph_sum; apply: eq_bigr => k _.
have k_in : (k < size tokens)%N by rewrite size_t.
rewrite !mxE rmorphM /= -!of_Z_int colE itemK; last by apply: lt_c; exact: mem_nth.
by rewrite [get [seq _ | _ <- _] _](nth_map 0%N).
Qed.

Lemma independent_zP (P : pred nat) e (Ps : {set H}) : (forall h, (h \in Ps) = P (ih h)) ->
  independent_z P e -> independent Ps (column m).
Proof.
move=> PsE; case: e => [L|tokens p L]; last exact: minor_zP.
case/(dual_rowsP (emit_shown D)) => // L' dual; apply: dual_independent => g h; rewrite !PsE; exact: dual.
Qed.

Theorem independent_ok e : independent_z xpredT e -> assumption_3_1 m.
Proof. by apply: independent_zP => h; rewrite inE. Qed.

Theorem null_vector_ok v : null_z v -> ~ assumption_3_1 m.
Proof. by move=> /null_zP[nz null]; exact: rule_null_vector nz null. Qed.

Lemma trans_gt0 h' h : (0 < trans m h' h) = (0 <? get2 (A T) (ih h') (ih h))%coqZ.
Proof. exact: (shows_gt0 (dA_gt0 D) (trans_shown D h' h)). Qed.

Lemma bits_ofE F h' h : bits (bits_of F) (ih h') (ih h) = F (ih h') (ih h). Proof. by rewrite /bits !nth_table. Qed.

Lemma times_bitsP k l B C : (forall h' h, bits B (ih h') (ih h) = (0 < trans_power m k h' h)) ->
  (forall h' h, bits C (ih h') (ih h) = (0 < trans_power m l h' h)) ->
  forall h' h, bits (times_bits B C) (ih h') (ih h) = (0 < trans_power m (k + l) h' h).
Proof.
move=> Bk Cl h' h; rewrite bits_ofE rule_pattern.
by apply/(someP ih)/existsP => -[g ok]; exists g; move: ok; rewrite Bk Cl.
Qed.

Lemma powerP e h' h : bits (power e) (ih h') (ih h) = (0 < trans_power m (Pos.to_nat e) h' h).
Proof.
have one g' g : bits pattern (ih g') (ih g) = (0 < trans_power m 1 g' g).
  rewrite bits_ofE -trans_gt0 /= (bigD1 g) //= eqxx mulr1 big1 ?addr0 // => f /negbTE->; exact: mulr0.
have two k : (2 * k)%coq_nat = (k + k)%N by rewrite multE mul2n addnn.
elim: e h' h => [e IH|e IH|] h' h; last exact: one.
  by rewrite Pos2Nat.inj_xI two -add1n; apply: times_bitsP one _ _ _; exact: times_bitsP.
by rewrite Pos2Nat.inj_xO two; exact: times_bitsP.
Qed.

Theorem ergodic_ok : irreducible m /\ aperiodic m <-> ergodic_z.
Proof.
rewrite rule_wielandt (number_card ih) -(Nat2Pos.id (n.-1 ^ 2).+1) // /ergodic_z; split=> pos.
  by apply/(eachP ih) => h'; apply/(eachP ih) => h; rewrite powerP.
by move=> h' h; rewrite -powerP; move/(eachP ih)/(_ h')/(eachP ih): pos.
Qed.

Theorem full_ok : full_support m <-> full_z.
Proof.
split=> [full|/(eachP ih) full h]; last by rewrite (shows_gt0 (d0_gt0 D) (init_shown D h)); exact: full.
by apply/(eachP ih) => h; rewrite -(shows_gt0 (d0_gt0 D) (init_shown D h)); exact: full.
Qed.

Variables (r : R) (mu' : 'I_K.+1 -> H -> R) (r0 : 0 < r) (muE : show ih r mu' mu).

Lemma supp_zP h : (h \in supp mu') = supp_z (ih h).
Proof.
rewrite inE; apply/existsP/(someP (ord_numbering K)) => -[l nz]; exists l; move: nz; by rewrite (shows_eq0 r0 (muE l h)).
Qed.

Let set_of (B : seq nat) : {set H} := [set f | ih f \in B].

Lemma covered_zP B h : (h \in covered m (set_of B)) = covered_z B (ih h).
Proof.
rewrite inE; apply/existsP/(someP ih) => -[f /andP[fB pos]]; exists f; move: fB pos; by rewrite inE trans_gt0 => -> ->.
Qed.

Theorem cover_ok B e : cover_z B e -> assumption_3_5 m mu'.
Proof.
case/andP=> /(eachP ih) sub /(independent_zP (Ps := covered m (set_of B)))indep.
exists (covered m (set_of B)), (set_of B); split=> //; first by apply: indep; exact: covered_zP.
by apply/subsetP => h; rewrite supp_zP covered_zP; exact: implyP (sub h).
Qed.

Fixpoint real_cover (t : cover_tree_z) : cover_tree R H :=
  match t with
  | CoverZ h child => Cover (item ih h) (fun f => real_cover (child (ih f)))
  | DependentZ v => Dependent (fun h => of_Z (get v (ih h)))
  end.

Theorem no_cover_ok t : no_cover_z [::] t -> ~ assumption_3_5 m mu'.
Proof.
move=> ok; apply: (rule_no_cover (t := real_cover t)); rewrite (_ : set0 = set_of [::]); last by apply/setP => h; rewrite !inE.
elim: t [::] ok => [h child IH|v] B /=.
  case/and3P=> lt_h h_supp /(eachP ih) below; split; first by rewrite supp_zP itemK.
  move=> f pos; rewrite (_ : f |: _ = set_of (ih f :: B)); last first.
    by apply/setP => g; rewrite !inE (inj_eq (can_inj (numberK ih))).
  by apply: IH; apply: (implyP (below f)); rewrite -(itemK ih lt_h) -trans_gt0.
case/andP=> /null_zP[nz null] /(eachP ih) sub; split=> // h nz_h.
by rewrite covered_zP; apply: (implyP (sub h)); rewrite -(of_Z_eqE R) of_Z0.
Qed.

End Decided.
