"""LaTeX as Markdown: commands of CV classes, of the file, and of nobody."""

from __future__ import annotations

import pytest

from kg.plugins.documents.tex import TexReader
from kg.plugins.exchange.source_files import NotImported


def document(body: str, preamble: str = "", name: str = "article") -> str:
    begin, end = r"\begin{document}", r"\end{document}"
    return f"\\documentclass[11pt]{{{name}}}\n{preamble}\n{begin}\n{body}\n{end}"


def read(body: str, preamble: str = "", name: str = "article") -> list[str]:
    found = TexReader({}.get, "cv.tex").read(document(body, preamble, name))
    return [line for line in found.split("\n") if line]


@pytest.mark.parametrize(
    ("written", "lines"),
    [
        (r"\section*{Work} Text", ["## Work", "Text"]),
        (r"\subsection[Short]{Long \& \emph{old}}", ["### Long & old"]),
        (r"\textbf{Lecturer} \hfill 2019 -- 2021\\ \textit{Delta} College",
         ["**Lecturer** | 2019 – 2021", "*Delta* College"]),
        (r"{\bf Lecturer, {\it Delta}} 2019", ["**Lecturer, *Delta*** 2019"]),
        (r"\begin{center}\bfseries Bold\end{center} Plain", ["**Bold**", "Plain"]),
        (r"\begin{itemize}[noitemsep]\item One % not this \item"
         "\n" r"\item[Languages] C, \texttt{Go}\begin{itemize}\item Deep\end{itemize}\end{itemize}",
         ["- One", "- **Languages:** C, Go", "  - Deep"]),
        (r"\begin{tabular*}{\textwidth}[t]{l@{\extracolsep{\fill}}r}A & B \\ C & D\end{tabular*}",
         ["A | B", "C | D"]),
        (r"\href{https://example.org/a\_b%20c}{\underline{page}} \href{mailto:h@example.org}{mail}",
         ["[page](https://example.org/a_b%20c) mail (h@example.org)"]),
        (r"\href{https://example.org}{\faGithub} \url{https://example.org/~x}",
         ["https://example.org https://example.org/~x"]),
        (r"Caf\'e, Ji\v{r}\'{\i}, \O{}re, 20\% ``so'' \`a la 1$^{st}$ C\#",
         ["Café, Jiří, Øre, 20% “so” à la 1st C#"]),
        (r"Lind$^*$ and Berg\textsuperscript{*}", [r"Lind\* and Berg\*"]),
        (r"\vspace{-2pt}A\hspace{1em}B\hspace*{\fill}C\\[2mm]D", ["AB | C", "D"]),
        (r"\textcolor{red}{A} \colorbox{x}{B} \color{blue}C", ["A B C"]),
        (r"\begin{comment}hidden\end{comment}\iffalse hidden \fi shown", ["shown"]),
        (r"\myentry{2019}{Lecturer}{Delta College} \other{text} \strange", [
            "2019 | Lecturer | Delta College", "text"]),
        (r"\marginnote{2017}Prize", ["2017 | Prize"]),
        (r"\setlength\tabcolsep{1ex}\textbf{Tools:}Hammer", ["**Tools:** Hammer"]),
        (r"\parindent=0pt \hbadness5000 \bibskip=2mm Text", ["Text"]),
        (r"\box{white}{Oslo}\bar{0.5}{blue!30}\pic{me.png}\label{a}[b] \at{2019}", ["Oslo 2019"]),
        (r"\ifthenelse{\equal{}{}}{same}{other}\ifthenelse{\NOT\isempty{a}}{, so}{}", ["same, so"]),
        (r"\subsection{Delta College}[Oslo]", ["### Delta College", "Oslo"]),
        (r"\sectionTitle{Work}{\faIcon{tie}}", ["## Work"]),
        (r"\socialinfo{\smartphone{22 00 00 00}}", ["Phone: 22 00 00 00"]),
        ("One\nline\n\nTwo", ["One line", "Two"]),
    ],
)  # fmt: skip
def test_usual_commands(written: str, lines: list[str]) -> None:
    assert [line.rstrip() for line in read(written)] == lines


def test_definitions_of_the_file_are_expanded() -> None:
    preamble = r"""
    \newcommand{\job}[3][Oslo]{\item \textbf{#2} & #3 \\ \small#1}
    \newcommand\listing{\begin{itemize}[leftmargin=1in, label={}]}
    \def\me#1{Hana #1}
    \newcommand*{\pair}[2]{#2, #1}
    \newenvironment{part}[1]{\section{#1}}{}
    """
    body = r"\me{Lind}\begin{part}{Work}\listing\job{Lecturer}{2019}\job[Bergen]{Guide}{2020}"
    assert read(body + r"\end{itemize}\end{part}\pair{a}{b}", preamble) == [
        *("Hana Lind", "## Work", "**Lecturer** | 2019", "Oslo", "**Guide** | 2020", "Bergen"),
        "b, a",
    ]


