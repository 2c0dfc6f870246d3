(** The five theorems, as they are proved in ../proofs, each from the paper's own assumptions.

    R is any real field, for instance the rationals; H, X, M and S are any finite sets, m is any model over them. The
    task has any number K + 1 of labels and one row of mu for each; of labels with one score the largest wins. Texts x
    have any length.

    To be read as: P_X m x is P[X = x]; F_star m mu x is F*(x); G m x i is G_i(x), and G m (E :: x) 1 that of (E, x) at
    the first position; Gbar m v i is Gbar_i(v), of letters v such as (u, e(x_1), ..., e(x_t)), which is u :: embed m x;
    linear_head b g and attention_head a t g emb are the labels that heads give; supp mu is supp(mu); in_R m H' x says
    that x is in R for the H* called H', and recoverable j S' is {j*} x S*. All are defined in ../definitions. *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory.

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

(** [4.3] Some attention head on G(x) and token embeddings e has F*(x) = the label that it gives, for every x in R. *)
Definition statement_4_3 : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (j : 'I_N) (S' : {set S}),
  assumption_3_2 (chain m) -> assumption_4_2 m j S' ->
  exists (a : attention R N M S X K) (e : X -> letter R (cell_state N M S)),
  forall x : seq X, in_R m (recoverable j S') x ->
  memory_F_star m mu j x = attention_head a (size x) (G (hbar m) x) (letter_at (map e x)).

(** [4.6] With one memory cell, some soft prompt u in [0,1]^{|M||H|} and attention head on Gbar(ehat(x)) and ehat(x),
    ehat(x) = (u, e(x_1), ..., e(x_t)), have F*(x) = the label that the head gives, for every x in R; H* is any set of
    hidden states. *)
Definition statement_4_6 : Prop :=
  forall (R : realFieldType) (M S X : finType) (m : memory_hmm R 1 M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (H' : {set hidden 1 S}),
  assumption_4_4 m -> assumption_4_5 m (supp mu) H' ->
  exists (u : letter R (full 1 M S)) (a : attention R 1 M S X K), is_prompt u /\
  forall x : seq X, in_R m H' x -> memory_F_star m mu ord0 x =
    attention_head a (size x).+1 (memory_Gbar m (ehat m u x)) (fun i => phi (letter_at (ehat m u x) i)).

(** [C.6] The same for any number N of memory cells, u in [0,1]^{|Hbar|}, and H* = [{j*} x S*]. *)
Definition statement_C_6 : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (j : 'I_N) (S' : {set S}),
  assumption_4_4 m -> assumption_C_5 m (supp mu) j S' ->
  exists (u : letter R (full N M S)) (a : attention R N M S X K), is_prompt u /\
  forall x : seq X, in_R m (recoverable j S') x -> memory_F_star m mu j x =
    attention_head a (size x).+1 (memory_Gbar m (ehat m u x)) (fun i => phi (letter_at (ehat m u x) i)).
