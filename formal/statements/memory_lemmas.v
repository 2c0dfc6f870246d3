(** What each lemma of appendix C says of one memory model, its task and its H* = {j*} x S*, behind the prompt of the
    proof (docs/certificate-format.md, section 10): the claims of files about them name these. *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory statements.memory.

Section Lemmas.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat).
Variables (mu : 'I_K.+1 -> M -> R) (j : 'I_N) (S' : {set S}).
Notation bar := (hbar m).
Notation Hs := (recoverable j S').
Notation u := (paper_prompt (supp mu) j).
Notation possible x i := (0 < hat_masked_prob bar u (prompted x) i).
Implicit Types (x : seq X) (i : nat).

(** G_i(x) is W times the law of the column (M_{J_i}, H_i) given x_-i. *)
Definition says_C_1 : Prop := forall x i z, (1 <= i <= size x)%N ->
  G bar x i z = \sum_c memit m z c * ((\sum_(g | read g == c) masked_joint bar x i g) / masked_prob bar x i).

(** Some q and Theta_K, with beta = 0, attend to exactly Ihat(x), for every x in R. *)
Definition says_C_2 : Prop := exists2 a : attention R N M S X K, (forall i k, position a i k = 0) &
  forall x, in_R m Hs x -> attended a (size x) (G bar x) = Ihat m Hs x.

(** Theta1 and Theta2 read P[H = (j*,s)], with 1-norm 1, and P[M_{j*}, H = (j*,s)] off the output of a law p / P. *)
Definition reads Theta1 Theta2 (out : X -> R) (p : full N M S -> R) (P : R) : Prop :=
  [/\ forall s, s \in S' -> dot (Theta1 (j, s)) out = (\sum_(g | g.2 == (j, s)) p g) / P,
      norm1 (fun h : hidden N S => dot (Theta1 h) out) = 1 &
      forall s a, s \in S' -> dot (Theta2 s a) out = (\sum_(g : full N M S | (g.1 j == a) && (g.2 == (j, s))) p g) / P].

(** They read them off G_i(x), for every input x. *)
Definition says_C_3 : Prop := exists Theta1 Theta2, forall x i, 0 < P_X bar x -> (1 <= i <= size x)%N ->
  reads Theta1 Theta2 (G bar x i) (masked_joint bar x i) (masked_prob bar x i).

(** Some values are r mu_l'P[M_{j*} | X = x], r > 0 and the same for every l, for every x in R and i in Ihat(x). *)
Definition says_C_4 : Prop := exists (a : attention R N M S X K) (e : X -> letter R (cell_state N M S)),
  forall x (i : 'I_(size x)), in_R m Hs x -> i \in Ihat m Hs x -> exists2 r : R, 0 < r &
  forall l, attention_value a (G bar x) (letter_at (map e x)) l i.+1 = r * dot (mu l) (memory_posterior m j x).

(** Message passing on Hbar behind any prompt gives P[Hbar_i, Xhat_-i = xhat_-i], and so Gbar_i. *)
Definition says_C_7 : Prop := forall (u : letter R (full N M S)) x i, is_prompt u -> (1 <= i <= (size x).+1)%N ->
  let xhat := prompted x in
  [/\ forall g, tau bar (ehat m u x) i g = hat_masked_joint bar u xhat i g,
      (1 < i)%N -> forall z, memory_Gbar m (ehat m u x) i z = G_hat bar u xhat i (Some z),
      (1 < i)%N -> forall z, memory_Gbar m (ehat m u x) i z = \sum_c memit m z c *
        ((\sum_(g | read g == c) hat_masked_joint bar u xhat i g) / hat_masked_prob bar u xhat i) &
      hat_masked_prob bar u xhat i = 0 -> forall z, memory_Gbar m (ehat m u x) i z = 0].

(** P[M, H_i, X_{i+1:i+t} = x] = P[M, H_0, X_{1:t} = x]. *)
Definition says_C_8 : Prop := forall x i g, x != [::] -> (1 <= i)%N ->
  joint bar (nseq i free ++ embed bar x) i g = joint bar (embed bar x) 0 g.

(** Some q, Theta_K and beta attend to exactly these positions, for every x in R such that xhat_-i is possible for
    i = 1, ..., t + more: C.9 asks it of t positions, its other readings of all t + 1. *)
Definition attends_to (more : nat) (positions : forall x, {set 'I_(size x).+1}) : Prop :=
  exists a : attention R N M S X K, forall x, in_R m Hs x ->
  (forall i, (1 <= i <= size x + more)%N -> possible x i) ->
  attended a (size x).+1 (prompted_output m u x) = positions x.

(** Those of Ihat(x), each one later; or those after the prompt at which H_i surely is in H* behind it. *)
Definition says_C_9 : Prop := attends_to 0 (fun x => [set lift ord0 i | i in Ihat m Hs x]).
Definition says_C_9_all_positions : Prop := attends_to 1 (fun x => [set lift ord0 i | i in Ihat m Hs x]).
Definition says_C_9_attends : Prop := attends_to 1 (prompted_Ihat m u Hs).

(** What C.3 says, of Gbar_i(ehat(x)), for every word x and i >= 2 where xhat_-i is possible. *)
Definition says_C_10 : Prop := exists Theta1 Theta2, forall x i, (1 < i <= (size x).+1)%N -> possible x i ->
  reads Theta1 Theta2 (prompted_output m u x i) (hat_masked_joint bar u (prompted x) i) (hat_masked_prob bar u (prompted x) i).

(** From position 2 on M_{j*} is in supp(mu). *)
Definition says_C_11 : Prop := forall x i v, (1 < i <= (size x).+1)%N ->
  0 < \sum_(g : full N M S | g.1 j == v) hat_masked_joint bar u (prompted x) i g -> v \in supp mu.

(** H_i has no states that H_{i-1} has not without the prompt. *)
Definition says_C_12 : Prop := forall x i h, (1 < i <= (size x).+1)%N ->
  0 < prompted_hidden m u x i h -> 0 < masked_hidden m x i.-1 h.

(** Some values are r mu_l'P[M_{j*} | X = x], r > 0 and the same for every l, for every x in R and i in Ihat(x) where
    xhat_-i is possible; and 0 after the prompt where xhat is impossible. *)
Definition says_C_13 : Prop := exists a : attention R N M S X K,
  let value x l i := attention_value a (prompted_output m u x) (prompted_embedding m u x) l i in
  forall x, (in_R m Hs x -> forall i : 'I_(size x), i \in Ihat m Hs x -> possible x i.+2 ->
      exists2 r : R, 0 < r & forall l, value x l i.+2 = r * dot (mu l) (memory_posterior m j x)) /\
    (P_hat bar u (prompted x) = 0 -> forall l i, (1 < i <= (size x).+1)%N -> value x l i = 0).

(** mu_l'P[M_{j*} | Xhat = xhat] = mu_l'P[M_{j*} | X = x] / P(Xhat_1 = ztilde | Xhat_{2:} = x), both defined, where
    xhat is possible. *)
Definition says_C_14 : Prop := forall x, 0 < P_hat bar u (prompted x) -> 0 < P_X bar x /\ forall l,
  \sum_(g : full N M S) mu l (g.1 j) * posterior bar (hat bar u (prompted x)) 0 g =
  dot (mu l) (memory_posterior m j x) / (P_hat bar u (prompted x) / hat_masked_prob bar u (prompted x) 1).

(** mu_l'P[M_{j*} | X = x] = 0 for every input x with xhat impossible. *)
Definition says_C_15 : Prop := forall x, 0 < P_X bar x -> P_hat bar u (prompted x) = 0 ->
  forall l, dot (mu l) (memory_posterior m j x) = 0.

End Lemmas.
