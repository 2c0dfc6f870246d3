(** Rules of the certificate format on the lemmas of appendix C, where they hold (section 10). *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory statements.memory statements.rules_memory.
From Headproof Require Import statements.memory_lemmas proofs.paths proofs.linear proofs.message_passing proofs.entered.
From Headproof Require Import proofs.theorems_3 proofs.memory_laws proofs.attention proofs.restoring proofs.theorems_4.
From Headproof Require Import proofs.section_4 proofs.walks proofs.rules_wielandt proofs.rules_attention proofs.rules_prompted.

Section Readings.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat).
Variables (mu : 'I_K.+1 -> M -> R) (j : 'I_N) (S' : {set S}).
Notation Hbar := (full N M S).
Notation bar := (hbar m).
Notation Hs := (recoverable j S').
Notation u := (paper_prompt (supp mu) j).
Notation hat x := (hat_masked_joint bar u (prompted x)).
Notation named := [set g : Hbar | g.1 j \in supp mu].
Notation sure := [set g : Hbar | g.2 \in Hs].
Implicit Types (x y w : seq X) (i : nat) (g : Hbar) (h : hidden N S) (D : {set cell_state N M S}).

(** ** Laws of columns in D *)

(** Dual vectors on columns D read the laws that C.3 and C.10 speak of off each output of a
    law that is 0 off D. *)
Lemma reading_on D : rules_memory.dual_vectors m D Hs -> exists Theta1 Theta2, forall out (p : Hbar -> R),
  (forall g, 0 <= p g) -> \sum_g p g != 0 -> (forall g, p g != 0 -> read g \in D) -> out =1 output m p ->
  reads j S' Theta1 Theta2 out p (\sum_g p g).
Proof.
case=> d dP; pose L c (z : X) : R := if (c \in D) && (c.2 \in Hs) then d c z else 0.
pose theta h z := \sum_a L (a, h) z.
pose Theta1 h z := if h \in Hs then theta h z
  else if [pick h' | h' \notin Hs] == Some h then 1 - \sum_(h' in Hs) theta h' z else 0.
exists Theta1, (fun s a => L (a, (j, s))) => out p p0 nz in_D outE.
have LE c : c.2 \in Hs -> dot (L c) out = (\sum_(g | read g == c) p g) / \sum_g p g.
  move=> cH; rewrite (eq_dot (frefl _) outE) dot_output; congr (_ / _); rewrite [RHS]big_mkcond; apply: eq_bigr => g _.
  have [->|/in_D gD] := eqVneq (p g) 0; first by rewrite mulr0 if_same.
  rewrite /L /dot cH andbT; case: (boolP (c \in D)) => cD.
    by have := dP c cD cH _ gD; rewrite /memory_column => ->; case: eqP; rewrite ?mul1r ?mul0r.
  by rewrite big1 ?mul0r => [|z _]; rewrite ?mul0r //; case: eqP => // eq_c; rewrite eq_c (negbTE cD) in gD.
have thetaE h : h \in Hs -> dot (theta h) out = state_law p h.
  move=> hH; rewrite dot_add (eq_bigr _ (fun a _ => LE (a, h) hH)) -mulr_suml; congr (_ / _).
  rewrite [RHS](partition_big (fun g : Hbar => g.1 j) xpredT) //=; apply: eq_bigr => a _; apply: eq_bigl => g.
  by rewrite readE xpair_eqE andbC; case: eqP => //= ->; rewrite (recoverable_cell hH).
have in_H s : s \in S' -> (j, s) \in Hs by rewrite inE /= eqxx.
have out1 : dot (fun=> 1) out = 1.
  by rewrite (eq_dot (frefl _) outE) -[RHS](sum_output m nz); apply: eq_bigr => z _; rewrite mul1r.
have restE h : h \notin Hs -> dot (Theta1 h) out =
    if [pick h' | h' \notin Hs] == Some h then \sum_(h' | h' \notin Hs) state_law p h' else 0.
  move=> /negbTE hH; rewrite /Theta1 hH; case: ifP => _; last by apply: big1 => z _; rewrite mul0r.
  rewrite dotB dot_add out1 (eq_bigr _ thetaE) -(sum_state_law nz) (bigID (mem Hs)) /=.
  by rewrite addrAC subrr add0r.
split=> [s /in_H sH||s a /in_H sH].
- by rewrite -[RHS](thetaE _ sH); apply: eq_dot => // z; rewrite /Theta1 sH.
- rewrite /norm1 (bigID (mem Hs)) -[RHS](sum_state_law nz) [RHS](bigID (mem Hs)) /=; congr (_ + _).
    apply: eq_bigr => h hH; rewrite (eq_dot (p' := theta h) (q' := out)) ?thetaE ?ger0_norm ?state_law_ge0 // => z.
    by rewrite /Theta1 hH.
  case: pickP restE => [h0 h0H|none] rest; last by rewrite !big_pred0.
  rewrite (bigD1 h0) //= [X in _ + X]big1 ?addr0 => [|h /andP[hH neq]]; rewrite rest //.
    by rewrite eqxx ger0_norm // sumr_ge0 // => h _; exact: state_law_ge0.
  by rewrite eq_sym (inj_eq (@Some_inj _)) (negbTE neq) normr0.
rewrite (LE (a, (j, s)) sH); congr (_ / _); apply: eq_bigl => g.
by rewrite readE xpair_eqE; case: (g.2 =P (j, s)) => [->|]; rewrite ?andbF.
Qed.

Theorem rule_dual_vectors_C_3 D : all_possible m D -> rules_memory.dual_vectors m D Hs -> says_C_3 m j S'.
Proof.
move=> all_D /reading_on[T1 [T2 ok]]; exists T1, T2 => x i pos le_i; rewrite -sum_masked_joint.
apply: ok => [g||g nz|z]; [exact: masked_joint_ge0 | exact: masked_sum_neq0 | | exact: G_output].
have := masked_possible le_i nz; rewrite P_H_bar mul_gt0 ?memory_prob_ge0 ?P_H_ge0 // => /andP[c_pos h_pos].
by rewrite [g]surjective_pairing; apply: all_D c_pos _ h_pos; case/andP: le_i.
Qed.

(** ** Where the laws behind the prompt are positive *)

Notation first h := (P_H (chain m) 1 h).
Notation second h := (P_H (chain m) 2 h).
Notation prompted_next := (fun g => next bar (init bar) g * u g).

Lemma next_second g : next bar prompted_next g = (g.1 j \in supp mu)%:R * (memory_prob m g.1 * second g.2).
Proof.
rewrite -P_H_bar [P_H bar 2 g]P_HS -(next_memory m (fun c => (c j \in supp mu)%:R)); apply: next_ext => h.
by rewrite -P_H1 mulrC.
Qed.

Lemma hat_cut y z w g : hat (y ++ z :: w) (size y).+2 g = next bar (alpha bar prompted_next (embed bar y)) g * beta bar (embed bar w) g.
Proof. exact: hat_around. Qed.

Lemma next_named y g : next bar (alpha bar (fun g => (g.1 j \in supp mu)%:R * init bar g) (embed bar y)) g =
  (g.1 j \in supp mu)%:R * next bar (alpha bar (init bar) (embed bar y)) g.
Proof.
rewrite -(next_memory m (fun c => (c j \in supp mu)%:R)); apply: next_ext => h.
exact: (alpha_memory m (fun c => (c j \in supp mu)%:R)).
Qed.

Lemma hat_ge0 x i g : 0 <= hat x i g.
Proof. by apply: hat_masked_joint_ge0; exact: paper_prompt_is_prompt. Qed.

Definition back_to_first : Prop := forall c h, 0 < memory_prob m c -> c j \in supp mu -> 0 < second h -> 0 < first h.
Definition on_to_second : Prop := forall c h, 0 < memory_prob m c -> c j \in supp mu -> 0 < first h -> 0 < second h.

Lemma prompted_next_ge0 g : 0 <= prompted_next g.
Proof. by rewrite mulr_ge0 ?ler0n // -P_H1 P_H_ge0. Qed.
Lemma named_ge0 g : 0 <= (g.1 j \in supp mu)%:R * init bar g.
Proof. by rewrite mulr_ge0 ?ler0n ?(proj1 (init_law bar)). Qed.

Lemma named_gt0 (p q : hidden N S -> R) g : (forall h, 0 <= p h) -> (forall h, 0 <= q h) ->
  (0 < memory_prob m g.1 -> g.1 j \in supp mu -> 0 < p g.2 -> 0 < q g.2) ->
  0 < (g.1 j \in supp mu)%:R * (memory_prob m g.1 * p g.2) -> 0 < (g.1 j \in supp mu)%:R * (memory_prob m g.1 * q g.2).
Proof.
move=> p0 q0 pq; rewrite !mul_gt0 ?mulr_ge0 ?ler0n ?memory_prob_ge0 // ltr0n lt0b.
by case/and3P=> gV mp /(pq mp gV) ->; rewrite gV mp.
Qed.

Lemma next_first g : next bar (fun g => (g.1 j \in supp mu)%:R * init bar g) g =
  (g.1 j \in supp mu)%:R * (memory_prob m g.1 * first g.2).
Proof. by rewrite (next_memory m (fun c => (c j \in supp mu)%:R)) -P_H1 P_H_bar. Qed.

Lemma hat_pos x i g : (1 <= i <= size x)%N ->
  (back_to_first -> 0 < hat x i.+1 g -> (g.1 j \in supp mu) && (0 < masked_joint bar x i g)) /\
  (on_to_second -> g.1 j \in supp mu -> 0 < masked_joint bar x i g -> 0 < hat x i.+1 g).
Proof.
move=> /cut[y [z [w [-> ->]]]]; rewrite hat_cut masked_jointE /around.
have n0 (p : Hbar -> R) : (forall g, 0 <= p g) -> 0 <= next bar (alpha bar p (embed bar y)) g.
  by move=> p0; apply: next_ge0 => h; apply: alpha_ge0; last exact: nonneg_embed.
have b0 : 0 <= beta bar (embed bar w) g by apply: beta_ge0; exact: nonneg_embed.
have i0 := proj1 (init_law bar); have kept := next_named y g.
rewrite !mul_gt0 ?n0 //; try exact: prompted_next_ge0.
split=> [back|on gV] /andP[pos ->]; rewrite ?andbT.
  have : 0 < (g.1 j \in supp mu)%:R * next bar (alpha bar (init bar) (embed bar y)) g.
    rewrite -kept; apply: (next_alpha_gt0 prompted_next_ge0 named_ge0 (nonneg_embed _ _) _ pos) => h.
    rewrite next_second next_first; by apply: named_gt0; [exact: P_H_ge0 | exact: P_H_ge0 | exact: back].
  by rewrite mul_gt0 ?ler0n ?n0 // ltr0n lt0b.
apply: (next_alpha_gt0 named_ge0 prompted_next_ge0 (nonneg_embed _ _)); last by rewrite kept gV mul1r.
by move=> h; rewrite next_second next_first; apply: named_gt0; [exact: P_H_ge0 | exact: P_H_ge0 | exact: on].
Qed.

Theorem rule_prior_reaches : back_to_first -> says_C_12 m mu j.
Proof.
move=> back x [|i] h // le_i; rewrite /prompted_hidden /masked_hidden big_mkcond [X in _ -> 0 < X]big_mkcond /=.
rewrite !sum_gt0 => [/existsP[g]|g|g]; try by case: ifP => // _; rewrite ?masked_joint_ge0 ?hat_ge0.
case: ifP => [gh /(proj1 (hat_pos g le_i) back)/andP[_ pos]|]; last by rewrite ltxx.
by apply/existsP; exists g; rewrite gh.
Qed.

(** ** Columns that are possible behind the prompt *)

Lemma from_first y (q : Hbar -> R) g : (forall f, 0 <= q f) -> 0 < next bar (alpha bar q (embed bar y)) g ->
  exists2 f, 0 < q f & f.1 = g.1 /\ 0 < trans_power (chain m) (size y).+1 g.2 f.2.
Proof.
move=> q0; have step n h k f : 0 < mtrans m h k -> 0 < trans_power (chain m) n k f -> 0 < trans_power (chain m) n.+1 h f.
  by move=> hk kf; rewrite power_walk; apply: walk_cons hk _; rewrite -power_walk.
have bar0 (f f' : Hbar) : 0 <= bar_trans m f f' by exact: (proj1 (bar_trans_law m f')).
have barP (f f' : Hbar) : 0 < bar_trans m f f' -> f.1 = f'.1 /\ 0 < mtrans m f.2 f'.2.
  by rewrite /bar_trans; case: eqP => [->|]; rewrite ?mul1r ?mul0r ?ltxx.
elim/last_ind: y g => [|y z IH] g.
  rewrite /next sum_gt0 => [/existsP[f]|f]; last by rewrite mulr_ge0 ?bar0.
  rewrite mul_gt0 ?bar0 ?q0 // => /andP[/barP[gf A] qf]; exists f => //; split=> //.
  by apply: step A _; rewrite /= eqxx ltr01.
have n0 f : 0 <= next bar (alpha bar q (embed bar y)) f by apply: next_ge0 => f'; apply: alpha_ge0; last exact: nonneg_embed.
rewrite /embed map_rcons (next_ext _ (alpha_rcons _ _ _ _)) {1}/next.
have e0 f : 0 <= e bar z f by exact: emit_ge0.
have ne0 f : 0 <= next bar (alpha bar q (embed bar y)) f * e bar z f by rewrite mulr_ge0.
rewrite sum_gt0 => [/existsP[f]|f]; last by apply: mulr_ge0; [exact: bar0 | exact: ne0].
rewrite mul_gt0 ?bar0 ?ne0 // => /andP[/barP[-> A]]; rewrite mul_gt0 ?n0 ?e0 // => /andP[/IH[f' qf [eq_f pow]] _].
by exists f' => //; rewrite size_rcons; split=> //; exact: step A pow.
Qed.

Lemma hat_in_D D x i g : all_possible_behind m u D -> (1 <= i <= size x)%N -> hat x i.+1 g != 0 -> read g \in D.
Proof.
move=> all_D le_i nz; have {nz} : 0 < hat x i.+1 g by rewrite lt0r nz hat_ge0.
move: le_i => /cut[y [z [w [-> ->]]]]; rewrite hat_cut.
rewrite mul_gt0; last by apply: beta_ge0; exact: nonneg_embed.
  case/andP=> /(from_first prompted_next_ge0)[f]; rewrite -P_H1 P_H_bar => pos [gf pow] _.
  move: pos; rewrite !mul_gt0 ?mulr_ge0 ?ler0n ?memory_prob_ge0 ?P_H_ge0 // => /andP[/andP[c_pos f_pos] u_pos].
  by rewrite [g]surjective_pairing; apply: (all_D _ f.2 _ (size y)) => //; rewrite -gf //; case: (f) u_pos.
by apply: next_ge0 => f; apply: alpha_ge0; [exact: prompted_next_ge0 | exact: nonneg_embed].
Qed.

Lemma prompted_out x i : (1 <= i <= (size x).+1)%N -> prompted_output m u x i =1 output m (hat x i).
Proof. by move=> le_i z; rewrite prompted_output_law //; exact: paper_prompt_is_prompt. Qed.

Theorem rule_dual_vectors_C_10 D : all_possible_behind m u D -> rules_memory.dual_vectors m D Hs -> says_C_10 m mu j S'.
Proof.
move=> all_D /reading_on[T1 [T2 ok]]; exists T1, T2 => x [|i] // le_i; rewrite -sum_hat_masked_joint => pos.
apply: ok => [g||g|]; [exact: hat_ge0 | exact: lt0r_neq0 | exact: hat_in_D | apply: prompted_out].
by case/andP: le_i.
Qed.

(** ** Keys *)

Section Keys.

Variables (a : attention R N M S X K) (D D' : {set cell_state N M S}) (k b : R).
Hypothesis keys : rule_keys_behind m Hs a u D D' k b.
Notation law x i := (hat_masked_prob bar u (prompted x) i).
Notation sure_behind x i := [forall h, (0 < prompted_hidden m u x i h) ==> (h \in Hs)].

Lemma sure_behindP x i : reflect (forall g, hat x i g != 0 -> g.2 \in Hs) (sure_behind x i).
Proof. by apply: sureP => g; exact: hat_ge0. Qed.

Lemma attends_exactly x c (W : {set 'I_(size x).+1}) : W != set0 -> ord0 \notin W -> 0 < law x 1 ->
  (forall i : 'I_(size x), if 0 < law x i.+2 then c = k /\ (lift ord0 i \in W) = sure_behind x i.+2
    else if lift ord0 i \in W then c = 0 else 0 < c) ->
  attended a (size x).+1 (prompted_output m u x) = W.
Proof.
move=> ne out0 first_law each; have [all_D all_D' keyD same prompt_low] := keys; set gbar := prompted_output m u x.
have scoreE i : (1 <= i <= (size x).+1)%N -> attention_score a gbar i =
    (\sum_g key_score m a (read g) * hat x i g) / law x i + position_score a i.
  by move=> le_i; rewrite (key_output a (prompted_out le_i)) sum_hat_masked_joint.
have later (i : 'I_(size x)) : attention_score a gbar i.+2 =
    (\sum_g key_score m a (read g) * hat x i.+2 g) / law x i.+2 + b by rewrite scoreE ?same //= !ltnS ltn_ord.
have key_at (i : 'I_(size x)) g : hat x i.+2 g != 0 -> if g.2 \in Hs then key_score m a (read g) = k else key_score m a (read g) < k.
  move=> nz; have := keyD _ (hat_in_D all_D _ nz); rewrite readE; apply; exact: ltn_ord.
have none (i : 'I_(size x)) : (0 < law x i.+2) = false -> attention_score a gbar i.+2 = b.
  move=> no; rewrite later (_ : law x i.+2 = 0) ?invr0 ?mulr0 ?add0r //; apply/eqP; move/negbT: no.
  by rewrite -sum_hat_masked_joint lt0r sumr_ge0 ?andbT ?negbK // => g _; exact: hat_ge0.
have nz (i : 'I_(size x)) : 0 < law x i.+2 -> \sum_g hat x i.+2 g != 0 by rewrite sum_hat_masked_joint; exact: lt0r_neq0.
have top (i : 'I_(size x)) : lift ord0 i \in W -> attention_score a gbar i.+2 = c + b.
  move=> iW; move: (each i); rewrite iW; case: ifP => [pos [-> /esym/sure_behindP sure]|/none-> ->]; last by rewrite add0r.
  rewrite later -sum_hat_masked_joint; congr (_ + _); apply: mean_eq => [|g g_nz]; first exact: nz.
  by have := key_at i g g_nz; rewrite sure.
apply: (attended_top (c := c + b)) => // i; case: (unliftP ord0 i) => [i'|] -> iW.
- exact: top.
- by rewrite iW in out0.
- move: (each i'); rewrite (negbTE iW); case: ifP => [pos [-> /esym/negbT unsure]|/none-> c0]; last by rewrite ltr_addr.
  have [g /andP[g_nz gH]] : exists g, (hat x i'.+2 g != 0) && (g.2 \notin Hs).
    apply/existsP; apply: contraNT unsure => /existsPn all; apply/sure_behindP => g g_nz.
    by have := all g; rewrite g_nz negbK.
  rewrite later -sum_hat_masked_joint ltr_add2r; apply: (mean_lt (hat_ge0 x i'.+2) (nz i' pos) _ g_nz) => [f f_nz|].
    by have := key_at i' f f_nz; case: ifP => _ => [->|/ltW].
  by have := key_at i' g g_nz; rewrite (negbTE gH).
have [i0 i0W] := set0Pn _ ne; case: (unliftP ord0 i0) i0W => [i' -> i'W|-> ]; last by rewrite (negbTE out0).
rewrite -(top i' i'W) scoreE // -ltr_subr_addr -sum_hat_masked_joint.
apply: mean_lt_all => [g||g g_nz]; [exact: hat_ge0 | by rewrite sum_hat_masked_joint lt0r_neq0 |].
have gD : read g \in D'.
  move: g_nz; rewrite /prompted (hat_masked_jointE bar u [::]) -map_comp /around.
  rewrite -P_H1 P_H_bar !mulf_eq0 !negb_or -andbA => /and3P[c_nz h_nz _].
  by rewrite [g]surjective_pairing; apply: (all_D' g.1 g.2 1%N); rewrite // lt0r ?c_nz ?h_nz ?memory_prob_ge0 ?P_H_ge0.
have [low0 low] := prompt_low _ gD; case: (boolP (0 < law x i'.+2)) => [pos|/negbTE/none->]; rewrite ltr_subr_addr //.
rewrite later -ltr_subl_addr -sum_hat_masked_joint; apply: mean_gt_all => [f||f f_nz]; [exact: hat_ge0 | exact: nz |].
by rewrite ltr_subl_addr; apply: low; exact: (hat_in_D (i := i'.+1) all_D (ltn_ord i') f_nz).
Qed.

(** The kinds of states that texts lead to and allow: what C.9 asks of them. *)
Definition same_positions : Prop := forall y w, let A := prediction bar y :&: likelihood bar w in
  A :&: named != set0 -> A :&: named \subset sure -> A \subset sure.
Definition end_scores : Prop := forall y z, let F := prediction bar (rcons y z) in
  prediction bar y :&: named != set0 -> F != set0 -> F :&: named = set0 -> if F \subset sure then k = 0 else 0 < k.

Hypothesis back : back_to_first.

Lemma Ihat_behind x (i : 'I_(size x)) : i \in Ihat m Hs x -> sure_behind x i.+2.
Proof.
move=> /IhatP in_H; apply/sure_behindP => g nz; apply: in_H.
have [/(_ back)] := hat_pos g (ltn_ord i : (1 <= i.+1 <= size x)%N).
by rewrite lt0r nz hat_ge0 => /(_ isT)/andP[_]; rewrite lt0r => /andP[].
Qed.

(** By *Keys behind u*, where H_1 can be in every state in which H_2 can be, C.9:attends holds. *)
Theorem rule_attends : says_C_9_attends m mu j S'.
Proof.
exists a => x x_R good; have [_ [i0 i0P]] := in_R_Ihat x_R.
apply: (attends_exactly (c := k)) => [|||i]; first by apply/set0Pn; exists (lift ord0 i0); rewrite inE Ihat_behind.
- by rewrite inE.
- by apply: good; rewrite addn1.
by rewrite good ?addn1 ?ltnS ?ltn_ord // inE.
Qed.

Hypothesis on : on_to_second.

Lemma maskedP y z w g :
  (0 < masked_joint bar (y ++ z :: w) (size y).+1 g) = (g \in prediction bar y :&: likelihood bar w).
Proof. by rewrite masked_jointE !inE mul_gt0 ?prediction_ge0 ?likelihood_ge0. Qed.

Lemma law_neq x i : (0 < law x i) = [exists g, 0 < hat x i g].
Proof. by rewrite -sum_hat_masked_joint sum_gt0 // => g; exact: hat_ge0. Qed.

Lemma hatP y z w g :
  (0 < hat (y ++ z :: w) (size y).+2 g) = (g \in prediction bar y :&: likelihood bar w :&: named).
Proof.
have le : (1 <= (size y).+1 <= size (y ++ z :: w))%N by rewrite size_cat /= addnS ltnS leq_addr.
have [bk f] := hat_pos g le; rewrite in_setI -(maskedP y z) [g \in named]inE andbC.
by apply/idP/andP => [/(bk back)/andP//|[gV]]; exact: f.
Qed.

Lemma Ihat_sets y z w (i : 'I_(size (y ++ z :: w))) : val i = size y ->
  (i \in Ihat m Hs (y ++ z :: w)) = (prediction bar y :&: likelihood bar w \subset sure).
Proof.
move=> iE; apply/IhatP/subsetP => in_H g.
  by rewrite -(maskedP y z) inE -iE lt0r => /andP[/in_H].
move=> nz; have := in_H g; rewrite -(maskedP y z) inE -iE; apply; rewrite lt0r nz; exact: masked_joint_ge0.
Qed.

Lemma Ihat_same x (i : 'I_(size x)) : same_positions -> 0 < law x i.+2 -> (i \in Ihat m Hs x) = sure_behind x i.+2.
Proof.
move=> same_pos pos; apply/idP/idP => [|/sure_behindP in_H]; first exact: Ihat_behind.
have [y [z [w [eq_x [eq_i]]]]] := cut (ltn_ord i : (1 <= i.+1 <= size x)%N); subst x.
move: pos in_H; rewrite eq_i law_neq => /existsP[g0]; rewrite hatP => g0P in_H.
rewrite (Ihat_sets (z := z)) //; apply: same_pos; first by apply/set0Pn; exists g0.
by apply/subsetP => g; rewrite -(hatP y z) inE lt0r => /andP[/in_H].
Qed.

Lemma lifted_Ihat x (i : 'I_(size x)) : (lift ord0 i \in [set lift ord0 i | i in Ihat m Hs x]) = (i \in Ihat m Hs x).
Proof. exact: mem_imset (@lift_inj _ _). Qed.

Lemma ord0_Ihat x : ord0 \notin [set lift ord0 i | i in Ihat m Hs x].
Proof. by apply/imsetP => -[i _ /(congr1 val)]. Qed.

(** With *Same positions* C.9:all-positions holds. *)
Theorem rule_all_positions : same_positions -> says_C_9_all_positions m mu j S'.
Proof.
move=> same_pos; exists a => x x_R good; have [_ [i0 i0P]] := in_R_Ihat x_R.
apply: (attends_exactly (c := k)) => [|||i]; last by rewrite good ?addn1 ?ltnS ?ltn_ord // lifted_Ihat Ihat_same // good // addn1 !ltnS ltn_ord.
- by apply/set0Pn; exists (lift ord0 i0); rewrite lifted_Ihat.
- exact: ord0_Ihat.
by apply: good; rewrite addn1.
Qed.

(** With *No law at the end*, too, C.9 holds to the letter. *)
Theorem rule_letter : same_positions -> end_scores -> says_C_9 m mu j S'.
Proof.
move=> same_pos ends; exists a => x x_R; rewrite addn0 => good; have [pos [i0 i0P]] := in_R_Ihat x_R.
have t0 : (0 < size x)%N by exact: leq_ltn_trans (ltn_ord i0).
have ne : [set lift ord0 i | i in Ihat m Hs x] != set0 by apply/set0Pn; exists (lift ord0 i0); rewrite lifted_Ihat.
have [law_end|/negbTE no_law] := boolP (0 < law x (size x).+1).
  have all_laws i : (1 <= i <= (size x).+1)%N -> 0 < law x i.
    by rewrite [(i <= _)%N]leq_eqVlt; case/andP=> i1 /orP[/eqP->//|le_i]; apply: good; rewrite i1.
  apply: (attends_exactly (c := k) ne (ord0_Ihat x)) => [|i]; first exact: all_laws.
  by rewrite all_laws ?ltnS ?ltn_ord // lifted_Ihat Ihat_same // all_laws // !ltnS ltn_ord.
have first_law : 0 < law x 1 by apply: good.
have [t1|t2] := leqP (size x) 1.
  apply: (attends_exactly (c := 0) ne (ord0_Ihat x)) => // i.
  have eq_i (i' : 'I_(size x)) : val i' = 0%N by case: i' => [[|i'] lt_i] //=; have := leq_trans lt_i t1.
  have -> : law x i.+2 = law x (size x).+1 by rewrite eq_i; congr (law x _.+1); apply/eqP; rewrite eqn_leq t0.
  by rewrite no_law lifted_Ihat (_ : i = i0) ?i0P //; apply: val_inj; rewrite /= !eq_i.
apply: (attends_exactly (c := k) ne (ord0_Ihat x)) => // i; rewrite lifted_Ihat.
have [lt_i|ge_i] := ltnP i.+1 (size x); first by rewrite good ?Ihat_same ?good.
have eq_i : i.+1 = size x by apply/eqP; rewrite eqn_leq ge_i ltn_ord.
have [y [z [z' eq_x]]] : exists y z z', x = rcons y z ++ [:: z'].
  case/lastP: (x) t2 => [|x' z'] //; case/lastP: x' => [|y z] // _.
  by exists y, z, z'; rewrite cats1.
subst x; have size_x : size (rcons y z ++ [:: z']) = (size (rcons y z)).+1 by rewrite cats1 size_rcons.
have eq_y : val i = size (rcons y z) by apply: succn_inj; apply: etrans eq_i size_x.
rewrite (_ : (0 < law _ i.+2) = false) ?(Ihat_sets (z := z')) //; last by apply: etrans no_law; congr (0 < law _ _.+1); exact: eq_i.
have likelihood0 : likelihood bar [::] = setT by apply/setP => g; rewrite !inE ltr01.
rewrite likelihood0 setIT; apply: ends.
- have := good (size (rcons y z)).+1; rewrite size_x leqnn law_neq => /(_ isT)/existsP[g].
  rewrite size_rcons -cats1 -catA hatP => gP; apply/set0Pn; exists g; move: gP; rewrite !inE -andbA => /and3P[-> _ ->] //.
- have := masked_sum_neq0 pos (i := (size (rcons y z)).+1); rewrite size_x leqnn => /(_ isT); apply: contraNneq => F0.
  rewrite big1 // => g _; apply/eqP/negPn/negP => nz; have : g \in prediction bar (rcons y z) :&: likelihood bar [::].
    by rewrite -(maskedP _ z') lt0r nz masked_joint_ge0.
  by rewrite likelihood0 setIT F0 inE.
apply/setP => g; rewrite [RHS]inE; apply: contraFF no_law => gP; rewrite size_x law_neq; apply/existsP; exists g.
by rewrite hatP likelihood0 setIT.
Qed.

End Keys.

(** ** Values *)

(** C.13 holds by *Values behind u* for each label, where H_2 has the law of H_1. *)
Theorem rule_exact_values_behind (a : attention R N M S X K) D r : (forall h, second h = first h) ->
  all_possible_behind m u D -> 0 < r ->
  (forall z l c, c \in D -> dot (value_vector a l (memit m z)) (memory_column m c) =
    if c.2 \in Hs then r * (mu l c.1 * memit m z c) else 0) -> says_C_13 m mu j S'.
Proof.
move=> same all_D r0 values; exists a => value x.
have rest : restores m u (supp mu) j 1.
  move=> g; rewrite mul1r P_H_bar -same -next_second; apply: next_ext => g'.
  by rewrite P_H1.
have back : back_to_first by move=> c h _ _; rewrite same.
have hatE z0 (i : 'I_(size x)) l : value x l i.+2 =
    (\sum_(g : Hbar | g.2 \in Hs) r * (mu l (g.1 j) * (memit m (nth z0 x i) (read g) * hat x i.+2 g))) / hat_masked_prob bar u (prompted x) i.+2.
  rewrite /value valueE (eq_dot (q' := output m (hat x i.+2)) (p' := value_vector a l (memit m (nth z0 x i)))); last first.
  - by apply: prompted_out; exact: (ltn_ord i : (1 <= i.+2 <= (size x).+1)%N).
  - move=> z; apply: eq_bigr => c _; congr (_ * (_ * _)); exact: (prompted_embeddingE m u z0 c (ltn_ord i : (1 <= i.+1 <= size x)%N)).
  rewrite dot_output sum_hat_masked_joint [in RHS]big_mkcond; congr (_ / _); apply: eq_bigr => g _.
  have [->|nz] := eqVneq (hat x i.+2 g) 0; first by rewrite !mulr0 if_same.
  rewrite values; last exact: (hat_in_D (i := i.+1) all_D (ltn_ord i) nz).
  by rewrite readE /=; case: ifP => [gH|_]; rewrite ?mul0r // (recoverable_cell gH) -!mulrA.
have mu_in := fintype.subxx (supp mu); split=> [x_R i iP pos|impossible l [|[|i]] // le_i].
  have P_pos := x_R.1; have [z0 _] : exists z0 : X, True by case: (x) i {iP pos} => [[]|z0]; [ | exists z0].
  exists (r * P_X bar x / hat_masked_prob bar u (prompted x) i.+2) => [|l]; first by rewrite !divr_gt0 ?mulr_gt0.
  rewrite (hatE z0) mulrAC -[r * P_X bar x * _]mulrA; congr (_ / _); rewrite -mulr_sumr; congr (_ * _).
  rewrite -[P_X _ _]mul1r -(@score_of_law _ _ _ _ _ _ m mu j _ mu_in 1 z0 x i.+1 l P_pos (ltn_ord i : (1 <= i.+1 <= size x)%N)) big_mkcond.
  apply: eq_bigr => g _; rewrite (restored g rest (ltn_ord i : (1 <= i.+1 <= size x)%N)) -/(law_at m j (supp mu) 1 x i.+1 g).
  case: ifP => // /negbT gH; have -> : law_at m j (supp mu) 1 x i.+1 g = 0; last by rewrite !mulr0.
  have /IhatP in_H := iP; apply/eqP; apply: contraNT gH; rewrite /law_at !mulf_eq0 !negb_or => /and3P[_ _ nz].
  exact: in_H.
have [z0 _] : exists z0 : X, True by case: (x) le_i => // z0; exists z0.
have := hatE z0 (Ordinal (le_i : (i < size x)%N)) l; rewrite /= => ->; rewrite big1 ?mul0r // => g _.
have := P_hat_masked m u z0 (le_i : (1 <= i.+1 <= size x)%N); rewrite impossible => /esym/eqP; rewrite psumr_eq0 => [/allP/(_ g)|f _].
  by rewrite mem_index_enum => /(_ isT)/eqP ->; rewrite !mulr0.
by rewrite mulr_ge0 ?hat_ge0 ?(proj1 (memit_law m _)).
Qed.

End Readings.
