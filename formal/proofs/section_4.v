(** The numbered statements of appendix C, and the remarks on the assumptions of section 4. *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory statements.memory proofs.paths
  proofs.linear proofs.message_passing proofs.entered proofs.memory_laws proofs.attention proofs.restoring
  proofs.theorems_4 proofs.rules_columns.

(** ** Without a prompt *)

(** An output is W times the law of the column. *)
Lemma output_columns (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) p z :
  output m p z = \sum_c memit m z c * ((\sum_(g | read g == c) p g) / \sum_g p g).
Proof.
rewrite /output (partition_big (@read N M S) xpredT) //= mulr_suml; apply: eq_bigr => c _.
by rewrite mulrA mulr_sumr; congr (_ / _); apply: eq_bigr => g /eqP->.
Qed.

Theorem proposition_C_1 : statement_C_1.
Proof. by move=> R N M S X m x i z le_i; rewrite G_output // output_columns sum_masked_joint. Qed.

Theorem memory_message_passing : statement_memory_message_passing.
Proof.
move=> R N M S X m x i z le_i.
have eq_tau g : tau (hbar m) (eta_embed m x) i g = masked_joint (hbar m) x i g by exact: message_passing.
rewrite memory_Gbar_output => [|g]; last by rewrite eq_tau masked_joint_ge0.
by rewrite G_output //; exact: output_ext.
Qed.

(** Theta1 and Theta2 read laws behind which M_{j*} is in V off their outputs. *)
Lemma reading (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) j V (S' : {set S}) dual :
  dual_vectors m j V (recoverable j S') dual ->
  forall p out, within j V p -> (forall g, 0 <= p g) -> \sum_g p g != 0 -> out =1 output m p ->
  [/\ forall s, s \in S' -> dot (theta1 V (recoverable j S') dual (j, s)) out =
        (\sum_(g | g.2 == (j, s)) p g) / \sum_g p g, norm1 (fun h => dot (theta1 V (recoverable j S') dual h) out) = 1 &
      forall s a, s \in S' -> dot (if a \in V then dual (a, (j, s)) else fun=> 0) out =
        (\sum_(g : full N M S | (g.1 j == a) && (g.2 == (j, s))) p g) / \sum_g p g].
Proof.
move=> dualP p out in_V p0 nz eq_out; have H_j := @recoverable_cell _ _ j S'.
have in_H s : s \in S' -> (j, s) \in recoverable j S' by rewrite inE /= eqxx.
split=> [s /in_H sH||s a /in_H sH].
- by rewrite (eq_dot (frefl _) eq_out) (theta1_law H_j dualP).
- rewrite -[RHS](theta1_norm H_j dualP in_V p0 nz); apply: eq_bigr => h _; congr `|_|; exact: eq_dot.
rewrite (eq_dot (frefl _) eq_out); case: ifP => [aV|/negbT aV].
  rewrite (dot_dual dualP in_V) ?in_setX ?aV //; congr (_ / _); apply: eq_bigl => g.
  by rewrite readE xpair_eqE; case: (g.2 =P (j, s)) => [->|]; rewrite ?andbF.
rewrite [LHS]big1 => [|z _]; last by rewrite mul0r.
by rewrite big1 ?mul0r // => g /andP[/eqP eq_a _]; apply: in_V; rewrite eq_a.
Qed.

Theorem lemma_C_2 : statement_C_2.
Proof.
move=> R N M S X m K j S' /(duals_4_2 j)[dual dualP].
exists (head setT (recoverable j S') dual (fun (_ : 'I_K.+1) _ => 0) 0 0) => [i k|x pos some].
  by rewrite /= if_same.
exact: (plain_attends _ (@recoverable_cell _ _ j S') dualP).
Qed.

Theorem claim_C_3 : statement_C_3.
Proof.
move=> R N M S X m j S' /(duals_4_2 j)[dual dualP].
exists (theta1 setT (recoverable j S') dual), (fun s a => if a \in setT then dual (a, (j, s)) else fun=> 0).
move=> x i pos le_i p.
rewrite -sum_masked_joint; apply: (reading dualP) => [g|g||z]; first by rewrite inE.
- exact: masked_joint_ge0.
- exact: masked_sum_neq0.
exact: G_output.
Qed.

Theorem lemma_C_4 : statement_C_4.
Proof.
move=> R N M S X m K mu j S' /(duals_4_2 j)[dual dualP].
exists (head setT (recoverable j S') dual mu 0 0) => x pos i iP.
exists (P_X (hbar m) x / masked_prob (hbar m) x i.+1) => [|l]; last first.
  exact: (plain_values (@recoverable_cell _ _ j S') (subsetT _) dualP).
rewrite divr_gt0 // lt0r -sum_masked_joint masked_sum_neq0 ?ltn_ord //= sumr_ge0 // => g _; exact: masked_joint_ge0.
Qed.

(** ** Behind a prompt *)

Theorem lemma_C_7 : statement_C_7.
Proof.
move=> R N M S X m u x i u01 le_i xhat; have law z := prompted_output_law m z u01 le_i.
have out z : memory_Gbar m (ehat m u x) i z = Gbar (hbar m) (u :: embed (hbar m) x) i z.
  by rewrite [LHS]law Gbar_hat // -sum_hat_masked_joint.
split=> [g|lt1 z|lt1 z|zero z]; first exact: message_passing_hat.
- by rewrite out Gbar_hat_G // lt1; case/andP: le_i.
- by rewrite [LHS]law output_columns sum_hat_masked_joint.
by rewrite out Gbar_hat_eq0.
Qed.

Theorem proposition_C_8 : statement_C_8.
Proof. by move=> R N M S X m x i g stat; rewrite joint_free P_H_bar stationary_P_H // joint0. Qed.

(** Behind the prompt of the proof, M_{j*} is in M* from position 2 on. *)
Lemma prompt_within (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) V j (x : seq X) i :
  (1 < i <= (size x).+1)%N -> within j V (hat_masked_joint (hbar m) (paper_prompt V j) (prompted x) i).
Proof.
case: i => [|i] // le_i g /negbTE gV; have /cut[y [z [w [-> ->]]]] : (1 <= i <= size x)%N by [].
rewrite hat_around /around; pose f (c : memory N M) := (c j \in V)%:R : R.
rewrite (@next_ext _ _ _ _ _ (fun h => f h.1 * alpha (hbar m) (next (hbar m) (init (hbar m))) (embed (hbar m) y) h)).
  by rewrite next_memory /f gV !mul0r.
by move=> h; rewrite /= -alpha_memory; apply: alpha_ext => h'; rewrite mulrC.
Qed.

Theorem claim_C_10 : statement_C_10.
Proof.
move=> R N M S X m V j S' /duals_C_5[dual dualP] u.
exists (theta1 V (recoverable j S') dual), (fun s a => if a \in V then dual (a, (j, s)) else fun=> 0) => x i le_i pos p.
have u01 : is_prompt u by exact: paper_prompt_is_prompt.
have le1 : (1 <= i <= (size x).+1)%N by case/andP: le_i => /ltnW-> ->.
rewrite -sum_hat_masked_joint in pos *; apply: (reading dualP) => [|g||z]; first exact: prompt_within.
- exact: hat_masked_joint_ge0.
- exact: lt0r_neq0.
exact: prompted_output_law.
Qed.

Theorem proposition_C_11 : statement_C_11.
Proof.
move=> R N M S X m V j x i a le_i; apply: contraTT => aV; rewrite -leNgt big1 // => g /eqP eq_a.
by apply: (prompt_within m (V := V) (j := j) le_i); rewrite eq_a.
Qed.

(** A law behind the prompt of the proof, in terms of that without a prompt. *)
Lemma paper_prompt_law (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) V j (x : seq X) i g :
  stationary m -> (1 <= i <= size x)%N ->
  hat_masked_joint (hbar m) (paper_prompt V j) (prompted x) i.+1 g = law_at m j V 1 x i g.
Proof. by move=> stat le_i; rewrite (restored g (paper_prompt_restores V j stat) le_i). Qed.

Lemma sum_paper_prompt_law (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) V j
    (x : seq X) i : stationary m -> (1 <= i <= size x)%N ->
  \sum_g law_at m j V 1 x i g = hat_masked_prob (hbar m) (paper_prompt V j) (prompted x) i.+1.
Proof. by move=> stat le_i; rewrite -sum_hat_masked_joint; apply: eq_bigr => g _; rewrite paper_prompt_law. Qed.

Theorem lemma_C_9_attends : statement_C_9_attends.
Proof.
move=> R N M S X m K V j S' stat /duals_C_5[dual dualP] u; have H_j := @recoverable_cell _ _ j S'.
have u01 : is_prompt u by exact: paper_prompt_is_prompt.
have rest := paper_prompt_restores V j stat.
exists (prompted_head m (fun (_ : 'I_K.+1) _ => 0) V (recoverable j S') dual) => x inR nz; split.
  apply: (prompted_attends _ H_j dualP u01 ltr01 rest) => [|i le_i]; first by have [_] := in_R_Ihat inR.
  by rewrite sum_paper_prompt_law // lt0r_neq0 // nz.
by move=> i iP; exact: (Ihat_prompted ltr01 rest iP).
Qed.

(** If one step from p leads to no states to which one from q does not, no more does it after any letters v. *)
Lemma next_alpha_gt0 (R : realFieldType) (H X : finType) (m : hmm R H X) (v : seq (letter R H)) (p q : H -> R) :
  (forall h, 0 <= p h) -> (forall h, 0 <= q h) -> nonneg v -> (forall h, 0 < next m p h -> 0 < next m q h) ->
  forall h, 0 < next m (alpha m p v) h -> 0 < next m (alpha m q v) h.
Proof.
elim: v p q => //= l v IH p q p0 q0 /nonneg_cons[l0 v0] sub; have np0 := next_ge0 m p0; have nq0 := next_ge0 m q0.
have term0 r h g : (forall f, 0 <= r f) -> 0 <= trans m h g * (r g * l g).
  by move=> r0; rewrite mulr_ge0 ?trans_ge0 // mulr_ge0.
apply: IH => // [h|h|h]; try exact: mulr_ge0.
rewrite {1}/next sum_gt0 => [/existsP[g pos]|g]; last exact: term0.
rewrite {1}/next sum_gt0 => [|g']; last exact: term0.
apply/existsP; exists g; move: pos; rewrite !lt0r !mulf_eq0 !negb_or => /andP[/and3P[-> p_nz ->] _] /=.
have := sub g; rewrite !lt0r p_nz np0 => /(_ isT)/andP[-> _] /=.
exact: term0.
Qed.

Theorem claim_C_12 : statement_C_12.
Proof.
move=> R N M S X m V j x [|i] // h reach le_i; have /cut[y [z [w [-> ->]]]] : (1 <= i <= size x)%N by [].
rewrite /prompted_hidden /masked_hidden /=; apply: contraTT; rewrite -!leNgt => le0.
rewrite big1 // => g gh; apply/eqP; apply: contraTT le0 => nz; rewrite -ltNge (bigD1 g) //=.
apply: ltr_paddr; first by apply: sumr_ge0 => g' _; exact: masked_joint_ge0.
move: nz; rewrite masked_jointE hat_around /around mulf_eq0 negb_or => /andP[n_nz b_nz].
have u0 (g' : full N M S) : 0 <= paper_prompt V j g' :> R by exact: ler0n.
have i0 g' : 0 <= init (hbar m) g' by case: (init_law (hbar m)).
have n0 := next_ge0 (hbar m) i0.
rewrite mulr_gt0 //; last by rewrite lt0r b_nz beta_ge0 //; exact: nonneg_embed.
apply: (@next_alpha_gt0 _ _ _ _ _ (fun h => next (hbar m) (init (hbar m)) h * paper_prompt V j h)) => //.
- by move=> g'; rewrite mulr_ge0.
- exact: nonneg_embed.
- pose kept (g : full N M S) := (g.1 j \in V)%:R * P_H (hbar m) 1 g.
  move=> g'; rewrite -P_H1 (@next_ext _ _ _ _ _ kept) => [|f]; last by rewrite /kept P_H1 mulrC.
  rewrite (next_memory m (fun c => (c j \in V)%:R)) -P_HS !P_H_bar.
  rewrite lt0r !mulf_eq0 !negb_or => /andP[/and3P[_ mem_nz P2_nz] _].
  by rewrite mulr_gt0 ?reach // lt0r ?mem_nz ?P2_nz ?P_H_ge0 ?(proj1 (memory_prob_law m)).
rewrite lt0r n_nz /=; apply: next_ge0 => g'; apply: alpha_ge0 g'; last exact: nonneg_embed.
by move=> g'; rewrite mulr_ge0.
Qed.

Theorem lemma_C_13 : statement_C_13.
Proof.
move=> R N M S X m K mu j S' stat /duals_C_5[dual dualP] u; have H_j := @recoverable_cell _ _ j S'.
have u01 : is_prompt u by exact: paper_prompt_is_prompt.
have rest := paper_prompt_restores (supp mu) j stat; have sub := fintype.subxx (supp mu).
exists (prompted_head m mu (supp mu) (recoverable j S') dual) => value x pos.
have sure i : i \in Ihat m (recoverable j S') x -> forall g, law_at m j (supp mu) 1 x i.+1 g != 0 ->
    g.2 \in recoverable j S'.
  by move=> /IhatP inH g nz; apply: inH; apply: contraNneq nz => zero; rewrite /law_at zero !mulr0.
split=> [i iP _ l|i iP|impossible l [|i] // le_i]; [| |exact: (prompted_values0 mu H_j dualP u01 ltr01 rest)].
  by apply: (prompted_display mu H_j dualP u01 rest); [rewrite ltn_ord | exact: sure].
have le_i : (1 <= i.+1 <= size x)%N by rewrite ltn_ord.
have [zero|nz] := eqVneq (\sum_g law_at m j (supp mu) 1 x i.+1 g) 0.
  have impossible : P_hat (hbar m) u (prompted x) = 0.
    by apply/eqP; apply: contraTT isT => possible; have := law_neq0 ltr01 rest possible le_i; rewrite zero eqxx.
  exists 1 => [|l]; [exact: ltr01 | rewrite [LHS](prompted_values0 mu H_j dualP u01 ltr01 rest) //].
  by rewrite (P_hat_score sub ltr01 rest) ?mulr0 //; exact: leq_ltn_trans (ltn_ord i).
exists (1 * P_X (hbar m) x / \sum_g law_at m j (supp mu) 1 x i.+1 g) => [|l].
  by rewrite mul1r divr_gt0 // lt0r nz sumr_ge0 // => g _; apply: law_at_ge0; exact: ltr01.
by apply: (prompted_values H_j sub dualP u01 rest) => //; exact: sure.
Qed.

Theorem claim_C_15 : statement_C_15.
Proof.
move=> R N M S X m K mu j x reach u; have u01 : is_prompt u by exact: paper_prompt_is_prompt.
split=> [impossible l|i le_i zero z]; last first.
  rewrite prompted_output_law // /output sum_hat_masked_joint zero invr0; exact: mulr0.
rewrite (dot_posterior m (mu l) j (leq0n _)) big1 ?mul0r // => g _; rewrite joint0.
have [gV|/(mu_out (fintype.subxx _) l)->] := boolP (g.1 j \in supp mu); last exact: mul0r.
have b0 h : 0 <= beta (hbar m) (embed (hbar m) x) h by apply: beta_ge0; exact: nonneg_embed.
have P0 h : 0 <= P_H (hbar m) 1 h by exact: P_H_ge0.
have : P_H (hbar m) 1 g * u g * beta (hbar m) (embed (hbar m) x) g = 0.
  move/eqP: impossible; rewrite P_hat_prob (prob_cons _ [::]) psumr_eq0 => [/allP/(_ g (mem_index_enum g))/eqP <-|h _].
    by rewrite /around /= P_H1 mulrAC.
  by have /andP[u0 _] := u01 h; rewrite /around /= -P_H1 !mulr_ge0.
rewrite /u /paper_prompt gV mulr1 => /eqP; rewrite mulf_eq0 => /orP[|/eqP->]; last by rewrite !mulr0.
rewrite P_H_bar mulf_eq0 => /orP[/eqP mem0|/eqP H0]; first by rewrite /= /bar_init mem0 !mul0r mulr0.
have [init0|nz] := eqVneq (minit m g.2) 0; first by rewrite /= /bar_init init0 mulr0 mul0r mulr0.
by have := reach g.2; rewrite H0 ltxx lt0r nz minit_ge0 => /(_ isT).
Qed.

Theorem claim_C_14 : statement_C_14.
Proof.
move=> R N M S X m K mu j x stat u pos l; have first_law g : P_H (hbar m) 1 g = init (hbar m) g.
  by rewrite P_H_bar stationary_P_H.
have first_joint g : joint (hbar m) (u :: embed (hbar m) x) 1 g = joint (hbar m) (embed (hbar m) x) 0 g * u g.
  transitivity (around (hbar m) [::] (embed (hbar m) x) g * u g); first exact: (joint_cons (hbar m) [::]).
  by rewrite /around /= -P_H1 first_law joint0.
have -> : hat_masked_prob (hbar m) u (prompted x) 1 = P_X (hbar m) x.
  rewrite -sum_hat_masked_joint /P_X probE; apply: eq_bigr => g _.
  by rewrite (hat_masked_jointE _ _ [::]) /around /= -P_H1 first_law -map_comp.
have P_neq0 : P_X (hbar m) x != 0.
  apply: contraTneq pos => /eqP; rewrite /P_X -(sum_joint _ _ 0) psumr_eq0 => [/allP zero|g _]; last first.
    by apply: joint_ge0; exact: nonneg_embed.
  rewrite P_hat_prob -(sum_joint _ _ 1) big1 ?ltxx // => g _.
  by rewrite first_joint (eqP (zero g (mem_index_enum g))) mul0r.
rewrite (dot_posterior m (mu l) j (leq0n _)) invf_div mulrA divfK //.
rewrite [LHS](eq_bigr (fun g : full N M S => mu l (g.1 j) * joint (hbar m) (hat (hbar m) u (prompted x)) 0 g /
  P_hat (hbar m) u (prompted x))) => [|g _]; last exact: mulrA.
rewrite -mulr_suml; congr (_ / _); rewrite hat_prompted.
rewrite -(sum_joint_memory m (fun c => mu l (c j)) (i := 1)) //; apply: eq_bigr => g _.
rewrite first_joint /u /paper_prompt; have [gV|/(mu_out (fintype.subxx _) l)->] := boolP (g.1 j \in supp mu).
  by rewrite mulr1.
by rewrite !mul0r.
Qed.

(** ** Remarks *)

Theorem remark_C_5 : statement_remark_C_5.
Proof.
move=> R M S X m V S'; rewrite /assumption_C_5 /assumption_4_5.
have -> // : setX V [set h : hidden 1 S | (h.1 == ord0) && (h.2 \notin S')] :|: setX setT [set h | h.1 != ord0] =
  setX V (~: recoverable ord0 S').
by apply/setP => -[a [k s]]; rewrite !inE /= ord1 eqxx /= orbF.
Qed.

Theorem remark_4_2 : statement_remark_4_2.
Proof.
move=> R N M S X m V j S'; have [dual_4_2 dual_4_5 dual_C_5] := rule_dual_vectors m V j S' (recoverable j S').
split=> [indep|/dual_4_2[d dual]].
  have [d dual] := independent_dual indep; apply/dual_4_2.
  by exists d => c _ _ c' _; apply: dual; exact: in_setT.
by split; [apply/dual_C_5 | apply/dual_4_5]; exists d => c _ cH c' _; apply: dual => //; exact: in_setT.
Qed.
