(** Softmax in place of arg max: whether 4.3, 4.6 and C.6 hold for it. *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory.

Section Softmax.

Variables (R : realFieldType) (N : nat) (M S X : finType) (K : nat) (w : R -> R) (a : attention R N M S X K).
Variables (t : nat) (g : nat -> X -> R) (emb : nat -> cell_state N M S -> R).

(** The mean of V over all positions, with weights in proportion to w(score): softmax where w is exp, or exp(s .). *)
Definition softmax_attn (l : 'I_K.+1) : R :=
  (\sum_(i < t) w (attention_score a g i.+1) * attention_value a g emb l i.+1) /
  \sum_(i < t) w (attention_score a g i.+1).
Definition softmax_head : 'I_K.+1 := label softmax_attn.

(** The scores q'beta_i of positions are one number from some position on. *)
Definition settles : Prop :=
  exists n, forall i, (n <= i)%N -> dot (query a) (position a i) = dot (query a) (position a n).

End Softmax.

(** [not 4.3:softmax, not 4.6:softmax, not C.6:softmax] On some model that meets all assumptions of 4.3, 4.6 and C.6,
    no head whose position scores settle, and that weighs positions by any positive function of their score, softmax at
    any scale among them, computes F* on R: not on G(x), with any token embeddings, and not behind any prompt u >= 0.
    The paper's heads settle; it claims no more than that arg max is the limit of softmax. *)
Definition refuted_softmax : Prop :=
  forall R : archiFieldType, exists (M S X : finType) (m : memory_hmm R 1 M S X) (mu : M -> R) (S' : {set S}),
  let V := binary mu in let Hs := recoverable ord0 S' in
  [/\ assumption_4_4 m,
      assumption_4_2 m ord0 S',
      assumption_4_5 m (supp V) Hs /\ assumption_C_5 m (supp V) ord0 S',
      forall (w : R -> R) (a : attention R 1 M S X 1) (emb : X -> letter R (cell_state 1 M S)),
        (forall s, 0 < w s) -> settles a -> exists2 x, in_R m Hs x &
        softmax_head w a (size x) (G (hbar m) x) (letter_at (map emb x)) != memory_F_star m V ord0 x &
      forall (w : R -> R) (a : attention R 1 M S X 1) (u : letter R (full 1 M S)),
        (forall s, 0 < w s) -> settles a -> (forall g, 0 <= u g) -> exists2 x, in_R m Hs x &
        softmax_head w a (size x).+1 (memory_Gbar m (ehat m u x)) (fun i => phi (letter_at (ehat m u x) i))
          != memory_F_star m V ord0 x].
