(** Rational numbers of Coq in any real field, tables of them, and models, tasks and texts that are written as such
    lists: what a page for a reader is written in. *)

From Coq Require Import QArith InitialRing.
From Headproof Require Import definitions.prelude.

Section Numbers.

Variable R : realFieldType.

(** The integer z, and the rational number q. *)
Definition of_Z (z : Z) : R := gen_phiZ 0 1 +%R *%R -%R z.
Definition of_Q (q : Q) : R := of_Z (Qnum q) / of_Z (Zpos (Qden q)).

End Numbers.

Arguments of_Z : simpl never.
Arguments of_Q : simpl never.

(** Entries of tables. *)
Definition entry (t : seq Q) (i : nat) : Q := nth 0%coqQ t i.
Definition entry2 (t : seq (seq Q)) (i j : nat) : Q := nth 0%coqQ (nth [::] t i) j.
Definition entry3 (t : seq (seq (seq Q))) (i j k : nat) : Q := nth 0%coqQ (nth [::] (nth [::] t i) j) k.

(** The numbers of a list, and those of a list of rows, in the field R; the text of a list of tokens. *)
Definition vector (R : realFieldType) (q : seq Q) n : 'I_n -> R := fun i => of_Q R (entry q i).
Definition matrix (R : realFieldType) (q : seq (seq Q)) k n : 'I_k -> 'I_n -> R := fun i j => of_Q R (entry2 q i j).
Definition text c (x : seq nat) : seq 'I_c.+1 := [seq inord z | z <- x].

(** A sum, reduced as it is computed; all of 'I_n; a law. *)
Fixpoint Qsum (T : Type) (s : seq T) (F : T -> Q) : Q := if s is t :: s then Qred (F t + Qsum s F) else 0%coqQ.
Fixpoint ords n : seq 'I_n := if n is k.+1 then ord0 :: map (lift ord0) (ords k) else [::].
Definition Qlaw n (p : 'I_n -> Q) : bool := all (fun i => Qle_bool 0 (p i)) (ords n) && Qeq_bool (Qsum (ords n) p) 1.
