"""Proofs for models of every size, as derivations that the kernel replays: `headproof derive`.

terms.py and judgments.py are the language, rules.py the rules of linear algebra, theories.py the paper's objects, and
then one file for each statement. elaboration.py finds the place and the side conditions of each step.
"""
