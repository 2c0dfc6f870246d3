(** What a generated file about a memory model applies: a theorem for each part of a claim about 4.3, 4.6 or C.6. *)

From Headproof Require Export definitions.memory statements.memory checker.page.
From Headproof Require Export checker.memory_models checker.memory_claims checker.memory_heads.
From Headproof Require Import statements.rules_memory proofs.paths proofs.rules_messages.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.
Delimit Scope Q_scope with coqQ.

(** The task on the page: the values of the row l. *)
Definition memory_task (R : realFieldType) (mu : seq (seq Q)) K a (l : 'I_K) (v : 'I_a) : R := of_Q R (entry2 mu l v).
(** {j*} x S*, by the numbers of the cell and of the syntax states. *)
Definition recoverable_states N b (j : nat) (s : seq nat) : {set hidden N.+1 (ordinal_finType b)} :=
  recoverable (inord j) [set t : 'I_b | val t \in s].

Section Memory.

Variables (N a b c K : nat) (memories initial : seq Q) (transition emission mu : seq (seq Q)) (j : nat) (S' : seq nat).
Notation states := (N.+1 * b.+1)%N.
Notation size_bar := (a.+1 ^ N.+1 * states)%N.
Notation M := (ordinal_finType a.+1).
Notation S := (ordinal_finType b.+1).
Notation X := (ordinal_finType c.+1).
Notation bar_T := (bar_tables N a b c memories initial transition emission).
Context {valid : valid_memory N a b c memories initial transition emission} {R : realFieldType}.
Notation m := (of_memory_table R valid).
Notation of_Z := (of_Z R).
Notation ig := (full_numbering N a b).
Notation ix := (ord_numbering c).
Notation cell := (inord j : 'I_N.+1).
Notation Hstar := (recoverable_states N b.+1 j S').
Notation task := (@memory_task R mu K.+1 a.+1).

Let barD := bar_describes R valid.

(** ** Labels of texts in R *)

Definition lifted_z : seq (seq Z) :=
  let ch := choices a.+1 N.+1 in
  [seq [seq get row (nth 0%N (nth [::] ch (k %/ states)) j) | k <- iota 0 size_bar] | row <- integers2 mu].

Lemma lifted_shown : (j < N.+1)%N -> rows_ok K (integers2 mu) ->
  show (T := bar_T) ig (of_Z (common (flatten mu))) (lifted task cell) lifted_z.
Proof.
move=> lt_j /eqP size_mu l g; rewrite /get2 (nth_map [::]) ?size_mu ?ltn_ord // [get _ _](nth_table ig).
rewrite [(_ %/ states)%N]pair_number_div choice_nth -[in RHS](inordK lt_j) nth_digits; exact: integers2_entry.
Qed.

(** alpha(w). *)
Definition alpha_z (w : seq nat) : seq Z := foldl (fun v z => times_A bar_T (emitted bar_T z v)) (first_z bar_T) w.

Lemma alpha_shows w : all (fun z => (z < c.+1)%N) w ->
  exists2 r : R, 0 < r & shows (T := bar_T) ig r (alpha_of (hbar m) (P_H (hbar m) 1) (word ix w)) (alpha_z w).
Proof.
have : exists2 r : R, 0 < r & shows (T := bar_T) ig r (P_H (hbar m) 1) (first_z bar_T).
  exists (of_Z (dA bar_T) * of_Z (d0 bar_T)); last exact: (first_shows barD).
  by rewrite mulr_gt0 ?(dA_gt0 barD) ?(d0_gt0 barD).
rewrite /alpha_z; move: (P_H _ _) (first_z _); elim: w => [|z w IH] p v [r r0 pE] /=; first by exists r.
case/andP=> lt_z ok.
apply: (IH _ _ _ ok); exists (of_Z (dA bar_T) * (of_Z (dW bar_T) * r)).
  by rewrite !mulr_gt0 ?(dA_gt0 barD) ?(dW_gt0 barD).
apply: (times_A_shows barD); have := emitted_shows barD (item ix z) pE; by rewrite (itemK ix).
Qed.

Definition in_R_z (x : seq nat) : bool :=
  [&& (j < N.+1)%N, is_input_z bar_T x & some (size x) (fun i =>
    let alpha := alpha_z (take i x) in let beta := beta_z bar_T 1 (drop i.+1 x) in
    each size_bar (fun k => (0 <? get alpha k * get beta k)%coqZ ==> own_z b j S' (k %% states)))].

Lemma in_R_zP x : in_R_z x -> in_R m Hstar (text c x).
Proof.
case/and3P=> lt_j x_in /hasP[i]; rewrite mem_iota => /andP[_ lt_i] /(eachP ig) own_all.
apply/rule_in_R; split; first exact: (is_inputP barD x_in).
exists i.+1; first by rewrite ltn0Sn size_map.
move=> g; rewrite /plain_law /tau_of /= -map_take -map_drop.
have x_ok := is_input_word x_in.
have [|r r0 alphaE] := alpha_shows (w := take i x); first by apply/allP => z /mem_take/(allP x_ok).
have drop_ok : all (fun z => (z < c.+1)%N) (drop i.+1 x) by apply/allP => z /mem_drop/(allP x_ok).
have betaE := beta_shows barD (erefl : 1 = of_Z 1) drop_ok.
rewrite (shows_gt0 _ (shows_M (alphaE g) (betaE g))) ?mulr_gt0 ?exprn_gt0 ?(s_gt0 barD) ?ltr01 // => pos.
by have := implyP (own_all g) pos; rewrite [(_ %% states)%N]pair_number_mod own_zP.
Qed.

Definition memory_label_z (x : seq nat) (l : nat) : bool :=
  [&& rows_ok K (integers2 mu), in_R_z x & labelled_z bar_T K lifted_z x l].
Theorem has_memory_label x l : memory_label_z x l ->
  in_R m Hstar (text c x) /\ memory_F_star m task cell (text c x) = inord l.
Proof.
case/and3P=> ok_mu x_in lE; split; first exact: in_R_zP.
rewrite (rule_memory_task m task cell); case/and3P: x_in => lt_j _ _.
exact: (labelled_ok barD (common_gt0 R _) (lifted_shown lt_j ok_mu) lE).2.
Qed.

Definition memory_one_label_z l t : bool := [&& (j < N.+1)%N, rows_ok K (integers2 mu) & one_label_z bar_T K lifted_z l t].
Theorem has_memory_one_label l t : memory_one_label_z l t ->
  exists l, forall x, is_input (hbar m) x -> memory_F_star m task cell x = l.
Proof.
case/and3P=> lt_j ok_mu ok; exists (real_label K l) => x x_in; rewrite (rule_memory_task m task cell).
exact: (one_label_ok barD (common_gt0 R _) (lifted_shown lt_j ok_mu) ok).
Qed.

(** ** Heads *)

Theorem holds_4_3 hd E : attention_z N a b c K memories initial transition emission mu j S' hd E ->
  exists (h : attention R N.+1 M S X K) (e : X -> letter R (cell_state N.+1 M S)), forall x, in_R m Hstar x ->
  memory_F_star m task cell x = attention_head h (size x) (G (hbar m) x) (letter_at (map e x)).
Proof.
move=> ok; exists (real_head N a b c K hd), (embedding_of (N := N) (a := a) (b := b) (c := c) (R := R) E).
exact: (attention_ok ok).
Qed.

Theorem holds_C_6 hd u : prompted_attention_z N a b c K memories initial transition emission mu j S' hd u ->
  exists (u : letter R (full N.+1 M S)) (h : attention R N.+1 M S X K), is_prompt u /\ forall x, in_R m Hstar x ->
  memory_F_star m task cell x =
    attention_head h (size x).+1 (memory_Gbar m (ehat m u x)) (fun i => phi (letter_at (ehat m u x) i)).
Proof.
move=> ok; exists (real_prompt (N := N) (a := a) (b := b) (R := R) u), (real_head N a b c K hd); exact: (prompted_attention_ok ok).
Qed.

End Memory.
