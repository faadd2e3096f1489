// Filters of a list of works, by the query of the address: mirrors kg/publish/pages/list_filter.py. Without this script, the form goes to the server.

const form = document.querySelector(".side form");
const list = document.querySelector(".publications .body, .patents .body");
const status = list.querySelector("[role=status]");
const kinds = [...form.querySelectorAll("[name=kind]")];
const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const slug = (link) => link.pathname.split("/").at(-1).replace(/\.html$/, "");
const texts = (part, selector) => [...part.querySelectorAll(selector)].map((each) => each.textContent);

/** Replaces the list by the complete one: the server may have filtered it, and a long list has several pages. */
async function complete() {
  if (!("more" in form.dataset)) return;
  delete form.dataset.more;
  const years = new Map();
  for (let address = form.action; address; ) {
    const page = new DOMParser().parseFromString(await (await fetch(address)).text(), "text/html");
    for (const link of page.querySelectorAll(".year a")) link.href = new URL(link.getAttribute("href"), address);
    for (const year of page.querySelectorAll(".year")) {
      const same = years.get(year.firstChild.textContent);
      if (same) same.lastChild.append(...year.lastChild.children);
      else years.set(year.firstChild.textContent, year);
    }
    const next = page.querySelector(".parts [rel=next]")?.getAttribute("href");
    address = next && new URL(next, address).href;
  }
  // In press first, then years in descending order, undated last.
  const place = (heading) => (heading === "In press" ? Infinity : Number(heading) || 0);
  const sorted = [...years].sort(([one], [other]) => place(other) - place(one)).map(([, year]) => year);
  const before = list.querySelector(".bar");
  for (const part of document.querySelectorAll(".year, .parts")) part.remove();
  before.after(...sorted);
}

/** The filter in the form as the query of an address: `kind=journal&year=2020-`. */
function query() {
  const given = new FormData(form), found = new URLSearchParams();
  for (const [name, value] of given) if (value && !["from", "to"].includes(name)) found.append(name, value);
  const [from, to] = ["from", "to"].map((name) => given.get(name) ?? "");
  if (from || to) found.append("year", from === to ? from : `${from}-${to}`);
  return found;
}

/** Fills the form from the address. */
function adopt() {
  const given = new URLSearchParams(location.search);
  const [, first = "", dash, last = ""] = /^(\d{4})?(-?)(\d{4})?$/.exec(given.get("year") ?? "") ?? [];
  const span = { from: given.get("from") ?? first, to: given.get("to") ?? (dash ? last : first) };
  for (const field of form.elements) {
    if (field.type === "checkbox") field.checked = given.getAll(field.name).includes(field.value);
    else if (field.name) field.value = span[field.name] ?? given.get(field.name) ?? "";
  }
}

function passes(work, given, [first, last]) {
  const own = {
    kind: kinds.filter((box) => work.classList.contains(box.parentElement.classList[1])).map((box) => box.value),
    person: [...work.querySelectorAll(".by b a")].map(slug),
    venue: [...work.querySelectorAll(".venue a")].map(slug),
    topic: (work.dataset.topics ?? "").split(" "),
  };
  const year = work.closest(".year").firstChild.textContent;
  const text = plain(texts(work, ".title, .by, .venue, .won").join(" "));
  return (
    Object.keys(own).every((name) => !given.has(name) || given.getAll(name).some((value) => own[name].includes(value))) &&
    plain(given.get("words") ?? "").split(/\s+/).every((word) => text.includes(word)) &&
    (!(first || last) || (year === "In press" ? !last : /^\d+$/.test(year) && (first || year) <= year && year <= (last || year)))
  );
}

/** Shows the works that pass the filter in the form. */
async function show() {
  await complete();
  const given = query(), span = [form.elements.from?.value, form.elements.to?.value];
  const works = [...list.querySelectorAll(".work")];
  let shown = 0;
  for (const work of works) shown += !(work.hidden = !passes(work, given, span));
  for (const year of list.querySelectorAll(".year")) year.hidden = !year.querySelector(".work:not([hidden])");
  status.innerHTML = `<b>${shown}</b> of ${works.length} ${status.dataset.noun}`;
  list.querySelector(".bar").classList.toggle("empty", !shown);
}

/** The records of the shown works, from the file with all of them. */
async function exported(link) {
  const works = new Set([...list.querySelectorAll(".work:not([hidden]) .title a")].map(slug));
  const has = (address) => works.has(address.split("/").at(-1));
  const text = await (await fetch(link.href)).text();
  if (link.href.endsWith(".csl.json")) return `${JSON.stringify(JSON.parse(text).filter(({ id }) => has(id)), null, 1)}\n`;
  if (link.href.endsWith(".bib")) return text.split(/\n(?=@)/).filter((entry) => has(/\{([^,]+),/.exec(entry)[1])).join("\n");
  const [head, ...rows] = text.split(/\r\n(?=http)/);
  return [head, ...rows.map((row) => row.trimEnd()).filter((row) => has(row.split(",")[0]))].join("\r\n") + "\r\n";
}

/** Puts the filter into the address; a word that is being typed adds no entry to the history. */
async function change(event) {
  const now = query().toString(), isTyped = event?.target.type === "search";
  history[isTyped ? "replaceState" : "pushState"](null, "", now ? `?${now}` : location.pathname);
  await show();
}

form.addEventListener("input", change);
form.addEventListener("submit", (event) => event.preventDefault());
form.querySelector("a.pill").addEventListener("click", (event) => {
  event.preventDefault();
  history.pushState(null, "", location.pathname);
  adopt();
  show();
});
addEventListener("popstate", () => {
  adopt();
  show();
});
for (const link of list.querySelectorAll(".bar .go a")) {
  link.addEventListener("click", async (event) => {
    if (!list.querySelector(".work[hidden]")) return; // the file has just these works
    event.preventDefault();
    const made = document.createElement("a");
    made.href = URL.createObjectURL(new Blob([await exported(link)], { type: link.type }));
    made.download = link.pathname.split("/").at(-1).replace("index", "works");
    made.click();
    setTimeout(() => URL.revokeObjectURL(made.href), 60_000); // the browser may still show its save dialog
  });
}
adopt(); // some browsers fill in what was chosen before
if (location.search && form.dataset.more !== "filtered") show();
