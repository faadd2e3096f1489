// The SPARQL engine in a web worker: loads the same data as the endpoint and runs one query at a time.
import init, { Store, defaultGraph, namedNode, quad } from "./oxigraph.js";
import { declarations, outline, readable } from "./query.js";

const DEEPEST = 100; // nesting limit, as on the server; deeper queries overflow the stack, which crashes the page in some browsers
// Names as in the form; the first ones are for the page itself.
const TABLES = {
  html: "application/sparql-results+json",
  json: "application/sparql-results+json",
  csv: "text/csv",
  tsv: "text/tab-separated-values",
  xml: "application/sparql-results+xml",
};
const GRAPHS = {
  html: "application/n-triples",
  turtle: "text/turtle",
  json: "application/ld+json",
  jsonld: "application/ld+json",
  nt: "application/n-triples",
  nq: "application/n-quads",
  trig: "application/trig",
  xml: "application/rdf+xml",
  rdf: "application/rdf+xml",
};
const COLUMNS = /^(\{"head":\{"vars":)(\[[^\]]*\])/;

const COMMENT = /^[ \t]*#.*$/gm;
const NAMES_GRAPHS = /(?<![\w?$:@-])(?:GRAPH|FROM)\b/i; // false positives are harmless
const DECLARATION = /\bPREFIX\s+([\w.-]*):\s*<([^>\s]*)>/gi;
const DESCRIPTIONS = ["void", "void-ext", "sd", "dcat", "sh"]; // vocabularies of the description of the site

let loaded, whole;
const bytes = { read: 0, total: 0 };

/** The bytes at an address, uncompressed; reports how much is loaded. Some servers decompress .gz files themselves. */
async function fetched(address) {
  const answer = await fetch(address).catch((error) => ({ statusText: error.message }));
  if (!answer.ok) throw new Error(`${address} could not be loaded (${answer.status ?? ""} ${answer.statusText}).`);
  if (!answer.headers.get("content-encoding")) bytes.total += Number(answer.headers.get("content-length"));
  const counted = new TransformStream({
    transform(chunk, next) {
      bytes.read += chunk.length;
      postMessage({ ...bytes });
      next.enqueue(chunk);
    },
  });
  const found = new Uint8Array(await new Response(answer.body.pipeThrough(counted)).arrayBuffer());
  if (found[0] !== 0x1f || found[1] !== 0x8b) return found;
  const unpacked = new Blob([found]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(unpacked).arrayBuffer());
}

async function load({ engine, dump }) {
  const [code, quads] = await Promise.all([engine, dump].map(fetched));
  await init({ module_or_path: code });
  const store = new Store();
  store.load(quads, { format: "application/n-quads", lenient: true, no_transaction: true });
  return store;
}

/** Everything in named graphs, and the facts in the default graph: for queries that name graphs or are about the description. */
async function dataset(facts, { all }) {
  const store = new Store();
  store.load(await fetched(all), { format: "application/n-quads", lenient: true, no_transaction: true });
  for (const each of facts.match()) store.add(quad(each.subject, each.predicate, each.object));
  return store;
}

/** Whether a query is about the description of the site, whose terms no fact uses. */
function describes(query, prefixes) {
  const spaces = DESCRIPTIONS.map((prefix) => prefixes[prefix]);
  const names = { ...prefixes, ...Object.fromEntries([...query.matchAll(DECLARATION)].map(([, prefix, space]) => [prefix, space])) };
  const used = query.replace(DECLARATION, "");
  const isUsed = (prefix) => new RegExp(`(?<![\\w?$<])${prefix.replace(/[.-]/g, "\\$&")}:\\w`).test(used);
  return spaces.some((space) => used.includes(space)) || Object.keys(names).some((prefix) => spaces.includes(names[prefix]) && isUsed(prefix));
}

/** The graphs of a query: the union of the facts, those that it names, or also the description. */
async function viewed(query, site) {
  const fatal = (error) => Promise.reject(Object.assign(error, { isFatal: true }));
  const facts = await (loaded ??= load(site).catch(fatal));
  const text = query.replace(COMMENT, "");
  const namesGraphs = NAMES_GRAPHS.test(text);
  const isAbout = !namesGraphs && describes(text, site.prefixes);
  if (!namesGraphs && !isAbout) return { store: facts, options: { use_default_graph_as_union: true } };
  const store = await (whole ??= dataset(facts, site).catch(fatal));
  return { store, options: isAbout ? { default_graph: [defaultGraph(), namedNode(`${site.base}void`)] } : {} };
}

/** The media type and text of an answer. */
function answer({ store, options }, site, query, wanted) {
  const { form, selectsAll, depth, variables } = outline(query);
  if (depth > DEEPEST) throw new Error(`The query is nested too deeply: ${depth} levels, at most ${DEEPEST} are allowed.`);
  const isGraph = form === "CONSTRUCT" || form === "DESCRIBE";
  const type = (isGraph ? GRAPHS : TABLES)[wanted];
  if (!type) throw new Error(`This query returns a ${isGraph ? "graph. Request Turtle, N-Triples or JSON-LD" : "table. Request JSON, XML, CSV or TSV"}.`);
  const added = declarations(query, site.prefixes);
  let content;
  try {
    content = store.query(added + query, { base_iri: site.base, results_format: type, ...options });
  } catch (error) {
    if (!(error instanceof WebAssembly.RuntimeError || error instanceof RangeError)) throw new Error(readable(error.message, query, site.prefixLine, added));
    throw Object.assign(new Error(`The engine failed: ${error.message}.`), { isFatal: true });
  }
  if (selectsAll && type === TABLES.json) content = content.replace(COLUMNS, (_, head, names) => head + inOrder(JSON.parse(names), variables));
  return { type, content };
}

/** The columns of `SELECT *` in query order; the engine returns them alphabetically. */
function inOrder(names, variables) {
  return JSON.stringify(names.sort((one, other) => variables.indexOf(one) - variables.indexOf(other)));
}

onmessage = async ({ data: { site, query, wanted } }) => {
  try {
    const view = await viewed(query, site);
    postMessage({ isReady: true });
    const began = performance.now();
    postMessage({ ...answer(view, site, query, wanted), duration: Math.round(performance.now() - began) });
  } catch (error) {
    postMessage({ problem: error.message, isFatal: error.isFatal });
  }
};
