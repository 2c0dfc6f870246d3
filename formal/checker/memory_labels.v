(** What decides that an attention head mislabels an input (docs/certificate-format.md, section 10, head claims). *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory statements.memory statements.rules
  statements.rules_memory proofs.paths proofs.refutations_numbers proofs.rules_messages checker.tables checker.models
  checker.agreement checker.memory_models checker.memory_claims checker.memory_heads checker.memory_texts.

Lemma of_Qsum_ord (R : realFieldType) k (f : 'I_k -> R) F : (forall i, f i = of_Q R (F (val i))) -> \sum_i f i = of_Q R (Qsum (iota 0 k) F).
Proof.
move=> fF; under eq_bigr do rewrite fF; rewrite -(big_mkord xpredT (fun i => of_Q R (F i))) /index_iota subn0.
by elim: (iota 0 k) => [|i s IH]; rewrite ?big_nil ?of_Q0 //= big_cons IH of_Q_red of_QD.
Qed.

Lemma all_iota k (P : pred nat) : all P (iota 0 k) = [forall i : 'I_k, P i].
Proof.
apply/allP/forallP => [ok i|ok i]; first by apply: ok; rewrite mem_iota ltn_ord.
by rewrite mem_iota => /andP[_ lt_i]; exact: (ok (Ordinal lt_i)).
Qed.

Section Labels.

Variables (N a b c K : nat) (memories initial : seq Q) (transition emission mu : seq (seq Q)) (j : nat) (S' : seq nat).
Variables (hd : head_q) (E : seq (seq Q)) (u : seq Q).
Notation states := (N.+1 * b.+1)%N.
Notation columns := (a.+1 * (N.+1 * b.+1))%N.
Notation choices_n := (a.+1 ^ N.+1)%N.
Notation M := (ordinal_finType a.+1).
Notation S := (ordinal_finType b.+1).
Notation X := (ordinal_finType c.+1).

(** The label of a head on outputs and embeddings, one for each position. *)
Definition key_vector_q : seq Q :=
  [seq Qsum (iota 0 states.+1) (fun k => entry2 (key_q hd) k z * entry (query_q hd) k)%coqQ | z <- iota 0 c.+1].
Definition position_score_q (i : nat) : Q :=
  Qsum (iota 0 states.+1) (fun k => entry (query_q hd) k * entry2 (position_q hd) (minn i (size (position_q hd)).-1) k)%coqQ.
Definition score_q (w : seq Q) (outs : seq (seq Q)) (i : nat) : Q :=
  (Qsum (iota 0 c.+1) (fun z => entry w z * entry2 outs i z) + position_score_q i)%coqQ.
Definition value_q_at (outs embs : seq (seq Q)) (l i : nat) : Q :=
  Qsum (iota 0 c.+1) (fun z => Qsum (iota 0 columns) (fun k => entry2 (value_q hd) k z * (entry2 (rows_q hd) l k * entry2 embs i k))
    * entry2 outs i z)%coqQ.
Definition label_on_q (t : nat) (outs embs : seq (seq Q)) : nat :=
  let w := key_vector_q in let scores := [seq score_q w outs i | i <- iota 0 t] in
  label_of K (get (integers [seq Qsum (iota 0 t) (fun i =>
    if all (fun k => Qle_bool (entry scores k) (entry scores i)) (iota 0 t) then value_q_at outs embs l i else 0%coqQ) | l <- iota 0 K.+1])).

(** phi(u). *)
Definition phi_q : seq Q :=
  let ch := choices a.+1 N.+1 in
  [seq (Qsum (iota 0 choices_n) (fun i => if nth 0%N (nth [::] ch i) ((k %% states) %/ b.+1) == (k %/ states)%N
      then entry u (i * states + k %% states) else 0%coqQ) / (Z.of_nat (a.+1 ^ N) # 1))%coqQ | k <- iota 0 columns].

Section Computed.

Variable T : tables.

Definition mislabels (t : nat) (outs embs : seq (seq Q)) (x : seq nat) : bool :=
  memory_label_in N a b K j S' T (integers2 mu) x
    (label_z T K (task_z T (lifted_z N a b j (integers2 mu))) x) &&
  (label_z T K (task_z T (lifted_z N a b j (integers2 mu))) x != label_on_q t outs embs).
Definition plain_mislabelled (x : seq nat) : bool :=
  mislabels (size x) [seq output_q T (tau_z T (first_z T) x i.+1) | i <- iota 0 (size x)] [seq nth [::] E z | z <- x] x.
Definition prompted_mislabelled (x : seq nat) : bool :=
  all (fun k => Qle_bool 0 (entry u k) && Qle_bool (entry u k) 1) (iota 0 (choices_n * states)) &&
  mislabels (size x).+1 [seq output_q T (law_z T (integers u) x i) | i <- iota 0 (size x).+1]
    (phi_q :: [seq nth [::] emission z | z <- x]) x.

End Computed.

Notation bar_T := (bar_tables N a b c memories initial transition emission).
Definition mislabelled_4_3_z : seq nat -> bool := plain_mislabelled bar_T.
Definition mislabelled_C_6_z : seq nat -> bool := prompted_mislabelled bar_T.

Context {valid : valid_memory N a b c memories initial transition emission} {R : realFieldType}.
Notation m := (of_memory_table R valid).
Notation of_Q := (of_Q R).
Notation of_Z := (of_Z R).
Notation ig := (full_numbering N a b).
Notation ic := (column_numbering N a b).
Notation ix := (ord_numbering c).
Notation io := (option_numbering N b).
Notation word := (word ix).
Notation cell := (inord j : 'I_N.+1).
Notation task := (fun (l : 'I_K.+1) (v : M) => of_Q (entry2 mu l v)).
Notation Hstar := (@recoverable N.+1 S cell [set s : S | val s \in S']).
Notation head := (@real_head N a b c K hd R).

Let D := bar_describes R valid.

Lemma label_on_qP t outs embs p emb : (forall (i : 'I_t) z, output m (p i.+1) z = of_Q (entry2 outs i (ix z))) ->
  (forall (i : 'I_t) k, emb i.+1 k = of_Q (entry2 embs i (ic k))) ->
  val (label_on_laws m head t p emb) = label_on_q t outs embs.
Proof.
move=> outE embE; pose score (i : 'I_t) := dot (key_vector head) (output m (p i.+1)) + position_score head i.+1.
have scoreE (i : 'I_t) : score i = of_Q (entry [seq score_q key_vector_q outs i | i <- iota 0 t] i).
  rewrite /entry (nth_map 0%N) ?size_iota // nth_iota // add0n of_QD /score /position_score /dot /position_score_q.
  congr (_ + _); last by apply: (of_Qsum (i := io)) => k; rewrite of_QM.
  apply: (of_Qsum (i := ix)) => z; rewrite of_QM -outE; congr (_ * _); rewrite /entry (nth_table ix).
  by apply: (of_Qsum (i := io)) => k; rewrite of_QM.
apply: (label_shows (common_gt0 R _)) => l; rewrite -integers_entry; congr (_ * _).
rewrite /entry (nth_table (ord_numbering K)) big_mkcond; apply: of_Qsum_ord => i.
have -> : [forall k : 'I_t, dot (key_vector head) (output m (p k.+1)) + position_score head k.+1 <= score i] =
    all (fun k => Qle_bool (entry [seq score_q key_vector_q outs i | i <- iota 0 t] k)
      (entry [seq score_q key_vector_q outs i | i <- iota 0 t] i)) (iota 0 t).
  by rewrite all_iota; apply: eq_forallb => k; rewrite -(of_Q_le R) -!scoreE.
case: (all _ _); last by rewrite of_Q0.
rewrite /dot /value_q_at; apply: (of_Qsum (i := ix)) => z; rewrite of_QM -outE; congr (_ * _).
by apply: (of_Qsum (i := ic)) => k; rewrite !of_QM embE.
Qed.

Lemma phi_qP k : phi (real_prompt (N := N) (a := a) (b := b) (R := R) u) k = of_Q (entry phi_q (ic k)).
Proof.
case: k => v [i s]; rewrite /phi /entry (nth_table ic) of_Q_div -of_Z_of_Q big_mkcond.
rewrite ![(ic _ %% states)%N]pair_number_mod ![(ic _ %/ states)%N]pair_number_div [(_ %/ b.+1)%N]pair_number_div.
congr (_ / _); last first.
  rewrite card_ord /=; elim: (a.+1 ^ N)%N => // k IH; by rewrite Nat2Z.inj_succ -Z.add_1_r of_ZD -IH mulrSr.
apply: (of_Qsum (i := choice_numbering N.+1 a)) => g; rewrite choice_nth nth_digits -val_eqE; case: eqP => _; first by [].
by rewrite of_Q0.
Qed.

Lemma mislabelsP t outs embs x (l : 'I_K.+1) : mislabels bar_T t outs embs x -> val l = label_on_q t outs embs ->
  in_R m Hstar (word x) /\ label_at (hbar m) (task_rows (hbar m) (lifted task cell)) (word x) <> l.
Proof.
case/andP=> lE neq eq_l; have [x_R Fx] := @memory_labelP N a b c K memories initial transition emission mu j S' valid R _ _ lE.
split=> // eq_x; move: neq; rewrite -eq_l -eq_x => /eqP; apply.
have [ok_mu /and3P[lt_j x_in _] /and3P[ok_rows _ _]] := and3P lE.
have muE := @lifted_shown N a b c K memories initial transition emission mu j R lt_j ok_mu.
apply/esym; exact: (label_zP D (task_gt0 D (common_gt0 R _)) (task_E D muE ok_rows) (is_input_word x_in)).
Qed.

Lemma out_at (F : nat -> seq Q) t (i : 'I_t) z : entry2 [seq F k | k <- iota 0 t] i z = entry (F i) z.
Proof. by rewrite /entry2 (nth_map 0%N) ?size_iota // nth_iota. Qed.

Lemma token_at (e : X -> letter R (cell_state N.+1 M S)) (V : seq (seq Q)) x i k : all (fun z => (z < c.+1)%N) x ->
  (forall z k, e z k = of_Q (entry2 V z (ic k))) -> (i < size x)%N ->
  letter_at (map e (word x)) i.+1 k = of_Q (entry2 [seq nth [::] V z | z <- x] i (ic k)).
Proof.
move=> ok eE lt_i; rewrite /letter_at /= -map_comp (nth_map 0%N) //= eE /entry2 (nth_map 0%N) //.
by rewrite inordK //; exact: (all_nthP 0%N ok).
Qed.

Theorem mislabelled_4_3 x : mislabelled_4_3_z x -> ~ forall x, in_R m Hstar x ->
  memory_F_star m task cell x = attention_head head (size x) (G (hbar m) x) (letter_at (map (embedding_of (N := N) (a := a) (b := b) (c := c) (R := R) E) x)).
Proof.
move=> wrong; have ok : all (fun z => (z < c.+1)%N) x by case/andP: wrong => /memory_label_ok.
pose l := label_on_laws m head (size x) (plain_law m (word x)) (letter_at (map (embedding_of E) (word x))).
have [|x_R neq] := mislabelsP (l := l) wrong.
  apply: label_on_qP => i e; last by apply: token_at.
  by rewrite out_at; have [r r0 lawE] := @plain_law_shown N a b c memories initial transition emission valid R x i.+1 ok; exact: (output_qE D e r0 lawE).
have [refutes _] := @rule_mislabelled_attention R N.+1 M S X m K task cell Hstar head (embedding_of E) (fun=> 0) _ x_R.
by apply: refutes; rewrite size_map.
Qed.

Theorem mislabelled_C_6 x : mislabelled_C_6_z x -> let u := real_prompt (N := N) (a := a) (b := b) (R := R) u in
  ~ forall x, in_R m Hstar x -> memory_F_star m task cell x =
    attention_head head (size x).+1 (memory_Gbar m (ehat m u x)) (fun i => phi (letter_at (ehat m u x) i)).
Proof.
case/andP=> /(eachP ig) u_ok wrong; set u' := real_prompt u => /=.
have u01 : is_prompt u' by move=> g; have := u_ok g; rewrite -(of_Q_le R) -(of_Q_le R (entry u (ig g))) of_Q0 of_Q1.
have ok : all (fun z => (z < c.+1)%N) x by case/andP: wrong => /memory_label_ok.
pose l := label_on_laws m head (size x).+1 (law_behind m u' (word x)) (embedding_behind m u' (word x)).
have [|x_R neq] := mislabelsP (l := l) wrong.
  apply: label_on_qP => i e; last by case: i => [[|i] lt_i]; [exact: phi_qP | apply: token_at].
  rewrite out_at; have [q q0 lawE] := @law_behind_shown N a b c memories initial transition emission valid R x i _ ok (common_gt0 R u).
  by apply: (output_qE D e q0); apply: lawE => g; exact: integers_entry.
have [_ refutes] := @rule_mislabelled_attention R N.+1 M S X m K task cell Hstar head (fun _ _ => 0) u' _ x_R.
by apply: refutes; rewrite // size_map.
Qed.

End Labels.
