(** Hidden Markov models, masked prediction, message passing, tasks and heads, as the paper defines them.

    Positions are the paper's: hidden states are H_0, H_1, ..., H_t, tokens are X_1, ..., X_t, and H_0 emits nothing.
    A text is a list whose first member is X_1. Vectors are functions into R and matrices functions of row and column,
    so that [A h' h] is A[h',h] = P(H_i = h' | H_{i-1} = h). In a field of MathComp x / 0 = 0. *)

From Headproof Require Import definitions.prelude.

(** ** Vectors *)

Section Vectors.

Variable R : realFieldType.

(** p is a law: nonnegative, with sum 1. *)
Definition is_law (T : finType) (p : T -> R) : Prop := (forall t, 0 <= p t) /\ \sum_t p t = 1.

(** p' q. *)
Definition dot (T : finType) (p q : T -> R) : R := \sum_t p t * q t.

(** ||p||_1. *)
Definition norm1 (T : finType) (p : T -> R) : R := \sum_t `|p t|.

(** The columns [col i], i in D, are independent: a combination of them that is 0 has only coefficients 0. *)
Definition independent (I X : finType) (D : {set I}) (col : I -> X -> R) : Prop :=
  forall c : I -> R, (forall z, \sum_(i in D) c i * col i z = 0) -> forall i, i \in D -> c i = 0.

(** v is in the span of the columns [col i], i in D. *)
Definition in_span (I X : finType) (D : {set I}) (col : I -> X -> R) (v : X -> R) : Prop :=
  exists c : I -> R, forall z, v z = \sum_(i in D) c i * col i z.

(** Column i is a coloop of the columns in D: it is in no span of the others. *)
Definition coloop (I X : finType) (D : {set I}) (col : I -> X -> R) (i : I) : Prop :=
  ~ in_span (D :\ i) col (col i).

(** The spans of the columns in D and of those in D' meet only in 0. *)
Definition spans_meet_in_0 (I X : finType) (D D' : {set I}) (col : I -> X -> R) : Prop :=
  forall v : X -> R, in_span D col v -> in_span D' col v -> forall z, v z = 0.

End Vectors.

(** ** The model (section 2) *)

(** P[H_0], A and W, with laws in their columns: [trans h' h] = A[h',h] and [emit z h] = W[z,h]. *)
Record hmm (R : realFieldType) (H X : finType) := HMM {
  init : H -> R;
  trans : H -> H -> R;
  emit : X -> H -> R;
  init_law : is_law init;
  trans_law : forall h, is_law (fun h' => trans h' h);
  emit_law : forall h, is_law (fun z => emit z h) }.

Section Model.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X).

(** What is seen at a position, as the vector of its likelihoods: [letter] h = P(what is seen | H_i = h). For a token z
    it is e(z) = W[z,:]; for a soft prompt it is u; where nothing is seen it is [free]. *)
Definition letter := H -> R.
Definition e (z : X) : letter := emit m z.
Definition free : letter := fun=> 1.

(** v_i, the i-th of the letters v, from i = 1. *)
Definition letter_at (v : seq letter) (i : nat) : letter := nth free v i.-1.

(** The text x with z as its i-th token, from i = 1. *)
Definition replace (T : Type) (x : seq T) (i : nat) (z : T) : seq T := set_nth z x i.-1 z.

(** ** Laws by summing over hidden paths *)

(** H_i on the path h_0, hs = (h_1, ..., h_t). *)
Definition state_at (h0 : H) (hs : seq H) (i : nat) : H := nth h0 (h0 :: hs) i.

(** P[H_0 = h_0, ..., H_t = h_t, and v is seen] = P[H_0 = h_0] prod_i A[h_i, h_{i-1}] v_i(h_i). *)
Definition path_prob (v : seq letter) (h0 : H) (hs : seq H) : R :=
  init m h0 * \prod_(1 <= i < (size v).+1)
    (trans m (state_at h0 hs i) (state_at h0 hs i.-1) * letter_at v i (state_at h0 hs i)).

(** P[v is seen]. *)
Definition prob (v : seq letter) : R := \sum_h0 \sum_(hs : (size v).-tuple H) path_prob v h0 hs.

(** P[H_i = h, v is seen], i from 0 to the length of v; and P[H_i = h | v is seen]. *)
Definition joint (v : seq letter) (i : nat) (h : H) : R :=
  \sum_h0 \sum_(hs : (size v).-tuple H | state_at h0 hs i == h) path_prob v h0 hs.
Definition posterior (v : seq letter) (i : nat) (h : H) : R := joint v i h / prob v.

(** P[H_i = h]. *)
Definition P_H (i : nat) (h : H) : R := joint (nseq i free) i h.

(** P[X = x], for tokens x; x is in supp(P[X]) iff it is positive. *)
Definition embed (x : seq X) : seq letter := map e x.
Definition P_X (x : seq X) : R := prob (embed x).

(** P[X_-i = x_-i], P[H_i = h, X_-i = x_-i] and P[H_i = h | X_-i = x_-i]: summed over all tokens at i. *)
Definition masked_prob (x : seq X) (i : nat) : R := \sum_z P_X (replace x i z).
Definition masked_joint (x : seq X) (i : nat) (h : H) : R := \sum_z joint (embed (replace x i z)) i h.
Definition masked_posterior (x : seq X) (i : nat) (h : H) : R := masked_joint x i h / masked_prob x i.

(** G_i(x) = P[X_i | X_-i = x_-i]. *)
Definition G (x : seq X) (i : nat) (z : X) : R := P_X (replace x i z) / masked_prob x i.

(** ** Soft prompts (Xhat of lemmas B.1 and C.7) *)

(** u in [0,1]^|H|. *)
Definition is_prompt (u : letter) : Prop := forall h, 0 <= u h <= 1.

(** Xhat has a token more, ztilde, which is [None]. It has the hidden law of X. P[Xhat_1 = ztilde | H_1] = u and
    P[Xhat_1 = z | H_1] = (1 - u) o W[z,:]; from i = 2 on it emits as X does, so that ztilde has probability 0 there. *)
Definition hat_first (u : letter) (z : option X) : letter :=
  if z is Some z then fun h => (1 - u h) * emit m z h else u.
Definition hat_later (z : option X) : letter := if z is Some z then e z else fun=> 0.
Definition hat (u : letter) (x : seq (option X)) : seq letter :=
  if x is z :: x then hat_first u z :: map hat_later x else [::].

(** (ztilde, x). *)
Definition prompted (x : seq X) : seq (option X) := None :: map Some x.

(** P[Xhat = x], P[Xhat_-i = x_-i], P[H_i = h, Xhat_-i = x_-i] and P[Xhat_i = z | Xhat_-i = x_-i]. *)
Definition P_hat u (x : seq (option X)) : R := prob (hat u x).
Definition hat_masked_prob u (x : seq (option X)) (i : nat) : R := \sum_z P_hat u (replace x i z).
Definition hat_masked_joint u (x : seq (option X)) (i : nat) (h : H) : R := \sum_z joint (hat u (replace x i z)) i h.
Definition G_hat u (x : seq (option X)) (i : nat) (z : option X) : R := P_hat u (replace x i z) / hat_masked_prob u x i.

(** ** Message passing (appendix B), on any letters v_1, ..., v_t *)

(** P[H_{i-1} = h' | H_i = h]. *)
Definition back (i : nat) (h' h : H) : R := P_H i.-1 h' * trans m h h' / P_H i h.

(** right_{i->i+1}, from right_{0->1} = P[H_1]. *)
Fixpoint right_message (v : seq letter) (i : nat) : H -> R :=
  if i is k.+1 then fun h' => \sum_h trans m h' h * (right_message v k h * letter_at v i h) else P_H 1.

(** left_{i+1->i} with i = t - k, from left_{t+1->t} = P[H_t] at k = 0; and left_{i+1->i}. *)
Fixpoint left_from_end (v : seq letter) (k : nat) : H -> R :=
  if k is j.+1 then
    fun h' => \sum_h back (size v - j) h' h * (left_from_end v j h * letter_at v (size v - j) h)
  else P_H (size v).
Definition left_message (v : seq letter) (i : nat) : H -> R := left_from_end v (size v - i).

(** tau_i. *)
Definition tau (v : seq letter) (i : nat) (h : H) : R :=
  if i == 1%N then left_message v 1 h
  else if i == size v then right_message v i.-1 h
  else right_message v i.-1 h * left_message v i h / P_H i h.

(** Gbar_i(v) = W tau_i / ||tau_i||_1, and 0 where that norm is 0. *)
Definition Gbar (v : seq letter) (i : nat) (z : X) : R := (\sum_h emit m z h * tau v i h) / norm1 (tau v i).

(** ** Assumptions *)

(** A^n [h', h]. *)
Fixpoint trans_power (n : nat) (h' h : H) : R :=
  if n is k.+1 then \sum_g trans m h' g * trans_power k g h else (h' == h)%:R.

Definition irreducible : Prop := forall h h', exists n, 0 < trans_power n h' h.
Definition aperiodic : Prop :=
  forall h (d : nat), (forall n, 0 < trans_power n h h -> (d %| n)%N) -> d = 1%N.
Definition full_support : Prop := forall h, 0 < init m h.

(** Every state is entered from some state: no row of A is 0. *)
Definition entered : Prop := forall h', exists h, 0 < trans m h' h.

(** The columns W[:,h]. *)
Definition column (h : H) (z : X) : R := emit m z h.

Definition assumption_3_1 : Prop := independent [set: H] column.
Definition assumption_3_2 : Prop := irreducible /\ aperiodic /\ full_support.

(** The union over h in B of supp(A[:,h]). *)
Definition covered (B : {set H}) : {set H} := [set h' | [exists h in B, 0 < trans m h' h]].

End Model.

Arguments free {R H} _.

(** ** Tasks and linear heads (equation 3.1, in its multiclass form) *)

Section Tasks.

Variables (R : realFieldType) (K : nat).

(** The arg max over the labels 0, ..., K; of labels with one score the largest. *)
Definition label (score : 'I_K.+1 -> R) : 'I_K.+1 :=
  odflt ord0 [pick l | [forall k, (score k < score l) || (score k == score l) && (k <= l)%N]].

Variables (H X : finType) (m : hmm R H X).

(** A task has one row of mu for each label: F*(x) = arg max_l mu_l' P[H_0 | X = x]. *)
Definition F_star (mu : 'I_K.+1 -> H -> R) (x : seq X) : 'I_K.+1 :=
  label (fun l => dot (mu l) (posterior m (embed m x) 0)).

(** A linear head has one row b_l for each label. *)
Definition linear_head (b : 'I_K.+1 -> X -> R) (g : X -> R) : 'I_K.+1 := label (fun l => dot (b l) g).

(** supp(mu): the states at which some row is not 0. *)
Definition supp (T : finType) (mu : 'I_K.+1 -> T -> R) : {set T} := [set h | [exists l, mu l h != 0]].

Definition assumption_3_5 (mu : 'I_K.+1 -> H -> R) : Prop :=
  exists Hstar B : {set H},
    [/\ independent Hstar (column m), supp mu \subset Hstar & Hstar = covered m B].

(** Less than 3.5: only the columns of supp(mu) need be told from the others of H*. *)
Definition assumption_3_5_coloops (mu : 'I_K.+1 -> H -> R) : Prop :=
  exists2 B : {set H}, supp mu \subset covered m B & forall h, h \in supp mu -> coloop (covered m B) (column m) h.

End Tasks.

(** The binary task has the rows (0, mu), so that its label is 1 iff mu' P[H_0 | X = x] >= 0. *)
Definition binary (R : realFieldType) (T : Type) (mu : T -> R) : 'I_2 -> T -> R :=
  fun l => if l == ord0 then fun=> 0 else mu.
