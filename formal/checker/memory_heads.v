(** What decides that an attention head computes F* on R, with and without a prompt (docs/certificate-format.md, section
    10), of a model with any number of cells. *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory statements.memory statements.rules
  statements.rules_memory proofs.paths proofs.entered proofs.refutations_numbers proofs.rules_attention
  proofs.rules_prompted checker.tables checker.models checker.assumptions checker.memory_models checker.memory_claims.

(** An attention head on a page: the last row of positions repeats. *)
Record head_q := HeadQ {
  query_q : seq Q;
  key_q : seq (seq Q);
  position_q : seq (seq Q);
  value_q : seq (seq Q);
  rows_q : seq (seq Q) }.

Section Heads.

Variables (N a b c K : nat) (memories initial : seq Q) (transition emission mu : seq (seq Q)) (j : nat) (S' : seq nat).
Notation states := (N.+1 * b.+1)%N.
Notation columns := (a.+1 * (N.+1 * b.+1))%N.
Notation choices_n := (a.+1 ^ N.+1)%N.
Notation M := (ordinal_finType a.+1).
Notation S := (ordinal_finType b.+1).
Notation X := (ordinal_finType c.+1).
Notation chain_T := (chain_tables N b initial transition).
Notation own k := (own_z b j S' (k %% states)).

(** The tables in integers: A, W, the rows of mu, P[H_1], P[M]; a head's query, Theta_K W, positions,
    Theta_V W, rows b_l; a prompt. *)
Section Computed.

Variables (A W mu_z : seq (seq Z)) (p1 p_z q : seq Z) (key_t pos value_t rows_t : seq (seq Z)) (u_z : seq Z).

(** ** Possible columns *)

(** The states that some states lead to; whether a set holds all that it leads to. *)
Definition reached_t (start : nat -> bool) : seq bool :=
  iter states (fun s => [seq nth false s h || some states (fun g => (0 <? get2 A h g)%coqZ && nth false s g) | h <- iota 0 states])
    [seq start h | h <- iota 0 states].
Definition closed_t (start : nat -> bool) (s : seq bool) : bool :=
  each states (fun h => start h ==> nth false s h) &&
  each states (fun g => nth false s g ==> each states (fun h => (0 <? get2 A h g)%coqZ ==> nth false s h)).

Definition first_start_t (h : nat) : bool := (0 <? get p1 h)%coqZ.

(** The columns of the states in [s i], for the memories i that are possible. *)
Definition columns_of_t (s : nat -> seq bool) : seq bool :=
  let ch := choices a.+1 N.+1 in
  let possible := [seq column_at N b (nth [::] ch i) h | i <- [seq i <- iota 0 choices_n | (0 <? get p_z i)%coqZ],
    h <- [seq h <- iota 0 states | nth false (s i) h]] in
  [seq k \in possible | k <- iota 0 columns].

(** ** Scores of keys and positions, values *)

Definition key_scores_t : seq Z := vec columns (fun k => sum states.+1 (fun k' => get2 key_t k' k * get q k')%coqZ).
Definition position_score_t (i : nat) : Z := sum states.+1 (fun k => get q k * get2 pos i k)%coqZ.

(** One key score for the columns of H* in D, less for the others; the number, if there is no column of H*, is any. *)
Definition own_score_t (D : seq bool) (ks : seq Z) : Z :=
  if [seq k <- iota 0 columns | nth false D k && own k] is k :: _ then get ks k else (1 + sum columns (fun k => Z.abs (get ks k)))%coqZ.
Definition keys_t (D : seq bool) : bool :=
  let ks := key_scores_t in let s := own_score_t D ks in
  each columns (fun k => nth false D k ==> if own k then (get ks k =? s)%coqZ else (get ks k <? s)%coqZ).

(** v_l(z)'W[:,k]. *)
Definition value_row (E : seq (seq Z)) (l z : nat) : seq Z :=
  vec columns (fun k => sum columns (fun k' => get2 value_t k' k * (get2 rows_t l k' * get2 E z k'))%coqZ).
Definition values_t (E : seq (seq Z)) (D : seq bool) : bool :=
  let V := [seq [seq value_row E l z | z <- iota 0 c.+1] | l <- iota 0 K.+1] in
  let v l z k := get (nth [::] (nth [::] V l) z) k in
  proportional [seq
    if nth false D zk.2 && own zk.2 then
      ((get2 mu_z l (zk.2 %/ states) - get2 mu_z 0 (zk.2 %/ states)) * get2 W zk.1 zk.2, v l zk.1 zk.2 - v 0%N zk.1 zk.2)%coqZ
    else (0, 0)%coqZ | l <- iota 0 K.+1, zk <- [seq (z, k) | z <- iota 0 c.+1, k <- iota 0 columns]].

(** ** Behind a prompt, a list of numbers over the states of Hbar *)

Definition u_at_t (i f : nat) : Z := get u_z (i * states + f).
Definition in_Q_t (i : nat) : bool := some states (fun f => 0 <? u_at_t i f)%coqZ.
Definition restored_t : bool :=
  proportional [seq if (0 <? get p_z i)%coqZ && in_Q_t i
    then (get p1 h, sum states (fun f => get2 A h f * (get p1 f * u_at_t i f)))%coqZ else (0, 0)%coqZ
    | i <- iota 0 choices_n, h <- iota 0 states].
Definition prompt_z : bool :=
  restored_t && each choices_n (fun i => (0 <? get p_z i)%coqZ && supp_z K mu_z (nth 0%N (nth [::] (choices a.+1 N.+1) i) j) ==> in_Q_t i).

Definition behind_start_t (i h : nat) : bool :=
  some states (fun f => [&& 0 <? u_at_t i f, 0 <? get p1 f & 0 <? get2 A h f]%coqZ).
Definition plain_keys_t (s : seq bool) (rows : nat) : bool :=
  [&& (j < N.+1)%N, closed_t first_start_t s, keys_t (columns_of_t (fun=> s)) &
      each rows (fun r => position_score_t r =? position_score_t 0)%coqZ].
Definition attention_tables E (rows : nat) : bool :=
  let s := reached_t first_start_t in plain_keys_t s rows && values_t E (columns_of_t (fun=> s)).

(** [rows] is the number of rows of positions; [key_d] and [position_d] bring the scores of both over one denominator. *)
Definition behind_t : seq (seq bool) := [seq reached_t (behind_start_t i) | i <- iota 0 choices_n].
Definition keys_behind_t (t : seq (seq bool)) (rows : nat) (key_d position_d : Z) : bool :=
  let s := reached_t first_start_t in let D' := columns_of_t (fun=> s) in let D := columns_of_t (nth [::] t) in
  let ks := key_scores_t in let last := rows.-1 in
  let g := (position_score_t (minn 1 last) * position_d)%coqZ in let g0 := (position_score_t 0 * position_d)%coqZ in
  [&& (j < N.+1)%N, closed_t first_start_t s, each choices_n (fun i => closed_t (behind_start_t i) (nth [::] t i)),
      keys_t D, each rows (fun r => (r == 0%N) && (0 < last)%N || (position_score_t r =? position_score_t (minn 1 last))%coqZ) &
      each columns (fun k' => nth false D' k' ==> (get ks k' * key_d + g0 <? g)%coqZ &&
        each columns (fun k => nth false D k ==> (get ks k' * key_d + g0 <? get ks k * key_d + g)%coqZ))].
Definition prompted_tables (rows : nat) (key_d position_d : Z) : bool :=
  let t := behind_t in let D := columns_of_t (nth [::] t) in
  [&& keys_behind_t t rows key_d position_d, prompt_z, values_t W D &
      let V := [seq [seq value_row W l z | z <- iota 0 c.+1] | l <- iota 0 K.+1] in
      each K.+1 (fun l => each c.+1 (fun z => each columns (fun k => nth false D k ==> ~~ own k ==>
        (get (nth [::] (nth [::] V l) z) k =? get (nth [::] (nth [::] V 0) z) k)%coqZ)))].

End Computed.

Variables (hd : head_q) (u : seq Q).

(** V W, a row at a time: each has a denominator of its own. *)
Definition times_W (k : nat) (V : seq (seq Q)) : seq (seq Q) :=
  let W := integers2 emission in let d := common (flatten emission) in
  [seq let row := nth [::] V i in let r := integers row in let s := ((common row * d)%coqZ # 1)%coqQ in
    [seq Qred ((sum c.+1 (fun z => get r z * get2 W z k)%coqZ # 1) / s)%coqQ | k <- iota 0 columns] | i <- iota 0 k].

Notation W := (integers2 emission).
Notation A := (integers2 transition).
Notation mu_z := (integers2 mu).
Notation p1 := (first_z chain_T).
Notation p_z := (integers memories).
Notation q := (integers (query_q hd)).
Notation key_W := (times_W states.+1 (key_q hd)).
Notation key_t := (integers2 key_W).
Notation pos := (integers2 (position_q hd)).
Notation value_W := (times_W columns (value_q hd)).
Notation value_t := (integers2 value_W).
Notation rows_t := (integers2 (rows_q hd)).
Notation u_z := (integers u).

Definition attention_z (E : seq (seq Q)) : bool :=
  attention_tables A W mu_z p1 p_z q key_t pos value_t rows_t (integers2 E) (size (position_q hd)).
Definition prompted_attention_z : bool :=
  all (fun k => Qle_bool 0 (entry u k) && Qle_bool (entry u k) 1) (iota 0 (choices_n * states)) &&
  prompted_tables A W mu_z p1 p_z q key_t pos value_t rows_t u_z (size (position_q hd)) (common (flatten (position_q hd)))
    (common (flatten key_W)).

(** ** That is right *)

Notation reached := (reached_t A).
Notation closed := (closed_t A).
Notation first_start := (first_start_t p1).
Notation columns_of := (columns_of_t p_z).
Notation key_scores := (key_scores_t q key_t).
Notation position_score_z := (position_score_t q pos).
Notation own_score := (own_score_t).
Notation keys_z := (keys_t q key_t).
Notation value_z := (value_row value_t rows_t).
Notation values_z := (values_t W mu_z value_t rows_t).
Notation u_at := (u_at_t u_z).
Notation in_Q_z := (in_Q_t u_z).
Notation restored_z := (restored_t A p1 p_z u_z).
Notation behind_start := (behind_start_t A p1 u_z).

Context {valid : valid_memory N a b c memories initial transition emission} {R : realFieldType}.
Notation m := (of_memory_table R valid).
Notation of_Z := (of_Z R).
Notation of_Q := (of_Q R).
Notation ih := (hidden_numbering N b).
Notation ic := (column_numbering N a b).
Notation ix := (ord_numbering c).
Notation task := (fun (l : 'I_K.+1) (v : M) => of_Q (entry2 mu l v)).
Notation cell := (inord j : 'I_N.+1).
Notation Sstar := ([set s : S | val s \in S']).
Notation Hstar := (@recoverable N.+1 S cell Sstar).
Notation scale s := (of_Z (common s)).

Let chainD := chain_describes R valid.

(** The coordinates of a query: a hidden state, or one more. *)
Definition option_number (k : option (hidden N.+1 S)) : nat := if k is Some h then ih h else states.
Definition option_item (k : nat) : option (hidden N.+1 S) := if (k < states)%N then Some (item ih k) else None.
Lemma option_numberK : cancel option_number option_item.
Proof. by case=> [h|]; rewrite /option_item ?number_lt ?numberK //= ltnn. Qed.
Lemma option_number_lt k : (option_number k < states.+1)%N.
Proof. by case: k => [h|]; [exact: leqW (number_lt ih h) | exact: ltnSn]. Qed.
Lemma option_number_card : #|[finType of option (hidden N.+1 S)]| = states.+1.
Proof. by rewrite card_option (number_card ih). Qed.
Definition option_numbering := Numbering option_numberK option_number_lt option_number_card.
Notation io := option_numbering.

Definition real_head : attention R N.+1 M S X K :=
  Attention (fun k => of_Q (entry (query_q hd) (io k))) (fun k (z : 'I_c.+1) => of_Q (entry2 (key_q hd) (io k) z))
    (fun i k => of_Q (entry2 (position_q hd) (minn i.-1 (size (position_q hd)).-1) (io k)))
    (fun k (z : 'I_c.+1) => of_Q (entry2 (value_q hd) (ic k) z)) (fun l k => of_Q (entry2 (rows_q hd) l (ic k))).
Definition embedding_of (E : seq (seq Q)) (z : 'I_c.+1) : letter R (cell_state N.+1 M S) := fun k => of_Q (entry2 E z (ic k)).

Definition set_of (D : seq bool) : {set cell_state N.+1 M S} := [set k | nth false D (ic k)].

Lemma own_column (k : cell_state N.+1 M S) : (j < N.+1)%N -> (k.2 \in Hstar) = own (ic k).
Proof. by move=> lt_j; rewrite own_zP // [(_ %% states)%N]pair_number_mod. Qed.

Lemma closed_step start s g h : closed start s -> nth false s (ih g) -> 0 < mtrans m h g -> nth false s (ih h).
Proof.
case/andP=> _ /(eachP ih)/(_ g)/implyP step /step{step} /(eachP ih)/(_ h)/implyP step pos; apply: step.
by rewrite -(shows_gt0 (dA_gt0 chainD) (trans_shown chainD h g)).
Qed.

Lemma later_reached s i h : closed first_start s -> 0 < P_H (chain m) i.+1 h -> nth false s (ih h).
Proof.
move=> ok; elim: i h => [|i IH] h.
  rewrite (shows_gt0 _ (first_shows chainD h)) ?mulr_gt0 ?(dA_gt0 chainD) ?(d0_gt0 chainD) // => pos.
  by case/andP: ok => /(eachP ih)/(_ h)/implyP ok _; exact: ok.
rewrite P_HS /next sum_gt0 => [/existsP[g]|g]; last by rewrite mulr_ge0 ?P_H_ge0 ?(proj1 (mtrans_law m g)).
rewrite mul_gt0 ?P_H_ge0 ?(proj1 (mtrans_law m g)) // => /andP[A_gt0 /IH g_in].
exact: closed_step ok g_in A_gt0.
Qed.

Lemma in_columns_of s (m' : memory N.+1 M) h : 0 < memory_prob m m' -> nth false (s (choice_number m')) (ih h) ->
  read (m', h) \in set_of (columns_of s).
Proof.
move=> pos h_in; rewrite inE (nth_table ic).
have := @read_column N a b (m', h); rewrite /column_of [(_ %/ states)%N]pair_number_div [(_ %% states)%N]pair_number_mod => ->.
apply/allpairsPdep; exists (choice_number m'), (ih h); split=> //.
  rewrite mem_filter mem_iota (number_lt (choice_numbering N.+1 a) m') !andbT.
  by rewrite -(shows_gt0 (common_gt0 R _) (integers_entry R memories _)).
by rewrite mem_filter mem_iota (number_lt ih h) h_in.
Qed.

Notation key_scale := (scale (flatten key_W) * scale (query_q hd)).
Notation W_scale := (scale (flatten emission)).

Lemma scale_gt0 s : 0 < scale s. Proof. exact: common_gt0. Qed.

Lemma times_W_E (T : finType) k (i : numbering T k) V t k' :
  \sum_z of_Q (entry2 V (i t) (ix z)) * memit m z k' = of_Q (entry2 (times_W k V) (i t) (ic k')).
Proof.
rewrite /entry2 (nth_table i) (nth_table ic) of_Q_red of_Q_div -!of_Z_of_Q of_ZM.
have d0 : 0 < scale (nth [::] V (i t)) * W_scale by rewrite mulr_gt0 ?scale_gt0.
apply: (mulfI (lt0r_neq0 d0)); rewrite [RHS]mulrC divfK ?lt0r_neq0 //; apply: (shows_sum ix) => z.
by apply: shows_M; [exact: integers_entry | exact: integers2_entry].
Qed.

Lemma key_scoreE k : key_scale * key_score m real_head k = of_Z (get key_scores (ic k)).
Proof.
rewrite get_vec /key_score /dot /key_vector; under eq_bigr do rewrite mulr_suml; rewrite exchange_big.
apply: (shows_sum io) => k'; rewrite (eq_bigr (fun z => query real_head k' * (key real_head k' z * memit m z k))) => [|z _]; last first.
  by rewrite [RHS]mulrA; congr (_ * _); exact: mulrC.
rewrite -mulr_sumr (times_W_E io) [query _ _ * _]mulrC.
by apply: shows_M; [exact: integers2_entry | exact: integers_entry].
Qed.

Lemma keys_zP D : (j < N.+1)%N -> keys_z D ->
  keys_on m Hstar real_head (set_of D) (of_Z (own_score D key_scores) / key_scale).
Proof.
move=> lt_j /(eachP ic) keys k; rewrite inE => kD; have := implyP (keys k) kD; rewrite -own_column //.
have r0 : 0 < key_scale by rewrite !mulr_gt0 ?scale_gt0.
have sE : key_scale * (of_Z (own_score D key_scores) / key_scale) = of_Z (own_score D key_scores).
  by rewrite mulrC divfK ?lt0r_neq0.
by case: (k.2 \in Hstar) => ok; [apply/eqP; rewrite (shows_eq r0 (key_scoreE k) sE) | rewrite (shows_lt r0 (key_scoreE k) sE)].
Qed.

Lemma position_scoreE i : scale (query_q hd) * scale (flatten (position_q hd)) * position_score real_head i =
  of_Z (position_score_z (minn i.-1 (size (position_q hd)).-1)).
Proof. by apply: (shows_sum io) => k; apply: shows_M; [exact: integers_entry | exact: integers2_entry]. Qed.

Lemma position_scale_gt0 : 0 < scale (query_q hd) * scale (flatten (position_q hd)).
Proof. by rewrite mulr_gt0 ?scale_gt0. Qed.

Section Values.

Variables (E : seq (seq Z)) (rE : R) (emb : X -> letter R (cell_state N.+1 M S)) (rE0 : 0 < rE).
Hypothesis embE : forall z k, rE * emb z k = of_Z (get2 E (ix z) (ic k)).
Notation value_scale := (scale (flatten value_W) * (scale (flatten (rows_q hd)) * rE)).

Lemma value_zE l z k :
  value_scale * dot (value_vector real_head l (emb z)) (memory_column m k) = of_Z (get (value_z E (val l) (ix z)) (ic k)).
Proof.
rewrite get_vec /dot /value_vector; under eq_bigr do rewrite mulr_suml; rewrite exchange_big.
apply: (shows_sum ic) => k'; rewrite (eq_bigr (fun z' => (value real_head k' z' * memit m z' k) * (rows real_head l k' * emb z k'))) => [|z' _]; last first.
  by rewrite mulrAC.
rewrite -mulr_suml (times_W_E ic); apply: shows_M; first exact: integers2_entry.
by apply: shows_M; [exact: integers2_entry | exact: embE].
Qed.

Lemma values_zP D : (j < N.+1)%N -> values_z E D ->
  exists2 r : R, 0 < r & values_on m task Hstar real_head (set_of D) emb r.
Proof.
move=> lt_j /(@proportionalP R)[r r0]; rewrite all_pairs => /(eachP (ord_numbering K)) values.
have s0 : 0 < value_scale by rewrite !mulr_gt0 ?scale_gt0.
exists (r * (scale (flatten mu) * W_scale) / value_scale) => [|z l k kD k_own].
  by rewrite divr_gt0 ?mulr_gt0 ?scale_gt0.
have := values l; rewrite all_pairs => /(eachP ix)/(_ z)/(eachP ic)/(_ k).
rewrite inE in kD; case: ifP => [_|/negP[]]; cbn [fst snd]; last by rewrite kD -own_column ?k_own.
rewrite !(nth_table (ord_numbering K)) [nth _ _ 0](nth_table (ord_numbering K) _ _ ord0) !(nth_table ix) => /eqP.
rewrite [(ic k %/ states)%N]pair_number_div of_ZB -(value_zE l) -(value_zE ord0) of_ZM of_ZB => valueE.
apply: (mulfI (lt0r_neq0 s0)); rewrite /column_value mulrBr valueE.
rewrite [RHS]mulrA [value_scale * (_ / _)]mulrC divfK ?lt0r_neq0 // -!mulrA; congr (_ * _).
rewrite mulrA [RHS]mulrACA; congr (_ * _); last exact/esym/integers2_entry.
by rewrite mulrBr; congr (_ - _); exact/esym/integers2_entry.
Qed.

End Values.

Lemma own_cell h : h \in Hstar -> h.1 = cell. Proof. by rewrite inE => /andP[/eqP]. Qed.

Lemma possible_ok s : closed first_start s -> all_possible m (set_of (columns_of (fun=> s))).
Proof. by move=> ok_s m' h [//|i] pos _ h_in; apply: in_columns_of pos _; exact: later_reached ok_s h_in. Qed.

Lemma plain_keys_ok s : plain_keys_t A p1 p_z q key_t pos s (size (position_q hd)) ->
  let D := columns_of (fun=> s) in
  rule_keys m Hstar real_head (set_of D) (of_Z (own_score D key_scores) / key_scale) (position_score real_head 1).
Proof.
case/and4P=> lt_j ok_s keys /allP positions; split=> [||i i0]; [exact: possible_ok | exact: keys_zP |].
apply: (mulfI (lt0r_neq0 position_scale_gt0)); rewrite !position_scoreE min0n.
have last_lt n k : minn k n.-1 != 0%N -> minn k n.-1 \in iota 0 n.
  by case: n => [|n]; rewrite ?minn0 // mem_iota add0n ltnS geq_minr.
have [->//|/last_lt/positions] := eqVneq (minn i.-1 (size (position_q hd)).-1) 0%N.
by rewrite -(of_Z_eqE R) => /eqP.
Qed.

Theorem attention_ok E : attention_z E -> forall x, in_R m Hstar x ->
  memory_F_star m task cell x = attention_head real_head (size x) (G (hbar m) x) (letter_at (map (embedding_of E) x)).
Proof.
rewrite /attention_z /attention_tables; set s := reached _; case/andP=> keys values.
have [lt_j ok_s _ _] := and4P keys.
have [r r0 ok_values] := values_zP (scale_gt0 _) (fun z k => integers2_entry R E _ _) lt_j values.
by apply: (rule_values_right own_cell (plain_keys_ok keys) (r := r)); split=> //; exact: possible_ok.
Qed.

(** ** Behind the prompt *)

Notation ig := (full_numbering N a b).
Notation icc := (choice_numbering N.+1 a).
Definition real_prompt : letter R (full N.+1 M S) := fun g => of_Q (entry u (ig g)).

Lemma promptE m' f : scale u * real_prompt (m', f) = of_Z (u_at (icc m') (ih f)). Proof. exact: integers_entry. Qed.

Lemma memory_gt0 (m' : memory N.+1 M) : (0 < memory_prob m m') = (0 <? get p_z (icc m'))%coqZ.
Proof. exact: (shows_gt0 (scale_gt0 _) (integers_entry R memories _)). Qed.

Lemma first_gt0 h : (0 < P_H (chain m) 1 h) = (0 <? get (first_z chain_T) (ih h))%coqZ.
Proof. by apply: (shows_gt0 _ (first_shows chainD h)); rewrite mulr_gt0 ?(dA_gt0 chainD) ?(d0_gt0 chainD). Qed.

Definition real_Q : {set memory N.+1 M} := [set m' | in_Q_z (icc m')].

Lemma prompt_ge0 : is_prompt real_prompt -> forall g, 0 <= real_prompt g.
Proof. by move=> u01 g; case/andP: (u01 g). Qed.

Lemma restoredP : is_prompt real_prompt -> restored_z -> exists2 y : R, 0 < y & restores_memories m real_prompt real_Q y.
Proof.
move=> u01 /(@proportionalP R)[r r0]; rewrite all_pairs => /(eachP icc) restored.
set s := scale (flatten transition) * (scale (flatten transition) * scale initial * scale u).
have s0 : 0 < s by rewrite !mulr_gt0 ?scale_gt0.
exists (r * (scale (flatten transition) * scale initial) / s) => [|m' pos].
  by rewrite divr_gt0 ?mulr_gt0 ?scale_gt0.
rewrite inE; case: ifP => [Q_in h|/negbT Q_out f].
  have /(eachP ih)/(_ h) := restored m'; rewrite -memory_gt0 pos Q_in; cbn [andb fst snd] => /eqP sumE.
  apply: (mulfI (lt0r_neq0 s0)); rewrite [RHS]mulrA [s * (_ / _)]mulrC divfK ?lt0r_neq0 //.
  have firstE : scale (flatten transition) * scale initial * P_H (chain m) 1 h = of_Z (get (first_z chain_T) (ih h)).
    exact: (first_shows chainD h).
  rewrite -[RHS]mulrA firstE -sumE; apply: (shows_sum ih) => f.
  apply: shows_M; first exact: (trans_shown chainD).
  by apply: shows_M; [exact: (first_shows chainD) | exact: promptE].
apply/eqP; rewrite eq_le prompt_ge0 // andbT leNgt (shows_gt0 (scale_gt0 _) (promptE m' f)).
by apply: contra Q_out => ok; apply/(someP ih); exists f.
Qed.

Lemma behind_reached (t : seq bool) (m' : memory N.+1 M) f h k : is_prompt real_prompt ->
  closed (behind_start (icc m')) t -> 0 < real_prompt (m', f) -> 0 < P_H (chain m) 1 f ->
  0 < trans_power (chain m) k.+1 h f -> nth false t (ih h).
Proof.
move=> u01 ok u_gt0 p_gt0; have A0 g g' : 0 <= mtrans m g g' := proj1 (mtrans_law m g') g.
have pow0 n g g' : 0 <= trans_power (chain m) n g g' by exact: trans_power_ge0.
have powerS n h' : (0 < trans_power (chain m) n.+1 h' f) ->
    exists2 g, 0 < mtrans m h' g & 0 < trans_power (chain m) n g f.
  rewrite /= sum_gt0 => [/existsP[g]|g]; last by rewrite mulr_ge0 ?A0 ?pow0.
  by rewrite mul_gt0 ?A0 ?pow0 // => /andP[]; exists g.
elim: k h => [|k IH] h /powerS[g A_gt0 pow_gt0]; last by exact: closed_step ok (IH g pow_gt0) A_gt0.
move: pow_gt0; rewrite /= ltr0n lt0b => /eqP eq_g; subst g.
case/andP: ok => /(eachP ih)/(_ h)/implyP start _; apply: start; apply/(someP ih); exists f.
rewrite -first_gt0 p_gt0 -(shows_gt0 (scale_gt0 _) (promptE m' f)) u_gt0.
by rewrite -(shows_gt0 (dA_gt0 chainD) (trans_shown chainD h f)) A_gt0.
Qed.

(** Key scores and those of positions over one denominator. *)
Notation score_scale := (key_scale * scale (flatten (position_q hd))).
Lemma score_scale_gt0 : 0 < score_scale. Proof. by rewrite !mulr_gt0 ?scale_gt0. Qed.

Lemma position_totalE i : score_scale * position_score real_head i =
  of_Z (position_score_z (minn i.-1 (size (position_q hd)).-1) * common (flatten key_W))%coqZ.
Proof. by rewrite of_ZM -position_scoreE [RHS]mulrC !mulrA. Qed.

Lemma total_scoreE k i : score_scale * (key_score m real_head k + position_score real_head i) =
  of_Z (get key_scores (ic k) * common (flatten (position_q hd)) +
    position_score_z (minn i.-1 (size (position_q hd)).-1) * common (flatten key_W))%coqZ.
Proof. by rewrite of_ZD mulrDr position_totalE; congr (_ + _); rewrite of_ZM -key_scoreE mulrAC. Qed.

Notation D_behind t := (set_of (columns_of (nth [::] t))).

Lemma behind_possible (t : seq (seq bool)) : is_prompt real_prompt ->
  each choices_n (fun i => closed (behind_start i) (nth [::] t i)) -> all_possible_behind m real_prompt (D_behind t).
Proof.
move=> u01 /(eachP icc) ok_t m' f h k pos u_gt0 p_gt0 k_gt0; apply: in_columns_of pos _.
exact: behind_reached u01 (ok_t m') u_gt0 p_gt0 k_gt0.
Qed.

Lemma keys_behind_ok t : is_prompt real_prompt ->
  keys_behind_t A p1 p_z q key_t pos u_z t (size (position_q hd)) (common (flatten (position_q hd))) (common (flatten key_W)) ->
  rule_keys_behind m Hstar real_head real_prompt (D_behind t) (set_of (columns_of (fun=> reached first_start)))
    (of_Z (own_score (columns_of (nth [::] t)) key_scores) / key_scale) (position_score real_head 2).
Proof.
move=> u01; rewrite /keys_behind_t; set s := reached first_start; set last := _.-1.
case/and5P=> lt_j ok_s ok_t keys /andP[positions /(eachP ic) prompt_less].
split; [exact: behind_possible | exact: possible_ok | exact: keys_zP | |].
  move=> i i1; apply: (mulfI (lt0r_neq0 position_scale_gt0)); rewrite !position_scoreE -/last.
  have [->|last_gt0] := posnP last; first by rewrite !minn0.
  have i_gt0 : (0 < minn i.-1 last)%N by rewrite leq_min last_gt0 andbT; case: (i) i1 => [|[]].
  have /(allP positions) : minn i.-1 last \in iota 0 (size (position_q hd)).
    rewrite mem_iota add0n (leq_ltn_trans (geq_minr _ _)) // /last prednK // lt0n.
    by apply: contraTneq last_gt0 => eq0; rewrite /last eq0.
  by rewrite eqn0Ngt i_gt0 /= -(of_Z_eqE R) => /eqP.
move=> k'; rewrite inE => k'D; have /andP[less_g less] := implyP (prompt_less k') k'D.
split=> [|k kD]; first by rewrite (shows_lt score_scale_gt0 (total_scoreE k' 1) (position_totalE 2)) /= min0n.
rewrite (shows_lt score_scale_gt0 (total_scoreE k' 1) (total_scoreE k 2)) /= min0n.
by have /(eachP ic)/(_ k)/implyP := less; apply; move: kD; rewrite inE.
Qed.

Lemma prompt01 : all (fun k => Qle_bool 0 (entry u k) && Qle_bool (entry u k) 1) (iota 0 (choices_n * states)) -> is_prompt real_prompt.
Proof. by move=> /(eachP ig) u_ok g; have := u_ok g; rewrite -(of_Q_le R) -(of_Q_le R (entry u (ig g))) of_Q0 of_Q1. Qed.

Theorem prompted_attention_ok : prompted_attention_z -> is_prompt real_prompt /\ forall x, in_R m Hstar x ->
  memory_F_star m task cell x = attention_head real_head (size x).+1 (memory_Gbar m (ehat m real_prompt x))
    (fun i => phi (letter_at (ehat m real_prompt x) i)).
Proof.
case/andP=> /prompt01 u01; rewrite /prompted_tables; set t := behind_t _ _ _; set D := columns_of (nth [::] t).
case/and4P=> keys /andP[restored /(eachP icc) M_in_Q] values /(eachP (ord_numbering K)) no_values.
have [lt_j _ ok_t _ _] := and5P keys; split=> //; have [y y0 ok_Q] := restoredP u01 restored.
have [r r0 ok_values] := values_zP (scale_gt0 _) (@emissionE N a b c memories initial transition emission valid R) lt_j values.
apply: (rule_values_behind own_cell u01 y0 ok_Q _ (keys_behind_ok u01 keys) (r := r)).
  move=> m' pos; rewrite supp_taskP => m_in; rewrite inE; apply: (implyP (M_in_Q m')).
  by rewrite -memory_gt0 pos choice_nth -[j](inordK lt_j) nth_digits.
split=> //; first exact: behind_possible.
move=> z l k; rewrite inE => kD k_out.
have /(eachP ix)/(_ z)/(eachP ic)/(_ k)/implyP/(_ kD) := no_values l; rewrite -own_column // k_out.
rewrite !(nth_table (ord_numbering K)) [nth _ _ 0](nth_table (ord_numbering K) _ _ ord0) !(nth_table ix) -(of_Z_eqE R).
rewrite -!(value_zE (@emissionE N a b c memories initial transition emission valid R)).
by move=> /eqP/mulfI eq_v; rewrite /column_value eq_v ?subrr // lt0r_neq0 // !mulr_gt0 ?scale_gt0.
Qed.

End Heads.
