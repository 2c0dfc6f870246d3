(** Memory models by tables, of any number of cells: the columns of W, the chain H_i, and the whole model Hbar. *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory proofs.refutations_numbers
  checker.tables checker.models.

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

(** ** Its tables, of the chain and of Hbar *)

Definition chain_tables : tables :=
  Tables states 1 (common initial) (integers initial) (common (flatten transition)) (integers2 transition)
    1 [:: nseq states 1%coqZ].

(** The column that the state k of Hbar reads. *)
Definition column_at (choice : seq nat) (h : nat) : nat := (nth 0 choice (h %/ b.+1) * states + h)%N.
Definition column_of (k : nat) : nat := column_at (nth [::] (choices a.+1 N.+1) (k %/ states)) (k %% states).

Definition bar_tables : tables :=
  let n := (a.+1 ^ N.+1 * states)%N in
  let p := integers memories in let q := integers initial in
  let A := integers2 transition in let W := integers2 emission in
  Tables n c.+1
    (common memories * common initial) [seq (get p (k %/ states) * get q (k %% states))%coqZ | k <- iota 0 n]
    (common (flatten transition))
    [seq [seq if (k' %/ states == k %/ states)%N then get2 A (k' %% states) (k %% states) else 0%coqZ | k <- iota 0 n] | k' <- iota 0 n]
    (common (flatten emission)) [seq [seq get2 W z (column_of k) | k <- iota 0 n] | z <- iota 0 c.+1].

Lemma read_column (g : full N.+1 M S) : column_numbering (read g) = column_of (full_numbering g).
Proof.
case: g => m [j s]; rewrite /column_of [(_ %/ states)%N]pair_number_div [(_ %% states)%N]pair_number_mod.
by rewrite /column_at choice_nth [(_ %/ b.+1)%N]pair_number_div nth_digits.
Qed.

Variables (R : realFieldType) (valid : valid_memory).
Notation m := (of_memory_table R valid).

Lemma unit_numberK : cancel (fun _ : unit => 0%N) (fun=> tt). Proof. by case. Qed.
Definition unit_numbering : numbering [finType of unit] 1 :=
  Numbering unit_numberK (fun _ => ltnSn 0) card_unit.

Lemma chain_describes : describes (chain m) (T := chain_tables) hidden_numbering unit_numbering.
Proof.
split=> [|||h|h' h|z h]; rewrite ?common_gt0 //; first exact: ltr01.
- exact: integers_entry.
- exact: integers2_entry.
rewrite /get2 -[nth [::] _ _]/(nseq states 1%coqZ) /get nth_nseq number_lt; exact: mul1r.
Qed.

Lemma bar_describes : describes (hbar m) (T := bar_tables) full_numbering (ord_numbering c).
Proof.
split=> [|||g|g' g|z g]; rewrite /= ?of_ZM ?mulr_gt0 ?common_gt0 //.
- rewrite [get _ _](nth_table full_numbering) [(_ %/ states)%N]pair_number_div [(_ %% states)%N]pair_number_mod.
  by apply: shows_M; exact: integers_entry.
- rewrite /get2 (nth_table full_numbering) [get _ _](nth_table full_numbering).
  rewrite ![(_ %/ states)%N]pair_number_div ![(_ %% states)%N]pair_number_mod (inj_eq (can_inj (@choice_numberK _ _))).
  by rewrite /bar_trans; case: eqP => _; rewrite ?mul1r ?mul0r ?mulr0 ?of_Z0 //; exact: integers2_entry.
rewrite /get2 (nth_table (ord_numbering c)) [get _ _](nth_table full_numbering) -read_column.
exact: integers2_entry.
Qed.

End Page.
