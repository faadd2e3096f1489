// Answers a question with values in the browser, without a server: converts the values to terms, runs the query and shows the answer.
import { adapted, inWords, sentence } from "./answer-words.js";
import { drawing, series } from "./chart.js";
import { element } from "./combobox.js";
import { Catalogue } from "./finding.js";
import { local, saved, stopper } from "./local.js";
import { drawing as network, joined } from "./network.js";
import { heading, isIri, isNumber, links } from "./terms.js";
import { heatmap, timeline } from "./timeline.js";

const MOST_ROWS = 250;
const MOST_NEAR = 5;
const MOST_CITED = 65536; // characters; the sources of longer answers are those of the whole site
const MOST_OPEN = 15; // rows of a table before the rest is folded
const NUMBERS = { integer: /^[+-]?\d+$/, decimal: /^[+-]?\d*\.\d+$/, double: /^[+-]?(\d+\.?\d*|\.\d+)e[+-]?\d+$/i };
const ESCAPES = { "\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r" };
const NAMES = (schema, folder) => `SELECT ?thing ?name { { ?thing <${schema}name> ?name } UNION { ?thing <${schema}alternateName> ?name } FILTER(STRSTARTS(STR(?thing), STR(<${folder}/>)) && STRENDS(STR(?thing), "#it")) }`;

const folded = (name) => name.split(/\s+/).filter(Boolean).join(" ").toLowerCase();
const literal = (value) => `"${value.replace(/[\\"\n\r]/g, (sign) => ESCAPES[sign])}"`;

/** An invalid value of a parameter, with suggestions. */
class BadValue extends Error {
  constructor(parameter, value, why, near = []) {
    super(`${parameter.name} cannot be '${value.slice(0, 100)}': ${why}`);
    Object.assign(this, { parameter, near });
  }
}

/** The first day of a year or a month, or the day itself. */
function completed(parameter, value) {
  const day = /^\d{4}(-\d\d){0,2}$/.test(value) ? value + "-01-01".slice(value.length - 4) : "";
  const date = new Date(`${day}T00:00:00Z`);
  if (Number.isNaN(date.getTime()) || !date.toISOString().startsWith(day)) throw new BadValue(parameter, value, "it is not a date. Write one such as 2024-05: year, month or day.");
  return day;
}

/** A date, number or text as a term of the type of the placeholder. */
export function term(parameter, value, xsd) {
  if (parameter.type === "number") {
    const kind = Object.keys(NUMBERS).find((name) => NUMBERS[name].test(value));
    if (!kind) throw new BadValue(parameter, value, "it is not a number. Write one such as 12.");
    return `${literal(value)}^^<${xsd}${kind}>`;
  }
  if (parameter.type !== "date") return literal(value) + parameter.suffix;
  const day = completed(parameter, value);
  return parameter.is_text ? literal(value) : `${literal(day)}^^<${xsd}date>`;
}

/** Entries of the site by kind, from the engine: slug -> name, and name -> slugs. */
function things(ask, schema) {
  const known = new Map();
  const load = async (folder) => {
    const names = new Map();
    const slugs = new Map();
    for (const { thing, name } of JSON.parse((await ask(NAMES(schema, folder))).content).results.bindings) {
      const slug = thing.value.slice(thing.value.lastIndexOf("/") + 1, -"#it".length);
      if (!names.has(slug)) names.set(slug, name.value);
      slugs.set(folded(name.value), (slugs.get(folded(name.value)) ?? new Set()).add(slug));
    }
    return { names, slugs };
  };
  return (folder) => known.get(folder) ?? known.set(folder, load(folder)).get(folder);
}

