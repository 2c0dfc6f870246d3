(** The numbered statements of section 3 and appendices A and B, and theorems 3.3 and 3.6 from less than the paper
    assumes. Each is proved in ../proofs under its own number. *)

From Headproof Require Import definitions.prelude definitions.hmm.

(** ** Theorems 3.3 and 3.6 from less, and with one row of mu *)

(** [3.3] A linear head on G computes F*. Stronger than in the paper: of 3.2 it needs only that every state is possible
    at H_1, and of 3.1 only that each column of supp(mu) is in no span of the other columns. *)
Definition statement_3_3_from_less : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R),
  (forall h, h \in supp mu -> coloop setT (column m) h) -> (forall h, 0 < P_H m 1 h) ->
  exists b : 'I_K.+1 -> X -> R,
  forall (E : X) (x : seq X), 0 < P_X m x -> F_star m mu x = linear_head b (G m (E :: x) 1).

(** [3.6] A soft prompt and a linear head on Gbar compute F*. Stronger than in the paper: of 3.2 it needs only that
    every state is possible at H_1, and of 3.5 only that the columns of supp(mu) are coloops of those of H*. *)
Definition statement_3_6_from_less : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R),
  (forall h, 0 < P_H m 1 h) -> assumption_3_5_coloops m mu ->
  exists (u : letter R H) (b : 'I_K.+1 -> X -> R), is_prompt u /\
  forall (E : X) (x : seq X), 0 < P_X m x -> F_star m mu x = linear_head b (Gbar m (u :: embed m (E :: x)) 2).

(** Where A is irreducible every state is entered; and then P[H_i] > 0 for all i, if P[H_0] > 0. So aperiodicity is not
    used. *)
Definition statement_entered : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X),
  (irreducible m -> entered m) /\ (entered m -> full_support m -> forall i h, 0 < P_H m i h).

(** Where A is irreducible and P[H_0] = A P[H_0], P[H_0] > 0: in 4.4 full support cannot fail alone. *)
Definition statement_stationary_full_support : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X), irreducible m ->
  (forall h', init m h' = \sum_h trans m h' h * init m h) -> full_support m.

(** [3.3] The same for the paper's binary tasks, F*(x) = 1(mu'P[H_0 | X = x] >= 0). *)
Definition statement_3_3_binary : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (mu : H -> R),
  assumption_3_1 m -> assumption_3_2 m ->
  exists b : X -> R, forall (E : X) (x : seq X), 0 < P_X m x ->
  (0 <= dot mu (posterior m (embed m x) 0)) = (0 <= dot b (G m (E :: x) 1)).

(** [3.6] The same for binary tasks. *)
Definition statement_3_6_binary : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (mu : H -> R),
  assumption_3_2 m -> assumption_3_5 m (binary mu) ->
  exists (u : letter R H) (b : X -> R), is_prompt u /\ forall (E : X) (x : seq X), 0 < P_X m x ->
  (0 <= dot mu (posterior m (embed m x) 0)) = (0 <= dot b (Gbar m (u :: embed m (E :: x)) 2)).

(** ** Section 3 *)

(** [remark-3.1] 3.1 implies |H| <= |X|. *)
Definition statement_remark_3_1 : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X), assumption_3_1 m -> (#|H| <= #|X|)%N.

(** [remark-3.5] 3.1 and 3.2 imply 3.5. *)
Definition statement_remark_3_5 : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R),
  assumption_3_1 m -> assumption_3_2 m -> assumption_3_5 m mu.

(** [footnote-1] G_1(x') does not depend on x'_1, and no more does Gbar_1. *)
Definition statement_footnote_1 : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (E E' : X) (x : seq X) (z : X),
  G m (E :: x) 1 z = G m (E' :: x) 1 z /\ Gbar m (embed m (E :: x)) 1 z = Gbar m (embed m (E' :: x)) 1 z.

(** [3.4] Where U is independent of V given Z, for a joint law p of U, V, Z, P[U | V = v] = P[U | Z] P[Z | V = v], and a
    left inverse L of P[U | Z] gives P[Z | V = v] back. *)
Definition statement_3_4 : Prop :=
  forall (R : realFieldType) (U V Z : finType) (p : U * V * Z -> R), is_law p ->
  let p_z z := \sum_u \sum_v p (u, v, z) in
  let p_v v := \sum_u \sum_z p (u, v, z) in
  let p_uz u z := \sum_v p (u, v, z) in
  let p_vz v z := \sum_u p (u, v, z) in
  let p_uv u v := \sum_z p (u, v, z) in
  (forall u v z, p (u, v, z) * p_z z = p_uz u z * p_vz v z) ->
  forall v, 0 < p_v v ->
  (forall u, p_uv u v / p_v v = \sum_z (p_uz u z / p_z z) * (p_vz v z / p_v v)) /\
  (forall L : Z -> U -> R, (forall z z', \sum_u L z u * (p_uz u z' / p_z z') = (z == z')%:R) ->
   forall z, p_vz v z / p_v v = \sum_u L z u * (p_uv u v / p_v v)).

(** [3.4] So under 3.1 one matrix L maps G_i(x) to P[H_i | X_-i = x_-i], for every x and i. *)
Definition statement_3_4_G : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X), assumption_3_1 m ->
  exists L : H -> X -> R, forall (x : seq X) (i : nat), (1 <= i <= size x)%N ->
  forall h, masked_posterior m x i h = \sum_z L h z * G m x i z.

