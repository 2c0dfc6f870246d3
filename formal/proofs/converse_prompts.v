(** When a prompt helps, and what fewer tokens than states leave. *)

From Headproof Require Import definitions.prelude definitions.hmm statements.rules statements.refutations
  statements.converse proofs.paths proofs.linear proofs.entered proofs.theorems_3 proofs.rules_agreement
  proofs.section_3 proofs.converse proofs.refutations_numbers proofs.refutations_hmm proofs.walks
  proofs.rules_wielandt.

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

Variables (R : realFieldType) (H X : finType) (m : hmm R H X) (mu : H -> R).

Section Inverse.

Variable inverse : H -> H -> R.
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

End Inverse.

(** u o P[H_1] = v, scaled into [0, 1]. *)
Lemma exists_prompt (q v : H -> R) : (forall h, 0 < P_H m 1 h) -> (exists h, q h != 0) ->
  (forall h, next m v h = q h) -> (forall g, 0 <= v g) ->
  exists2 u : letter R H, is_prompt u & exists2 r : R, 0 < r & forall h, behind m u h = r * q h.
Proof.
move=> P1 [h0 nz] eq_q v0; pose y g := v g / P_H m 1 g; pose s := \sum_g y g.
have y0 g : 0 <= y g by rewrite divr_ge0 // ltW.
have s0 : 0 < s.
  rewrite lt0r sumr_ge0 // andbT; apply: contra_neq nz; rewrite -eq_q => zero.
  apply: big1 => g _; move/eqP: zero; rewrite psumr_eq0 // => /allP/(_ g); rewrite mem_index_enum => /(_ isT).
  by rewrite /= mulf_eq0 invr_eq0 (gt_eqF (P1 g)) orbF => /eqP->; rewrite mulr0.
exists (fun g => y g / s) => [g|].
  rewrite divr_ge0 ?(ltW s0) // ler_pdivr_mulr // mul1r /s (bigD1 g) //= ler_addl.
  by apply: sumr_ge0.
exists s^-1; first by rewrite invr_gt0.
move=> h; rewrite -eq_q -next_scale; apply: next_ext => g.
by rewrite mulrA [P_H m 1 g * _]mulrC divfK ?gt_eqF // mulrC.
Qed.

Section Signs.

Variables (b : X -> R) (u : letter R H) (r : R).
Hypotheses (full : full_support m) (mu0 : forall h, mu h != 0) (r0 : 0 < r) (u01 : is_prompt u).
Hypothesis eq_rows : forall h, dot b (column m h) * behind m u h = r * (mu h * init m h).

Lemma goal_neq0 h : r * (mu h * init m h) != 0. Proof. by rewrite !mulf_neq0 // lt0r_neq0. Qed.

Lemma identity_score_neq0 h : dot b (column m h) != 0.
Proof. by apply: contraTneq (goal_neq0 h) => zero; rewrite -eq_rows zero mul0r eqxx. Qed.

Lemma identity_signs h : 0 < mu h * dot b (column m h).
Proof.
have w_gt0 : 0 < behind m u h.
  rewrite lt0r; apply/andP; split; last first.
    by apply: next_ge0 => g; rewrite mulr_ge0 ?P_H_ge0 //; case/andP: (u01 g).
  by apply: contraTneq (goal_neq0 h) => zero; rewrite -eq_rows zero mulr0 eqxx.
have : 0 < mu h ^+ 2 * (r * init m h) by apply: mulr_gt0; [rewrite exprn_even_gt0 ?mu0 | exact: mulr_gt0].
have -> : mu h ^+ 2 * (r * init m h) = mu h * dot b (column m h) * behind m u h.
  by rewrite -[RHS]mulrA eq_rows expr2 -mulrA; congr (_ * _); exact: mulrCA.
by rewrite pmulr_lgt0.
Qed.

End Signs.

End PromptFromHead.

