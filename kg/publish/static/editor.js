// Turns the plain query form into a SPARQL editor, with the same addresses and answers.
import { completers } from "./completion.js";
import { chart } from "./chart.js";
import { local, saved, stopper } from "./local.js";
import { network } from "./network.js";
import { links, table } from "./terms.js";
import { tools } from "./snippets.js";

const { Yasqe, Yasr } = window.Yasgui;
const form = document.querySelector("form.ask");
const plain = form.elements.query;
const { engine, dump, all } = form.dataset;
const site = {
  base: form.dataset.base,
  prefixes: JSON.parse(form.dataset.prefixes),
  completions: form.dataset.completions,
  endpoint: new URL(form.getAttribute("action"), location.href).href,
  loads: engine && { engine, dump, all }, // a folder has no endpoint; the browser runs the query
};
const here = site.loads && local(site);
const shown = links(site);

function editor() {
  const place = document.createElement("div");
  place.className = "editor";
  plain.before(place);
  plain.hidden = true;
  plain.required = false; // a hidden field must not be required
  Yasqe.defaults.autocompleters = ["variables"];
  for (const completer of completers(site, Yasqe.Autocompleters)) Yasqe.registerAutocompleter(completer);
  const yasqe = new Yasqe(place, {
    value: plain.value,
    persistenceId: null, // the state is in the URL
    consumeShareLink: null,
    createShareableLink: null,
    showQueryButton: false,
    resizeable: false,
    editorHeight: "auto",
    extraKeys: { Tab: false, "Shift-Tab": false, "Ctrl-Enter": () => form.requestSubmit(), "Cmd-Enter": () => form.requestSubmit() },
    requestConfig: { endpoint: site.endpoint, method: "GET", queryArgument: "query", args: graphs },
  });
  yasqe.getInputField().setAttribute("aria-label", "Query");
  yasqe.on("changes", () => (plain.value = yasqe.getValue()));
  form.querySelector("label[for=query]").addEventListener("click", () => yasqe.focus());
  return yasqe;
}

/** The graphs checked in the form. */
function graphs() {
  return [...form.querySelectorAll("input[type=checkbox]:checked")].map(({ name, value }) => ({ name, value }));
}

function results() {
  const place = document.createElement("section");
  place.className = "answer results";
  place.setAttribute("aria-label", "Answer");
  place.hidden = true;
  form.after(place);
  Yasr.registerPlugin("table", table(Yasr.plugins.table, shown));
  Yasr.registerPlugin("chart", chart(shown));
  Yasr.registerPlugin("network", network(shown));
  const yasr = new Yasr(place, {
    persistenceId: null,
    prefixes: site.prefixes,
    pluginOrder: ["table", "chart", "network", "response"],
    plugins: { table: { dynamicConfig: { compact: true, isEllipsed: false } } },
  });
  yasr.headerEl.querySelector(".yasr_external_ref_btn").remove(); // links to another site
  yasr.headerEl.querySelector(".yasr_response_chip").setAttribute("role", "status");
  yasr.on("drawn", () => place.querySelector(".tableSizer")?.setAttribute("aria-label", "Rows per page"));
  return { yasr, place };
}

const yasqe = editor();
const { yasr, place } = results();
const told = document.createElement("p");
told.className = "hint";
told.setAttribute("role", "status");
place.prepend(told);
tools(form, yasqe, site);
const stop = here && stopper(form, here);

/** Runs the query and replaces the previous answer. */
async function ask() {
  document.querySelectorAll(".answer:not(.results), #problem").forEach((old) => old.remove());
  place.hidden = false;
  told.textContent = "Running …";
  shown.query = yasqe.getValue();
  if (here) return askHere();
  try {
    await yasqe.query();
  } catch {
    // Errors are shown in place of the answer.
  }
}

yasqe.on("queryResponse", (_, response, duration) => {
  told.textContent = decodeURIComponent(response.headers?.get("Kg-Hint") ?? "");
  show(response, duration);
});

async function askHere() {
  const wanted = form.elements.format.value;
  stop.hidden = false;
  try {
    const { type, content, duration } = await here.ask(yasqe.getValue(), wanted, (words) => (told.textContent = words));
    told.textContent = wanted === "html" ? "" : `Saved as ${saved(type, content, wanted)}.`;
    if (wanted === "html") show({ ok: true, status: 200, headers: new Headers({ "Content-Type": type }), content }, duration);
  } catch (error) {
    told.textContent = "";
    show(error);
  }
  stop.hidden = true;
}

/** Shows an answer unchanged: the results view would treat `{{name}}` in text as a template. */
async function show(response, duration) {
  await shown.learn(response.content);
  if (response.content === "") response.content = "\n"; // an empty graph is still a graph
  yasr.draw = () => {};
  yasr.setResponse(response, duration);
  delete yasr.draw;
  if (yasr.results.getType() === "json") yasr.results.json = JSON.parse(response.content);
  yasr.draw();
}

/** The URL of the query in the editor; it also works without scripts. */
function remember() {
  const fields = new URLSearchParams([["query", yasqe.getValue()], ...graphs().map(({ name, value }) => [name, value]), ["format", "html"]]);
  history.replaceState(null, "", `?${fields}`);
}

form.addEventListener("submit", (event) => {
  if (!here && (form.elements.format.value !== "html" || !yasqe.getValue().trim())) return; // the server sends another format
  event.preventDefault();
  remember();
  ask();
});

document.querySelector(".questions")?.addEventListener("click", (event) => {
  const link = event.target.closest("a[href*='query=']");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  yasqe.setValue(new URL(link.href).searchParams.get("query"));
  form.elements.format.value = "html";
  form.requestSubmit();
  form.scrollIntoView();
});

document.getElementById("needs")?.remove(); // requirements are met
const shared = here && new URLSearchParams(location.search).get("query");
if (shared) {
  yasqe.setValue(shared);
  document.querySelector(".questions").open = false;
}
if (shared || document.querySelector("section.answer:not(.results)")) ask();
