(** What the paper says and is not so: each sentence as the paper has it, and that it is false.

    R is any real field, so that this holds over the rationals. The models that refute are those of models/*.json, in
    ../proofs/models.v. *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory.

(** ** Section 3.1: behind a prompt Gbar_i is the law of Xhat_i *)

(** The sentence: Gbar_i(u, e(x)) = P[Xhat_i | Xhat_-i = (ztilde, x)_-i], for every i. *)
Definition sentence_3_1 (R : realFieldType) : Prop :=
  forall (H X : finType) (m : hmm R H X) (u : letter R H) (x : seq X) (i : nat),
  assumption_3_1 m -> assumption_3_2 m -> is_prompt u -> (1 <= i <= (size x).+1)%N ->
  let xhat := prompted x in
  0 < hat_masked_prob m u xhat i -> forall z, Gbar m (u :: embed m x) i z = G_hat m u xhat i (Some z).

(** [not section-3.1] Gbar_i(u, e(x)) is not P[Xhat_i | Xhat_-i = (ztilde, x)_-i] for every i. *)
Definition refuted_section_3_1 : Prop := forall R : realFieldType, ~ sentence_3_1 R.

(** [not section-3.1:everywhere] At i = 1 the two differ on every model, for every prompt and text that are possible
    together. *)
Definition refuted_section_3_1_everywhere : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (u : letter R H) (x : seq X),
  is_prompt u -> 0 < P_hat m u (prompted x) ->
  exists z, Gbar m (u :: embed m x) 1 z != G_hat m u (prompted x) 1 (Some z).

(** ** Lemma C.9: the attended set is Ihat *)

Section C9.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X).
Variables (K : nat) (mu : 'I_K.+1 -> M -> R) (j : 'I_N) (S' : {set S}).

(** The prompt of C.6: u[m_1..m_N,j,s] = 1 iff m_{j*} is in supp(mu). *)
Definition proof_prompt : letter R (full N M S) := fun g => (g.1 j \in supp mu)%:R.

(** Ihat = { i+1 : supp(P[H_i | X_-i = x_-i]) in {j*} x S*, 1 <= i <= t }; position i+1 of ehat has the number i. *)
Definition Ihat (x : seq X) : {set 'I_(size x).+1} :=
  [set i : 'I_(size x).+1 | (0 < i)%N && [forall h, (0 < masked_hidden m x i h) ==> (h \in recoverable j S')]].

(** The attended set behind the prompt. *)
Definition attended_behind (u : letter R (full N M S)) (a : attention R N M S X K) (x : seq X) : {set 'I_(size x).+1} :=
  attended a (size x).+1 (memory_Gbar m (ehat m u x)).

End C9.

(** Z = { x : P[Xhat_-i = xhat_-i] > 0 for i = 1, ..., n }: the paper's n is the length of x, to the letter, or that of
    xhat. *)
Definition Z_until (n : nat) (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X)
  (u : letter R (full N M S)) (x : seq X) : Prop :=
  forall i, (1 <= i <= n)%N -> 0 < hat_masked_prob (hbar m) u (prompted x) i.

Section Readings.

Variable R : realFieldType.

Definition reading : Type :=
  forall (N : nat) (M S X : finType), memory_hmm R N M S X -> letter R (full N M S) -> seq X -> Prop.
Definition Z_letter : reading := fun N M S X m u x => Z_until (size x) m u x.
Definition Z_all : reading := fun N M S X m u x => Z_until (size x).+1 m u x.
Definition Z_possible : reading := fun N M S X m u x => 0 < P_hat (hbar m) u (prompted x).

(** The lemma, for a reading of Z: for some Theta_K, q, beta_1, beta_2, ..., whatever x in Z with Ihat nonempty, the
    attended set is Ihat. *)
Definition lemma_C_9 (Z : reading) : Prop :=
  forall (N : nat) (M S X : finType) (m : memory_hmm R N M S X)
    (K : nat) (mu : 'I_K.+1 -> M -> R) (j : 'I_N) (S' : {set S}),
  assumption_4_4 m -> assumption_C_5 m (supp mu) j S' ->
  exists a : attention R N M S X K, forall x : seq X,
  Z N M S X m (proof_prompt mu j) x -> Ihat m j S' x != set0 ->
  attended_behind m (proof_prompt mu j) a x = Ihat m j S' x.

End Readings.

(** [not C.9:all-positions] No keys, query and position embeddings need attend to Ihat and no more: Z taken over
    all positions. *)
Definition refuted_C_9 : Prop := forall R : realFieldType, ~ lemma_C_9 (@Z_all R).

(** [not C.9] The same for Z to the letter, i in [t]: C.9 as written. *)
Definition refuted_C_9_letter : Prop := forall R : realFieldType, ~ lemma_C_9 (@Z_letter R).

(** [not C.9:possible] The same where only x with xhat in supp(P[Xhat]) count. *)
Definition refuted_C_9_possible : Prop := forall R : realFieldType, ~ lemma_C_9 (@Z_possible R).

(** ** The proof's position embedding beta_1 = (0, -2) *)

Section ProofHead.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X).
Variables (K : nat) (mu : 'I_K.+1 -> M -> R) (j : 'I_N) (S' : {set S}).

(** The columns of 4.5 and C.5: those (v,h) with v in supp(mu) or h not of the cell j*. *)
Definition in_ground (c : cell_state N M S) : bool := (c.2.1 != j) || (c.1 \in supp mu).

(** The head of the proofs of C.9 and C.13, with any Theta1 and Theta2 that do what C.10 needs of them:
    q is the indicator of H*, then 1; Theta_K is Theta1 over a row of zeros; beta_1 = (0, -2) and beta_i = 0 otherwise;
    row (v,h) of Theta_V, h in H*, is that of Theta2, and 0 for other h; b_l = B'mu_l. Row h of Theta1 finds
    P[H_i = h | ...], row (v,h) of Theta2 finds P[M_{j*} = v, H_i = h | ...]. *)
Record is_proof_head (a : attention R N M S X K) : Prop := ProofHead {
  proof_query : forall k, query a k = if k is Some h then (h \in recoverable j S')%:R else 1;
  proof_key : forall h, h \in recoverable j S' -> forall c, in_ground c ->
    dot (key a (Some h)) (memory_column m c) = (c.2 == h)%:R;
  proof_key_last : forall z, key a None z = 0;
  proof_position : forall i k, position a i k = if (i == 1)%N && (k == None) then -2%:R else 0;
  proof_value : forall v h, v \in supp mu -> h \in recoverable j S' -> forall c, in_ground c ->
    dot (value a (v, h)) (memory_column m c) = (c == (v, h))%:R;
  proof_value_others : forall v h, h \notin recoverable j S' -> forall z, value a (v, h) z = 0;
  proof_rows : forall l c, rows a l c = if c.2.1 == j then mu l c.1 else 0 }.

(** The label that a head gives behind a prompt. *)
Definition label_behind (u : letter R (full N M S)) (a : attention R N M S X K) (x : seq X) : 'I_K.+1 :=
  attention_head a (size x).+1 (memory_Gbar m (ehat m u x)) (fun i => phi (letter_at (ehat m u x) i)).

End ProofHead.

(** [not C.9:beta] beta_1 = (0, -2) does not keep the score at position 1 down to -1, on some model that meets 4.6's
    assumptions, whichever Theta1 is chosen. *)
Definition refuted_beta_1 : Prop :=
  forall R : realFieldType, exists (M S X : finType) (m : memory_hmm R 1 M S X) (mu : M -> R) (S' : {set S}),
  let V := binary mu in let u := proof_prompt V ord0 in
  [/\ assumption_4_4 m /\ assumption_4_5 m (supp V) (recoverable ord0 S'),
      exists a, is_proof_head m V ord0 S' a &
      forall a, is_proof_head m V ord0 S' a -> exists2 x, in_R m (recoverable ord0 S') x &
      -1 < attention_score a (memory_Gbar m (ehat m u x)) 1].

(** [not 4.6:beta] The head of the proof of 4.6, with its beta_1 = (0, -2), does not compute F* on R, on some model that
    meets 4.6's assumptions, whichever Theta1 and Theta2 are chosen. *)
Definition refuted_4_6_as_written : Prop :=
  forall R : realFieldType, exists (M S X : finType) (m : memory_hmm R 1 M S X) (mu : M -> R) (S' : {set S}),
  let V := binary mu in let u := proof_prompt V ord0 in
  [/\ assumption_4_4 m /\ assumption_4_5 m (supp V) (recoverable ord0 S'),
      exists a, is_proof_head m V ord0 S' a &
      forall a, is_proof_head m V ord0 S' a -> exists2 x, in_R m (recoverable ord0 S') x &
      label_behind m u a x != memory_F_star m V ord0 x].

(** ** What 3.3 needs of its hypotheses *)

(** 3.3's conclusion: some linear head on G_1 computes F*. *)
Definition linear_head_serves (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R) :
  Prop :=
  exists b : 'I_K.+1 -> X -> R, forall (E : X) (x : seq X), 0 < P_X m x ->
  F_star m mu x = linear_head b (G m (E :: x) 1).

(** [not 3.3 without 3.1] 3.1 is needed: on some model with 3.2 no head serves. *)
Definition refuted_3_3_without_3_1 : Prop :=
  forall R : realFieldType, exists (H X : finType) (m : hmm R H X) (mu : H -> R),
  assumption_3_2 m /\ ~ linear_head_serves m (binary mu).

(** [not 3.3 without 3.2:ergodic] Of 3.2, that the chain is ergodic is needed. *)
Definition refuted_3_3_without_ergodic : Prop :=
  forall R : realFieldType, exists (H X : finType) (m : hmm R H X) (mu : H -> R),
  [/\ full_support m, assumption_3_1 m & ~ linear_head_serves m (binary mu)].

(** [not 3.3 without 3.2:full-support] Of 3.2, that P[H_0] has full support is needed. *)
Definition refuted_3_3_without_full_support : Prop :=
  forall R : realFieldType, exists (H X : finType) (m : hmm R H X) (mu : H -> R),
  [/\ irreducible m, aperiodic m, assumption_3_1 m & ~ linear_head_serves m (binary mu)].
