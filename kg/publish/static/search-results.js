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
  const items = found.hits.map((hit) => element("li", {}, element("a", { href: page(hit) }, shown(hit)[0]), ...shown(hit).slice(1)));
  const words = found.isVague ? "Keep typing to see results." : found.total ? told(found.total) : "No results.";
  place.replaceChildren(element("p", { role: "status" }, words), element("ul", { className: "links single" }, ...items));
}

combobox(field, { id: "found", choose: (hit) => location.assign(page(hit)) });
const place = document.querySelector("[data-results]");
if (place) results(place).catch(() => { place.textContent = "Cannot load the search index."; });
