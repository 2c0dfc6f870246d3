(** Rational numbers in any real field, so that what a concrete model says can be computed. *)

From Coq Require Import QArith Setoid Ring_theory InitialRing.
From Headproof Require Import definitions.prelude definitions.hmm.
From Headproof Require Export definitions.numbers.

Section Numbers.

Variable R : realFieldType.

Lemma R_ring_theory : ring_theory (0 : R) 1 +%R *%R (fun x y => x - y) -%R eq.
Proof.
split=> //; [exact: add0r | exact: addrC | exact: addrA | exact: mul1r | exact: mulrC | exact: mulrA | exact: mulrDl
  | exact: subrr].
Qed.

Local Notation of_Z := (of_Z R).
Local Notation of_Q := (of_Q R).

Lemma R_ext : ring_eq_ext (@GRing.add R) *%R -%R eq. Proof. by split=> x y -> // z w ->. Qed.

Lemma of_Z_morph : ring_morph (0 : R) 1 +%R *%R (fun x y => x - y) -%R eq
  0%coqZ 1%coqZ Z.add Z.mul Z.sub Z.opp Zeq_bool of_Z.
Proof. exact: gen_phiZ_morph (Eqsth R) R_ext R_ring_theory. Qed.

Lemma of_ZD x y : of_Z (x + y)%coqZ = of_Z x + of_Z y. Proof. exact: (morph_add of_Z_morph). Qed.
Lemma of_ZM x y : of_Z (x * y)%coqZ = of_Z x * of_Z y. Proof. exact: (morph_mul of_Z_morph). Qed.
Lemma of_ZN x : of_Z (- x)%coqZ = - of_Z x. Proof. exact: (morph_opp of_Z_morph). Qed.

Lemma of_Z_gt0 p : 0 < of_Z (Zpos p).
Proof.
elim/Pos.peano_ind: p => [|p IH]; first exact: ltr01.
by rewrite Pos2Z.inj_succ -Z.add_1_r of_ZD ltr_paddr // ?ler01 // ltW.
Qed.

Arguments Qred : simpl never.

Lemma den_neq0 p : of_Z (Zpos p) != 0. Proof. by rewrite gt_eqF ?of_Z_gt0. Qed.

Lemma of_Q0 : of_Q 0%coqQ = 0. Proof. exact: mul0r. Qed.
Lemma of_Q1 : of_Q 1%coqQ = 1. Proof. exact: divr1. Qed.

Lemma of_Q_bool (b : bool) : b%:R = of_Q (if b then 1%coqQ else 0%coqQ). Proof. by case: b; rewrite ?of_Q1 ?of_Q0. Qed.

Lemma of_QD x y : of_Q (x + y)%coqQ = of_Q x + of_Q y.
Proof. by case: x y => [a b] [c d]; rewrite /of_Q addf_div ?den_neq0 // -!of_ZM -of_ZD. Qed.

Lemma of_QM x y : of_Q (x * y)%coqQ = of_Q x * of_Q y.
Proof. by case: x y => [a b] [c d]; rewrite /of_Q mulf_div -!of_ZM. Qed.

Lemma of_QN x : of_Q (- x)%coqQ = - of_Q x. Proof. by rewrite /of_Q /= of_ZN mulNr. Qed.

Lemma of_Q_eq x y : Qeq x y -> of_Q x = of_Q y.
Proof.
case: x y => [a b] [c d] eq_xy; apply/eqP; rewrite /of_Q eqr_div ?den_neq0 // -!of_ZM; apply/eqP.
by congr of_Z; exact: eq_xy.
Qed.

Lemma of_QV x : of_Q (/ x)%coqQ = (of_Q x)^-1.
Proof.
case: x => [[|p|p] d]; rewrite /of_Q /Qinv /=.
- by rewrite -[of_Z Z0]/(0 : R) !mul0r invr0.
- by rewrite invf_div.
- by rewrite -[Zneg d]/(- Zpos d)%coqZ -[Zneg p]/(- Zpos p)%coqZ !of_ZN !mulNr invrN invf_div.
Qed.

