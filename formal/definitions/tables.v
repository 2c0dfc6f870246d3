(** Models that are given by tables of rational numbers, P[H_0 = h], A[h',h], W[z,h]. *)

From Headproof Require Import definitions.prelude definitions.hmm proofs.refutations_numbers.

Record hmm_table (n c : nat) := HmmTable {
  init_t : 'I_n -> Q;
  trans_t : 'I_n -> 'I_n -> Q;
  emit_t : 'I_c -> 'I_n -> Q }.

(** All columns are laws. *)
Definition valid_hmm n c (T : hmm_table n c) : bool :=
  [&& Qlaw (init_t T), all (fun h => Qlaw (fun h' => trans_t T h' h)) (ords n) &
      all (fun h => Qlaw (fun z => emit_t T z h)) (ords n)].

Section Table.

Variables (R : realFieldType) (n c : nat) (T : hmm_table n c) (T_valid : valid_hmm T).
Notation H := (ordinal_finType n).
Notation X := (ordinal_finType c).

Fact init_t_law : is_law (fun h : H => of_Q R (init_t T h)).
Proof. by case/and3P: T_valid => /(law_of_Q R). Qed.
Fact trans_t_law (h : H) : is_law (fun h' : H => of_Q R (trans_t T h' h)).
Proof. by case/and3P: T_valid => _ /all_ords/(_ h)/(law_of_Q R). Qed.
Fact emit_t_law (h : H) : is_law (fun z : X => of_Q R (emit_t T z h)).
Proof. by case/and3P: T_valid => _ _ /all_ords/(_ h)/(law_of_Q R). Qed.

Definition of_hmm_table : hmm R H X := HMM init_t_law trans_t_law emit_t_law.

End Table.

(** The table of n + 1 states and c + 1 tokens in lists of numbers; a number that is not there is 0. *)
Definition table (n c : nat) (p : seq Q) (A W : seq (seq Q)) : hmm_table n.+1 c.+1 :=
  HmmTable (fun h => entry p h) (fun h' h => entry2 A h' h) (fun z h => entry2 W z h).
