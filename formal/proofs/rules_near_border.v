(** Rules of the certificate format: inputs near the border of F*, to two labels (section 6). *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headproof Require Import definitions.hmm statements.rules statements.near_border.
From Headproof Require Import proofs.paths proofs.linear proofs.entered proofs.theorems_3.
From Headproof Require Import proofs.rules_agreement proofs.rules_refutation.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** Bounds, as numbers *)

Section Numbers.

Variables (R : realFieldType) (H : finType) (z : H -> R) (first : H) (signed : {set H}) (q : R).

(** What a bound says of z where q is a quarter of the largest |z_h|. *)
Definition bound_on (h : H) (w : R) (within : R -> bool) : Prop := exists2 a, within a & 0 < a * z first + w * z h + q.

Hypothesis at_first : bound_on first 0 (fun a => 1 <= a).
Hypothesis above : forall h, h != first -> bound_on h (-1) (fun a => 0 <= a <= 1).
Hypothesis below_signed : forall h, h != first -> h \in signed -> bound_on h 4%:R (fun a => -2%:R <= a <= -1).
Hypothesis below : forall h, h != first -> h \notin signed -> bound_on h 1 (fun a => 0 <= a <= 1).
Hypothesis largest : forall h, `|z h| <= 4%:R * q.
Hypothesis attained : exists h, `|z h| = 4%:R * q.

Lemma q_gt0 : 0 < q.
Proof.
have q_ge0 : 0 <= q by have := le_trans (normr_ge0 _) (largest first); rewrite pmulr_rge0 // ltr0n.
rewrite lt0r q_ge0 andbT; apply/eqP => q0; have [a _] := at_first.
have -> : z first = 0 by apply/eqP; rewrite -normr_le0; have := largest first; rewrite q0 mulr0.
by rewrite q0 !mulr0 !add0r ltxx.
Qed.

(** Where 4 x < 3 q, or less, x < q. *)
Lemma quarter x : 4%:R * x < 3%:R * q -> x < q.
Proof.
move=> lt_x; rewrite -(ltr_pmul2l (x := 4%:R)) ?ltr0n //; apply: lt_le_trans lt_x _.
by rewrite ler_pmul2r ?q_gt0 // ler_nat.
Qed.

(** If z_first < 0, all z_h are below q, one of them 4 q. *)
Lemma first_ge0 : 0 <= z first.
Proof.
rewrite leNgt; apply/negP => first_lt0; have q0 := q_gt0.
have first_q : - z first < q.
  have [a a1] := at_first; rewrite mul0r addr0 -ltr_subl_addl sub0r; apply: le_lt_trans.
  by rewrite ler_opp2 -[X in _ <= X]mul1r ler_nmul2r.
have drop a : 0 <= a -> a * z first + q <= q.
  by move=> a0; rewrite ger_addr; exact: mulr_ge0_le0 a0 (ltW first_lt0).
