(** The tables of a memory model, of any number of cells: of the chain H_i, and of the whole model Hbar. *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory proofs.refutations_numbers
  checker.tables checker.models.

Section Page.

Variables (N a b c : nat) (memories initial : seq Q) (transition emission : seq (seq Q)).
Notation states := (N.+1 * b.+1)%N.
Notation columns := (a.+1 * (N.+1 * b.+1))%N.
Notation M := (ordinal_finType a.+1).
Notation S := (ordinal_finType b.+1).
Notation X := (ordinal_finType c.+1).
Notation hidden_numbering := (hidden_numbering N b).
Notation column_numbering := (column_numbering N a b).
Notation full_numbering := (full_numbering N a b).

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

Variables (R : realFieldType) (valid : valid_memory N a b c memories initial transition emission).
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
