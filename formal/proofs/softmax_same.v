(** The two texts of a pair have one score and two labels: every head is wrong on some text. *)

From Headproof Require Import definitions.prelude proofs.softmax_setting proofs.softmax_families proofs.softmax_texts
  proofs.softmax_slopes proofs.softmax_numbers proofs.softmax_pairs.

Implicit Types (x y : text) (q : tableq) (k : 'I_2) (h : 'I_10).
Opaque reach_t past_t ahead_t total worth row_q emit_table Qsum numbers.of_Q weight_q.

Lemma weighted_gt0 (R : realFieldType) (x1 x2 y1 y2 : R) : 0 <= x1 -> 0 <= x2 -> 0 < x1 + x2 ->
  (x1 != 0 -> 0 < y1) -> (x2 != 0 -> 0 < y2) -> 0 < x1 * y1 + x2 * y2.
Proof.
rewrite !le0r => /orP[/eqP->|x1_gt0] /orP[/eqP->|x2_gt0] some y1_gt0 y2_gt0.
- by move: some; rewrite addr0 ltxx.
- by rewrite mul0r add0r mulr_gt0 // y2_gt0 // gt_eqF.
- by rewrite mul0r addr0 mulr_gt0 // y1_gt0 // gt_eqF.
by rewrite addr_gt0 // mulr_gt0 // ?y1_gt0 ?y2_gt0 // gt_eqF.
Qed.

Lemma swap_terms (R : realFieldType) (e e1 x q U row v : R) : q * U = row * v -> v = 0 \/ e = e1 ->
  e * (x * q) * U = x * row * (e1 * v).
Proof.
move=> eq_q eq_e; rewrite mulrA -[e * x * q * U]mulrA eq_q; case: eq_e => [->|->]; first by rewrite !mulr0.
by rewrite [e1 * x]mulrC mulrACA.
Qed.

Lemma same_quotient (R : realFieldType) (N D U A E : R) : U != 0 -> A != 0 -> N * U = A * E -> D * U = A * U ->
  N / D = E / U.
Proof. by move=> U0 A0 eq_N /(mulIf U0)->; apply/eqP; rewrite eqr_div // eq_N mulrC. Qed.

Section Pairs.

