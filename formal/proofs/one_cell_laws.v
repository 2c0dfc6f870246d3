(** Laws of a model with one cell, given by a table, that is read from one state on: tables computed once. *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory statements.memory
  statements.rules_memory proofs.paths proofs.linear proofs.message_passing proofs.memory_laws proofs.rules_attention
  proofs.softmax proofs.refutations_numbers proofs.refutations_hmm proofs.refutations_one_cell proofs.models
  statements.refutations proofs.refutations_c9.

Arguments of_Q : simpl never.

(** ** Tables, computed once *)

Lemma size_ords n : size (ords n) = n. Proof. by elim: n => //= n IH; rewrite size_map IH. Qed.

Lemma nth_ords n (i i0 : 'I_n) : nth i0 (ords n) i = i.
Proof.
elim: n i i0 => [[]//|n IH] i i0 /=; case: (unliftP ord0 i) => [j ->|->] //=.
by rewrite (nth_map j) ?size_ords // IH.
Qed.

Section Tables.

Variables (a b c : nat) (T : one_cell a b c) (T_valid : valid T) (l : 'I_b).
Implicit Types (q : table a b) (x y w : seq 'I_c).

Definition memo q : table a b :=
  let t := [seq [seq Qred (q k h) | h <- ords b] | k <- ords a] in fun k h => entry2 t k h.

(** Laws from the state l, the futures of texts, and what reaches a position from both sides. *)
Definition start_q : table a b := fun _ h => if h == l then 1%coqQ else 0%coqQ.
Definition step_q q (t : 'I_c) : table a b := memo (fun k h => next_q T q k h * emit_table T t k h)%coqQ.
Definition past_t y : table a b := foldl step_q start_q y.
Fixpoint ahead_t x : table a b :=
  if x is t :: x then
    let B := ahead_t x in
    memo (fun k h => Qsum (ords b) (fun h' => trans_table T h' h * (emit_table T t k h' * B k h'))%coqQ)
  else memo (fun _ _ => 1%coqQ).
Definition reach_t y w : table a b :=
  let P := past_t y in let B := ahead_t w in memo (fun k h => next_q T P k h * B k h)%coqQ.

Definition every (P : 'I_a -> 'I_b -> bool) : bool := all (fun k => all (P k) (ords b)) (ords a).

Lemma everyP P : every P -> forall k h, P k h. Proof. by move=> /all_ords all_P k; exact: (all_ords (all_P k)). Qed.

Variable R : realFieldType.
Notation m := (of_table R T_valid).
Notation bar := (hbar m).
Notation embed := (embed bar).
Notation of_Q := (of_Q R).
Notation Hbar := (full 1 (ordinal_finType a) (ordinal_finType b)).
Implicit Types (f L : Hbar -> R) (g : Hbar).

Lemma memoE q k h : of_Q (memo q k h) = of_Q (q k h).
Proof.
rewrite /memo /entry2 (nth_map k) ?size_ords ?nth_ords ?ltn_ord //.
by rewrite (nth_map h) ?size_ords ?nth_ords ?ltn_ord // of_Q_red.
Qed.

Lemma memo_is f q : is_table f q -> is_table f (memo q). Proof. by move=> fq k h; rewrite memoE. Qed.

Definition start g : R := (g.2.2 == l)%:R.

Lemma start_is : is_table start start_q. Proof. by move=> k h; rewrite /start /= of_Q_bool. Qed.

Lemma emit_is t : is_table (emit bar t) (emit_table T t). Proof. by have [] := embed_are R T_valid [:: t]. Qed.

Lemma past_is f q y : is_table f q -> is_table (alpha bar f (embed y)) (foldl step_q q y).
Proof.
elim: y f q => //= t y IH f q fq; apply: IH; apply: memo_is; apply: mul_table; last exact: emit_is.
exact: next_is.
Qed.

Lemma ahead_is x : is_table (beta bar (embed x)) (ahead_t x).
Proof.
elim: x => [|t x IH] /=; first by apply: memo_is => k h; rewrite of_Q1.
apply: memo_is => k h; rewrite (sum_trans T_valid); apply: sum_ords => h'.
by rewrite !of_QM; congr (_ * (_ * _)); [exact: emit_is | exact: IH].
Qed.

Lemma reach_is y w : is_table (reach m start y w) (reach_t y w).
Proof.
apply: memo_is; apply: mul_table; last exact: ahead_is.
by apply: next_is; apply: past_is; exact: start_is.
Qed.

(** Sums over the states, by memory. *)
Lemma next_sum f k h : next bar f (state k h) = \sum_h' of_Q (trans_table T h h') * f (state k h').
Proof.
rewrite /next sum_full (bigD1 k) //= [X in _ + X]big1 ?addr0 => [|k' /negbTE neq_k].
  by apply: eq_bigr => h' _; rewrite /bar_trans eqxx mul1r.
rewrite big1 // => h' _; rewrite /bar_trans /=.
suff -> : ([ffun=> k] == [ffun=> k'] :> memory 1 (ordinal_finType a)) = false by rewrite !mul0r.
by apply/negbTE/eqP => /ffunP/(_ ord0)/eqP; rewrite !ffunE eq_sym neq_k.
Qed.

(** A state that only l leads to: what is before it counts through l alone. *)
Lemma next_only f k h : all (fun h' => (h' == l) || Qeq_bool (trans_table T h h') 0) (ords b) ->
  next bar f (state k h) = f (state k l) * next bar start (state k h).
Proof.
move=> /all_ords only; rewrite !next_sum (bigD1 l) //= [X in _ + X]big1 => [|h' /negbTE neq_l].
  rewrite [in RHS](bigD1 l) //= [X in _ = _ * (_ + X)]big1 => [|h' /negbTE neq_l].
    by rewrite /start eqxx mulr1 !addr0 mulrC.
  by rewrite /start neq_l mulr0.
have := only h'; rewrite neq_l -(of_Q_eqE R) => /eqP ->; by rewrite of_Q0 mul0r.
Qed.

End Tables.
