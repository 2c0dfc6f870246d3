(** Rules of the certificate format on memory models: heads that compute F* on R (section 10). *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory statements.memory
  statements.rules_memory proofs.paths proofs.linear proofs.message_passing proofs.entered proofs.theorems_3
  proofs.memory_laws proofs.attention proofs.restoring proofs.theorems_4.

Lemma mul_gt0 (R : realFieldType) (s t : R) : 0 <= s -> 0 <= t -> (0 < s * t) = (0 < s) && (0 < t).
Proof. by move=> s0 t0; rewrite !lt0r mulf_eq0 negb_or mulr_ge0 // s0 t0 !andbT. Qed.

(** ** Means *)

Section Means.

Variables (R : realFieldType) (T : finType) (p F : T -> R) (k : R).
Hypotheses (p0 : forall t, 0 <= p t) (nz : \sum_t p t != 0).

Lemma mass_gt0 : 0 < \sum_t p t. Proof. by rewrite lt_neqAle eq_sym nz sumr_ge0. Qed.

Lemma some_mass : exists t, p t != 0.
Proof.
apply/existsP; apply: contraNT nz => /existsPn none; rewrite big1 // => t _; by apply/eqP/negPn; exact: none.
Qed.

Lemma mean_eq : (forall t, p t != 0 -> F t = k) -> (\sum_t F t * p t) / (\sum_t p t) = k.
Proof.
move=> eq_k; have -> : \sum_t F t * p t = k * \sum_t p t; last by rewrite mulfK.
rewrite mulr_sumr; apply: eq_bigr => t _; by have [->|/eq_k->//] := eqVneq (p t) 0; rewrite !mulr0.
Qed.

Lemma mean_lt t0 : (forall t, p t != 0 -> F t <= k) -> p t0 != 0 -> F t0 < k -> (\sum_t F t * p t) / (\sum_t p t) < k.
Proof.
move=> le_k nz0 lt_k; rewrite ltr_pdivr_mulr ?mass_gt0 // -subr_gt0 mulr_sumr -sumrB sum_gt0 => [|t].
  by apply/existsP; exists t0; rewrite -mulrBl mulr_gt0 ?subr_gt0 // lt_neqAle eq_sym nz0 p0.
by rewrite -mulrBl; have [->|/le_k] := eqVneq (p t) 0; rewrite ?mulr0 // => le_t; rewrite mulr_ge0 ?subr_ge0.
Qed.

Lemma mean_lt_all : (forall t, p t != 0 -> F t < k) -> (\sum_t F t * p t) / (\sum_t p t) < k.
Proof. by move=> lt_k; have [t nz_t] := some_mass; apply: (mean_lt _ nz_t) => [t' /lt_k/ltW|]; last exact: lt_k. Qed.

End Means.

Lemma mean_gt_all (R : realFieldType) (T : finType) (p F : T -> R) (k : R) : (forall t, 0 <= p t) -> \sum_t p t != 0 ->
  (forall t, p t != 0 -> k < F t) -> k < (\sum_t F t * p t) / (\sum_t p t).
Proof.
move=> p0 nz gt_k; have : (\sum_t (- F t) * p t) / (\sum_t p t) < - k.
  by apply: mean_lt_all => // t /gt_k; rewrite ltr_opp2.
by under eq_bigr do rewrite mulNr; rewrite sumrN mulNr ltr_opp2.
Qed.

(** ** Scores and values of a head, from those of the columns *)

Section Label.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat).
Variables (a : attention R N M S X K).
Implicit Types (g : nat -> X -> R) (emb : nat -> cell_state N M S -> R).

Lemma key_scoreE g i : attention_score a g i = dot (key_vector a) (g i) + position_score a i.
Proof.
rewrite /attention_score /position_score /key_vector /dot.
under eq_bigr do rewrite mulrDr; rewrite big_split /=; congr (_ + _).
under eq_bigr do rewrite mulr_sumr; rewrite exchange_big; apply: eq_bigr => z _.
by rewrite mulr_suml; apply: eq_bigr => k _; rewrite mulrA [query a k * _]mulrC.
Qed.

Lemma valueE g emb l i : attention_value a g emb l i = dot (value_vector a l (emb i)) (g i).
Proof.
rewrite /attention_value /value_vector /dot.
under eq_bigr do rewrite mulr_suml mulr_sumr; rewrite exchange_big; apply: eq_bigr => z _.
rewrite mulr_suml; apply: eq_bigr => c _.
by rewrite mulrCA [_ * emb i c]mulrC -!mulrA; congr (_ * _); rewrite mulrCA; congr (_ * _); rewrite mulrC.
Qed.

(** On an output, the key score is the mean of those of the columns, and so are the values. *)
Lemma key_output g i p : g i =1 output m p ->
  attention_score a g i = (\sum_h key_score m a (read h) * p h) / (\sum_h p h) + position_score a i.
Proof. by move=> eq_g; rewrite key_scoreE (eq_dot (frefl _) eq_g) dot_output. Qed.

Lemma value_output g (emb0 : X -> letter R (cell_state N M S)) z emb l i p : g i =1 output m p -> emb i =1 emb0 z ->
  attention_value a g emb l i - attention_value a g emb ord0 i =
  (\sum_h column_value m a emb0 l z (read h) * p h) / \sum_h p h.
Proof.
move=> eq_g eq_emb; have eq_v k : attention_value a g emb k i = dot (value_vector a k (emb0 z)) (output m p).
  by rewrite valueE; apply: eq_dot => // z'; apply: eq_bigr => c _; rewrite eq_emb.
rewrite !eq_v !dot_output -mulrBl -sumrB; congr (_ / _); apply: eq_bigr => h _.
by rewrite -mulrBl.
Qed.

End Label.

(** ** Laws that are those without a prompt, up to a factor, where the memory is in Q *)

Section Heads.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat).
Variables (mu : 'I_K.+1 -> M -> R) (j : 'I_N) (Hs : {set hidden N S}) (a : attention R N M S X K).
Notation Hbar := (full N M S).
Notation bar := (hbar m).
Implicit Types (x : seq X) (i : nat) (g : Hbar) (D : {set cell_state N M S}) (Q : {set memory N M}).

(** What is possible with the rest of a text is possible. *)
Lemma masked_possible x i g : (1 <= i <= size x)%N -> masked_joint bar x i g != 0 -> 0 < P_H bar i g.
Proof.
move=> /cut[y [z [w [-> ->]]]]; rewrite masked_jointE lt_neqAle P_H_ge0 andbT eq_sym /around.
apply: contraNN => /eqP/esym P0; move: P0; rewrite -(size_map (e bar) y) => P0.
by have -> := next_P_H_eq0 (fun h => @alpha_P_H_eq0 _ _ _ bar (embed bar y) h) P0; rewrite mul0r.
Qed.

Lemma memory_prob_ge0 c : 0 <= memory_prob m c. Proof. exact: (proj1 (memory_prob_law m)). Qed.

Lemma possible_memory x i g : (1 <= i <= size x)%N -> masked_joint bar x i g != 0 -> 0 < memory_prob m g.1.
Proof.
move=> le_i /(masked_possible le_i); rewrite P_H_bar => pos; rewrite lt_neqAle memory_prob_ge0 andbT eq_sym.
by apply: contraTneq pos => ->; rewrite mul0r ltxx.
Qed.

Definition law (y : R) Q x i g : R := y * ((g.1 \in Q)%:R * masked_joint bar x i g).

Lemma law_ge0 y Q x i g : 0 < y -> 0 <= law y Q x i g.
Proof. by move=> y0; rewrite mulr_ge0 ?(ltW y0) // mulr_ge0 ?ler0n // masked_joint_ge0. Qed.

Lemma law_masked y Q x i g : law y Q x i g != 0 -> g.1 \in Q /\ masked_joint bar x i g != 0.
Proof. rewrite /law !mulf_eq0 !negb_or => /and3P[_ + ->]; by case: (g.1 \in Q); rewrite ?eqxx. Qed.

(** F*'s scores, from the law at a position. *)
Definition score x l : R := dot (mu l) (memory_posterior m j x).

Hypothesis Hs_j : forall h, h \in Hs -> h.1 = j.

Section Values.

Variables (y : R) (Q : {set memory N M}) (x : seq X) (i : nat) (z0 : X).
Hypotheses (y0 : 0 < y) (pos : 0 < P_X bar x) (le_i : (1 <= i <= size x)%N).
Hypothesis mu_Q : forall c : memory N M, 0 < memory_prob m c -> c j \in supp mu -> c \in Q.
Notation z := (nth z0 x i.-1).
Notation p := (law y Q x i).

Lemma score_law l : \sum_(g : Hbar) (mu l (g.1 j) - mu ord0 (g.1 j)) * (memit m z (read g) * p g) =
  y * P_X bar x * (score x l - score x ord0).
Proof.
have le_ix : (i <= size x)%N by case/andP: le_i.
rewrite /score !(dot_posterior m _ j le_ix) -mulrBl -sumrB [_ / _]mulrC mulrA mulfK ?lt0r_neq0 // mulr_sumr.
apply: eq_bigr => g _; rewrite -mulrBl (joint_masked m z0 g le_i) /law.
have [->|nz] := eqVneq (masked_joint bar x i g) 0; first by rewrite !mulr0.
have [gQ|gQ] := boolP (g.1 \in Q); first by rewrite mul1r [memit _ _ _ * (y * _)]mulrCA [LHS]mulrCA.
have mu0 k : mu k (g.1 j) = 0.
  by apply: supp_notin; apply: contraNN gQ; apply: mu_Q; exact: possible_memory nz.
by rewrite !mu0 subrr !mul0r mulr0.
Qed.

Variables (emb : X -> letter R (cell_state N M S)) (D : {set cell_state N M S}) (r : R).
Hypothesis values : values_on m mu Hs a D emb r.
Hypothesis in_D : forall g, p g != 0 -> read g \in D.

Lemma own_value l g : p g != 0 -> g.2 \in Hs ->
  column_value m a emb l z (read g) = r * ((mu l (g.1 j) - mu ord0 (g.1 j)) * memit m z (read g)).
Proof.
move=> nz gH; have := values z l (in_D nz); rewrite readE /= => -> //.
by have /Hs_j-> := gH.
Qed.

Lemma sum_values l : (forall g, p g != 0 -> g.2 \in Hs) ->
  \sum_g column_value m a emb l z (read g) * p g = r * (y * P_X bar x * (score x l - score x ord0)).
Proof.
move=> in_H; rewrite -score_law mulr_sumr; apply: eq_bigr => g _.
have [->|nz] := eqVneq (p g) 0; first by rewrite !mulr0.
by rewrite own_value ?in_H // -!mulrA.
Qed.

End Values.

(** ** Without a prompt *)

Lemma law_all x i g : law 1 setT x i g = masked_joint bar x i g. Proof. by rewrite /law inE !mul1r. Qed.

Section Keys.

Variables (D : {set cell_state N M S}) (k b : R).
Hypothesis keys : rule_keys m Hs a D k b.

Lemma masked_in_D x i g : (1 <= i <= size x)%N -> masked_joint bar x i g != 0 -> read g \in D.
Proof.
move=> le_i nz; have [all_D _ _] := keys; have := masked_possible le_i nz; rewrite P_H_bar.
rewrite mul_gt0 ?memory_prob_ge0 ?P_H_ge0 // => /andP[c_pos h_pos].
by rewrite [g]surjective_pairing; apply: all_D c_pos _ h_pos; case/andP: le_i.
Qed.

Lemma plain_keys x : in_R m Hs x -> attended a (size x) (G bar x) = Ihat m Hs x.
Proof.
move=> /in_R_Ihat[pos some]; have [_ key_D same] := keys.
have scoreE (i : 'I_(size x)) : attention_score a (G bar x) i.+1 =
    (\sum_h key_score m a (read h) * masked_joint bar x i.+1 h) / (\sum_h masked_joint bar x i.+1 h) + b.
  rewrite (key_output (m := m) a (p := masked_joint bar x i.+1)) ?same // => z.
  by rewrite G_output // ltn_ord.
have key_at (i : 'I_(size x)) g : masked_joint bar x i.+1 g != 0 ->
    if g.2 \in Hs then key_score m a (read g) = k else key_score m a (read g) < k.
  by move=> nz; have := key_D _ (masked_in_D (ltn_ord i : 1 <= i.+1 <= size x)%N nz); rewrite readE.
have nz (i : 'I_(size x)) : \sum_h masked_joint bar x i.+1 h != 0 by rewrite masked_sum_neq0 ?ltn_ord.
apply: (attended_top (c := k + b)) => [|i /IhatP sure|i unsure].
- by apply/set0Pn; case: some => i; exists i.
- rewrite scoreE; congr (_ + _); apply: mean_eq => // g nz_g.
  by have := key_at i g nz_g; rewrite (sure g nz_g).
have [g /andP[nz_g gH]] : exists g, (masked_joint bar x i.+1 g != 0) && (g.2 \notin Hs).
  apply/existsP; apply: contraNT unsure => /existsPn none; apply/IhatP => g nz_g.
  by have := none g; rewrite nz_g /= negbK.
rewrite scoreE ltr_add2r; apply: (mean_lt (masked_joint_ge0 m x i.+1) (nz i) _ nz_g) => [h nz_h|].
  by have := key_at i h nz_h; case: ifP => _ => [->|/ltW].
by have := key_at i g nz_g; rewrite (negbTE gH).
Qed.

Lemma plain_head emb r : rule_values m mu Hs a D emb r -> forall x, in_R m Hs x ->
  memory_F_star m mu j x = attention_head a (size x) (G bar x) (letter_at (map emb x)).
Proof.
move=> [_ r0 values] x x_R; have [pos [i0 _]] := in_R_Ihat x_R; apply/esym/label_attn_difference.
  exact: leq_ltn_trans (ltn_ord i0).
move=> i; rewrite plain_keys // => /IhatP sure; have le_i : (1 <= i.+1 <= size x)%N by rewrite ltn_ord.
have [z0 _] : exists z0 : X, True by case: (x) (i0) => [[]//|z0 ? _]; exists z0.
have nz : \sum_g law 1 setT x i.+1 g != 0 by under eq_bigr do rewrite law_all; exact: masked_sum_neq0.
have p0 g : 0 <= law 1 setT x i.+1 g by apply: law_ge0; exact: ltr01.
exists (r * (1 * P_X bar x) / \sum_g law 1 setT x i.+1 g) => [|l].
  by rewrite divr_gt0 ?mass_gt0 // mulr_gt0 // mul1r.
have out : G bar x i.+1 =1 output m (law 1 setT x i.+1).
  by move=> z; rewrite G_output //; apply: output_ext => g; rewrite law_all.
have emb_z : letter_at (map emb x) i.+1 =1 emb (nth z0 x i) by move=> c; rewrite (letter_at_map z0).
rewrite (value_output a l out emb_z).
rewrite (sum_values (y := 1) (Q := setT) z0 pos le_i (fun c _ _ => in_setT c) values) => [|g|g].
- by rewrite [r * _]mulrA mulrAC.
- by rewrite law_all; exact: masked_in_D.
- by rewrite law_all; exact: sure.
Qed.

End Keys.

End Heads.

Theorem rule_keys_attend : statement_rule_keys.
Proof. by move=> R N M S X m K Hs a D k g keys x; exact: plain_keys keys x. Qed.

Theorem rule_values_right : statement_rule_values.
Proof. by move=> R N M S X m K mu j Hs a emb D k g r Hs_j keys values x; exact: (plain_head Hs_j keys values). Qed.

(** ** Supports *)

Section Supports.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X).

(** The supports of P[H_{i+1}, X_1..X_i = y] and of beta(w). *)
Definition prediction (y : seq X) : {set H} := [set h | 0 < next m (alpha m (init m) (embed m y)) h].
Definition likelihood (w : seq X) : {set H} := [set h | 0 < beta m (embed m w) h].

Lemma prediction_ge0 y h : 0 <= next m (alpha m (init m) (embed m y)) h.
Proof. by apply: next_ge0 => g; apply: alpha_ge0; [exact: (proj1 (init_law m)) | exact: nonneg_embed]. Qed.

Lemma likelihood_ge0 w h : 0 <= beta m (embed m w) h. Proof. by apply: beta_ge0; exact: nonneg_embed. Qed.

Lemma prediction_rcons y z : prediction (rcons y z) = predicted m (prediction y) z.
Proof.
apply/setP => g; rewrite !inE {1}/next.
rewrite (eq_bigr (fun h => trans m g h * emit m z h * next m (alpha m (init m) (embed m y)) h)) => [|h _]; last first.
  by rewrite /embed map_rcons alpha_rcons -!mulrA; congr (_ * _); exact: mulrC.
have AW0 h : 0 <= trans m g h * emit m z h by rewrite mulr_ge0 ?trans_ge0 ?emit_ge0.
rewrite sum_gt0 => [|h]; last by rewrite mulr_ge0 ?prediction_ge0.
by apply: eq_existsb => h; rewrite inE mul_gt0 ?prediction_ge0 // andbC.
Qed.

Lemma likelihood_cons z w : likelihood (z :: w) = explained m (likelihood w) z.
Proof.
apply/setP => h; rewrite !inE /=; have AW0 g : 0 <= trans m g h * emit m z g by rewrite mulr_ge0 ?trans_ge0 ?emit_ge0.
rewrite (eq_bigr (fun g => trans m g h * emit m z g * beta m (embed m w) g)) => [|g _]; last by rewrite mulrA.
rewrite sum_gt0 => [|g]; last by rewrite mulr_ge0 ?likelihood_ge0.
by apply: eq_existsb => g; rewrite inE mul_gt0 ?likelihood_ge0 // andbC.
Qed.

End Supports.

Theorem rule_no_input : statement_rule_no_input.
Proof.
move=> R N M S X m Hs Fs Bs F0 F_next B0 B_next meet x [pos [i le_i sure]].
have [y [z [w [eq_x eq_i]]]] := cut le_i.
have F_in : prediction (hbar m) y \in Fs.
  elim/last_ind: y {eq_x eq_i} => [|y z' IH]; last by rewrite prediction_rcons; exact: F_next.
  rewrite (_ : prediction _ _ = [set h | 0 < P_H (hbar m) 1 h]) //.
  by apply/setP => g; rewrite !inE P_HS; congr (0 < _); apply: next_ext => h; rewrite P_H0.
have B_in : likelihood (hbar m) w \in Bs.
  elim: w {eq_x} => [|z' w IH]; last by rewrite likelihood_cons; exact: B_next.
  by rewrite (_ : likelihood _ _ = setT) //; apply/setP => g; rewrite !inE ltr01.
have inFB g : (g \in prediction (hbar m) y :&: likelihood (hbar m) w) = (masked_joint (hbar m) x i g != 0).
  rewrite eq_x eq_i masked_jointE !inE -mul_gt0 ?prediction_ge0 ?likelihood_ge0 // lt0r.
  by rewrite mulr_ge0 ?prediction_ge0 ?likelihood_ge0 ?andbT.
have [|h] := meet _ _ F_in B_in.
  have := masked_sum_neq0 pos le_i; apply: contraNneq => none; rewrite big1 // => g _.
  by apply/eqP; have := inFB g; rewrite none inE => /esym/negbT; rewrite negbK.
rewrite inFB => nz /negP; apply; apply: sure; rewrite /masked_hidden (bigD1 h) //=.
apply: ltr_paddr; first by apply: sumr_ge0 => g _; exact: masked_joint_ge0.
by rewrite lt0r nz masked_joint_ge0.
Qed.