Variable R : archiFieldType.
Notation m := (of_table R T_valid).
Notation bar := (hbar m).
Notation embed := (embed bar).
Notation of_Q := (of_Q R).
Notation Hbar := (full 1 (ordinal_finType 2) (ordinal_finType 10)).
Notation state := (@state 2 10).
Notation st := (@start 2 10 s_l R).
Notation reach := (reach m st).
Notation Hs := (recoverable ord0 the_h).
Notation V := (binary (mu_0 R)).
Implicit Types (f L : Hbar -> R) (g : Hbar) (t : 'I_14).

Variables (a : attention R 1 (ordinal_finType 2) (ordinal_finType 10) (ordinal_finType 14) 1) (w : R -> R).
Variables (n : nat) (emb : 'I_14 -> cell_state 1 (ordinal_finType 2) (ordinal_finType 10) -> R) (r : 'I_2 -> R).
Hypothesis w_gt0 : forall s, 0 < w s.
Hypothesis settled : forall i, (n <= i)%N -> position_score a i = position_score a n.
Hypothesis r_ge0 : forall k, 0 <= r k.

Variables (i0 : nat) (D : R).
Notation worth := (@worth R a emb).
Notation fails := (@fails R a w emb r i0 D).
Notation val := (@val R a w emb).
Notation law := (law m st (believed r)).
Notation sum_score := (sum_score m st (believed r) val).

Section Same.

Variables (dead : pred 'I_2) (none : 'I_14 -> 'I_10 -> bool).
Hypothesis deadP : forall k, dead k -> r k = 0.
Hypothesis noneP : forall k t h, none t h -> r k * worth t k h = 0.
Hypothesis r_some : 0 < r first + r second.

Lemma void_val i t y x : void dead none t (reach_t T s_l y x) -> val i t (law y x) = 0.
Proof.
move=> /everyP none_q; apply: (val_worthless w_gt0) => k h; rewrite law_state.
case/or3P: (none_q k h) => [/deadP ->||no]; first by left; rewrite mul0r.
  by rewrite -(of_Q_eqE R) of_Q0 => /eqP->; left; rewrite mulr0.
have /eqP := noneP k no; rewrite mulf_eq0 => /orP[/eqP->|/eqP->]; by [left; rewrite mul0r | right].
Qed.

(** What is read where the law says nothing of the memory. *)
Lemma plain_output (v : 'I_10 -> Q) y x z : positive (Qsum (ords 10) v) -> alike_columns dead v ->
  plain dead v (reach_t T s_l y x) ->
  output m (law y x) z = (\sum_h of_Q (emit_table T z first h) * of_Q (v h)) / of_Q (Qsum (ords 10) v).
Proof.
rewrite /positive -(of_Q_gt0 R); move: (law_state r y x); move: (reach_t T s_l y x) => q lawE.
move=> U0 /everyP cols /everyP all_q; move: U0; set U := of_Q (Qsum (ords 10) v) => U0.
pose A := \sum_k r k * of_Q (row_q q k).
have rowE k : \sum_h of_Q (q k h) = of_Q (row_q q k) by exact: sum_ords.
have alive k : dead k = false -> 0 < of_Q (row_q q k) /\ forall h, of_Q (q k h) * U = of_Q (row_q q k) * of_Q (v h).
  move=> dk; split; first by have := all_q k s_h; rewrite dk orFb /positive -(of_Q_gt0 R) => /andP[].
  move=> h; have := all_q k h; rewrite dk orFb => /andP[_]; rewrite -(of_Q_eqE R) of_QM of_QM => /eqP eq_q; exact: eq_q.
have A0 : 0 < A.
  have gt0 k : r k != 0 -> 0 < of_Q (row_q q k).
    case dk: (dead k); first by rewrite (deadP dk) eqxx.
    by move=> _; have [pos _] := alive k dk; exact: pos.
  rewrite /A sum_two; exact: (weighted_gt0 (r_ge0 first) (r_ge0 second) r_some (gt0 first) (gt0 second)).
have den : (\sum_g law y x g) * U = A * U.
  rewrite sum_full /A !mulr_suml; apply: eq_bigr => k _; rewrite (eq_bigr (fun h => r k * of_Q (q k h))) => [|h _].
    by rewrite -mulr_sumr rowE.
  exact: lawE.
have num : (\sum_g memit m z (read g) * law y x g) * U = A * \sum_h of_Q (emit_table T z first h) * of_Q (v h).
  rewrite sum_full /A !mulr_suml; apply: eq_bigr => k _; rewrite mulr_suml mulr_sumr; apply: eq_bigr => h _.
  rewrite lawE; have -> : memit m z (read (state k h)) = of_Q (emit_table T z k h).
    exact: (emit_is T_valid R z k h).
  case dk: (dead k); first by rewrite (deadP dk) !(mul0r, mulr0).
  have [_ /(_ h) eq_q] := alive k dk; apply: (swap_terms _ eq_q).
  have := cols k h; rewrite dk orFb => /orP[|/all_ords/(_ z)].
    by rewrite -(of_Q_eqE R) of_Q0 => /eqP v0; left; exact: v0.
  by rewrite -(of_Q_eqE R) => /eqP eq_e; right; exact: eq_e.
exact: (same_quotient (lt0r_neq0 U0) (lt0r_neq0 A0) num den).
Qed.

Lemma same_scores y y' x x' i : same_score dead none y y' x x' -> sum_score i y x [::] = sum_score i y' x' [::].
Proof.
elim: x x' y y' i => [|t x IH] [|t' x'] y y' i //=; rewrite !cats0 => /andP[same /IH ->]; congr (_ + _).
case/orP: same => [/andP[no no']|]; first by rewrite !void_val.
case/and5P => /eqP <- pos cols plain_q plain_q'; apply: val_ext => z.
by rewrite (plain_output z pos cols plain_q) (plain_output z pos cols plain_q').
Qed.

End Same.

(** ** Labels *)

Lemma told_label one y t x : told_text one y t x ->
  [/\ in_R m Hs (y ++ t :: x), starts (y ++ t :: x) & (memory_F_star m V ord0 (y ++ t :: x) == ord_max) = one].
Proof.
rewrite /told_text /positive => /and5P[start_x /everyP only pos1 pos2 /eqP eq_one].
have two : of_Q 2%coqQ = 2%:R by rewrite -[2%coqQ]/(1 + 1)%coqQ of_QD of_Q1.
have pos : 0 < P_X bar (y ++ t :: x).
  rewrite (P_X_weight R start_x) mulr_gt0 ?init_l_gt0 // sum_two !weight_table.
  rewrite -(of_Q_gt0 R) in pos1; rewrite -(of_Q_gt0 R) in pos2; exact: addr_gt0 pos1 pos2.
split=> //; last by rewrite (label_weight start_x pos) !weight_table -two -of_QM of_Q_le.
apply: (text_in_R start_x (erefl _) pos) => k h neq_h; rewrite (reach_is T_valid).
by have := only k h; rewrite (negbTE neq_h) -(of_Q_eqE R) of_Q0 => /eqP.
Qed.

Lemma fails_at x b c : in_R m Hs x -> starts x -> (memory_F_star m V ord0 x == ord_max) = b ->
  (0 <= D + sum_score i0 [::] x [::]) = c -> b != c -> exists z, fails z.
Proof. by move=> in_x start_x eq_b eq_c neq; exists x; apply: (conj in_x (conj start_x _)); rewrite eq_b eq_c. Qed.

(** Two texts of two labels with one score: the head fails at one. *)
Lemma pair_fails one y t x y' t' x' : told_text one y t x -> told_text (~~ one) y' t' x' ->
  sum_score i0 [::] (y ++ t :: x) [::] = sum_score i0 [::] (y' ++ t' :: x') [::] -> exists z, fails z.
Proof.
move=> /told_label[in_x start_x eq_x] /told_label[in_y start_y eq_y] eq_score.
case: (@eqP _ one (0 <= D + sum_score i0 [::] (y ++ t :: x) [::])) => [eq_one|/eqP neq_one].
  by apply: (fails_at in_y start_y eq_y (c := one)); [rewrite -eq_score -eq_one | case: (one)].
exact: (fails_at in_x start_x eq_x (erefl _) neq_one).
Qed.

Lemma head_fails : exists x, fails x.
Proof.
case/and3P: pair1 => one1 zero1 same1; case/and3P: pair2 => zero2 one2 same2.
have [r0|r_nz] := eqVneq (r first + r second) 0.
  have r_0 k : r k = 0.
    move: k; apply: two_values; apply/eqP; rewrite eq_le r_ge0 andbT -r0;
      [rewrite ler_addl | rewrite ler_addr]; exact: r_ge0.
  have none i t L : (forall k h, L (state k h) = 0) -> val i t L = 0.
    by move=> L0; apply: (val_worthless w_gt0) => k h; left; exact: L0.
  have none_score x y i : sum_score i y x [::] = 0.
    elim: x y i => [|t x IH] y i; first exact: erefl.
    have none_t : val i t (law y (x ++ [::])) = 0.
      by apply: none => k h; rewrite law_state r_0 mul0r.
    exact: (etrans (congr2 +%R none_t (IH (rcons y t) i.+1)) (addr0 0)).
  exact: (pair_fails one1 zero1 (etrans (none_score _ _ _) (esym (none_score _ _ _)))).
have r_some : 0 < r first + r second.
  by have := addr_ge0 (r_ge0 first) (r_ge0 second); rewrite le0r (negbTE r_nz).
case: (z_worthless emb w_gt0 settled r_ge0 i0 D r_some) => [found|[z1 z2 z3]]; first exact: found.
case: (c_worthless emb w_gt0 settled r_ge0 i0 D r_some) => [found|[c1 c2]]; first exact: found.
case: (a_worthless emb w_gt0 settled r_ge0 i0 D r_some) => [found|[a2 a1]]; first exact: found.
have [r20|r2n] := eqVneq (r second) 0.
  have deadP k : pred1 second k -> r k = 0 by move/eqP->.
  have noneP k t h : none2 t h -> r k * worth t k h = 0.
    case/andP => /orP[] /eqP-> /eqP->; move: k; apply: two_values.
    - by rewrite a2 mulr0.
    - by rewrite r20 mul0r.
    - by rewrite c2 mulr0.
    by rewrite r20 mul0r.
  exact: (pair_fails (one := false) zero2 one2 (same_scores deadP noneP r_some _ same2)).
have deadP k : pred0 k -> r k = 0 by [].
have noneP k t h : none1 t h -> r k * worth t k h = 0.
  case/orP => [/andP[/eqP-> /eqP->]|/andP[/orP[] /eqP-> /eqP->]]; move: k; apply: two_values.
  - exact: z1.
  - exact: z2.
  - exact: (a1 r2n).
  - by rewrite (g_alike a emb t_a) a2 mulr0.
  - by rewrite c1 mulr0.
  by rewrite (g_alike a emb t_c) c2 mulr0.
exact: (pair_fails (one := true) one1 zero1 (same_scores deadP noneP r_some _ same1)).
Qed.

End Pairs.