(** [eq-3.3] Gbar_2(ehat(x)) = r_x W D (P[H_2 | Xhat_1 = ztilde] o P[H_0 | X = x]), D diagonal and invertible.
    [:: u; free] is Xhat_1 = ztilde, with nothing seen at 2. Stronger than in the paper: of 3.2 it needs full
    support. *)
Definition statement_equation_3_3 : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (u : letter R H),
  full_support m -> is_prompt u ->
  exists2 D : H -> R, (forall h, D h != 0) & forall (E : X) (x : seq X), 0 < P_X m x ->
  exists2 r : R, 0 < r & forall z, Gbar m (u :: embed m (E :: x)) 2 z =
    r * \sum_h emit m z h * (D h * (posterior m [:: u; free] 2 h * posterior m (embed m x) 0 h)).

(** [3.6:zero] With a B that meets 3.5 and its prompt u = 1(h in B), where (ztilde, x) is not in supp(P[Xhat_-2]),
    Gbar_2 = 0 and mu'P[H_0 | X = x] = 0. Stronger than in the paper: W's columns need not be independent. *)
Definition statement_3_6_zero : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R) (B : {set H}),
  assumption_3_2 m -> supp mu \subset covered m B ->
  let u h := (h \in B)%:R in
  forall (E : X) (x : seq X), 0 < P_X m x -> hat_masked_prob m u (prompted (E :: x)) 2 = 0 ->
  (forall z, Gbar m (u :: embed m (E :: x)) 2 z = 0) /\ (forall l, dot (mu l) (posterior m (embed m x) 0) = 0).

(** ** Appendix A *)

(** [A.1] P[H_i | X_{i+1:t+i} = x] = r_x D P[H_0 | X_{1:t} = x], D diagonal and invertible, r_x > 0. Stronger than in
    the paper: of 3.2 it needs full support, and that every state is entered. *)
Definition statement_A_1 : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (i : nat), entered m -> full_support m ->
  exists2 D : H -> R, (forall h, D h != 0) & forall x : seq X, 0 < P_X m x ->
  exists2 r : R, 0 < r & forall h,
    posterior m (nseq i free ++ embed m x) i h = r * (D h * posterior m (embed m x) 0 h).

(** ** Appendix B *)

(** [message-passing] tau_i(e(x)) = P[H_i, X_-i = x_-i], and Gbar_i(e(x)) = G_i(x). Stronger than in the paper: 3.2 is
    not needed. *)
Definition statement_message_passing : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (x : seq X) (i : nat), (1 <= i <= size x)%N ->
  (forall h, tau m (embed m x) i h = masked_joint m x i h) /\ (forall z, Gbar m (embed m x) i z = G m x i z).

(** [B.1] Message passing behind a soft prompt u, and so section 3.1 from i = 2 on. The paper's (ztilde, E, x) is
    [prompted] of E :: x; here y is any text. Stronger than in the paper: 3.2 is not needed. *)
Definition statement_B_1 : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (u : letter R H) (y : seq X) (i : nat),
  is_prompt u -> (1 <= i <= (size y).+1)%N ->
  let xhat := prompted y in let ehat := u :: embed m y in
  [/\ forall h, tau m ehat i h = hat_masked_joint m u xhat i h,
      (1 < i)%N -> forall z, Gbar m ehat i z = G_hat m u xhat i (Some z),
      (1 < i)%N -> forall z, Gbar m ehat i z =
        \sum_h emit m z h * (hat_masked_joint m u xhat i h / hat_masked_prob m u xhat i) &
      hat_masked_prob m u xhat i = 0 -> forall z, Gbar m ehat i z = 0].

(** [B.2] P[H_2 | Xhat_1 = ztilde, Xhat_{3:t+2} = x] = r_x D (P[Xhat_1 = ztilde, H_2] o P[H_0 | X_{1:t} = x]), where
    (ztilde, x) is in supp(P[Xhat_-2]). Stronger than in the paper: of 3.2 it needs full support. *)
Definition statement_B_2 : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (u : letter R H),
  full_support m -> is_prompt u ->
  exists2 D : H -> R, (forall h, D h != 0) & forall (E : X) (x : seq X),
  let xhat := prompted (E :: x) in 0 < hat_masked_prob m u xhat 2 ->
  exists2 r : R, 0 < r & forall h, hat_masked_joint m u xhat 2 h / hat_masked_prob m u xhat 2 =
    r * (D h * (joint m [:: u; free] 2 h * posterior m (embed m x) 0 h)).

(** ** What the definitions define *)

(** [definition laws] P[X], P[Xhat] and P[H_i] are laws. *)
Definition statement_laws : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (u : letter R H) (t : nat), is_prompt u ->
  [/\ is_law (fun x : t.-tuple X => P_X m x), is_law (fun x : t.-tuple (option X) => P_hat m u x) &
      is_law (P_H m t)].

(** [definition masked] A token that is summed over is as one that is not seen. *)
Definition statement_masked_is_free : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (x : seq X) (i : nat) (h : H), (1 <= i <= size x)%N ->
  masked_joint m x i h = joint m (replace (embed m x) i free) i h.

(** [definition back] P[H_{i-1} = h', H_i = h] by hidden paths is [back] times P[H_i = h]. *)
Definition statement_back : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (i : nat) (h' h : H), back m i.+1 h' h * P_H m i.+1 h =
  \sum_h0 \sum_(hs : i.+1.-tuple H | (state_at h0 hs i == h') && (state_at h0 hs i.+1 == h))
    path_prob m (nseq i.+1 free) h0 hs.
