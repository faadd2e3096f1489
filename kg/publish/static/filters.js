// Filters for a list of works. A long list has several pages; all are loaded before filtering.

const side = document.querySelector(".side");
const form = side.querySelector("form");
const list = document.querySelector(".publications .body");
const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

function made(name, values = {}, ...inside) {
  const element = Object.assign(document.createElement(name), values);
  element.append(...inside);
  return element;
}

/** The complete list, merged from all its pages. */
async function join() {
  const parts = document.querySelector(".parts");
  if (!parts) return;
  const years = new Map();
  let address = parts.querySelector("[aria-label='Page 1']")?.href ?? location.href;
  while (address) {
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
  for (const year of list.querySelectorAll(".year")) year.remove();
  // In press first, then years in descending order, undated last.
  const place = (heading) => (heading === "In press" ? Infinity : Number(heading) || 0);
  list.append(...[...years].sort(([one], [other]) => place(other) - place(one)).map(([, year]) => year));
  parts.remove();
}

/** The filter values of each entry. */
function read() {
  return [...list.querySelectorAll(".work")].map((work) => ({
    work,
    text: plain(work.textContent),
    kind: [work.querySelector(".code .vh").textContent.trim()],
    person: [...work.querySelectorAll(".by b a")].map((link) => link.href),
    // "IPDPS 2021" and "IPDPS 2022" are one venue, as are "IEEE Micro 42(1)" and "IEEE Micro 40".
    venue: [...work.querySelectorAll(".venue a")].map((link) => link.textContent.replace(/\s+\d[\d().–-]*$/, "")),
    topic: work.dataset.topics?.split("|") ?? [],
    year: [work.closest(".year").firstChild.textContent],
  }));
}

/** A select field with the values of the entries, most frequent first, years in order; null if there is no choice. */
function field(title, name, entries, called = (value) => value) {
  const counts = new Map();
  for (const value of entries.flatMap((entry) => entry[name])) counts.set(value, (counts.get(value) ?? 0) + 1);
  if (counts.size < 2) return "";
  const values = [...counts];
  if (name !== "year") values.sort((one, other) => other[1] - one[1] || called(one[0]).localeCompare(called(other[0])));
  const options = values.map(([value, count]) => made("option", { value }, `${called(value)} (${count})`));
  return made("label", {}, title, made("select", { name }, made("option", { value: "" }, "All"), ...options));
}

async function start() {
  await join();
  const entries = read();
  const names = new Map();
  for (const link of list.querySelectorAll(".by b a")) {
    const name = link.textContent.replace("*", "");
    if (name.length > (names.get(link.href) ?? "").length) names.set(link.href, name);
  }
  const said = made("p", { className: "count" });
  said.setAttribute("role", "status");
  const words = made("label", {}, "Words", made("input", { type: "search", name: "words", autocomplete: "off" }));
  const fields = [field("Kind", "kind", entries), field("Person", "person", entries, (href) => names.get(href)), field("Venue", "venue", entries), field("Topic", "topic", entries), field("Year", "year", entries)];
  form.replaceChildren(words, ...fields, made("button", { type: "reset", className: "pill" }, "Clear"), said);
  const show = () => {
    const chosen = [...new FormData(form)].filter(([name, value]) => value && name !== "words");
    const sought = plain(form.elements.words.value).split(/\s+/);
    let shown = 0;
    for (const entry of entries) {
      const fits = chosen.every(([name, value]) => entry[name].includes(value)) && sought.every((word) => entry.text.includes(word));
      shown += !(entry.work.hidden = !fits);
    }
    for (const year of list.querySelectorAll(".year")) year.hidden = !year.querySelector(".work:not([hidden])");
    said.textContent = shown ? `${shown} of ${entries.length} works` : "No matches. Clear a filter to see more.";
  };
  form.addEventListener("input", show);
  form.addEventListener("reset", () => setTimeout(show));
  form.addEventListener("submit", (event) => event.preventDefault());
  show();
}

if (document.querySelector(".parts")) {
  const button = made("button", { type: "button", className: "pill" }, "Filter all works");
  button.addEventListener("click", () => { button.textContent = "Loading …"; start(); });
  form.append(button);
} else start();
