(** What 3.3 and 3.6 need, from the other side: the condition under which every task has a head, one condition in the
    place of 3.2 and 4.4, and when a prompt helps.

    Terms of statements/rules.v: beta_of m x is beta(x), P[x is seen | H_0 = h] at h; is_input m x says that x is not
    empty and is possible; behind m u is A(u o P[H_1]), the law of H_2 behind the prompt u up to a factor. *)

From Headproof Require Import definitions.prelude definitions.hmm statements.rules statements.refutations.

(** ** Every task *)

Section EveryTask.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X).

(** v is in the span V of the vectors beta(x), x any input. *)
Definition in_beta_span (v : H -> R) : Prop :=
  exists terms : seq (R * seq X), (forall term, term \in terms -> is_input m term.2) /\
  forall h, v h = \sum_(term <- terms) term.1 * beta_of m term.2 h.

(** V is all of R^H. *)
Definition betas_span_all : Prop := forall v : H -> R, in_beta_span v.

(** W diag(w) is injective on V. A head reads W (w o beta(x)), where w is P[H_1], or A(u o P[H_1]) behind u. *)
Definition injective_on_betas (w : H -> R) : Prop :=
  forall v : H -> R, in_beta_span v -> (forall z, \sum_h emit m z h * (w h * v h) = 0) -> forall h, v h = 0.

