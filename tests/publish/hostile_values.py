"""Values that mean harm, by what they would do, for fields of every kind.

`zqx` is in nearly all of them and nowhere else: an element, an attribute, an address or a file that
has it in its name came from a value.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, get_args, get_origin

from pydantic import StringConstraints

from kg.facts.values.references import Reference

MARK = "zqx"
# What it would do -> values; all of a kind are one text, where a field takes any text.
HARM: dict[str, tuple[str, ...]] = {
    "markup": (
        "zqx</title></textarea></style></script><script>zqx()</script>",
        "zqx<img src=zqx onerror=zqx()><svg/onload=zqx()><zqx-a onzqx=zqx()>",
        "zqx<!-- --> ]]><zqx-b/> <![CDATA[ <?zqx ?> &zqx; &lt;zqx-c&gt; &#60;zqx-c&#62;",
    ),
    "tags that nobody knows": ("zqx <zqx-d onzqx=zqx()></zqx-d> </zqx-e> <zqx:f zqx='1'/>",),
    "attributes": ("zqx\" onzqx=\"zqx()\" x='' onzqx='zqx()' ` onzqx=zqx() `",),
    "templates": ("zqx {{7*7}} {% raw %} ${zqx} #{zqx} <%= zqx %> %s %(zqx)s {0.__class__} {}",),
    "scripts as addresses": (
        "javascript:zqx()",
        "JaVa\tScRiPt:zqx()",
        "data:text/html,<zqx-g>",
        "data:image/svg+xml,<svg onload=zqx()>",
        "vbscript:zqx()",
        "javascript://zqx.example/%0azqx()",
        "https:javascript:zqx()",
        "blob:https://zqx.example/zqx",
    ),
    "addresses that break out": (
        'https://zqx.example/"onzqx="zqx()',
        "https://zqx.example/'onzqx='zqx()",
        "https://zqx.example/><zqx-h>",
        "https://zqx.example/>; rel=zqx, <https://zqx.example/",
        "https://zqx.example/#'),(zqx;onzqx=`zqx()`",
        "https://zqx.example/\\zqx",
        "https://zqx.example/zqx zqx",
        "https://zqx.example/\nZqx: zqx",
        "https://zqx.example/\u2028zqx",
        "https://zqx.example/\u202egnp.zqx\u202c",
        "https://zqx.example/\u061czqx",
        "https://zqx.example/{zqx}",
        "https://example.org@zqx.example/",
        "https://ada:zqx@zqx.example/",
        "https://[zqx/",
        "https://zqx.example:zqx/",
        "//zqx.example/",
        "\\\\zqx.example\\",
        "file:///zqx",
        "http:///zqx",
    ),
    "addresses that fit": (
        "https://zqx.example/'-zqx()-'?a=1&amp;b=&lt;zqx-i&gt;&copy=1#'onzqx='zqx()",
        "https://zqx.example/%22%3E%3Czqx-j%3E%0d%0aZqx:%20zqx",
        "https://zqx.example/(zqx)*zqx*_zqx_~zqx~!$&',;=/",
    ),
    "Markdown": (
        "zqx [zqx](javascript:zqx()) [zqx](data:text/html,zqx) [z](java\tscript:zqx())",
        "zqx ![zqx](https://zqx.example/zqx.png) <javascript:zqx()> [zqx]",
        "zqx **zqx** `zqx` *zqx\n\n[zqx]: javascript:zqx()\n\n# zqx\n\n| zqx |\n|---|\n\n---",
        "zqx\n\n<details ontoggle=zqx()>\n\n    zqx\n\n> zqx\n\n- zqx\n1. zqx",
    ),
    "Turtle": (
        'zqx" . <http://zqx.example/s> <http://zqx.example/p> "zqx',
        'zqx""" \'\'\' \\" \\u003czqx\\u003e \\ @zqx ^^<http://zqx.example/t> . # zqx',
    ),
    "queries": ("zqx\" } UNION { ?s ?p ?o } # ' } ; DROP ALL ; INSERT DATA { } ?zqx $zqx",),
    "lines": (
        "zqx\nSet-Cookie: zqx=1\nZqx: 1\n\n<zqx-k>",
        "zqx\nEND:VCARD\nZQX:1\nBEGIN:VCARD\n@zqx{zqx,\n zqx = {zqx}}\n---\nzqx: 1",
        "zqx\x85zqx\u2028zqx\u2029zqx\tzqx",
    ),
    "columns": ('zqx","zqx","zqx', "zqx\tzqx;zqx|zqx,zqx", "zqx} } , zqx = {zqx} @zqx{zqx"),
    "formulas": ('=HYPERLINK("https://zqx.example/";"zqx")', "+zqx", "-zqx", "@zqx", "\t=zqx"),
    "directions": (
        "zqx \u202egnp.zqx\u202c \u2067zqx\u2069 \u200f\u200e\u061c",
        "\u202ezqx \u2066\u2067\u2068\u202a\u202b\u202d zqx",  # none of them is closed
    ),
    "letters that look alike": (
        "zqx Аdа Lоvеlасе \u200bzqx\u00ad\u2060\ufeff ｚｑｘ 𝐳𝐪𝐱 zqx\u0301\u0302\u0303",
    ),
    "paths": (
        "../../../zqx",
        "..\\..\\..\\zqx",
        "/zqx/../../zqx",
        "%2e%2e%2fzqx",
        "static/../../zqx.pdf",
        "../zqx.png",
        ".htaccess zqx",
        "C:\\zqx",
        "zqx/../../people/zqx",
        "people/../zqx",
        "people/zqx/../../..",
        "~/zqx",
        "zqx.html.",
        "-zqx",
        "con.zqx",
        "zqx:$DATA",
        "zqx%00.pdf",
        "file.zqx.js/../zqx.pdf",
    ),
    "control characters": (
        "zqx\r\nSet-Cookie: zqx=1",
        "zqx\x9b31mzqx\x9d0;zqx\x9c",
        "zqx\x1b]0;zqx\x07",
        "zqx\x00.png",
        "zqx\x08\x0b\x0c",
        "\x01javascript:zqx()",
    ),
    "numbers": ("٣", "１２", "1٣", "1e9", "NaN", "-0", "0x1f", "1_000", "1,5", "9" * 40, "1\n"),
    "dates": (
        "２０１９",
        "201٩",
        "2019-02-30",
        "2019-01-01T00:00:00Z",
        "2019\n",
        "0000",
        "2019-13",
        "2019/zqx",
        "summer 201٩",
        "2019-01-01\u202e",
    ),
    "identifiers": (
        '10.1234/zqx"><zqx-l>',
        "10.1234/zqx'onzqx='zqx()",
        "10.1234/zqx&lt;zqx-m&gt;?zqx#zqx",
        "10.1٣34/zqx",
        "10.1234/../../zqx",
        "10.1234/zqx\u202e",
        "https://doi.org/10.1234/zqx<zqx-n>",
        "https://doi.org/javascript:zqx()",
        "0000-0002-1825-009٧",
        "٠٠٠٠-٠٠٠٢-١٨٢٥-٠٠٩٧",
        "٩٧٨٣١٦١٤٨٤١٠٠",
        "1987.0123٤",
        "PMC١٩٨٧",
        "1٩٨٧",
        "05gq0298٧",
        "zqx-1987'onzqx='zqx()",
        "CC-BY-٤.٠",
        "../zqx",
        "zqx\u0430",
    ),
    "mail": (
        "ada?bcc=zqx@zqx.example",
        "ada&bcc=zqx@zqx.example",
        "ada#zqx@zqx.example",
        "ada%0d%0aBcc:zqx@zqx.example",
        "ada@zqx.example?bcc=zqx@zqx.example",
        "ada@zqx.example,zqx@zqx.example",
        '"zqx"@zqx.example',
        "zqx'onzqx='zqx()@zqx.example",
        "<zqx@zqx.example>",
        "ada@zqx.example\nBcc: zqx@zqx.example",
        "zqx\u202e@zqx.example",
        "javascript:zqx@zqx.example",
    ),
    "handles": (
        "@zqx@zqx.example/../zqx",
        "@zqx@zqx.example@zqx.example",
        "zqx/../../zqx",
        "zqx?next=javascript:zqx()",
        "zqx#'onzqx='zqx()",
        "zqx@javascript:zqx",
        "@zqx:zqx.example",
        "{host}",
    ),
    "language tags": ('en-zqx"onzqx', "zqx><zqx-o>", "en-x-zqx", "en_zqx", "\u0435n", "EN-zqx\n"),
}