def test_commands_of_the_file_in_addresses_are_expanded() -> None:
    preamble = r"\newcommand{\email}{hana@example.org}"
    assert read(r"\href{mailto:\email}{\text{\email}}", preamble) == ["hana@example.org"]


def test_environments_of_the_file_take_options() -> None:
    preamble = r"""\newcommand{\top}[3][]{{\bf #2}\ifthenelse{\equal{#1}{}}{}{, #1} \hfill #3}
    \newenvironment{job}[3][]{\top[#1]{#2}{#3}\begin{itemize}}{\end{itemize}}"""
    body = r"\begin{job}[Guide]{Delta}{2019}\item Sand\end{job}\begin{job}{Fjord}{2020}\end{job}"
    assert read(body, preamble) == ["**Delta**, Guide | 2019", "- Sand", "**Fjord** | 2020"]


def test_a_title_that_is_not_printed_is_no_name() -> None:
    preamble = r"\title{My CV}\author{A template}"
    assert read(r"{\Huge Hana Lind}", preamble) == ["# Hana Lind"]
    assert read(r"\maketitle", preamble) == ["# A template", "My CV"]
    assert read(r"\name{} text", r"\def\name{Hana}\hypersetup{pdftitle=\name}") == ["Hana text"]


def test_classes_beside_the_document_arrange_text() -> None:
    files = {
        "own.cls": r"""\LoadClass{article} % a comment
        \definecolor{sea}{HTML}{0000FF}\def\name#1{\gdef\@name{#1}}
        \newcommand{\job}[3]{#2 & \textbf{#1}}\newcommand{\dot}[1]{\tikz\node{#1}}
        \newenvironment{jobs}{\newcommand{\at}[1]{in \emph{##1}}}{}""",
    }
    body = r"\begin{jobs}\job{Guide}{2019}{sea} \at{Oslo}\end{jobs}\dot{Sand} \frame{sea}{1}"
    reader = TexReader(files.get, "cv.tex")
    found = reader.read(document(body, r"\name{Hana}{Lind}", "own"))
    assert found == "# Hana Lind\n\n2019 | **Guide** in *Oslo*\n\nSand\n"
    assert reader.read(document(r"\works{mine.bib}")) == "\n"
    assert reader.unread == [r"\bibliography{mine.bib}"]


def test_friggeri() -> None:
    body = r"\header{Hana}{Lind}{Geologist}\entry{2019}{Lecturer}{Delta College}{Taught sand.}"
    assert read(body, name="friggeri-cv") == [
        *("# Hana Lind", "Geologist", "**Lecturer** | Delta College | 2019", "Taught sand."),
    ]


def test_large_type_at_the_top_is_the_name() -> None:
    assert read(r"\textbf{\Huge \scshape Hana Lind} \\ 47 22 \section{Work} {\Large Not}") == [
        *("# Hana Lind", "47 22", "## Work", "Not"),
    ]


def test_moderncv() -> None:
    preamble = r"""\name{Hana}{Lind}\title{Geologist}\address{Street 1}{5003 Bergen}{Norway}
    \phone[mobile]{+47~22}\email{hana@example.org}\social[github]{hlind}\photo[64pt]{me}"""
    body = r"""\makecvtitle\section{Work}
    \cventry{2019--2021}{Lecturer}{Delta College}{Oslo}{}{Taught.
    \begin{itemize}\item Sand\end{itemize}}
    \cvitem{Tools}{Hammer}\cvitem{2018}{Prize}\cvlistdoubleitem{A}{B}"""
    assert read(body, preamble, "moderncv") == [
        *("# Hana Lind", "Geologist", "Street 1 | 5003 Bergen | Norway", "Phone: +47 22"),
        *("hana@example.org", "https://github.com/hlind", "## Work"),
        *("¦ Lecturer ¦ Delta College ¦ Oslo ¦ 2019–2021 ¦", "Taught.", "- Sand"),
        *("**Tools:** Hammer", "2018 | Prize", "- A", "- B"),
    ]