(** 3.6's conclusion with one prompt u: some linear head behind u computes F*. *)
Definition prompted_head_serves (u : letter R H) (K : nat) (mu : 'I_K.+1 -> H -> R) : Prop :=
  exists b : 'I_K.+1 -> X -> R, forall (E : X) (x : seq X), 0 < P_X m x ->
  F_star m mu x = linear_head b (Gbar m (u :: embed m (E :: x)) 2).

End EveryTask.

(** [3.3:every-task] Where P[H_0] > 0, every task has a linear head iff W diag(P[H_1]) is injective on the span of the
    beta(x). Where it is not, one binary task has none: each head is wrong on some input. *)
Definition statement_every_task : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X), full_support m ->
  ((forall (K : nat) (mu : 'I_K.+1 -> H -> R), linear_head_serves m mu) <-> injective_on_betas m (P_H m 1)) /\
  (~ injective_on_betas m (P_H m 1) ->
   exists mu : H -> R, forall (b : 'I_2 -> X -> R) (E : X),
   exists2 x, is_input m x & F_star m (binary mu) x <> linear_head b (G m (E :: x) 1)).

(** [3.3:every-task-spanning] Where the beta(x) span R^H besides, every task has a linear head iff 3.1 holds and
    P[H_1] > 0. So where P[H_0], P[H_1] > 0, 3.1 is exactly what is needed for all tasks. *)
Definition statement_every_task_3_1 : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X), full_support m -> betas_span_all m ->
  (forall (K : nat) (mu : 'I_K.+1 -> H -> R), linear_head_serves m mu) <->
  (assumption_3_1 m /\ forall h, 0 < P_H m 1 h).

(** [3.6:every-task] The same behind each prompt u. So where 3.1 fails and the beta(x) span R^H, no one prompt serves
    all tasks. *)
Definition statement_every_task_prompted : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (u : letter R H), full_support m -> is_prompt u ->
  [/\ (forall (K : nat) (mu : 'I_K.+1 -> H -> R), prompted_head_serves m u mu) <->
        injective_on_betas m (behind m u),
      ~ injective_on_betas m (behind m u) ->
        exists mu : H -> R, forall (b : 'I_2 -> X -> R) (E : X),
        exists2 x, is_input m x & F_star m (binary mu) x <> linear_head b (Gbar m (u :: embed m (E :: x)) 2) &
      betas_span_all m -> ~ assumption_3_1 m ->
        exists mu : H -> R, forall (b : 'I_2 -> X -> R) (E : X),
        exists2 x, is_input m x & F_star m (binary mu) x <> linear_head b (Gbar m (u :: embed m (E :: x)) 2)].

(** ** One condition in the place of 3.2 and 4.4 *)

(** H_1 can be in every state in which H_0 can be: supp(P[H_0]) in supp(P[H_1]). (4.6 and C.6 from [first_reaches], the
    same of a model with a memory, are in memory.v, and 4.3 needs neither.) *)
Definition start_reached (R : realFieldType) (H X : finType) (m : hmm R H X) : Prop :=
  forall h, 0 < init m h -> 0 < P_H m 1 h.

(** [3.3:start-reached] 3.1 and supp(P[H_0]) in supp(P[H_1]) give a linear head. Of 3.1 it needs only that where mu and
    P[H_0] are not 0 a column of W is in no span of the other columns of supp(P[H_1]). *)
Definition statement_3_3_start_reached : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R),
  start_reached m ->
  (forall h, h \in supp mu -> 0 < init m h -> coloop [set g | 0 < P_H m 1 g] (column m) h) ->
  linear_head_serves m mu.

(** [3.3:regular] 3.3 with supp(P[H_0]) in supp(P[H_1]) in the place of 3.2. *)
Definition statement_3_3_regular : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R),
  assumption_3_1 m -> start_reached m -> linear_head_serves m mu.

(** [3.6:possible-B] 3.6 needs nothing of 3.2 if the states of B in 3.5 are possible at H_1. *)
Definition statement_3_6_regular : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (mu : 'I_K.+1 -> H -> R)
    (Hstar B : {set H}),
  independent Hstar (column m) -> supp mu \subset Hstar -> Hstar = covered m B ->
  (forall h, h \in B -> 0 < P_H m 1 h) ->
  exists2 u : letter R H, is_prompt u & prompted_head_serves m u mu.

(** [3.3:start-reached-given] 3.2 gives supp(P[H_0]) in supp(P[H_1]), and so does a stationary start. *)
Definition statement_start_reached : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X),
  (assumption_3_2 m -> start_reached m) /\
  ((forall h', init m h' = \sum_h trans m h' h * init m h) -> start_reached m).

(** ** When a prompt helps *)

Section Prompts.

Variables (R : realFieldType) (H X : finType) (m : hmm R H X).

(** (W'b) o A(u o P[H_1]) = r (mu o P[H_0]) with r > 0: behind u the scores of b are r times those of the task. *)
Definition prompt_identity (u : letter R H) (b : X -> R) (mu : H -> R) : Prop :=
  exists2 r : R, 0 < r & forall h, dot b (column m h) * behind m u h = r * (mu h * init m h).

(** [inverse] is A^-1. *)
Definition is_inverse (inverse : H -> H -> R) : Prop :=
  forall g h, \sum_f inverse g f * trans m f h = (g == h)%:R /\ \sum_f trans m g f * inverse f h = (g == h)%:R.

End Prompts.

(** [3.6:identity] Where the identity holds, b behind u computes F* on every input. *)
Definition statement_prompt_identity : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (u : letter R H) (b : X -> R) (mu : H -> R),
  is_prompt u -> prompt_identity m u b mu -> prompted_head_serves m u (binary mu).

(** [3.6:prompt-from-head] Where supp(mu) is H, A has an inverse and P[H_0], P[H_1] > 0, the identity is solvable behind
    some prompt iff some b has W_h'b of the sign of mu_h for all h, and A^-1 ((mu o P[H_0]) / (W'b)) >= 0. *)
Definition statement_prompt_from_head : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (mu : H -> R) (inverse : H -> H -> R),
  full_support m -> (forall h, 0 < P_H m 1 h) -> (forall h, mu h != 0) -> is_inverse m inverse ->
  (exists (u : letter R H) (b : X -> R), is_prompt u /\ prompt_identity m u b mu) <->
  exists b : X -> R, (forall h, 0 < mu h * dot b (column m h)) /\
    forall g, 0 <= \sum_h inverse g h * (mu h * init m h / dot b (column m h)).

(** [3.6:near-identity] Where P[H_0] > 0 and supp(mu) is H, the identity of b behind a prompt asks that W_h'b have the
    sign of mu_h for all h, and near A = I nothing else: if it has, there is an eps > 0 such that on each model with
    this W and P[H_0] whose A differs by at most eps from I in each entry, the identity holds of b behind some prompt. *)
Definition statement_prompt_near_identity : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (b : X -> R) (mu : H -> R),
  full_support m -> (forall h, mu h != 0) ->
  ((exists2 u : letter R H, is_prompt u & prompt_identity m u b mu) -> forall h, 0 < mu h * dot b (column m h)) /\
  ((forall h, 0 < mu h * dot b (column m h)) -> exists2 eps : R, 0 < eps &
   forall n : hmm R H X, init n =1 init m -> (forall z, emit n z =1 emit m z) ->
   (forall g h, `|trans n g h - (g == h)%:R| <= eps) ->
   exists2 u : letter R H, is_prompt u & prompt_identity n u b mu).

(** [3.6:beyond] On some model with 3.2 and a stationary start 3.5 fails and no linear head serves, yet one serves
    behind a prompt. *)
Definition statement_prompt_beyond_3_5 : Prop :=
  forall R : realFieldType, exists (H X : finType) (m : hmm R H X) (mu : H -> R),
  [/\ assumption_3_2 m /\ (forall h', init m h' = \sum_h trans m h' h * init m h),
      ~ assumption_3_5 m (binary mu),
      ~ linear_head_serves m (binary mu) &
      exists2 u : letter R H, is_prompt u & prompted_head_serves m u (binary mu)].

(** [3.6:constant-prompt] With a stationary start a constant prompt > 0 changes no label. *)
Definition statement_constant_prompt : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X) (K : nat) (b : 'I_K.+1 -> X -> R) (c : R) (E : X)
    (x : seq X),
  (forall h', init m h' = \sum_h trans m h' h * init m h) -> 0 < c <= 1 ->
  linear_head b (Gbar m ((fun=> c) :: embed m (E :: x)) 2) = linear_head b (G m (E :: x) 1).

(** ** Generic models *)

(** [3.3:few-tokens] With P[H_0] > 0 and fewer tokens than states, the tasks for which some b makes 3.3's identity
    (W'b) o P[H_1] = mu o P[H_0] true lie in one hyperplane d'mu = 0. *)
Definition statement_few_tokens : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X),
  (#|X| < #|H|)%N -> full_support m ->
  exists2 d : H -> R, (exists h, d h != 0) &
  forall (mu : H -> R) (b : X -> R), (forall h, dot b (column m h) * P_H m 1 h = mu h * init m h) -> dot d mu = 0.

(** [3.3:minor] 3.1 holds iff some minor of W of order |H| is not 0. *)
Definition statement_3_1_minor : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X),
  assumption_3_1 m <->
  exists z : 'I_#|H| -> X, \det (\matrix_(i, j) emit m (z i) (enum_val j)) != 0.

(** [3.3:positive-entries] 3.2 holds where neither A nor P[H_0] has a 0. *)
Definition statement_positive_entries : Prop :=
  forall (R : realFieldType) (H X : finType) (m : hmm R H X),
  (forall h' h, 0 < trans m h' h) -> full_support m -> assumption_3_2 m.

(** ** Whether a head exists is as hard as emptiness of probabilistic automata *)

Section Automata.

Variables (R : realFieldType) (Q L : finType).

(** [amove a q' q]: the automaton in q moves to q' when it reads the letter a. *)
Record automaton := Automaton {
  astart : Q;
  accepting : {set Q};
  amove : L -> Q -> Q -> R;
  amove_law : forall a q, is_law (fun q' => amove a q' q) }.

Variable a : automaton.

(** The probability that the automaton accepts w, from q. *)
Fixpoint acceptance (w : seq L) (q : Q) : R :=
  if w is l :: w then \sum_q' amove a l q' q * acceptance w q' else (q \in accepting a)%:R.

(** Places: [Reader q l] has just read l, or nothing; q is the automaton's state, or [None] for the rival, who has none.
    [Side true] sends the automaton, [Side false] the rival; [End true] is accepted. *)
Definition place : finType := [finType of option Q * option L + bool + (bool + unit)].
Definition Reader (q : option Q) (l : option L) : place := inl (inl (q, l)).
Definition Side (automatic : bool) : place := inl (inr automatic).
Definition End (accepted : bool) : place := inr (inl accepted).
Definition Hub : place := inr (inr tt).

(** Tokens: the letters, $ for no letter yet; # and ! for the two ends; o for both sides and z for the hub. *)
Definition token : finType := [finType of option L + bool + bool].
Definition token_at (p : place) : token :=
  match p with
  | inl (inl (_, l)) => inl (inl l)
  | inl (inr _) => inr true
  | inr (inl accepted) => inl (inr accepted)
  | inr (inr _) => inr false
  end.

(** The mean of F at the place after p. A reader reads one more letter with probability 1/2, each letter alike, and
    ends otherwise: the automaton at # iff it accepts, the rival at # with 1/4. *)
Definition mean_after (F : place -> R) (p : place) : R :=
  match p with
  | inl (inl (Some q, _)) =>
      ((\sum_l \sum_q' amove a l q' q * F (Reader (Some q') (Some l))) / #|L|%:R + F (End (q \in accepting a))) / 2%:R
  | inl (inl (None, _)) =>
      ((\sum_l F (Reader None (Some l))) / #|L|%:R + (F (End true) * (1 / 4%:R) + F (End false) * (3%:R / 4%:R))) / 2%:R
  | inl (inr automatic) => F (Reader (if automatic then Some (astart a) else None) None)
  | inr (inl _) => F Hub
  | inr (inr _) => (F (Side true) + F (Side false)) / 2%:R
  end.

(** The states of m stand at places, of which they emit the tokens, and between which they move so: all places, or those
    that can be reached. *)
Definition built_on (H : finType) (m : hmm R H token) (at_place : H -> place) : Prop :=
  (forall z h, emit m z h = (z == token_at (at_place h))%:R) /\
  forall F h, \sum_h' trans m h' h * F (at_place h') = mean_after F (at_place h).

(** mu is -1 / P(H_0 = s) at s and 2 / P(H_0 = r) at r. *)
Definition automaton_task (H : finType) (m : hmm R H token) (s r : H) (h : H) : R :=
  2%:R * (h == r)%:R / init m r - (h == s)%:R / init m s.

End Automata.

(** [3.3:automata, 3.6:automata] On a model that is built on an automaton, with any start that has s on the automaton's
    side and r on the rival's: a linear head computes the task iff the automaton accepts no word with probability above
    1/2; and so does one behind some prompt. *)
Definition statement_automata : Prop :=
  forall (R : realFieldType) (Q L : finType) (a : automaton R Q L) (H : finType) (m : hmm R H (token L))
    (at_place : H -> place Q L) (s r : H),
  (0 < #|L|)%N -> built_on a m at_place ->
  at_place s = Side Q L true -> at_place r = Side Q L false -> 0 < init m s -> 0 < init m r ->
  let mu := binary (automaton_task m s r) in
  (linear_head_serves m mu <-> forall w, acceptance a w (astart a) <= 1 / 2%:R) /\
  ((exists2 u : letter R H, is_prompt u & prompted_head_serves m u mu) <->
   forall w, acceptance a w (astart a) <= 1 / 2%:R).

(** [3.3:automata-built] Each automaton has a model built on it, with any start. *)
Definition statement_automata_built : Prop :=
  forall (R : realFieldType) (Q L : finType) (a : automaton R Q L) (p : place Q L -> R),
  (0 < #|L|)%N -> is_law p -> exists2 m : hmm R (place Q L) (token L), built_on a m id & init m = p.

(** [3.3:automata-stationary] Each automaton has a model built on it that meets 3.2 and has a stationary start. *)
Definition statement_automata_stationary : Prop :=
  forall (R : realFieldType) (Q L : finType) (a : automaton R Q L), (0 < #|L|)%N ->
  exists (H : finType) (m : hmm R H (token L)) (at_place : H -> place Q L) (s r : H),
  [/\ built_on a m at_place, at_place s = Side Q L true, at_place r = Side Q L false &
      assumption_3_2 m /\ forall h', init m h' = \sum_h trans m h' h * init m h].
