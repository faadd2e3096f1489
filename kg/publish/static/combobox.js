// Finds things as one types in a field, by keyboard too.
import { Catalogue } from "./finding.js";

const MOST = 10;
const catalogues = new Map();

/** The index of the site whose top is at an address. */
export function catalogue(root) {
  if (!catalogues.has(root)) catalogues.set(root, new Catalogue(root));
  return catalogues.get(root);
}

export const told = (count) => (count === 1 ? "1 found" : `${count} found`);

export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** What is found: the name with its parts marked, and what tells it from others. */
export function shown(hit) {
  const name = element("bdi", {}, ...hit.parts.map(([text, isHit]) => (isHit ? element("mark", {}, text) : text)));
  const note = [hit.also, hit.entry.kind, hit.entry.note].filter(Boolean).join(" · ");
  return [name, " ", element("span", { className: "note" }, note)];
}

/** Offers what `fits` below a field; `choose` takes what was chosen. `id` is what ids begin with. */
export function combobox(field, { id, choose, fits }) {
  const list = element("ul", { id: `${id}-list`, role: "listbox", ariaLabel: "Found", hidden: true });
  const status = element("p", { role: "status" });
  const panel = element("div", { className: "found" }, list, status);
  const index = catalogue(new URL(field.form.dataset.root, location.href).href);
  field.parentElement.append(panel);
  field.setAttribute("aria-controls", list.id);
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
  const take = (place) => {
    choose(hits[place]);
    close();
  };
  const look = async () => {
    const mine = ++turn;
    if (!field.value.trim()) { close(); return; }
    let found;
    try {
      found = await index.find(field.value, MOST, fits);
    } catch {
      found = { total: 0, hits: [], isLost: true };
    }
    if (mine !== turn) return; // something else was typed meanwhile
    hits = found.hits;
    list.replaceChildren(...hits.map((hit, number) => element("li", { id: `${id}-${number}`, role: "option" }, ...shown(hit))));
    list.hidden = !hits.length;
    field.setAttribute("aria-expanded", String(Boolean(hits.length)));
    status.textContent = found.isLost ? "The index cannot be loaded now." : found.isVague ? "Type more letters." : found.total ? told(found.total) : "Nothing found.";
    panel.classList.add("open");
    activate(-1);
  };

  index.read("search.json").catch(() => {});
  field.addEventListener("input", look);
  field.addEventListener("blur", close);
  field.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && list.hidden) look();
    else if (step) activate(((active + 1 + step + hits.length + 1) % (hits.length + 1)) - 1);
    else if (event.key === "Enter" && active >= 0) take(active);
    else if (event.key === "Escape" && (!list.hidden || status.textContent)) close();
    else return;
    event.preventDefault();
  });
  list.addEventListener("mousedown", (event) => event.preventDefault()); // the field keeps the focus, and so the list stays
  list.addEventListener("click", (event) => {
    const place = [...list.children].indexOf(event.target.closest("li"));
    if (place >= 0) take(place);
  });
  if (document.activeElement === field && field.value) look(); // typed before this was loaded
}
