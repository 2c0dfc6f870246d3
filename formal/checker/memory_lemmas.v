(** What decides the lemmas of appendix C on a memory model (docs/certificate-format.md, section 10), and what a generated
    file about one applies. *)

From Headproof Require Import definitions.prelude.
From Headproof Require Export statements.memory_lemmas checker.memory_page checker.lemmas.
From Headproof Require Import statements.rules_memory statements.rules_lemmas proofs.paths.
From Headproof Require Import proofs.message_passing proofs.entered proofs.restoring.
From Headproof Require Import proofs.memory_laws proofs.attention proofs.theorems_4 proofs.rules_attention proofs.rules_lemmas.
From Headproof Require Import proofs.section_4 proofs.rules_messages proofs.refutations_section_3_1 proofs.rules_readings.

Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Lemmas.

Variables (N a b c K : nat) (memories initial : seq Q) (transition emission mu : seq (seq Q)) (j : nat) (S' : seq nat).
Notation states := (N.+1 * b.+1)%N.
Notation choices_n := (a.+1 ^ N.+1)%N.
Notation size_bar := (choices_n * states)%N.
Notation columns := (a.+1 * (N.+1 * b.+1))%N.
Notation M := (ordinal_finType a.+1).
Notation S := (ordinal_finType b.+1).
Notation X := (ordinal_finType c.+1).
Notation chain_T := (chain_tables N b initial transition).
Notation bar_T := (bar_tables N a b c memories initial transition emission).
Notation A := (integers2 transition).
Notation W := (integers2 emission).
Notation mu_z := (integers2 mu).
Notation p1 := (first_z chain_T).
Notation p2 := (times_A chain_T p1).
Notation p_z := (integers memories).
Notation own k := (own_z b j S' (k %% states)).

(** The state k of Hbar has m_{j*} in M*; some possible memory has. The prompt of the proof. *)
Definition named (k : nat) : bool := supp_z K mu_z (nth 0%N (nth [::] (choices a.+1 N.+1) (k %/ states)) j).
Definition some_named : bool := some size_bar (fun k => (0 <? get p_z (k %/ states))%coqZ && named k).
Definition star : seq Q := [seq if named k then 1%coqQ else 0%coqQ | k <- iota 0 size_bar].

(** Wherever v is > 0, so is w. *)
Definition within_chain (v w : seq Z) : bool := each states (fun h => (0 <? get v h)%coqZ ==> (0 <? get w h)%coqZ).

Context {valid : valid_memory N a b c memories initial transition emission} {R : realFieldType}.
Notation m := (of_memory_table R valid).
Notation of_Z := (of_Z R).
Notation of_Q := (of_Q R).
Notation ih := (hidden_numbering N b).
Notation ic := (column_numbering N a b).
Notation ig := (full_numbering N a b).
Notation ix := (ord_numbering c).
Notation cell := (inord j : 'I_N.+1).
Notation Sstar := [set t : S | val t \in S'].
Notation Hstar := (recoverable_states N b.+1 j S').
Notation task := (@memory_task R mu K.+1 a.+1).

Let chainD := chain_describes R valid.
Let barD := bar_describes R valid.

(** ** The embedding of a head of one's own *)

Theorem this_embedding E : each c.+1 (fun z => each columns (fun k => Qeq_bool (entry2 E z k) (entry2 emission z k))) ->
  forall z k, embedding_of (N := N) (a := a) (b := b) (c := c) (R := R) E z k = memit m z k.
Proof. by move=> /(eachP ix) ok z k; have /(eachP ic)/(_ k) := ok z; rewrite -(of_Q_eqE R) => /eqP. Qed.

(** ** Of every model *)

Theorem holds_C_1 : says_C_1 m. Proof. exact: proposition_C_1. Qed.
Theorem holds_C_7 : says_C_7 m. Proof. by move=> u x i; exact: lemma_C_7. Qed.
Theorem holds_C_11 : says_C_11 m task cell. Proof. by move=> x i v; exact: proposition_C_11. Qed.

(** ** Labels of texts that need not be in R *)

Definition input_label_z (x : seq nat) (l : nat) : bool :=
  [&& (j < N.+1)%N, rows_ok K mu_z & labelled_z bar_T K (lifted_z N a b j mu_z) x l].
Theorem has_input_label x l : input_label_z x l -> is_input (hbar m) (text c x) /\ memory_F_star m task cell (text c x) = inord l.
Proof.
case/and3P=> lt_j ok_mu lE; rewrite (rule_memory_task m task cell).
exact: (labelled_ok barD (common_gt0 R _) (@lifted_shown N a b c K memories initial transition emission mu j R lt_j ok_mu) lE).
Qed.

(** ** Of a chain that begins as it goes on *)

Lemma second_pos h : (0 < P_H (chain m) 2 h) = (0 <? get p2 (ih h))%coqZ.
Proof.
rewrite P_HS -(shows_gt0 _ (times_A_shows chainD (first_shows chainD) h)) //.
by rewrite !mulr_gt0 ?(dA_gt0 chainD) ?(d0_gt0 chainD).
Qed.
Lemma init_pos h : (0 < minit m h) = (0 <? get (p0 chain_T) (ih h))%coqZ.
Proof. exact: (shows_gt0 (d0_gt0 chainD) (init_shown chainD h)). Qed.

Lemma named_P (g : full N.+1 M S) : (j < N.+1)%N -> (g.1 cell \in supp task) = named (ig g).
Proof.
by move=> lt_j; rewrite supp_taskP /named [(_ %/ states)%N]pair_number_div choice_nth -[in RHS](inordK lt_j) nth_digits.
Qed.

Theorem holds_C_8 : stationary_z N b initial transition -> says_C_8 m.
Proof. by move=> /(@stationary_ok N a b c memories initial transition emission valid R) stat x i g _ _; exact: proposition_C_8. Qed.

Theorem holds_C_14 : stationary_z N b initial transition -> says_C_14 m task cell.
Proof.
move=> /(@stationary_ok N a b c memories initial transition emission valid R) stat x pos; split; last exact: claim_C_14.
have u01 : is_prompt (paper_prompt (supp task) cell : letter R (full N.+1 M S)) by exact: paper_prompt_is_prompt.
have := lt_le_trans pos (P_hat_le_masked (hbar m) (x := x) (i := 1) u01 isT).
rewrite -sum_hat_masked_joint /P_X -(sum_joint (hbar m) _ 0) //; congr (0 < _); apply: eq_bigr => g _.
by rewrite (hat_masked_jointE (hbar m) _ [::]) /around /= -P_H1 P_H_bar stationary_P_H // joint0 -map_comp.
Qed.

Definition prior_reaches_z : bool := (j < N.+1)%N && (within_chain p2 p1 || ~~ some_named).
Lemma prior_reachesP : prior_reaches_z -> back_to_first m task cell.
Proof.
case/andP=> lt_j /orP[/(eachP ih) ok v h _ _|none v h v_pos v_named _].
  rewrite second_pos => pos; rewrite (@memory_heads.first_gt0 N a b c memories initial transition emission valid); exact: (implyP (ok h)).
case/negP: none; apply/(someP ig); exists (v, h); rewrite -named_P // v_named andbT.
by rewrite [(_ %/ states)%N]pair_number_div -(@memory_gt0 N a b c memories initial transition emission valid R).
Qed.
Theorem holds_C_12 : prior_reaches_z -> says_C_12 m task cell.
Proof. by move=> /prior_reachesP; exact: rule_prior_reaches. Qed.

Theorem holds_C_15 : within_chain (p0 chain_T) p1 -> says_C_15 m task cell.
Proof.
move=> /(eachP ih) ok x _; have reach : first_reaches m.
  by move=> h; rewrite init_pos (@memory_heads.first_gt0 N a b c memories initial transition emission valid) => /(implyP (ok h)).
by have [] := claim_C_15 task cell x reach.
Qed.

(** ** R is empty *)

Notation nowhere := (no_input_z N a b c memories initial transition emission j S').
Let empty : nowhere -> forall x, ~ in_R m Hstar x := @R_is_empty N a b c memories initial transition emission j S' valid R.
Notation no_head := (any_head N a b c K (R := R)).

Theorem holds_C_2_nowhere : nowhere -> says_C_2 m K cell Sstar.
Proof. by move=> /empty none; exists no_head => // x /none. Qed.
Theorem holds_C_4_nowhere : nowhere -> says_C_4 m task cell Sstar.
Proof. by move=> /empty none; exists no_head, (fun _ _ => 0) => x i /none. Qed.
Theorem holds_attends_nowhere more positions : nowhere -> attends_to m task cell Sstar more positions.
Proof. by move=> /empty none; exists no_head => x /none. Qed.
Theorem holds_C_13_nowhere : nowhere -> says_C_13 m task cell Sstar.
Proof.
move=> /empty none; exists no_head => value x; split=> [/none //|_ l i _]; apply: big1 => k _.
by rewrite mul0r.
Qed.

(** ** Dual vectors on possible columns *)

Notation reached := (reached_t N b A (first_start_t p1)).
Notation D := (columns_of_t N a b p_z (fun=> reached)).
Notation star_t := (behind_t N a b A p1 (integers star)).
Notation D_star := (columns_of_t N a b p_z (nth [::] star_t)).
Notation closed_star := (each choices_n (fun i => closed_t N b A (behind_start_t N b A p1 (integers star) i) (nth [::] star_t i))).

Lemma starE : (j < N.+1)%N -> real_prompt (N := N) (a := a) (b := b) (R := R) star =1 paper_prompt (supp task) cell.
Proof.
move=> lt_j g; rewrite /real_prompt /entry (nth_table ig) /paper_prompt named_P //.
by case: named; rewrite ?of_Q1 ?of_Q0.
Qed.

Lemma star01 : (j < N.+1)%N -> is_prompt (real_prompt (N := N) (a := a) (b := b) (R := R) star).
Proof. by move=> lt_j g; rewrite starE //; exact: paper_prompt_is_prompt. Qed.

Definition plain_duals_z (L : seq (seq Z)) : bool :=
  closed_t N b A (first_start_t p1) reached && dual_z N a b c emission j S' (nth false D) L.
Definition star_duals_z (L : seq (seq Z)) : bool := closed_star && dual_z N a b c emission j S' (nth false D_star) L.

Theorem holds_C_3 L : plain_duals_z L -> says_C_3 m cell Sstar.
Proof.
case/andP=> ok_s dual; apply: (rule_dual_vectors_C_3 (possible_ok ok_s)).
by apply: dual_zP dual => k _; rewrite inE.
Qed.

Lemma star_behind : (j < N.+1)%N -> closed_star -> all_possible_behind m (paper_prompt (supp task) cell) (memory_heads.set_of N a b D_star).
Proof.
move=> lt_j ok_s v f h n v_pos; rewrite -starE //; exact: (behind_possible (star01 lt_j) ok_s).
Qed.

Theorem holds_C_10 L : star_duals_z L -> says_C_10 m task cell Sstar.
Proof.
case/andP=> ok_s dual; have lt_j : (j < N.+1)%N by case/andP: dual.
apply: (rule_dual_vectors_C_10 (star_behind lt_j ok_s)).
by apply: dual_zP dual => k _; rewrite inE.
Qed.

(** ** No dual vectors: terms of which the law of columns is not 0 at (j*,s), and W maps it to 0 *)

Definition no_duals_z (p : seq Z) (s : nat) (terms : word_terms) : bool :=
  let total := weighted_z bar_T p terms in let read_of := [seq column_of N a b k | k <- iota 0 size_bar] in
  let v := vec columns (fun k => sum size_bar (fun g => if nth 0%N read_of g == k then get total g else 0)%coqZ) in
  [&& (j < N.+1)%N, (s < b.+1)%N && (s \in S'), words_ok bar_T terms,
      each c.+1 (fun z => sum columns (fun k => get2 W z k * get v k) =? 0)%coqZ &
      some a.+1 (fun x => ~~ (get v (x * states + (j * b.+1 + s)) =? 0)%coqZ)].

Lemma no_dualsP p pr rp s terms : 0 < rp -> shows (T := bar_T) ig rp pr p -> no_duals_z p s terms ->
  exists (I : finType) (left right : I -> seq X) (weight : I -> R),
  let v k := \sum_t weight t * \sum_(g | read g == k) alpha_of (hbar m) pr (left t) g * beta_of (hbar m) (right t) g in
  [/\ inord s \in Sstar, forall z, \sum_k memit m z k * v k = 0 & exists x, v (x, (cell, inord s)) != 0].
Proof.
move=> rp0 pE; rewrite /no_duals_z; set total := weighted_z _ _ _; set v := vec _ _.
case/and5P=> lt_j /andP[lt_s s_in] words /(eachP ix) zero /(someP (ord_numbering a))[x0 nz].
have [I [left [right [weight [r [r0 totalE]]]]]] := weighted_shown barD rp0 pE words.
pose tau t g := alpha_of (hbar m) pr (left t) g * beta_of (hbar m) (right t) g.
pose vr (k : cell_state N.+1 M S) := \sum_t weight t * \sum_(g | read g == k) tau t g; exists I, left, right, weight.
have vE k : r * vr k = of_Z (get v (ic k)).
  rewrite get_vec /vr; under eq_bigr do rewrite mulr_sumr; rewrite exchange_big big_mkcond; apply: (shows_sum ig) => g.
  rewrite (nth_table ig) -read_column (inj_eq (can_inj (numberK ic))); case: eqP => _; [exact: totalE | exact: mulr0].
split=> [|z|]; first by rewrite inE /= inordK.
  have WE := @emissionE N a b c memories initial transition emission valid R.
  have s0 : 0 < of_Z (common (flatten emission)) * r by rewrite mulr_gt0 ?common_gt0.
  by apply: (shows_zero s0 _ (zero z)); apply: (shows_sum ic) => k; apply: shows_M (WE z k) (vE k).
by exists x0; rewrite -[X in X != 0]/(vr (x0, (cell, inord s))) (shows_eq0 r0 (vE _)) /ic /= /pair_number /= /pair_number /= !inordK.
Qed.

Theorem fails_C_3 s ts : no_duals_z (first_z bar_T) s ts -> ~ says_C_3 m cell Sstar.
Proof.
have [r r0 pE] := first_scaled barD; case/(no_dualsP r0 pE)=> I [left [right [weight [s_in zero some_v]]]] [T1 [T2 ok]].
apply: (rule_no_duals zero some_v); exists (T2 (inord s)) => x i pos le_i v; have [_ _ ->] := ok x i pos le_i; last exact: s_in.
by congr (_ / _); apply: eq_bigl => g; rewrite readE xpair_eqE; case: (g.2 =P (cell, inord s)) => [->|]; rewrite ?andbF.
Qed.

(** ** Values *)

Section Heads.

Variable hd : head_q.
Notation head := (real_head N a b c K hd (R := R)).
Notation q := (integers (query_q hd)).
Notation key_W := (times_W N a b c emission states.+1 (key_q hd)).
Notation pos := (integers2 (position_q hd)).
Notation value_t := (integers2 (times_W N a b c emission columns (value_q hd))).
Notation row_count := (size (position_q hd)).

(** Values for each label: their differences from those of a label more, of which all is 0. *)
Definition exact_t (E : seq (seq Z)) (D : seq bool) : bool :=
  values_t N a b c K.+1 j S' W (integers2 ([::] :: mu)) value_t (integers2 ([::] :: rows_q hd)) E D.

Lemma exact_P E (rE : R) (emb : X -> letter R (cell_state N.+1 M S)) D' : (0 < rE) -> (forall z k, rE * emb z k = of_Z (get2 E (ix z) (ic k))) -> (j < N.+1)%N -> exact_t E D' ->
  exists2 r : R, 0 < r & forall z l k, k \in memory_heads.set_of N a b D' -> k.2 \in Hstar ->
    dot (value_vector head l (emb z)) (memory_column m k) = r * (task l k.1 * memit m z k).
Proof.
move=> rE0 embE lt_j exact.
pose hd0 := HeadQ (query_q hd) (key_q hd) (position_q hd) (value_q hd) ([::] :: rows_q hd).
have [r r0 ok] := values_zP (hd := hd0) (mu := [::] :: mu) (valid := valid) rE0 embE lt_j exact; exists r => // z l k kD kH; have := ok z (lift ord0 l) k kD kH; rewrite /column_value.
rewrite [X in _ - X](_ : _ = 0) ?subr0 => [|]; last first.
  apply: big1 => z' _; rewrite /value_vector big1 ?mul0r // => k' _.
  by rewrite /= /entry2 /entry /= nth_nil of_Q0 mul0r mulr0.
by rewrite [X in r * ((_ - X) * _)](_ : _ = 0) ?subr0 // /entry2 /entry /= nth_nil of_Q0.
Qed.

Definition exact_z (E : seq (seq Q)) : bool :=
  [&& (j < N.+1)%N, closed_t N b A (first_start_t p1) reached & exact_t (integers2 E) D].
Theorem holds_C_4 E : exact_z E -> says_C_4 m task cell Sstar.
Proof.
case/and3P=> lt_j ok_s /(exact_P (common_gt0 R (flatten E)) (fun z k => integers2_entry R E _ _) lt_j)[r r0 ok].
exists head, (embedding_of (N := N) (a := a) (b := b) (R := R) E) => x i.
by apply: (rule_values_alone (@recoverable_cell _ _ _ _) (possible_ok ok_s) r0) => z l k; exact: ok.
Qed.

Definition exact_behind_z : bool :=
  [&& (j < N.+1)%N, closed_star, each states (fun h => get p2 h =? dA chain_T * get p1 h)%coqZ, exact_t W D_star &
      each K.+1 (fun l => each c.+1 (fun z => let v := value_row N a b value_t (integers2 (rows_q hd)) W l z in
        each columns (fun k => nth false D_star k && ~~ own k ==> (get v k =? 0)%coqZ)))].
Theorem holds_C_13 : exact_behind_z -> says_C_13 m task cell Sstar.
Proof.
case/and5P=> lt_j ok_s /(eachP ih) same exact /(eachP (ord_numbering K)) off.
have WE := @emissionE N a b c memories initial transition emission valid R.
have [r r0 ok] := exact_P (common_gt0 R _) WE lt_j exact.
apply: (rule_exact_values_behind (a := head) _ (star_behind lt_j ok_s) r0) => [h|z l k kD].
  have s0 : 0 < of_Z (dA chain_T) * (of_Z (dA chain_T) * of_Z (d0 chain_T)) by rewrite !mulr_gt0 ?(dA_gt0 chainD) ?(d0_gt0 chainD).
  have second : of_Z (dA chain_T) * (of_Z (dA chain_T) * of_Z (d0 chain_T)) * P_H (chain m) 2 h = of_Z (get p2 (ih h)).
    by rewrite P_HS; exact: (times_A_shows chainD (first_shows chainD) h).
  apply: (mulfI (lt0r_neq0 s0)); rewrite second; have /Z.eqb_eq -> := same h.
  by rewrite of_ZM -(first_shows chainD h) mulrA.
case: ifP => kH; first exact: ok.
have /(eachP ix)/(_ z)/(eachP ic)/(_ k) := off l; move: (kD); rewrite inE => -> /=; rewrite -own_column // kH /= -(of_Z_eqE R).
rewrite -(value_zE hd (valid := valid) WE) of_Z0 mulf_eq0 => /orP[|/eqP//]; rewrite gt_eqF // !mulr_gt0 ?common_gt0 //.
Qed.

(** ** Keys *)

Definition plain_z : bool := plain_keys_t N a b j S' A p1 p_z q (integers2 key_W) pos reached row_count.
Theorem holds_C_2 : plain_z -> says_C_2 m K cell Sstar.
Proof.
move=> /(@plain_keys_ok N a b c K memories initial transition emission j S' hd valid R)[all_D keyD _].
exists (Attention (query head) (key head) (fun _ _ => 0) (value head) (rows head)) => // x.
apply: (rule_keys_attend (g := 0)); split; [exact: all_D | exact: keyD | move=> i _; apply: big1 => k _].
exact: mulr0.
Qed.

(** The prompt u is that of the proof, where the memory is possible. *)
Definition keys_star_z (u : seq Q) : bool :=
  [&& prior_reaches_z, each size_bar (fun k => (0 <? get p_z (k %/ states))%coqZ ==> Qeq_bool (entry u k) (entry star k)) &
      keys_behind_t N a b j S' A p1 p_z q (integers2 key_W) pos (integers star) star_t row_count (common (flatten (position_q hd)))
        (common (flatten key_W))].
Notation score := (own_score_t N a b j S' D_star (key_scores_t N a b q (integers2 key_W))).
Notation scale := (of_Z (common (flatten key_W)) * of_Z (common (query_q hd))).

Lemma keys_starP u : keys_star_z u -> [/\ (j < N.+1)%N, back_to_first m task cell &
  rule_keys_behind m Hstar head (paper_prompt (supp task) cell) (memory_heads.set_of N a b D_star) (memory_heads.set_of N a b D) (of_Z score / scale)
    (position_score head 2)].
Proof.
case/and3P=> /[dup] /prior_reachesP back /andP[lt_j _] _ keys; split=> //.
have [_ all_D' keyD same low] := keys_behind_ok K (star01 lt_j) keys; have [_ _ ok_t _ _] := and5P keys.
by split=> //; exact: star_behind.
Qed.

Theorem holds_C_9_attends u : keys_star_z u -> says_C_9_attends m task cell Sstar.
Proof. by case/keys_starP=> _ back keys; exact: rule_attends keys back. Qed.

(** Supports of predictions and of likelihoods, and whether they meet in *Same positions* and *No law at the end*. *)
Notation Fs := (all_supports bar_T (predicted_z bar_T) (support_z bar_T (fun h => 0 <? get (first_z bar_T) h)%coqZ)).
Notation Bs := (all_supports bar_T (explained_z bar_T) (support_z bar_T xpredT)).
Notation names := [seq named k | k <- iota 0 size_bar].
Notation owns := [seq own k | k <- iota 0 size_bar].
Notation at_named ns s := (fun k => nth false s k && nth false ns k).
Definition same_positions_z (ns os F B : seq bool) : bool :=
  some size_bar (fun k => at_named ns F k && nth false B k) &&
    each size_bar (fun k => at_named ns F k && nth false B k ==> nth false os k) ==>
    each size_bar (fun k => nth false F k && nth false B k ==> nth false os k).
Definition end_z (T : tables) (ns os : seq bool) (k : Z) (F : seq bool) : bool :=
  some size_bar (at_named ns F) ==> each c.+1 (fun z =>
    let F' := predicted_z T F z in some size_bar (nth false F') && ~~ some size_bar (at_named ns F') ==>
    if each size_bar (fun k => nth false F' k ==> nth false os k) then (k =? 0)%coqZ else (0 <? k)%coqZ).
Definition all_positions_z u : bool :=
  let Fs := Fs in let Bs := Bs in let ns := names in let os := owns in
  [&& keys_star_z u, within_chain p1 p2,
      closed_supports bar_T (predicted_z bar_T) (support_z bar_T (fun h => 0 <? get (first_z bar_T) h)%coqZ) Fs,
      closed_supports bar_T (explained_z bar_T) (support_z bar_T xpredT) Bs & all (fun F => all (same_positions_z ns os F) Bs) Fs].

Notation support := (support_of (T := bar_T) ig).
Notation prediction := (prediction (hbar m)).

Lemma prediction_in y : closed_supports bar_T (predicted_z bar_T) (support_z bar_T (fun h => 0 <? get (first_z bar_T) h)%coqZ) Fs ->
  exists2 F, F \in Fs & prediction y = support F.
Proof.
case/(closed_supportsP (predicted_zP barD))=> F1 F_next; suff /mapP[F] : prediction y \in map support Fs by exists F.
elim/last_ind: y => [|y z IH]; last by rewrite prediction_rcons; exact: F_next.
have -> : prediction [::] = [set h | 0 < P_H (hbar m) 1 h].
  by apply/setP => g; rewrite !inE P_HS; congr (0 < _); apply: next_ext => h; rewrite P_H0.
by move: F1; rewrite support_zP; under eq_finset do rewrite -(first_pos barD).
Qed.

Lemma likelihood_in w : closed_supports bar_T (explained_z bar_T) (support_z bar_T xpredT) Bs ->
  exists2 B, B \in Bs & likelihood (hbar m) w = support B.
Proof.
case/(closed_supportsP (explained_zP barD))=> B1 B_next; suff /mapP[B] : likelihood (hbar m) w \in map support Bs by exists B.
elim: w => [|z w IH]; last by rewrite likelihood_cons; exact: B_next.
have -> : likelihood (hbar m) [::] = setT by apply/setP => g; rewrite !inE ltr01.
by move: B1; rewrite support_zP (_ : [set h | _] = setT) //; apply/setP => h; rewrite !inE.
Qed.

Lemma in_support s g : (g \in support s) = nth false s (ig g). Proof. by rewrite inE. Qed.
Lemma in_named g : (j < N.+1)%N -> (g \in [set g : full N.+1 M S | g.1 cell \in supp task]) = nth false names (ig g).
Proof. by move=> lt_j; rewrite in_set named_P // (nth_table ig). Qed.
Lemma in_own g : (j < N.+1)%N -> (g \in [set g : full N.+1 M S | g.2 \in Hstar]) = nth false owns (ig g).
Proof. by move=> lt_j; rewrite in_set own_zP // (nth_table ig) [(_ %% states)%N]pair_number_mod. Qed.

Lemma all_positionsP u : all_positions_z u -> [/\ keys_star_z u, on_to_second m task cell & same_positions m task cell Sstar].
Proof.
case/and5P=> keys /(eachP ih) ok closed_F closed_B /allP same; have [lt_j _ _] := keys_starP keys; split=> //.
  by move=> v h _ _; rewrite second_pos (@memory_heads.first_gt0 N a b c memories initial transition emission valid) => /(implyP (ok h)).
move=> y w; have [F F_in ->] := prediction_in y closed_F; have [B B_in ->] := likelihood_in w closed_B => /=.
move=> /set0Pn[g]; rewrite !in_setI !in_support in_named // => gP /subsetP in_H; apply/subsetP => h.
rewrite in_setI !in_support in_own // => hP; have /implyP same_FB := allP (same F F_in) B B_in.
have /(eachP ig)/(_ h)/implyP : each size_bar (fun k => nth false F k && nth false B k ==> nth false owns k); last exact.
apply: same_FB; apply/andP; split; first by apply/(someP ig); exists g; rewrite andbAC.
apply/(eachP ig) => f; apply/implyP; rewrite andbAC => fP.
by have := in_H f; rewrite !in_setI !in_support in_named // in_own // fP; exact.
Qed.

Theorem holds_C_9_all_positions u : all_positions_z u -> says_C_9_all_positions m task cell Sstar.
Proof. by case/all_positionsP=> /keys_starP[_ back keys] on same; exact: rule_all_positions keys back on same. Qed.

Definition letter_z u : bool :=
  let T := bar_T in let ns := names in let os := owns in let k := score in all_positions_z u && all (end_z T ns os k) Fs.
Theorem holds_C_9 u : letter_z u -> says_C_9 m task cell Sstar.
Proof.
case/andP=> ok /allP ends; have [/keys_starP[lt_j back keys] on same] := all_positionsP ok.
case/and5P: ok => _ _ closed_F _ _; apply: (rule_letter keys back on same) => y z F0.
have [F F_in FE] := prediction_in y closed_F.
have F0E : F0 = support (predicted_z bar_T F (ix z)) by rewrite /F0 prediction_rcons FE (predicted_zP barD).
rewrite FE F0E; set F' := predicted_z _ _ _ => /set0Pn[g gP] /set0Pn[f fP] /setP none.
have some_F : some size_bar (at_named names F) by apply/(someP ig); exists g; move: gP; rewrite in_setI in_support in_named.
have := ends F F_in; rewrite /end_z some_F => /(eachP ix)/(_ z); rewrite -/F'.
have -> : some size_bar (nth false F') by apply/(someP ig); exists f; move: fP; rewrite in_support.
have /negbTE-> : ~~ some size_bar (at_named names F').
  by apply/negP => /(someP ig)[h]; have := none h; rewrite in_setI in_support in_named // in_set0 => ->.
have -> : each size_bar (fun k => nth false F' k ==> nth false owns k) = (support F' \subset [set g | g.2 \in Hstar]).
  apply/(eachP ig)/subsetP => [all_own h|in_H h]; first by rewrite in_support in_own // => /(implyP (all_own h)).
  by apply/implyP => hF; have := in_H h; rewrite in_support in_own //; apply.
have scale0 : 0 < scale by rewrite mulr_gt0 ?common_gt0.
by case: ifP => _ /=; [move=> /Z.eqb_eq ->; rewrite of_Z0 mul0r | move=> pos_k; rewrite divr_gt0 // -of_Z0 of_Z_lt].
Qed.

End Heads.

End Lemmas.

Arguments holds_C_2 {N a b c K memories initial transition emission j S' valid R hd}.
Arguments holds_C_2_nowhere {N a b c K memories initial transition emission j S' valid R}.
Arguments holds_C_4_nowhere {N a b c K memories initial transition emission mu j S' valid R}.
Arguments holds_C_13_nowhere {N a b c K memories initial transition emission mu j S' valid R}.
Arguments holds_attends_nowhere {N a b c K memories initial transition emission mu j S' valid R more positions}.
