(** What inequalities between slopes say: signed slopes that cancel are 0. *)

From Headproof Require Import definitions.prelude.

Section Inequalities.

Variable R : realFieldType.
Variables r1 r2 : R.
Hypotheses (r1_ge0 : 0 <= r1) (r2_ge0 : 0 <= r2) (r_gt0 : 0 < r1 + r2).

Lemma two_ineq (s t : R) : 0 <= 3%:R * s + t -> s + t <= 0 -> 0 <= s /\ t <= 0.
Proof.
move=> le1 le2; have s0 : 0 <= s.
  rewrite -(@pmulr_rge0 _ 2%:R) ?ltr0n //; apply: le_trans le1 _.
  by rewrite -[3%N]/(2 + 1)%N natrD mulrDl mul1r -addrA ger_addl.
by split=> //; apply: le_trans le2; rewrite ler_addr.
Qed.

Lemma weighted_le0 (k1 k2 x : R) : 1 <= k1 -> 1 <= k2 -> (k1 * r1 + k2 * r2) * x <= 0 -> x <= 0.
Proof.
move=> k1_ge k2_ge; rewrite pmulr_rle0 //; apply: lt_le_trans r_gt0 _.
by rewrite ler_add // ler_pemull.
Qed.

Lemma z_arith (al be de : R) : 0 <= r1 * (3%:R * al) + r2 * be -> r1 * al + r2 * be <= 0 ->
  r1 * (3%:R * al + de) + r2 * (be + 3%:R * de) <= 0 -> 0 <= r1 * (3%:R * al + 9%:R * de) + r2 * (3%:R * be + de) ->
  [/\ r1 * al = 0, r2 * be = 0 & de = 0].
Proof.
move=> h1 h2 h3 h4.
have de_le : de <= 0.
  apply: (@weighted_le0 1 3%:R); rewrite ?lexx ?ler1n //; apply: le_trans h3.
  by rewrite !mulrDr addrACA mul1r mulrDl -mulrA (mulrCA r2) ler_addr.
have de_ge : 0 <= de.
  rewrite -oppr_le0; apply: (@weighted_le0 9%:R 1); rewrite ?lexx ?ler1n // mulrN oppr_le0.
  apply: le_trans h4 _; rewrite !mulrDr addrACA mul1r mulrDl -mulrA (mulrCA r1 9%:R) ger_addr.
  by rewrite !(mulrCA _ 3%:R) -mulrDr pmulr_rle0 ?ltr0n.
have de0 : de = 0 by apply/eqP; rewrite eq_le de_le.
move: h3 h4; rewrite de0 !(mulr0, addr0) => h3 h4.
have [A0 B0] : 0 <= r1 * al /\ r2 * be <= 0 by apply: two_ineq; rewrite // mulrCA.
have [A0' B0'] : 0 <= - (r1 * al) /\ - (r2 * be) <= 0.
  apply: two_ineq; rewrite ?mulrN -opprD ?oppr_ge0 ?oppr_le0; first by rewrite mulrCA.
  by rewrite -(@pmulr_rge0 _ 3%:R) ?ltr0n // mulrDr -!(mulrCA _ 3%:R).
split=> //; apply/eqP; rewrite eq_le; first by rewrite A0 andbT -oppr_ge0.
by rewrite B0 -oppr_le0.
Qed.

Lemma c_arith (P Q : R) : 0 <= r1 * (3%:R * P) + r2 * Q -> r1 * P + r2 * Q <= 0 ->
  0 <= r1 * (3%:R * Q) + r2 * P -> r1 * Q + r2 * P <= 0 -> P = 0 /\ Q = 0.
Proof.
rewrite !(mulrCA _ 3%:R) => h1 h2 h3 h4.
have [a1 a2] := two_ineq h1 h2; have [b1 b2] := two_ineq h3 h4.
have [r10|r1n] := eqVneq r1 0.
  move: r_gt0 h1 h3; rewrite r10 add0r !mul0r !mulr0 !add0r => r20; rewrite !pmulr_rge0 // => Q0 P0.
  by move: a2 b2; rewrite !pmulr_rle0 // => Q1 P1; split; apply/eqP; rewrite eq_le ?P1 ?Q1.
have r10 : 0 < r1 by rewrite lt_neqAle eq_sym r1n.
move: a1 b1; rewrite !pmulr_rge0 // => P0 Q0.
have [r20|r2n] := eqVneq r2 0.
  by move: h2 h4; rewrite r20 !mul0r !addr0 !pmulr_rle0 // => P1 Q1; split; apply/eqP; rewrite eq_le ?P1 ?Q1.
have r20 : 0 < r2 by rewrite lt_neqAle eq_sym r2n.
by move: a2 b2; rewrite !pmulr_rle0 // => Q1 P1; split; apply/eqP; rewrite eq_le ?P1 ?Q1.
Qed.

(** V is the value of a at the column (first, g2), U at (first, g1). *)
Lemma a_arith (U V : R) : 0 <= r1 * U -> r2 * V <= 0 -> 0 <= r1 * V -> r2 * U <= 0 ->
  (r1 = 0 -> 0 <= r2 * V) -> (r2 = 0 -> r1 * V <= 0) -> V = 0 /\ (r2 != 0 -> r1 * U = 0).
Proof.
move=> a1 a2 a3 a4 a5 a6; have [r10|r1n] := eqVneq r1 0.
  move: r_gt0 (a5 r10); rewrite r10 add0r => r20; rewrite pmulr_rge0 // => V0; rewrite pmulr_rle0 // in a2.
  by split=> [|_]; rewrite ?mul0r //; apply/eqP; rewrite eq_le a2.
have r10 : 0 < r1 by rewrite lt_neqAle eq_sym r1n.
move: a1 a3; rewrite !pmulr_rge0 // => U0 V0.
have [r20|r2n] := eqVneq r2 0.
  by move: (a6 r20); rewrite pmulr_rle0 // => V1; split=> //; apply/eqP; rewrite eq_le V1.
have r20 : 0 < r2 by rewrite lt_neqAle eq_sym r2n.
move: a2 a4; rewrite !pmulr_rle0 // => V1 U1; split; first by apply/eqP; rewrite eq_le V1.
by move=> _; have -> : U = 0; rewrite ?mulr0 //; apply/eqP; rewrite eq_le U1.
Qed.

End Inequalities.
