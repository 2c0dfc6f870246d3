(** When a prompt helps, and what fewer tokens than states leave. *)

From Coq Require Import QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Headproof Require Import definitions.hmm statements.rules statements.refutations statements.converse.
From Headproof Require Import proofs.paths proofs.linear proofs.entered proofs.theorems_3 proofs.rules_agreement.
From Headproof Require Import proofs.section_3 proofs.converse proofs.refutations_numbers proofs.refutations_hmm.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Q_scope with coqQ.
Arguments of_Q : simpl never.

(** ** The identity behind a prompt *)

Theorem prompt_identity_serves : statement_prompt_identity.
Proof.
move=> R H X m u b mu u01 [r r0 eq_rows]; exists (binary b) => E x pos.
rewrite rule_prompted_head // rule_task //; apply/esym; apply: (label_scale_eq r0) => l.
rewrite /dot mulr_sumr; apply: eq_bigr => h _; rewrite mulrA; congr (_ * _).
rewrite /head_rows /task_rows /binary; case: ifP => _; last exact: eq_rows.
by rewrite /dot big1 ?mul0r ?mulr0 // => z _; rewrite mul0r.
Qed.

Section PromptFromHead.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X) (mu : H -> R) (inverse : H -> H -> R).
Hypotheses (full : full_support m) (P1 : forall h, 0 < P_H m 1 h) (mu0 : forall h, mu h != 0).
Hypothesis inverseP : is_inverse m inverse.

Lemma next_inverse (q : H -> R) h : next m (fun f => \sum_g inverse f g * q g) h = q h.
Proof.
rewrite /next; under eq_bigr do rewrite mulr_sumr.
rewrite exchange_big (eq_bigr (fun g => (h == g)%:R * q g)) => [|g _].
  by under eq_bigr do rewrite eq_sym; exact: dot_delta.
by rewrite -(proj2 (inverseP h g)) mulr_suml; apply: eq_bigr => f _; exact: mulrA.
Qed.

Lemma inverse_next (q : H -> R) g : \sum_h inverse g h * next m q h = q g.
Proof.
rewrite /next; under eq_bigr do rewrite mulr_sumr.
rewrite exchange_big (eq_bigr (fun f => (g == f)%:R * q f)) => [|f _].
  by under eq_bigr do rewrite eq_sym; exact: dot_delta.
by rewrite -(proj1 (inverseP g f)) mulr_suml; apply: eq_bigr => h _; exact: mulrA.
Qed.

(** u o P[H_1] = A^-1 q, scaled into [0, 1]. *)
Lemma exists_prompt (q : H -> R) : (exists h, q h != 0) -> (forall g, 0 <= \sum_h inverse g h * q h) ->
  exists2 u : letter R H, is_prompt u & exists2 r : R, 0 < r & forall h, behind m u h = r * q h.
Proof.
move=> [h0 nz] v0; pose v g := (\sum_h inverse g h * q h) / P_H m 1 g; pose s := \sum_g v g.
have vg0 g : 0 <= v g by rewrite divr_ge0 // ltW.
have s0 : 0 < s.
  rewrite lt0r sumr_ge0 // andbT; apply: contra_neq nz; rewrite -(next_inverse q h0) => zero.
  apply: big1 => g _; move/eqP: zero; rewrite psumr_eq0 // => /allP/(_ g); rewrite mem_index_enum => /(_ isT).
  by rewrite /= mulf_eq0 invr_eq0 (gt_eqF (P1 g)) orbF => /eqP->; rewrite mulr0.
exists (fun g => v g / s) => [g|].
  rewrite divr_ge0 ?(ltW s0) // ler_pdivr_mulr // mul1r /s (bigD1 g) //= ler_addl.
  by apply: sumr_ge0.
exists s^-1; first by rewrite invr_gt0.
move=> h; rewrite -[in RHS](next_inverse q h) -next_scale; apply: next_ext => g.
by rewrite mulrA [P_H m 1 g * _]mulrC divfK ?gt_eqF // mulrC.
Qed.

End PromptFromHead.

Theorem prompt_from_head : statement_prompt_from_head.
Proof.
move=> R H X m mu inverse full P1 mu0 inverseP; split=> [[u [b [u01 [r r0 eq_rows]]]]|[b [signs cone]]]; last first.
  have b0 h : dot b (column m h) != 0 by apply: contraTneq (signs h) => ->; rewrite mulr0 ltxx.
  have [h0 _] := law_gt0 (init_law m).
  have [||u u01 [r r0 eq_u]] := exists_prompt P1 inverseP (q := fun h => mu h * init m h / dot b (column m h)).
  - by exists h0; rewrite !mulf_neq0 ?invr_eq0 // gt_eqF.
  - exact: cone.
  by exists u, b; split=> //; exists r => // h; rewrite eq_u mulrCA; congr (_ * _); rewrite mulrC divfK.
