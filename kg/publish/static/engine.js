// The SPARQL engine in a web worker: loads the same data as the endpoint and runs one query at a time.
import init, { Store, namedNode, quad } from "./oxigraph.js";
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

const NAMES_PAGES = /pages>|:pages\b/; // the graph of pages; false positives are harmless

const NAMES_ABOUT = /void/i; // the description of the site

let loaded, whole, described;
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

/** Adds the description of the site, which only few queries are about. */
async function describe(store, { base, about }) {
  store.load(await fetched(about), { format: "text/turtle", base_iri: base, to_graph_name: namedNode(`${base}void`) });
}

/** Loads facts into their own graphs and the default graph; pages into theirs, for queries that name it. */
async function dataset(facts, { pages }) {
  const store = new Store();
  for (const each of facts.match()) {
    store.add(each);
    store.add(quad(each.subject, each.predicate, each.object));
  }
  store.load(await fetched(pages), { format: "application/n-quads", lenient: true, no_transaction: true });
  return store;
}

/** The media type and text of an answer. */
function answer(store, isUnion, site, query, wanted) {
  const { form, selectsAll, namesGraphs, depth, variables } = outline(query);
  if (depth > DEEPEST) throw new Error(`The query is nested too deeply: ${depth} levels, at most ${DEEPEST} are allowed.`);
  const isGraph = form === "CONSTRUCT" || form === "DESCRIBE";
  const type = (isGraph ? GRAPHS : TABLES)[wanted];
  if (!type) throw new Error(`This query returns a ${isGraph ? "graph. Request Turtle, N-Triples or JSON-LD" : "table. Request JSON, XML, CSV or TSV"}.`);
  const added = declarations(query, site.prefixes);
  let content;
  try {
    content = store.query(added + query, { base_iri: site.base, use_default_graph_as_union: isUnion && !namesGraphs, results_format: type });
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
    const fatal = (error) => Promise.reject(Object.assign(error, { isFatal: true }));
    const facts = await (loaded ??= load(site).catch(fatal));
    if (NAMES_ABOUT.test(query)) await (described ??= describe(facts, site).catch(fatal));
    const namesPages = NAMES_PAGES.test(query);
    const store = namesPages ? await (whole ??= dataset(facts, site).catch(fatal)) : facts;
    postMessage({ isReady: true });
    const began = performance.now();
    postMessage({ ...answer(store, !namesPages, site, query, wanted), duration: Math.round(performance.now() - began) });
  } catch (error) {
    postMessage({ problem: error.message, isFatal: error.isFatal });
  }
};
