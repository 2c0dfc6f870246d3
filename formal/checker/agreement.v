(** What decides that a head computes F*, or that F* has one label (docs/certificate-format.md, section 5), and that a
    head mislabels an input (section 7). *)

From Coq Require Import QArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Headproof Require Import definitions.hmm statements.rules proofs.paths proofs.refutations_numbers.
From Headproof Require Import proofs.rules_agreement checker.tables checker.models.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with coqZ.

(** A node of a tree of words; a child for each token. *)
Inductive tree_z := SplitZ of (nat -> tree_z) | ImpossibleZ | LabelZ of nat | EqualZ.
Definition children (ts : seq tree_z) (z : nat) : tree_z := nth ImpossibleZ ts z.

Section Decided.

Variables (T : tables) (K : nat).
Notation n := (n T).
Implicit Types (f g : seq (seq Z)) (p : seq Z).

Definition step_z (z : nat) (v : seq Z) : seq Z := emitted T z v.
Definition total_label f : nat := label_of K (fun l => total n (nth [::] f l)).
Definition settles_z (l : nat) f p : bool :=
  each K.+1 (fun k => each n (fun h => (get2 f k h <=? get2 f l h)%coqZ &&
    ((l < k)%N ==> (0 <? get p h)%coqZ ==> (get2 f k h <? get2 f l h)%coqZ))).

(** g_l - g_0 is a positive multiple of f_l - f_0: that of the first entry that is not 0. *)
Definition spread f (l h : nat) : Z := (get2 f l h - get2 f 0 h)%coqZ.
Definition ratio f g : Z * Z :=
  let s := [seq (Z.abs (spread g l h), Z.abs (spread f l h)) | l <- iota 0 K.+1, h <- iota 0 n] in
  nth (1, 1)%coqZ s (find (fun ab => 0 <? ab.2)%coqZ s).
Definition equal_z f g : bool :=
  let: (a, b) := ratio f g in [&& (0 <? a)%coqZ, (0 <? b)%coqZ &
    each K.+1 (fun l => each n (fun h => b * spread g l h =? a * spread f l h)%coqZ)].

Fixpoint agree_z (root : bool) f g p (t : tree_z) : bool :=
  match t with
  | SplitZ child =>
      let f' := map (times_A T) f in let g' := map (times_A T) g in let p' := times_A T p in
      (root || ~~ (0 <? total n p)%coqZ || (total_label f == total_label g)) &&
      each (c T) (fun z => agree_z false (map (emitted T z) f') (map (emitted T z) g') (emitted T z p') (child z))
  | ImpossibleZ => each n (fun h => get p h =? 0)%coqZ
  | LabelZ l => [&& (l < K.+1)%N, settles_z l f p & settles_z l g p]
  | EqualZ => equal_z f g
  end.

Fixpoint constant_z (l : nat) (root : bool) f p (t : tree_z) : bool :=
  match t with
  | SplitZ child =>
      let f' := map (times_A T) f in let p' := times_A T p in
      (root || ~~ (0 <? total n p)%coqZ || (total_label f == l)) &&
      each (c T) (fun z => constant_z l false (map (emitted T z) f') (emitted T z p') (child z))
  | ImpossibleZ => each n (fun h => get p h =? 0)%coqZ
  | LabelZ k => (k == l) && settles_z l f p
  | EqualZ => false
  end.

Definition rows_ok (M : seq (seq Z)) : bool := size M == K.+1.
Definition agreement_z (mu b : seq (seq Z)) (w : seq Z) (t : tree_z) : bool :=
  [&& rows_ok mu, rows_ok b & agree_z true (task_z T mu) (head_z T b w) (p0 T) t].
Definition one_label_z (mu : seq (seq Z)) (l : nat) (t : tree_z) : bool :=
  [&& rows_ok mu, (l < K.+1)%N & constant_z l true (task_z T mu) (p0 T) t].
Definition labelled_z (mu : seq (seq Z)) (x : seq nat) (l : nat) : bool :=
  [&& rows_ok mu, is_input_z T x & label_z T K (task_z T mu) x == l].
Definition mislabelled_z (mu b : seq (seq Z)) (w : seq Z) (x : seq nat) : bool :=
  [&& rows_ok mu, rows_ok b, is_input_z T x & label_z T K (task_z T mu) x != label_z T K (head_z T b w) x].

Variables (R : realFieldType) (H X : finType) (m : hmm R H X).
Variables (ih : numbering H n) (ix : numbering X (c T)) (D : describes m ih ix).
Notation of_Z := (of_Z R).
Implicit Types (fr gr : 'I_K.+1 -> H -> R) (pr : H -> R) (r : R).

Definition real_label (l : nat) : 'I_K.+1 := inord l.

Lemma stepped r f fr z : size f = K.+1 -> show ih r fr f ->
  show ih (of_Z (dW T) * (of_Z (dA T) * r)) (fun l => step m z (fr l)) (map (emitted T (ix z)) (map (times_A T) f)).
Proof.
move=> size_f fE l h; rewrite /get2 !(nth_map [::]) ?size_map ?size_f ?ltn_ord //.
by apply: (emitted_shows D) => g; apply: (times_A_shows D) => g'; exact: fE.
Qed.

Lemma total_labelP r f fr : 0 < r -> show ih r fr f -> val (label (fun l => \sum_h fr l h)) = total_label f.
Proof. by move=> r0 fE; apply: (label_shows r0) => l; apply: (shows_sum ih) => h; exact: fE. Qed.

Lemma settlesP r f fr rp p pr l : 0 < r -> show ih r fr f -> 0 < rp -> shows ih rp pr p -> (l < K.+1)%N -> settles_z l f p ->
  settles (real_label l) fr pr.
Proof.
move=> r0 fE rp0 pE lt_l /(eachP (ord_numbering K)) ok k h.
have := fE (real_label l) h; rewrite inordK // => flE.
have /andP[le lt] := (eachP ih _ (ok k)) h; rewrite (shows_le r0 (fE k h) flE); split=> // lk pos.
by rewrite (shows_lt r0 (fE k h) flE); move: lt; rewrite -(shows_gt0 rp0 (pE h)) pos implyTb -[l](inordK lt_l) lk.
Qed.

Lemma spread_shows r f fr l h : show ih r fr f -> r * (fr l h - fr ord0 h) = of_Z (spread f (val l) (ih h)).
Proof. by move=> fE; apply: shows_B; [exact: fE | exact: (fE ord0)]. Qed.

Lemma equalP f fr g gr r s : 0 < r -> 0 < s -> show ih r fr f -> show ih s gr g -> equal_z f g ->
  exists2 c : R, 0 < c & forall l h, difference c fr gr l h = 0.
Proof.
rewrite /equal_z; case: (ratio f g) => a b r0 s0 fE gE /and3P[a0 b0 /(eachP (ord_numbering K)) eq_fg].
have aR : 0 < of_Z a by rewrite -of_Z0 of_Z_lt.
have bR : 0 < of_Z b by rewrite -of_Z0 of_Z_lt.
exists (of_Z a * r / (of_Z b * s)) => [|l h]; first by rewrite divr_gt0 ?mulr_gt0.
have /eqP := (eachP ih _ (eq_fg l)) h; rewrite -(of_Z_eqE R) !of_ZM -!(spread_shows _ _) // !mulrA => /eqP eq_sp.
rewrite /difference mulrAC -eq_sp mulrAC divff ?mul1r ?subrr //.
by rewrite mulf_neq0 ?lt0r_neq0.
Qed.

End Decided.
