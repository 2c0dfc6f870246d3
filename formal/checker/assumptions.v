(** What decides assumptions 3.1, 3.2 and 3.5 of a model by tables (docs/certificate-format.md, section 4). *)

From Coq Require Import QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Headproof Require Import definitions.hmm statements.rules proofs.paths proofs.refutations_numbers.
From Headproof Require Import proofs.rules_assumptions proofs.rules_wielandt checker.tables checker.models.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

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
Definition cover_z (B : seq nat) (L : seq (seq Z)) : bool :=
  each n (fun h => supp_z h ==> covered_z B h) && dual_rows n (c T) (W T) (covered_z B) (covered_z B) L.

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

Theorem left_inverse_ok L : dual_rows n (c T) (W T) xpredT xpredT L -> assumption_3_1 m.
Proof.
by case/(dual_rowsP (emit_shown D)) => // L' dual; apply: rule_left_inverse => g h; exact: dual.
Qed.

Theorem null_vector_ok v : null_z v -> ~ assumption_3_1 m.
Proof. by move=> /null_zP[nz null]; exact: rule_null_vector nz null. Qed.

Lemma trans_gt0 h' h : (0 < trans m h' h) = (0 <? get2 (A T) (ih h') (ih h))%coqZ.
Proof. exact: (shows_gt0 (dA_gt0 D) (trans_shown D h' h)). Qed.

Lemma bits_ofE F h' h : bits (bits_of F) (ih h') (ih h) = F (ih h') (ih h).
Proof. by rewrite /bits !nth_table. Qed.

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

Theorem cover_ok B L : cover_z B L -> assumption_3_5 m mu'.
Proof.
case/andP=> /(eachP ih) sub /(dual_rowsP (emit_shown D))[//|L' dual]; apply: (rule_cover (B := set_of B) erefl).
  by apply/subsetP => h; rewrite supp_zP covered_zP; exact: implyP (sub h).
by move=> g h; rewrite !covered_zP; exact: dual.
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