(** Where A has some v >= 0 with A v = (mu o P[H_0]) / (W'b), and these are positive, the identity is solvable. *)
Lemma identity_of_quotients (R : realFieldType) (H X : finType) (m : hmm R H X) (b : X -> R) (mu v : H -> R) :
  full_support m -> (forall h, 0 < P_H m 1 h) -> (forall h, 0 < mu h * dot b (column m h)) ->
  (forall h, next m v h = mu h * init m h / dot b (column m h)) -> (forall g, 0 <= v g) ->
  exists2 u : letter R H, is_prompt u & prompt_identity m u b mu.
Proof.
move=> full P1 signs eq_v v0; have b0 h : dot b (column m h) != 0.
  by apply: contraTneq (signs h) => ->; rewrite mulr0 ltxx.
have mu0 h : mu h != 0 by apply: contraTneq (signs h) => ->; rewrite mul0r ltxx.
have [h0 _] := law_gt0 (init_law m); have [|u u01 [r r0 eq_u]] := exists_prompt P1 _ eq_v v0.
  by exists h0; rewrite !mulf_neq0 ?invr_eq0 // gt_eqF.
by exists u => //; exists r => // h; rewrite eq_u mulrCA; congr (_ * _); rewrite mulrC divfK.
Qed.

Theorem prompt_from_head : statement_prompt_from_head.
Proof.
move=> R H X m mu inverse full P1 mu0 inverseP; split=> [[u [b [u01 [r r0 eq_rows]]]]|[b [signs cone]]]; last first.
  have [||u u01 identity] := identity_of_quotients full P1 signs
    (v := fun g => \sum_h inverse g h * (mu h * init m h / dot b (column m h))).
  - by move=> h; rewrite (next_inverse inverseP (fun h => mu h * init m h / dot b (column m h))).
  - exact: cone.
  by exists u, b.
have b0 h := identity_score_neq0 full mu0 r0 eq_rows h.
have eq_w h : mu h * init m h / dot b (column m h) = r^-1 * behind m u h.
  by apply: (mulfI (lt0r_neq0 r0)); rewrite mulrA -eq_rows mulrC mulKf // mulVKf // lt0r_neq0.
exists b; split=> [h|g]; first exact: identity_signs full mu0 r0 u01 eq_rows h.
under eq_bigr do rewrite eq_w mulrCA; rewrite -mulr_sumr (inverse_next inverseP).
by rewrite mulr_ge0 ?invr_ge0 ?(ltW r0) // mulr_ge0 ?(ltW (P1 g)) //; case/andP: (u01 g).
Qed.

(** ** Near the identity *)

Section Near.

Variables (R : realFieldType) (H : finType) (E : H -> H -> R) (eps : R).
Hypotheses (E_le : forall g h, `|E g h| <= eps) (eps_half : #|H|%:R * eps <= 1 / 2%:R).

Lemma exists_max (h0 : H) (f : H -> R) : exists h, forall g, f g <= f h.
Proof. by case: (arg_maxP f (erefl : xpredT h0)) => h _ largest; exists h => g; exact: largest. Qed.

Lemma sum_small (f c : H -> R) (k : R) : (forall h, `|f h| <= k) -> (forall h, `|c h| <= eps) ->
  `|\sum_h c h * f h| <= #|H|%:R * eps * k.
Proof.
move=> f_le c_le; apply: le_trans (ler_norm_sum _ _ _) _.
apply: (@le_trans _ _ (\sum_(h : H) eps * k)); last by rewrite sumr_const -mulr_natl mulrA.
by apply: ler_sum => h _; rewrite normrM ler_pmul.
Qed.

(** v = q - E v: then v is small, and near q. *)
Lemma near_bound (q v : H -> R) (hi : R) : (forall h, v h + \sum_k E h k * v k = q h) -> (forall h, `|q h| <= hi) ->
  forall h, `|v h| <= 2%:R * hi.
Proof.
move=> eq_v q_le h; have [top largest] := exists_max h (fun k => `|v k|).
apply: le_trans (largest h) _; have small := sum_small largest (E_le top).
have le_top : `|v top| <= hi + 1 / 2%:R * `|v top|.
  have {1}-> : v top = q top - \sum_k E top k * v k by rewrite -eq_v addrK.
  apply: le_trans (ler_norm_sub _ _) (ler_add (q_le top) (le_trans small _)).
  by rewrite ler_wpmul2r.
rewrite mulrC -ler_pdivr_mulr ?ltr0n //; move: le_top.
by rewrite {1}[`|v top|]splitr div1r [2%:R^-1 * _]mulrC ler_add2r.
Qed.

End Near.

Theorem prompt_near_identity : statement_prompt_near_identity.
Proof.
move=> R H X m b mu full mu0; split=> [[u u01 [r r0 eq_rows]] h|signs].
  exact: identity_signs full mu0 r0 u01 eq_rows h.
have [h0 _] := law_gt0 (init_law m); pose q h := mu h * init m h / dot b (column m h).
have q0 h : 0 < q h.
  have b0 : dot b (column m h) != 0 by apply: contraTneq (signs h) => ->; rewrite mulr0 ltxx.
  have -> : q h = mu h * dot b (column m h) * (init m h / dot b (column m h) ^+ 2).
    by rewrite /q expr2 invfM -!mulrA; congr (_ * _); rewrite [RHS]mulrCA; congr (_ * _); rewrite mulVKf.
  by rewrite mulr_gt0 // divr_gt0 // exprn_even_gt0.
pose hi := \sum_h q h; pose lo := (\sum_h (q h)^-1)^-1.
have sum_le (f : H -> R) h : (forall g, 0 < f g) -> f h <= \sum_g f g.
  by move=> f0; rewrite (bigD1 h) //= ler_addl; apply: sumr_ge0 => g _; exact: ltW.
have q_hi h : q h <= hi by exact: sum_le.
have sum0 (f : H -> R) : (forall g, 0 < f g) -> 0 < \sum_g f g.
  by move=> f0; exact: lt_le_trans (f0 h0) (sum_le f h0 f0).
have qV0 h : 0 < (q h)^-1 by rewrite invr_gt0.
have lo0 : 0 < lo by rewrite invr_gt0 sum0.
have q_lo h : lo <= q h by rewrite -[q h]invrK lef_pinv ?posrE ?sum0 // (sum_le (fun h => (q h)^-1)).
have hi0 : 0 < hi by exact: sum0.
have card0 : 0 < #|H|%:R :> R by rewrite ltr0n; apply/card_gt0P; exists h0.
pose eps := lo / (2%:R * hi) / #|H|%:R.
have eq_eps : #|H|%:R * eps = lo / (2%:R * hi) by rewrite mulrC divfK // gt_eqF.
have le_half : #|H|%:R * eps <= 1 / 2%:R.
  rewrite eq_eps ler_pdivr_mulr ?mulr_gt0 ?ltr0n // mulrA divfK ?pnatr_eq0 // mul1r.
  exact: le_trans (q_lo h0) (q_hi h0).
have eps0 : 0 < eps by rewrite /eps divr_gt0 // divr_gt0 // mulr_gt0 // ltr0n.
exists eps => // n eq_init eq_emit near; pose E g h := trans n g h - (g == h)%:R.
have eqE g h : trans n g h = (g == h)%:R + E g h by rewrite addrC subrK.
have nextE (v : H -> R) h : next n v h = v h + \sum_k E h k * v k.
  rewrite /next; under eq_bigr do rewrite eqE mulrDl; rewrite big_split; congr (_ + _).
  by under eq_bigr do rewrite eq_sym; exact: dot_delta.
have small := near_bound near le_half.
have [[v eq_q]|[d d0 d1]] := span_or_dual (fun h g => trans n g h) setT q; last first.
  have d_le : forall h, `|d h| <= 2%:R * 0.
    apply: (near_bound (E := fun g h => E h g) (q := fun=> 0) _ le_half) => [g h|h|h]; last by rewrite normr0.
      exact: near.
    transitivity (\sum_g d g * trans n g h); last by rewrite -[RHS](d0 h) ?inE.
    under [RHS]eq_bigr do rewrite eqE mulrDr; rewrite [RHS]big_split /=; congr (_ + _).
      by rewrite (bigD1 h) //= eqxx mulr1 big1 ?addr0 // => g /negbTE->; rewrite mulr0.
    by apply: eq_bigr => g _; rewrite mulrC.
  move/eqP: d1; rewrite /dot big1 1?eq_sym ?oner_eq0 // => h _.
  by have := d_le h; rewrite mulr0 normr_le0 => /eqP->; rewrite mul0r.
have eq_v h : next n v h = q h.
  by rewrite eq_q; apply: eq_big => [g|g _]; rewrite ?inE // mulrC.
have v_ge0 g : 0 <= v g.
  have v_le := small q v hi (fun h => etrans (esym (nextE v h)) (eq_v h)).
  have le_hi h : `|q h| <= hi by rewrite gtr0_norm.
  have -> : v g = q g - \sum_k E g k * v k by rewrite -eq_v nextE addrK.
  rewrite subr_ge0; apply: le_trans (q_lo g); apply: le_trans (ler_norm _) _.
  apply: le_trans (sum_small (v_le le_hi) (near g)) _.
  by rewrite eq_eps divfK // gt_eqF // mulr_gt0 ?ltr0n.
have eq_column h : dot b (column n h) = dot b (column m h).
  by apply: eq_bigr => z _; rewrite /column eq_emit.
have full_n : full_support n by move=> h; rewrite eq_init.
have P1 h : 0 < P_H n 1 h.
  have -> : P_H n 1 h = next n (init n) h by rewrite P_HS; apply: next_ext => g; exact: P_H0.
  rewrite /next (bigD1 h) //= ltr_paddr ?mulr_gt0 //.
    by apply: sumr_ge0 => g _; rewrite mulr_ge0 ?trans_ge0 // ltW.
  have := near h h; rewrite eqxx ler_norml => /andP[low _].
  have lt1 : eps < 1.
    apply: le_lt_trans (_ : 1 / 2%:R < 1); last by rewrite ltr_pdivr_mulr ?ltr0n // mul1r ltr1n.
    apply: le_trans le_half; rewrite ler_pmull // ler1n; apply/card_gt0P; exists h0; exact: isT.
  by apply: lt_le_trans (_ : 0 < - eps + 1) _; [rewrite addrC subr_gt0 | rewrite -ler_subr_addr].
apply: (identity_of_quotients full_n P1 (v := v)) => [h|h|//]; first by rewrite eq_column.
by rewrite eq_v eq_column eq_init.
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
move=> R H X m few full; have [/forallP P1|] := boolP [forall h, 0 < P_H m 1 h]; last first.
  rewrite negb_forall => /existsP[h]; rewrite lt0r P_H_ge0 andbT negbK => /eqP P0.
  exists (fun g => (g == h)%:R) => [|mu b /(_ h)]; first by exists h; rewrite eqxx oner_eq0.
  by rewrite dot_delta P0 mulr0 => /esym/eqP; rewrite mulf_eq0 (gt_eqF (full h)) orbF => /eqP.
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

Lemma free_rows (F : fieldType) (k n r : nat) (M : 'M[F]_(k, n)) : \rank M = r ->
  exists f : 'I_r -> 'I_k, row_free (rowsub f M).
Proof. by move=> <-; exists (maxrankfun M); exact: maxrowsub_free. Qed.

Theorem full_rank_is_a_minor : statement_3_1_minor.
Proof.
move=> R H X m; pose W := \matrix_(z < #|X|, h < #|H|) emit m (enum_val z) (enum_val h).
have minorE (f : 'I_#|H| -> 'I_#|X|) : \matrix_(i < #|H|, j < #|H|) emit m (enum_val (f i)) (enum_val j) = rowsub f W.
  by apply/matrixP => i j; rewrite !mxE.
split=> [indep|[z nz] c zero h _]; last first.
  pose M := \matrix_(i < #|H|, j < #|H|) emit m (z i) (enum_val j); pose v := \col_(j < #|H|) c (enum_val j).
  have Mv : M *m v = 0.
    apply/matrixP => i j; rewrite !mxE -[RHS](zero (z i)) [RHS]big_mkcond [RHS]sum_enum; apply: eq_bigr => k _.
    by rewrite !mxE inE mulrC.
  have uM : M \in unitmx by rewrite unitmxE unitfE.
  by have /matrixP/(_ (enum_rank h) ord0) := mulKmx uM v; rewrite Mv mulmx0 !mxE enum_rankK.
have [d dual] := independent_dual indep.
pose D := \matrix_(h < #|H|, z < #|X|) d (enum_val h) (enum_val z).
have DW : D *m W = 1%:M.
  apply/matrixP => g h; rewrite !mxE -[RHS]/((g == h)%:R) eq_sym -(inj_eq enum_val_inj) -dual ?inE // [RHS]sum_enum.
  by apply: eq_bigr => z _; rewrite !mxE.
have rank_W : \rank W = #|H|.
  apply/eqP; rewrite eqn_leq rank_leq_col -[X in (X <= _)%N](mxrank1 R) -DW; exact: mxrankM_maxr.
have [f free_f] := free_rows rank_W; exists (fun i => enum_val (f i)).
by rewrite (minorE f) -unitfE -unitmxE -row_free_unit.
Qed.

Theorem positive_entries_are_ergodic : statement_positive_entries.
Proof.
move=> R H X m A0 full; have [|irr aper] := @power_ergodic _ _ _ m 0; last by [].
by move=> h' h; rewrite power_walk walk1; exact: A0.
Qed.