have w0 h : 0 <= behind m u h.
  by apply: next_ge0 => g; rewrite mulr_ge0 ?P_H_ge0 //; case/andP: (u01 g).
have b0 h : dot b (column m h) != 0.
  apply: contraTneq (mulf_neq0 (lt0r_neq0 r0) (mulf_neq0 (mu0 h) (lt0r_neq0 (full h)))) => zero.
  by rewrite -eq_rows zero mul0r eqxx.
have eq_w h : mu h * init m h / dot b (column m h) = r^-1 * behind m u h.
  by apply: (mulfI (lt0r_neq0 r0)); rewrite mulrA -eq_rows mulrC mulKf // mulVKf // lt0r_neq0.
exists b; split=> [h|g]; last first.
  under eq_bigr do rewrite eq_w mulrCA; rewrite -mulr_sumr inverse_next //.
  rewrite mulr_ge0 ?invr_ge0 ?(ltW r0) // mulr_ge0 ?(ltW (P1 g)) //; by case/andP: (u01 g).
have : 0 < mu h ^+ 2 * (r * init m h) by apply: mulr_gt0; [rewrite exprn_even_gt0 ?mu0 | exact: mulr_gt0].
have -> : mu h ^+ 2 * (r * init m h) = mu h * dot b (column m h) * behind m u h.
  by rewrite -[RHS]mulrA eq_rows expr2 -mulrA; congr (_ * _); exact: mulrCA.
have w_gt0 : 0 < behind m u h.
  rewrite lt0r w0 andbT; apply: contraTneq (mulf_neq0 (lt0r_neq0 r0) (mulf_neq0 (mu0 h) (lt0r_neq0 (full h)))) => zero.
  by rewrite -eq_rows zero mulr0 eqxx.
by rewrite pmulr_lgt0.
Qed.

Theorem constant_prompt_changes_nothing : statement_constant_prompt.
Proof.
move=> R H X m K b c E x stat /andP[c0 c1]; rewrite rule_prompted_head ?rule_head => [|h]; last by rewrite ltW.
have P1 h : P_H m 1 h = init m h by rewrite P_HS stat; apply: next_ext => g; exact: P_H0.
apply: (label_scale_eq c0) => l; rewrite /dot mulr_sumr; apply: eq_bigr => h _; rewrite mulrA; congr (_ * _).
rewrite /head_rows mulrCA; congr (_ * _); rewrite P1 stat mulr_sumr; apply: eq_bigr => g _.
by rewrite P1 mulrA mulrC.
Qed.

(** ** A model on which only a prompt helps *)

