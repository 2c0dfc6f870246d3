(** Theorems 3.3 and 3.6. *)

From Headproof Require Import definitions.prelude definitions.hmm statements.theorems statements.vanilla proofs.paths
  proofs.linear proofs.message_passing proofs.entered.

(** ** Heads *)

Section Heads.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R).

Lemma supp_notin l h : h \notin supp mu -> mu l h = 0.
Proof. by rewrite inE => /existsPn/(_ l); rewrite negbK => /eqP. Qed.

Lemma posterior0 (x : seq X) h : posterior m (embed m x) 0 h = init m h * beta m (embed m x) h / P_X m x.
Proof. by rewrite /posterior joint0. Qed.

Lemma dot_emission (d : X -> R) (p : H -> R) :
  dot d (fun z => \sum_h emit m z h * p h) = \sum_h p h * dot d (column m h).
Proof. by rewrite -dot_sum; apply: eq_dot => // z; apply: eq_bigr => h _; rewrite mulrC. Qed.

(** Let w be the law of the state that is read, before x is, so that given x it is w o beta up to a factor. A head on
    W (w o beta) / ||w o beta||_1 gives x its label if the columns of supp(mu) are coloops of those of D = supp(w): its
    rows are combinations of their dual vectors. *)
Lemma head_on_coloops (w : H -> R) : (forall h, 0 <= w h) ->
  let D := [set h | 0 < w h] in supp mu \subset D -> (forall h, h \in supp mu -> coloop D (column m) h) ->
  exists b : 'I_K.+1 -> X -> R, forall (x : seq X) (g : X -> R), 0 < P_X m x ->
  (forall z, g z = (\sum_h emit m z h * (w h * beta m (embed m x) h)) / \sum_h w h * beta m (embed m x) h) ->
  F_star m mu x = linear_head b g.
Proof.
move=> w0 D /subsetP sub_D coloops; have [d dual] := coloop_dual coloops.
exists (fun l z => \sum_(h in supp mu) (mu l h * init m h / w h) * d h z) => x g P_gt0 eq_g.
pose y h := beta m (embed m x) h; pose s := \sum_h w h * y h.
have wy0 h : 0 <= w h * y h by rewrite mulr_ge0 ?beta_ge0 //; exact: nonneg_embed.
have w_gt0 h : h \in supp mu -> 0 < w h by move=> /sub_D; rewrite inE.
have w_eq0 h : h \notin D -> w h = 0 by rewrite inE lt_neqAle w0 andbT negbK => /eqP.
pose score l := \sum_(h in supp mu) mu l h * (init m h * y h).
have eq_mu l : dot (mu l) (posterior m (embed m x) 0) = score l / P_X m x.
  rewrite /score big_mkcond mulr_suml; apply: eq_bigr => h _; rewrite posterior0.
  by case: ifP => [_|/negbT/(supp_notin l)->]; rewrite ?mulrA // !mul0r.
have eq_dual h : h \in supp mu -> dot (d h) g = w h * y h / s.
  move=> in_mu; rewrite (eq_dot (fun=> erefl) eq_g) dot_div dot_emission (bigD1 h) //= dual ?sub_D // eqxx mulr1.
  rewrite big1 ?addr0 // => f neq_fh; have [in_D|/w_eq0->] := boolP (f \in D); last by rewrite !mul0r.
  by rewrite dual // (negbTE neq_fh) mulr0.
have eq_head l : dot (fun z => \sum_(h in supp mu) (mu l h * init m h / w h) * d h z) g = score l / s.
  rewrite dot_suml mulr_suml; apply: eq_bigr => h in_mu; rewrite eq_dual // mulrA; congr (_ / _).
  by rewrite mulrA mulfVK ?mulrA // gt_eqF ?w_gt0.
have [s0|s_neq0] := eqVneq s 0.
  apply: label_ext => l; rewrite eq_mu eq_head s0 invr0 mulr0 /score big1 ?mul0r // => h in_mu.
  have /eqP := s0; rewrite psumr_eq0 // => /allP/(_ h); rewrite mem_index_enum => /(_ isT) /=.
  by rewrite mulf_eq0 gt_eqF ?w_gt0 //= => /eqP->; rewrite !mulr0.
