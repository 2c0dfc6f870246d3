(** What decides the assumptions of 4.3, 4.6 and C.6 and that an attention head computes F* (docs/certificate-format.md,
    section 10), of a model with any number of cells. *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory statements.memory statements.rules
  statements.rules_memory proofs.paths proofs.refutations_numbers proofs.rules_columns checker.tables checker.models
  checker.assumptions checker.agreement checker.memory_models.

Section Claims.

Variables (N a b c K : nat) (memories initial : seq Q) (transition emission mu : seq (seq Q)).
(** The cell j*, and S*. *)
Variables (j : nat) (S' : seq nat).
Notation states := (N.+1 * b.+1)%N.
Notation columns := (a.+1 * (N.+1 * b.+1))%N.
Notation M := (ordinal_finType a.+1).
Notation S := (ordinal_finType b.+1).
Notation X := (ordinal_finType c.+1).
Notation chain_T := (chain_tables N b initial transition).
Notation bar_T := (bar_tables N a b c memories initial transition emission).
Notation W := (integers2 emission).
Notation mu_z := (integers2 mu).

(** The states of H*, and the columns with m in M*, by number. *)
Definition own_z (h : nat) : bool := (h %/ b.+1 == j)%N && ((h %% b.+1)%N \in S').
Definition in_M_z (k : nat) : bool := supp_z K mu_z (k %/ states).
Definition ground_C_5_z (k : nat) : bool := ((k %% states) %/ b.+1 == j)%N ==> in_M_z k.

Definition dual_z (ground : pred nat) (L : seq (seq Z)) : bool :=
  (j < N.+1)%N && dual_rows columns c.+1 W (fun k => ground k && own_z (k %% states)) ground L.

(** v is 0 off the ground set, not 0 at some column of the state (j*,s), and W v = 0. *)
Definition unrecoverable_z (ground : pred nat) (s : nat) (v : seq Z) : bool :=
  [&& kills columns c.+1 W v, each columns (fun k => ground k || (get v k =? 0)%coqZ), (s < b.+1)%N &
      some a.+1 (fun m => ~~ (get v (m * states + (j * b.+1 + s)) =? 0)%coqZ)].
Definition all_unrecoverable_z (ground : pred nat) (vs : seq (seq Z)) : bool :=
  each b.+1 (fun s => unrecoverable_z ground s (nth [::] vs s)).

Definition stationary_z : bool :=
  each states (fun h => get (first_z chain_T) h =? dA chain_T * get (p0 chain_T) h)%coqZ.

Context {valid : valid_memory N a b c memories initial transition emission} {R : realFieldType}.
Notation m := (of_memory_table R valid).
Notation of_Z := (of_Z R).
Notation of_Q := (of_Q R).
Notation ih := (hidden_numbering N b).
Notation ic := (column_numbering N a b).
Notation ig := (full_numbering N a b).
Notation task := (fun (l : 'I_K.+1) (v : M) => of_Q (entry2 mu l v)).
Notation cell := (inord j : 'I_N.+1).
Notation Sstar := ([set s : S | val s \in S']).
Notation Hstar := (@recoverable N.+1 S cell Sstar).

Let chainD := chain_describes R valid.
Let barD := bar_describes R valid.

Lemma emissionE z k : of_Z (common (flatten emission)) * memit m z k = of_Z (get2 W (ord_numbering c z) (ic k)).
Proof. exact: integers2_entry. Qed.

Lemma own_zP h : (j < N.+1)%N -> (h \in Hstar) = own_z (ih h).
Proof.
by move=> lt_j; rewrite !inE /own_z [(_ %/ b.+1)%N]pair_number_div [(_ %% b.+1)%N]pair_number_mod -val_eqE /= inordK.
Qed.

Lemma supp_taskP (v : M) : (v \in supp task) = supp_z K mu_z (val v).
Proof.
rewrite inE; apply/existsP/(someP (ord_numbering K)) => -[l nz]; exists l; move: nz.
  by rewrite (shows_eq0 (common_gt0 R _) (integers2_entry _ _ _ _)).
by rewrite (shows_eq0 (common_gt0 R _) (integers2_entry _ _ _ _)).
Qed.

Lemma in_M_zP (k : cell_state N.+1 M S) : (k.1 \in supp task) = in_M_z (ic k).
Proof. by rewrite /in_M_z [(_ %/ states)%N]pair_number_div supp_taskP. Qed.

Lemma ground_4_5P k : (k \in ground_4_5 (supp task)) = in_M_z (ic k). Proof. by rewrite inE in_M_zP. Qed.

Lemma ground_C_5P k : (j < N.+1)%N -> (k \in ground_C_5 (supp task) cell) = ground_C_5_z (ic k).
Proof.
move=> lt_j; rewrite inE in_M_zP /ground_C_5_z [(_ %% states)%N]pair_number_mod [(_ %/ b.+1)%N]pair_number_div.
by rewrite -val_eqE /= inordK.
Qed.

(** ** The assumptions *)

Lemma dual_zP (D : {set cell_state N.+1 M S}) ground L : (forall k, (j < N.+1)%N -> (k \in D) = ground (ic k)) ->
  dual_z ground L -> dual_vectors m D Hstar.
Proof.
move=> DE /andP[lt_j /(dual_rowsP emissionE)[k /andP[]//|L' dual]]; exists L' => k kD k_own k' k'D.
by rewrite dual ?[k' == k]eq_sym -?DE // kD /= [(_ %% states)%N]pair_number_mod -own_zP.
Qed.

Theorem holds_4_2 L : dual_z xpredT L -> assumption_4_2 m cell Sstar.
Proof. by move=> ok; have [E _ _] := rule_dual_vectors m set0 cell Sstar set0; apply/E; apply: dual_zP ok => k _; rewrite inE. Qed.
Theorem holds_4_5 L : dual_z in_M_z L -> assumption_4_5 m (supp task) Hstar.
Proof. by move=> ok; have [_ E _] := rule_dual_vectors m (supp task) cell Sstar Hstar; apply/E; apply: dual_zP ok => k _; exact: ground_4_5P. Qed.
Theorem holds_C_5 L : dual_z ground_C_5_z L -> assumption_C_5 m (supp task) cell Sstar.
Proof. by move=> ok; have [_ _ E] := rule_dual_vectors m (supp task) cell Sstar set0; apply/E; apply: dual_zP ok => k; exact: ground_C_5P. Qed.

Lemma unrecoverable_zP (D : {set cell_state N.+1 M S}) ground s v : (j < N.+1)%N ->
  (forall k, (k \in D) = ground (ic k)) -> unrecoverable_z ground s v -> null_vector_at m D (cell, inord s).
Proof.
move=> lt_j DE /and4P[null /(eachP ic) off lt_s /(someP (ord_numbering a))[x nz]].
exists (fun k => of_Z (get v (ic k))); split=> [k kD||z].
- by apply/eqP; rewrite -of_Z0 of_Z_eqE; have := off k; rewrite -DE (negbTE kD).
- exists x; rewrite -of_Z0 of_Z_eqE; move: nz; rewrite /ic /= /pair_number /= /pair_number /= !inordK //.
exact: (killsP (common_gt0 R _) emissionE null).
Qed.

(** Of the H* of the page; and, where the task names none, of every H* = {j*} x S''. *)
Definition fails_z ground s v : bool := [&& (j < N.+1)%N, s \in S' & unrecoverable_z ground s v].
Definition never_z ground vs : bool := (j < N.+1)%N && all_unrecoverable_z ground vs.

Lemma fails_zP (D : {set cell_state N.+1 M S}) ground s v : (forall k, (j < N.+1)%N -> (k \in D) = ground (ic k)) ->
  fails_z ground s v -> ~ forall h, h \in Hstar -> ~ null_vector_at m D h.
Proof.
move=> DE /and3P[lt_j s_in null] no; have lt_s : (s < b.+1)%N by case/and4P: null.
apply: (no (cell, inord s)); last exact: (unrecoverable_zP lt_j (fun k => DE k lt_j) null).
by rewrite !inE /= eqxx inordK.
Qed.

Lemma never_zP (D : {set cell_state N.+1 M S}) ground vs : (forall k, (j < N.+1)%N -> (k \in D) = ground (ic k)) ->
  never_z ground vs -> forall S'' : {set S}, S'' != set0 ->
  ~ forall h, h \in @recoverable N.+1 S cell S'' -> ~ null_vector_at m D h.
Proof.
move=> DE /andP[lt_j /(eachP (ord_numbering b)) null] S'' /set0Pn[s s_in] no.
have /= null_s := unrecoverable_zP lt_j (fun k => DE k lt_j) (null s); rewrite inord_val in null_s.
by apply: (no (cell, s) _ null_s); rewrite !inE /= eqxx.
Qed.

Lemma groundT k : (j < N.+1)%N -> (k \in [set: cell_state N.+1 M S]) = xpredT (ic k). Proof. by rewrite inE. Qed.

Theorem fails_4_2 s v : fails_z xpredT s v -> ~ assumption_4_2 m cell Sstar.
Proof. by have [E _ _] := rule_unrecoverable m set0 cell Sstar set0; move=> /(fails_zP groundT) no /E. Qed.
Theorem never_4_2 vs : never_z xpredT vs -> forall S'' : {set S}, S'' != set0 -> ~ assumption_4_2 m cell S''.
Proof.
move=> ok S'' ne; have [E _ _] := rule_unrecoverable m set0 cell S'' set0; move/E.
exact: (never_zP groundT ok ne).
Qed.
Theorem fails_4_5 s v : fails_z in_M_z s v -> ~ assumption_4_5 m (supp task) Hstar.
Proof.
have [_ E _] := rule_unrecoverable m (supp task) cell Sstar Hstar; move=> /(fails_zP (fun k _ => ground_4_5P k)) no /E.
exact: no.
Qed.
Theorem never_4_5 vs : never_z in_M_z vs ->
  forall S'' : {set S}, S'' != set0 -> ~ assumption_4_5 m (supp task) (@recoverable N.+1 S cell S'').
Proof.
move=> ok S'' ne; have [_ E _] := rule_unrecoverable m (supp task) cell S'' (@recoverable N.+1 S cell S''); move/E.
exact: (never_zP (fun k _ => ground_4_5P k) ok ne).
Qed.
Theorem fails_C_5 s v : fails_z ground_C_5_z s v -> ~ assumption_C_5 m (supp task) cell Sstar.
Proof.
have [_ _ E] := rule_unrecoverable m (supp task) cell Sstar set0; move=> /(fails_zP (fun k lt => ground_C_5P k lt)) no /E.
exact: no.
Qed.
Theorem never_C_5 vs : never_z ground_C_5_z vs ->
  forall S'' : {set S}, S'' != set0 -> ~ assumption_C_5 m (supp task) cell S''.
Proof.
move=> ok S'' ne; have [_ _ E] := rule_unrecoverable m (supp task) cell S'' set0; move/E.
exact: (never_zP (fun k lt => ground_C_5P k lt) ok ne).
Qed.

Theorem holds_memory_ergodic : ergodic_z chain_T -> irreducible (chain m) /\ aperiodic (chain m).
Proof. exact: (ergodic_ok chainD).2. Qed.
Theorem fails_memory_ergodic : ~~ ergodic_z chain_T -> ~ (irreducible (chain m) /\ aperiodic (chain m)).
Proof. by move=> /negP no /(ergodic_ok chainD). Qed.
Theorem holds_memory_full_support : full_z chain_T -> full_support (chain m). Proof. exact: (full_ok chainD).2. Qed.
Theorem fails_memory_full_support : ~~ full_z chain_T -> ~ full_support (chain m).
Proof. by move=> /negP no /(full_ok chainD). Qed.

Theorem stationary_ok : stationary m <-> stationary_z.
Proof.
have shown h : (\sum_g mtrans m h g * minit m g == minit m h) =
    (get (first_z chain_T) (ih h) =? dA chain_T * get (p0 chain_T) (ih h))%coqZ.
  have := times_A_shows chainD (init_shown chainD) h; rewrite -/(first_z _) /next => sumE.
  apply: (shows_eq _ sumE); first by rewrite mulr_gt0 ?(dA_gt0 chainD) ?(d0_gt0 chainD).
  by rewrite -mulrA (init_shown chainD) of_ZM.
split=> [stat|/(eachP ih) stat h]; last by apply/esym/eqP; rewrite shown; exact: stat.
by apply/(eachP ih) => h; rewrite -shown -stat.
Qed.

Theorem holds_stationary : stationary_z -> stationary m. Proof. exact: stationary_ok.2. Qed.
Theorem fails_stationary : ~~ stationary_z -> ~ stationary m. Proof. by move=> /negP no /stationary_ok. Qed.

End Claims.