Lemma of_QB x y : of_Q (x - y)%coqQ = of_Q x - of_Q y. Proof. by rewrite of_QD of_QN. Qed.

Lemma of_Q_div x y : of_Q (x / y)%coqQ = of_Q x / of_Q y. Proof. by rewrite of_QM of_QV. Qed.

Lemma of_Q_red x : of_Q (Qred x) = of_Q x. Proof. exact: of_Q_eq (Qred_correct x). Qed.

Lemma of_Q_ge0 x : (0 <= of_Q x) = Qle_bool 0%coqQ x.
Proof.
case: x => [[|p|p] d]; rewrite /of_Q /Qle_bool /=.
- by rewrite -[of_Z Z0]/(0 : R) mul0r lexx.
- by rewrite divr_ge0 // ltW ?of_Z_gt0.
- rewrite -[Zneg p]/(- Zpos p)%coqZ of_ZN mulNr oppr_ge0; apply: negbTE.
  by rewrite -ltNge divr_gt0 ?of_Z_gt0.
Qed.

Lemma of_Q_le x y : (of_Q x <= of_Q y) = Qle_bool x y.
Proof.
rewrite -subr_ge0 -of_QB of_Q_ge0; apply/idP/idP => /Qle_bool_iff le; apply/Qle_bool_iff.
  by rewrite -Qle_minus_iff in le.
by rewrite -Qle_minus_iff.
Qed.

Lemma of_Q_lt x y : (of_Q x < of_Q y) = ~~ Qle_bool y x. Proof. by rewrite ltNge of_Q_le. Qed.

Lemma of_Q_gt0 x : (0 < of_Q x) = ~~ Qle_bool x 0%coqQ. Proof. by rewrite -of_Q0 of_Q_lt. Qed.

Lemma of_Q_eqE x y : (of_Q x == of_Q y) = Qeq_bool x y.
Proof.
apply/idP/idP => [|/Qeq_bool_iff/of_Q_eq->//].
rewrite eq_le !of_Q_le => /andP[/Qle_bool_iff le_xy /Qle_bool_iff le_yx].
by apply/Qeq_bool_iff; exact: Qle_antisym.
Qed.

(** ** Sums, reduced as they are computed *)

Lemma Qsum_map (T U : Type) (f : T -> U) s F : Qsum (map f s) F = Qsum s (fun t => F (f t)).
Proof. by elim: s => //= t s ->. Qed.

Lemma sum_ords n (f : 'I_n -> R) (F : 'I_n -> Q) : (forall i, f i = of_Q (F i)) -> \sum_i f i = of_Q (Qsum (ords n) F).
Proof.
elim: n f F => [|n IH] f F eq_f; first by rewrite big_ord0 /= of_Q0.
rewrite big_ord_recl /= of_Q_red of_QD eq_f Qsum_map; congr (_ + _); exact: IH.
Qed.

Lemma mem_ords n (i : 'I_n) : i \in ords n.
Proof.
elim: n i => [[]//|n IH] i; rewrite inE.
by case: (unliftP ord0 i) => [j ->|->]; rewrite ?eqxx //= mem_map ?IH //; exact: lift_inj.
Qed.

Lemma all_ords n (P : pred 'I_n) : all P (ords n) -> forall i, P i.
Proof. by move=> /allP all_P i; apply: all_P; exact: mem_ords. Qed.

(** ** Laws *)

Lemma law_of_Q n (p : 'I_n -> Q) : Qlaw p -> is_law (fun i => of_Q (p i)).
Proof.
case/andP=> /all_ords p0 p1; split=> [i|]; first by rewrite of_Q_ge0.
by rewrite (sum_ords (F := p)) //; apply/eqP; rewrite -of_Q1 of_Q_eqE.
Qed.

End Numbers.
