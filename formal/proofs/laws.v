(** The definitions define laws: what they give sums to 1. *)

From Headproof Require Import definitions.prelude definitions.hmm statements.vanilla proofs.paths
  proofs.message_passing.

Section Laws.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X).

(** Over all texts of length t, seen through letters that sum to 1, beta sums to 1. *)
Lemma sum_beta (T : finType) (w : T -> letter R H) t h : (forall g, \sum_z w z g = 1) ->
  \sum_(x : t.-tuple T) beta m (map w x) h = 1.
Proof.
move=> w1; elim: t h => [|t IH] h.
  by rewrite (eq_bigr (fun=> 1)) => [|x _]; rewrite ?tuple0 // sumr_const card_tuple.
rewrite (sum_tuple_cons xpredT (fun x => beta m (map w x) h)) /=.
rewrite (eq_bigr (fun z => \sum_g trans m g h * w z g)) => [|z _].
  rewrite exchange_big -[RHS](proj2 (trans_law m h)); apply: eq_bigr => g _.
  by rewrite -mulr_sumr w1 mulr1.
rewrite exchange_big; apply: eq_bigr => g _.
by rewrite -!mulr_sumr IH mulr1.
Qed.

Lemma P_X_law t : is_law (fun x : t.-tuple X => P_X m x).
Proof.
split=> [x|]; first by apply: prob_ge0; exact: nonneg_embed.
under eq_bigr do rewrite /P_X probE.
rewrite exchange_big -[RHS](proj2 (init_law m)); apply: eq_bigr => h _.
by rewrite -mulr_sumr sum_beta ?mulr1 // => g; exact: (proj2 (emit_law m g)).
Qed.

Lemma P_hat_law u t : is_prompt u -> is_law (fun x : t.-tuple (option X) => P_hat m u x).
Proof.
move=> u01; split=> [x|]; first by apply: prob_ge0; exact: nonneg_hat.
under eq_bigr do rewrite /P_hat probE.
rewrite exchange_big -[RHS](proj2 (init_law m)); apply: eq_bigr => h _; rewrite -mulr_sumr -[RHS]mulr1.
congr (_ * _); case: t => [|t].
  by rewrite (eq_bigr (fun=> 1)) => [|x _]; rewrite ?tuple0 // sumr_const card_tuple.
rewrite (sum_tuple_cons xpredT (fun x => beta m (hat m u x) h)) /=.
rewrite (eq_bigr (fun z => \sum_g trans m g h * hat_first m u z g)) => [|z _].
  rewrite exchange_big -[RHS](proj2 (trans_law m h)); apply: eq_bigr => g _.
  by rewrite -mulr_sumr (sum_hat_letter m u [::]) mulr1.
rewrite exchange_big; apply: eq_bigr => g _; rewrite -!mulr_sumr sum_beta ?mulr1 // => f.
exact: (sum_hat_letter m u [:: None]).
Qed.

Lemma P_H_law t : is_law (P_H m t).
Proof.
split=> [h|]; first exact: P_H_ge0.
elim: t => [|t IH]; first by rewrite -[RHS](proj2 (init_law m)); apply: eq_bigr => h _; exact: P_H0.
by rewrite -[RHS]IH -[RHS](sum_next m); apply: eq_bigr => h _; exact: P_HS.
Qed.

End Laws.

Theorem definitions_are_laws : statement_laws.
Proof. by move=> R H X m u t u01; split; [exact: P_X_law | exact: P_hat_law | exact: P_H_law]. Qed.

Theorem masked_is_free : statement_masked_is_free.
Proof.
move=> R H X m x i h /cut[y [z [w [-> ->]]]].
by rewrite masked_jointE embed_cat /= -(size_map (e m) y) replaceE joint_cons mulr1.
Qed.

Lemma joint_sized (R : realFieldType) (H X : finType) (m : hmm R H X) v i h n : size v = n ->
  joint m v i h = \sum_h0 \sum_(hs : n.-tuple H | state_at h0 hs i == h) path_prob m v h0 hs.
Proof. by move<-. Qed.

Theorem back_law : statement_back.
Proof.
move=> R H X m n h' h; pose v := nseq n free ++ [:: fun g : H => (g == h)%:R : R].
have size_v : size v = n.+1 by rewrite size_cat size_nseq addn1.
transitivity (joint m v n h').
  rewrite joint_free /= (bigD1 h) //= eqxx !mulr1 big1 ?addr0 => [|g /negbTE->]; last by rewrite mul0r mulr0.
  have [Ph|nz] := eqVneq (P_H m n.+1 h) 0; last by rewrite /back divfK.
  by rewrite Ph mulr0 mulrC (P_HS_eq0 h' Ph).
rewrite (joint_sized _ _ _ size_v); apply: eq_bigr => h0 _; rewrite [RHS]big_mkcondr; apply: eq_bigr => hs _.
rewrite /path_prob size_v size_nseq !(@big_nat_recr _ _ _ n.+1) //= {2}/letter_at nth_cat size_nseq ltnn subnn /=.
rewrite [letter_at (nseq n.+1 free) n.+1]/letter_at nth_nseq ltnSn; under eq_big_nat => i le_i.
  rewrite /letter_at nth_cat size_nseq (_ : (i.-1 < n)%N) ?nth_nseq ?if_same; last by case: i le_i.
  over.
under [in RHS]eq_big_nat => i le_i do rewrite /letter_at -[_ :: _]/(nseq n.+1 free) nth_nseq if_same.
by case: eqP => _; rewrite ?mulr0 ?mulr1.
Qed.
