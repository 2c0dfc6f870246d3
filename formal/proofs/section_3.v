(** Equations 3.3 and 3.4, the remarks on 3.1 and 3.5, footnote 1, the step 3.6:zero, and lemmas A.1, B.1, B.2. *)

From Headproof Require Import definitions.prelude definitions.hmm statements.vanilla proofs.paths proofs.linear
  proofs.message_passing proofs.entered proofs.theorems_3.

(** ** Assumptions *)

Theorem remark_3_1 : statement_remark_3_1.
Proof.
move=> R H X m /independent_dual[d dual].
pose D := \matrix_(h < #|H|, z < #|X|) d (enum_val h) (enum_val z).
pose W := \matrix_(z < #|X|, h < #|H|) emit m (enum_val z) (enum_val h).
have DW : D *m W = 1%:M.
  apply/matrixP => g h; rewrite !mxE -[RHS]/((g == h)%:R) eq_sym -(inj_eq enum_val_inj) -dual ?inE // [RHS]sum_enum.
  by apply: eq_bigr => z _; rewrite !mxE.
rewrite -[#|H|](mxrank1 R) -DW; exact: leq_trans (mxrankM_maxl _ _) (rank_leq_col _).
Qed.

Theorem remark_3_5 : statement_remark_3_5.
Proof.
move=> R H X m K mu indep ergodic; have ent := irreducible_entered (proj1 ergodic).
exists setT, setT; split; [exact: indep | exact: subsetT |].
apply/setP => h; rewrite !inE; have [g A_gt0] := ent h.
by apply/esym/existsP; exists g; rewrite inE.
Qed.

Theorem footnote_1 : statement_footnote_1.
Proof.
move=> R H X m E E' x z; have eq_G : G m (E :: x) 1 z = G m (E' :: x) 1 z by [].
by split=> //; rewrite !message_passing_G.
Qed.

(** ** Equation 3.4 *)

Theorem equation_3_4 : statement_3_4.
Proof.
move=> R U V Z p [p0 _] p_z p_v p_uz p_vz p_uv indep v v_gt0.
have total u : p_uv u v / p_v v = \sum_z (p_uz u z / p_z z) * (p_vz v z / p_v v).
  rewrite mulr_suml; apply: eq_bigr => z _; rewrite mulrA; congr (_ / _).
  have [z0|z_neq0] := eqVneq (p_z z) 0; last by rewrite mulrAC -indep mulfK.
  rewrite z0 invr0 mulr0 mul0r; apply/eqP; rewrite eq_le p0 andbT -z0.
  rewrite /p_z (bigD1 u) //= (bigD1 v) //= -addrA ler_addl addr_ge0 ?sumr_ge0 // => u' _; exact: sumr_ge0.
split=> // L left_inverse z; under eq_bigr => u _ do rewrite total mulr_sumr.
rewrite exchange_big (eq_bigr (fun z' => (z' == z)%:R * (p_vz v z' / p_v v))) => [|z' _ /=].
  by rewrite -/(dot _ _) (dot_delta z (fun z' => p_vz v z' / p_v v)).
by rewrite eq_sym -left_inverse mulr_suml; apply: eq_bigr => u _; rewrite mulrA.
Qed.

Theorem equation_3_4_for_G : statement_3_4_G.
Proof.
move=> R H X m /independent_dual[d dual]; exists d => x i /cut[y [z0 [w [-> ->]]]] h.
rewrite -/(dot _ _) (eq_dot (q' := fun z => \sum_g emit m z g * masked_posterior m (y ++ z0 :: w) (size y).+1 g)
  (fun=> erefl)) => [|z]; last first.
  by rewrite GE sum_masked_joint mulr_suml; apply: eq_bigr => g _; rewrite mulrA.
rewrite dot_emission -(dot_delta h (masked_posterior m _ _)); apply: eq_bigr => g _.
by rewrite dual ?inE // mulrC.
Qed.

(** ** Laws of the state that is read, in terms of the law of H_0 *)

Section Laws.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X).
Implicit Types (x : seq X) (w : H -> R).

Lemma beta_embed_ge0 x h : 0 <= beta m (embed m x) h. Proof. by apply: beta_ge0; exact: nonneg_embed. Qed.

(** x is possible from some state iff it is possible, where all states are possible at first. *)
Lemma P_X_gt0 x : full_support m -> (0 < P_X m x) = [exists h, 0 < beta m (embed m x) h].
Proof.
move=> full; rewrite /P_X probE sum_gt0 => [|h]; last by rewrite mulr_ge0 ?beta_embed_ge0 // ltW.
by apply: eq_existsb => h; rewrite pmulr_rgt0.
Qed.

(** A law w of the state before x is updated to one proportional to (w / P[H_0]) o P[H_0 | X = x]. *)
Lemma update w x h : full_support m -> 0 < P_X m x -> 0 < \sum_g w g * beta m (embed m x) g ->
  let s := \sum_g w g * beta m (embed m x) g in
  w h * beta m (embed m x) h / s = P_X m x / s * (w h / init m h * posterior m (embed m x) 0 h).
Proof.
move=> full P_gt0 s_gt0 s; rewrite posterior0; have /lt0r_neq0 init_neq0 := full h.
have /lt0r_neq0 P_neq0 := P_gt0.
rewrite -[init m h * _ / _]mulrA [w h / _ * _]mulrA divfK // [w h * (_ / _)]mulrA [RHS]mulrC [RHS]mulrA divfK //.
Qed.

End Laws.

(** ** Lemma A.1 *)

Theorem lemma_A_1 : statement_A_1.
Proof.
move=> R H X m i ent full; have P_gt0 h : 0 < P_H m i h by exact: P_H_gt0.
exists (fun h => P_H m i h / init m h) => [h|x x_gt0]; first by rewrite mulf_neq0 ?invr_neq0 ?lt0r_neq0.
have s_gt0 : 0 < \sum_g P_H m i g * beta m (embed m x) g.
  rewrite sum_gt0 => [|g]; last by rewrite mulr_ge0 ?P_H_ge0 ?beta_embed_ge0.
  have := x_gt0; rewrite P_X_gt0 // => /existsP[g beta_gt0].
  by apply/existsP; exists g; exact: mulr_gt0.
exists (P_X m x / \sum_g P_H m i g * beta m (embed m x) g) => [|h]; first exact: divr_gt0.
by rewrite /posterior joint_free prob_free -/(posterior m (embed m x) 0 h) update.
Qed.

(** ** Appendix B *)

Theorem lemma_message_passing : statement_message_passing.
Proof. move=> R H X m x i le_i; split=> [h|z]; [exact: message_passing | exact: message_passing_G]. Qed.

Theorem lemma_B_1 : statement_B_1.
Proof.
move=> R H X m u y i u01 le_i /=; split=> [h|lt_i z|lt_i z|eq0 z].
- exact: message_passing_hat.
- by apply: Gbar_hat_G; rewrite ?lt_i //; case/andP: le_i.
- by rewrite Gbar_hat // mulr_suml; apply: eq_bigr => h _; rewrite mulrA.
- exact: Gbar_hat_eq0.
Qed.

Theorem lemma_B_2 : statement_B_2.
Proof.
move=> R H X m u full u01.
exists (fun h => (init m h)^-1) => [h|E x xhat]; first by rewrite invr_neq0 ?lt0r_neq0.
have masked h : hat_masked_joint m u xhat 2 h = after_prompt m u h * beta m (embed m x) h by exact: hat_masked_prompt.
have eq_prob : hat_masked_prob m u xhat 2 = \sum_g after_prompt m u g * beta m (embed m x) g.
  by rewrite -sum_hat_masked_joint; apply: eq_bigr => g _.
rewrite eq_prob => s_gt0; have x_gt0 : 0 < P_X m x.
  rewrite P_X_gt0 //; have := s_gt0; rewrite sum_gt0 => [/existsP[g prod_gt0]|g]; last first.
    by rewrite mulr_ge0 ?after_prompt_ge0 ?beta_embed_ge0.
  apply/existsP; exists g; rewrite lt_neqAle beta_embed_ge0 andbT eq_sym.
  by apply: contraTneq prod_gt0 => ->; rewrite mulr0 ltxx.
exists (P_X m x / \sum_g after_prompt m u g * beta m (embed m x) g) => [|h]; first exact: divr_gt0.
by rewrite masked update // joint_prompt [after_prompt m u h / _]mulrC !mulrA.
Qed.

(** ** Equation 3.3, and the step 3.6:zero *)

Theorem equation_3_3 : statement_equation_3_3.
Proof.
move=> R H X m u full u01.
pose p := \sum_h after_prompt m u h; have w0 h : 0 <= after_prompt m u h by exact: after_prompt_ge0.
have eq_p : prob m [:: u; free] = p.
  by rewrite -(sum_joint m _ 2); apply: eq_bigr => h _; exact: joint_prompt.
exists (fun h => (init m h)^-1) => [h|E x x_gt0]; first by rewrite invr_neq0 ?lt0r_neq0.
pose s := \sum_h after_prompt m u h * beta m (embed m x) h.
have wb0 h : 0 <= after_prompt m u h * beta m (embed m x) h by rewrite mulr_ge0 ?beta_embed_ge0.
have [s0|s_neq0] := eqVneq s 0.
  exists 1 => [|z]; first exact: ltr01.
  rewrite Gbar_prompt // -/s s0 invr0 mulr0 mul1r big1 // => h _.
  have /eqP := s0; rewrite psumr_eq0 => [/allP/(_ h)|//]; rewrite mem_index_enum => /(_ isT)/eqP wb_eq0.
  rewrite posterior0 /posterior joint_prompt.
  by rewrite mulrACA [_ * (init m h * _)]mulrCA wb_eq0 mulr0 mul0r !mulr0.
have s_gt0 : 0 < s by rewrite lt_neqAle eq_sym s_neq0 sumr_ge0.
have p_gt0 : 0 < p.
  have := s_gt0; rewrite /s /p !sum_gt0 // => /existsP[h prod_gt0]; apply/existsP; exists h.
  by rewrite lt_neqAle w0 andbT eq_sym; apply: contraTneq prod_gt0 => ->; rewrite mul0r ltxx.
exists (P_X m x * p / s) => [|z]; first by rewrite divr_gt0 // mulr_gt0.
rewrite Gbar_prompt // mulr_suml mulr_sumr; apply: eq_bigr => h _.
rewrite -mulrA update // -/s {2}/posterior joint_prompt eq_p.
have /lt0r_neq0 p_neq0 := p_gt0.
rewrite [RHS]mulrCA; congr (_ * _); rewrite [P_X m x * p / s]mulrAC -[RHS]mulrA; congr (_ * _).
rewrite [RHS]mulrCA [p * _]mulrA [p * _]mulrC divfK // [RHS]mulrA; congr (_ * _); exact: mulrC.
Qed.

Theorem step_3_6_zero : statement_3_6_zero.
Proof.
move=> R H X m K mu B ergodic sub_D u E x x_gt0 masked0; have u01 : is_prompt u by exact: is_prompt_cover.
split=> [z|l]; first exact: Gbar_hat_eq0.
apply: big1 => h _; have [in_mu|notin_mu] := boolP (h \in supp mu); last by rewrite supp_notin ?mul0r.
have w_gt0 : 0 < after_prompt m u h.
  by rewrite after_cover_prompt ?(subsetP sub_D) // => g; exact: ergodic_P_H_gt0.
have /eqP := masked0; rewrite -sum_hat_masked_joint psumr_eq0 => [/allP/(_ h)|g _]; last first.
  by rewrite hat_masked_prompt mulr_ge0 ?after_prompt_ge0 ?beta_embed_ge0.
rewrite mem_index_enum => /(_ isT); rewrite hat_masked_prompt mulf_eq0 (gt_eqF w_gt0) /= => /eqP beta0.
by rewrite posterior0 beta0 mulr0 mul0r mulr0.
Qed.
