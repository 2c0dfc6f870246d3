"""Inputs: the problem that a model and a task pose, and how a question about all inputs becomes a finite question.

Here: the functionals of a task and of a head on beta(x), comparison of a head's labels with F* along the tree of
prefixes, the reachable subspace, inputs whose masked output is 0/0, inputs near the border of two labels, exact linear
programs, and limits on the work. Not here: whether a head exists (`heads`), or what a lemma says (`lemmas`).
"""
