// The search field with suggestions, and the results page in a folder without a server. `search.js` loads it on first use.
import { catalogue, combobox, element, shown, told } from "./combobox.js";

const MOST = 200;
const field = document.querySelector("form.find input");
const root = new URL(field.form.dataset.root, location.href).href;
const page = (hit) => new URL(`${hit.entry.address}.html`, root).href;

async function results(place) {
  const query = new URLSearchParams(location.search).get("q") ?? "";
  place.replaceChildren();
  if (!query.trim()) return;
  field.value = query;
  const found = await catalogue(root).find(query, MOST);
  const titles = new Map([...document.querySelectorAll("#lists a")].map((link) => [link.pathname.split("/").at(-2), link.textContent]));
  const item = (hit) => {
    const [name, ...note] = shown(hit, hit.entry.kind === "CV" ? "CV" : "");
    return element("li", {}, element("a", { href: page(hit) }, name), ...note);
  };
  const groups = [...new Set(found.hits.map(({ entry }) => entry.folder))].flatMap((folder) => {
    const hits = found.hits.filter(({ entry }) => entry.folder === folder);
    const head = element("h2", {}, `${titles.get(folder) ?? folder} `, element("span", { className: "count" }, String(hits.length)));
    return [head, element("ul", { className: "links single" }, ...hits.map(item))];
  });
  const words = found.isVague ? "Keep typing to see results." : found.total ? told(found.total) : "No results.";
  place.replaceChildren(element("p", { role: "status" }, words), ...groups);
}

combobox(field, { id: "found", choose: (hit) => location.assign(page(hit)) });
const place = document.querySelector("[data-results]");
if (place) results(place).catch(() => { place.textContent = "Cannot load the search index."; });
