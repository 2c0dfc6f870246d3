(** Section 3.1 is false at the prompt's own position. *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory proofs.paths
  proofs.message_passing statements.refutations.

(** ** Section 3.1 *)

(** Where xhat is possible, each of its positions has a law given the others. *)
Lemma P_hat_le_masked (R : realFieldType) (H X : finType) (m : hmm R H X) (u : letter R H) (x : seq X) i :
  is_prompt u -> (1 <= i <= (size x).+1)%N -> P_hat m u (prompted x) <= hat_masked_prob m u (prompted x) i.
Proof.
move=> u01 le_i; have [ys [z [ws [-> -> _]]]] := cut_prompted m u le_i.
rewrite /hat_masked_prob (bigD1 z) //= replaceE ler_addl.
by apply: sumr_ge0 => z' _; apply: prob_ge0; exact: nonneg_hat.
Qed.

(** Gbar_1 is a law on the tokens; Xhat_1 is the made-up token with positive probability. *)
Theorem section_3_1_everywhere : refuted_section_3_1_everywhere.
Proof.
move=> R H X m u x u01 possible; have masked0 := lt_le_trans possible (P_hat_le_masked m (x := x) (i := 1) u01 isT).
apply/existsP/contraT => /existsPn same.
have : \sum_z Gbar m (u :: embed m x) 1 z = \sum_z G_hat m u (prompted x) 1 (Some z).
  by apply: eq_bigr => z _; apply/eqP; have := same z; rewrite negbK.
have -> : \sum_z Gbar m (u :: embed m x) 1 z = 1.
  under eq_bigr do rewrite Gbar_hat //.
  rewrite -mulr_suml exchange_big /= -[RHS](divff (lt0r_neq0 masked0)) -{2}sum_hat_masked_joint; congr (_ / _).
  by apply: eq_bigr => h _; rewrite -mulr_suml (proj2 (emit_law m h)) mul1r.
rewrite -mulr_suml => /esym/divr1_eq eq_some.
have : hat_masked_prob m u (prompted x) 1 = P_hat m u (prompted x) + hat_masked_prob m u (prompted x) 1.
  by rewrite {1}/hat_masked_prob sum_option eq_some.
by rewrite -{1}[hat_masked_prob _ _ _ _]add0r => /addIr eq0; rewrite -eq0 ltxx in possible.
Qed.

(** The smallest model: one state, one token. *)
Section OneState.

Variable R : realFieldType.
Notation one := [finType of unit].

Lemma sum_one (F : one -> R) : \sum_t F t = F tt. Proof. by rewrite (big_pred1 tt) // => -[]. Qed.

Lemma one_law : is_law (fun _ : one => 1 : R). Proof. by split=> [_|]; [exact: ler01 | rewrite sum_one]. Qed.

Definition one_state : hmm R one one := HMM one_law (fun=> one_law) (fun=> one_law).

Lemma one_state_3_1 : assumption_3_1 one_state.
Proof. by move=> c /(_ tt) eq0 [] _; move: eq0; rewrite big_mkcond sum_one inE mulr1. Qed.

Lemma one_state_3_2 : assumption_3_2 one_state.
Proof.
have step h : trans_power one_state 1 h h = 1 by rewrite /= sum_one mul1r.
split; [|split] => [[] []|h d|h]; [by exists 1%N; rewrite step ltr01 | | exact: ltr01].
by move=> /(_ 1%N); rewrite step ltr01 => /(_ isT); rewrite dvdn1 => /eqP.
Qed.

End OneState.

Theorem section_3_1_is_false : refuted_section_3_1.
Proof.
move=> R claim; pose u : letter R [finType of unit] := fun=> 1.
have u01 : is_prompt u by move=> h; rewrite ler01 lexx.
have possible : 0 < P_hat (one_state R) u (prompted [:: tt]).
  by rewrite /P_hat probE sum_one /= !sum_one !mul1r ltr01.
have [z /eqP[]] := section_3_1_everywhere u01 possible.
apply: claim => //; [exact: one_state_3_1 | exact: one_state_3_2 |].
exact: lt_le_trans possible (P_hat_le_masked _ u01 _).
Qed.
