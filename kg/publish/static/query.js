// Analyses a query and explains parser errors; mirrors the server.

const FORMS = ["SELECT", "ASK", "CONSTRUCT", "DESCRIBE"];
const BEGINS = ["FROM", "WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "OFFSET", "VALUES"]; // keywords after the columns
const KINDS = {
  space: String.raw`\s+|#[^\n\r]*`,
  string: String.raw`"""(?:[^"\\]|\\.|"(?!""))*(?:""")?|'''(?:[^'\\]|\\.|'(?!''))*(?:''')?|"(?:[^"\\\n\r]|\\.)*"?|'(?:[^'\\\n\r]|\\.)*'?`,
  iri: String.raw`<(?:[^<>"\{\}\|^\x60\\\x00-\x20]|\\u[0-9A-Fa-f]{4}|\\U[0-9A-Fa-f]{8})*>`,
  variable: String.raw`[?$][\w\x80-\u{10ffff}]+`,
  name: String.raw`(?:[A-Za-z_\x80-\u{10ffff}][\w.\x80-\u{10ffff}\-]{0,200})?:(?:[\w.:%\x80-\u{10ffff}\-]|\\.)*|@[A-Za-z][A-Za-z0-9\-]*`,
  word: String.raw`[A-Za-z_\x80-\u{10ffff}][\w\x80-\u{10ffff}\-]*`,
  number: String.raw`[0-9]+(?:\.[0-9]*)?(?:[eE][+\-]?[0-9]+)?`,
  other: String.raw`&&|\|\||.`,
};
const TOKEN = new RegExp(Object.entries(KINDS).map(([kind, pattern]) => `(?<${kind}>${pattern})`).join("|"), "gsu");

/** All tokens except spaces and comments. */
function tokens(query) {
  const found = [];
  for (const { 0: text, index: start, groups } of query.matchAll(TOKEN)) {
    if (!groups.space) found.push({ text, start, end: start + text.length, word: groups.word?.toUpperCase(), variable: groups.variable?.slice(1), prefix: groups.name?.split(":")[0] });
  }
  return found;
}

/** The maximum nesting depth of brackets. */
function depth(found) {
  let open = 0;
  let most = 0;
  for (const { text } of found) {
    if ("{([".includes(text)) most = Math.max(most, ++open);
    else if ("})]".includes(text)) open--;
  }
  return most;
}

/** The query form, whether it selects all columns, its nesting depth, and its variables in order of appearance. */
export function outline(query) {
  const found = tokens(query);
  const first = found.findIndex(({ word }) => FORMS.includes(word));
  const rest = found.findIndex(({ text, word }, at) => at > first && (text === "{" || BEGINS.includes(word)));
  const form = found[first]?.word;
  return {
    form,
    selectsAll: form === "SELECT" && found[rest - 1]?.text === "*",
    depth: depth(found),
    variables: [...new Set(found.map(({ variable }) => variable).filter(Boolean))],
  };
}

/** Declarations of the known prefixes that the query uses without declaring them. */
export function declarations(query, known) {
  const found = tokens(query);
  const own = new Set(found.filter((_, at) => found[at - 1]?.word === "PREFIX").map(({ prefix }) => prefix));
  const used = new Set(found.map(({ prefix }) => prefix).filter((prefix) => prefix && !own.has(prefix)));
  return Object.entries(known).map(([prefix, namespace]) => (used.has(prefix) ? `PREFIX ${prefix}: <${namespace}> ` : "")).join("");
}

/** Line and column of a character, from 1. */
function place(query, start) {
  const lines = query.slice(0, start).split("\n");
  return `line ${lines.length}, column ${[...lines.at(-1)].length + 1}`;
}

/**
 * The parser's message with the correct position and without the list of expected tokens. The parser reports the position after the
 * characters it compared with a keyword.
 */
export function readable(message, query, prefixLine, added = "") {
  if (added) message = message.replace(/^error at 1:(\d+)/, (_, column) => `error at 1:${Math.max(column - [...added].length, 1)}`);
  const found = /^error at (\d+):(\d+): (.*)$/s.exec(message);
  if (!found) return `The query cannot be evaluated: ${message}`;
  const before = query.split("\n").slice(0, Number(found[1]));
  before.push([...before.pop()].slice(0, Number(found[2]) - 1).join(""));
  let start = before.join("\n").length;
  if (found[3].includes("Prefix not found")) return `${place(query, start)}: the prefix just before this is not declared. Add a line such as ${prefixLine}`;
  const expected = /^expected (?:one of )?(.*)$/s.exec(found[3])?.[1];
  if (expected === undefined) return `${place(query, start)}: ${found[3].slice(0, 200)}`;
  const sentence = /(?:^|, )([A-Z][a-z]+ [^,]*)/.exec(expected)?.[1];
  if (sentence) return `${place(query, start)}: ${sentence}`;
  const keywords = [...expected.matchAll(/(?:^|, )(\w+)(?=,|$)/g)].map(([, word]) => word.length);
  if (!/"|\['/.test(expected)) start -= keywords.length ? Math.min(...keywords) : 1;
  const token = tokens(query).find(({ end }) => end > start);
  if (!token) return `${place(query, query.length)}: unexpected end of the query. Is a bracket or a quote still open?`;
  return `${place(query, token.start)}: unexpected '${token.text.split("\n")[0].slice(0, 40)}'`;
}
