(** The numbered statements of appendix C, and theorems 4.3, 4.6 and C.6 from less than the paper assumes. Each is proved
    in ../proofs under its own number. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headproof Require Import definitions.hmm definitions.memory.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** What the lemmas speak of *)

Section Memory.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X).

(** Ihat: the positions at which the hidden state surely is in H*, where only the other tokens are seen. *)
Definition Ihat (H' : {set hidden N S}) (x : seq X) : {set 'I_(size x)} :=
  [set i : 'I_(size x) | [forall h, (0 < masked_hidden m x i.+1 h) ==> (h \in H')]].

(** The prompt of the proof: u[m_1..m_N,j,s] = 1 iff m_{j*} is in M* = supp(mu). *)
Definition paper_prompt (V : {set M}) (j : 'I_N) : letter R (full N M S) := fun g => (g.1 j \in V)%:R.

(** The prompt that needs no stationarity: in proportion to P(H_0=h) / P(H_1=h) where m_{j*} is in M*. *)
Definition first_ratio (h : hidden N S) : R := minit m h / P_H (chain m) 1 h.
Definition restoring_prompt (V : {set M}) (j : 'I_N) : letter R (full N M S) :=
  fun g => (g.1 j \in V)%:R * (first_ratio g.2 / \sum_h first_ratio h).

(** H_1 can be in every state in which H_0 can be. *)
Definition first_reaches : Prop := forall h, 0 < minit m h -> 0 < P_H (chain m) 1 h.

(** Behind the prompt u, P[Hbar_2 = g, Xhat_1 = ztilde] is y P[Hbar_1 = g, M_{j*} in M*]. *)
Definition restores (u : letter R (full N M S)) (V : {set M}) (j : 'I_N) (y : R) : Prop :=
  forall g, \sum_g' trans (hbar m) g g' * (P_H (hbar m) 1 g' * u g') = y * ((g.1 j \in V)%:R * P_H (hbar m) 1 g).

(** The inputs of a head behind the prompt u: Gbar_i(ehat(x)) and phi(ehat_i), i = 1, ..., t + 1. *)
Definition prompted_output u (x : seq X) (i : nat) : X -> R := memory_Gbar m (ehat m u x) i.
Definition prompted_embedding u (x : seq X) (i : nat) : cell_state N M S -> R := phi (letter_at (ehat m u x) i).

(** P[H_i = h, Xhat_-i = xhat_-i], and the positions after the prompt at which H_i surely is in H* behind the prompt. *)
Definition prompted_hidden u (x : seq X) (i : nat) (h : hidden N S) : R :=
  \sum_(g | g.2 == h) hat_masked_joint (hbar m) u (prompted x) i g.
Definition prompted_Ihat u (H' : {set hidden N S}) (x : seq X) : {set 'I_(size x).+1} :=
  [set i : 'I_(size x).+1 | (0 < i)%N && [forall h, (0 < prompted_hidden u x i.+1 h) ==> (h \in H')]].

End Memory.

Arguments paper_prompt {R N M S} V j.

(** ** Theorems 4.3, 4.6 and C.6 from less *)

(** [4.3, 4.3 without 3.2, 4.3 without 3.2:ergodic, 4.3 without 3.2:full-support] An attention head on G(x) and token
    embeddings computes F* on R.
    Stronger than in the paper: it needs only 4.2, for any H* of states that read cell j*; the embeddings are
    e(z) = W[z,:]. *)
Definition statement_4_3_from_less : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (j : 'I_N) (H' : {set hidden N S}),
  (forall h, h \in H' -> h.1 = j) -> separated m setT H' (setX setT (~: H')) ->
  exists a : attention R N M S X K, forall x : seq X, in_R m H' x ->
  memory_F_star m mu j x = attention_head a (size x) (G (hbar m) x) (letter_at (map (memit m) x)).

(** [4.6, 4.6 without 3.2, 4.6 without 3.2:ergodic] A prompt and an attention head compute F* on R.
    Stronger than in the paper: of 4.4 it needs only that P[H_0] = A P[H_0]. *)
Definition statement_4_6_from_less : Prop :=
  forall (R : realFieldType) (M S X : finType) (m : memory_hmm R 1 M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (H' : {set hidden 1 S}),
  stationary m -> assumption_4_5 m (supp mu) H' ->
  let u := paper_prompt (supp mu) ord0 in
  exists a : attention R 1 M S X K, forall x : seq X, in_R m H' x ->
  memory_F_star m mu ord0 x = attention_head a (size x).+1 (prompted_output m u x) (prompted_embedding m u x).

(** [C.6, C.6 without 3.2, C.6 without 3.2:ergodic] A prompt and an attention head compute F* on R.
    Stronger than in the paper: of 4.4 it needs only that P[H_0] = A P[H_0]. *)
Definition statement_C_6_from_less : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (j : 'I_N) (S' : {set S}),
  stationary m -> assumption_C_5 m (supp mu) j S' ->
  let u := paper_prompt (supp mu) j in
  exists a : attention R N M S X K, forall x : seq X, in_R m (recoverable j S') x ->
  memory_F_star m mu j x = attention_head a (size x).+1 (prompted_output m u x) (prompted_embedding m u x).

(** [4.6, 4.6 without 4.4:stationary] The same behind the restoring prompt.
    Stronger than in the paper: of 4.4 it needs only that H_1 can be in every state in which H_0 can be; 3.2 gives
    that. *)
Definition statement_4_6_restoring : Prop :=
  forall (R : realFieldType) (M S X : finType) (m : memory_hmm R 1 M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (H' : {set hidden 1 S}),
  first_reaches m -> assumption_4_5 m (supp mu) H' ->
  let u := restoring_prompt m (supp mu) ord0 in
  is_prompt u /\ exists a : attention R 1 M S X K, forall x : seq X, in_R m H' x ->
  memory_F_star m mu ord0 x = attention_head a (size x).+1 (prompted_output m u x) (prompted_embedding m u x).

(** [C.6, C.6 without 4.4:stationary] The same behind the restoring prompt.
    Stronger than in the paper: of 4.4 it needs only that H_1 can be in every state in which H_0 can be; 3.2 gives
    that. *)
Definition statement_C_6_restoring : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (j : 'I_N) (S' : {set S}),
  first_reaches m -> assumption_C_5 m (supp mu) j S' ->
  let u := restoring_prompt m (supp mu) j in
  is_prompt u /\ exists a : attention R N M S X K, forall x : seq X, in_R m (recoverable j S') x ->
  memory_F_star m mu j x = attention_head a (size x).+1 (prompted_output m u x) (prompted_embedding m u x).

(** [4.6 without 3.2:full-support, C.6 without 3.2:full-support] Where A is irreducible and P[H_0] = A P[H_0], P[H_0] > 0:
    full support cannot fail alone. *)
Definition statement_4_4_full_support : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X),
  irreducible (chain m) -> stationary m -> full_support (chain m).

(** [4.6 without 4.4:stationary, C.6 without 4.4:stationary] 3.2 alone, and P[H_0] = A P[H_0] alone, each make H_1
    reach every state that H_0 reaches. *)
Definition statement_first_reaches : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X),
  (assumption_3_2 (chain m) -> first_reaches m) /\ (stationary m -> first_reaches m).
