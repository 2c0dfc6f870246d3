(** What a generated file about a memory model applies: a theorem for each part of a claim about 4.3, 4.6 or C.6. *)

From Headproof Require Import definitions.prelude statements.rules_memory proofs.paths proofs.rules_messages.
From Headproof Require Export definitions.memory statements.memory checker.page checker.memory_models
  checker.memory_claims checker.memory_heads checker.memory_texts checker.memory_labels checker.memory_refutation.

Local Open Scope ring_scope.

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

Theorem has_memory_label x l : memory_label_z N a b c K memories initial transition emission mu j S' x l ->
  in_R m Hstar (text c x) /\ memory_F_star m task cell (text c x) = inord l.
Proof. exact (@memory_labelP N a b c K memories initial transition emission mu j S' valid R x l). Qed.

Definition memory_one_label_z l t : bool :=
  [&& (j < N.+1)%N, rows_ok K (integers2 mu) & one_label_z bar_T K (lifted_z N a b j (integers2 mu)) l t].
Theorem has_memory_one_label l t : memory_one_label_z l t ->
  exists l, forall x, is_input (hbar m) x -> memory_F_star m task cell x = l.
Proof.
case/and3P=> lt_j ok_mu ok; exists (real_label K l) => x x_in; rewrite (rule_memory_task m task cell).
exact (one_label_ok barD (common_gt0 R _) (@lifted_shown N a b c K memories initial transition emission mu j R lt_j ok_mu) ok x_in).
Qed.

(** ** Heads *)

Theorem this_head_4_3 hd E : attention_z N a b c K memories initial transition emission mu j S' hd E ->
  forall x, in_R m Hstar x -> memory_F_star m task cell x = attention_head (real_head N a b c K hd) (size x) (G (hbar m) x)
    (letter_at (map (embedding_of (N := N) (a := a) (b := b) (c := c) (R := R) E) x)).
Proof. by move=> ok; exact (@attention_ok N a b c K memories initial transition emission mu j S' hd valid R E ok). Qed.

Theorem holds_4_3 hd E : attention_z N a b c K memories initial transition emission mu j S' hd E ->
  exists (h : attention R N.+1 M S X K) (e : X -> letter R (cell_state N.+1 M S)), forall x, in_R m Hstar x ->
  memory_F_star m task cell x = attention_head h (size x) (G (hbar m) x) (letter_at (map e x)).
Proof.
move=> ok; exists (real_head N a b c K hd), (embedding_of (N := N) (a := a) (b := b) (c := c) (R := R) E).
exact: (this_head_4_3 ok).
Qed.

Theorem holds_C_6 hd u : prompted_attention_z N a b c K memories initial transition emission mu j S' hd u ->
  exists (u : letter R (full N.+1 M S)) (h : attention R N.+1 M S X K), is_prompt u /\ forall x, in_R m Hstar x ->
  memory_F_star m task cell x =
    attention_head h (size x).+1 (memory_Gbar m (ehat m u x)) (fun i => phi (letter_at (ehat m u x) i)).
Proof.
move=> ok; exists (real_prompt (N := N) (a := a) (b := b) (R := R) u), (real_head N a b c K hd); exact: (prompted_attention_ok ok).
Qed.

(** ** R is empty, so that any head serves *)

Notation shape z := (z N a b c memories initial transition emission j S').

Definition any_head : attention R N.+1 M S X K :=
  Attention (fun=> 0) (fun _ _ => 0) (fun _ _ => 0) (fun _ _ => 0) (fun _ _ => 0).

Theorem R_is_empty : shape no_input_z -> forall x, ~ in_R m Hstar x.
Proof. exact (@no_input_ok N a b c memories initial transition emission j S' valid R). Qed.

Theorem holds_4_3_nowhere : shape no_input_z ->
  exists (h : attention R N.+1 M S X K) (e : X -> letter R (cell_state N.+1 M S)), forall x, in_R m Hstar x ->
  memory_F_star m task cell x = attention_head h (size x) (G (hbar m) x) (letter_at (map e x)).
Proof. by move=> /R_is_empty none; exists any_head, (fun _ _ => 0) => x /none. Qed.

Theorem holds_C_6_nowhere : shape no_input_z ->
  exists (u : letter R (full N.+1 M S)) (h : attention R N.+1 M S X K), is_prompt u /\ forall x, in_R m Hstar x ->
  memory_F_star m task cell x =
    attention_head h (size x).+1 (memory_Gbar m (ehat m u x)) (fun i => phi (letter_at (ehat m u x) i)).
Proof. by move=> /R_is_empty none; exists (fun=> 0), any_head; split=> [g|x /none //]; rewrite lexx ler01. Qed.

(** ** No head *)

Notation claim_shape z := (z N a b c K memories initial transition emission mu j S').
Notation serves_prompted u h := (forall x, in_R m Hstar x -> memory_F_star m task cell x =
  attention_head h (size x).+1 (memory_Gbar m (ehat m u x)) (fun i => phi (letter_at (ehat m u x) i))).

Theorem fails_4_3 inputs t : claim_shape no_attention_z inputs t ->
  ~ exists (h : attention R N.+1 M S X K) (e : X -> letter R (cell_state N.+1 M S)), forall x, in_R m Hstar x ->
  memory_F_star m task cell x = attention_head h (size x) (G (hbar m) x) (letter_at (map e x)).
Proof. by move=> ok [h [e right]]; have [x x_R] := no_attention_ok ok h e; apply; exact: right. Qed.

Theorem fails_C_6_alike inputs cs : claim_shape no_prompted_attention_z inputs cs ->
  ~ exists (u : letter R (full N.+1 M S)) (h : attention R N.+1 M S X K), is_prompt u /\ serves_prompted u h.
Proof.
move=> ok [u [h [u01 right]]]; have [g|x x_R] := no_prompted_attention_ok ok (u := u) h; first by case/andP: (u01 g).
by apply; exact: right.
Qed.

Theorem fails_C_6_decoys inputs groups leaves : claim_shape decoys_z inputs groups leaves ->
  ~ exists (u : letter R (full N.+1 M S)) (h : attention R N.+1 M S X K), is_prompt u /\ serves_prompted u h.
Proof.
move=> ok [u [h [u01 right]]]; have [g|x x_R] := decoys_z_ok ok (u := u) h; first by case/andP: (u01 g).
by apply; exact: right.
Qed.

(** ** One head *)

Theorem this_head_nowhere (P : seq X -> Prop) : shape no_input_z -> forall x, in_R m Hstar x -> P x.
Proof. by move=> /R_is_empty none x /none. Qed.

Theorem this_head_C_6 hd u : prompted_attention_z N a b c K memories initial transition emission mu j S' hd u ->
  serves_prompted (real_prompt (N := N) (a := a) (b := b) (R := R) u) (real_head N a b c K hd).
Proof. by move=> ok; exact (@prompted_attention_ok N a b c K memories initial transition emission mu j S' hd u valid R ok).2. Qed.

Theorem not_this_head_4_3 hd E x : claim_shape mislabelled_4_3_z hd E x ->
  ~ forall x, in_R m Hstar x -> memory_F_star m task cell x = attention_head (real_head N a b c K hd) (size x) (G (hbar m) x)
    (letter_at (map (embedding_of (N := N) (a := a) (b := b) (c := c) (R := R) E) x)).
Proof. exact (@mislabelled_4_3 N a b c K memories initial transition emission mu j S' hd E valid R x). Qed.

Theorem not_this_head_C_6 hd u x : claim_shape mislabelled_C_6_z hd u x ->
  ~ serves_prompted (real_prompt (N := N) (a := a) (b := b) (R := R) u) (real_head N a b c K hd).
Proof. exact (@mislabelled_C_6 N a b c K memories initial transition emission mu j S' hd u valid R x). Qed.

End Memory.

Arguments holds_4_3_nowhere {N a b c K memories initial transition emission mu j S' valid R}.
Arguments holds_C_6_nowhere {N a b c K memories initial transition emission mu j S' valid R}.