have small h : `|z h| < q.
  have [->|h_first] := eqVneq h first; first by rewrite ltr0_norm.
  rewrite ltr_norml ltr_oppl; apply/andP; split; last first.
    by have [a /andP[/drop a0 _]] := above h_first; rewrite mulN1r addrAC subr_gt0 => /lt_le_trans; exact.
  have [h_signed|h_not] := boolP (h \in signed); last first.
    have [a /andP[/drop a0 _]] := below h_first h_not.
    by rewrite mul1r addrAC -ltr_subl_addl sub0r ltr_oppl => /lt_le_trans; exact.
  have [a /andP[a_lo a_hi]] := below_signed h_first h_signed.
  rewrite addrAC -ltr_subl_addl sub0r ltr_oppl -mulrN => lt_a; apply/quarter/(lt_le_trans lt_a).
  rewrite [X in _ <= X * q](natrD _ 2 1) mulrDl mul1r ler_add2r -mulrNN.
  by apply: ler_pmul; rewrite ?(ltW first_q) // ?oppr_ge0 ?(ltW first_lt0) // 1?ler_oppl ?(le_trans a_hi) ?lerN10.
have [h eq_h] := attained; have := small h; rewrite eq_h => lt_q.
have : q < q by apply: le_lt_trans lt_q; rewrite -[X in X <= _]mul1r ler_pmul2r // ler1n.
by rewrite ltxx.
Qed.

(** So it is at least 3/4 of the largest, *)
Lemma first_large : 3%:R * q < z first.
Proof.
have q0 := q_gt0; have first0 := first_ge0.
have add a : a <= 1 -> a * z first + q <= z first + q.
  by move=> a1; rewrite ler_add2r -[X in _ <= X]mul1r ler_wpmul2r.
have small h : `|z h| < z first + q.
  have [->|h_first] := eqVneq h first; first by rewrite ger0_norm // ltr_addl.
  rewrite ltr_norml ltr_oppl; apply/andP; split; last first.
    by have [a /andP[_ /add a1]] := above h_first; rewrite mulN1r addrAC subr_gt0 => /lt_le_trans; exact.
  have [h_signed|h_not] := boolP (h \in signed); last first.
    have [a /andP[_ /add a1]] := below h_first h_not.
    by rewrite mul1r addrAC -ltr_subl_addl sub0r ltr_oppl => /lt_le_trans; exact.
  have [a /andP[_ a_hi]] := below_signed h_first h_signed.
  rewrite addrAC -ltr_subl_addl sub0r ltr_oppl -mulrN => lt_a; apply/(ltr_paddl first0)/quarter/(lt_le_trans lt_a).
  rewrite [X in _ <= X * q](natrD _ 2 1) mulrDl mul1r ler_add2r; apply: le_trans (_ : 0 <= _).
    by apply: mulr_le0_ge0 first0; rewrite (le_trans a_hi) // lerN10.
  by rewrite mulr_ge0 ?ler0n // ltW.
by have [h eq_h] := attained; have := small h; rewrite eq_h [X in X * q](natrD _ 3 1) mulrDl mul1r ltr_add2r.
Qed.

(** and each signed z_j at least an eighth. *)
Lemma signed_large j : j \in signed -> 4%:R * q < 8%:R * z j.
Proof.
move=> j_signed; have q0 := q_gt0; suff half : 2%:R * q < 4%:R * z j.
  by rewrite [X in X * q](natrM _ 2 2) [X in X * z j](natrM _ 2 4) -!mulrA ltr_pmul2l ?ltr0n.
have two_q : 2%:R * q < z first - q.
  by rewrite ltr_subr_addr; apply: le_lt_trans first_large; rewrite [X in _ <= X * q](natrD _ 2 1) mulrDl mul1r.
have [->|j_first] := eqVneq j first.
  apply: lt_le_trans two_q _; rewrite ler_subl_addr ler_paddr ?(ltW q0) // -[X in X <= _]mul1r.
  by rewrite ler_wpmul2r ?first_ge0 // ler1n.
have [a /andP[_ a_hi]] := below_signed j_first j_signed.
rewrite addrAC -ltr_subl_addl sub0r; apply: le_lt_trans; apply: le_trans (ltW two_q) _.
by rewrite opprD ler_add2r -mulNr -[X in X <= _]mul1r ler_wpmul2r ?first_ge0 // ler_oppr.
Qed.

(** Each z_h is at most 8 z_j, j signed. *)
Lemma signed_most h j : j \in signed -> `|z h| <= 8%:R * z j.
Proof. by move=> /signed_large/ltW; apply: le_trans. Qed.

Lemma signed_gt0 j : j \in signed -> 0 < z j.
Proof.
move=> /signed_large; rewrite -(pmulr_rgt0 (z j) (x := 8%:R)) ?ltr0n //; apply: lt_trans.
by rewrite mulr_gt0 ?ltr0n // q_gt0.
Qed.

End Numbers.
