(** The five theorems, as they are proved in ../proofs, each from the paper's own assumptions.

    R is any real field, for instance the rationals; H, X, M and S are any finite sets. The task has any number K + 1
    of labels and one row of mu for each; of labels with one score the largest wins. Texts x have any length. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headproof Require Import definitions.hmm definitions.memory.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** [3.3] Some linear head b has F*(x) = the label that b gives to G_1(x'), x' = (E, x), for every x in supp(P[X]). *)
Definition statement_3_3 : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R),
  assumption_3_1 m -> assumption_3_2 m ->
  exists b : 'I_K.+1 -> X -> R,
  forall (E : X) (x : seq X), 0 < P_X m x -> F_star m mu x = linear_head b (G m (E :: x) 1).

(** [3.6] Some soft prompt u in [0,1]^|H| and head b have F*(x) = the label that b gives to Gbar_2(ehat(x)),
    ehat(x) = (u, e(E), e(x_1), ..., e(x_t)), for every x in supp(P[X]). *)
Definition statement_3_6 : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R),
  assumption_3_2 m -> assumption_3_5 m mu ->
  exists (u : letter R H) (b : 'I_K.+1 -> X -> R), is_prompt u /\
  forall (E : X) (x : seq X), 0 < P_X m x -> F_star m mu x = linear_head b (Gbar m (u :: embed m (E :: x)) 2).
