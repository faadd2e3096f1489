// Finds as you type in the field for searching, by keyboard too. `search.js` loads it when somebody is about to.
import { Catalogue } from "./finding.js";

const MOST = 10, MOST_ON_A_PAGE = 200;
const field = document.querySelector("form.find input");
const root = new URL(field.form.dataset.root, location.href);
const catalogue = new Catalogue(root);
const page = (hit) => new URL(`${hit.entry.address}.html`, root).href;
const told = (count) => (count === 1 ? "1 found" : `${count} found`);

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// What is found: the name with its parts marked, and what tells it from others.
function shown(hit) {
  const name = element("bdi", {}, ...hit.parts.map(([text, isHit]) => (isHit ? element("mark", {}, text) : text)));
  const note = [hit.also, hit.entry.kind, hit.entry.note].filter(Boolean).join(" · ");
  return [name, " ", element("span", { className: "note" }, note)];
}

function combobox() {
  const list = element("ul", { id: "found", role: "listbox", ariaLabel: "Found", hidden: true });
  const status = element("p", { role: "status" });
  const panel = element("div", { className: "found" }, list, status);
  field.form.append(panel);
  for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": "found" })) {
    field.setAttribute(name, value);
  }
  let hits = [], active = -1, turn = 0;

  const close = () => {
    turn++;
    list.hidden = true;
    status.textContent = "";
    panel.classList.remove("open");
    field.setAttribute("aria-expanded", "false");
    activate(-1);
  };
  const activate = (number) => {
    active = number;
    [...list.children].forEach((option, place) => option.setAttribute("aria-selected", String(place === active)));
    if (active < 0) field.removeAttribute("aria-activedescendant");
    else field.setAttribute("aria-activedescendant", list.children[active].id);
    list.children[active]?.scrollIntoView({ block: "nearest" });
  };
  const look = async () => {
    const mine = ++turn;
    if (!field.value.trim()) { close(); return; }
    let found;
    try {
      found = await catalogue.find(field.value, MOST);
    } catch {
      found = { total: 0, hits: [], isLost: true };
    }
    if (mine !== turn) return; // something else was typed meanwhile
    hits = found.hits;
    list.replaceChildren(...hits.map((hit, number) => element("li", { id: `found-${number}`, role: "option" }, ...shown(hit))));
    list.hidden = !hits.length;
    field.setAttribute("aria-expanded", String(Boolean(hits.length)));
    status.textContent = found.isLost ? "The index cannot be loaded now." : found.isVague ? "Type more letters." : found.total ? told(found.total) : "Nothing found.";
    panel.classList.add("open");
    activate(-1);
  };

  catalogue.read("search.json").catch(() => {});
  field.addEventListener("input", look);
  field.addEventListener("blur", close);
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && list.hidden) look();
    else if (step) activate(((active + 1 + step + hits.length + 1) % (hits.length + 1)) - 1);
    else if (event.key === "Enter" && active >= 0) location.assign(page(hits[active]));
    else if (event.key === "Escape" && (!list.hidden || status.textContent)) close();
    else return;
    event.preventDefault();
  });
  list.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus, and so the list stays
  list.addEventListener("click", (event) => {
    const place = [...list.children].indexOf(event.target.closest("li"));
    if (place >= 0) location.assign(page(hits[place]));
  });
  if (document.activeElement === field && field.value) look(); // typed before this was loaded
}

// The page of results, where no server has made it.
async function results(place) {
  const query = new URLSearchParams(location.search).get("q") ?? "";
  place.replaceChildren();
  if (!query.trim()) return;
  field.value = query;
  const found = await catalogue.find(query, MOST_ON_A_PAGE);
  const items = found.hits.map((hit) => element("li", {}, element("a", { href: page(hit) }, shown(hit)[0]), ...shown(hit).slice(1)));
  const words = found.isVague ? "Type more letters." : found.total ? told(found.total) : "Nothing found.";
  place.replaceChildren(element("p", { role: "status" }, words), element("ul", { className: "links single" }, ...items));
}

combobox();
const place = document.querySelector("[data-results]");
if (place) results(place).catch(() => { place.textContent = "The index cannot be loaded now."; });
