(** The rules of docs/certificate-format.md on memory models and attention heads (sections 10 and 11), as statements
    about the same models. Positions of texts are counted from 1, as in the paper; those of masks and terms from 0, as
    there. *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory statements.memory statements.rules
  proofs.paths.

(** ** Section 10: messages, R, the task and the label of a head *)

Section Messages.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X).

(** alpha(w) from p = alpha(empty), with alpha(w z) = A(W[z,:] o alpha(w)); p is p1, or A(u o p1) behind the prompt u.
    tau_i(x) = alpha(x_1..x_{i-1}) o beta(x_{i+1}..x_t). *)
Definition alpha_of (p : H -> R) (w : seq X) : H -> R := foldl (fun q z => next m (fun h => emit m z h * q h)) p w.
Definition tau_of (p : H -> R) (x : seq X) (i : nat) (h : H) : R :=
  alpha_of p (take i.-1 x) h * beta_of m (drop i x) h.

End Messages.

Section Outputs.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat).
Implicit Types (x : seq X) (i : nat) (u : letter R (full N M S)).

(** tau_i(x), and tauhat_{i-1}(x) behind u, of which the first is p1 o beta(x). *)
Definition plain_law x i : full N M S -> R := tau_of (hbar m) (P_H (hbar m) 1) x i.
Definition law_behind u x i : full N M S -> R :=
  if i is k.+2 then tau_of (hbar m) (behind (hbar m) u) x k.+1
  else fun g => P_H (hbar m) 1 g * beta_of (hbar m) x g.

(** The embeddings behind u: phi(u), then W[x_i,:]. *)
Definition embedding_behind u x i : cell_state N M S -> R :=
  if i is k.+2 then letter_at (map (memit m) x) k.+1 else phi u.

