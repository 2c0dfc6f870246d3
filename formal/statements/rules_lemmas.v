(** The rules of docs/certificate-format.md on the lemmas (sections 9, 10 and 11): by which one fails on a model, and
    some by which one holds. The terms of a certificate are the members of a finite type T. Positions of a text are the
    numbers below its length, from 0; what the paper's recursions number from 1 is one later. *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory statements.memory statements.rules
  statements.rules_memory.

(** ** Section 9: vanilla models *)

(** [rule 9 no-inverse] Where the sum of t W tau is 0 and that of t tau is not, tau = alpha(left) o beta(right), no
    matrix maps G_i(x) to P[H_i | X_-i = x_-i], for every x and i: 3.4 fails. *)
Definition statement_rule_no_inverse : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (T : finType) (left right : T -> seq X) (weight : T -> R),
  let tau t h := alpha_of m (P_H m 1) (left t) h * beta_of m (right t) h in
  (forall z, \sum_t weight t * (\sum_h emit m z h * tau t h) = 0) ->
  (exists h, \sum_t weight t * tau t h != 0) ->
  ~ exists L : H -> X -> R, forall (x : seq X) (i : nat), (1 <= i <= size x)%N -> 0 < masked_prob m x i ->
    forall h, masked_posterior m x i h = \sum_z L h z * G m x i z.

(** [rule 9 no-output-diagonal] Where rows y on inputs combine (W'y) o c o p0 o beta(x) to 0, and y'W(c o beta(x)) is
    nowhere < 0 and somewhere > 0, no diagonal is that of equation 3.3. *)
Definition statement_rule_no_output_diagonal : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (u : letter R H) (T : finType) (word : T -> seq X)
    (y : T -> X -> R),
  let c := behind m u in is_prompt u -> 0 < dot u (P_H m 1) ->
  (forall t, is_input m (word t)) ->
  (forall h, \sum_t dot (y t) (column m h) * (c h * (init m h * beta_of m (word t) h)) = 0) ->
  let reads t := dot (y t) (fun z => \sum_h emit m z h * (c h * beta_of m (word t) h)) in
  (forall t, 0 <= reads t) -> (exists t, 0 < reads t) ->
  ~ exists2 D : H -> R, (forall h, D h != 0) & forall (E : X) (x : seq X), is_input m x ->
    exists2 r : R, 0 < r & forall z, Gbar m (u :: embed m (E :: x)) 2 z =
      r * \sum_h emit m z h * (D h * (posterior m [:: u; free] 2 h * posterior m (embed m x) 0 h)).

(** [rule 9 no-diagonal] Where beta(x) > 0 at h for an input x, and one of p0[h] and P(H_i=h) is 0 and the other not, no
    invertible diagonal is that of A.1 for this i. *)
Definition statement_rule_no_diagonal : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (i : nat) (h : H) (x : seq X),
  is_input m x -> 0 < beta_of m x h -> (init m h == 0) != (P_H m i h == 0) ->
  ~ exists2 D : H -> R, (forall h, D h != 0) & forall y : seq X, is_input m y -> exists2 r : R, 0 < r & forall h,
    posterior m (nseq i free ++ embed m y) i h = r * (D h * posterior m (embed m y) 0 h).

(** [rule 9 prior-covers] Where p0 > 0 wherever A p1 is, B.2 and equation 3.3 hold, for every prompt. *)
Definition statement_rule_prior_covers : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (u : letter R H),
  (forall h, 0 < P_H m 2 h -> 0 < init m h) -> is_prompt u ->
  exists2 D : H -> R, (forall h, D h != 0) & forall (E : X) (x : seq X),
  let xhat := prompted (E :: x) in
  (0 < hat_masked_prob m u xhat 2 -> 0 < P_X m x /\ exists2 r : R, 0 < r & forall h,
     hat_masked_joint m u xhat 2 h / hat_masked_prob m u xhat 2 =
       r * (D h * (joint m [:: u; free] 2 h * posterior m (embed m x) 0 h))) /\
  (0 < P_X m x -> exists2 r : R, 0 < r & forall z, Gbar m (u :: embed m (E :: x)) 2 z =
     r * \sum_h emit m z h * (D h * (posterior m [:: u; free] 2 h * posterior m (embed m x) 0 h))).

(** [rule 9 prior-misses] Where beta(x) and A p1 are > 0 at h, and p0[h] = 0, no diagonal is that of B.2 behind the
    prompt that is 1 everywhere. (E is any token.) *)
Definition statement_rule_prior_misses : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (h : H) (E : X) (x : seq X),
  let u : letter R H := fun=> 1 in let xhat y := prompted (E :: y) in
  init m h = 0 -> 0 < P_H m 2 h -> 0 < beta_of m x h ->
  ~ exists D : H -> R, forall y : seq X, 0 < hat_masked_prob m u (xhat y) 2 -> exists r : R, forall g,
    hat_masked_joint m u (xhat y) 2 g / hat_masked_prob m u (xhat y) 2 =
      r * (D g * (joint m [:: u; free] 2 g * posterior m (embed m y) 0 g)).

(** [rule 9 prompt-reaches] Where each h in supp(mu) with p0[h] > 0 has a g in supp(mu), all of whose states f before it
    have A[h,f] p1[f] > 0, all scores are equal on inputs on which Gbar_2 is 0, behind each B that covers supp(mu). *)
Definition statement_rule_prompt_reaches : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R),
  (forall h, h \in supp mu -> 0 < init m h ->
    exists2 g, g \in supp mu & forall f, 0 < trans m g f -> 0 < trans m h f * P_H m 1 f) ->
  forall B : {set H}, supp mu \subset covered m B ->
  let u h := (h \in B)%:R in
  forall (E : X) (x : seq X), 0 < P_X m x -> hat_masked_prob m u (prompted (E :: x)) 2 = 0 ->
  forall l, dot (mu l) (posterior m (embed m x) 0) = 0.

(** [rule 9 unreached] Where c o beta(x) = 0 for the prompt of a B, and two scores of F* differ, Gbar_2 is 0 and the
    scores mu_l'P[H_0 | X = x] differ: 3.6:zero fails, if B meets 3.5, as [rule_cover] shows. *)
Definition statement_rule_unreached : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R) (B : {set H})
    (l k : 'I_K.+1) (E : X) (x : seq X), is_input m x ->
  let u h := (h \in B)%:R in
  (forall h, behind m u h * beta_of m x h = 0) ->
  dot (task_rows m mu l) (beta_of m x) <> dot (task_rows m mu k) (beta_of m x) ->
  (forall z, Gbar m (u :: embed m (E :: x)) 2 z = 0) /\
  dot (mu l) (posterior m (embed m x) 0) <> dot (mu k) (posterior m (embed m x) 0).

(** ** Section 10: what a text shows *)

(** [rule 10 moved] Where (T pi)[h] is not pi[h], and beta(x) > 0 at (m,h) for some possible memory m, the law of
    (M, H_1, X_2..) is not that of (M, H_0, X_1..): C.8 fails. *)
Definition statement_rule_moved : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (g : full N M S) (x : seq X),
  P_H (chain m) 1 g.2 <> minit m g.2 -> 0 < memory_prob m g.1 -> 0 < beta_of (hbar m) x g ->
  joint (hbar m) (free :: embed (hbar m) x) 1 g <> joint (hbar m) (embed (hbar m) x) 0 g.

(** [rule 10 prior-lacks] Where (T T pi)[h] > 0 = (T pi)[h], and a possible memory has m_j* in M*, H_2 can be h behind
    u*, at a last token, and H_1 cannot without it: C.12 fails. *)
Definition statement_rule_prior_lacks : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (V : {set M}) (j : 'I_N)
    (c : memory N M) (h : hidden N S) (z : X),
  0 < memory_prob m c -> c j \in V -> 0 < P_H (chain m) 2 h -> P_H (chain m) 1 h = 0 ->
  0 < prompted_hidden m (paper_prompt V j) [:: z] 2 h /\ masked_hidden m [:: z] 1 h = 0.

(** [rule 10 posterior-remains] An input with (u* o p1)'beta(x) = 0 and (mu_l o p0)'beta(x) != 0 is impossible behind
    u*, and mu_l'P[M_j* | X = x] is not 0: C.15 fails. *)
Definition statement_rule_posterior_remains : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (j : 'I_N) (l : 'I_K.+1) (x : seq X), is_input (hbar m) x ->
  let u := paper_prompt (supp mu) j in
  \sum_g u g * P_H (hbar m) 1 g * beta_of (hbar m) x g = 0 ->
  dot (task_rows (hbar m) (lifted mu j) l) (beta_of (hbar m) x) != 0 ->
  P_hat (hbar m) u (prompted x) = 0 /\ dot (mu l) (memory_posterior m j x) != 0.

(** [rule 10 posterior-moves] Where (u* o p1)'beta(x) > 0, and p0'beta(x) = 0 or, for some l,
    (f_l o u* o p1)'beta(x) p0'beta(x) != (f_l o p0)'beta(x) p1'beta(x), f_l being mu_l lifted, C.14 fails. *)
Definition statement_rule_posterior_moves : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (j : 'I_N) (l : 'I_K.+1) (x : seq X),
  let u := paper_prompt (supp mu) j in let beta g := beta_of (hbar m) x g in
  let first := init (hbar m) in let second g := P_H (hbar m) 1 g in let f g := lifted mu j l g in
  0 < \sum_g u g * second g * beta g ->
  \sum_g first g * beta g = 0 \/
    (\sum_g f g * (u g * second g * beta g)) * (\sum_g first g * beta g) <>
    (\sum_g f g * (first g * beta g)) * (\sum_g second g * beta g) ->
  ~ (0 < P_X (hbar m) x /\
     \sum_(g : full N M S) mu l (g.1 j) * posterior (hbar m) (hat (hbar m) u (prompted x)) 0 g =
     dot (mu l) (memory_posterior m j x) / (P_hat (hbar m) u (prompted x) / hat_masked_prob (hbar m) u (prompted x) 1)).

(** ** Section 10: no keys *)

Section NoKeys.

Variables (R : realFieldType) (N : nat) (M S X : finType) (K : nat).
Variables (len : seq X -> nat) (out : seq X -> nat -> X -> R) (wanted : forall x : seq X, {set 'I_(len x)}).
Variable good : seq X -> Prop.

(** The head attends to exactly the wanted positions, for every good text. *)
Definition keys_as_wanted (a : attention R N M S X K) : Prop :=
  forall x, good x -> attended a (len x) (out x) = wanted x.

(** Terms: a wanted position and another of a good text, of weight > 0 where the other is not wanted, as one at least is
    not; the outputs cancel. *)
Variables (T : finType) (word : T -> seq X) (here there : forall t, 'I_(len (word t))) (weight : T -> R).

Definition no_keys : Prop :=
  [/\ forall t, good (word t) /\ here t \in wanted (word t),
      forall t, there t \notin wanted (word t) -> 0 < weight t,
      exists t, there t \notin wanted (word t) &
      forall z, \sum_t weight t * (out (word t) (here t).+1 z - out (word t) (there t).+1 z) = 0].

End NoKeys.

(** [rule 10 no-keys] No q and Theta_K attend to exactly Ihat(x) for every x in R, where all positions have one score of
    their own: C.2 fails. *)
Definition statement_rule_no_keys : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (Hs : {set hidden N S})
    (T : finType) (word : T -> seq X) (here there : forall t, 'I_(size (word t))) (weight : T -> R),
  no_keys (G (hbar m)) (Ihat m Hs) (in_R m Hs) here there weight ->
  ~ exists2 a : attention R N M S X K, (forall i k, position a i k = 0) &
    keys_as_wanted (G (hbar m)) (Ihat m Hs) (in_R m Hs) a.

(** [rule 10 no-prompted-keys] Nor do any behind u*, with any scores of positions, which cancel, for x in R where
    tauhat_i(x) is not 0 for i = 0, ..., t-1: C.9 fails; or, with [more] = 1, for i = 0, ..., t: C.9:all-positions. *)
Definition statement_rule_no_prompted_keys : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (j : 'I_N) (Hs : {set hidden N S}) (more : nat) (T : finType) (word : T -> seq X)
    (here there : forall t, 'I_(size (word t)).+1) (weight : T -> R),
  let u := paper_prompt (supp mu) j in
  let good x := in_R m Hs x /\
    forall i, (1 <= i <= size x + more)%N -> 0 < hat_masked_prob (hbar m) u (prompted x) i in
  let wanted x : {set 'I_(size x).+1} := [set lift ord0 i | i in Ihat m Hs x] in
  no_keys (prompted_output m u) wanted good here there weight ->
  (forall p : nat, \sum_(t | here t == p :> nat) weight t = \sum_(t | there t == p :> nat) weight t) ->
  ~ exists a : attention R N M S X K, keys_as_wanted (prompted_output m u) wanted good a.

(** ** Section 10: nothing reads the law of a hidden state *)

(** [rule 10 no-duals] Where the sum of t W col(tau) is 0, and that of t col(tau) is not 0 at some (m,h), h = (j*,s),
    nothing linear reads P[M_{j*}, H_i = h | X_-i = x_-i] off G_i(x), for every input: C.3 fails. *)
Definition statement_rule_no_duals : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (h : hidden N S)
    (T : finType) (left right : T -> seq X) (weight : T -> R),
  let tau t g := alpha_of (hbar m) (P_H (hbar m) 1) (left t) g * beta_of (hbar m) (right t) g in
  let v c := \sum_t weight t * \sum_(g | read g == c) tau t g in
  (forall z, \sum_c memit m z c * v c = 0) -> (exists b, v (b, h) != 0) ->
  ~ exists Theta : M -> X -> R, forall (x : seq X) (i : nat), 0 < P_X (hbar m) x -> (1 <= i <= size x)%N ->
    forall b, dot (Theta b) (G (hbar m) x i) =
      (\sum_(g | read g == (b, h)) masked_joint (hbar m) x i g) / masked_prob (hbar m) x i.

(** [rule 10 no-prompted-duals] The same behind u*, of Gbar_{i+1}(ehat(x)), for every word x and i >= 1 where
    tauhat_i(x) is not 0: C.10 fails. *)
Definition statement_rule_no_prompted_duals : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (V : {set M}) (j : 'I_N)
    (h : hidden N S) (T : finType) (left right : T -> seq X) (weight : T -> R),
  let u := paper_prompt V j in
  let tau t g := alpha_of (hbar m) (behind (hbar m) u) (left t) g * beta_of (hbar m) (right t) g in
  let v c := \sum_t weight t * \sum_(g | read g == c) tau t g in
  (forall z, \sum_c memit m z c * v c = 0) -> (exists b, v (b, h) != 0) ->
  ~ exists Theta : M -> X -> R, forall (x : seq X) (i : nat),
    (1 < i <= (size x).+1)%N -> 0 < hat_masked_prob (hbar m) u (prompted x) i ->
    forall b, dot (Theta b) (prompted_output m u x i) =
      (\sum_(g | read g == (b, h)) hat_masked_joint (hbar m) u (prompted x) i g) /
      hat_masked_prob (hbar m) u (prompted x) i.

(** ** Section 10: values, whatever is attended to *)

(** [rule 10 values-alone] By *Values* for each label, not for differences of two, values are those of C.4, whatever the
    head attends to. *)
Definition statement_rule_values_alone : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (j : 'I_N) (Hs : {set hidden N S}) (a : attention R N M S X K) (emb : X -> letter R (cell_state N M S))
    (D : {set cell_state N M S}) (r : R), (forall h, h \in Hs -> h.1 = j) ->
  all_possible m D -> 0 < r ->
  (forall z l c, c \in D -> c.2 \in Hs ->
    dot (value_vector a l (emb z)) (memory_column m c) = r * (mu l c.1 * memit m z c)) ->
  forall (x : seq X) (i : 'I_(size x)), in_R m Hs x -> i \in Ihat m Hs x ->
  exists2 s : R, 0 < s & forall l,
    attention_value a (G (hbar m) x) (letter_at (map emb x)) l i.+1 = s * dot (mu l) (memory_posterior m j x).

(** ** Section 11: no values *)

Section NoValues.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat).
Variables (mu : 'I_K.+1 -> M -> R) (j : 'I_N) (Hs : {set hidden N S}).
Variable possible : forall x : seq X, 'I_(size x) -> Prop.

(** V_l = r mu_l'P[M_{j*} | X = x], r > 0 and the same for every l, for x in R, at each i in Ihat(x) that is
    possible. *)
Definition values_as_wanted (V : forall x : seq X, 'I_(size x) -> 'I_K.+1 -> R) : Prop :=
  forall x (i : 'I_(size x)), in_R m Hs x -> i \in Ihat m Hs x -> possible i ->
  exists2 r : R, 0 < r & forall l, V x i l = r * dot (mu l) (memory_posterior m j x).

(** Terms: a text x in R, such a position i, and a number y_l for each label. For each token and label the sum of
    y_l out_i(x) over the terms with that token at i is 0; the sum over l of y_l mu_l'P[M_{j*} | X = x] is nowhere < 0,
    and somewhere > 0. *)
Variables (T : finType) (word : T -> seq X) (place : forall t, 'I_(size (word t))) (y : T -> 'I_K.+1 -> R).

Definition no_values (out : forall x : seq X, 'I_(size x) -> X -> R) : Prop :=
  let worth t := \sum_l y t l * dot (mu l) (memory_posterior m j (word t)) in
  [/\ forall t, [/\ in_R m Hs (word t), place t \in Ihat m Hs (word t) & possible (place t)],
      forall l z' z, \sum_(t | tnth (in_tuple (word t)) (place t) == z') y t l * out (word t) (place t) z = 0,
      forall t, 0 <= worth t & exists t, 0 < worth t].

End NoValues.

(** [rule 11 no-values] No values that are linear in G_i(x), with a vector v_l(z) for each label and token, are those of
    C.4; so no Theta_V and rows b_l with any token embeddings: C.4 fails. *)
Definition statement_rule_no_values : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (j : 'I_N) (Hs : {set hidden N S}) (T : finType) (word : T -> seq X) (place : forall t, 'I_(size (word t)))
    (y : T -> 'I_K.+1 -> R),
  let wanted := values_as_wanted m mu j Hs (fun _ _ => True) in
  no_values m mu j Hs (fun _ _ => True) place y (fun x i => G (hbar m) x i.+1) ->
  (forall v : 'I_K.+1 -> X -> X -> R, ~ wanted (fun x i l => dot (v l (tnth (in_tuple x) i)) (G (hbar m) x i.+1))) /\
  (forall (a : attention R N M S X K) (emb : X -> letter R (cell_state N M S)),
    ~ wanted (fun x i l => attention_value a (G (hbar m) x) (letter_at (map emb x)) l i.+1)).

(** [rule 11 no-prompted-values] The same behind u*, of Gbar_{i+1}(ehat(x)), where that is not 0: C.13 fails, which
    speaks of these positions, where tauhat_i(x) is not 0. *)
Definition statement_rule_no_prompted_values : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (j : 'I_N) (Hs : {set hidden N S}) (T : finType) (word : T -> seq X) (place : forall t, 'I_(size (word t)))
    (y : T -> 'I_K.+1 -> R),
  let u := paper_prompt (supp mu) j in
  let wanted := values_as_wanted m mu j Hs (fun x i => 0 < hat_masked_prob (hbar m) u (prompted x) i.+2) in
  no_values m mu j Hs (fun x i => exists z, prompted_output m u x i.+2 z != 0) place y
    (fun x i => prompted_output m u x i.+2) ->
  (forall v : 'I_K.+1 -> X -> X -> R,
    ~ wanted (fun x i l => dot (v l (tnth (in_tuple x) i)) (prompted_output m u x i.+2))) /\
  (forall a : attention R N M S X K,
    ~ wanted (fun x i l => attention_value a (prompted_output m u x) (prompted_embedding m u x) l i.+2)).
