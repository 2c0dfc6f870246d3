(** Theorems 3.3 and 3.6. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headproof Require Import definitions.hmm statements.theorems statements.vanilla.
From Headproof Require Import proofs.paths proofs.linear proofs.message_passing proofs.entered.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

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

(** The head of the proofs: where D bears the coordinates of y o c, and the columns of supp(mu) are coloops of D's, some
    b has b' W (c o y) = mu' (q o y). Here c is a law on the position read, q o y the law that the task reads. *)
Lemma head_of_coloops (D : {set H}) (c q : H -> R) :
  (forall h, h \in supp mu -> coloop D (column m) h) -> supp mu \subset D -> (forall h, h \in D -> c h != 0) ->
  (forall h, h \notin D -> c h = 0) ->
  exists b : 'I_K.+1 -> X -> R, forall (y : H -> R) l,
  dot (b l) (fun z => \sum_h emit m z h * (c h * y h)) = dot (mu l) (fun h => q h * y h).
Proof.
move=> coloops /subsetP sub_D c_neq0 c_eq0; have [d dual] := coloop_dual coloops.
exists (fun l z => \sum_(h in supp mu) (mu l h * q h / c h) * d h z) => y l.
rewrite dot_suml [RHS](bigID (fun h => h \in supp mu)) /= [X in _ = _ + X]big1 ?addr0; last first.
  by move=> h notin; rewrite supp_notin ?mul0r.
apply: eq_bigr => h in_mu; have c_h := c_neq0 h (sub_D h in_mu).
rewrite dot_emission (bigD1 h) //= dual ?sub_D // eqxx mulr1.
rewrite big1 ?addr0 => [|g neq_gh]; first by rewrite mulrA mulfVK // mulrA.
have [in_D|notin_D] := boolP (g \in D); last by rewrite c_eq0 // !mul0r.
by rewrite dual // (negbTE neq_gh) mulr0.
Qed.

(** P[H_0, x] / P[x] and P[H_i, all but i] / its sum, both from beta. *)
Lemma label_of_beta (x : seq X) (w : H -> R) (b : 'I_K.+1 -> X -> R) (g : X -> R) :
  (forall h, 0 <= w h) -> supp mu \subset [set h | 0 < w h] ->
  let y := beta m (embed m x) in let s := \sum_h w h * y h in
  (forall l, dot (b l) (fun z => \sum_h emit m z h * (w h * y h)) = dot (mu l) (fun h => init m h * y h)) ->
  (forall z, g z = (\sum_h emit m z h * (w h * y h)) / s) ->
  0 < P_X m x -> F_star m mu x = linear_head b g.
Proof.
move=> w0 /subsetP sub_w y s eq_b eq_g P_gt0; have y0 : forall h, 0 <= y h by apply: beta_ge0; exact: nonneg_embed.
have eq_mu l : dot (mu l) (posterior m (embed m x) 0) = dot (mu l) (fun h => init m h * y h) / P_X m x.
  by rewrite -dot_div; apply: eq_dot => // h; exact: posterior0.
have eq_head l : dot (b l) g = dot (mu l) (fun h => init m h * y h) / s.
  by rewrite -eq_b -dot_div; apply: eq_dot.
have s_ge0 : 0 <= s by apply: sumr_ge0 => h _; rewrite mulr_ge0.
rewrite /F_star /linear_head; have [s0|s_neq0] := eqVneq s 0.
  apply: label_ext => l; rewrite eq_mu eq_head s0 invr0 mulr0.
  rewrite (_ : dot _ _ = 0) ?mul0r //; apply: big1 => h _.
  have [in_mu|notin_mu] := boolP (h \in supp mu); last by rewrite supp_notin ?mul0r.
  have := sub_w h in_mu; rewrite inE => w_gt0.
  have /eqP := s0; rewrite psumr_eq0 => [/allP/(_ h)|f _]; last by rewrite mulr_ge0.
  rewrite mem_index_enum => /(_ isT) /=; rewrite mulf_eq0 (gt_eqF w_gt0) /= => /eqP->.
  by rewrite !mulr0.
apply: (label_scale_eq (r := s / P_X m x)); first by rewrite divr_gt0 // lt_neqAle eq_sym s_neq0.
by move=> l; rewrite eq_mu eq_head [RHS]mulrC mulrA divfK.
Qed.

End Heads.

(** ** Theorem 3.3 *)

Theorem theorem_3_3_from_less : statement_3_3_from_less.
Proof.
move=> R H X m K mu coloops P1.
have nz h : h \in [set: H] -> P_H m 1 h != 0 by rewrite gt_eqF.
have none h : h \notin [set: H] -> P_H m 1 h = 0 by rewrite inE.
have [b eq_b] := head_of_coloops (init m) coloops (subsetT _) nz none.
exists b => E x; apply: (label_of_beta (w := P_H m 1)) => [h||l|z]; first exact: P_H_ge0.
- by apply/subsetP => h _; rewrite inE.
- exact: eq_b.
have eq_around h : masked_joint m (E :: x) 1 h = P_H m 1 h * beta m (embed m x) h.
  rewrite (masked_jointE m [::] E x) /around P_HS; congr (_ * _).
  by apply: next_ext => g; rewrite P_H0.
rewrite (GE m [::] E x z) /=; congr (_ / _); apply: eq_bigr => h _; by rewrite eq_around.
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

Lemma hat_masked_prompt E x h :
  hat_masked_joint m u (prompted (E :: x)) 2 h = after_prompt h * beta m (embed m x) h.
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

Lemma is_prompt_cover : is_prompt cover_prompt.
Proof. by move=> h; rewrite /cover_prompt ler0n lern1 leq_b1. Qed.

(** Behind it H_2 is in H*, and anywhere in it. *)
Lemma after_cover_prompt h : (forall g, 0 < P_H m 1 g) -> (0 < after_prompt m cover_prompt h) = (h \in covered m B).
Proof.
move=> P1; rewrite /after_prompt /next inE sum_gt0 => [|g]; last first.
  by rewrite mulr_ge0 ?trans_ge0 // mulr_ge0 ?P_H_ge0 // ler0n.
apply/existsP/existsP => [[g prod_gt0]|[g /andP[in_B A_gt0]]]; exists g; last by rewrite /cover_prompt in_B mulr1 mulr_gt0.
move: prod_gt0; rewrite /cover_prompt => prod_gt0; apply/andP; split.
  by move: prod_gt0; case: (g \in B); rewrite // !mulr0 ltxx.
by rewrite lt_neqAle trans_ge0 andbT eq_sym; apply: contraTneq prod_gt0 => ->; rewrite mul0r ltxx.
Qed.

(** Nothing is at h outside H*. *)
Lemma after_cover_prompt_eq0 h : (forall g, 0 < P_H m 1 g) -> h \notin covered m B -> after_prompt m cover_prompt h = 0.
Proof.
move=> P1; rewrite -(after_cover_prompt h P1) lt_neqAle after_prompt_ge0 ?andbT ?negbK //; last exact: is_prompt_cover.
by move/eqP.
Qed.

End CoverPrompt.

(** ** Theorem 3.6 *)

Theorem theorem_3_6_from_less : statement_3_6_from_less.
Proof.
move=> R H X m K mu P1 [B sub_D coloops]; have u01 := is_prompt_cover R B.
have nz h : h \in covered m B -> after_prompt m (cover_prompt R B) h != 0.
  by move=> in_D; rewrite gt_eqF // after_cover_prompt.
have none h : h \notin covered m B -> after_prompt m (cover_prompt R B) h = 0 by exact: after_cover_prompt_eq0.
have [b eq_b] := head_of_coloops (init m) coloops sub_D nz none.
exists (cover_prompt R B), b; split=> // E x.
apply: (label_of_beta (w := after_prompt m (cover_prompt R B))) => [h||l|z]; first exact: after_prompt_ge0.
- by apply: subset_trans sub_D _; apply/subsetP => h in_D; rewrite inE after_cover_prompt.
- exact: eq_b.
exact: Gbar_prompt.
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