NEVER = "control characters"  # which no field takes
# For the quick form: all in one, what prose takes of it, and values that fit other kinds of fields.
EVERYTHING = " ".join(" ".join(HARM[harm]) for harm in HARM if harm != NEVER)
PROSE = " ".join(
    " ".join(HARM[harm])
    for harm in ("tags that nobody knows", "attributes", "templates", "Turtle", "directions")
)
FITTING = (
    EVERYTHING,
    PROSE,
    "10.1234/zqx'onzqx='zqx()",
    *HARM["addresses that fit"],
    "ada?bcc=zqx@zqx.example",
    "en-x-zqx",
)

# Kinds of fields: what checks their values, or the class of these -> the harm that is made for it.
# A kind that is not here has no values.
MADE_FOR: dict[str, str] = {
    **dict.fromkeys(("str", "Any", "Words", "Text", "in_languages"), "markup"),
    **dict.fromkeys(("check_prose",), "Markdown"),
    **dict.fromkeys(("check_title",), "tags that nobody knows"),
    **dict.fromkeys(("WebAddress", "check_license", "check_base"), "addresses that break out"),
    **dict.fromkeys(("check_file", "check_picture"), "paths"),
    **dict.fromkeys(("check_slug", "check_id", "former", "check_address"), "paths"),
    **dict.fromkeys(("When", "check_date", "check_year"), "dates"),
    **dict.fromkeys(("Decimal", "int", "bool", "check_number", "check_count"), "numbers"),
    **dict.fromkeys(("check_doi", "check_arxiv", "check_isbn", "check_ror"), "identifiers"),
    **dict.fromkeys(("check_pmid", "check_pmcid", "check_orcid"), "identifiers"),
    **dict.fromkeys(("check_identifiers", "check_numbers"), "identifiers"),
    **dict.fromkeys(("check_tag", "Tagged", "other_name"), "language tags"),
    **dict.fromkeys(("Reference", "Literal"), "letters that look alike"),
}
# Kinds that say how values are written, and groups of fields that are not published.
SHAPES = ("listed", "NoneType", "JoinedSite", "Sync")


def kinds_in(annotation: Any, metadata: Any = ()) -> Iterator[str]:
    """The kinds of values that a field takes."""
    for mark in metadata:
        if func := getattr(mark, "func", None):
            yield func.__name__
        elif isinstance(mark, StringConstraints):
            yield "Text"
    if hasattr(annotation, "__metadata__"):
        yield from kinds_in(annotation.__origin__, annotation.__metadata__)
    elif get_origin(annotation) is Literal:
        yield "Literal"
    elif arguments := get_args(annotation):
        for each in arguments:
            yield from kinds_in(each)
    elif isinstance(annotation, type) and issubclass(annotation, Reference):
        yield "Reference"
    elif annotation is not None:
        yield getattr(annotation, "__name__", str(annotation))
