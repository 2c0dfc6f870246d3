(** A head that is right on a family has a slope there of the sign of the label. So for a head that is never wrong z, c,
    and a where it may mislead, are worth nothing. *)

From Headproof Require Import definitions.prelude proofs.softmax_setting proofs.softmax_families proofs.softmax_texts
  proofs.softmax_numbers.

Implicit Types (x y : text) (q : tableq) (k : 'I_2) (h : 'I_10).

Lemma two_values (P : 'I_2 -> Prop) : P first -> P second -> forall k, P k.
Proof.
move=> P1 P2 k; have [->//|->//] : k = first \/ k = second.
by case: k => [[|[|//]] lt2]; [left | right]; apply: val_inj.
Qed.

Opaque reach_t past_t ahead_t total.

Section Head.

Variable R : archiFieldType.
Notation m := (of_table R T_valid).
Notation bar := (hbar m).
Notation embed := (embed bar).
Notation of_Q := (of_Q R).
Notation Hbar := (full 1 (ordinal_finType 2) (ordinal_finType 10)).
Notation state := (@state 2 10).
Notation st := (@start 2 10 s_l R).
Notation reach := (reach m st).
Notation Hs := (recoverable ord0 the_h).
Notation V := (binary (mu_0 R)).
Implicit Types (f L : Hbar -> R) (g : Hbar) (t : 'I_14).

(** ** What a head makes of a text *)

Variables (a : attention R 1 (ordinal_finType 2) (ordinal_finType 10) (ordinal_finType 14) 1) (w : R -> R).
Variables (n : nat) (emb : 'I_14 -> cell_state 1 (ordinal_finType 2) (ordinal_finType 10) -> R) (r : 'I_2 -> R).
Hypothesis w_gt0 : forall s, 0 < w s.
Hypothesis settled : forall i, (n <= i)%N -> position_score a i = position_score a n.
Hypothesis r_ge0 : forall k, 0 <= r k.

Definition column_val t : 'I_14 -> R := fun z => value_vector a ord_max (emb t) z - value_vector a ord0 (emb t) z.
Definition val i t L : R := w (dot (key_vector a) (output m L) + position_score a i) * dot (column_val t) (output m L).

Lemma val_ext i t L L' : output m L =1 output m L' -> val i t L = val i t L'.
Proof. by move=> eq_L; rewrite /val !(eq_dot (frefl _) eq_L). Qed.

Lemma val_settles i t L : (n <= i)%N -> val i t L = val n t L. Proof. by move=> le_i; rewrite /val settled. Qed.

Definition believed (cells : memory 1 (ordinal_finType 2)) : R := r (cells ord0).
Notation law := (law m st believed).
Notation sum_score := (sum_score m st believed val).

(** The value of t at a column. *)
Definition worth t k h : R := dot (column_val t) (memory_column m (read (state k h))).

Lemma val_worth i t L : exists2 c, 0 < c & val i t L = c * (\sum_k \sum_h L (state k h) * worth t k h) / \sum_g L g.
Proof.
exists (w (dot (key_vector a) (output m L) + position_score a i)); first exact: w_gt0.
rewrite /val -[RHS]mulrA; congr (_ * _); rewrite dot_output; congr (_ / _); rewrite sum_full.
apply: eq_bigr => k _; apply: eq_bigr => h _.
by rewrite mulrC.
Qed.

Lemma val_worthless i t L : (forall k h, L (state k h) = 0 \/ worth t k h = 0) -> val i t L = 0.
Proof.
move=> none; have [c _ ->] := val_worth i t L; rewrite big1 ?mulr0 ?mul0r // => k _; apply: big1 => h _.
by case: (none k h) => ->; rewrite ?mulr0 ?mul0r.
Qed.

(** The labels of F* and of the head, which adds D for the prompt, and i positions before the text. *)
Variables (i0 : nat) (D : R).
Definition fails x : Prop :=
  in_R m Hs x /\ starts x /\ (memory_F_star m V ord0 x == ord_max) != (0 <= D + sum_score i0 [::] x [::]).

(** ** Families *)

Section Family.

Variables (dead : pred 'I_2) (one : bool) (F : family).
Hypothesis F_good : good dead one F.
Hypothesis deadP : forall k, dead k -> r k = 0.

Notation p := (before F).
Notation s := (behind F).
Definition factors (cells : memory 1 (ordinal_finType 2)) : R := of_Q (factor F (cells ord0)).
Notation nu := (of_Q (rate F)).
Definition run j : text := p ++ nseq j (repeated F) ++ s.

Lemma factorsE k h : factors (state k h).1 = of_Q (factor F k). Proof. by rewrite /factors ffunE. Qed.

Lemma on_table (P : Hbar -> Prop) : (forall k h, P (state k h)) -> forall g, P g.
Proof. by move=> all_P g; rewrite (stateP g). Qed.

Lemma factors_gt0 k : 0 < of_Q (factor F k).
Proof. case/and5P: F_good => _ /andP[pos1 pos2] _ _ _; rewrite of_Q_gt0; move: k; exact: two_values. Qed.

Lemma nu_neq0 : nu != 0. Proof. by case/and5P: F_good => _ _ /and5P[pos _ _ _ _] _ _; rewrite gt_eqF // of_Q_gt0. Qed.

Lemma F_past g : next bar (alpha bar st (embed p)) g * emit bar (repeated F) g = factors g.1 * alpha bar st (embed p) g.
Proof.
case/and5P: F_good => _ _ /and5P[_ _ /everyP past _ _] _ _; move: g; apply: on_table => k h.
have pq := past_is T_valid p (start_is s_l R).
rewrite factorsE pq (next_is T_valid pq) (emit_is T_valid R) -!of_QM; apply/eqP; rewrite of_Q_eqE; exact: past.
Qed.

Lemma F_ahead g : beta bar (embed (repeated F :: s)) g = factors g.1 * beta bar (embed s) g.
Proof.
case/and5P: F_good => _ _ /and5P[_ _ _ /everyP ahead _] _ _; move: g; apply: on_table => k h.
rewrite factorsE !(ahead_is T_valid) -of_QM; apply/eqP; rewrite of_Q_eqE; exact: ahead.
Qed.

Lemma law_state y x k h : law y x (state k h) = r k * of_Q (reach_t T s_l y x k h).
Proof. by rewrite /law /believed ffunE (reach_is T_valid). Qed.

Lemma even_law y x : even_q dead F (reach_t T s_l y x) -> even factors nu (law y x).
Proof.
move=> /everyP all_even; apply: on_table => k h; rewrite law_state factorsE.
have /orP[/deadP->|] := all_even k h; first by rewrite !(mul0r, mulr0).
by rewrite -(of_Q_eqE R) !of_QM => /eqP eq_q; rewrite mulrCA eq_q mulrCA.
Qed.

Lemma splits_mem y0 x y z x' : x = y ++ z :: x' -> (y0 ++ y, x') \in splits y0 x.
Proof.
elim: y x y0 => [|z1 y IH] x y0 -> /=; first by rewrite cats0 mem_head.
by rewrite inE -cat_rcons IH ?orbT.
Qed.

Lemma F_affine : exists D0, forall j, (n <= j)%N ->
  sum_score i0 [::] (run j) [::] = D0 + j%:R * step m st believed val p s (repeated F) n.
Proof.
case/and5P: F_good => _ _ /and5P[_ _ _ _ /and3P[_ even_mid /allP even_all]] _ _.
apply: (score_affine val_ext val_settles nu_neq0 F_past F_ahead).
- exact: even_law.
- move=> y z x eq_p; apply: even_law; have := even_all (y, x ++ s); apply.
  by apply: (splits_mem [::] (y := y) (z := z)); rewrite eq_p -catA.
move=> y z x eq_s; apply: even_law; have := even_all (p ++ y, x); apply.
by apply: (splits_mem [::] (y := p ++ y) (z := z)); rewrite eq_s catA.
Qed.

(** *** The slope *)

Definition slope : R := \sum_k r k * \sum_h of_Q (weights F k h) * worth (repeated F) k h.

Lemma F_mid : exists2 lam, 0 < lam & forall k h, reach p s (state k h) = lam * of_Q (weights F k h).
Proof.
case/and5P: F_good => _ _ /and5P[_ lam0 _ _ /and3P[/everyP mid _ _]] _ _.
move: lam0 mid; set lam := Qred _ => lam0 mid; exists (of_Q lam); first by rewrite of_Q_gt0.
by move=> k h; rewrite (reach_is T_valid) -of_QM; apply/eqP; rewrite of_Q_eqE; exact: mid.
Qed.

Lemma reach_ge0 y x g : 0 <= reach y x g.
Proof.
rewrite mulr_ge0 //; last by apply: beta_ge0; exact: nonneg_embed.
apply: next_ge0; apply: alpha_ge0; last exact: nonneg_embed.
by move=> g'; exact: ler0n.
Qed.

Lemma step_slope : slope = 0 \/ exists2 c, 0 < c & step m st believed val p s (repeated F) n = c * slope.
Proof.
have [lam lam0 mid] := F_mid; have law_mid k h : law p s (state k h) = lam * (r k * of_Q (weights F k h)).
  by rewrite /law mid mulrCA /believed ffunE.
have slopeE : \sum_k \sum_h law p s (state k h) * worth (repeated F) k h = lam * slope.
  rewrite mulr_sumr; apply: eq_bigr => k _; rewrite mulr_sumr mulr_sumr; apply: eq_bigr => h _.
  by rewrite law_mid !mulrA.
have law_ge0 g : 0 <= law p s g.
  by rewrite mulr_ge0 ?reach_ge0 ?r_ge0.
have [sum0|nz] := eqVneq (\sum_g law p s g) 0.
  left; apply/eqP; rewrite -(inj_eq (mulfI (lt0r_neq0 lam0))) mulr0 -slopeE; apply/eqP.
  move/eqP: sum0; rewrite psumr_eq0 => [/allP all0|g _]; last exact: law_ge0.
  apply: big1 => k _; apply: big1 => h _.
  by have := all0 (state k h) (mem_index_enum _); move=> /eqP ->; rewrite mul0r.
right; have [c c0 eq_val] := val_worth n (repeated F) (law p s).
exists (c * lam / \sum_g law p s g).
  by rewrite divr_gt0 ?mulr_gt0 // lt_neqAle eq_sym nz sumr_ge0.
by rewrite /step eq_val slopeE -!mulrA; congr (_ * (_ * _)); rewrite mulrC.
Qed.

(** *** The label, and R *)

Lemma weight_run j k : weight R (run j) k = of_Q (factor F k) ^+ j * weight R (p ++ s) k.
Proof.
rewrite /weight mulr_sumr; apply: eq_bigr => h _; rewrite /run catA embed_cat alpha_cat.
rewrite (alpha_ext _ _ (past_run F_past j)) (alpha_memory m (fun cells => factors cells ^+ j)) -alpha_cat -embed_cat.
by rewrite factorsE.
Qed.

Lemma weight_table x k : weight R x k = of_Q (weight_q x k).
Proof. by apply: sum_ords => h; rewrite (past_is T_valid x (start_is s_l R)). Qed.

Lemma starts_run j : starts (run j).
Proof. by case/and5P: F_good => start_p _ _ _ _; move: start_p; rewrite /run; case: (before F) => [|t [|t' y]]. Qed.

Lemma label_run j : (2%:R * weight R (run j) second <= weight R (run j) first) = one /\ 0 < \sum_k weight R (run j) k.
Proof.
have two : of_Q 2%coqQ = 2%:R by rewrite -[2%coqQ]/(1 + 1)%coqQ of_QD of_Q1.
have w0 k : 0 <= weight R (p ++ s) k.
  by apply: sumr_ge0 => h _; apply: alpha_ge0; [move=> g; exact: ler0n | exact: nonneg_embed].
have f0 k := factors_gt0 k; have wj0 k : 0 <= weight R (run j) k.
  by rewrite weight_run mulr_ge0 // exprn_ge0 // ltW.
have sum_gt k : 0 < weight R (run j) k -> 0 < \sum_k weight R (run j) k.
  by move=> pos; rewrite (bigD1 k) //= ltr_paddr // sumr_ge0.
case/and5P: F_good => _ _ _ _; case: one.
  case/and3P; rewrite /positive -(of_Q_gt0 R) -!(of_Q_le R) of_QM two -(of_Q_eqE R) of_Q0 -!weight_table => W1 le21 W2.
  split; last by apply: (sum_gt first); rewrite weight_run mulr_gt0 // exprn_gt0.
  rewrite !weight_run; case/orP: W2 => [/eqP->|le_f]; first by rewrite !mulr0 mulr_ge0 // exprn_ge0 // ltW.
  by rewrite mulrCA ler_pmul ?exprn_ge0 ?(ltW (f0 _)) ?mulr_ge0 ?ler0n // ler_expn2r // nnegrE ltW.
case/andP; rewrite /positive -(of_Q_gt0 R) of_QB of_QM two -(of_Q_le R) -(of_Q_eqE R) of_Q0 -!weight_table subr_gt0.
move=> lt12 W1.
have lt_j : weight R (run j) first < 2%:R * weight R (run j) second.
  rewrite !weight_run mulrCA; case/orP: W1 => [/eqP W10|le_f].
    by rewrite W10 mulr0 mulr_gt0 ?exprn_gt0 // -W10.
  apply: le_lt_trans (_ : of_Q (factor F second) ^+ j * weight R (p ++ s) first < _).
    by rewrite ler_wpmul2r // ler_expn2r // nnegrE ltW.
  by rewrite ltr_pmul2l // exprn_gt0.
split; first by apply/negbTE; rewrite -ltNge.
by apply: (sum_gt second); have := le_lt_trans (wj0 first) lt_j; rewrite pmulr_rgt0 ?ltr0n.
Qed.

Lemma P_X_run j : 0 < P_X bar (run j).
Proof. by rewrite (P_X_weight R (starts_run j)) mulr_gt0 ?init_l_gt0 // (label_run j).2. Qed.

Lemma F_star_run j : (memory_F_star m V ord0 (run j) == ord_max) = one.
Proof. by rewrite (label_weight (starts_run j) (P_X_run j)) (label_run j).1. Qed.

Lemma run_in_R j : in_R m Hs (run j).
Proof.
have eq_x : run j = (p ++ nseq j (repeated F) ++ between F) ++ told F :: after F by rewrite /run /behind -!catA.
apply: (text_in_R (starts_run j) eq_x (P_X_run j)) => k h neq_h.
rewrite /softmax.reach (next_run F_past) -mulrA.
case/and5P: F_good => _ _ _ /everyP/(_ k h) only _; move: only; rewrite (negbTE neq_h) -(of_Q_eqE R) of_Q0 => /eqP eq0.
by have := reach_is T_valid s_l R (p ++ between F) (after F) k h; rewrite eq0 /softmax.reach => ->; rewrite mulr0.
Qed.

Lemma falls_below (E c : R) : c < 0 -> exists2 j, (n <= j)%N & E + j%:R * c < 0.
Proof.
move=> c0; have E0 : 0 <= `|E| / - c by rewrite divr_ge0 // oppr_ge0 ltW.
pose b := Num.bound (`|E| / - c); have := archi_boundP E0; rewrite -/b ltr_pdivr_mulr ?oppr_gt0 // mulrN => lt_b.
exists (maxn n b); first exact: leq_maxl.
rewrite -(subrr E) ltr_add2l; apply: le_lt_trans (_ : b%:R * c < _).
  by rewrite ler_wnmul2r ?(ltW c0) // ler_nat leq_maxr.
by rewrite ltr_oppr; apply: le_lt_trans lt_b; exact: ler_norm.
Qed.

Lemma family_slope : (exists x, fails x) \/ (if one then 0 <= slope else slope <= 0).
Proof.
have [->|[c c0 eq_step]] := step_slope; first by right; case: one.
have [D0 affine] := F_affine; pose E := D + D0.
have headE j : (n <= j)%N -> D + sum_score i0 [::] (run j) [::] = E + j%:R * (c * slope).
  by move=> le_j; rewrite affine // eq_step addrA.
have fail j : (0 <= D + sum_score i0 [::] (run j) [::]) != one -> exists x, fails x.
  by move=> neq; exists (run j); split; [exact: run_in_R | split; [exact: starts_run | rewrite F_star_run eq_sym]].
case: (one) fail => fail; [case: (lerP 0 slope) => [|neg] | case: (lerP slope 0) => [|pos]]; try by right.
  have [|j le_j lt0] := falls_below E (c := c * slope); first by rewrite pmulr_rlt0.
  by left; apply: (fail j); rewrite headE // leNgt lt0.
have [|j le_j lt0] := falls_below (- E) (c := - (c * slope)); first by rewrite oppr_lt0 mulr_gt0.
by left; apply: (fail j); rewrite headE // ltW // -oppr_lt0 opprD -mulrN.
Qed.

End Family.

Lemma sum_two (f : 'I_2 -> R) : \sum_k f k = f first + f second.
Proof. by rewrite !big_ord_recl big_ord0 addr0; congr (f _ + f _); apply: val_inj. Qed.

(** What the weights of a family say, where the run is in one of two states. *)
Lemma slope_at F (h1 h2 : 'I_10) e e' : h1 != h2 -> weights F = at_states h1 h2 e e' -> slope F =
  r first * (of_Q (nth 0%coqQ e 0) * worth (repeated F) first h1 +
    of_Q (nth 0%coqQ e' 0) * worth (repeated F) first h2) +
  r second * (of_Q (nth 0%coqQ e 1) * worth (repeated F) second h1 +
    of_Q (nth 0%coqQ e' 1) * worth (repeated F) second h2).
Proof.
move=> neq eq_w; have inner k : \sum_h of_Q (weights F k h) * worth (repeated F) k h =
    of_Q (nth 0%coqQ e k) * worth (repeated F) k h1 + of_Q (nth 0%coqQ e' k) * worth (repeated F) k h2.
  rewrite eq_w /at_states (bigD1 h1) //= eqxx (bigD1 h2) /=; last by rewrite eq_sym.
  rewrite eqxx (negbTE (_ : h2 != h1)); last by rewrite eq_sym.
  by rewrite big1 ?addr0 // => h /andP[/negbTE-> /negbTE->]; rewrite of_Q0 mul0r.
by rewrite /slope sum_two (inner first) (inner second).
Qed.

(** Columns that are equal have one worth. *)
Lemma worth_alike t k h k' h' : all (fun z => Qeq_bool (emit_table T z k h) (emit_table T z k' h')) (ords 14) ->
  worth t k h = worth t k' h'.
Proof.
move=> /all_ords same; apply: eq_dot => // z.
have := emit_is T_valid R z k h; have := emit_is T_valid R z k' h'; rewrite /= /bar_emit /memory_column => -> ->.
by apply/eqP; rewrite of_Q_eqE; exact: same.
Qed.

(** ** What the slopes say *)

Opaque worth.
Hypothesis r_some : 0 < r first + r second.

Lemma of_Q_numbers : [/\ of_Q (3#1) = 3%:R, of_Q (9#1) = 9%:R, of_Q 1%coqQ = 1 & of_Q 0%coqQ = 0].
Proof.
have three : of_Q (3#1) = 3%:R.
  by rewrite -[(3#1)%coqQ]/(1 + (1 + 1))%coqQ !of_QD of_Q1 -[3%N]/(1 + (1 + 1))%N !natrD.
split; rewrite ?of_Q0 ?of_Q1 //.
by rewrite -[(9#1)%coqQ]/((3#1) * (3#1))%coqQ of_QM three -natrM.
Qed.

Opaque numbers.of_Q.
Lemma slope_two F t (h1 h2 : 'I_10) e e' e0 e1 e0' e1' :
  h1 != h2 -> weights F = at_states h1 h2 e e' -> repeated F = t ->
  (nth 0 e 0 = e0)%coqQ -> (nth 0 e 1 = e1)%coqQ -> (nth 0 e' 0 = e0')%coqQ -> (nth 0 e' 1 = e1')%coqQ -> slope F =
  r first * (of_Q e0 * worth t first h1 + of_Q e0' * worth t first h2) +
  r second * (of_Q e1 * worth t second h1 + of_Q e1' * worth t second h2).
Proof. by move=> neq eq_w <- <- <- <- <-; rewrite (slope_at neq eq_w). Qed.

Notation two F t h1 h2 e0 e1 e0' e1' := (@slope_two F t h1 h2 _ _ e0%coqQ e1%coqQ e0'%coqQ e1'%coqQ
  isT erefl erefl erefl erefl erefl erefl).

Lemma d_alike t : worth t second s_d = worth t first s_d. Proof. by apply: worth_alike; vm_compute. Qed.
Lemma g_alike t : worth t second s_g1 = worth t first s_g2. Proof. by apply: worth_alike; vm_compute. Qed.
Lemma g_alike' t : worth t second s_g2 = worth t first s_g1. Proof. by apply: worth_alike; vm_compute. Qed.

Lemma not_dead k : alive k -> r k = 0. Proof. by []. Qed.

Lemma z_worthless : (exists x, fails x) \/
  [/\ r first * worth t_z first s_h = 0, r second * worth t_z second s_h = 0 & worth t_z first s_d = 0].
Proof.
have [q3 q9 q1 q0] := of_Q_numbers.
case/andP: good_both => g1 /andP[g2 /andP[g3 /andP[g4 _]]].
have [|h1] := family_slope g1 not_dead; first by left. have [|h2] := family_slope g2 not_dead; first by left.
have [|h3] := family_slope g3 not_dead; first by left. have [|h4] := family_slope g4 not_dead; first by left.
right; move: h1 h2 h3 h4.
rewrite (two Z1 t_z s_h s_d (3#1) 1 0 0) (two Z2 t_z s_h s_d 1 1 0 0) (two Z3 t_z s_h s_d (3#1) 1 1 (3#1)).
rewrite (two Z4 t_z s_h s_d (3#1) (3#1) (9#1) 1) q0 q1 q3 q9 (d_alike t_z) !mul0r !addr0 !mul1r => h1 h2 h3 h4.
exact: (z_arith (r_ge0 first) (r_ge0 second) r_some h1 h2 h3 h4).
Qed.

Lemma c_worthless : (exists x, fails x) \/ worth t_c first s_g1 = 0 /\ worth t_c first s_g2 = 0.
Proof.
have [q3 q9 q1 q0] := of_Q_numbers.
case/andP: good_both => _ /andP[_ /andP[_ /andP[_ /andP[g1 /andP[g2 /andP[g3 g4]]]]]].
have [|h1] := family_slope g1 not_dead; first by left. have [|h2] := family_slope g2 not_dead; first by left.
have [|h3] := family_slope g3 not_dead; first by left. have [|h4] := family_slope g4 not_dead; first by left.
right; move: h1 h2 h3 h4.
rewrite (two C1 t_c s_g1 s_g2 (3#1) 1 0 0) (two C2 t_c s_g1 s_g2 1 1 0 0).
rewrite (two C3 t_c s_g2 s_g1 (3#1) 1 0 0) (two C4 t_c s_g2 s_g1 1 1 0 0).
rewrite q0 q1 q3 (g_alike t_c) (g_alike' t_c) !mul0r !addr0 !mul1r => h1 h2 h3 h4.
exact: (c_arith (r_ge0 first) (r_ge0 second) r_some h1 h2 h3 h4).
Qed.

Lemma a_worthless : (exists x, fails x) \/
  worth t_a first s_g2 = 0 /\ (r second != 0 -> r first * worth t_a first s_g1 = 0).
Proof.
have [q3 q9 q1 q0] := of_Q_numbers.
case/and5P: good_A => g1 g2 g3 g4 /andP[g5 g6].
have [|h1] := family_slope g1 not_dead; first by left. have [|h2] := family_slope g2 not_dead; first by left.
have [|h3] := family_slope g3 not_dead; first by left. have [|h4] := family_slope g4 not_dead; first by left.
have h5 : r first = 0 -> (exists x, fails x) \/ 0 <= slope A5.
  by move=> r0; apply: (family_slope g5) => k /eqP->.
have h6 : r second = 0 -> (exists x, fails x) \/ slope A6 <= 0.
  by move=> r0; apply: (family_slope g6) => k /eqP->.
move: h1 h2 h3 h4 h5 h6.
rewrite (two A1 t_a s_g1 s_g2 1 0 0 0) (two A2 t_a s_g1 s_g2 0 1 0 0) (two A3 t_a s_g2 s_g1 1 0 0 0).
rewrite (two A4 t_a s_g2 s_g1 0 1 0 0) (two A5 t_a s_g1 s_g2 (9#1) 1 0 0) (two A6 t_a s_g2 s_g1 1 (9#1) 0 0).
rewrite q0 q1 q9 (g_alike t_a) (g_alike' t_a) !mul0r !addr0 !mul1r !mulr0 ?addr0 ?add0r => h1 h2 h3 h4 h5 h6.
have end_ := a_arith (r_ge0 first) (r_ge0 second) r_some h1 h2 h3 h4.
have ends5 : (exists x, fails x) \/ (r first = 0 -> 0 <= r second * worth t_a first s_g2).
  have [r10|/eqP r1n] := eqVneq (r first) 0; last by right=> r10; case: (r1n r10).
  case: (h5 r10) => [|h5']; first by left.
  by right=> _; rewrite r10 mul0r add0r in h5'.
have ends6 : (exists x, fails x) \/ (r second = 0 -> r first * worth t_a first s_g2 <= 0).
  have [r20|/eqP r2n] := eqVneq (r second) 0; last by right=> r20; case: (r2n r20).
  case: (h6 r20) => [|h6']; first by left.
  by right=> _; rewrite r20 mul0r addr0 in h6'.
case: ends5 => [|h5']; first by left.
case: ends6 => [|h6']; first by left.
by right; exact: (end_ h5' h6').
Qed.

End Head.
