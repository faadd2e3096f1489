// Completion in the SPARQL editor: prefixes, classes, properties and entries of this graph, without external services.

const MOST = 60;
const AT_END = /[^\s{}()[\];,|/^]*$/; // the term being typed, without delimiters
const OPENED = /<[^<>"{}|^`\\\s]*$/;

/** The terms, loaded once: from completions.json, or else from the endpoint. */
async function terms(site) {
  if (site.completions) return (await fetch(site.completions)).json();
  const ask = async (query) => {
    const answer = await fetch(`${site.endpoint}?${new URLSearchParams({ query, format: "json" })}`);
    return answer.ok ? (await answer.json()).results.bindings.map(({ term, uses }) => [term.value, "", Number(uses.value)]) : [];
  };
  const used = (pattern) => `SELECT ?term (COUNT(*) AS ?uses) { { ${pattern} } UNION { GRAPH ?g { ${pattern} } } } GROUP BY ?term ORDER BY DESC(?uses) LIMIT 500`;
  return { classes: await ask(used("?s a ?term")), properties: await ask(used("?s ?term ?o")), things: [] };
}

/** A term in query syntax: `schema:name`, `<people/ada#it>`. */
function written(iri, { base, prefixes }) {
  for (const [prefix, namespace] of Object.entries(prefixes)) {
    if (iri.startsWith(namespace) && /^[A-Za-z_][\w-]*$/.test(iri.slice(namespace.length))) return `${prefix}:${iri.slice(namespace.length)}`;
  }
  return `<${iri.startsWith(base) ? iri.slice(base.length) : iri}>`;
}

/** Terms that start with the input first, then terms that contain it, also in their names. */
export function matching(list, typed, site) {
  const word = typed.replace(/^</, "").toLowerCase();
  const local = word.slice(word.indexOf(":") + 1);
  const rated = [];
  for (const [iri, label, uses] of list) {
    const text = written(iri, site);
    const bare = text.replace(/^<|>$/g, "").toLowerCase();
    const name = bare.slice(bare.indexOf(":") + 1);
    const begins = bare.startsWith(word) || iri.toLowerCase().startsWith(word) || (word === local && name.startsWith(word));
    if (begins || (local.length > 1 && (word === local || bare.startsWith(word.slice(0, -local.length))) && `${name} ${label}`.toLowerCase().includes(local)))
      rated.push({ text, label, uses, rank: begins ? 0 : 1 });
  }
  return rated.sort((one, other) => one.rank - other.rank || other.uses - one.uses).slice(0, MOST);
}

function typedAt(yasqe) {
  const { line, ch } = yasqe.getDoc().getCursor();
  const before = yasqe.getDoc().getLine(line).slice(0, ch);
  const string = (OPENED.exec(before) ?? AT_END.exec(before))[0];
  const after = string.startsWith("<") ? /^[^\s<>]*>?/ : /^[\w:-]*/;
  const rest = after.exec(yasqe.getDoc().getLine(line).slice(ch))[0];
  return { string, line, start: ch - string.length, end: ch + rest.length };
}

/** The completers of this site for the editor; `all` are the editor's own. */
export function completers(site, all) {
  const known = { ...all }; // replaced by ours
  let loaded;
  const load = () => (loaded ??= terms(site).catch(() => ({ classes: [], properties: [], things: [] })));
  const offered = (name, kind, isPlace) => {
    let found = [];
    return {
      name,
      bulk: false,
      autoShow: true,
      isValidCompletionPosition: (yasqe) => yasqe.getTokenAt(yasqe.getDoc().getCursor()).type !== "comment" && isPlace(yasqe, typedAt(yasqe).string),
      preProcessToken: (yasqe) => {
        const typed = typedAt(yasqe);
        return { ...typed, from: { line: typed.line, ch: typed.start }, to: { line: typed.line, ch: typed.end } };
      },
      get: async (_, token) => (found = matching((await load())[kind], token?.string ?? "", site)).map(({ text }) => text),
      postprocessHints: (_, hints) => hints.map((hint, place) => ({ ...hint, render: (item) => shown(item, found[place]) })),
    };
  };
  const inPredicate = (yasqe, typed) => typed.length > 0 && !/^[?$"']/.test(typed) && known.property.isValidCompletionPosition(yasqe);
  const inClass = (yasqe, typed) => !/^[?$"']/.test(typed) && known.class.isValidCompletionPosition(yasqe);
  const inThing = (yasqe, typed) => typed.startsWith("<") && !inClass(yasqe, typed) && !/^\s*(PREFIX|BASE)\b/i.test(yasqe.getDoc().getLine(yasqe.getDoc().getCursor().line));
  return [
    { ...known.prefixes, persistenceId: undefined, get: () => Object.entries(site.prefixes).map(([prefix, iri]) => `${prefix}: <${iri}>`).sort() },
    offered("class", "classes", inClass),
    offered("property", "properties", inPredicate),
    offered("thing", "things", inThing),
  ];
}

/** A line of the list: the term, its name and how often it is used. */
function shown(item, { text, label, uses }) {
  const note = document.createElement("small");
  note.textContent = [label, uses.toLocaleString("en")].filter(Boolean).join(" · ");
  item.append(text, " ", note);
}
