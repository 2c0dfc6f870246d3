(** Under 3.2 every state is entered, and is possible at each position. *)

From Headproof Require Import definitions.prelude definitions.hmm statements.vanilla proofs.paths proofs.linear.

Section Entered.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X).

Lemma trans_ge0 h' h : 0 <= trans m h' h. Proof. exact: (proj1 (trans_law m h)). Qed.

Lemma trans_power_ge0 n h' h : 0 <= trans_power m n h' h.
Proof.
elim: n h' => [|n IH] h' /=; first exact: ler0n.
by apply: sumr_ge0 => g _; rewrite mulr_ge0 ?trans_ge0.
Qed.

(** A sum of nonnegative terms is positive iff one of them is. *)
Lemma sum_gt0 (T : finType) (F : T -> R) : (forall t, 0 <= F t) -> (0 < \sum_t F t) = [exists t, 0 < F t].
Proof.
move=> F0; rewrite lt_neqAle sumr_ge0 // andbT eq_sym psumr_eq0 // -has_predC.
apply/hasP/existsP => [[t _ /= neq0]|[t Ft]]; exists t; rewrite ?mem_index_enum //.
  by rewrite lt_neqAle eq_sym neq0 F0.
by rewrite /= gt_eqF.
Qed.

Lemma law_gt0 (T : finType) (p : T -> R) : is_law p -> exists t, 0 < p t.
Proof. by move=> [p0 p1]; apply/existsP; rewrite -sum_gt0 // p1 ltr01. Qed.

Lemma irreducible_entered : irreducible m -> entered m.
Proof.
move=> irr h'; have [g g_gt0] := law_gt0 (trans_law m h').
have [eq_gh|neq_gh] := eqVneq h' g; first by exists h'; rewrite {1}eq_gh.
have [[|n]] := irr g h' => /=; first by rewrite (negbTE neq_gh) ltxx.
rewrite sum_gt0 => [/existsP[f]|f]; last by rewrite mulr_ge0 ?trans_ge0 ?trans_power_ge0.
move=> prod_gt0; exists f; rewrite lt_neqAle trans_ge0 andbT eq_sym.
by apply: contraTneq prod_gt0 => ->; rewrite mul0r ltxx.
Qed.

Lemma next_gt0 (p : H -> R) : entered m -> (forall h, 0 < p h) -> forall h, 0 < next m p h.
Proof.
move=> ent p0 h; have [g Ahg] := ent h; rewrite /next sum_gt0 => [|f]; last by rewrite mulr_ge0 ?trans_ge0 // ltW.
by apply/existsP; exists g; exact: mulr_gt0.
Qed.

Lemma P_H_gt0 i h : entered m -> full_support m -> 0 < P_H m i h.
Proof.
move=> ent full; elim: i h => [|i IH] h; first by rewrite P_H0.
by rewrite P_HS next_gt0.
Qed.

Lemma ergodic_P_H_gt0 i h : assumption_3_2 m -> 0 < P_H m i h.
Proof. by move=> [irr [_ full]]; apply: P_H_gt0 => //; exact: irreducible_entered. Qed.

(** A^n P[H_0] = P[H_0] under stationarity. *)
Lemma stationary_power n h' : (forall h, init m h = next m (init m) h) ->
  init m h' = \sum_h trans_power m n h' h * init m h.
Proof.
move=> stat; elim: n h' => [|n IH] h' /=.
  by under eq_bigr do rewrite eq_sym; rewrite -/(dot _ _) dot_delta.
rewrite {1}stat /next; under eq_bigr => g _ do rewrite IH mulr_sumr.
rewrite exchange_big; apply: eq_bigr => h _; rewrite mulr_suml; apply: eq_bigr => g _; exact: mulrA.
Qed.

End Entered.

Theorem remark_entered : statement_entered.
Proof. move=> R H X m; split=> [|ent full i h]; [exact: irreducible_entered | exact: P_H_gt0]. Qed.

Theorem remark_stationary_full_support : statement_stationary_full_support.
Proof.
move=> R H X m irr stat h'; have [h init_gt0] := law_gt0 (init_law m); have [n A_gt0] := irr h h'.
rewrite (stationary_power n h' stat) sum_gt0 => [|g]; last by rewrite mulr_ge0 ?trans_power_ge0 ?(proj1 (init_law m)).
by apply/existsP; exists h; exact: mulr_gt0.
Qed.