Module beyond_3_5.
Local Open Scope Q_scope.
Definition T : hmm_table 3 2 := {|
  init_t := entry [:: 1#3; 1#3; 1#3];
  trans_t := entry2 [:: [:: 9#10; 1#20; 1#20]; [:: 1#20; 9#10; 1#20]; [:: 1#20; 1#20; 9#10]];
  emit_t := entry2 [:: [:: 9#10; 6#10; 1#10]; [:: 1#10; 4#10; 9#10]] |}.
Lemma T_valid : valid_hmm T. Proof. by vm_compute. Qed.
Definition mu : 'I_3 -> Q := entry [:: 1; 1; -1].
Definition b : 'I_2 -> Q := entry [:: 1; -1].
Definition u : 'I_3 -> Q := entry [:: 7#37; 1; 7#37].
End beyond_3_5.

Theorem prompt_beyond_3_5 : statement_prompt_beyond_3_5.
Proof.
move=> R; pose m := of_hmm_table R beyond_3_5.T_valid.
exists _, _, m, (fun h : 'I_3 => of_Q R (beyond_3_5.mu h)).
have full : full_support m by apply: full_support_of_table; vm_compute.
have [irr aper] : irreducible m /\ aperiodic m by apply: (@ergodic_of_hmm_table R _ _ _ _ 1); vm_compute.
have stat h' : init m h' = \sum_h trans m h' h * init m h.
  rewrite (sum_ords (F := fun h => trans_t beyond_3_5.T h' h * init_t beyond_3_5.T h)%coqQ) => [|h].
    apply/eqP; rewrite of_Q_eqE; move: h'; apply: all_ords; by vm_compute.
  by rewrite of_QM.
have /all_ords A_pos : all (fun g => full_t (trans_t beyond_3_5.T g)) (ords 3) by vm_compute.
have A_gt0 g h : 0 < trans m g h by rewrite /= of_Q_gt0; exact: (all_ords (A_pos g)).
have /all_ords mu_neq0 : all (fun h => ~~ Qeq_bool (beyond_3_5.mu h) 0%coqQ) (ords 3) by vm_compute.
have /all_ords u_ge0 : all (fun h => Qle_bool 0%coqQ (beyond_3_5.u h)) (ords 3) by vm_compute.
have /all_ords u_le1 : all (fun h => Qle_bool (beyond_3_5.u h) 1%coqQ) (ords 3) by vm_compute.
have u01 : is_prompt (fun h : 'I_3 => of_Q R (beyond_3_5.u h)).
  by move=> h; rewrite of_Q_ge0 u_ge0 -(of_Q1 R) of_Q_le u_le1.
split=> //.
- move=> [Hstar [B [indep /subsetP sub eq_H]]].
  have in_supp h : h \in supp (binary (fun h : 'I_3 => of_Q R (beyond_3_5.mu h))).
    by rewrite inE; apply/existsP; exists ord_max; rewrite /binary /= -(of_Q0 R) of_Q_eqE mu_neq0.
  have all_H : Hstar = setT by apply/setP => h; rewrite inE sub.
  by have := remark_3_1 (m := m); rewrite /assumption_3_1 -all_H => /(_ indep); rewrite !card_ord.
- pose z0 : 'I_2 := ord0; pose z1 : 'I_2 := ord_max.
  by apply: (@no_linear_head R _ _ _ _ beyond_3_5.mu z0 (34849511078284024983 # 34976499022333781783)%coqQ
    (126987944049756800 # 34976499022333781783)%coqQ [:: z1; z1; z0; z0; z0; z0] [:: z1; z1; z0; z1; z0] [:: z0]);
    vm_compute.
exists (fun h : 'I_3 => of_Q R (beyond_3_5.u h)) => //.
apply: (prompt_identity_serves (b := fun z : 'I_2 => of_Q R (beyond_3_5.b z)) u01).
pose behind_t h := Qsum (ords 3) (fun g => trans_t beyond_3_5.T h g *
  (Qsum (ords 3) (fun f => trans_t beyond_3_5.T g f * init_t beyond_3_5.T f) * beyond_3_5.u g))%coqQ.
pose score_t h := Qsum (ords 2) (fun z => beyond_3_5.b z * emit_t beyond_3_5.T z h)%coqQ.
exists (of_Q R (34 # 185)%coqQ); first by rewrite of_Q_gt0.
move=> h; have -> : dot (fun z : 'I_2 => of_Q R (beyond_3_5.b z)) (column m h) = of_Q R (score_t h).
  by apply: sum_ords => z; rewrite of_QM.
have -> : behind m (fun h : 'I_3 => of_Q R (beyond_3_5.u h)) h = of_Q R (behind_t h).
  apply: sum_ords => g; rewrite !of_QM P_HS; congr (_ * (_ * _)).
  by apply: sum_ords => f; rewrite of_QM P_H0.
rewrite /= -!of_QM; apply/eqP; rewrite of_Q_eqE; move: h.
by apply: (@all_ords 3 (fun h => Qeq_bool (score_t h * behind_t h)%coqQ
  ((34 # 185) * (beyond_3_5.mu h * init_t beyond_3_5.T h))%coqQ)); vm_compute.
Qed.

(** ** Fewer tokens than states *)

Theorem few_tokens : statement_few_tokens.
Proof.
move=> R H X m few full P1.
have [indep|[h _ [c eq_c]]] := independent_or setT (column m).
  by have := remark_3_1 indep; rewrite leqNgt few.
pose v g := if g == h then -1 else c g; exists (fun g => v g * init m g / P_H m 1 g).
  by exists h; rewrite /v eqxx !mulf_neq0 ?oppr_eq0 ?oner_eq0 ?invr_eq0 ?gt_eqF.
move=> mu b eq_mu; rewrite /dot (eq_bigr (fun g => v g * dot b (column m g))) => [|g _]; last first.
  rewrite -[dot b (column m g)](mulfK (lt0r_neq0 (P1 g))) eq_mu -!mulrA; congr (_ * _).
  by rewrite [RHS]mulrCA; congr (_ * _); exact: mulrC.
rewrite -(dot_sum xpredT v (column m) b); apply: big1 => z _.
rewrite [X in _ * X](_ : _ = 0) ?mulr0 // (bigD1 h) //= {1}/v eqxx mulN1r eq_c addrC; apply/eqP; rewrite subr_eq0.
by apply/eqP/eq_big => [g|g /negbTE neq]; rewrite ?inE ?andbT // /v neq.
Qed.