/** The slug of the entry given by its slug, its address or its exact name. */
async function slugOf(parameter, value, base, known) {
  const { names, slugs } = await known(parameter.folder);
  const bare = value.trim().replace(/^<|>$/g, "");
  const slug = (bare.startsWith(base) ? bare.slice(base.length) : bare).replace(/#it$/, "").replace(new RegExp(`^${parameter.folder}/`), "");
  if (names.has(slug)) return slug;
  const meant = [...(slugs.get(folded(value)) ?? [])];
  if (meant.length === 1) return meant[0];
  const called = (list) => list.map((each) => [each, names.get(each)]);
  if (meant.length) throw new BadValue(parameter, value, `several entries have this name. Use one of ${meant.join(", ")}.`, called(meant));
  const { hits } = await new Catalogue(new URL("../", location.href)).find(value.replaceAll("-", " "), 200);
  const near = hits.map(({ entry }) => entry.address).filter((address) => address.startsWith(`${parameter.folder}/`)).map((address) => address.slice(parameter.folder.length + 1)).slice(0, MOST_NEAR);
  const advice = near.length ? `Did you mean ${near.join(", ")}?` : "Use a slug, an address or a name.";
  throw new BadValue(parameter, value, `unknown ${parameter.type}. ${advice}`, called(near));
}

/** The query with the given values in place of its parameters. */
async function bound(parts, given, { base, prefixes }, known, fill) {
  const parameters = parts.filter((part) => part.name);
  for (const name of given.keys()) {
    if (!parameters.some((each) => each.name === name)) throw new Error(`Unknown parameter '${name.slice(0, 50)}'. Known: ${parameters.map((each) => each.name).join(", ") || "none"}.`);
  }
  const terms = new Map();
  for (const each of parameters.filter(({ name }) => given.has(name))) {
    const value = given.get(each.name);
    if (!each.folder) {
      fill(each.name, value, value);
      terms.set(each.name, term(each, value, prefixes.xsd));
      continue;
    }
    const slug = await slugOf(each, value, base, known);
    fill(each.name, slug, (await known(each.folder)).names.get(slug));
    terms.set(each.name, `<${base}${each.folder}/${slug}#it>`);
  }
  return parts.map((part) => (part.name ? (terms.get(part.name) ?? part.present) : part)).join("");
}

/** Whether the value must not wrap, such as a date. */
const isWhole = (found, shown) => /^\S{0,12}$/.test(shown.text(found));

function cell(found, shown) {
  if (!found) return "";
  if (found.link) return element("a", { href: found.link }, found.said ?? found.value);
  const text = found.said ?? shown.text(found);
  const href = isIri(found) ? shown.href(found.value) : "";
  if (!href) return element("bdi", { lang: found["xml:lang"] ?? "" }, text);
  return element("a", { href, title: found.value, ...(shown.isOwn(found.value) ? {} : { rel: "nofollow noreferrer" }) }, text);
}

/** The table of rows, with bars if there are any; most rows of a long one are folded. */
function table(names, rows, shown, shares) {
  const numeric = names.map((name) => rows.some((row) => row[name]) && rows.every((row) => !row[name] || isNumber(row[name])));
  const head = names.map((name, at) => element("th", { scope: "col", className: numeric[at] ? "number" : "" }, shown.heads?.[name]?.[0] || heading(name)));
  const body = rows.map((row, at) => {
    const cells = names.map((name, column) => element("td", { className: numeric[column] ? "number" : isWhole(row[name], shown) ? "whole" : "" }, cell(row[name], shown)));
    if (shares) {
      const bar = element("td", { className: "bars" });
      bar.innerHTML = `<svg aria-hidden="true"><rect width="${(shares[at] * 100).toFixed(1)}%" height="100%" rx="1.5"/></svg>`;
      cells.push(bar);
    }
    return element("tr", { className: at >= MOST_OPEN ? "more" : "" }, ...cells);
  });
  if (shares) head.push(element("th", { scope: "col", className: "bars" }, element("span", { className: "vh" }, "Bar")));
  const whole = element("table", {}, element("thead", {}, element("tr", {}, ...head)), element("tbody", {}, ...body));
  const frame = element("div", { className: "wide", tabIndex: 0, ariaLabel: "Table" }, whole);
  frame.setAttribute("role", "region");
  if (rows.length <= MOST_OPEN) return frame;
  const all = element("input", { type: "checkbox", id: "all-rows", className: "vh" });
  const part = document.createDocumentFragment();
  part.append(all, frame, element("p", { className: "note" }, element("label", { htmlFor: "all-rows" }, `Show all ${rows.length}`)));
  return part;
}

/** The chart and the table of an answer. */
function pictured(wanted, names, rows, shown, across) {
  const figure = (...inside) => element("figure", { className: "pictured" }, ...inside);
  const first = rows.slice(0, MOST_ROWS);
  if (wanted === "network" && joined(names, rows, shown).edges.length) return [figure(...network(joined(names, rows, shown), shown, across)), table(names, first, shown)];
  const periods = (wanted === "timeline" && timeline(names, rows, shown.text, across)) || (wanted === "heatmap" && heatmap(names, rows, shown.text, across));
  if (periods) return [figure(periods), table(names, first, shown)];
  const measured = ["bars", ""].includes(wanted) ? series(names, rows, shown.text) : null;
  if (!measured || (measured.why && !wanted)) return [table(names, first, shown)];
  if (measured.why || measured.isOverYears) return [figure(drawing(names, rows, shown, across)), table(names, first, shown)];
  const numbers = rows.map((row) => Number(row[measured.value].value));
  return [table(names, first, shown, numbers.map((number) => number / (Math.max(...numbers) || 1)))];
}

export async function answer(place, given) {
  const { question, name, words, picture, base, prefixes, engine, dump, all } = place.dataset;
  const site = { base, prefixes: JSON.parse(prefixes), completions: "../completions.json", root: "../", loads: { engine, dump, all } };
  const [shown, here] = [links(site), local(site)];
  const form = document.querySelector("form.values");
  const found = document.getElementById("found");
  const told = element("p", { className: "hint" });
  told.setAttribute("role", "status");
  found.replaceChildren(told);
  place.hidden = false;
  document.getElementById("take")?.remove(); // its snippets are for another answer
  const stop = stopper(form, here);
  const ask = (query, wanted = "html") => here.ask(query, wanted, (words) => (told.textContent = words));
  const fill = (parameter, value, text) => {
    const sent = form.elements[parameter];
    sent.value = value;
    if (sent.type === "hidden") sent.previousElementSibling.value = text;
  };
  stop.hidden = false;
  for (const [parameter, value] of given) if (form.elements[parameter]) fill(parameter, value, value);
  try {
    const known = things(ask, site.prefixes.schema);
    const queries = [];
    for (const parts of JSON.parse(question)) queries.push(await bound(parts, given, site, known, fill)); // one after the other: each can find the same mistake
    const [query, linked, evidence] = queries; // `linked` also selects the entries to link to
    document.getElementById("query").textContent = query;
    document.getElementById("editor").href = `../sparql.html?${new URLSearchParams({ query, format: "html" })}`;
    document.title = [document.title.split(" · ")[0], ...[...form.querySelectorAll("input:not([type=hidden])")].map((field) => field.value).filter(Boolean), document.title.split(" · ").at(-1)].join(" · ");
    const { content, type } = await ask(linked);
    await shown.learn(content);
    const cited = content.length > MOST_CITED ? [] : await sources(evidence, shown, ask);
    found.replaceChildren(...(type.includes("json") ? results(JSON.parse(content), picture, shown, found.clientWidth, JSON.parse(words), form) : [element("pre", { tabIndex: 0 }, content)]), ...cited, other(type, name, query, ask));
  } catch (error) {
    place.hidden = true;
    tell(error, form, name, given);
  }
  stop.hidden = true;
}

function results({ head, results: answered, boolean }, picture, shown, across, words, form) {
  if (boolean !== undefined) return [element("p", { className: "verdict" }, boolean ? "Yes." : "No.")];
  const [names, rows] = adapted(head.vars, answered.bindings, words, shown);
  shown.heads = words.columns;
  const given = {};
  for (const field of form.querySelectorAll("input:not([type=hidden])")) {
    const name = field.name || field.nextElementSibling?.name;
    const folder = field.dataset.folder;
    if (field.value) given[name] = folder ? element("a", { href: `../${folder}/${field.nextElementSibling.value}.html` }, field.value) : inWords(field.value);
  }
  const [...parts] = rows.length ? pictured(picture, names, rows, shown, across) : [];
  return [...parts.slice(0, -1), element("p", { className: "rows" }, ...sentence(words, names, rows, given, (found) => cell(found, shown))), ...parts.slice(-1)];
}

/** The documents that an answer rests on. */
async function sources(evidence, shown, ask) {
  const rows = JSON.parse((await ask(evidence)).content).results.bindings;
  const links = new Map(rows.map(({ kgSource, kgName }) => [kgSource.value, element("a", { href: shown.href(kgSource.value) }, kgName.value)]));
  return links.size ? [element("p", { className: "note" }, "Sources: ", ...[...links.values()].flatMap((link, at) => (at ? [", ", link] : [link])), ".")] : [];
}

/** Download buttons for the answer in other formats. */
function other(type, name, query, ask) {
  const forms = type.includes("json") ? { csv: "CSV", json: "JSON", tsv: "TSV", xml: "XML" } : { turtle: "Turtle", jsonld: "JSON-LD" };
  const buttons = Object.entries(forms).map(([wanted, words]) => {
    const button = element("button", { type: "button", className: "pill" }, words);
    button.addEventListener("click", async () => {
      const { content, type: media } = await ask(query, wanted);
      saved(media, content, wanted, name);
    });
    return button;
  });
  return element("p", { className: "do" }, ...buttons);
}

/** Shows an error at its field, with suggestions. */
function tell(error, form, name, given) {
  const words = element("p", { className: "problem", textContent: error.message });
  words.setAttribute("role", "alert");
  const field = error.parameter && document.getElementById(`${name}-${error.parameter.name}`);
  field?.setAttribute("aria-invalid", "true");
  const near = (error.near ?? []).map(([slug, called]) => element("li", {}, element("a", { href: `?${new URLSearchParams({ ...Object.fromEntries(given), [error.parameter.name]: slug })}` }, called ?? slug)));
  form.append(element("div", { className: "wrong" }, words, ...(near.length ? [element("ul", { className: "inline" }, ...near)] : [])));
}
