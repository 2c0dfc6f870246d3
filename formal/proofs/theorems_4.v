(** Theorems 4.3, 4.6 and C.6: the head of the proof computes F* on R. *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory statements.theorems
  statements.memory proofs.paths proofs.linear proofs.message_passing proofs.entered proofs.memory_laws
  proofs.attention proofs.restoring.

Section Theorems.

Variables (R : realFieldType) (N : nat) (M S X : finType) (K : nat) (m : memory_hmm R N M S X).
Variables (mu : 'I_K.+1 -> M -> R) (j : 'I_N) (V : {set M}) (Hs : {set hidden N S}).
Notation Hbar := (full N M S).
Notation bar := (hbar m).
Implicit Types (p : Hbar -> R) (x : seq X) (u : letter R Hbar) (g : Hbar) (i : nat).

(** The dual vectors that the head is made of. *)
Definition dual_vectors (dual : cell_state N M S -> X -> R) : Prop :=
  forall c, c \in own V Hs -> forall d, d \in seen j V -> dot (dual c) (memory_column m d) = (d == c)%:R.

Lemma separated_duals (others : {set cell_state N M S}) : separated m V Hs others ->
  seen j V \subset own V Hs :|: others -> exists dual, dual_vectors dual.
Proof.
move=> [indep meet] /subsetP sub; have [dual dualP] := separated_dual indep meet.
by exists dual => c c_own d /sub; exact: dualP.
Qed.

Hypothesis Hs_j : forall h, h \in Hs -> h.1 = j.
Hypothesis mu_V : supp mu \subset V.
Variable dual : cell_state N M S -> X -> R.
Hypothesis dualP : dual_vectors dual.

Lemma mu_out l a : a \notin V -> mu l a = 0.
Proof.
move=> aV; apply/eqP; apply: contraNT aV => nz; apply: (subsetP mu_V); rewrite inE; apply/existsP.
by exists l.
Qed.

(** The law at position i, without a prompt (V everything, r = 1) or behind one that restores the law of H_1. *)
Definition law_at (r : R) x i g : R := r * ((g.1 j \in V)%:R * masked_joint bar x i g).

Lemma law_at_within r x i : within j V (law_at r x i).
Proof. by move=> g /negbTE gV; rewrite /law_at gV mul0r mulr0. Qed.

Lemma law_at_ge0 r x i : 0 < r -> forall g, 0 <= law_at r x i g.
Proof. by move=> r0 g; rewrite mulr_ge0 ?(ltW r0) // mulr_ge0 ?ler0n // masked_joint_ge0. Qed.

(** sum_g mu_l[m_{j*}] P[Hbar_i = g, X_i = x_i, X_-i = x_-i] is a multiple of F*'s score. *)
Lemma score_of_law r z0 x i l : 0 < P_X bar x -> (1 <= i <= size x)%N ->
  \sum_(g : Hbar) mu l (g.1 j) * (memit m (nth z0 x i.-1) (read g) * law_at r x i g) =
  r * P_X bar x * dot (mu l) (memory_posterior m j x).
Proof.
move=> pos le_i; have le_ix : (i <= size x)%N by case/andP: le_i.
rewrite (dot_posterior m (mu l) j le_ix) [_ / _]mulrC mulrA mulfK ?lt0r_neq0 // mulr_sumr.
apply: eq_bigr => g _; rewrite (joint_masked m z0 g le_i) /law_at.
have [gV|/(mu_out l)->] := boolP (g.1 j \in V); last by rewrite !mul0r mulr0.
by rewrite mul1r [memit _ _ _ * (r * _)]mulrCA [LHS]mulrCA.
Qed.

Section Values.

Variables (last shift r : R) (z0 : X) (x : seq X) (i k : nat) (G : nat -> X -> R) (emb : nat -> cell_state N M S -> R).
Hypotheses (r0 : 0 < r) (pos : 0 < P_X bar x) (le_i : (1 <= i <= size x)%N).
Hypotheses (eq_G : G k =1 output m (law_at r x i)) (eq_emb : emb k =1 memit m (nth z0 x i.-1)).
Notation value l := (attention_value (head V Hs dual mu last shift) G emb l k).

(** Where H_i surely is in H*, the values are F*'s scores up to a positive factor; *)
Lemma values_right : \sum_g law_at r x i g != 0 -> (forall g, law_at r x i g != 0 -> g.2 \in Hs) ->
  forall l, value l = r * P_X bar x / (\sum_g law_at r x i g) * dot (mu l) (memory_posterior m j x).
Proof.
move=> nz in_H l; rewrite (value_law Hs_j dualP mu last shift _ _ (@law_at_within r x i) eq_G) mulrAC; congr (_ / _).
rewrite -(score_of_law r z0 l pos le_i) big_mkcond; apply: eq_bigr => g _; rewrite eq_emb.
by case: ifPn => // gH; rewrite [law_at r x i g](_ : _ = 0) ?mulr0 //; apply/eqP; apply: contraNT gH; exact: in_H.
Qed.

(** where nothing can emit x_i, they are 0. *)
Lemma values_zero : \sum_g memit m (nth z0 x i.-1) (read g) * law_at r x i g = 0 -> forall l, value l = 0.
Proof.
move=> /eqP; rewrite psumr_eq0 => [/allP none l|g _]; last by rewrite mulr_ge0 ?law_at_ge0 // (proj1 (memit_law m _)).
rewrite (value_law Hs_j dualP mu last shift _ _ (@law_at_within r x i) eq_G) big1 ?mul0r // => g _.
by have /none/eqP := mem_index_enum g; rewrite eq_emb => ->; rewrite mulr0.
Qed.

End Values.

(** A law p is sure of H* where P[H = h] > 0 only in H*. *)
Lemma sureP p : (forall g, 0 <= p g) ->
  reflect (forall g, p g != 0 -> g.2 \in Hs) [forall h, (0 < \sum_(g | g.2 == h) p g) ==> (h \in Hs)].
Proof.
move=> p0; apply: (iffP forallP) => [sure g nz|sure h]; last first.
  apply/implyP => pos; apply: contraLR pos => hH; rewrite -leNgt big1 ?lexx // => g /eqP eq_h.
  by apply/eqP; apply: contraNT hH => /sure; rewrite eq_h.
apply: (implyP (sure g.2)); rewrite (bigD1 g) //=; apply: ltr_paddr; first exact: sumr_ge0.
by rewrite lt0r nz p0.
Qed.

(** Ihat, in terms of laws. *)
Lemma IhatP x (i : 'I_(size x)) : reflect (forall g, masked_joint bar x i.+1 g != 0 -> g.2 \in Hs) (i \in Ihat m Hs x).
Proof. by rewrite inE; apply: sureP => g; exact: masked_joint_ge0. Qed.

Lemma in_R_Ihat x : in_R m Hs x -> 0 < P_X bar x /\ exists i : 'I_(size x), i \in Ihat m Hs x.
Proof.
case=> pos [[//|i] /andP[_ lt_i] sure]; split=> //; exists (Ordinal lt_i); rewrite inE; apply/forallP => h.
by apply/implyP; exact: sure.
Qed.

(** ** Without a prompt *)

Section Plain.

Hypothesis V_all : V = setT.
Notation plain := (head V Hs dual mu 0 0).

Lemma law_at1 x i : law_at 1 x i =1 masked_joint bar x i. Proof. by move=> g; rewrite /law_at V_all inE !mul1r. Qed.

Lemma G_law x i : (1 <= i <= size x)%N -> G bar x i =1 output m (law_at 1 x i).
Proof. by move=> le_i z; rewrite G_output //; apply: output_ext => g; rewrite law_at1. Qed.

Lemma plain_score x i : (1 <= i <= size x)%N -> attention_score plain (G bar x) i = share Hs (law_at 1 x i).
Proof.
move=> le_i; rewrite (score_law Hs_j dualP mu 0 0 (@law_at_within 1 x i) (G_law le_i)).
by rewrite mul0r addr0.
Qed.

(** C.2 *)
Lemma plain_attends x : 0 < P_X bar x -> Ihat m Hs x != set0 -> attended plain (size x) (G bar x) = Ihat m Hs x.
Proof.
move=> pos some; apply: (attended_top (c := 1)) => // i; rewrite plain_score ?ltn_ord //.
  move=> /IhatP sure; apply: share1 => [|g]; last by rewrite law_at1; exact: sure.
  by rewrite (eq_bigr _ (fun g _ => law_at1 x i.+1 g)) masked_sum_neq0 ?ltn_ord.
move=> /IhatP unsure; have [g /andP[nz gH]] : exists g, (law_at 1 x i.+1 g != 0) && (g.2 \notin Hs).
  apply/existsP; apply: contra_notT unsure => /existsPn none g nz.
  by have := none g; rewrite law_at1 nz /= negbK.
exact: (share_lt1 (law_at_ge0 x i.+1 ltr01) nz gH).
Qed.

Lemma letter_at_map (T : finType) z0 (emb : X -> letter R T) x i : (1 <= i <= size x)%N ->
  letter_at (map emb x) i = emb (nth z0 x i.-1).
Proof. by case: i => // i lt_i; rewrite /letter_at (nth_map z0). Qed.

(** C.4 *)
Lemma plain_values x (i : 'I_(size x)) l : 0 < P_X bar x -> i \in Ihat m Hs x ->
  attention_value plain (G bar x) (letter_at (map (memit m) x)) l i.+1 =
  P_X bar x / masked_prob bar x i.+1 * dot (mu l) (memory_posterior m j x).
Proof.
move=> pos /IhatP sure; have le_i : (1 <= i.+1 <= size x)%N by rewrite ltn_ord.
case: (x) pos i sure le_i => [|z0 y]; [by move=> _ [] | set xx := z0 :: y => pos i sure le_i].
have sum_law : \sum_g law_at 1 xx i.+1 g = masked_prob bar xx i.+1.
  by rewrite -sum_masked_joint; apply: eq_bigr => g _; exact: law_at1.
rewrite (values_right (z0 := z0) (r := 1) 0 0 pos le_i (G_law le_i)) ?sum_law ?mul1r //.
- by move=> c; rewrite (letter_at_map z0).
- by rewrite -sum_masked_joint masked_sum_neq0.
- by move=> g; rewrite law_at1; exact: sure.
Qed.

(** 4.3 *)
Lemma plain_right x : in_R m Hs x ->
  attention_head plain (size x) (G bar x) (letter_at (map (memit m) x)) = memory_F_star m mu j x.
Proof.
move=> /in_R_Ihat[pos [i0 i0P]]; apply: label_attn => [|i]; first by case: (size x) i0 {i0P} => [[]|].
rewrite plain_attends //; last by apply/set0Pn; exists i0.
move=> iP; exists (P_X bar x / masked_prob bar x i.+1) => [|l]; last exact: plain_values.
rewrite divr_gt0 // lt0r -sum_masked_joint masked_sum_neq0 ?ltn_ord //= sumr_ge0 // => g _; exact: masked_joint_ge0.
Qed.

End Plain.

(** ** Behind a prompt that restores the law of H_1 *)

Section Prompted.

Variables (u : letter R Hbar) (r : R).
Hypotheses (u01 : is_prompt u) (r0 : 0 < r) (rest : restores m u V j r).

(** q'Theta1 W is nowhere larger than K, so that beta_1 = (0, -1 - K) keeps the prompt's position out. *)
Definition key_row (z : X) : R := \sum_(h in Hs) state_dual V dual h z.
Definition key_bound : R := \sum_c `|dot key_row (memory_column m c)|.
Definition prompted_head : attention R N M S X K := head V Hs dual mu 1 (- 1 - key_bound).
Notation behind := prompted_head.

Lemma key_output p : (forall g, 0 <= p g) -> dot key_row (output m p) <= key_bound.
Proof.
move=> p0; have bound0 : 0 <= key_bound by apply: sumr_ge0 => c _; exact: normr_ge0.
rewrite dot_output; have [->|nz] := eqVneq (\sum_g p g) 0; first by rewrite invr0 mulr0.
rewrite ler_pdivr_mulr ?lt0r ?nz ?sumr_ge0 // mulr_sumr; apply: ler_sum => g _; apply: ler_wpmul2r => //.
apply: le_trans (ler_norm _) _; rewrite /key_bound (bigD1 (read g)) //= ler_addl.
by apply: sumr_ge0 => c _; exact: normr_ge0.
Qed.

(** The law at position i + 1 behind the prompt. *)
Lemma prompted_law x i z : (1 <= i <= size x)%N -> prompted_output m u x i.+1 z = output m (law_at r x i) z.
Proof.
move=> le_i; rewrite prompted_output_law //; last by case/andP: le_i.
by apply: output_ext => g; exact: restored.
Qed.

Lemma prompt_score x : attention_score behind (prompted_output m u x) 1 <= - 1.
Proof.
have out1 : prompted_output m u x 1 =1 output m (hat_masked_joint bar u (prompted x) 1).
  by move=> z; rewrite prompted_output_law.
have := key_output (fun g => hat_masked_joint_ge0 m (prompted x) 1 g u01).
rewrite score_head -dot_add mul1r /= (eq_dot (frefl _) out1) => le_bound.
by rewrite addrCA ger_addl subr_le0.
Qed.

Lemma prompted_score x i : (1 <= i <= size x)%N ->
  attention_score behind (prompted_output m u x) i.+1 = share Hs (law_at r x i).
Proof.
move=> le_i; rewrite (score_law Hs_j dualP mu _ _ (@law_at_within r x i) (fun z => prompted_law z le_i)).
by case: i le_i => // i _; rewrite mulr0 addr0.
Qed.

Lemma prompted_embeddingE z0 x i c : (1 <= i <= size x)%N ->
  prompted_embedding m u x i.+1 c = memit m (nth z0 x i.-1) c.
Proof. case: i => // i lt_i; rewrite /prompted_embedding /letter_at /= (nth_map z0) //; exact: (phi_eta m). Qed.

(** The prompt's position is never attended to. *)
Lemma prompt_not_attended x : (0 < size x)%N -> ord0 \notin attended behind (size x).+1 (prompted_output m u x).
Proof.
move=> x0; rewrite inE negb_forall; apply/existsP; exists (inord 1); rewrite inordK // -ltNge.
apply: (@lt_le_trans _ _ 0); last by rewrite prompted_score //; exact: share_ge0 (law_at_ge0 _ _ r0).
by apply: le_lt_trans (prompt_score x) _; rewrite oppr_lt0.
Qed.

(** P[Xhat = xhat], at any position. *)
Lemma P_hat_law z0 x i : (1 <= i <= size x)%N ->
  P_hat bar u (prompted x) = \sum_g memit m (nth z0 x i.-1) (read g) * law_at r x i g.
Proof. by move=> le_i; rewrite (P_hat_masked m u z0 le_i); apply: eq_bigr => g _; rewrite (restored g rest le_i). Qed.

Lemma P_hat_score x l : 0 < P_X bar x -> (0 < size x)%N -> P_hat bar u (prompted x) = 0 ->
  dot (mu l) (memory_posterior m j x) = 0.
Proof.
case: x => // z0 x pos _; rewrite (P_hat_law z0 (i := 1)) // => /eqP; rewrite psumr_eq0 => [/allP none|g _]; last first.
  by rewrite mulr_ge0 ?law_at_ge0 // (proj1 (memit_law m _)).
have /eqP := score_of_law r z0 l pos (isT : (1 <= 1 <= size (z0 :: x))%N).
rewrite big1 => [|g _]; last by have /none/eqP-> := mem_index_enum g; rewrite mulr0.
by rewrite eq_sym mulf_eq0 mulf_eq0 (negbTE (lt0r_neq0 r0)) (negbTE (lt0r_neq0 pos)) => /eqP.
Qed.

(** Where xhat is possible, so are all its masked laws. *)
Lemma law_neq0 x i : P_hat bar u (prompted x) != 0 -> (1 <= i <= size x)%N -> \sum_g law_at r x i g != 0.
Proof.
case: x => [|z0 x] possible le_i; first by case: i le_i.
apply: contra_neq possible => /eqP; rewrite psumr_eq0 => [/allP none|g _]; last exact: law_at_ge0.
by rewrite (P_hat_law z0 le_i) big1 // => g _; have /none/eqP-> := mem_index_enum g; rewrite mulr0.
Qed.

(** ** Where the head attends, and its label *)

Lemma prompted_IhatP x (i : 'I_(size x).+1) : (0 < i)%N ->
  reflect (forall g, law_at r x i g != 0 -> g.2 \in Hs) (i \in prompted_Ihat m u Hs x).
Proof.
move=> i0; have le_i : (1 <= i <= size x)%N by rewrite i0 -ltnS ltn_ord.
rewrite inE i0 /=; have -> : [forall h, (0 < prompted_hidden m u x i.+1 h) ==> (h \in Hs)] =
    [forall h, (0 < \sum_(g | g.2 == h) law_at r x i g) ==> (h \in Hs)].
  by apply: eq_forallb => h; congr ((0 < _) ==> _); apply: eq_bigr => g _; exact: restored.
by apply: sureP; exact: law_at_ge0.
Qed.

(** Ihat is among the positions at which H_i surely is in H* behind the prompt. *)
Lemma Ihat_prompted x (i : 'I_(size x)) : i \in Ihat m Hs x -> lift ord0 i \in prompted_Ihat m u Hs x.
Proof.
move=> /IhatP sure; apply/prompted_IhatP => // g; apply: contra_neqT => gH.
rewrite /law_at; have -> : masked_joint bar x (lift ord0 i) g = 0; last by rewrite !mulr0.
by apply/eqP; apply: contraNT gH; exact: sure.
Qed.

(** C.9, repaired. *)
Lemma prompted_attends x : (exists i : 'I_(size x), i \in Ihat m Hs x) ->
  (forall i, (1 <= i <= size x)%N -> \sum_g law_at r x i g != 0) ->
  attended behind (size x).+1 (prompted_output m u x) = prompted_Ihat m u Hs x.
Proof.
move=> [i0 /Ihat_prompted i0P] nz; apply: (attended_top (c := 1)) => [|i iP|i].
- by apply/set0Pn; exists (lift ord0 i0).
- have i_gt0 : (0 < i)%N by move: iP; rewrite inE; case/andP.
  have le_i : (1 <= i <= size x)%N by rewrite i_gt0 -ltnS ltn_ord.
  by rewrite prompted_score //; apply: share1; [exact: nz | exact/prompted_IhatP].
have [->|i_gt0] := posnP i.
  by move=> _; apply: le_lt_trans (prompt_score x) (lt_trans _ ltr01); rewrite oppr_lt0.
have le_i : (1 <= i <= size x)%N by rewrite i_gt0 -ltnS ltn_ord.
move=> /(prompted_IhatP i_gt0) unsure; rewrite prompted_score //.
have [g /andP[g_nz gH]] : exists g, (law_at r x i g != 0) && (g.2 \notin Hs).
  apply/existsP; apply: contra_notT unsure => /existsPn none g g_nz.
  by have := none g; rewrite g_nz /= negbK.
exact: share_lt1 (law_at_ge0 x i r0) g_nz gH.
Qed.

(** C.13: where H_i surely is in H*, the value is mu_l'P[Xhat_i = xhat_i, M_{j*} | Xhat_-i = xhat_-i], *)
Lemma prompted_display x i l : (1 <= i <= size x)%N -> (forall g, law_at r x i g != 0 -> g.2 \in Hs) ->
  attention_value behind (prompted_output m u x) (prompted_embedding m u x) l i.+1 =
  dot (mu l) (prompted_memory m u j x i.+1).
Proof.
case: x => [|z0 x] le_i sure; first by case: i le_i {sure}.
rewrite (value_law Hs_j dualP mu _ _ _ _ (@law_at_within r (z0 :: x) i) (fun z => prompted_law z le_i)).
have -> : \sum_g law_at r (z0 :: x) i g = hat_masked_prob bar u (prompted (z0 :: x)) i.+1.
  by rewrite -sum_hat_masked_joint; apply: eq_bigr => g _; rewrite (restored g rest le_i).
rewrite /dot [RHS](eq_bigr _ (fun a _ => mulrA _ _ _)) -mulr_suml; congr (_ / _).
rewrite big_mkcond [LHS](partition_big (fun g : Hbar => g.1 j) xpredT) //=; apply: eq_bigr => a _.
rewrite mulr_sumr; apply: eq_bigr => g /eqP->.
rewrite (prompted_embeddingE z0) // (joint_hat_masked m u z0 g le_i) (restored g rest le_i) -/(law_at r (z0 :: x) i g).
by case: ifPn => // gH; have [->|/sure] := eqVneq (law_at r (z0 :: x) i g) 0; rewrite ?mulr0 // (negbTE gH).
Qed.

(** a multiple of F*'s score, *)
Lemma prompted_values x i l : 0 < P_X bar x -> (1 <= i <= size x)%N -> \sum_g law_at r x i g != 0 ->
  (forall g, law_at r x i g != 0 -> g.2 \in Hs) ->
  attention_value behind (prompted_output m u x) (prompted_embedding m u x) l i.+1 =
  r * P_X bar x / (\sum_g law_at r x i g) * dot (mu l) (memory_posterior m j x).
Proof.
case: x => [|z0 x] pos le_i nz sure; first by case: i le_i {nz sure}.
apply: (values_right (z0 := z0) (r := r) _ _ pos le_i (fun z => prompted_law z le_i)) => // c.
exact: prompted_embeddingE.
Qed.

(** and 0 where xhat is impossible. *)
Lemma prompted_values0 x i l : (1 <= i <= size x)%N -> P_hat bar u (prompted x) = 0 ->
  attention_value behind (prompted_output m u x) (prompted_embedding m u x) l i.+1 = 0.
Proof.
case: x => [|z0 x] le_i impossible; first by case: i le_i.
apply: (values_zero (z0 := z0) _ _ r0 (fun z => prompted_law z le_i)) => [c|]; first exact: prompted_embeddingE.
by rewrite -P_hat_law.
Qed.

(** 4.6 and C.6. *)
Lemma prompted_right x : in_R m Hs x ->
  attention_head behind (size x).+1 (prompted_output m u x) (prompted_embedding m u x) = memory_F_star m mu j x.
Proof.
move=> /in_R_Ihat[pos [i0 i0P]]; have x0 : (0 < size x)%N by exact: leq_ltn_trans (ltn_ord i0).
apply: label_attn => // i; have [impossible|possible] := eqVneq (P_hat bar u (prompted x)) 0.
  have [i_0|i_gt0] := posnP i; first by rewrite (_ : i = ord0) ?(negbTE (prompt_not_attended x0)) //; exact: val_inj.
  by move=> _; exists 1 => // l; rewrite prompted_values0 ?P_hat_score ?mulr0 // i_gt0 -ltnS ltn_ord.
have nz k : (1 <= k <= size x)%N -> \sum_g law_at r x k g != 0 by exact: law_neq0.
rewrite prompted_attends; [move=> iP | by exists i0 | by []].
have i_gt0 : (0 < i)%N by move: iP; rewrite inE; case/andP.
have le_i : (1 <= i <= size x)%N by rewrite i_gt0 -ltnS ltn_ord.
exists (r * P_X bar x / \sum_g law_at r x i g) => [|l]; last first.
  by apply: prompted_values => //; [exact: nz | exact/prompted_IhatP].
by rewrite divr_gt0 ?mulr_gt0 // lt0r nz // sumr_ge0 // => g _; exact: law_at_ge0.
Qed.

End Prompted.

End Theorems.

(** ** The assumptions give dual vectors *)

Section Duals.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X).

Lemma recoverable_cell (j : 'I_N) (S' : {set S}) h : h \in recoverable j S' -> h.1 = j.
Proof. by rewrite inE => /andP[/eqP]. Qed.

Lemma duals_4_2 (j : 'I_N) (H' : {set hidden N S}) : separated m setT H' (setX setT (~: H')) ->
  exists dual, dual_vectors m j setT H' dual.
Proof.
move=> sep; apply: (separated_duals sep); apply/subsetP => -[a h] _.
by rewrite in_setU !in_setX in_setT in_setC orbN.
Qed.

Lemma duals_C_5 V (j : 'I_N) (S' : {set S}) : assumption_C_5 m V j S' ->
  exists dual, dual_vectors m j V (recoverable j S') dual.
Proof.
move=> sep; apply: (separated_duals sep); apply/subsetP => -[a [k s]].
by rewrite !inE /=; case: (k == j); case: (a \in V); case: (s \in S').
Qed.

End Duals.

Lemma duals_4_5 (R : realFieldType) (M S X : finType) (m : memory_hmm R 1 M S X) V (H' : {set hidden 1 S}) :
  assumption_4_5 m V H' -> exists dual, dual_vectors m ord0 V H' dual.
Proof.
move=> sep; apply: (separated_duals sep); apply/subsetP => -[a [k s]].
by rewrite in_setU !in_setX in_setC inE /= ord1 eqxx /= => ->; rewrite orbN.
Qed.

(** ** Theorems 4.3, 4.6, C.6 *)

Theorem theorem_4_3_from_less : statement_4_3_from_less.
Proof.
move=> R N M S X m K mu j H' H_j /(duals_4_2 j)[dual dualP].
exists (head setT H' dual mu 0 0) => x inR; apply/esym.
exact: (plain_right H_j (subsetT _) dualP).
Qed.

Theorem theorem_4_3 : statement_4_3.
Proof.
move=> R N M S X m K mu j S' _ sep.
have [a right] := theorem_4_3_from_less mu (@recoverable_cell _ _ j S') sep.
by exists a, (memit m).
Qed.

Theorem theorem_C_6_from_less : statement_C_6_from_less.
Proof.
move=> R N M S X m K mu j S' stat /duals_C_5[dual dualP] u.
exists (prompted_head m mu (supp mu) (recoverable j S') dual) => x inR; apply/esym.
have rest := paper_prompt_restores (supp mu) j stat.
have u01 : is_prompt u by exact: paper_prompt_is_prompt.
exact: (prompted_right (@recoverable_cell _ _ j S') (fintype.subxx _) dualP u01 ltr01 rest).
Qed.

Theorem theorem_C_6 : statement_C_6.
Proof.
move=> R N M S X m K mu j S' [_ stat] sep; have [a right] := theorem_C_6_from_less stat sep.
by exists (paper_prompt (supp mu) j), a; split; [exact: paper_prompt_is_prompt | exact: right].
Qed.

Theorem theorem_C_6_restoring : statement_C_6_restoring.
Proof.
move=> R N M S X m K mu j S' reach /duals_C_5[dual dualP] u.
have u01 : is_prompt u by exact: restoring_prompt_is_prompt.
have top0 : 0 < (\sum_h first_ratio m h)^-1 by rewrite invr_gt0; exact: sum_first_ratio_gt0.
have rest := restoring_prompt_restores (supp mu) j reach.
split; [exact: u01 | exists (prompted_head m mu (supp mu) (recoverable j S') dual) => x inR; apply/esym].
exact: (prompted_right (@recoverable_cell _ _ j S') (fintype.subxx _) dualP u01 top0 rest).
Qed.

(** With one cell every state reads it. *)
Lemma one_cell (S : finType) (H' : {set hidden 1 S}) h : h \in H' -> h.1 = ord0. Proof. by move=> _; exact: ord1. Qed.

Theorem theorem_4_6_from_less : statement_4_6_from_less.
Proof.
move=> R M S X m K mu H' stat /duals_4_5[dual dualP] u.
exists (prompted_head m mu (supp mu) H' dual) => x inR; apply/esym.
have rest := paper_prompt_restores (supp mu) ord0 stat.
have u01 : is_prompt u by exact: paper_prompt_is_prompt.
exact: (prompted_right (@one_cell _ H') (fintype.subxx _) dualP u01 ltr01 rest).
Qed.

Theorem theorem_4_6 : statement_4_6.
Proof.
move=> R M S X m K mu H' [_ stat] sep; have [a right] := theorem_4_6_from_less stat sep.
by exists (paper_prompt (supp mu) ord0), a; split; [exact: paper_prompt_is_prompt | exact: right].
Qed.

Theorem theorem_4_6_restoring : statement_4_6_restoring.
Proof.
move=> R M S X m K mu H' reach /duals_4_5[dual dualP] u.
have u01 : is_prompt u by exact: restoring_prompt_is_prompt.
have top0 : 0 < (\sum_h first_ratio m h)^-1 by rewrite invr_gt0; exact: sum_first_ratio_gt0.
have rest := restoring_prompt_restores (supp mu) ord0 reach.
split; [exact: u01 | exists (prompted_head m mu (supp mu) H' dual) => x inR; apply/esym].
exact: (prompted_right (@one_cell _ H') (fintype.subxx _) dualP u01 top0 rest).
Qed.

(** ** What 4.4 gives *)

Theorem remark_4_4_full_support : statement_4_4_full_support.
Proof. by move=> R N M S X m irr stat; exact: remark_stationary_full_support. Qed.

Theorem remark_first_reaches : statement_first_reaches.
Proof.
move=> R N M S X m; split=> [erg h _|stat h]; first exact: ergodic_P_H_gt0.
by rewrite stationary_P_H.
Qed.

(** ** One row of mu *)

Section Binary.

Variables (R : realFieldType) (N : nat) (M S X : finType) (a : attention R N M S X 1).

(** Of two rows of values only their difference matters. *)
Definition one_row : attention R N M S X 0 :=
  Attention (query a) (key a) (position a) (value a) (fun _ c => rows a ord_max c - rows a ord0 c).

Lemma attn_one_row t g emb : attn one_row t g emb ord0 = attn a t g emb ord_max - attn a t g emb ord0.
Proof.
rewrite /attn -mulrBl -sumrB; congr (_ / _); apply: eq_bigr => i _.
by rewrite /attention_value dotB.
Qed.

Lemma binary_attention (T : finType) (mu p : T -> R) t g emb :
  label (fun l => dot (binary mu l) p) = attention_head a t g emb -> (0 <= dot mu p) = (0 <= attn one_row t g emb ord0).
Proof.
move=> eq_label; rewrite -label_binary eq_label attn_one_row subr_ge0.
apply/eqP/idP => [/labelP/forallP/(_ ord0)|le01].
  by rewrite /= andbT orbC -le_eqVlt.
apply/labelP/forallP => k; rewrite /= -ltnS ltn_ord andbT orbC -le_eqVlt.
have [->|neq] := eqVneq k ord0; first by [].
by have -> : k = ord_max by apply: val_inj; case: k neq => [[|[]]].
Qed.

End Binary.

Theorem theorem_4_3_binary : statement_4_3_binary.
Proof.
move=> R N M S X m mu j S' erg sep; have [a [emb right]] := theorem_4_3 (binary mu) erg sep.
by exists (one_row a), emb => x /right; exact: binary_attention.
Qed.

Theorem theorem_4_6_binary : statement_4_6_binary.
Proof.
move=> R M S X m mu H' stat sep; have [u [a [u01 right]]] := theorem_4_6 stat sep.
by exists u, (one_row a); split=> // x /right; exact: binary_attention.
Qed.

Theorem theorem_C_6_binary : statement_C_6_binary.
Proof.
move=> R N M S X m mu j S' stat sep; have [u [a [u01 right]]] := theorem_C_6 stat sep.
by exists u, (one_row a); split=> // x /right; exact: binary_attention.
Qed.
