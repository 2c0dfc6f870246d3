(** Memory-augmented HMMs, their message passing, attention heads and assumptions (section 4, appendix C).

    The memory M = (M_1, ..., M_N) is drawn once, by any joint law. H_i = (J_i, S_i) is a Markov chain: J_i is the cell
    read at position i, S_i in [S] the rest. A token is emitted by (M_{J_i}, J_i, S_i). Cells are numbered from 0,
    positions as in hmm.v. *)

From Headproof Require Import definitions.prelude definitions.hmm.

Section Memory.

Variables (R : realFieldType) (N : nat) (M S X : finType).

(** The values of M, of H_i = (J_i, S_i), of Hbar_i = (M, H_i), and the indices (m, (j, s)) of W's columns. *)
Definition memory : finType := [finType of {ffun 'I_N -> M}].
Definition hidden : finType := [finType of 'I_N * S].
Definition full : finType := [finType of memory * hidden].
Definition cell_state : finType := [finType of M * hidden].

(** P[M], P[H_0], A and W: [mtrans h' h] = A[h',h], [memit z (m,(j,s))] = P(X_i = z | M_j = m, J_i = j, S_i = s). *)
Record memory_hmm := MemoryHMM {
  memory_prob : memory -> R;
  minit : hidden -> R;
  mtrans : hidden -> hidden -> R;
  memit : X -> cell_state -> R;
  memory_prob_law : is_law memory_prob;
  minit_law : is_law minit;
  mtrans_law : forall h, is_law (fun h' => mtrans h' h);
  memit_law : forall c, is_law (fun z => memit z c) }.

Variable m : memory_hmm.

(** What emits in the state (M, (J, S)): (M_J, J, S). *)
Definition read (hbar : full) : cell_state := let: (c, (j, s)) := hbar in (c j, (j, s)).

(** P[M = c, H_0 = h_0, ..., H_t = h_t, X = x] =
    P[M = c] P[H_0 = h_0] prod_i A[h_i, h_{i-1}] W[x_i, (c_{j_i}, j_i, s_i)]. *)
Definition memory_path_prob (x : seq X) (c : memory) (h0 : hidden) (hs : seq hidden) : R :=
  memory_prob m c * minit m h0 * \prod_(1 <= i < (size x).+1)
    (mtrans m (state_at h0 hs i) (state_at h0 hs i.-1) *
     letter_at [seq (fun h => memit m z (read (c, h))) | z <- x] i (state_at h0 hs i)).

(** ** The same as one chain Hbar_i = (M, H_i), whose memory never changes *)

Definition bar_init (hbar : full) : R := memory_prob m hbar.1 * minit m hbar.2.
Definition bar_trans (hbar' hbar : full) : R := (hbar'.1 == hbar.1)%:R * mtrans m hbar'.2 hbar.2.
Definition bar_emit (z : X) (hbar : full) : R := memit m z (read hbar).

Lemma bar_init_law : is_law bar_init.
Proof.
have [p0 p1] := memory_prob_law m; have [q0 q1] := minit_law m; split=> [h|]; first exact: mulr_ge0.
rewrite -(pair_bigA _ (fun c h => memory_prob m c * minit m h)) /= -[RHS]p1.
by apply: eq_bigr => c _; rewrite -mulr_sumr q1 mulr1.
Qed.

Lemma bar_trans_law h : is_law (fun h' => bar_trans h' h).
Proof.
have [q0 q1] := mtrans_law m h.2; split=> [h'|]; first by rewrite mulr_ge0 ?ler0n.
rewrite -(pair_bigA _ (fun c g => (c == h.1)%:R * mtrans m g h.2)) /= (bigD1 h.1) //= eqxx -mulr_sumr q1 mulr1.
by rewrite big1 ?addr0 // => c /negbTE->; rewrite big1 // => g _; rewrite mul0r.
Qed.

Lemma bar_emit_law h : is_law (fun z => bar_emit z h).
Proof. exact: memit_law. Qed.

Definition hbar : hmm R full X := HMM bar_init_law bar_trans_law bar_emit_law.

(** The chain H_0, H_1, ... alone, as an HMM that emits nothing: for assumption 3.2 and stationarity. *)
Lemma unit_law (h : hidden) : is_law (fun _ : unit => 1 : R).
Proof. by split=> [_|]; [exact: ler01 | rewrite big_const card_unit /= addr0]. Qed.
Definition chain : hmm R hidden [finType of unit] := HMM (minit_law m) (mtrans_law m) unit_law.

(** ** Posteriors of the memory and of H_i *)

(** P[M_j = v | X = x]. *)
Definition memory_posterior (j : 'I_N) (x : seq X) (v : M) : R :=
  \sum_(g : full | g.1 j == v) posterior hbar (embed hbar x) 0 g.

(** P[H_i = h, X_-i = x_-i]; supp(P[H_i | X_-i = x_-i]) is where it is positive. *)
Definition masked_hidden (x : seq X) (i : nat) (h : hidden) : R :=
  \sum_(g : full | g.2 == h) masked_joint hbar x i g.

(** ** Message passing (appendix C.2): eta, phi and Gbar *)

(** eta(v)[m_1..m_N,j,s] = v[m_j,j,s]. *)
Definition eta (v : cell_state -> R) : letter R full := fun g => v (read g).

(** phi(v)[m,j,s] = |M|^-(N-1) sum of v[m_1..m_N,j,s] over the memories with m_j = m. *)
Definition phi (v : full -> R) (c : cell_state) : R :=
  let: (a, (j, s)) := c in (\sum_(cells : memory | cells j == a) v (cells, (j, s))) / (#|M| ^ N.-1)%:R.

(** Gbar_i(v) = W phi(tau_i) / ||phi(tau_i)||_1, and 0 where that norm is 0. *)
Definition memory_Gbar (v : seq (letter R full)) (i : nat) (z : X) : R :=
  dot (memit m z) (phi (tau hbar v i)) / norm1 (phi (tau hbar v i)).

(** The letters eta(e(x_i)) of a text, and ehat(x) = (u, eta(e(x_1)), ..., eta(e(x_t))). *)
Definition eta_embed (x : seq X) : seq (letter R full) := [seq eta (memit m z) | z <- x].
Definition ehat (u : letter R full) (x : seq X) : seq (letter R full) := u :: eta_embed x.

(** ** Assumptions 4.2, 4.4, 4.5, C.5. Columns W[:,(m,h)]; H* = {j*} x S* *)

Definition memory_column (c : cell_state) (z : X) : R := memit m z c.

Definition recoverable (j : 'I_N) (S' : {set S}) : {set hidden} := [set h | (h.1 == j) && (h.2 \in S')].

(** The columns of values in V and hidden states in H' are independent; their span meets that of [others] only in 0. *)
Definition separated (V : {set M}) (H' : {set hidden}) (others : {set cell_state}) : Prop :=
  independent (setX V H') memory_column /\ spans_meet_in_0 (setX V H') others memory_column.

(** 4.2, for H* = {j*} x S*. *)
Definition assumption_4_2 (j : 'I_N) (S' : {set S}) : Prop :=
  separated setT (recoverable j S') (setX setT (~: recoverable j S')).

(** P[H_0] = A P[H_0]. *)
Definition stationary : Prop := forall h', minit m h' = \sum_h mtrans m h' h * minit m h.
Definition assumption_4_4 : Prop := assumption_3_2 chain /\ stationary.

(** 4.5, for any set H* of hidden states, and M* = supp(mu). (The paper's N is 1.) *)
Definition assumption_4_5 (V : {set M}) (H' : {set hidden}) : Prop := separated V H' (setX V (~: H')).

(** C.5, for H* = {j*} x S*, and M* = supp(mu). *)
Definition assumption_C_5 (V : {set M}) (j : 'I_N) (S' : {set S}) : Prop :=
  separated V (recoverable j S')
    (setX V [set h | (h.1 == j) && (h.2 \notin S')] :|: setX setT [set h | h.1 != j]).

(** R = { x in supp(P[X]) : some i has supp(P[H_i | X_-i = x_-i]) in H* }. *)
Definition in_R (H' : {set hidden}) (x : seq X) : Prop :=
  0 < P_X hbar x /\
  exists2 i, (1 <= i <= size x)%N & forall h, 0 < masked_hidden x i h -> h \in H'.

(** ** The task and the attention head *)

Variable K : nat.

(** F*(x) = arg max_l mu_l' P[M_{j*} | X = x]. *)
Definition memory_F_star (mu : 'I_K.+1 -> M -> R) (j : 'I_N) (x : seq X) : 'I_K.+1 :=
  label (fun l => dot (mu l) (memory_posterior j x)).

(** q, Theta_K, beta_i with |H| + 1 coordinates: one for each h, and one more, [None]; Theta_V; rows b_l. *)
Record attention := Attention {
  query : option hidden -> R;
  key : option hidden -> X -> R;
  position : nat -> option hidden -> R;
  value : cell_state -> X -> R;
  rows : 'I_K.+1 -> cell_state -> R }.

Variables (a : attention) (t : nat) (g : nat -> X -> R) (emb : nat -> cell_state -> R).

(** q'(Theta_K G_i + beta_i), where g i is G_i. *)
Definition attention_score (i : nat) : R :=
  dot (query a) (fun k => dot (key a k) (g i) + position a i k).

(** I = arg max_i of the score, i = 1, ..., t, as a set of numbers i - 1. *)
Definition attended : {set 'I_t} := [set i : 'I_t | [forall k : 'I_t, attention_score k.+1 <= attention_score i.+1]].

(** V_l(G_i, e_i) = b_l'((Theta_V G_i) o e_i), where emb i is e_i. *)
Definition attention_value (l : 'I_K.+1) (i : nat) : R :=
  dot (rows a l) (fun c => dot (value a c) (g i) * emb i c).

(** Attn, one number for each label: the mean of V over I; and the label that it gives. *)
Definition attn (l : 'I_K.+1) : R := (\sum_(i in attended) attention_value l i.+1) / #|attended|%:R.
Definition attention_head : 'I_K.+1 := label attn.

End Memory.
