// How a term of an answer reads, and where it leads. What a stranger stored stays text.

const LONGEST = 60; // characters of an address as text
const LETTERS = "13px system-ui, sans-serif"; // of a drawing
const NUMBER = /#(decimal|double|float|(non)?(positive|negative)?integer|(unsigned)?(long|int|short|byte))$/i;

export const isIri = (term) => term?.type === "uri";
export const isNumber = (term) => Boolean(term) && NUMBER.test(term.datatype ?? "") && Number.isFinite(Number(term.value));

/** The file of a thing of the site: `people/ada#it` is told of in `people/ada.html`; some documents have no page. */
function page(path, root = "./") {
  const [document, fragment] = path.split("#");
  const suffix = !document || document.endsWith("/") ? "" : /^(void|shapes)$/.test(document) ? ".ttl" : ".html";
  return `${root}${document}${suffix}${fragment && fragment !== "it" ? `#${fragment}` : ""}`;
}

/** What links and texts look like in a site: things by their names, once these are learned. */
export function links(site) {
  const names = new Map();
  /** Reads the names of things, if an answer speaks of any. */
  const learn = async (answer) => {
    if (names.size || !site.completions || !answer?.includes(site.base)) return;
    try {
      const { classes, things } = await (await fetch(site.completions)).json();
      for (const [iri, name] of [...classes, ...things]) if (name) names.set(iri, name);
    } catch {
      // Without names there are addresses.
    }
  };
  const short = (iri) => {
    for (const [prefix, namespace] of Object.entries(site.prefixes)) {
      if (iri.startsWith(namespace) && /^[\w-]+$/.test(iri.slice(namespace.length))) return `${prefix}:${iri.slice(namespace.length)}`;
    }
    const text = iri.startsWith(site.base) && iri !== site.base ? iri.slice(site.base.length) : iri.replace(/^https?:\/\//, "");
    return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  };
  const href = (iri) => {
    if (!iri.startsWith(site.base)) return /^https?:\/\//.test(iri) ? iri : "";
    if (site.completions) return page(iri.slice(site.base.length), site.root);
    return `${site.endpoint}?${new URLSearchParams({ query: `DESCRIBE <${iri}>`, format: "html" })}`;
  };
  /** The name of a thing; of a part of its page, with the anchor there. */
  const named = (iri) => {
    const [document, anchor] = iri.split("#");
    const whole = names.get(`${document}#it`);
    return names.get(iri) ?? (whole && anchor ? `${whole}, ${anchor.replaceAll("-", " ")}` : (whole ?? short(iri)));
  };
  const text = (term) => (isIri(term) ? named(term.value) : (term?.value ?? ""));
  const isOwn = (iri) => iri.startsWith(site.base);
  return { href, isOwn, learn, named, short, text, query: "" };
}

/** The name of a column in words: `coauthorName` -> `Coauthor name`. */
export function heading(name) {
  const words = name.replace(/_+/g, " ").replace(/([a-z\d])([A-Z])/g, (_, before, capital) => `${before} ${capital.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Text as HTML that shows it. */
function escaped(text) {
  const place = document.createElement("span");
  place.textContent = text;
  return place.innerHTML;
}

/** The table of the editor, with our links in it. */
export function table(Table, shown) {
  return class extends Table {
    helpReference = undefined;

    /** Its filter reads a text as HTML, and so does its cleaning of one, at which a browser complains of what it finds in there. */
    getColumns() {
      return super.getColumns().map((column, place) => {
        const render = (term, use) => (!term ? "" : use === "display" ? this.getCellContent(term, this.yasr.getPrefixes()) : escaped(shown.text(term)));
        return place ? { ...column, title: escaped(heading(column.name)), render } : column; // the first are the numbers of the rows
      });
    }

    getUriLinkFromBinding(binding) {
      const href = shown.href(binding.value);
      const anchor = document.createElement(href ? "a" : "span");
      if (href) anchor.setAttribute("href", href);
      if (href && !shown.isOwn(binding.value)) anchor.rel = "nofollow noreferrer";
      anchor.title = binding.value;
      anchor.textContent = shown.named(binding.value);
      return anchor.outerHTML;
    }
  };
}

const pen = document.createElement("canvas").getContext("2d");

/** The width of a text in a drawing, in pixels. */
export function width(text) {
  pen.font = LETTERS;
  return pen.measureText(text).width;
}

/** The text, or as much of it as has room, with an ellipsis. */
export function fitted(text, room) {
  if (width(text) <= room) return text;
  const signs = [...text];
  while (signs.length && width(`${signs.join("")}…`) > room) signs.pop();
  return `${signs.join("").trimEnd()}…`;
}

const SVG = "http://www.w3.org/2000/svg";

/** An element of a drawing: `drawn("text", {x: 1}, "words")`. */
export function drawn(name, attributes = {}, ...inside) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...inside);
  return element;
}
