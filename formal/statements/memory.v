(** The lemmas of section 4 and of appendix C. *)

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

(** The embedding emb(x_i) of the i-th token. *)
Definition token_embedding (emb : X -> cell_state N M S -> R) (x : seq X) (i : nat) : cell_state N M S -> R :=
  nth (fun=> 0) (map emb x) i.-1.

End Memory.

Arguments paper_prompt {R N M S} V j.
