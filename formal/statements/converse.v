(** What 3.3 and 3.6 need, from the other side: the condition under which every task has a head, one condition in the
    place of 3.2 and 4.4, and when a prompt helps.

    Terms of statements/rules.v: beta_of m x is beta(x), P[x is seen | H_0 = h] at h; is_input m x says that x is not
    empty and is possible; behind m u is A(u o P[H_1]), the law of H_2 behind the prompt u up to a factor. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headproof Require Import definitions.hmm statements.rules statements.refutations.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** Every task *)

Section EveryTask.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X).

(** v is in the span V of the vectors beta(x), x any input. *)
Definition in_beta_span (v : H -> R) : Prop :=
  exists terms : seq (R * seq X), (forall term, term \in terms -> is_input m term.2) /\
  forall h, v h = \sum_(term <- terms) term.1 * beta_of m term.2 h.

(** V is all of R^H. *)
Definition betas_span_all : Prop := forall v : H -> R, in_beta_span v.

(** W diag(w) is injective on V. A head reads W (w o beta(x)), where w is P[H_1], or A(u o P[H_1]) behind u. *)
Definition injective_on_betas (w : H -> R) : Prop :=
  forall v : H -> R, in_beta_span v -> (forall z, \sum_h emit m z h * (w h * v h) = 0) -> forall h, v h = 0.

(** 3.6's conclusion with one prompt u: some linear head behind u computes F*. *)
Definition prompted_head_serves (u : letter R H) (K : nat) (mu : 'I_K.+1 -> H -> R) : Prop :=
  exists b : 'I_K.+1 -> X -> R, forall (E : X) (x : seq X), 0 < P_X m x ->
  F_star m mu x = linear_head b (Gbar m (u :: embed m (E :: x)) 2).

End EveryTask.

(** [3.3:every-task] Where P[H_0] > 0, every task has a linear head iff W diag(P[H_1]) is injective on the span of the
    beta(x). Where it is not, one binary task has none: each head is wrong on some input. *)
Definition statement_every_task : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X), full_support m ->
  ((forall (K : nat) (mu : 'I_K.+1 -> H -> R), linear_head_serves m mu) <-> injective_on_betas m (P_H m 1)) /\
  (~ injective_on_betas m (P_H m 1) ->
   exists mu : H -> R, forall (b : 'I_2 -> X -> R) (E : X),
   exists2 x, is_input m x & F_star m (binary mu) x <> linear_head b (G m (E :: x) 1)).

(** [3.3:every-task-3.1] Where the beta(x) span R^H besides, every task has a linear head iff 3.1 holds and P[H_1] > 0.
    So where P[H_0], P[H_1] > 0, 3.1 is exactly what is needed for all tasks. *)
Definition statement_every_task_3_1 : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X), full_support m -> betas_span_all m ->
  (forall (K : nat) (mu : 'I_K.+1 -> H -> R), linear_head_serves m mu) <->
  (assumption_3_1 m /\ forall h, 0 < P_H m 1 h).

(** [3.6:every-task] The same behind each prompt u. So where 3.1 fails and the beta(x) span R^H, no one prompt serves
    all tasks. *)
Definition statement_every_task_prompted : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (u : letter R H), full_support m -> is_prompt u ->
  [/\ (forall (K : nat) (mu : 'I_K.+1 -> H -> R), prompted_head_serves m u mu) <->
        injective_on_betas m (behind m u),
      ~ injective_on_betas m (behind m u) ->
        exists mu : H -> R, forall (b : 'I_2 -> X -> R) (E : X),
        exists2 x, is_input m x & F_star m (binary mu) x <> linear_head b (Gbar m (u :: embed m (E :: x)) 2) &
      betas_span_all m -> ~ assumption_3_1 m ->
        exists mu : H -> R, forall (b : 'I_2 -> X -> R) (E : X),
        exists2 x, is_input m x & F_star m (binary mu) x <> linear_head b (Gbar m (u :: embed m (E :: x)) 2)].

(** ** One condition in the place of 3.2 and 4.4 *)

(** H_1 can be in every state in which H_0 can be: supp(P[H_0]) in supp(P[H_1]). (4.6 and C.6 from [first_reaches], the
    same of a model with a memory, are in memory.v, and 4.3 needs neither.) *)
Definition start_reached (R : realFieldType) (H X : finType) (m : hmm R H X) : Prop :=
  forall h, 0 < init m h -> 0 < P_H m 1 h.

(** [3.3:start-reached] 3.1 and supp(P[H_0]) in supp(P[H_1]) give a linear head. Of 3.1 it needs only that where mu and
    P[H_0] are not 0 a column of W is in no span of the other columns of supp(P[H_1]). *)
Definition statement_3_3_start_reached : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R),
  start_reached m ->
  (forall h, h \in supp mu -> 0 < init m h -> coloop [set g | 0 < P_H m 1 g] (column m) h) ->
  linear_head_serves m mu.

(** [3.3 without 3.2] 3.3 with supp(P[H_0]) in supp(P[H_1]) in the place of 3.2. *)
Definition statement_3_3_regular : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R),
  assumption_3_1 m -> start_reached m -> linear_head_serves m mu.

(** [3.6 without 3.2] 3.6 needs nothing of 3.2 if the states of B in 3.5 are possible at H_1. *)
Definition statement_3_6_regular : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R)
    (Hstar B : {set H}),
  independent Hstar (column m) -> supp mu \subset Hstar -> Hstar = covered m B ->
  (forall h, h \in B -> 0 < P_H m 1 h) ->
  exists2 u : letter R H, is_prompt u & prompted_head_serves m u mu.

(** [3.3:start-reached-weaker] 3.2 gives supp(P[H_0]) in supp(P[H_1]), and so does a stationary start. *)
Definition statement_start_reached : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X),
  (assumption_3_2 m -> start_reached m) /\
  ((forall h', init m h' = \sum_h trans m h' h * init m h) -> start_reached m).