(** mu lifted to Hbar. *)
Definition lifted (mu : 'I_K.+1 -> M -> R) (j : 'I_N) (l : 'I_K.+1) (g : full N M S) : R := mu l (g.1 j).

Variable a : attention R N M S X K.

(** w = key'query, the score of position i, and the value row v_l(z) = value'(b_l o e). *)
Definition key_vector (z : X) : R := \sum_k key a k z * query a k.
Definition position_score (i : nat) : R := dot (query a) (position a i).
Definition value_vector (l : 'I_K.+1) (e : cell_state N M S -> R) (z : X) : R :=
  \sum_c value a c z * (rows a l c * e c).

(** The label of a head whose outputs W col(p_i) / ||p_i||_1 are those of the laws p_1, ..., p_t: it attends where
    w'a_i + g_i is largest, and score l is the sum of the values there. *)
Definition label_on_laws (t : nat) (p : nat -> full N M S -> R) (emb : nat -> cell_state N M S -> R) : 'I_K.+1 :=
  let score i := dot key_vector (output m (p i)) + position_score i in
  label (fun l => \sum_(i < t | [forall k : 'I_t, score k.+1 <= score i.+1])
    dot (value_vector l (emb i.+1)) (output m (p i.+1))).

End Outputs.

(** [rule 10 messages] tau_i(x) is P[H_i, X_-i = x_-i], and tauhat_0 and tauhat_i are the paper's tau_1 and tau_{i+1}
    behind the prompt. *)
Definition statement_rule_messages : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (u : letter R H) (x : seq X) (h : H),
  tau m (u :: embed m x) 1 h = P_H m 1 h * beta_of m x h /\
  forall i, (1 <= i <= size x)%N ->
  masked_joint m x i h = tau_of m (P_H m 1) x i h /\
  tau m (u :: embed m x) i.+1 h = tau_of m (behind m u) x i h.

(** [rule 10 outputs] G_i(x) and Gbar_i(ehat(x)) are W col(p) / ||p||_1 for these laws p, and 0 where p is 0. *)
Definition statement_rule_outputs : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (u : letter R (full N M S))
    (x : seq X) (i : nat) (z : X),
  ((1 <= i <= size x)%N -> G (hbar m) x i z = output m (plain_law m x i) z) /\
  ((1 <= i <= (size x).+1)%N -> (forall g, 0 <= u g) ->
    memory_Gbar m (ehat m u x) i z = output m (law_behind m u x i) z).

(** [rule 10 in-R] x is in R iff it is an input and the states of some tau_i(x) all have h in H*. *)
Definition statement_rule_in_R : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (Hs : {set hidden N S}) (x : seq X),
  in_R m Hs x <-> is_input (hbar m) x /\
  exists2 i, (1 <= i <= size x)%N & forall g, 0 < plain_law m x i g -> g.2 \in Hs.

(** [rule 10 task] F* is the task of Hbar with mu lifted. *)
Definition statement_rule_memory_task : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (j : 'I_N) (x : seq X),
  memory_F_star m mu j x = F_star (hbar m) (lifted mu j) x.

(** [rule 10 head, rule 10 prompted-head] The label of an attention head, where Attn is a mean of values, is that of
    their sum. *)
Definition statement_rule_attention_label : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat)
    (a : attention R N M S X K) (emb : X -> letter R (cell_state N M S)) (u : letter R (full N M S)) (x : seq X),
  attention_head a (size x) (G (hbar m) x) (letter_at (map emb x)) =
    label_on_laws m a (size x) (plain_law m x) (letter_at (map emb x)) /\
  (is_prompt u ->
   attention_head a (size x).+1 (memory_Gbar m (ehat m u x)) (fun i => phi (letter_at (ehat m u x) i)) =
     label_on_laws m a (size x).+1 (law_behind m u x) (embedding_behind m u x)).

(** [rule 10 mislabelled] An x in R to which this label is not F* refutes the head. *)
Definition statement_rule_mislabelled_attention : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (j : 'I_N) (Hs : {set hidden N S}) (a : attention R N M S X K) (emb : X -> letter R (cell_state N M S))
    (u : letter R (full N M S)) (x : seq X), in_R m Hs x ->
  let task := label_at (hbar m) (task_rows (hbar m) (lifted mu j)) x in
  (task <> label_on_laws m a (size x) (plain_law m x) (letter_at (map emb x)) ->
   ~ forall y, in_R m Hs y ->
     memory_F_star m mu j y = attention_head a (size y) (G (hbar m) y) (letter_at (map emb y))) /\
  (is_prompt u -> task <> label_on_laws m a (size x).+1 (law_behind m u x) (embedding_behind m u x) ->
   ~ forall y, in_R m Hs y -> memory_F_star m mu j y =
     attention_head a (size y).+1 (memory_Gbar m (ehat m u y)) (fun i => phi (letter_at (ehat m u y) i))).

(** ** Section 10: attention heads that compute F* *)

Section Attention.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat).
Variables (mu : 'I_K.+1 -> M -> R) (Hs : {set hidden N S}) (a : attention R N M S X K).
Notation column := (cell_state N M S).
Implicit Types (D : {set column}) (u : letter R (full N M S)) (Q : {set memory N M}).

(** All possible columns are in D; all columns possible behind the prompt u are. *)
Definition all_possible D : Prop :=
  forall (c : memory N M) h i, 0 < memory_prob m c -> (0 < i)%N -> 0 < P_H (chain m) i h -> read (c, h) \in D.
Definition all_possible_behind u D : Prop :=
  forall (c : memory N M) f h n, 0 < memory_prob m c -> 0 < u (c, f) -> 0 < P_H (chain m) 1 f ->
  0 < trans_power (chain m) n.+1 h f -> read (c, h) \in D.

(** The key score s_c = w'W[:,c]. *)
Definition key_score (c : column) : R := dot (key_vector a) (memory_column m c).

(** (v_l(z) - v_0(z))'W[:,c]. *)
Definition column_value (emb : X -> letter R column) l z c : R :=
  dot (value_vector a l (emb z)) (memory_column m c) - dot (value_vector a ord0 (emb z)) (memory_column m c).

(** On the columns of D: the key score is k where h is in H*, and less elsewhere. *)
Definition keys_on D (k : R) : Prop :=
  forall c, c \in D -> if c.2 \in Hs then key_score c = k else key_score c < k.

(** On those with h in H*: values are r (mu_l[m] - mu_0[m]) W[z,c]. *)
Definition values_on D (emb : X -> letter R column) (r : R) : Prop :=
  forall z l c, c \in D -> c.2 \in Hs -> column_value emb l z c = r * ((mu l c.1 - mu ord0 c.1) * memit m z c).

(** Behind u, where the memory is in Q, H_2 has the law of H_1 up to y; elsewhere u is 0. *)
Definition restores_memories u Q (y : R) : Prop :=
  forall c, 0 < memory_prob m c ->
  if c \in Q then forall h, \sum_f mtrans m h f * (P_H (chain m) 1 f * u (c, f)) = y * P_H (chain m) 1 h
  else forall f, u (c, f) = 0.

(** Keys and Values, without a prompt. *)
Definition rule_keys D (k g : R) : Prop :=
  [/\ all_possible D, keys_on D k & forall i, (0 < i)%N -> position_score a i = g].
Definition rule_values D emb (r : R) : Prop := [/\ all_possible D, 0 < r & values_on D emb r].

(** Keys behind u, where D are the columns possible behind u, and D' the possible ones: the prompt's position, the
    first, scores less than any other. *)
Definition rule_keys_behind u D D' (k g : R) : Prop :=
  [/\ all_possible_behind u D, all_possible D', keys_on D k, forall i, (1 < i)%N -> position_score a i = g &
      forall c', c' \in D' -> key_score c' + position_score a 1 < g /\
        forall c, c \in D -> key_score c' + position_score a 1 < key_score c + g].

(** Values behind u, with the embeddings W[z,:]: columns off H* have no value. *)
Definition rule_values_behind u D (r : R) : Prop :=
  [/\ all_possible_behind u D, 0 < r, values_on D (memit m) r &
      forall z l c, c \in D -> c.2 \notin Hs -> column_value (memit m) l z c = 0].

End Attention.

(** [rule 10 keys] By *Keys* a head on G(x) attends to exactly Ihat(x), for every x in R. *)
Definition statement_rule_keys : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (Hs : {set hidden N S})
    (a : attention R N M S X K) (D : {set cell_state N M S}) (k g : R), rule_keys m Hs a D k g ->
  forall x, in_R m Hs x -> attended a (size x) (G (hbar m) x) = Ihat m Hs x.

(** [rule 10 values] By *Keys* and *Values* it computes F* on R: theorem 4.3's conclusion, and a head claim. *)
Definition statement_rule_values : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (j : 'I_N) (Hs : {set hidden N S}) (a : attention R N M S X K) (emb : X -> letter R (cell_state N M S))
    (D : {set cell_state N M S}) (k g r : R), (forall h, h \in Hs -> h.1 = j) ->
  rule_keys m Hs a D k g -> rule_values m mu Hs a D emb r ->
  forall x, in_R m Hs x -> memory_F_star m mu j x = attention_head a (size x) (G (hbar m) x) (letter_at (map emb x)).

(** [rule 10 prompted-keys, rule 10 prompted-values] By *Keys behind u* and *Values behind u* a head on Gbar(ehat(x))
    computes F* on R: the conclusions of 4.6 and C.6, and a head claim. *)
Definition statement_rule_values_behind : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (j : 'I_N) (Hs : {set hidden N S}) (a : attention R N M S X K) (u : letter R (full N M S)) (Q : {set memory N M})
    (D D' : {set cell_state N M S}) (k g r y : R), (forall h, h \in Hs -> h.1 = j) ->
  is_prompt u -> 0 < y -> restores_memories m u Q y ->
  (forall c : memory N M, 0 < memory_prob m c -> c j \in supp mu -> c \in Q) ->
  rule_keys_behind m Hs a u D D' k g -> rule_values_behind m mu Hs a u D r ->
  forall x, in_R m Hs x -> memory_F_star m mu j x =
    attention_head a (size x).+1 (memory_Gbar m (ehat m u x)) (fun i => phi (letter_at (ehat m u x) i)).

(** The supports of predictions and of likelihoods, by one token more. *)
Definition predicted (R : realFieldType) (H X : finType) (m : hmm R H X) (F : {set H}) (z : X) : {set H} :=
  [set h | [exists g in F, 0 < trans m h g * emit m z g]].
Definition explained (R : realFieldType) (H X : finType) (m : hmm R H X) (B : {set H}) (z : X) : {set H} :=
  [set h | [exists g in B, 0 < trans m g h * emit m z g]].

(** [rule 10 no-input-in-R] Where all supports F of predictions and B of likelihoods that meet, meet outside H*, no
    input is in R. *)
Definition statement_rule_no_input : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (Hs : {set hidden N S})
    (Fs Bs : seq {set full N M S}),
  [set h | 0 < P_H (hbar m) 1 h] \in Fs -> (forall F z, F \in Fs -> predicted (hbar m) F z \in Fs) ->
  setT \in Bs -> (forall B z, B \in Bs -> explained (hbar m) B z \in Bs) ->
  (forall F B, F \in Fs -> B \in Bs -> F :&: B != set0 -> exists2 h, h \in F :&: B & h.2 \notin Hs) ->
  forall x, ~ in_R m Hs x.

Section Columns.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X).
Implicit Types (D : {set cell_state N M S}) (Hs : {set hidden N S}).

(** The ground sets of columns (m,h): of 4.5 those with m in M*, of C.5 those with m in M* where h is (j*,s), and all
    where it is not. That of 4.2 is all columns. *)
Definition ground_4_5 (V : {set M}) : {set cell_state N M S} := [set c | c.1 \in V].
Definition ground_C_5 (V : {set M}) (j : 'I_N) : {set cell_state N M S} := [set c | (c.2.1 == j) ==> (c.1 \in V)].

(** For each column of D with h in H* a row that is 1 on it and 0 on every other column of D. *)
Definition dual_vectors D Hs : Prop :=
  exists d : cell_state N M S -> X -> R, forall c, c \in D -> c.2 \in Hs ->
  forall c', c' \in D -> \sum_z d c z * memit m z c' = (c' == c)%:R.

(** A vector that is 0 off D and not 0 at some (m,h), and that W maps to 0. *)
Definition null_vector_at D (h : hidden N S) : Prop :=
  exists v : cell_state N M S -> R, [/\ forall c, c \notin D -> v c = 0, exists b, v (b, h) != 0 &
    forall z, \sum_c memit m z c * v c = 0].

End Columns.

Arguments ground_4_5 {N M S} V.
Arguments ground_C_5 {N M S} V j.

(** [rule 10 dual-vectors] 4.2, 4.5 and C.5 hold iff there are dual vectors on their ground sets. *)
Definition statement_rule_dual_vectors : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (V : {set M}) (j : 'I_N)
    (S' : {set S}) (Hs : {set hidden N S}),
  [/\ assumption_4_2 m j S' <-> dual_vectors m setT (recoverable j S'),
      assumption_4_5 m V Hs <-> dual_vectors m (ground_4_5 V) Hs &
      assumption_C_5 m V j S' <-> dual_vectors m (ground_C_5 V j) (recoverable j S')].

(** [rule 10 unrecoverable] They hold iff no h in H* has a null vector on the ground set. *)
Definition statement_rule_unrecoverable : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (V : {set M}) (j : 'I_N)
    (S' : {set S}) (Hs : {set hidden N S}),
  [/\ assumption_4_2 m j S' <-> forall h, h \in recoverable j S' -> ~ null_vector_at m setT h,
      assumption_4_5 m V Hs <-> forall h, h \in Hs -> ~ null_vector_at m (ground_4_5 V) h &
      assumption_C_5 m V j S' <-> forall h, h \in recoverable j S' -> ~ null_vector_at m (ground_C_5 V j) h].

(** ** Section 11: attention heads that do not exist *)

Section NoAttention.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat).
Variables (mu : 'I_K.+1 -> M -> R) (j : 'I_N) (Hs : {set hidden N S}).

(** The set of positions of some inputs, as masks. *)
Definition knowledge : Type := seq X -> option bitseq.
Definition nothing : knowledge := fun=> None.
Definition learn (known : knowledge) (x : seq X) (mask : bitseq) : knowledge :=
  fun y => if y == x then Some mask else known y.

(** A term is an input, its positions i and i', and t. *)
Record term := Term { of_input : seq X; here : nat; there : nat; times : R }.

Inductive head_tree :=
  | Attends of seq X & (bitseq -> head_tree)
  | Keys of seq term
  | Values of seq (constraint R X K).

(** i is attended to, and i' is another position; t > 0 if i' is not attended to, and not 0 otherwise. *)
Definition good_term (known : knowledge) (c : term) : Prop :=
  exists mask, [/\ known (of_input c) = Some mask, (here c < size (of_input c))%N && nth false mask (here c),
    (there c < size (of_input c))%N, there c != here c &
    if nth false mask (there c) then times c != 0 else 0 < times c].
Definition unattended (known : knowledge) (c : term) : Prop :=
  exists2 mask, known (of_input c) = Some mask & ~~ nth false mask (there c).

Definition keys_leaf (known : knowledge) (ts : seq term) : Prop :=
  [/\ forall i, (i < size ts)%N -> good_term known (nth (Term [::] 0 0 0) ts i),
      exists2 i, (i < size ts)%N & unattended known (nth (Term [::] 0 0 0) ts i),
      forall z, \sum_(c <- ts) times c *
        (G (hbar m) (of_input c) (here c).+1 z - G (hbar m) (of_input c) (there c).+1 z) = 0 &
      forall p, \sum_(c <- ts | here c == p) times c = \sum_(c <- ts | there c == p) times c].

(** Phi(x)[z', z]: G_i(x)[z] summed over the attended positions i with the token z'. *)
Definition attended_output (known : knowledge) (x : seq X) (z' z : X) : R :=
  \sum_(i < size x | nth false (odflt [::] (known x)) i && (nth z' x i == z')) G (hbar m) x i.+1 z.

Definition values_leaf (known : knowledge) (cs : seq (constraint R X K)) : Prop :=
  constraints (memory_F_star m mu j) (fun x => in_R m Hs x /\ known x != None) cs /\
  forall l z' z, combination (memory_F_star m mu j) (fun x => attended_output known x z' z) cs l = 0.

Fixpoint no_head (known : knowledge) (t : head_tree) : Prop :=
  match t with
  | Attends x child =>
      [/\ in_R m Hs x, known x = None &
          forall mask, size mask = size x -> has id mask -> no_head (learn known x mask) (child mask)]
  | Keys ts => keys_leaf known ts
  | Values cs => values_leaf known cs
  end.

End NoAttention.

(** [rule 11 no-attention-head] A tree that is valid shows that no attention head on G(x), with any token embeddings,
    computes F* on R. *)
Definition statement_rule_no_attention_head : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (j : 'I_N) (Hs : {set hidden N S}) (t : head_tree R X K),
  no_head m mu j Hs (@nothing X) t ->
  forall (a : attention R N M S X K) (emb : X -> letter R (cell_state N M S)), exists2 x, in_R m Hs x &
  memory_F_star m mu j x <> attention_head a (size x) (G (hbar m) x) (letter_at (map emb x)).

Section NoPromptedAttention.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X).
Implicit Types (x : seq X) (f : full N M S).

(** The column of Z_i(x) for the state f, W col(tauhat_i(x)) behind the prompt that is 1 at f and 0 elsewhere. The
    columns of Z_0(x) are the same for all f. *)
Definition prompt_column x (i : nat) f (z : X) : R :=
  \sum_g memit m z (read g) * tau (hbar m) (ehat m (fun g => (g == f)%:R) x) i.+1 g.

(** Each column of Z_i(x), for the f with p1[f] > 0, is a positive number times that of Z_i(x'); this is one number, or
    the columns are multiples of one vector. *)
Definition alike_at x' x (i : nat) : Prop :=
  exists2 r : full N M S -> R,
    forall f, 0 < P_H (hbar m) 1 f -> 0 < r f /\ forall z, prompt_column x i f z = r f * prompt_column x' i f z &
    (forall f g, r f = r g) \/
    exists (s : full N M S -> R) (v : X -> R), forall f z, 0 < P_H (hbar m) 1 f -> prompt_column x' i f z = s f * v z.

(** Alike at all positions, the prompt's too. *)
Definition alike x' x : Prop := size x = size x' /\ forall i, (i <= size x')%N -> alike_at x' x i.

(** e_0(x) is the number 1, e_i(x) is W[x_i,:]. *)
Definition token_embedding x (i : nat) : letter R (cell_state N M S) := nth free (free :: map (memit m) x) i.

End NoPromptedAttention.

(** [rule 11 no-prompted-attention-head] Constraints on inputs that are alike, with embeddings that cancel at each
    position where Z_i is not 0, show that no prompt u >= 0 and no attention head compute F* on R. *)
Definition statement_rule_no_prompted_attention_head : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (j : 'I_N) (Hs : {set hidden N S}) (x' : seq X) (cs : seq (constraint R X K)),
  constraints (memory_F_star m mu j) (fun x => in_R m Hs x /\ alike m x' x) cs ->
  (forall i f z, (i <= size x')%N -> 0 < P_H (hbar m) 1 f -> prompt_column m x' i f z != 0 ->
    forall l c, combination (memory_F_star m mu j) (fun x => token_embedding m x i c) cs l = 0) ->
  forall (u : letter R (full N M S)) (a : attention R N M S X K), (forall g, 0 <= u g) ->
  exists2 x, in_R m Hs x & memory_F_star m mu j x <>
    attention_head a (size x).+1 (prompted_output m u x) (prompted_embedding m u x).

Section Decoys.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat).
Variables (mu : 'I_K.+1 -> M -> R) (j : 'I_N) (Hs : {set hidden N S}).

(** v is a multiple of d. *)
Definition multiple_of (d v : X -> R) : Prop := exists s, forall z, v z = s * d z.

(** A group: its first two inputs, the others, and the contested position. Positions of tokens are counted from 1. *)
Record group := Group { one : seq X; two : seq X; others : seq (seq X); contested : nat }.
Definition members (g : group) : seq (seq X) := [:: one g, two g & others g].

(** Inputs in R that are alike, of which the first two differ at the contested position alone, and have two labels. *)
Definition good_group (g : group) : Prop :=
  [/\ forall x, x \in members g -> in_R m Hs x /\ alike m (one g) x,
      memory_F_star m mu j (one g) != memory_F_star m mu j (two g),
      (1 <= contested g <= size (one g))%N &
      exists z, two g = replace (one g) (contested g) z].

Variables (G L : finType) (group_of : G -> group).

(** A term is a group, a decoy, and t. A leaf: its first term, the others, its direction, and the inputs n and n'. *)
Definition decoy_term : eqType := [eqType of G * nat * R].
Definition decoy (c : decoy_term) : nat := c.1.2.
Definition factor (c : decoy_term) : R := c.2.
Record leaf := Leaf {
  lead : decoy_term;
  rest : seq decoy_term;
  direction : X -> R;
  unswapped : seq X;
  swapped : seq X }.
Notation group_at c := (group_of c.1.1).

(** Where something is read at the contested position, it is at the decoy, a multiple of the direction. (That this is
    >= 0 is not needed.) *)
Definition good_decoy (d : X -> R) (c : decoy_term) : Prop :=
  let column := prompt_column m (one (group_at c)) in let i := contested (group_at c) in
  [/\ (1 <= decoy c <= size (one (group_at c)))%N, decoy c != i, 0 < factor c &
      forall f, 0 < P_H (hbar m) 1 f -> multiple_of d (column (decoy c) f) /\
        ((exists z, column i f z != 0) -> exists z, column (decoy c) f z != 0)].

(** In the sum over terms of t (score(contested) - score(decoy)) the positions' own scores cancel. *)
Definition good_leaf (b : leaf) : Prop :=
  (forall c, c \in lead b :: rest b -> good_decoy (direction b) c) /\
  forall p, \sum_(c <- lead b :: rest b | contested (group_at c) == p) factor c =
    \sum_(c <- lead b :: rest b | decoy c == p) factor c.

(** n has the tokens y and y' at the contested position and at the decoy of the first term, and n' has them exchanged;
    their labels are l and l'. *)
Definition good_swap (y y' : X) (l l' : 'I_K.+1) (b : leaf) : Prop :=
  let g := group_at (lead b) in let n := unswapped b in let n' := swapped b in
  [/\ n \in members g /\ n' \in members g,
      nth y n (contested g).-1 = y /\ nth y' n (decoy (lead b)).-1 = y',
      n' = replace (replace n (contested g) y') (decoy (lead b)) y &
      [/\ l != l', memory_F_star m mu j n = l & memory_F_star m mu j n' = l']].

(** Some leaves; and whatever a head can read at a contested position is a mixture of their directions. *)
Definition decoys (leaf_of : L -> leaf) (y y' : X) (l l' : 'I_K.+1) : Prop :=
  [/\ (0 < #|L|)%N, forall g, good_group (group_of g), forall b, good_leaf (leaf_of b),
      forall b, good_swap y y' l l' (leaf_of b) &
      forall g f, 0 < P_H (hbar m) 1 f -> exists b, multiple_of (direction (leaf_of b))
        (prompt_column m (one (group_of g)) (contested (group_of g)) f)].

End Decoys.

(** [rule 11 decoys] Groups of inputs that are alike, to whose contested position a head must attend, and decoys for
    it, show that no prompt u >= 0 and no attention head compute F* on R. *)
Definition statement_rule_decoys : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (j : 'I_N) (Hs : {set hidden N S}) (G L : finType) (group_of : G -> group X) (leaf_of : L -> leaf R X G)
    (y y' : X) (l l' : 'I_K.+1),
  decoys m mu j Hs group_of leaf_of y y' l l' ->
  forall (u : letter R (full N M S)) (a : attention R N M S X K), (forall g, 0 <= u g) ->
  exists2 x, in_R m Hs x & memory_F_star m mu j x <>
    attention_head a (size x).+1 (prompted_output m u x) (prompted_embedding m u x).

(** [rule 11 decoys-free-embeddings] Nor do any with other embeddings: emb0 of the prompt, emb z of the tokens. *)
Definition statement_rule_decoys_free_embeddings : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat) (mu : 'I_K.+1 -> M -> R)
    (j : 'I_N) (Hs : {set hidden N S}) (G L : finType) (group_of : G -> group X) (leaf_of : L -> leaf R X G)
    (y y' : X) (l l' : 'I_K.+1),
  decoys m mu j Hs group_of leaf_of y y' l l' ->
  forall (u : letter R (full N M S)) (a : attention R N M S X K) (emb0 : letter R (cell_state N M S))
    (emb : X -> letter R (cell_state N M S)), (forall g, 0 <= u g) ->
  exists2 x, in_R m Hs x & memory_F_star m mu j x <>
    attention_head a (size x).+1 (prompted_output m u x) (letter_at (emb0 :: map emb x)).
