(** The rule of docs/certificate-format.md on how far the output that a head reads may err, for inputs of every length
    (section 13), as a statement about the same models. *)

From Headproof Require Import definitions.prelude definitions.hmm proofs.paths statements.rules.

Section Margins.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat).
Implicit Types (f g : 'I_K.+1 -> H -> R) (c p : H -> R) (l k : 'I_K.+1).

(** A node of the tree; a child stands for one token more. *)
Inductive margin_tree :=
  | MarginSplit of (X -> margin_tree)
  | MarginSkip of (X -> margin_tree)
  | MarginImpossible
  | MarginLabel of 'I_K.+1
  | MarginExcept.

(** The inputs that a tree leaves out, and the sum of p'1 over its nodes [skip] and [except]. *)
Fixpoint leaves_out (t : margin_tree) (x : seq X) : bool :=
  match t, x with
  | MarginSplit child, z :: y | MarginSkip child, z :: y => leaves_out (child z) y
  | MarginSkip _, [::] | MarginExcept, _ => true
  | _, _ => false
  end.
Fixpoint left_out p (t : margin_tree) : R :=
  match t with
  | MarginSplit child => \sum_z left_out (step m z p) (child z)
  | MarginSkip child => \sum_h p h + \sum_z left_out (step m z p) (child z)
  | MarginExcept => \sum_h p h
  | _ => 0
  end.

Variables (b : 'I_K.+1 -> X -> R) (e : R) (ties : bool).

(** b_k is another row than b_l. *)
Definition other_row l k : bool := [exists z, b l z != b k z].

(** A score that is ahead by d, of an output of the mass c, stays ahead for any error below e; that of the same row is
    never ahead, and the larger label wins. *)
Definition ahead l k (d c : R) : Prop :=
  if other_row l k then e * norm1 (fun z => b l z - b k z) * c <= d else (k < l)%N.

(** The rule for the word of a node, and that for all inputs that begin with it. *)
Definition word_bears f g c : Prop :=
  let l := label (fun k => \sum_h f k h) in
  (0 < \sum_h c h /\ forall k, k != l -> ahead l k (\sum_h (g l h - g k h)) (\sum_h c h)) \/
  [/\ ties, label (fun k => \sum_h g k h) = l &
      \sum_h c h = 0 \/ exists2 k, other_row l k & \sum_h (g l h - g k h) = 0].
Definition all_bear l f g c p : Prop :=
  [/\ settles l f p, forall h, 0 < p h -> 0 < c h & forall k h, k != l -> ahead l k (g l h - g k h) (c h)].

(** The rules at a node with f, g, c, p; [root] says that its word is empty. *)
Fixpoint margin (root : bool) f g c p (t : margin_tree) : Prop :=
  let below child := forall z,
    margin false (fun l => step m z (f l)) (fun l => step m z (g l)) (step m z c) (step m z p) (child z) in
  match t with
  | MarginSplit child => (~~ root -> 0 < \sum_h p h -> word_bears f g c) /\ below child
  | MarginSkip child => below child
  | MarginImpossible => forall h, p h = 0
  | MarginLabel l => all_bear l f g c p
  | MarginExcept => True
  end.

(** The head gives the label l, and so it does with any vector Ghat in the place of G, at a distance below e. *)
Definition bears l (G : X -> R) : Prop :=
  linear_head b G = l /\ forall Ghat : X -> R, (forall z, `|Ghat z - G z| < e) -> linear_head b Ghat = l.

(** It gives the label l, but by G = 0, or with the score of another row. *)
Definition tied l (G : X -> R) : Prop :=
  linear_head b G = l /\ ((forall z, G z = 0) \/ exists2 k, other_row l k & dot (b l) G = dot (b k) G).

(** Of the inputs, some are left out, at each length of a probability of at most q, and ties if these may be; all other
    inputs have their label, and keep it for any error below e. *)
Definition margin_claim (F : seq X -> 'I_K.+1) (G : seq X -> X -> R) (q : R) : Prop :=
  exists2 out : pred (seq X), forall n, \sum_(x : n.-tuple X | out x) P_X m x <= q &
  forall x, is_input m x -> ~~ out x -> bears (F x) (G x) \/ ties /\ tied (F x) (G x).

End Margins.

(** [rule 13 margin] Where a tree is valid, it shows the claim of a head of 3.3. *)
Definition statement_rule_margin : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R) (b : 'I_K.+1 -> X -> R)
    (e q : R) (ties : bool) (t : margin_tree X K),
  let f := task_rows m mu in let c := P_H m 1 in
  0 < e -> margin m b e ties true f (head_rows m b c) c (init m) t -> left_out m (init m) t <= q ->
  forall E : X, margin_claim m b e ties (F_star m mu) (fun x => G m (E :: x) 1) q.

(** [rule 13 prompted-margin] And that of a head of 3.6. *)
Definition statement_rule_prompted_margin : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R) (b : 'I_K.+1 -> X -> R)
    (u : letter R H) (e q : R) (ties : bool) (t : margin_tree X K), is_prompt u ->
  let f := task_rows m mu in let c := behind m u in
  0 < e -> margin m b e ties true f (head_rows m b c) c (init m) t -> left_out m (init m) t <= q ->
  forall E : X, margin_claim m b e ties (F_star m mu) (fun x => Gbar m (u :: embed m (E :: x)) 2) q.

(** q is between lo c and hi c; and q at the node of the word w, where it is [q] at the root. *)
Definition between (R : realFieldType) (H : finType) (lo hi : R) (q c : H -> R) : Prop :=
  forall h, lo * c h <= q h <= hi * c h.
Definition at_node (R : realFieldType) (H X : finType) (m : hmm R H X) (w : seq X) (q : H -> R) : H -> R :=
  foldl (fun q z => step m z q) q w.

(** [rule 13 contraction] Where A[h,f] >= r A[h',f] for all h, h', f, each token of w shrinks the range of q / c by the
    factor 1 - r^2 at least; and q'beta(w y) / c'beta(w y) is in the range at w, whatever the rest y of the input. *)
Definition statement_rule_contraction : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (r lo hi : R) (q c : H -> R) (w : seq X),
  0 <= r <= 1 -> (forall h h' f, r * trans m h' f <= trans m h f) ->
  (forall h, 0 <= c h) -> lo <= hi -> between lo hi q c ->
  exists lo' hi' : R,
    [/\ lo <= lo' /\ hi' <= hi, hi' - lo' <= (1 - r ^+ 2) ^+ size w * (hi - lo),
        between lo' hi' (at_node m w q) (at_node m w c) &
        forall y, lo' * dot c (beta_of m (w ++ y)) <= dot q (beta_of m (w ++ y)) <= hi' * dot c (beta_of m (w ++ y))].