apply: (label_scale_eq (r := s / P_X m x)); first by rewrite divr_gt0 // lt_neqAle eq_sym s_neq0 sumr_ge0.
by move=> l; rewrite eq_mu eq_head [RHS]mulrC mulrA divfK.
Qed.

End Heads.

(** ** Theorem 3.3 *)

(** G_1((E, x)) = W (p_1 o beta(x)) / ||p_1 o beta(x)||_1. *)
Lemma G_first (R : realFieldType) (H X : finType) (m : hmm R H X) E x z : G m (E :: x) 1 z =
  (\sum_h emit m z h * (P_H m 1 h * beta m (embed m x) h)) / \sum_h P_H m 1 h * beta m (embed m x) h.
Proof.
have eq_read h : masked_joint m (E :: x) 1 h = P_H m 1 h * beta m (embed m x) h.
  rewrite (masked_jointE m [::] E x) /around P_HS; congr (_ * _).
  by apply: next_ext => g; rewrite P_H0.
by rewrite (GE m [::] E x z) /=; congr (_ / _); apply: eq_bigr => h _; rewrite eq_read.
Qed.

Theorem theorem_3_3_from_less : statement_3_3_from_less.
Proof.
move=> R H X m K mu coloops P1.
have all_states : [set h | 0 < P_H m 1 h] = setT by apply/setP => h; rewrite !inE P1.
have [|||b head_b] := head_on_coloops (m := m) (mu := mu) (w := P_H m 1); rewrite ?all_states ?subsetT //.
  by move=> h; exact: P_H_ge0.
exists b => E x P_gt0; apply: head_b => // z; exact: G_first.
Qed.

Theorem theorem_3_3 : statement_3_3.
Proof.
move=> R H X m K mu indep ergodic; apply: theorem_3_3_from_less => h.
  by move=> _; apply: independent_coloop indep _; rewrite inE.
exact: ergodic_P_H_gt0.
Qed.

(** ** Behind the prompt of 3.6's proof *)

Section Prompt.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X) (u : letter R H).

(** P[Xhat_1 = ztilde, H_2 = h]. *)
Definition after_prompt : H -> R := next m (fun h => P_H m 1 h * u h).

Lemma around_prompt x h : around m [:: u] (embed m x) h = after_prompt h * beta m (embed m x) h.
Proof.
rewrite /around; congr (_ * _); apply: next_ext => g /=; rewrite P_HS; congr (_ * _).
by apply: next_ext => f; rewrite P_H0.
Qed.

Lemma joint_prompt h : joint m [:: u; free] 2 h = after_prompt h.
Proof. by rewrite (joint_cons m [:: u] free [::]) /= mulr1 (around_prompt [::]) mulr1. Qed.

Lemma hat_masked_prompt E x h : hat_masked_joint m u (prompted (E :: x)) 2 h = after_prompt h * beta m (embed m x) h.
Proof.
rewrite (hat_masked_jointE m u [:: None] (Some E) (map Some x)) -around_prompt.
by rewrite /embed -map_comp.
Qed.

Lemma after_prompt_ge0 h : is_prompt u -> 0 <= after_prompt h.
Proof. by move=> u01; apply: next_ge0 => g; rewrite mulr_ge0 ?P_H_ge0 //; case/andP: (u01 g). Qed.

Lemma Gbar_prompt E x z : is_prompt u -> Gbar m (u :: embed m (E :: x)) 2 z =
  (\sum_h emit m z h * (after_prompt h * beta m (embed m x) h)) / \sum_h after_prompt h * beta m (embed m x) h.
Proof.
move=> u01; rewrite Gbar_hat //= -sum_hat_masked_joint; congr (_ / _); apply: eq_bigr => h _.
  by rewrite hat_masked_prompt.
exact: hat_masked_prompt.
Qed.

End Prompt.

Section CoverPrompt.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X) (B : {set H}).

(** u_h = 1 iff h in B. *)
Definition cover_prompt (h : H) : R := (h \in B)%:R.

