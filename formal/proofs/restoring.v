(** Prompts behind which H_2 has the law that H_1 has without one. *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory statements.memory proofs.paths
  proofs.linear proofs.message_passing proofs.memory_laws.

Section Restoring.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X).
Notation Hbar := (full N M S).
Notation bar := (hbar m).
Implicit Types (g : Hbar) (h : hidden N S) (j : 'I_N) (V : {set M}) (f : memory N M -> R) (q : hidden N S -> R).

(** Where M and H are independent, so they remain. *)
Lemma next_bar f q g : next bar (fun g => f g.1 * q g.2) g = f g.1 * next (chain m) q g.2.
Proof.
rewrite next_memory; congr (_ * _); rewrite [LHS]sum_pair (bigD1 g.1) //= [X in _ + X]big1 ?addr0 => [|c /negbTE neq].
  by apply: eq_bigr => h _; rewrite /bar_trans eqxx mul1r.
by rewrite big1 // => h _; rewrite /bar_trans /= eq_sym neq !mul0r.
Qed.

(** P[M, H_i] = P[M] P[H_i]. *)
Lemma P_H_bar i g : P_H bar i g = memory_prob m g.1 * P_H (chain m) i g.2.
Proof.
elim: i g => [|i IH] g; first by rewrite !P_H0.
by rewrite !P_HS (next_ext _ IH) next_bar.
Qed.

Lemma stationary_P_H i h : stationary m -> P_H (chain m) i h = minit m h.
Proof. by move=> stat; elim: i h => [|i IH] h; [rewrite P_H0 | rewrite P_HS (next_ext _ IH) [RHS]stat]. Qed.

Lemma paper_prompt_is_prompt V j : is_prompt (paper_prompt V j : letter R Hbar).
Proof. by move=> g; rewrite /paper_prompt; case: (_ \in _); rewrite ?lexx ?ler01. Qed.

(** The prompt of the proof does it if P[H_0] is stationary (claim C.8); *)
Lemma paper_prompt_restores V j : stationary m -> restores m (paper_prompt V j) V j 1.
Proof.
move=> stat g; rewrite mul1r -[LHS]/(next bar (fun g => P_H bar 1 g * paper_prompt V j g) g).
rewrite (@next_ext _ _ _ _ _ (fun g => (g.1 j \in V)%:R * P_H bar 1 g)) => [|g']; last exact: mulrC.
rewrite (next_memory m (fun c => (c j \in V)%:R)) -P_HS; congr (_ * _).
by rewrite !P_H_bar !stationary_P_H.
Qed.

(** and another one does it wherever H_1 can be in every state that H_0 can be in. *)
Lemma minit_ge0 h : 0 <= minit m h. Proof. exact: (proj1 (minit_law m)). Qed.

Lemma first_ratio_ge0 h : 0 <= first_ratio m h. Proof. by rewrite divr_ge0 ?minit_ge0 // P_H_ge0. Qed.

Lemma sum_first_ratio_gt0 : first_reaches m -> 0 < \sum_h first_ratio m h.
Proof.
move=> reach; rewrite lt0r sumr_ge0 ?andbT => [|h _]; last exact: first_ratio_ge0.
apply: contraTneq (oner_neq0 R) => /eqP; rewrite psumr_eq0 => [/allP zero|h _]; last exact: first_ratio_ge0.
rewrite negbK -(proj2 (minit_law m)) big1 // => h _; apply/eqP; apply: contraT => nz.
have pos : 0 < minit m h by rewrite lt0r nz minit_ge0.
have := zero h (mem_index_enum h); rewrite /= mulf_eq0 (negbTE nz) invr_eq0 /=.
by rewrite (negbTE (lt0r_neq0 (reach h pos))).
Qed.

Lemma restoring_prompt_is_prompt V j : first_reaches m -> is_prompt (restoring_prompt m V j).
Proof.
move=> reach g; have top := sum_first_ratio_gt0 reach; rewrite /restoring_prompt.
case: (_ \in _); rewrite ?mul0r ?lexx ?ler01 // mul1r divr_ge0 ?first_ratio_ge0 ?(ltW top) //=.
rewrite ler_pdivr_mulr // mul1r (bigD1 g.2) //= ler_addl sumr_ge0 // => h _; exact: first_ratio_ge0.
Qed.

Lemma restoring_prompt_restores V j : first_reaches m ->
  restores m (restoring_prompt m V j) V j (\sum_h first_ratio m h)^-1.
Proof.
move=> reach g; rewrite -[LHS]/(next bar (fun g => P_H bar 1 g * restoring_prompt m V j g) g).
set top := \sum_h _; pose f (c : memory N M) := top^-1 * ((c j \in V)%:R * memory_prob m c).
rewrite (@next_ext _ _ _ _ _ (fun g => f g.1 * minit m g.2)) => [|g'].
  by rewrite next_bar P_H_bar P_HS (next_ext _ (P_H0 (chain m))) /f -!mulrA.
rewrite P_H_bar /restoring_prompt -/top /f; set p := P_H _ _ _.
have -> : minit m g'.2 = p * first_ratio m g'.2; last first.
  by rewrite -!mulrA [RHS]mulrC -!mulrA [RHS]mulrCA; congr (_ * _); exact: mulrCA.
have [p0|p_neq0] := eqVneq p 0; last by rewrite mulrC divfK.
rewrite p0 mul0r; apply/eqP; apply: contraT => nz.
by have := reach g'.2; rewrite -/p p0 ltxx lt0r nz minit_ge0 => /(_ isT).
Qed.

End Restoring.
