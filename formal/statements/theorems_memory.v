(** Theorems 4.3, 4.6 and C.6. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headproof Require Import definitions.hmm definitions.memory statements.memory.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** [4.3] Some attention head on G(x) and token embeddings computes F* on R, for memory HMMs with H* = [{j*} x S*].
    Stronger than in the paper: 3.2 is not assumed, and mu may have several rows. *)
Definition theorem_4_3 : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (K : nat) (m : memory_hmm R N M S X)
    (mu : 'I_K.+1 -> M -> R) (j : 'I_N) (S' : {set S}),
  assumption_4_2 m j S' ->
  exists (a : attention R N M S X K) (emb : X -> cell_state N M S -> R), forall x : seq X,
    in_R m (recoverable j S') x ->
    attention_head a (size x) (G (hbar m) x) (token_embedding emb x) = memory_F_star m mu j x.

(** [4.6] With one memory cell, some soft prompt u and attention head on Gbar(ehat(x)) and ehat(x) compute F* on R, for
    any set H* of hidden states.
    Stronger than in the paper: of 4.4 only P[H_0] = A P[H_0] is assumed, not 3.2, and mu may have several rows. *)
Definition theorem_4_6 : Prop :=
  forall (R : realFieldType) (M S X : finType) (K : nat) (m : memory_hmm R 1 M S X)
    (mu : 'I_K.+1 -> M -> R) (H' : {set hidden 1 S}),
  stationary m -> assumption_4_5 m (supp mu) H' ->
  exists (u : letter R (full 1 M S)) (a : attention R 1 M S X K), is_prompt u /\ forall x : seq X,
    in_R m H' x ->
    attention_head a (size x).+1 (prompted_output m u x) (prompted_embedding m u x) = memory_F_star m mu ord0 x.

(** [C.6] With any number of memory cells, some soft prompt u and attention head on Gbar(ehat(x)) and phi(ehat(x))
    compute F* on R, for H* = [{j*} x S*].
    Stronger than in the paper: of 4.4 only P[H_0] = A P[H_0] is assumed, not 3.2, and mu may have several rows. *)
Definition theorem_C_6 : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (K : nat) (m : memory_hmm R N M S X)
    (mu : 'I_K.+1 -> M -> R) (j : 'I_N) (S' : {set S}),
  stationary m -> assumption_C_5 m (supp mu) j S' ->
  exists (u : letter R (full N M S)) (a : attention R N M S X K), is_prompt u /\ forall x : seq X,
    in_R m (recoverable j S') x ->
    attention_head a (size x).+1 (prompted_output m u x) (prompted_embedding m u x) = memory_F_star m mu j x.

(** [4.6 without 4.4:stationary, 4.6] Instead of 4.4: behind the restoring prompt, it is enough that H_1 can be in every
    state in which H_0 can be. 3.2 gives that. *)
Definition theorem_4_6_restoring : Prop :=
  forall (R : realFieldType) (M S X : finType) (K : nat) (m : memory_hmm R 1 M S X)
    (mu : 'I_K.+1 -> M -> R) (H' : {set hidden 1 S}),
  (forall h, 0 < minit m h -> 0 < P_H (chain m) 1 h) -> assumption_4_5 m (supp mu) H' ->
  let u := restoring_prompt m (supp mu) ord0 in
  is_prompt u /\ exists a : attention R 1 M S X K, forall x : seq X,
    in_R m H' x ->
    attention_head a (size x).+1 (prompted_output m u x) (prompted_embedding m u x) = memory_F_star m mu ord0 x.

(** [C.6 without 4.4:stationary, C.6] The same for any number of memory cells. *)
Definition theorem_C_6_restoring : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (K : nat) (m : memory_hmm R N M S X)
    (mu : 'I_K.+1 -> M -> R) (j : 'I_N) (S' : {set S}),
  (forall h, 0 < minit m h -> 0 < P_H (chain m) 1 h) -> assumption_C_5 m (supp mu) j S' ->
  let u := restoring_prompt m (supp mu) j in
  is_prompt u /\ exists a : attention R N M S X K, forall x : seq X,
    in_R m (recoverable j S') x ->
    attention_head a (size x).+1 (prompted_output m u x) (prompted_embedding m u x) = memory_F_star m mu j x.
