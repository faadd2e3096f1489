// A combobox: suggests entries of the site while the user types; works with the keyboard.
import { Catalogue } from "./finding.js";

const MOST = 10;
const catalogues = new Map();

/** The search index of the site at a root address. */
export function catalogue(root) {
  if (!catalogues.has(root)) catalogues.set(root, new Catalogue(root));
  return catalogues.get(root);
}

export const told = (count) => (count === 1 ? "1 result" : `${count} results`);

export function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

/** A suggestion: the name with the matching parts marked, and a note that distinguishes it. */
export function shown(hit, kind = hit.entry.kind) {
  const name = element("bdi", {}, ...hit.parts.map(([text, isHit]) => (isHit ? element("mark", {}, text) : text)));
  const note = [hit.also, kind, hit.entry.note].filter(Boolean).join(" · ");
  return [name, " ", element("span", { className: "note" }, note)];
}

/** Shows suggestions that `fits` accepts below a field; calls `choose` with the selected one. `id` is the prefix of element ids. */
export function combobox(field, { id, choose, fits }) {
  const list = element("ul", { id: `${id}-list`, role: "listbox", ariaLabel: "Suggestions", hidden: true });
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
    if (mine !== turn) return; // the input has changed since
    hits = found.hits;
    list.replaceChildren(...hits.map((hit, number) => element("li", { id: `${id}-${number}`, role: "option" }, ...shown(hit))));
    list.hidden = !hits.length;
    field.setAttribute("aria-expanded", String(Boolean(hits.length)));
    status.textContent = found.isLost ? "Cannot load the search index." : found.isVague ? "Keep typing to see results." : found.total ? told(found.total) : "No results.";
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
  list.addEventListener("mousedown", (event) => event.preventDefault()); // keeps the focus in the field, so that the list stays open
  list.addEventListener("click", (event) => {
    const place = [...list.children].indexOf(event.target.closest("li"));
    if (place >= 0) take(place);
  });
  if (document.activeElement === field && field.value) look(); // typed before this script was loaded
}