def test_awesome_cv_and_altacv_have_other_orders() -> None:
    job = r"\cventry{Lecturer}{Delta College}{Oslo}{2019}{\begin{cvitems}\item{Sand}\end{cvitems}}"
    assert read(job + r"\cvskill{Tools}{Hammer}", name="awesome-cv") == [
        *("¦ Lecturer ¦ Delta College ¦ Oslo ¦ 2019", "- Sand", "**Tools:** Hammer"),
    ]
    assert read(
        r"\cvevent{Lecturer}{Delta College}{2019}{Oslo}\cvtag{A}\cvtag{B}", name="altacv"
    ) == [
        *("¦ Lecturer ¦ Delta College ¦ Oslo ¦ 2019", "A · B"),
    ]
    job = r"\begin{rSubsection}{Delta College}{2019}{Lecturer}{Oslo}\item Sand\end{rSubsection}"
    assert read(rf"\begin{{rSection}}{{WORK}}{job}\end{{rSection}}", name="resume") == [
        *("## WORK", "¦ Lecturer ¦ Delta College ¦ Oslo ¦ 2019", "- Sand"),
    ]


def test_long_arguments_are_below_their_row() -> None:
    job = rf"\cvevent{{Lecturer}}{{{'Sand ' * 40}}}{{2019}}{{Oslo}}"
    assert read(job, name="altacv")[0] == "¦ Lecturer ¦ ¦ Oslo ¦ 2019"


def test_the_class_can_be_chosen_in_another_file() -> None:
    files = {"head.tex": "\\documentclass{altacv}", "whole.tex": document("Sand")}
    body = r"\cvevent{Lecturer}{Delta College}{2019}{Oslo}"
    found = TexReader(files.get, "cv.tex").read(
        rf"\input{{head}}\begin{{document}}{body}\end{{document}}"
    )
    assert found == "¦ Lecturer ¦ Delta College ¦ Oslo ¦ 2019\n"
    assert TexReader(files.get, "cv.tex").read(r"\include{whole} \end{document}") == "Sand\n"


def test_the_two_names_can_be_in_another_file() -> None:
    files = {"head.tex": r"\familyname{Lind}\firstname{Hana}"}
    text = r"\documentclass{moderncv}\input{head}\begin{document}Sand\end{document}"
    assert TexReader(files.get, "cv.tex").read(text) == "# Hana Lind\n\nSand\n"


def test_tables_of_one_row_are_part_of_the_line() -> None:
    body = r"\begin{tabular}{l}Acme\end{tabular}\hfill\begin{tabular}{l}2019\end{tabular}\\Sand"
    assert read(body) == ["Acme | 2019", "Sand"]


def test_an_ampersand_outside_a_table_is_text() -> None:
    assert read(r"\textbf{Sand & Ice} \& Stones") == ["**Sand & Ice** & Stones"]
    assert read(r"\begin{tabular}{ll}Sand & Ice\\ \end{tabular}") == ["Sand | Ice"]


def test_arguments_that_are_compared_are_not_said_twice() -> None:
    preamble = r"\newcommand{\job}[2]{#1\ifx&#2&\else{: #2}\fi}"
    assert read(r"\job{Guide}{Sand}\par\job{Cook}{}", preamble) == ["Guide: Sand", "Cook"]


def test_names_with_a_command_of_their_own_are_kept() -> None:
    assert read(r"Chair of \SAND, and of \ICE\ and \pagenumbering{gobble}") == [
        "Chair of SAND, and of ICE and"
    ]


def test_other_files_are_read_only_from_the_imported_folder() -> None:
    files = {"cv/main.tex": "", "cv/parts/work.tex": r"\section{Work}% \input{x}", "me.tex": "Hana"}
    reader = TexReader(files.get, "cv/main.tex")
    text = document(r"\input{parts/work}\include{../me}\input{/etc/passwd}\input{../../me}")
    assert reader.read(text) == "## Work\n\nHana\n"
    assert reader.unread == [r"\input{/etc/passwd}", r"\input{../../me}"]


@pytest.mark.parametrize(
    "body",
    [
        "{" * 5_000,
        r"\textbf{" * 5_000,
        r"\newcommand{\xa}{\xa}\xa",
        r"\def\xa{\xb\xb}\def\xb{\xc\xc}\def\xc{\xd\xd}\def\xd{\xa}\xa",
        r"\input{cv}",
    ],
)
def test_endless_documents_are_refused(body: str) -> None:
    with pytest.raises(NotImported, match="nested too deeply"):
        TexReader({"cv.tex": document(body)}.get, "cv.tex").read(document(body))


@pytest.mark.sample(test=0.3)
@pytest.mark.parametrize(
    "part", ["[", "{}", "$", "\\", "\\begin{x}", "\\item[", "%", "}", "\\iffalse "]
)
@pytest.mark.slow
def test_broken_documents_are_read(part: str) -> None:
    assert "Hana" in TexReader({}.get, "cv.tex").read(document("Hana " + part * 20_000))
