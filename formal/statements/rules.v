(** The rules of docs/certificate-format.md by which a certificate decides, as statements about the same models: what
    the kernel checks implies what the certificate claims. Names of rules, nodes and fields are those of that page.

    beta is what is seen after a state, beta(z y) = A'(W[z,:] o beta(y)); [next m p] is A p. The kernel's arithmetic,
    its reading of JSON and its limits are not part of this. *)

From Headproof Require Import definitions.prelude definitions.hmm proofs.paths.

(** ** Section 2: scores are linear in beta(x) *)

Section Scores.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat).

(** An input is a word of length at least 1 that is possible. *)
Definition is_input (x : seq X) : Prop := x != [::] /\ 0 < P_X m x.

(** beta(x). *)
Definition beta_of (x : seq X) : H -> R := beta m (embed m x).

(** The label of the scores f_l' beta(x). *)
Definition label_at (f : 'I_K.+1 -> H -> R) (x : seq X) : 'I_K.+1 := label (fun l => dot (f l) (beta_of x)).

(** f_l = mu_l o p0; g_l = (W'b_l) o w, where w is p1 for a head of 3.3 and A(u o p1) for one of 3.6. *)
Definition task_rows (mu : 'I_K.+1 -> H -> R) (l : 'I_K.+1) (h : H) : R := mu l h * init m h.
Definition head_rows (b : 'I_K.+1 -> X -> R) (w : H -> R) (l : 'I_K.+1) (h : H) : R := dot (b l) (column m h) * w h.
Definition behind (u : letter R H) : H -> R := next m (fun h => P_H m 1 h * u h).

End Scores.

(** [rule 2 input] beta and Pr(y): beta(empty) = 1, beta(z y) = A'(W[z,:] o beta(y)), and Pr(y) = p0'beta(y). *)
Definition statement_rule_input : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (z : X) (y : seq X),
  [/\ forall h, beta_of m [::] h = 1,
      forall h, beta_of m (z :: y) h = \sum_g trans m g h * (emit m z g * beta_of m y g) &
      P_X m y = dot (init m) (beta_of m y)].

(** [rule 2 task] The task's label is that of the scores (mu_l o p0)'beta(x). *)
Definition statement_rule_task : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R) (x : seq X),
  0 < P_X m x -> F_star m mu x = label_at m (task_rows m mu) x.

(** [rule 2 head] The label of a head of 3.3 is that of g_l'beta(x), g_l = (W'b_l) o p1. *)
Definition statement_rule_head : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (b : 'I_K.+1 -> X -> R) (E : X) (x : seq X),
  linear_head b (G m (E :: x) 1) = label_at m (head_rows m b (P_H m 1)) x.

(** [rule 2 prompted-head] The label of a head of 3.6 behind u is that of g_l'beta(x), g_l = (W'b_l) o A(u o p1). *)
Definition statement_rule_prompted_head : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (u : letter R H) (b : 'I_K.+1 -> X -> R)
    (E : X) (x : seq X),
  is_prompt u -> linear_head b (Gbar m (u :: embed m (E :: x)) 2) = label_at m (head_rows m b (behind m u)) x.

(** ** Section 4: the assumptions of a statement *)

(** [rule 4 left-inverse] A left inverse of W shows 3.1. *)
Definition statement_rule_left_inverse : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (L : H -> X -> R),
  (forall g h, \sum_z L g z * emit m z h = (g == h)%:R) -> assumption_3_1 m.

(** [rule 4 null-vector] A vector that is not 0 and that W maps to 0 refutes it. *)
Definition statement_rule_null_vector : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (v : H -> R),
  (exists h, v h != 0) -> (forall z, \sum_h emit m z h * v h = 0) -> ~ assumption_3_1 m.

(** [rule 4 cover] B, its H*, and a left inverse of W[:,H*] show 3.5. *)
Definition statement_rule_cover : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R) (B Hstar : {set H})
    (L : H -> X -> R),
  Hstar = covered m B -> supp mu \subset Hstar ->
  (forall g h, g \in Hstar -> h \in Hstar -> \sum_z L g z * emit m z h = (g == h)%:R) -> assumption_3_5 m mu.

(** [rule 4 minor] Where W at some tokens, times d, is integers N with a determinant that is not 0 modulo p, the columns
    are independent; so it shows 3.1, and in the place of the left inverse 3.5. *)
Definition statement_rule_minor : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (D : {set H}) (z : 'I_#|D| -> X) (N : 'M[int]_#|D|)
    (d : R) (p : nat),
  (forall i j, d * emit m (z i) (enum_val j) = (N i j)%:~R) ->
  \det (map_mx intr N : 'M['F_p]_#|D|) != 0 ->
  [/\ independent D (column m), D = [set: H] -> assumption_3_1 m &
      forall (K : nat) (mu : 'I_K.+1 -> H -> R) (B : {set H}),
      D = covered m B -> supp mu \subset D -> assumption_3_5 m mu].

Section NoCover.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R).

(** A node stands for a set B; a child for one state more, that leads to h. *)
Inductive cover_tree :=
  | Cover of H & (H -> cover_tree)
  | Dependent of (H -> R).

Fixpoint no_cover (B : {set H}) (t : cover_tree) : Prop :=
  match t with
  | Cover h child => h \in supp mu /\ forall f, 0 < trans m h f -> no_cover (f |: B) (child f)
  | Dependent v =>
      [/\ exists h, v h != 0, forall z, \sum_h emit m z h * v h = 0 & forall h, v h != 0 -> h \in covered m B]
  end.

End NoCover.

(** [rule 4 no-cover] Where a tree over partial sets B ends in dependent columns throughout, no B meets 3.5. *)
Definition statement_rule_no_cover : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R) (t : cover_tree R H),
  no_cover m mu set0 t -> ~ assumption_3_5 m mu.

(** [rule 4 wielandt] The chain is irreducible and aperiodic iff every entry of A^m is > 0, m = (n-1)^2 + 1. *)
Definition statement_rule_wielandt : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X),
  irreducible m /\ aperiodic m <-> forall h' h, 0 < trans_power m (#|H|.-1 ^ 2).+1 h' h.

(** [rule 4 pattern] For that only the pattern of A matters: where A^(k+l) is > 0, by where A^k and A^l are. *)
Definition statement_rule_pattern : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (k l : nat) (h' h : H),
  (0 < trans_power m (k + l) h' h) = [exists g, (0 < trans_power m k h' g) && (0 < trans_power m l g h)].

(** ** Section 5: agreement along a tree of words, and the label that is constant *)

Section Agreement.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat).
Implicit Types (f : 'I_K.+1 -> H -> R) (p : H -> R).

(** W[z,:] o (A p). *)
Definition step (z : X) (p : H -> R) (h : H) : R := emit m z h * next m p h.

(** A node of the tree; a child stands for one token more. *)
Inductive tree :=
  | Split of (X -> tree)
  | Impossible
  | Label of 'I_K.+1
  | Equal of R.

(** Row l is nowhere less than an earlier row, and nowhere less than a later one, nor equal to it where p > 0. *)
Definition settles l f p : Prop :=
  forall k h, f k h <= f l h /\ ((l < k)%N -> 0 < p h -> f k h < f l h).

(** The rows g_l - g_0 - c (f_l - f_0), by which f and g differ up to a factor and a common term. *)
Definition difference c f (g : 'I_K.+1 -> H -> R) (l : 'I_K.+1) (h : H) : R :=
  g l h - g ord0 h - c * (f l h - f ord0 h).

(** The rules of agreement at a node with f, g, p; [root] says that its word is empty. *)
Fixpoint agree (root : bool) f (g : 'I_K.+1 -> H -> R) p (t : tree) : Prop :=
  match t with
  | Split child =>
      (~~ root -> 0 < \sum_h p h -> label (fun l => \sum_h f l h) = label (fun l => \sum_h g l h)) /\
      forall z, agree false (fun l => step z (f l)) (fun l => step z (g l)) (step z p) (child z)
  | Impossible => forall h, p h = 0
  | Label l => settles l f p /\ settles l g p
  | Equal c => 0 < c /\ forall l h, difference c f g l h = 0
  end.

(** The rules of one label, l, at a node with f, p. *)
Fixpoint constant (l : 'I_K.+1) (root : bool) f p (t : tree) : Prop :=
  match t with
  | Split child =>
      (~~ root -> 0 < \sum_h p h -> label (fun k => \sum_h f k h) = l) /\
      forall z, constant l false (fun k => step z (f k)) (step z p) (child z)
  | Impossible => forall h, p h = 0
  | Label k => k = l /\ settles l f p
  | Equal _ => False
  end.

(** Spans: U_h is spanned by the vectors basis h i, i in D h. One more token, from a state g that h leads to, maps U_g
    into U_h, and the functionals d_l vanish there, for each h at which an input can begin. *)
Definition spans_vanish (I : finType) (D : H -> {set I}) (basis : H -> I -> H -> R) (d : 'I_K.+1 -> H -> R) : Prop :=
  (forall h, in_span (D h) (basis h) (fun=> 1)) /\
  forall g h z i, 0 < trans m g h * emit m z g -> i \in D g ->
  let v1 h' := \sum_g' trans m g' h' * (emit m z g' * basis g i g') in
  in_span (D h) (basis h) v1 /\ (0 < init m h -> forall l, dot (d l) v1 = 0).

End Agreement.

(** [rule 5 step] At the node of word w the scores of the input w y are those of beta(y). *)
Definition statement_rule_step : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (f : H -> R) (z : X) (y : seq X),
  dot f (beta_of m (z :: y)) = dot (step m z f) (beta_of m y).

(** [rule 5 tree] Where a tree of words is valid, both rows of scores give one label to each input, of any length: a
    settled node speaks for all inputs that begin with its word. *)
Definition statement_rule_tree : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (f g : 'I_K.+1 -> H -> R) (t : tree R X K),
  agree m true f g (init m) t -> forall x, is_input m x -> label_at m f x = label_at m g x.

(** [rule 5 spans] Functionals that vanish on the spans vanish on beta(x), for each input x, of any length. *)
Definition statement_rule_spans : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (I : finType) (D : H -> {set I})
    (basis : H -> I -> H -> R) (d : 'I_K.+1 -> H -> R),
  spans_vanish m D basis d -> forall x, is_input m x -> forall l, dot (d l) (beta_of m x) = 0.

(** [rule 5 equal-on-spans] So where g_l - g_0 - c (f_l - f_0) vanishes on them, f and g give one label to each
    input. *)
Definition statement_rule_equal_on_spans : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (I : finType) (D : H -> {set I})
    (basis : H -> I -> H -> R) (c : R) (f g : 'I_K.+1 -> H -> R),
  0 < c -> spans_vanish m D basis (difference c f g) -> forall x, is_input m x -> label_at m f x = label_at m g x.

(** [rule 5 pivots] With a basis in reduced form, v is in the span iff v = sum_i v[pivots[i]] basis[i]. *)
Definition statement_rule_pivots : Prop :=
  forall (R : realFieldType) (H I : finType) (D : {set I}) (basis : I -> H -> R) (pivot : I -> H) (v : H -> R),
  (forall i k, i \in D -> k \in D -> basis i (pivot k) = (i == k)%:R) ->
  in_span D basis v <-> forall h, v h = \sum_(i in D) v (pivot i) * basis i h.

(** [rule 5 agreement] A head of 3.3 gives each input its label, by a tree or by spans. *)
Definition statement_rule_agreement : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R) (b : 'I_K.+1 -> X -> R),
  let f := task_rows m mu in let g := head_rows m b (P_H m 1) in
  (exists t, agree m true f g (init m) t) \/
  (exists (I : finType) (D : H -> {set I}) basis c, 0 < c /\ spans_vanish m D basis (difference c f g)) ->
  forall (E : X) (x : seq X), is_input m x -> F_star m mu x = linear_head b (G m (E :: x) 1).

(** [rule 5 prompted-agreement] So does a head of 3.6. *)
Definition statement_rule_prompted_agreement : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R)
    (u : letter R H) (b : 'I_K.+1 -> X -> R), is_prompt u ->
  let f := task_rows m mu in let g := head_rows m b (behind m u) in
  (exists t, agree m true f g (init m) t) \/
  (exists (I : finType) (D : H -> {set I}) basis c, 0 < c /\ spans_vanish m D basis (difference c f g)) ->
  forall (E : X) (x : seq X), is_input m x -> F_star m mu x = linear_head b (Gbar m (u :: embed m (E :: x)) 2).

(** [rule 5 one-label] Where a tree is valid for the one label l, with the task's rows or with scores s that differ from
    each other as the task's do on all spans, F* is l on every input. *)
Definition statement_rule_one_label : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu s : 'I_K.+1 -> H -> R) (l : 'I_K.+1)
    (t : tree R X K),
  constant m l true s (init m) t ->
  (forall k h, s k h = task_rows m mu k h) \/
  (exists (I : finType) (D : H -> {set I}) basis, spans_vanish m D basis (difference 1 (task_rows m mu) s)) ->
  forall x, is_input m x -> F_star m mu x = l.

(** ** Section 6: no head of the class exists *)

Section Constraints.

Variables (R : realFieldType) (X : finType) (K : nat) (F : seq X -> 'I_K.+1).

(** A constraint is an input x, a rival of its label F(x), and t > 0. It is strict where the rival is the larger
    label. *)
Definition constraint : eqType := [eqType of seq X * 'I_K.+1 * R].
Definition at_input (c : constraint) : seq X := c.1.1.
Definition rival (c : constraint) : 'I_K.+1 := c.1.2.
Definition weight (c : constraint) : R := c.2.
Definition strict (c : constraint) : bool := (F (at_input c) < rival c)%N.

(** Constraints on inputs of which [good] is asked; at least one of them is strict. *)
Definition constraints (good : seq X -> Prop) (cs : seq constraint) : Prop :=
  (forall c, c \in cs -> [/\ good (at_input c), rival c != F (at_input c) & 0 < weight c]) /\ has strict cs.

(** Row l of the sum of t (phi(x) in row F(x), -phi(x) in row rival). *)
Definition combination (phi : seq X -> R) (cs : seq constraint) (l : 'I_K.+1) : R :=
  \sum_(c <- cs) weight c * phi (at_input c) * ((l == F (at_input c))%:R - (l == rival c)%:R).

End Constraints.

Section Regions.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R).

(** phi(x) = W(p1 o beta(x)), and Phi(x)[z,f] = p1[f] sum_h W[z,h] A[h,f] beta(x)[h]. *)
Definition phi_3_3 (x : seq X) (z : X) : R := \sum_h emit m z h * (P_H m 1 h * beta_of m x h).
Definition phi_3_6 (x : seq X) (z : X) (f : H) : R :=
  P_H m 1 f * \sum_h emit m z h * trans m h f * beta_of m x h.

(** A region of (u, y), y_l[h] = W[:,h]'(b_l - b_0): bounds on u and allowed signs of y. *)
Record region := Region { low : H -> R; high : H -> R; plus : 'I_K.+1 -> H -> bool; minus : 'I_K.+1 -> H -> bool }.

Definition set_at (T : eqType) (V : Type) (F : T -> V) (t : T) (v : V) : T -> V := fun k => if k == t then v else F k.
Definition set_at2 (V : Type) (F : 'I_K.+1 -> H -> V) l h (v : V) : 'I_K.+1 -> H -> V := set_at F l (set_at (F l) h v).

(** The nodes of the tree of regions. [Sign] has the child of y_l[h] >= 0 first, [Halve] that of u[f] <= c. *)
Inductive region_tree :=
  | Sign of 'I_K.+1 & H & region_tree & region_tree
  | Halve of H & R & region_tree & region_tree
  | Motzkin of seq (constraint R X K) & ('I_K.+1 -> H -> H -> R).

(** The rule of a leaf, with weights S[l,h,:] of u, the parts: they represent the sum T, and what they
    give is <= 0 on the whole region. *)
Definition motzkin (r : region) (cs : seq (constraint R X K)) (parts : 'I_K.+1 -> H -> H -> R) : Prop :=
  [/\ constraints (F_star m mu) (is_input m) cs,
      forall l z f, l != ord0 ->
        combination (F_star m mu) (fun x => phi_3_6 x z f) cs l = \sum_h emit m z h * parts l h f,
      forall l h, l != ord0 -> plus r l h -> \sum_f Num.max (parts l h f * low r f) (parts l h f * high r f) <= 0 &
      forall l h, l != ord0 -> minus r l h -> \sum_f Num.max (- parts l h f * low r f) (- parts l h f * high r f) <= 0].

Fixpoint refutes (r : region) (t : region_tree) : Prop :=
  match t with
  | Sign l h t1 t2 =>
      [/\ plus r l h && minus r l h,
          refutes (Region (low r) (high r) (plus r) (set_at2 (minus r) l h false)) t1 &
          refutes (Region (low r) (high r) (set_at2 (plus r) l h false) (minus r)) t2]
  | Halve f c t1 t2 =>
      [/\ low r f < c < high r f, refutes (Region (low r) (set_at (high r) f c) (plus r) (minus r)) t1 &
          refutes (Region (set_at (low r) f c) (high r) (plus r) (minus r)) t2]
  | Motzkin cs parts => motzkin r cs parts
  end.

(** All u in [0,1]^H with u[f] = 1 (with [None]: all), and all signs. *)
Definition whole (top : option H) : region :=
  Region (fun f => if top == Some f then 1 else 0) (fun=> 1) (fun _ _ => true) (fun _ _ => true).

End Regions.

(** [rule 6 motzkin] Motzkin's rule, *no-linear-head*: where the combination of the constraints is 0, each head of 3.3
    gives another label than F* to some input. *)
Definition statement_rule_motzkin : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R)
    (cs : seq (constraint R X K)),
  constraints (F_star m mu) (is_input m) cs ->
  (forall l z, combination (F_star m mu) (fun x => phi_3_3 m x z) cs l = 0) ->
  forall (b : 'I_K.+1 -> X -> R) (E : X),
  exists2 x, is_input m x & F_star m mu x <> linear_head b (G m (E :: x) 1).

(** [rule 6 region] A tree of regions that refutes all (u, b): each head of 3.6, behind each prompt, gives another label
    than F* to some input. *)
Definition statement_rule_region : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R)
    (t : region_tree R H X K),
  refutes m mu (whole R K None) t ->
  forall (u : letter R H) (b : 'I_K.+1 -> X -> R) (E : X), is_prompt u ->
  exists2 x, is_input m x & F_star m mu x <> linear_head b (Gbar m (u :: embed m (E :: x)) 2).

(** [rule 6 largest, rule 6 zero] The same, where the root's children are: u is largest at f, for each f, and scaled
    until it is 1 there; and u = 0, where all scores are 0 and an input has another label than the last. *)
Definition statement_rule_largest : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R)
    (t : H -> region_tree R H X K) (x0 : seq X),
  (forall f, refutes m mu (whole R K (Some f)) (t f)) -> is_input m x0 -> F_star m mu x0 != ord_max ->
  forall (u : letter R H) (b : 'I_K.+1 -> X -> R) (E : X), is_prompt u ->
  exists2 x, is_input m x & F_star m mu x <> linear_head b (Gbar m (u :: embed m (E :: x)) 2).

(** ** Section 7: one head *)

(** [rule 7 mislabelled] An input to which the scores give another label than F* refutes the head. *)
Definition statement_rule_mislabelled : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R)
    (u : letter R H) (b : 'I_K.+1 -> X -> R) (E : X) (x : seq X), is_input m x ->
  (label_at m (task_rows m mu) x <> label_at m (head_rows m b (P_H m 1)) x ->
   F_star m mu x <> linear_head b (G m (E :: x) 1)) /\
  (is_prompt u -> label_at m (task_rows m mu) x <> label_at m (head_rows m b (behind m u)) x ->
   F_star m mu x <> linear_head b (Gbar m (u :: embed m (E :: x)) 2)).
