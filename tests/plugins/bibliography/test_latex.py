"""LaTeX in bibliographies is text."""

from __future__ import annotations

import pytest

from kg.plugins.bibliography.latex import Latex, unescaped

TEXTS = {
    r"Nov{\'a}k": "Novák",
    r"Nov\'{a}k, na{\"\i}ve, {\v{S}}ik": "Novák, naïve, Šik",
    r"Erd\H{o}s, B{\i}\c{c}er, \r{A}s": "Erdős, Bıçer, Ås",
    r"{\O}stby, {\L}uk, Stra{\ss}e": "Østby, Łuk, Straße",
    r"{The} {DNA} of {{Ice}}": "The DNA of Ice",
    r"10\% \& more\_less \$5 \#1 \{x\}": "10% & more_less $5 #1 {x}",
    r"Ice~Age -- and --- more": "Ice Age – and — more",
    r"``Quoted'' isn't": "“Quoted” isn't",
    r"$\alpha$-helix, $n \leq 5$": "α-helix, n ≤5",
    r"\textit{In vivo} {\em and} \textbf{bold} H$_2$O": "In vivo and bold H2O",
    r"\href{https://example.org}{a link}": "a link",
    "two\n   lines": "two lines",
    r"At $\sqrt s =$ 13 TeV, $\sqrt{s_{NN}}$, $\sqrt{a+b}$": "At √s = 13 TeV, √sNN, √(a+b)",
    r'Zur \enquote{Region} in empirisch"=kultureller M\"uller"-Sicht': (
        "Zur “Region” in empirisch-kultureller MüllerSicht"
    ),
    'the "word"-based answer': 'the "word"-based answer',
    r"\textquoteleftpan-nerve \textemdash{} \textemdashparticularly": "‘pan-nerve — —particularly",
    r"{DISCU\SSION} of \SS": "DISCUSSION of ẞ",
}


@pytest.mark.parametrize(("written", "text"), TEXTS.items())
def test_a_text_is_decoded(written: str, text: str) -> None:
    latex = Latex(written)
    assert latex.decode() == text
    assert latex.unknown == []


def test_titles_keep_what_is_emphasised_raised_and_lowered() -> None:
    latex = Latex(r"\emph{In vivo} H$_{2}$O 10\textsuperscript{th} a_b", tags=True)
    assert latex.decode() == "<i>In vivo</i> H<sub>2</sub>O 10<sup>th</sup> a_b"


def test_unknown_commands_are_named_and_their_text_stays() -> None:
    latex = Latex(r"\strange{Ice} and \odd")
    assert latex.decode() == "Ice and"
    assert latex.unknown == ["strange", "odd"]


@pytest.mark.parametrize(
    ("written", "address"),
    [
        (r"https://example.org/a\_b\%20c", "https://example.org/a_b%20c"),
        (r"\url{https://example.org/~ada}", "https://example.org/~ada"),
        (r"https://example.org/\~{}ada", "https://example.org/~ada"),
        ("https://example.org/a_b", "https://example.org/a_b"),
    ],
)
def test_addresses_lose_only_escapes(written: str, address: str) -> None:
    assert unescaped(written) == address
