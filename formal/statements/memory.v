(** The numbered statements of appendix C, and theorems 4.3, 4.6 and C.6 from less than the paper assumes. Each is
    proved in ../proofs under its own number. *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory.

(** ** What the lemmas speak of *)

Section Memory.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X).

(** W col(p) / ||p||_1, where col sums a law p of Hbar over the states of each column; 0 where p is 0. *)
Definition output (p : full N M S -> R) (z : X) : R := (\sum_g memit m z (read g) * p g) / \sum_g p g.

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

(** P[Xhat_i = xhat_i, M_j = a | Xhat_-i = xhat_-i]. *)
Definition prompted_memory u (j : 'I_N) (x : seq X) (i : nat) (a : M) : R :=
  (\sum_(g : full N M S | g.1 j == a) joint (hbar m) (hat (hbar m) u (prompted x)) i g) /
    hat_masked_prob (hbar m) u (prompted x) i.

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

(** [4.3] The same for the paper's binary tasks, F*(x) = 1(mu'P[M_{j*} | X = x] >= 0) and the label 1(Attn >= 0). *)
Definition statement_4_3_binary : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (mu : M -> R) (j : 'I_N)
    (S' : {set S}),
  assumption_3_2 (chain m) -> assumption_4_2 m j S' ->
  exists (a : attention R N M S X 0) (e : X -> letter R (cell_state N M S)),
  forall x : seq X, in_R m (recoverable j S') x ->
  (0 <= dot mu (memory_posterior m j x)) = (0 <= attn a (size x) (G (hbar m) x) (letter_at (map e x)) ord0).

(** [4.6] The same for binary tasks. *)
Definition statement_4_6_binary : Prop :=
  forall (R : realFieldType) (M S X : finType) (m : memory_hmm R 1 M S X) (mu : M -> R) (H' : {set hidden 1 S}),
  assumption_4_4 m -> assumption_4_5 m (supp (binary mu)) H' ->
  exists (u : letter R (full 1 M S)) (a : attention R 1 M S X 0), is_prompt u /\
  forall x : seq X, in_R m H' x ->
  (0 <= dot mu (memory_posterior m ord0 x)) =
  (0 <= attn a (size x).+1 (prompted_output m u x) (prompted_embedding m u x) ord0).

(** [C.6] The same for binary tasks. *)
Definition statement_C_6_binary : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (mu : M -> R) (j : 'I_N)
    (S' : {set S}),
  assumption_4_4 m -> assumption_C_5 m (supp (binary mu)) j S' ->
  exists (u : letter R (full N M S)) (a : attention R N M S X 0), is_prompt u /\
  forall x : seq X, in_R m (recoverable j S') x ->
  (0 <= dot mu (memory_posterior m j x)) =
  (0 <= attn a (size x).+1 (prompted_output m u x) (prompted_embedding m u x) ord0).

(** [4.6 without 3.2:full-support, C.6 without 3.2:full-support] Where A is irreducible and P[H_0] = A P[H_0],
    P[H_0] > 0: full support cannot fail alone. *)
Definition statement_4_4_full_support : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X),
  irreducible (chain m) -> stationary m -> full_support (chain m).

(** [4.6 without 4.4:stationary, C.6 without 4.4:stationary] 3.2 alone, and P[H_0] = A P[H_0] alone, each make H_1
    reach every state that H_0 reaches. *)
Definition statement_first_reaches : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X),
  (assumption_3_2 (chain m) -> first_reaches m) /\ (stationary m -> first_reaches m).

(** ** Message passing and what attention on G reads *)

(** [C.1] G_i(x) is W times the law of the column (M_{J_i}, H_i) given x_-i.
    Stronger than in the paper: it holds in every model. *)
Definition statement_C_1 : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (x : seq X) (i : nat) (z : X),
  (1 <= i <= size x)%N ->
  G (hbar m) x i z =
    \sum_c memit m z c * ((\sum_(g | read g == c) masked_joint (hbar m) x i g) / masked_prob (hbar m) x i).

(** [message-passing] The message passing of appendix C.2 on eta(e(x)) gives G(x), in every model. *)
Definition statement_memory_message_passing : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (x : seq X) (i : nat) (z : X),
  (1 <= i <= size x)%N -> memory_Gbar m (eta_embed m x) i z = G (hbar m) x i z.

(** [C.2] Some q and Theta_K, with beta = 0, attend to exactly Ihat, where Ihat is not empty.
    Stronger than in the paper: it needs only 4.2. *)
Definition statement_C_2 : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (j : 'I_N) (S' : {set S}),
  assumption_4_2 m j S' ->
  exists2 a : attention R N M S X K, (forall i k, position a i k = 0) & forall x : seq X, 0 < P_X (hbar m) x ->
  Ihat m (recoverable j S') x != set0 ->
  attended a (size x) (G (hbar m) x) = Ihat m (recoverable j S') x.

(** [C.3] Theta1 reads P(H_i = (j*,s) | X_-i) off G_i(x), with entries of sum 1 in absolute value; Theta2_s reads
    P[M_{j*}, H_i = (j*,s) | X_-i].
    Stronger than in the paper: it needs only 4.2. *)
Definition statement_C_3 : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (j : 'I_N) (S' : {set S}),
  assumption_4_2 m j S' ->
  exists (Theta1 : hidden N S -> X -> R) (Theta2 : S -> M -> X -> R), forall (x : seq X) (i : nat),
  0 < P_X (hbar m) x -> (1 <= i <= size x)%N ->
  let p := masked_joint (hbar m) x i in
  [/\ forall s, s \in S' -> dot (Theta1 (j, s)) (G (hbar m) x i) =
        masked_hidden m x i (j, s) / masked_prob (hbar m) x i,
      norm1 (fun h => dot (Theta1 h) (G (hbar m) x i)) = 1 &
      forall s a, s \in S' -> dot (Theta2 s a) (G (hbar m) x i) =
        (\sum_(g : full N M S | (g.1 j == a) && (g.2 == (j, s))) p g) / masked_prob (hbar m) x i].

(** [C.4] Some values are r mu_l'P[M_{j*} | X = x], r > 0 and the same for every l, at each i in Ihat.
    Stronger than in the paper: it needs only 4.2. *)
Definition statement_C_4 : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (j : 'I_N) (S' : {set S}),
  assumption_4_2 m j S' ->
  exists a : attention R N M S X K, forall x : seq X, 0 < P_X (hbar m) x ->
  forall i, i \in Ihat m (recoverable j S') x ->
  exists2 r : R, 0 < r & forall l,
    attention_value a (G (hbar m) x) (letter_at (map (memit m) x)) l i.+1 = r * dot (mu l) (memory_posterior m j x).

(** ** Behind a prompt *)

(** [C.7] Message passing on Hbar behind a prompt u computes P[Hbar_i, Xhat_-i = xhat_-i]; from i = 2 on Gbar_i is
    P[Xhat_i | Xhat_-i = xhat_-i], W times the law of the column; where xhat_-i has probability 0 it is 0, for any i.
    Stronger than in the paper: it holds in every model. *)
Definition statement_C_7 : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (u : letter R (full N M S))
    (x : seq X) (i : nat),
  is_prompt u -> (1 <= i <= (size x).+1)%N ->
  let xhat := prompted x in
  [/\ forall g, tau (hbar m) (ehat m u x) i g = hat_masked_joint (hbar m) u xhat i g,
      (1 < i)%N -> forall z, memory_Gbar m (ehat m u x) i z = G_hat (hbar m) u xhat i (Some z),
      (1 < i)%N -> forall z, memory_Gbar m (ehat m u x) i z = \sum_c memit m z c *
        ((\sum_(g | read g == c) hat_masked_joint (hbar m) u xhat i g) / hat_masked_prob (hbar m) u xhat i) &
      hat_masked_prob (hbar m) u xhat i = 0 -> forall z, memory_Gbar m (ehat m u x) i z = 0].

(** [C.8] P[M, H_i, X_{i+1:i+t} = x] = P[M, H_0, X_{1:t} = x].
    Stronger than in the paper: of 4.4 it needs only that P[H_0] = A P[H_0]. *)
Definition statement_C_8 : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (x : seq X) (i : nat)
    (g : full N M S),
  stationary m ->
  joint (hbar m) (nseq i free ++ embed (hbar m) x) i g = joint (hbar m) (embed (hbar m) x) 0 g.

(** [C.9:attends] Behind the prompt of the proof some q, Theta_K and beta attend, where no xhat_-i has probability 0, to
    exactly the positions after the prompt at which H_i surely is in H*; those of Ihat are among them.
    Stronger than in the paper: of 4.4 it needs only that P[H_0] = A P[H_0]. *)
Definition statement_C_9_attends : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (V : {set M})
    (j : 'I_N) (S' : {set S}),
  stationary m -> assumption_C_5 m V j S' ->
  let u := paper_prompt V j in
  exists a : attention R N M S X K, forall x : seq X, in_R m (recoverable j S') x ->
  (forall i, (1 <= i <= size x)%N -> 0 < hat_masked_prob (hbar m) u (prompted x) i.+1) ->
  attended a (size x).+1 (prompted_output m u x) = prompted_Ihat m u (recoverable j S') x /\
  forall i, i \in Ihat m (recoverable j S') x -> lift ord0 i \in prompted_Ihat m u (recoverable j S') x.

(** [C.10] Behind the prompt of the proof, what C.3 says of G_i(x) holds of Gbar_i(ehat(x)), where xhat_-i has positive
    probability.
    Stronger than in the paper: nothing of 4.4 is needed, and x need not be in supp(P[X]). *)
Definition statement_C_10 : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (V : {set M}) (j : 'I_N)
    (S' : {set S}),
  assumption_C_5 m V j S' ->
  let u := paper_prompt V j in
  exists (Theta1 : hidden N S -> X -> R) (Theta2 : S -> M -> X -> R), forall (x : seq X) (i : nat),
  (1 < i <= (size x).+1)%N -> 0 < hat_masked_prob (hbar m) u (prompted x) i ->
  let p := hat_masked_joint (hbar m) u (prompted x) i in
  [/\ forall s, s \in S' -> dot (Theta1 (j, s)) (prompted_output m u x i) =
        prompted_hidden m u x i (j, s) / hat_masked_prob (hbar m) u (prompted x) i,
      norm1 (fun h => dot (Theta1 h) (prompted_output m u x i)) = 1 &
      forall s a, s \in S' -> dot (Theta2 s a) (prompted_output m u x i) =
        (\sum_(g : full N M S | (g.1 j == a) && (g.2 == (j, s))) p g) / hat_masked_prob (hbar m) u (prompted x) i].

(** [C.11] Behind the prompt of the proof M_{j*} is in supp(mu), from position 2 on.
    Stronger than in the paper: it holds in every model. *)
Definition statement_C_11 : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (V : {set M}) (j : 'I_N)
    (x : seq X) (i : nat) (a : M),
  (1 < i <= (size x).+1)%N ->
  0 < \sum_(g : full N M S | g.1 j == a) hat_masked_joint (hbar m) (paper_prompt V j) (prompted x) i g -> a \in V.

(** [C.12] Behind the prompt of the proof H_i has no states that H_{i-1} has not without it.
    Stronger than in the paper: of 4.4 it needs only that H_1 can be in every state in which H_2 can be. *)
Definition statement_C_12 : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (V : {set M}) (j : 'I_N)
    (x : seq X) (i : nat) (h : hidden N S),
  (forall f, 0 < P_H (chain m) 2 f -> 0 < P_H (chain m) 1 f) -> (1 < i <= (size x).+1)%N ->
  0 < prompted_hidden m (paper_prompt V j) x i h -> 0 < masked_hidden m x i.-1 h.

(** [C.13] Behind the prompt of the proof some values are mu_l'P[Xhat_i = xhat_i, M_{j*} | Xhat_-i = xhat_-i] at each i
    in Ihat where xhat_-i has positive probability; they are r mu_l'P[M_{j*} | X = x], r > 0, at each i in Ihat; and 0
    after the prompt where xhat has probability 0.
    Stronger than in the paper: of 4.4 it needs only that P[H_0] = A P[H_0]. *)
Definition statement_C_13 : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (j : 'I_N) (S' : {set S}),
  stationary m -> assumption_C_5 m (supp mu) j S' ->
  let u := paper_prompt (supp mu) j in
  exists a : attention R N M S X K,
  let value x l i := attention_value a (prompted_output m u x) (prompted_embedding m u x) l i in
  forall x : seq X, 0 < P_X (hbar m) x ->
  [/\ forall i, i \in Ihat m (recoverable j S') x -> 0 < hat_masked_prob (hbar m) u (prompted x) i.+2 ->
        forall l, value x l i.+2 = dot (mu l) (prompted_memory m u j x i.+2),
      forall i, i \in Ihat m (recoverable j S') x ->
        exists2 r : R, 0 < r & forall l, value x l i.+2 = r * dot (mu l) (memory_posterior m j x) &
      P_hat (hbar m) u (prompted x) = 0 -> forall l i, (1 < i <= (size x).+1)%N -> value x l i = 0].

(** [C.14] mu_l'P[M_{j*} | Xhat = xhat] = mu_l'P[M_{j*} | X = x] / P(Xhat_1 = ztilde | Xhat_{2:t+1} = x), where xhat has
    positive probability.
    Stronger than in the paper: of 4.4 it needs only that P[H_0] = A P[H_0]. *)
Definition statement_C_14 : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (j : 'I_N) (x : seq X),
  stationary m ->
  let u := paper_prompt (supp mu) j in
  0 < P_hat (hbar m) u (prompted x) -> forall l,
  \sum_(g : full N M S) mu l (g.1 j) * posterior (hbar m) (hat (hbar m) u (prompted x)) 0 g =
  dot (mu l) (memory_posterior m j x) /
    (P_hat (hbar m) u (prompted x) / hat_masked_prob (hbar m) u (prompted x) 1).

(** [C.15] For x in supp(P[X]) with xhat of probability 0, mu_l'P[M_{j*} | X = x] = 0; and Gbar_i = 0 where xhat_-i has
    probability 0.
    Stronger than in the paper: of 4.4 it needs only that H_1 can be in every state in which H_0 can be. *)
Definition statement_C_15 : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (j : 'I_N) (x : seq X),
  first_reaches m ->
  let u := paper_prompt (supp mu) j in
  (P_hat (hbar m) u (prompted x) = 0 -> forall l, dot (mu l) (memory_posterior m j x) = 0) /\
  (forall i, (1 <= i <= (size x).+1)%N -> hat_masked_prob (hbar m) u (prompted x) i = 0 ->
   forall z, prompted_output m u x i z = 0).

(** ** Remarks on the assumptions *)

(** [C.6:remark-C.5] C.5 at N = 1 is 4.5, for H* = [{j*} x S*]. *)
Definition statement_remark_C_5 : Prop :=
  forall (R : realFieldType) (M S X : finType) (m : memory_hmm R 1 M S X) (V : {set M}) (S' : {set S}),
  assumption_C_5 m V ord0 S' <-> assumption_4_5 m V (recoverable ord0 S').

(** [4.3:remark-4.2] 4.2 is weaker than the independence of all columns; 4.5 and C.5 are weaker than 4.2. *)
Definition statement_remark_4_2 : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (V : {set M}) (j : 'I_N)
    (S' : {set S}),
  (independent setT (memory_column m) -> assumption_4_2 m j S') /\
  (assumption_4_2 m j S' -> assumption_C_5 m V j S' /\ assumption_4_5 m V (recoverable j S')).

(** [definition Hbar] A path of Hbar has its path's probability in the memory model, or 0 if the memory changes. *)
Definition statement_hbar_path : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (x : seq X) (c : memory N M)
    (h0 : hidden N S) (gs : seq (full N M S)), size gs = size x ->
  path_prob (hbar m) (embed (hbar m) x) (c, h0) gs =
    if all (fun g => g.1 == c) gs then memory_path_prob m x c h0 (map snd gs) else 0.
