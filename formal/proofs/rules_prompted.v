(** Rules of the certificate format on memory models: heads behind a prompt (section 10). *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory statements.memory
  statements.rules_memory proofs.paths proofs.linear proofs.message_passing proofs.entered proofs.theorems_3
  proofs.memory_laws proofs.attention proofs.restoring proofs.theorems_4 proofs.walks proofs.rules_wielandt
  proofs.rules_attention.

Section Behind.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X).
Variables (u : letter R (full N M S)) (Q : {set memory N M}) (y : R).
Notation Hbar := (full N M S).
Notation bar := (hbar m).
Implicit Types (x : seq X) (i : nat) (g : Hbar).
Hypothesis rest : restores_memories m u Q y.

(** H_2 behind the prompt has the law of H_1, where the memory is in Q; *)
Lemma restored_next g : next bar (fun g' => P_H bar 1 g' * u g') g = y * ((g.1 \in Q)%:R * P_H bar 1 g).
Proof.
rewrite [LHS]sum_pair (bigD1 g.1) //= [X in _ + X]big1 ?addr0 => [|c /negbTE neq]; last first.
  by rewrite big1 // => h _; rewrite /bar_trans /= eq_sym neq !mul0r.
have -> : \sum_h bar_trans m g (g.1, h) * (P_H bar 1 (g.1, h) * u (g.1, h)) =
    memory_prob m g.1 * \sum_f mtrans m g.2 f * (P_H (chain m) 1 f * u (g.1, f)).
  rewrite mulr_sumr; apply: eq_bigr => h _; rewrite P_H_bar /bar_trans /= eqxx mul1r.
  by rewrite -[_ * _ * u _]mulrA [LHS]mulrCA.
rewrite P_H_bar; have [->|nz] := eqVneq (memory_prob m g.1) 0; first by rewrite !mul0r !mulr0.
have pos : 0 < memory_prob m g.1 by rewrite lt_neqAle eq_sym nz memory_prob_ge0.
have := rest pos; case: (g.1 \in Q) => [->|zero]; first by rewrite mul1r mulrCA.
by rewrite big1 ?mul0r ?mulr0 // => f _; rewrite zero !mulr0.
Qed.

(** and so it remains. *)
Lemma hat_law x i g : (1 <= i <= size x)%N -> hat_masked_joint bar u (prompted x) i.+1 g = law m y Q x i g.
Proof.
rewrite /law mulrA; apply: (hat_restored (f := fun c => y * (c \in Q)%:R)) => h; rewrite -mulrA; exact: restored_next.
Qed.

(** Where H_{n+1} can be, some state of H_1 leads in n steps. *)
Lemma reached n h : 0 < P_H (chain m) n.+1 h -> exists2 f, 0 < P_H (chain m) 1 f & 0 < trans_power (chain m) n h f.
Proof.
elim: n h => [|n IH] h; first by exists h; rewrite //= eqxx ltr01.
rewrite P_HS /next sum_gt0 => [/existsP[g]|g]; last by rewrite mulr_ge0 ?trans_ge0 ?P_H_ge0.
rewrite mul_gt0 ?trans_ge0 ?P_H_ge0 // => /andP[hg /IH[f f_pos gf]]; exists f => //.
by rewrite power_walk; apply: walk_cons hg _; rewrite -power_walk.
Qed.

Lemma law_in_D (D : {set cell_state N M S}) x i g : is_prompt u -> 0 < y -> all_possible_behind m u D ->
  (1 <= i <= size x)%N -> law m y Q x i g != 0 -> read g \in D.
Proof.
move=> u01 y0 all_D le_i /law_masked[gQ /(masked_possible le_i)].
case: i le_i => // n _; rewrite P_H_bar mul_gt0 ?memory_prob_ge0 ?P_H_ge0 // => /andP[c_pos /reached[f1 f1_pos hf1]].
have u0 f : 0 <= u f by case/andP: (u01 f).
have : 0 < y * P_H (chain m) 1 f1 by exact: mulr_gt0.
have := rest c_pos; rewrite gQ => /(_ f1) <-; rewrite sum_gt0 => [/existsP[f]|f]; last first.
  by rewrite !mulr_ge0 ?P_H_ge0 ?(proj1 (mtrans_law m f)).
rewrite !mul_gt0 ?mulr_ge0 ?P_H_ge0 ?(proj1 (mtrans_law m f)) // => /and3P[ff1 f_pos u_pos].
rewrite [g]surjective_pairing; apply: (all_D _ f _ n) => //; rewrite power_walk -[n.+1]addn1.
by apply: walk_cat (_ : walk _ 1 f1 f); [rewrite -power_walk | rewrite walk1].
Qed.

End Behind.

Theorem rule_values_behind : statement_rule_values_behind.
Proof.
move=> R N M S X m K mu j Hs a u Q D D' k b r y Hs_j u01 y0 rest mu_Q [all_D all_D' keys same first] [_ r0 values off].
move=> x x_R; have [pos [i0 i0P]] := in_R_Ihat x_R.
have x_size : (0 < size x)%N by exact: leq_ltn_trans (ltn_ord i0).
have [z0 _] : exists z0 : X, True by case: (x) x_size => [//|z0 ? _]; exists z0.
pose p i := law m y Q x i; pose gbar := memory_Gbar m (ehat m u x).
pose emb i : cell_state N M S -> R := phi (letter_at (ehat m u x) i).
have p0 i h : 0 <= p i h by exact: law_ge0.
have out i : (1 <= i <= size x)%N -> gbar i.+1 =1 output m (p i).
  move=> le_i z; rewrite /gbar -/(prompted_output m u x i.+1 z) prompted_output_law //; last by case/andP: le_i.
  by apply: output_ext => g; rewrite (hat_law rest).
have emb_z i : (1 <= i <= size x)%N -> emb i.+1 =1 memit m (nth z0 x i.-1).
  by move=> le_i c; exact: (prompted_embeddingE m u z0).
have in_D i g : (1 <= i <= size x)%N -> p i g != 0 -> read g \in D by move=> le_i; exact: (law_in_D rest u01 y0 all_D).
have P_hat_p i : (1 <= i <= size x)%N -> P_hat (hbar m) u (prompted x) =
    \sum_g memit m (nth z0 x i.-1) (read g) * p i g.
  by move=> le_i; rewrite (P_hat_masked m u z0 le_i); apply: eq_bigr => g _; rewrite (hat_law rest).
pose q := hat_masked_joint (hbar m) u (prompted x) 1.
have q0 h : 0 <= q h by exact: hat_masked_joint_ge0.
have out1 : gbar 1%N =1 output m q by move=> z; rewrite /gbar -/(prompted_output m u x 1 z) prompted_output_law.
have qE g : q g = around (hbar m) [::] (embed (hbar m) x) g.
  by rewrite /q /prompted (hat_masked_jointE (hbar m) u [::]) -map_comp.
have q_D' g : q g != 0 -> read g \in D'.
  rewrite qE /around -P_H1 P_H_bar !mulf_eq0 !negb_or -andbA => /and3P[c_nz h_nz _].
  rewrite [g]surjective_pairing; apply: (all_D' g.1 g.2 1%N) => //; first by rewrite lt0r c_nz memory_prob_ge0.
  by rewrite lt0r h_nz P_H_ge0.
(* The prompt's position, if its output is not 0, scores less than any other. *)
have prompt_low : \sum_g q g != 0 -> forall i, (1 <= i <= size x)%N ->
    attention_score a gbar 1 < attention_score a gbar i.+1.
  move=> q_nz i le_i; rewrite (key_output a out1) (key_output a (out i le_i)) (same i.+1) //; last by case/andP: le_i.
  rewrite -ltr_subr_addr; apply: (mean_lt_all q0 q_nz) => g /q_D' /first[low0 low].
  rewrite ltr_subr_addr -ltr_subl_addr.
  have [p_0|p_nz] := eqVneq (\sum_h p i h) 0; first by rewrite p_0 invr0 mulr0 subr_lt0.
  by apply: mean_gt_all => // h /(in_D i h le_i)/low; rewrite ltr_subl_addr.
have not_first (i : 'I_(size x).+1) : \sum_g q g != 0 -> i \in attended a (size x).+1 gbar -> (0 < i)%N.
  move=> q_nz iP; rewrite lt0n; apply: contraTN iP => /eqP i_0.
  rewrite inE; apply/forallPn; exists (inord 1); rewrite inordK ?ltnS // -ltNge i_0; exact: prompt_low.
apply/esym/label_attn_difference => // i iP.
have le_i : (0 < i)%N -> (1 <= i <= size x)%N by move=> ->; rewrite -ltnS ltn_ord.
have [impossible|possible] := eqVneq (P_hat (hbar m) u (prompted x)) 0.
  have zero n : (1 <= n <= size x)%N -> forall g, memit m (nth z0 x n.-1) (read g) * p n g = 0.
    move=> le_n g; have /eqP := P_hat_p n le_n; rewrite impossible eq_sym psumr_eq0 => [/allP/(_ g)|h _].
      by rewrite mem_index_enum => /(_ isT)/eqP.
    by rewrite mulr_ge0 // (proj1 (memit_law m _)).
  exists 1 => [|l]; first exact: ltr01.
  have -> : dot (mu l) (memory_posterior m j x) - dot (mu ord0) (memory_posterior m j x) = 0.
    have le1 : (1 <= 1 <= size x)%N by [].
    have /esym/eqP := score_law y z0 pos le1 mu_Q l; rewrite big1 => [|g _]; last by rewrite (zero 1%N) ?mulr0.
    by rewrite mulf_eq0 gt_eqF ?mulr_gt0 //= => /eqP.
  rewrite mulr0; have [i_0|i_gt0] := posnP i.
    have [q_0|q_nz] := eqVneq (\sum_g q g) 0; last by have := not_first i q_nz iP; rewrite i_0.
    rewrite !valueE i_0 -/(gbar 1%N); have g0 : gbar 1%N =1 fun=> 0 by move=> z; rewrite out1 /output q_0 invr0 mulr0.
    by rewrite /dot !big1 ?subrr // => z _; rewrite -/gbar g0 mulr0.
  rewrite (value_output a l (out i (le_i i_gt0)) (emb_z i (le_i i_gt0))) big1 ?mul0r // => g _.
  have [->|p_nz] := eqVneq (p i g) 0; first by rewrite mulr0.
  have gD := in_D i g (le_i i_gt0) p_nz.
  have [gH|gH] := boolP (g.2 \in Hs); last by rewrite off ?mul0r // readE.
  rewrite values //; last by rewrite readE.
  by rewrite -!mulrA (zero i (le_i i_gt0)) !mulr0.
have p_nz n : (1 <= n <= size x)%N -> \sum_g p n g != 0.
  move=> le_n; apply: contraNneq possible => /eqP; rewrite psumr_eq0 // (P_hat_p n le_n) => /allP none.
  by rewrite big1 // => g _; have /eqP-> := none g (mem_index_enum g); rewrite mulr0.
have q_nz : \sum_g q g != 0.
  apply: contraNneq possible => /eqP; rewrite psumr_eq0 // P_hat_prob (prob_cons (hbar m) [::]) => /allP none.
  by rewrite big1 // => g _; have /eqP := none g (mem_index_enum g); rewrite qE => ->; rewrite mul0r.
have i_gt0 := not_first i q_nz iP; have {}le_i := le_i i_gt0.
have scoreE n : (1 <= n <= size x)%N ->
    attention_score a gbar n.+1 = (\sum_h key_score m a (read h) * p n h) / (\sum_h p n h) + b.
  by move=> le_n; rewrite (key_output a (out n le_n)) same //; case/andP: le_n.
have sure g : p i g != 0 -> g.2 \in Hs.
  move=> nz; apply: contraTT iP => gH; rewrite inE; apply/forallPn; exists (lift ord0 i0).
  have le_i0 : (1 <= lift ord0 i0 <= size x)%N by rewrite /= ltn_ord.
  rewrite -ltNge !scoreE // ltr_add2r; set k0 := (\sum_h _ * p (lift _ _) h) / _.
  have -> : k0 = k.
    apply: mean_eq => [|h nz_h]; first exact: p_nz.
    have /IhatP sure0 := i0P; have [_ /sure0 hH] := law_masked nz_h.
    by have := keys _ (in_D _ h le_i0 nz_h); rewrite readE hH.
  apply: (mean_lt (p0 i) (p_nz i le_i) _ nz) => [h nz_h|].
    by have := keys _ (in_D i h le_i nz_h); case: ifP => _ => [->|/ltW].
  by have := keys _ (in_D i g le_i nz); rewrite readE (negbTE gH).
exists (r * (y * P_X (hbar m) x) / \sum_g p i g) => [|l].
  by rewrite divr_gt0 ?(mass_gt0 (p0 i) (p_nz i le_i)) // !mulr_gt0.
rewrite (value_output a l (out i le_i) (emb_z i le_i)).
rewrite (sum_values Hs_j z0 pos le_i mu_Q values) => [|g|]; [| exact: in_D | exact: sure].
by rewrite [r * _]mulrA mulrAC.
Qed.
