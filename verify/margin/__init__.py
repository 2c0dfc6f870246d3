"""How strong a head is.

Here: by how much masked outputs may err, and from which scale on softmax attends as arg max does. Not here: whether a
head exists at all (`heads`).
"""
