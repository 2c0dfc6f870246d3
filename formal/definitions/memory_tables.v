(** Memory models of any number of cells that are given by lists of rational numbers. Members of a set are numbered
    from 0. *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory proofs.refutations_numbers.

Arguments of_Q : simpl never.
Arguments Qred : simpl never.

(** P for all numbers below n. *)
Definition each n (P : pred nat) : bool := all P (iota 0 n).

(** ** Numbered sets *)

Record numbering (T : finType) (n : nat) := Numbering {
  number :> T -> nat;
  item : nat -> T;
  numberK : cancel number item;
  number_lt : forall t, (number t < n)%N;
  number_card : #|T| = n }.

Section Numbering.

Variables (T : finType) (n : nat) (i : numbering T n).

Lemma numbers : perm_eq [seq i t | t <- index_enum T] (iota 0 n).
Proof.
have uniq_i : uniq [seq i t | t <- index_enum T].
  by rewrite map_inj_uniq ?index_enum_uniq //; exact: can_inj (numberK i).
have sub : {subset [seq i t | t <- index_enum T] <= iota 0 n}.
  by move=> _ /mapP[t _ ->]; rewrite mem_iota number_lt.
have size_i : size (index_enum T) = n by rewrite -(number_card i) cardT enumT.
have [_ same] := uniq_min_size uniq_i sub (eq_leq (etrans (size_iota 0 n) (esym (etrans (size_map _ _) size_i)))).
exact: uniq_perm uniq_i (iota_uniq 0 n) same.
Qed.

Lemma eachP (P : pred nat) : reflect (forall t, P (i t)) (each n P).
Proof.
rewrite /each -(perm_all P numbers) all_map.
by apply: (iffP allP) => ok t; [apply: ok; rewrite mem_index_enum | move=> _; exact: ok].
Qed.

Lemma of_Qsum (R : realFieldType) (f : T -> R) F :
  (forall t, f t = of_Q R (F (i t))) -> \sum_t f t = of_Q R (Qsum (iota 0 n) F).
Proof.
move=> fF; under eq_bigr do rewrite fF.
rewrite -(big_map i xpredT (fun j => of_Q R (F j))) (perm_big _ numbers).
by elim: (iota 0 n) => [|j s IH]; rewrite ?big_nil ?of_Q0 //= big_cons IH of_Q_red of_QD.
Qed.

End Numbering.

Lemma ord_card n : #|'I_n| = n. Proof. exact: card_ord. Qed.
Definition ord_numbering n : numbering [finType of 'I_n.+1] n.+1 :=
  Numbering (@inord_val n) (@ltn_ord n.+1) (ord_card n.+1).

(** ** Pairs, and choices of a value for each cell, are numbered in the order of nested lists *)

Section Pairs.

Variables (T1 T2 : finType) (n1 n2 : nat) (i1 : numbering T1 n1) (i2 : numbering T2 n2).

Definition pair_number (p : T1 * T2) : nat := i1 p.1 * n2 + i2 p.2.
Definition pair_item (k : nat) : T1 * T2 := (item i1 (k %/ n2), item i2 (k %% n2)).

Lemma pair_number_div p : (pair_number p %/ n2)%N = i1 p.1.
Proof. by rewrite divnMDl ?(leq_ltn_trans _ (number_lt i2 p.2)) // divn_small ?addn0 ?number_lt. Qed.
Lemma pair_number_mod p : (pair_number p %% n2)%N = i2 p.2. Proof. by rewrite modnMDl modn_small ?number_lt. Qed.

Lemma pair_numberK : cancel pair_number pair_item.
Proof. by case=> t1 t2; rewrite /pair_item pair_number_div pair_number_mod !numberK. Qed.

Lemma pair_number_lt p : (pair_number p < n1 * n2)%N.
Proof.
apply: (@leq_trans (i1 p.1 * n2 + n2)); first by rewrite ltn_add2l number_lt.
by rewrite addnC -mulSn leq_mul2r number_lt orbT.
Qed.

Lemma pair_card : #|[finType of T1 * T2]| = (n1 * n2)%N.
Proof. by rewrite card_prod (number_card i1) (number_card i2). Qed.

Definition pair_numbering : numbering [finType of T1 * T2] (n1 * n2) := Numbering pair_numberK pair_number_lt pair_card.

End Pairs.

(** All lists of N numbers below a. *)
Fixpoint choices (a N : nat) : seq (seq nat) :=
  if N is k.+1 then [seq v :: w | v <- iota 0 a, w <- choices a k] else [:: [::]].

Lemma mem_choices a N w : (w \in choices a N) = (size w == N) && all (fun v => (v < a)%N) w.
Proof.
elim: N w => [|N IH] w /=; first by rewrite inE; case: w.
case: w => [|v w] /=; first by apply/negbTE/negP => /allpairsP[[v w] [_ _]].
rewrite eqSS; apply/allpairsP/idP => [[[v' w'] /= [v_in w_in [-> ->]]]|/and3P[size_w lt_v all_w]].
  by move: v_in w_in; rewrite mem_iota IH => /andP[_ ->] /andP[-> ->].
by exists (v, w); rewrite /= mem_iota IH lt_v size_w all_w.
Qed.

Lemma size_choices a N : size (choices a N) = (a ^ N)%N.
Proof. by elim: N => //= N IH; rewrite size_allpairs size_iota IH expnS. Qed.

Section Choices.

Variables (N a : nat).
Notation M := [finType of 'I_a.+1].

Definition digits (c : memory N M) : seq nat := [seq val (c j) | j <- enum 'I_N].
Definition choice_number (c : memory N M) : nat := index (digits c) (choices a.+1 N).
Definition choice_item (k : nat) : memory N M := [ffun j => inord (nth 0%N (nth [::] (choices a.+1 N) k) (val j))].

Lemma digits_in c : digits c \in choices a.+1 N.
Proof. by rewrite mem_choices size_map size_enum_ord eqxx; apply/allP => _ /mapP[j _ ->]; exact: ltn_ord. Qed.

Lemma nth_digits c (j : 'I_N) : nth 0%N (digits c) (val j) = val (c j).
Proof.
rewrite (nth_map j) ?size_enum_ord ?ltn_ord //; exact: (congr1 (fun i : 'I_N => val (c i)) (nth_ord_enum j j)).
Qed.

Lemma choice_nth c : nth [::] (choices a.+1 N) (choice_number c) = digits c. Proof. exact: nth_index (digits_in c). Qed.

Lemma choice_numberK : cancel choice_number choice_item.
Proof. by move=> c; apply/ffunP => j; rewrite ffunE choice_nth nth_digits inord_val. Qed.

Lemma choice_number_lt c : (choice_number c < a.+1 ^ N)%N. Proof. by rewrite -size_choices index_mem digits_in. Qed.

Lemma choice_card : #|memory N M| = (a.+1 ^ N)%N. Proof. by rewrite card_ffun !card_ord. Qed.

Definition choice_numbering : numbering (memory N M) (a.+1 ^ N) :=
  Numbering choice_numberK choice_number_lt choice_card.

End Choices.

(** ** The model on the page *)

(** [law k v]: v is a law on the numbers below k. *)
Definition Q_law (k : nat) (v : nat -> Q) : bool :=
  all (fun i => Qle_bool 0 (v i)) (iota 0 k) && Qeq_bool (Qsum (iota 0 k) v) 1.

Lemma Q_lawP (R : realFieldType) (T : finType) k (i : numbering T k) v : Q_law k v -> is_law (fun t => of_Q R (v (i t))).
Proof.
case/andP=> /(eachP i) v0 v1; split=> [t|]; first by rewrite of_Q_ge0; exact: v0.
by rewrite (of_Qsum (i := i) (F := v)) //; apply/eqP; rewrite -of_Q1 of_Q_eqE.
Qed.

Section Page.

(** N + 1 cells, a + 1 values, b + 1 syntax states, c + 1 tokens. Hidden states (j,s) are numbered j (b + 1) + s, columns
    (m,h) are numbered m (N + 1) (b + 1) + h; memories in the order of nested lists. *)
Variables (N a b c : nat) (memories initial : seq Q) (transition emission : seq (seq Q)).
Notation states := (N.+1 * b.+1)%N.
Notation columns := (a.+1 * (N.+1 * b.+1))%N.
Notation M := (ordinal_finType a.+1).
Notation S := (ordinal_finType b.+1).
Notation X := (ordinal_finType c.+1).

Definition hidden_numbering : numbering (hidden N.+1 S) states := pair_numbering (ord_numbering N) (ord_numbering b).
Definition column_numbering : numbering (cell_state N.+1 M S) columns := pair_numbering (ord_numbering a) hidden_numbering.
Definition full_numbering : numbering (full N.+1 M S) (a.+1 ^ N.+1 * states) :=
  pair_numbering (choice_numbering N.+1 a) hidden_numbering.

Definition valid_memory : bool :=
  [&& Q_law (a.+1 ^ N.+1) (entry memories), Q_law states (entry initial),
      all (fun h => Q_law states (fun h' => entry2 transition h' h)) (iota 0 states) &
      all (fun k => Q_law c.+1 (fun z => entry2 emission z k)) (iota 0 columns)].

Section Model.

Variables (R : realFieldType) (valid : valid_memory).
Notation of_Q := (of_Q R).

Fact memories_law : is_law (fun m : memory N.+1 M => of_Q (entry memories (choice_number m))).
Proof. by case/and4P: valid => /(Q_lawP R (choice_numbering N.+1 a)). Qed.
Fact initial_law : is_law (fun h : hidden N.+1 S => of_Q (entry initial (hidden_numbering h))).
Proof. by case/and4P: valid => _ /(Q_lawP R hidden_numbering). Qed.
Fact transition_law (h : hidden N.+1 S) :
  is_law (fun h' : hidden N.+1 S => of_Q (entry2 transition (hidden_numbering h') (hidden_numbering h))).
Proof. by case/and4P: valid => _ _ /(eachP hidden_numbering)/(_ h)/(Q_lawP R hidden_numbering). Qed.
Fact emission_law (k : cell_state N.+1 M S) : is_law (fun z : X => of_Q (entry2 emission z (column_numbering k))).
Proof. by case/and4P: valid => _ _ _ /(eachP column_numbering)/(_ k)/(Q_lawP R (ord_numbering c)). Qed.

Definition of_memory_table : memory_hmm R N.+1 M S X := MemoryHMM memories_law initial_law transition_law emission_law.

End Model.

End Page.
