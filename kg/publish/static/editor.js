// Makes the plain form for questions an editor: the same form, the same address, the same answers.
import { completers } from "./completion.js";
import { chart } from "./chart.js";
import { local, saved, stopper } from "./local.js";
import { network } from "./network.js";
import { links, table } from "./terms.js";
import { tools } from "./snippets.js";

const { Yasqe, Yasr } = window.Yasgui;
const form = document.querySelector("form.ask");
const plain = form.elements.query;
const { engine, dump, about, pages } = form.dataset;
const site = {
  base: form.dataset.base,
  prefixes: JSON.parse(form.dataset.prefixes),
  completions: form.dataset.completions,
  endpoint: new URL(form.getAttribute("action"), location.href).href,
  loads: engine && { engine, dump, about, pages }, // in a folder there is no endpoint, and this browser answers
};
const here = site.loads && local(site);
const shown = links(site);

function editor() {
  const place = document.createElement("div");
  place.className = "editor";
  plain.before(place);
  plain.hidden = true;
  plain.required = false; // a field that is not seen cannot be asked to be filled
  Yasqe.defaults.autocompleters = ["variables"];
  for (const completer of completers(site, Yasqe.Autocompleters)) Yasqe.registerAutocompleter(completer);
  const yasqe = new Yasqe(place, {
    value: plain.value,
    persistenceId: null, // the address is what is remembered
    consumeShareLink: null,
    createShareableLink: null,
    showQueryButton: false,
    resizeable: false,
    editorHeight: "auto",
    extraKeys: { Tab: false, "Shift-Tab": false, "Ctrl-Enter": () => form.requestSubmit(), "Cmd-Enter": () => form.requestSubmit() },
    requestConfig: { endpoint: site.endpoint, method: "GET", queryArgument: "query", args: graphs },
  });
  yasqe.getInputField().setAttribute("aria-label", "Question");
  yasqe.on("changes", () => (plain.value = yasqe.getValue()));
  form.querySelector("label[for=query]").addEventListener("click", () => yasqe.focus());
  return yasqe;
}

/** The graphs that are ticked in the form. */
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
  yasr.headerEl.querySelector(".yasr_external_ref_btn").remove(); // it leads to another site
  yasr.headerEl.querySelector(".yasr_response_chip").setAttribute("role", "status");
  yasr.on("drawn", () => place.querySelector(".tableSizer")?.setAttribute("aria-label", "Rows in a page"));
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

/** Asks, and shows the answer in place of the one before. */
async function ask() {
  document.querySelectorAll(".answer:not(.results), #problem").forEach((old) => old.remove());
  place.hidden = false;
  told.textContent = "Asking …";
  shown.query = yasqe.getValue();
  if (here) return askHere();
  try {
    await yasqe.query();
  } catch {
    // What was wrong is shown where the answer would be.
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

/** Shows an answer as it is: the reader of the results would fill in `{{name}}` in a text as if it were a template. */
async function show(response, duration) {
  await shown.learn(response.content);
  if (response.content === "") response.content = "\n"; // a graph without triples is a graph all the same
  yasr.draw = () => {};
  yasr.setResponse(response, duration);
  delete yasr.draw;
  if (yasr.results.getType() === "json") yasr.results.json = JSON.parse(response.content);
  yasr.draw();
}

/** The address of the question that is in the editor: it opens the same, also where no script runs. */
function remember() {
  const fields = new URLSearchParams([["query", yasqe.getValue()], ...graphs().map(({ name, value }) => [name, value]), ["format", "html"]]);
  history.replaceState(null, "", `?${fields}`);
}

form.addEventListener("submit", (event) => {
  if (!here && (form.elements.format.value !== "html" || !yasqe.getValue().trim())) return; // the server answers in another form
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

document.getElementById("needs")?.remove(); // what it takes is there
const shared = here && new URLSearchParams(location.search).get("query");
if (shared) {
  yasqe.setValue(shared);
  document.querySelector(".questions").open = false;
}
if (shared || document.querySelector("section.answer:not(.results)")) ask();