Lemma is_prompt_cover : is_prompt cover_prompt. Proof. by move=> h; rewrite /cover_prompt ler0n lern1 leq_b1. Qed.

(** Behind it H_2 is in H*, and anywhere in it. *)
Lemma after_cover_prompt h : (forall g, 0 < P_H m 1 g) -> (0 < after_prompt m cover_prompt h) = (h \in covered m B).
Proof.
move=> P1; rewrite /after_prompt /next inE sum_gt0 => [|g]; last first.
  by rewrite mulr_ge0 ?trans_ge0 // mulr_ge0 ?P_H_ge0 // ler0n.
apply/existsP/existsP => [[g prod_gt0]|[g /andP[in_B A_gt0]]]; exists g; last first.
  by rewrite /cover_prompt in_B mulr1 mulr_gt0.
move: prod_gt0; rewrite /cover_prompt => prod_gt0; apply/andP; split.
  by move: prod_gt0; case: (g \in B); rewrite // !mulr0 ltxx.
by rewrite lt_neqAle trans_ge0 andbT eq_sym; apply: contraTneq prod_gt0 => ->; rewrite mul0r ltxx.
Qed.

End CoverPrompt.

(** ** Theorem 3.6 *)

Theorem theorem_3_6_from_less : statement_3_6_from_less.
Proof.
move=> R H X m K mu P1 [B sub_D coloops]; pose u := cover_prompt R B; have u01 : is_prompt u := is_prompt_cover R B.
have eq_D : [set h | 0 < after_prompt m u h] = covered m B by apply/setP => h; rewrite inE after_cover_prompt.
have [|||b head_b] := head_on_coloops (m := m) (mu := mu) (w := after_prompt m u); rewrite ?eq_D //.
  by move=> h; exact: after_prompt_ge0.
by exists u, b; split=> // E x P_gt0; apply: head_b => // z; exact: Gbar_prompt.
Qed.

Lemma assumption_3_5_coloop (R : realFieldType) (H X : finType) (m : hmm R H X) K (mu : 'I_K.+1 -> H -> R) :
  assumption_3_5 m mu -> assumption_3_5_coloops m mu.
Proof.
move=> [D [B [indep sub_D eq_D]]]; exists B; rewrite -eq_D // => h in_mu.
by apply: independent_coloop => //; exact: (subsetP sub_D).
Qed.

Theorem theorem_3_6 : statement_3_6.
Proof.
move=> R H X m K mu ergodic covers; apply: theorem_3_6_from_less => [h|]; first exact: ergodic_P_H_gt0.
exact: assumption_3_5_coloop.
Qed.

(** ** One row of mu *)

Lemma binary_head (R : realFieldType) (T X : finType) (mu p : T -> R) (b : 'I_2 -> X -> R) (g : X -> R) :
  label (fun l => dot (binary mu l) p) = linear_head b g ->
  (0 <= dot mu p) = (0 <= dot (fun z => b ord_max z - b ord0 z) g).
Proof.
move=> eq_label; rewrite -label_binary eq_label -label_binary /linear_head.
congr (_ == _); rewrite -(label_shift (- dot (b ord0) g)); apply: label_ext => l.
rewrite /binary; case: ifP => [/eqP->|neq_l]; first by rewrite subrr /dot big1 // => z _; rewrite mul0r.
have -> : l = ord_max by apply: val_inj; case: l neq_l => [[|[]]].
by rewrite dotB.
Qed.

Theorem theorem_3_3_binary : statement_3_3_binary.
Proof.
move=> R H X m mu indep ergodic; have [b eq_b] := theorem_3_3 (binary mu) indep ergodic.
by exists (fun z => b ord_max z - b ord0 z) => E x P_gt0; apply: binary_head; exact: eq_b.
Qed.

Theorem theorem_3_6_binary : statement_3_6_binary.
Proof.
move=> R H X m mu ergodic covers; have [u [b [u01 eq_b]]] := theorem_3_6 ergodic covers.
exists u, (fun z => b ord_max z - b ord0 z); split=> // E x P_gt0; apply: binary_head; exact: eq_b.
Qed.
