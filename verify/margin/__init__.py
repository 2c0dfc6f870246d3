"""How strong a head is, and how weak a condition may be.

Here: by how much masked outputs may err, from which scale on softmax attends as arg max does, and the weakest condition
under which the identities of 3.3 and 3.6 can be met. Not here: whether a head exists at all (`heads`).
"""
