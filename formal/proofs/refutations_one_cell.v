(** Memory HMMs with one cell, given by tables of rational numbers: what they say is computed in these numbers. *)

From Headproof Require Import definitions.prelude definitions.hmm definitions.memory proofs.paths proofs.linear
  proofs.message_passing proofs.refutations_numbers.

Arguments of_Q : simpl never.

(** P[M_1 = a], P[S_0 = s], A[s',s], W[z,(a,s)]. *)
Record one_cell (a b c : nat) := OneCell {
  cell_table : 'I_a -> Q;
  init_table : 'I_b -> Q;
  trans_table : 'I_b -> 'I_b -> Q;
  emit_table : 'I_c -> 'I_a -> 'I_b -> Q }.

Definition valid a b c (T : one_cell a b c) : bool :=
  [&& Qlaw (cell_table T), Qlaw (init_table T), all (fun s => Qlaw (fun s' => trans_table T s' s)) (ords b) &
      all (fun v => all (fun s => Qlaw (fun z => emit_table T z v s)) (ords b)) (ords a)].

Section OneCell.

Variables (R : realFieldType) (a b c : nat) (T : one_cell a b c) (T_valid : valid T).
Notation A := (ordinal_finType a).
Notation S := (ordinal_finType b).
Notation X := (ordinal_finType c).
Notation Hbar := (full 1 A S).
Notation of_Q := (of_Q R).

Lemma sum_hidden (F : hidden 1 S -> R) : \sum_h F h = \sum_s F (ord0, s).
Proof.
rewrite (eq_bigr (fun h => F (h.1, h.2))) => [|[]//].
by rewrite -(pair_bigA _ (fun j s => F (j, s))) big_ord1.
Qed.

Lemma hiddenP (h : hidden 1 S) : (ord0, h.2) = h. Proof. by case: h => j s; rewrite (ord1 j). Qed.

Lemma sum_memory (P : pred 'I_a) (F : memory 1 A -> R) :
  \sum_(cells : memory 1 A | P (cells ord0)) F cells = \sum_(v | P v) F [ffun=> v].
Proof.
rewrite (reindex (fun v : 'I_a => [ffun=> v] : memory 1 A)) /=.
  by apply: eq_bigl => v; rewrite ffunE.
exists (fun cells : memory 1 A => cells ord0) => [v _|cells _]; first by rewrite ffunE.
by apply/ffunP => j; rewrite ffunE (ord1 j).
Qed.

Fact cell_law : is_law (fun cells : memory 1 A => of_Q (cell_table T (cells ord0))).
Proof.
case/and4P: T_valid => /(law_of_Q R)[p0 p1] _ _ _; split=> [cells|]; first exact: p0.
by rewrite (sum_memory predT) -[RHS]p1; apply: eq_bigr => v _; rewrite ffunE.
Qed.

Fact init_table_law : is_law (fun h : hidden 1 S => of_Q (init_table T h.2)).
Proof. by case/and4P: T_valid => _ /(law_of_Q R)[p0 p1] _ _; split=> [h|]; [exact: p0 | rewrite sum_hidden]. Qed.

Fact trans_table_law (h : hidden 1 S) : is_law (fun h' : hidden 1 S => of_Q (trans_table T h'.2 h.2)).
Proof.
case/and4P: T_valid => _ _ /all_ords/(_ h.2)/(law_of_Q R)[p0 p1] _.
by split=> [h'|]; [exact: p0 | rewrite sum_hidden].
Qed.

Fact emit_table_law (k : cell_state 1 A S) : is_law (fun z => of_Q (emit_table T z k.1 k.2.2)).
Proof. by case/and4P: T_valid => _ _ _ /all_ords/(_ k.1)/all_ords/(_ k.2.2)/(law_of_Q R). Qed.

Definition of_table : memory_hmm R 1 A S X :=
  MemoryHMM cell_law init_table_law trans_table_law emit_table_law.

Notation m := of_table.
Notation bar := (hbar m).

(** ** Vectors on Hbar, as tables *)

(** The state with memory v and S = s; there are no others. *)
Definition state (v : 'I_a) (s : 'I_b) : Hbar := ([ffun=> v], (ord0, s)).
Definition table := 'I_a -> 'I_b -> Q.
Implicit Types (q : table) (f : Hbar -> R) (x : seq 'I_c) (v w : seq (letter R Hbar)).

Definition is_table f q : Prop := forall k s, f (state k s) = of_Q (q k s).

Lemma stateP (g : Hbar) : g = state (g.1 ord0) g.2.2.
Proof.
case: g => cells [j s]; rewrite /state /= (ord1 j); congr (_, _).
by apply/ffunP => i; rewrite ffunE (ord1 i).
Qed.

Definition total q : Q := Qsum (ords a) (fun k => Qsum (ords b) (q k)).

Lemma sum_full f : \sum_g f g = \sum_k \sum_s f (state k s).
Proof.
rewrite (eq_bigr (fun g : Hbar => f (g.1, g.2))) => [|[]//].
rewrite -(pair_bigA _ (fun cells h => f (cells, h))) (sum_memory predT) /=.
by apply: eq_bigr => k _; rewrite sum_hidden.
Qed.

Lemma sum_table f q : is_table f q -> \sum_g f g = of_Q (total q).
Proof. move=> fq; rewrite sum_full; apply: sum_ords => k; apply: sum_ords => s; exact: fq. Qed.

Lemma mul_table f q f' q' :
  is_table f q -> is_table f' q' -> is_table (fun g => f g * f' g) (fun k s => q k s * q' k s)%coqQ.
Proof. by move=> fq fq' k s; rewrite fq fq' of_QM. Qed.

Definition init_q : table := fun k s => (cell_table T k * init_table T s)%coqQ.
Definition next_q q : table := fun k s' => Qsum (ords b) (fun s => trans_table T s' s * q k s)%coqQ.
Fixpoint beta_q (qs : seq table) : table := fun k s =>
  if qs is q :: qs then Qsum (ords b) (fun s' => trans_table T s' s * (q k s' * beta_q qs k s'))%coqQ else 1%coqQ.
Fixpoint alpha_q q (qs : seq table) : table :=
  if qs is q' :: qs then alpha_q (fun k s => next_q q k s * q' k s)%coqQ qs else q.
Definition around_q (qs qs' : seq table) : table := fun k s => (next_q (alpha_q init_q qs) k s * beta_q qs' k s)%coqQ.

Lemma init_is : is_table (init bar) init_q. Proof. by move=> k s; rewrite /= /bar_init /= ffunE of_QM. Qed.

Lemma sum_trans f k s : \sum_g trans bar g (state k s) * f g = \sum_s' of_Q (trans_table T s' s) * f (state k s').
Proof.
rewrite sum_full (bigD1 k) //= [X in _ + X]big1 ?addr0 => [|k' /negbTE neq_k].
  by apply: eq_bigr => s' _; rewrite /bar_trans eqxx mul1r.
rewrite big1 // => s' _; rewrite /bar_trans /=.
suff -> : ([ffun=> k'] == [ffun=> k] :> memory 1 A) = false by rewrite !mul0r.
by apply/negbTE/eqP => /ffunP/(_ ord0)/eqP; rewrite !ffunE neq_k.
Qed.

Lemma next_is f q : is_table f q -> is_table (next bar f) (next_q q).
Proof.
move=> fq k s'; rewrite /next sum_full (bigD1 k) //= [X in _ + X]big1 ?addr0 => [|k' /negbTE neq_k].
  by apply: sum_ords => s; rewrite /bar_trans eqxx mul1r fq of_QM.
rewrite big1 // => s _; rewrite /bar_trans /=.
suff -> : ([ffun=> k] == [ffun=> k'] :> memory 1 A) = false by rewrite !mul0r.
by apply/negbTE/eqP => /ffunP/(_ ord0)/eqP; rewrite !ffunE eq_sym neq_k.
Qed.

(** Letters that are tables. *)
Fixpoint are_tables v (qs : seq table) : Prop :=
  match v, qs with
  | [::], [::] => True
  | l :: v, q :: qs => is_table l q /\ are_tables v qs
  | _, _ => False
  end.

Lemma beta_is v qs : are_tables v qs -> is_table (beta bar v) (beta_q qs).
Proof.
elim: v qs => [|l v IH] [|q qs] //= => [_ k s|[lq /IH vq] k s]; first by rewrite of_Q1.
by rewrite sum_trans; apply: sum_ords => s'; rewrite lq vq !of_QM.
Qed.

Lemma alpha_is f q v qs : is_table f q -> are_tables v qs -> is_table (alpha bar f v) (alpha_q q qs).
Proof.
elim: v f q qs => [|l v IH] f q [|q' qs] //= fq [lq vq]; apply: IH => //.
by apply: mul_table => //; exact: next_is.
Qed.

Lemma around_is v qs w qs' : are_tables v qs -> are_tables w qs' -> is_table (around bar v w) (around_q qs qs').
Proof.
move=> vq wq; apply: mul_table; last exact: beta_is.
by apply: next_is; apply: alpha_is => //; exact: init_is.
Qed.

Definition letters_q x : seq table := map (emit_table T) x.

Lemma embed_are x : are_tables (embed bar x) (letters_q x).
Proof. by elim: x => //= z x IH; split=> // k s; rewrite /e /= /bar_emit /= ffunE. Qed.

Lemma eta_embed_are x : are_tables (eta_embed m x) (letters_q x).
Proof. by elim: x => //= z x IH; split=> // k s; rewrite /eta /= ffunE. Qed.

(** ** Probabilities *)

Lemma prob_q v qs : are_tables v qs -> prob bar v = of_Q (total (fun k s => init_q k s * beta_q qs k s)%coqQ).
Proof. move=> vq; rewrite probE; apply: sum_table; apply: mul_table; [exact: init_is | exact: beta_is]. Qed.

Lemma P_X_q x : P_X bar x = of_Q (total (fun k s => init_q k s * beta_q (letters_q x) k s)%coqQ).
Proof. exact/prob_q/embed_are. Qed.

Definition memory_q x (k : 'I_a) : Q :=
  (Qsum (ords b) (fun s => init_q k s * beta_q (letters_q x) k s) /
   total (fun k s => init_q k s * beta_q (letters_q x) k s))%coqQ.

Lemma memory_posterior_q x k : memory_posterior m ord0 x k = of_Q (memory_q x k).
Proof.
rewrite /memory_posterior /posterior -mulr_suml -/(P_X _ _) P_X_q of_Q_div; congr (_ / _).
rewrite big_mkcond sum_full (bigD1 k) //= [X in _ + X]big1 ?addr0 => [|k' /negbTE neq_k].
  apply: sum_ords => s; rewrite ffunE eqxx joint0 of_QM (init_is k s).
  by rewrite (beta_is (embed_are x)).
by rewrite big1 // => s _; rewrite ffunE neq_k.
Qed.

(** P[H_i = s, X_-i = x_-i], for x = y ++ z :: y' and i = |y| + 1. *)
Definition hidden_q (y y' : seq 'I_c) (s : 'I_b) : Q :=
  Qsum (ords a) (fun k => around_q (letters_q y) (letters_q y') k s).

Lemma masked_hidden_q y z y' h : masked_hidden m (y ++ z :: y') (size y).+1 h = of_Q (hidden_q y y' h.2).
Proof.
rewrite /masked_hidden big_mkcond sum_full; apply: sum_ords => k.
case: h => j s; rewrite (ord1 j) (bigD1 s) //= [X in _ + X]big1 ?addr0 => [|s' /negbTE neq_s].
  by rewrite eqxx masked_jointE (around_is (embed_are y) (embed_are y')).
by rewrite xpair_eqE neq_s andbF.
Qed.

(** ** Outputs *)

Definition Qnorm (r : Q) : Q := if Qle_bool 0%coqQ r then r else (- r)%coqQ.

Lemma norm_of_Q r : `|of_Q r| = of_Q (Qnorm r).
Proof.
rewrite /Qnorm -(of_Q_ge0 R); case: ifP => [r0|/negbT]; first by rewrite ger0_norm.
by rewrite -ltNge => r0; rewrite ltr0_norm // of_QN.
Qed.

Lemma phi_is f q : is_table f q -> forall k j s, phi f (k, (j, s)) = of_Q (q k s).
Proof.
move=> fq k j s; rewrite /phi expn0 divr1 (ord1 j).
by rewrite (sum_memory (pred1 k)) big_pred1_eq fq.
Qed.

Lemma sum_cell_state (F : cell_state 1 A S -> R) (q : table) :
  (forall k s, F (k, (ord0, s)) = of_Q (q k s)) -> \sum_k F k = of_Q (total q).
Proof.
move=> Fq; rewrite (eq_bigr (fun k => F (k.1, k.2))) => [|[]//].
rewrite -(pair_bigA _ (fun k h => F (k, h))); apply: sum_ords => k /=.
by rewrite sum_hidden; apply: sum_ords => s.
Qed.

Definition output_q (q : table) (z : 'I_c) : Q :=
  Qred (total (fun k s => emit_table T z k s * q k s) / total (fun k s => Qnorm (q k s)))%coqQ.

Lemma memory_Gbar_q v l w qs qs' z : are_tables v qs -> are_tables w qs' ->
  memory_Gbar m (v ++ l :: w) (size v).+1 z = of_Q (output_q (around_q qs qs') z).
Proof.
move=> vq wq; have := around_is vq wq; move: (around_q _ _) => q aq.
have tq : is_table (tau bar (v ++ l :: w) (size v).+1) q by move=> k s; rewrite tau_around aq.
rewrite /memory_Gbar /output_q of_Q_red of_Q_div; congr (_ / _).
  by apply: sum_cell_state => k s; rewrite (phi_is tq) of_QM.
by apply: sum_cell_state => k s; rewrite (phi_is tq) norm_of_Q.
Qed.

(** Behind a prompt: xhat is possible. *)
Lemma hat_are u (uq : table) x : is_table u uq -> are_tables (hat bar u (prompted x)) (uq :: letters_q x).
Proof. by move=> uu; split=> //; elim: x => //= z x IH; split=> // k s; rewrite /e /= /bar_emit /= ffunE. Qed.

Lemma P_hat_q u (uq : table) x : is_table u uq ->
  P_hat bar u (prompted x) = of_Q (total (fun k s => init_q k s * beta_q (uq :: letters_q x) k s)%coqQ).
Proof. by move=> uu; apply: prob_q; exact: hat_are. Qed.

(** Gbar_1(ehat(x)), and Gbar_i for x = y ++ z0 :: y' and i = |y| + 2. *)
Lemma Gbar_first_q u x z : memory_Gbar m (ehat m u x) 1 z = of_Q (output_q (around_q [::] (letters_q x)) z).
Proof. exact: (memory_Gbar_q u z (v := [::]) (qs := [::]) I (eta_embed_are x)). Qed.

Lemma Gbar_behind_q u (uq : table) y z0 y' z : is_table u uq -> memory_Gbar m (ehat m u (y ++ z0 :: y')) (size y).+2 z =
  of_Q (output_q (around_q (uq :: letters_q y) (letters_q y')) z).
Proof.
move=> uu; have -> : ehat m u (y ++ z0 :: y') = (u :: eta_embed m y) ++ eta (memit m z0) :: eta_embed m y'.
  by rewrite /ehat /eta_embed map_cat.
rewrite -(size_map (fun z => eta (memit m z)) y).
have tables : are_tables (u :: eta_embed m y) (uq :: letters_q y) by split=> //; exact: eta_embed_are.
exact: (memory_Gbar_q (eta (memit m z0)) z tables (eta_embed_are y')).
Qed.

(** ** Assumptions *)

Fixpoint power_q (n : nat) (s' s : 'I_b) : Q :=
  if n is k.+1 then Qsum (ords b) (fun r => trans_table T s' r * power_q k r s)%coqQ
  else if s' == s then 1%coqQ else 0%coqQ.

Lemma trans_power_q n h' h : trans_power (chain m) n h' h = of_Q (power_q n h'.2 h.2).
Proof.
elim: n h' => [|n IH] h' /=; last by rewrite sum_hidden; apply: sum_ords => s; rewrite IH of_QM.
case: h' h => [j' s'] [j s]; rewrite (ord1 j') (ord1 j) xpair_eqE eqxx /=.
by case: eqP; rewrite ?of_Q1 ?of_Q0.
Qed.

Definition positive (q : Q) : bool := ~~ Qle_bool q 0.
Definition powers_positive n : bool := all (fun s' => all (fun s => positive (power_q n s' s)) (ords b)) (ords b).

Lemma trans_power_gt0 n : powers_positive n -> forall h' h, 0 < trans_power (chain m) n h' h.
Proof. by move=> pos h' h; rewrite trans_power_q of_Q_gt0; exact: (all_ords (all_ords pos _)). Qed.

(** 3.2, where all entries of A^n and A^(n+1) are positive, *)
Lemma ergodic_of_table n : powers_positive n -> powers_positive n.+1 ->
  all (fun s => positive (init_table T s)) (ords b) -> assumption_3_2 (chain m).
Proof.
move=> /trans_power_gt0 pos_n /trans_power_gt0 pos_n1 init0.
split=> [h h'|]; first by exists n.
split=> [h d dvd|h]; last by rewrite /= of_Q_gt0; exact: (all_ords init0).
by have := dvd _ (pos_n1 h h); rewrite -addn1 dvdn_addr ?(dvd _ (pos_n h h)) // dvdn1 => /eqP.
Qed.

(** 4.4 with it, where A P[H_0] = P[H_0]. *)
Lemma stationary_of_table : all (fun s' =>
    Qeq_bool (init_table T s') (Qsum (ords b) (fun s => trans_table T s' s * init_table T s)%coqQ)) (ords b) ->
  stationary m.
Proof.
move=> eq_A h'; rewrite sum_hidden.
rewrite (sum_ords (F := fun s => trans_table T h'.2 s * init_table T s)%coqQ) => [|s]; last by rewrite of_QM.
by apply/eqP; rewrite of_Q_eqE; exact: (all_ords eq_A).
Qed.

(** 4.5 and C.5 are one assumption where there is one cell. *)
Lemma assumption_C_5_one_cell V (S' : {set S}) : assumption_4_5 m V (recoverable ord0 S') -> assumption_C_5 m V ord0 S'.
Proof.
rewrite /assumption_4_5 /assumption_C_5; set others := setX V _; set others' := _ :|: _.
suff -> : others' = others by [].
by apply/setP => -[k [j s]]; rewrite !inE /= (ord1 j) /= ?orbF.
Qed.

(** Both, from dual vectors d of the columns with values in V and states in S'. *)
Definition dot_q (d : 'I_c -> Q) (k : 'I_a) (s : 'I_b) : Q := Qsum (ords c) (fun z => d z * emit_table T z k s)%coqQ.
Definition duals (V : pred 'I_a) (S' : pred 'I_b) (d : 'I_a -> 'I_b -> 'I_c -> Q) : bool :=
  all (fun k => V k ==> all (fun s => S' s ==> all (fun k' => V k' ==> all (fun s' =>
    Qeq_bool (dot_q (d k s) k' s') (if (k' == k) && (s' == s) then 1%coqQ else 0%coqQ))
      (ords b)) (ords a)) (ords b)) (ords a).

Lemma dot_column d (f : X -> R) (k : cell_state 1 A S) : (forall z, f z = of_Q (d z)) ->
  dot f (memory_column m k) = of_Q (dot_q d k.1 k.2.2).
Proof. by move=> fd; apply: sum_ords => z; rewrite fd of_QM. Qed.

Lemma dualsP V S' d : duals V S' d -> forall k s k' s', V k -> S' s -> V k' ->
  of_Q (dot_q (d k s) k' s') = ((k' == k) && (s' == s))%:R.
Proof.
move=> /all_ords dual k s k' s' Vk Ss Vk'; apply/eqP.
have /implyP/(_ Vk)/all_ords/(_ s)/implyP/(_ Ss)/all_ords/(_ k')/implyP/(_ Vk')/all_ords/(_ s') := dual k.
by rewrite -(of_Q_eqE R) => /eqP->; case: ifP; rewrite ?of_Q1 ?of_Q0.
Qed.

Lemma separated_of_table (V : {set A}) (S' : {set S}) (V_q : pred 'I_a) (S_q : pred 'I_b) d :
  V =i V_q -> S' =i S_q -> duals V_q S_q d -> assumption_4_5 m V (recoverable ord0 S').
Proof.
move=> eq_V eq_S dual; pose f (k : cell_state 1 A S) z := of_Q (d k.1 k.2.2 z).
have f_dual i k : i \in setX V (recoverable ord0 S') -> k.1 \in V -> dot (f i) (memory_column m k) = (k == i)%:R.
  case: i k => [v [j s]] [v' [j' s']]; rewrite !inE (ord1 j) (ord1 j') /= ; rewrite eq_V eq_S => /andP[vV sS].
  rewrite eq_V (dot_column (d := d v s)) //= => v'V; have -> := dualsP dual s' vV sS v'V.
  by rewrite !xpair_eqE eqxx.
split=> [coef eq0 i iD|v [coef eq_v] [coef' eq_v'] z].
  have : dot (f i) (fun z => \sum_(k in setX V (recoverable ord0 S')) coef k * memory_column m k z) = 0.
    by apply: big1 => z _; rewrite eq0 mulr0.
  rewrite dot_sum (bigD1 i) //= f_dual // ?eqxx ?mulr1; last by move: iD; rewrite inE => /andP[].
  rewrite big1 ?addr0 // => k /andP[]; rewrite inE => /andP[kV _] /negbTE neq_k.
  by rewrite f_dual // neq_k mulr0.
rewrite eq_v; apply: big1 => i iD.
suff -> : coef i = 0 by rewrite mul0r.
have <- : dot (f i) v = coef i.
  rewrite (eq_dot (p' := f i) (frefl _) eq_v) dot_sum (bigD1 i) //= f_dual // ?eqxx ?mulr1; last first.
    by move: iD; rewrite inE => /andP[].
  rewrite big1 ?addr0 // => k /andP[]; rewrite inE => /andP[kV _] /negbTE neq_k.
  by rewrite f_dual // neq_k mulr0.
rewrite (eq_dot (p' := f i) (frefl _) eq_v') dot_sum; apply: big1 => k; rewrite inE => /andP[kV kH].
rewrite f_dual //; case: eqP => [eq_k|_]; last by rewrite mulr0.
by move: kH iD; rewrite eq_k !inE => /negP no /andP[_ yes]; case: no.
Qed.

End OneCell.
