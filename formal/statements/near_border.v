(** The rule of docs/certificate-format.md by which inputs near the border of F* show that no prompt and head serve
    (section 6, near-border), as a statement about the same models.

    A prompt u and a head b of two labels score x by g'beta(x), g = y o c, y = W'(b_1 - b_0), c = A(u o p1) >= 0. *)

From Headproof Require Import definitions.prelude definitions.hmm proofs.paths statements.rules.

Section NearBorder.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X) (mu : 'I_2 -> H -> R).
Variables (inputs : seq (seq X)) (first : H) (signed : {set H}) (sizes : H -> R).

(** ** Bounds on g *)

(** v o E of a list of constraints, E the sizes: v is the sum of t beta(x) where F*(x) = 1, minus that where it is 0.
    [ord_max] is the label 1. *)
Definition in_sizes (cs : seq (constraint R X 1)) (h : H) : R :=
  combination (F_star m mu) (fun x => beta_of m x h) cs ord_max * sizes h.

(** Some list of constraints has v o E = a e_first + w e_h + d, where a is within its bounds, d is 0 at the first state
    and sum |d_k| <= 1/4. *)
Definition bound (h : H) (w : R) (within : R -> bool) : Prop :=
  exists cs, [/\ constraints (F_star m mu) (fun x => x \in inputs) cs, within (in_sizes cs first) &
    \sum_(k | k != first) `|in_sizes cs k - w * (k == h)%:R| <= 4%:R^-1].

(** The bounds that the lists of each state show. *)
Definition bounds : Prop := forall h,
  if h == first then bound h 0 (fun a => 1 <= a)
  else bound h (-1) (fun a => 0 <= a <= 1) /\
    if h \in signed then bound h 4%:R (fun a => -2%:R <= a <= -1) else bound h 1 (fun a => 0 <= a <= 1).

(** ** The tree over causes *)

(** The states f that lead to j. *)
Definition leading (j : H) : {set H} := [set f | 0 < trans m j f * P_H m 1 f].

(** A node. A child of [By] stands for the cause (j, f): f gives c_j most. [Relation] has the states of its first list,
    their weights t, and the weights r h j of the second, 0 where none is listed. *)
Inductive cause_tree :=
  | By of H & (H -> cause_tree)
  | Relation of {set H} & (H -> R) & (H -> H -> R).

(** How many times |y_j| the cause (j, f) lets |y_h| be. *)
Definition most (h j f : H) : R :=
  8%:R * `|sizes h| * #|leading j|%:R * trans m j f / (`|sizes j| * trans m h f).

(** The rules at a node below the causes (j, f), [cause j = Some f]. *)
Fixpoint refutes_causes (cause : H -> option H) (tree : cause_tree) : Prop :=
  match tree with
  | By j child =>
      [/\ j \in signed, cause j = None &
          forall f, f \in leading j -> refutes_causes (set_at cause j (Some f)) (child f)]
  | Relation J t r =>
      [/\ J != set0 /\ J \subset signed,
          forall j, j \in J -> 0 < t j,
          forall h j, j \in J -> r h j != 0 -> exists2 f, cause j = Some f & 0 < trans m h f,
          forall z, \sum_(j in J) t j * Num.sg (sizes j) * emit m z j = \sum_(j in J) \sum_h r h j * emit m z h &
          forall j, j \in J -> \sum_h (if cause j is Some f then `|r h j| * most h j f else 0) < t j]
  end.

End NearBorder.

(** [rule 6 near-border] Bounds on g and a tree over causes, *near-border*: each head of 3.6 for two labels, behind each
    prompt, gives another label than F* to one of the inputs. Three of the rules are not needed for that: that the first
    state is signed, that no state has two causes, and t > 0. *)
Definition statement_rule_near_border : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (mu : 'I_2 -> H -> R) (inputs : seq (seq X)) (first : H)
    (signed : {set H}) (sizes : H -> R) (tree : cause_tree R H),
  (forall x, x \in inputs -> is_input m x) -> first \in signed -> (forall h, sizes h != 0) ->
  bounds m mu inputs first signed sizes -> refutes_causes m signed sizes (fun=> None) tree ->
  forall (u : letter R H) (b : 'I_2 -> X -> R) (E : X), is_prompt u ->
  exists x, [/\ x \in inputs, is_input m x & F_star m mu x <> linear_head b (Gbar m (u :: embed m (E :: x)) 2)].
