// Rendering of RDF terms in answers: text and links. Untrusted content stays text.

const LONGEST = 60; // characters of a displayed address
const LETTERS = "13px system-ui, sans-serif"; // font of drawings
const NUMBER = /#(decimal|double|float|(non)?(positive|negative)?integer|(unsigned)?(long|int|short|byte))$/i;

export const isIri = (term) => term?.type === "uri";
export const isNumber = (term) => Boolean(term) && NUMBER.test(term.datatype ?? "") && Number.isFinite(Number(term.value));

/** The page of an entry: `people/ada#it` is described in `people/ada.html`; some documents have no page. */
function page(path, root = "./") {
  const [document, fragment] = path.split("#");
  const suffix = !document || document.endsWith("/") ? "" : /^(void|shapes)$/.test(document) ? ".ttl" : ".html";
  return `${root}${document}${suffix}${fragment && fragment !== "it" ? `#${fragment}` : ""}`;
}

/** Links and texts of a site; entries are shown by name once the names are loaded. */
export function links(site) {
  const names = new Map();
  /** Loads the names of the entries in an answer. */
  const learn = async (answer) => {
    if (names.size || !site.completions || !answer?.includes(site.base)) return;
    try {
      const { classes, things } = await (await fetch(site.completions)).json();
      for (const [iri, name] of [...classes, ...things]) if (name) names.set(iri, name);
    } catch {
      // Without names, addresses are shown.
    }
  };
  const short = (iri) => {
    for (const [prefix, namespace] of Object.entries(site.prefixes)) {
      if (iri.startsWith(namespace) && /^[\w-]+$/.test(iri.slice(namespace.length))) return `${prefix}:${iri.slice(namespace.length)}`;
    }
    const text = iri.startsWith(site.base) && iri !== site.base ? iri.slice(site.base.length) : iri.replace(/^https?:\/\//, "");
    return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  };
  const href = (term) => {
    const { cv } = site.prefixes; // our terms, which the site has a copy of
    const iri = term.startsWith(cv) ? `${site.base}terms/cv#${term.slice(cv.length)}` : term;
    if (!iri.startsWith(site.base)) return /^https?:\/\//.test(iri) ? iri : "";
    if (site.completions) return page(iri.slice(site.base.length), site.root);
    return `${site.endpoint}?${new URLSearchParams({ query: `DESCRIBE <${iri}>`, format: "html" })}`;
  };
  /** The name of an entry; for a part of its page, with the anchor. */
  const named = (iri) => {
    const [document, anchor] = iri.split("#");
    const whole = names.get(`${document}#it`);
    return names.get(iri) ?? (whole && anchor ? `${whole}, ${anchor.replaceAll("-", " ")}` : (whole ?? short(iri)));
  };
  const text = (term) => (isIri(term) ? named(term.value) : (term?.value ?? ""));
  const isOwn = (iri) => iri.startsWith(site.base);
  return { href, isOwn, learn, named, short, text, query: "" };
}

/** A column name as a heading: `coauthorName` -> `Coauthor name`. */
export function heading(name) {
  const words = name.replace(/_+/g, " ").replace(/([a-z\d])([A-Z])/g, (_, before, capital) => `${before} ${capital.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Escapes text for HTML. */
function escaped(text) {
  const place = document.createElement("span");
  place.textContent = text;
  return place.innerHTML;
}

/** The table of the editor, with links to pages of the site. */
export function table(Table, shown) {
  return class extends Table {
    helpReference = undefined;

    /** The table's filter and sanitizer parse text as HTML, which makes browsers report errors about its content. */
    getColumns() {
      return super.getColumns().map((column, place) => {
        const render = (term, use) => (!term ? "" : use === "display" ? this.getCellContent(term, this.yasr.getPrefixes()) : escaped(shown.text(term)));
        return place ? { ...column, title: escaped(heading(column.name)), render } : column; // the first column has the row numbers
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

/** The text, shortened with an ellipsis to fit. */
export function fitted(text, room) {
  if (width(text) <= room) return text;
  const signs = [...text];
  while (signs.length && width(`${signs.join("")}…`) > room) signs.pop();
  return `${signs.join("").trimEnd()}…`;
}

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element: `drawn("text", {x: 1}, "words")`. */
export function drawn(name, attributes = {}, ...inside) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...inside);
  return element;
}
