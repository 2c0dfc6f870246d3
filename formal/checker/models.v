(** Hidden Markov models by tables of integers, and what is computed of them: beta(x), the label of a text, P[H_i]. *)

From Headproof Require Import definitions.prelude definitions.hmm statements.rules proofs.paths
  proofs.refutations_numbers proofs.refutations_hmm proofs.rules_agreement checker.tables.

(** n states and c tokens; P[H_0] times d0, A times dA, W times dW. *)
Record tables := Tables {
  n : nat; c : nat;
  d0 : Z; p0 : seq Z;
  dA : Z; A : seq (seq Z);
  dW : Z; W : seq (seq Z) }.

Section Computed.

Variable T : tables.

(** A v; W[z,:] o v; A'v; beta(x), times e and the denominators of each step. *)
Definition times_A (v : seq Z) : seq Z := vec (n T) (fun i => sum (n T) (fun j => get2 (A T) i j * get v j)%coqZ).
Definition emitted (z : nat) (v : seq Z) : seq Z := vec (n T) (fun i => get2 (W T) z i * get v i)%coqZ.
Definition A_times (v : seq Z) : seq Z := vec (n T) (fun j => sum (n T) (fun i => get2 (A T) i j * get v i)%coqZ).
Fixpoint beta_z (e : Z) (x : seq nat) : seq Z := if x is z :: y then A_times (emitted z (beta_z e y)) else vec (n T) (fun=> e).

(** (W v)_z. *)
Definition W_times (v : seq Z) (z : nat) : Z := sum (n T) (fun i => get2 (W T) z i * get v i)%coqZ.

(** beta(x) times (dA dW)^L, for a text of at most L tokens. *)
Definition beta_in (L : nat) (x : seq nat) : seq Z := beta_z (Z.pow (dA T * dW T) (Z.of_nat (L - size x))) x.

Definition dot_z (n : nat) (v w : seq Z) : Z := sum n (fun i => get v i * get w i)%coqZ.

(** The rows mu_l o p0, of the task; (W'b_l) o w, of a head. *)
Definition task_z (mu : seq (seq Z)) : seq (seq Z) := [seq vec (n T) (fun i => get row i * get (p0 T) i)%coqZ | row <- mu].
Definition head_z (b : seq (seq Z)) (w : seq Z) : seq (seq Z) :=
  [seq vec (n T) (fun i => sum (c T) (fun z => get row z * get2 (W T) z i) * get w i)%coqZ | row <- b].

Definition is_input_z (x : seq nat) : bool :=
  [&& x != [::], all (fun z => (z < c T)%N) x & (0 <? dot_z (n T) (p0 T) (beta_in (size x) x))%coqZ].
(** The label of the scores f_l'v; that of a text, whose beta(x) is computed once. *)
Definition label_by K (f : seq (seq Z)) (v : seq Z) : nat := label_of K (fun l => dot_z (n T) (nth [::] f l) v).
Definition label_z K (f : seq (seq Z)) (x : seq nat) : nat := label_by K f (beta_in (size x) x).

(** P[H_1], and A(u o P[H_1]). *)
Definition first_z : seq Z := times_A (p0 T).
Definition behind_z (u : seq Z) : seq Z := times_A (vec (n T) (fun i => get first_z i * get u i)%coqZ).

End Computed.

Section Described.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X) (T : tables).
Variables (ih : numbering H (n T)) (ix : numbering X (c T)).
Notation of_Z := (of_Z R).

Record describes : Prop := Describes {
  d0_gt0 : 0 < of_Z (d0 T);
  dA_gt0 : 0 < of_Z (dA T);
  dW_gt0 : 0 < of_Z (dW T);
  init_shown : forall h, of_Z (d0 T) * init m h = of_Z (get (p0 T) (ih h));
  trans_shown : forall h' h, of_Z (dA T) * trans m h' h = of_Z (get2 (A T) (ih h') (ih h));
  emit_shown : forall z h, of_Z (dW T) * emit m z h = of_Z (get2 (W T) (ix z) (ih h)) }.

(** Vectors, and rows of vectors, times r. *)
Definition shows (r : R) (f : H -> R) (v : seq Z) : Prop := forall h, r * f h = of_Z (get v (ih h)).
Definition show (r : R) K (f : 'I_K.+1 -> H -> R) (F : seq (seq Z)) : Prop :=
  forall l h, r * f l h = of_Z (get2 F (val l) (ih h)).

Notation word := (word ix).

Hypothesis D : describes.
Let s := of_Z (dA T) * of_Z (dW T).

Lemma s_gt0 : 0 < s. Proof. by rewrite mulr_gt0 ?dA_gt0 ?dW_gt0. Qed.

Lemma times_A_shows r f v : shows r f v -> shows (of_Z (dA T) * r) (next m f) (times_A T v).
Proof.
by move=> fv h; rewrite get_vec /next; apply: (shows_sum ih) => g; apply: shows_M (fv g); exact: (trans_shown D).
Qed.

Lemma emitted_shows r f v z : shows r f v -> shows (of_Z (dW T) * r) (fun h => emit m z h * f h) (emitted T (ix z) v).
Proof. by move=> fv h; rewrite get_vec; apply: shows_M (fv h); exact: (emit_shown D). Qed.

Lemma W_times_shows r f v z : shows r f v -> of_Z (dW T) * r * (\sum_h emit m z h * f h) = of_Z (W_times T v (ix z)).
Proof. by move=> fv; apply: (shows_sum ih) => h; apply: shows_M (fv h); exact: (emit_shown D). Qed.

Lemma beta_shows r e x : r = of_Z e -> all (fun z => (z < c T)%N) x ->
  shows (s ^+ size x * r) (beta_of m (word x)) (beta_z T e x).
Proof.
move=> re; elim: x => [|z x IH] /= => [_ h|/andP[lt_z ok] h]; first by rewrite get_vec mul1r mulr1.
have -> : s ^+ (size x).+1 * r = of_Z (dA T) * (of_Z (dW T) * (s ^+ size x * r)) by rewrite exprS /s -!mulrA.
rewrite get_vec; apply: (shows_sum ih) => g; apply: shows_M; first exact: (trans_shown D).
by have := emitted_shows (item ix z) (IH ok) g; rewrite itemK.
Qed.

Lemma beta_in_shows L x : (size x <= L)%N -> all (fun z => (z < c T)%N) x ->
  shows (s ^+ L) (beta_of m (word x)) (beta_in T L x).
Proof.
move=> le ok; rewrite -(subnKC le) exprD; apply: beta_shows => //.
by rewrite addKn of_Z_pow of_ZM.
Qed.

Lemma dot_shows r r' f f' v v' : shows r f v -> shows r' f' v' -> r * r' * dot f f' = of_Z (dot_z (n T) v v').
Proof. by move=> fv fv'; apply: (shows_sum ih) => h; exact: shows_M. Qed.

Lemma is_inputP x : is_input_z T x -> is_input m (word x).
Proof.
case/and3P=> ne ok pos; split; first by case: x ne {ok pos}.
have := dot_shows (init_shown D) (beta_in_shows (leqnn _) ok).
by rewrite P_X_dot => /shows_gt0->; rewrite // mulr_gt0 ?(d0_gt0 D) // exprn_gt0 ?s_gt0.
Qed.

Lemma is_input_word x : is_input_z T x -> all (fun z => (z < c T)%N) x. Proof. by case/and3P. Qed.

Lemma label_byP r K (f : 'I_K.+1 -> H -> R) F L x : 0 < r -> show r f F -> (size x <= L)%N -> all (fun z => (z < c T)%N) x ->
  val (label_at m f (word x)) = label_by T K F (beta_in T L x).
Proof.
move=> r0 fF le_L ok; apply: (@label_shows _ (r * s ^+ L)) => [|l]; first by rewrite mulr_gt0 ?exprn_gt0 ?s_gt0.
by apply: dot_shows (beta_in_shows le_L ok) => h; exact: fF.
Qed.

Lemma label_zP r K (f : 'I_K.+1 -> H -> R) F x : 0 < r -> show r f F -> all (fun z => (z < c T)%N) x ->
  val (label_at m f (word x)) = label_z T K F x.
Proof. by move=> r0 fF; exact: label_byP r0 fF (leqnn _). Qed.

Lemma task_shows r K (mu : 'I_K.+1 -> H -> R) M : (size M = K.+1) -> show r mu M -> show (r * of_Z (d0 T)) (task_rows m mu) (task_z T M).
Proof.
move=> size_M muM l h; rewrite /get2 (nth_map [::]) ?size_M ?ltn_ord // get_vec; apply: shows_M; [exact: muM | exact: (init_shown D)].
Qed.

Lemma head_shows r K (b : 'I_K.+1 -> X -> R) r' w B V : size B = K.+1 ->
  (forall l z, r * b l z = of_Z (get2 B (val l) (ix z))) -> shows r' w V ->
  show (r * of_Z (dW T) * r') (head_rows m b w) (head_z T B V).
Proof.
move=> size_B bB wV l h; rewrite /get2 (nth_map [::]) ?size_B ?ltn_ord // get_vec; apply: shows_M; last exact: wV.
by apply: (shows_sum ix) => z; apply: shows_M; [exact: bB | exact: (emit_shown D)].
Qed.

Lemma first_shows : shows (of_Z (dA T) * of_Z (d0 T)) (P_H m 1) (first_z T).
Proof. by move=> h; rewrite P_HS (next_ext _ (P_H0 m)); apply: times_A_shows; exact: (init_shown D). Qed.

Lemma behind_shows r u U : shows r u U ->
  shows (of_Z (dA T) * (of_Z (dA T) * of_Z (d0 T) * r)) (behind m u) (behind_z T U).
Proof. by move=> uU; apply: times_A_shows => h; rewrite get_vec; apply: shows_M (uU h); exact: first_shows. Qed.

End Described.

(** ** Models on a page: lists of rational numbers *)

Section Page.

Variables (n c : nat) (p : seq Q) (A W : seq (seq Q)).

Notation table := (table n c p A W).

Definition tables_of : tables :=
  Tables n.+1 c.+1 (common p) (integers p) (common (flatten A)) (integers2 A) (common (flatten W)) (integers2 W).

Lemma page_describes (R : realFieldType) (valid : valid_hmm table) :
  describes (of_hmm_table R valid) (T := tables_of) (ord_numbering n) (ord_numbering c).
Proof. by split=> *; rewrite ?common_gt0 //= (integers_entry, integers2_entry). Qed.

End Page.
