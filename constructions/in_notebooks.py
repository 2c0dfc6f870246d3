"""What a notebook asks an object for, answered by its view."""

from __future__ import annotations


class InNotebooks:
    """Shows itself as tables with the names of states and tokens: in HTML, and in LaTeX where it has numbers."""

    def _repr_html_(self) -> str:
        from constructions.display import view

        return view(self)._repr_html_()

    def _repr_latex_(self) -> str | None:
        from constructions.display import view

        return view(self)._repr_latex_()
