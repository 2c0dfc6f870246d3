"""An annex: theorems for all models of a shape, section 12; it needs nothing of the other rooms but base.

Here: polynomials, the cases of a shape, and the identities that a head must meet. Not here: models, words, labels.
"""
