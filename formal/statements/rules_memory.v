(** The rules of docs/certificate-format.md on memory models and attention heads (sections 10 and 11), as statements
    about the same models. Positions of texts are counted from 1, as in the paper; those of masks and terms from 0, as
    there. *)

From mathcomp Require Import all_ssreflect all_algebra.
From Headproof Require Import definitions.hmm definitions.memory statements.memory statements.rules proofs.paths.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(** ** Section 10: attention heads that compute F* *)

Section Attention.

Variables (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (K : nat).
Variables (mu : 'I_K.+1 -> M -> R) (Hs : {set hidden N S}) (a : attention R N M S X K).
Notation column := (cell_state N M S).
Implicit Types (D : {set column}) (u : letter R (full N M S)) (Q : {set memory N M}).

(** All possible columns are in D; all columns possible behind the prompt u are. *)
Definition all_possible D : Prop := forall i g, (0 < i)%N -> 0 < P_H (hbar m) i g -> read g \in D.
Definition all_possible_behind u D : Prop :=
  forall n g, 0 < joint (hbar m) (u :: nseq n.+1 free) n.+2 g -> read g \in D.

(** w = key'query, the key score s_c = w'W[:,c], the score of position i, and the value row v_l(z) = value'(b_l o e). *)
Definition key_vector (z : X) : R := \sum_k key a k z * query a k.
Definition key_score (c : column) : R := dot key_vector (memory_column m c).
Definition position_score (i : nat) : R := dot (query a) (position a i).
Definition value_vector (l : 'I_K.+1) (e : column -> R) (z : X) : R := \sum_c value a c z * (rows a l c * e c).

(** (v_l(z) - v_0(z))'W[:,c]. *)
Definition column_value (emb : X -> letter R column) l z c : R :=
  dot (value_vector l (emb z)) (memory_column m c) - dot (value_vector ord0 (emb z)) (memory_column m c).

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
  [/\ all_possible D, keys_on D k & forall i, (0 < i)%N -> position_score i = g].
Definition rule_values D emb (r : R) : Prop := [/\ all_possible D, 0 < r & values_on D emb r].

(** Keys behind u, where D are the columns possible behind u, and D' the possible ones: the prompt's position, the
    first, scores less than any other. *)
Definition rule_keys_behind u D D' (k g : R) : Prop :=
  [/\ all_possible_behind u D, all_possible D', keys_on D k, forall i, (1 < i)%N -> position_score i = g &
      forall c', c' \in D' -> key_score c' + position_score 1 < g /\
        forall c, c \in D -> key_score c' + position_score 1 < key_score c + g].

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

(** [rule 10 dual-vectors] Dual vectors of the columns of H* on a ground set show 4.2, 4.5 or C.5. *)
Definition statement_rule_dual_vectors : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (V : {set M})
    (Hs : {set hidden N S}) (others : {set cell_state N M S}) (d : cell_state N M S -> X -> R),
  [disjoint setX V Hs & others] ->
  (forall c c', c \in setX V Hs -> c' \in setX V Hs :|: others -> \sum_z d c z * memit m z c' = (c' == c)%:R) ->
  separated m V Hs others.

(** [rule 10 unrecoverable] A null vector on the ground set that is not 0 at a column of H* refutes them. *)
Definition statement_rule_unrecoverable : Prop :=
  forall (R : realFieldType) (N : nat) (M S X : finType) (m : memory_hmm R N M S X) (V : {set M})
    (Hs : {set hidden N S}) (others : {set cell_state N M S}) (v : cell_state N M S -> R),
  [disjoint setX V Hs & others] -> (forall c, c \notin setX V Hs :|: others -> v c = 0) ->
  (exists2 c, c \in setX V Hs & v c != 0) -> (forall z, \sum_c memit m z c * v c = 0) -> ~ separated m V Hs others.

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
