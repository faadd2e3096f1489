// Small helps for a reader: filters for lists and works, and the data of a page to copy. Without it everything is there and shown.

/** Shows the items that pass, hides headings and groups left without any, and says how many there are. */
function sift(groups, items, passes, said) {
  let shown = 0;
  for (const item of items) shown += !(item.hidden = !passes(item));
  for (const { whole, within } of groups) for (const part of whole) part.hidden = !within.some((item) => !item.hidden);
  said.textContent = shown === items.length ? "" : `${shown} of ${items.length}`;
}

function made(name, values = {}, ...inside) {
  const element = Object.assign(document.createElement(name), values);
  element.append(...inside);
  return element;
}

/** A row for the fields of a filter, with a place that tells the number shown. */
function bar(...fields) {
  const said = made("span", { className: "note" });
  said.setAttribute("role", "status");
  return { said, place: made("div", { className: "filters" }, ...fields, said) };
}

const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

for (const list of document.querySelectorAll(".listed .body")) {
  const items = [...list.querySelectorAll("li")];
  if (items.length < 15) continue;
  const texts = new Map(items.map((item) => [item, plain(item.textContent)]));
  const groups = [...list.querySelectorAll(".letter")].map((group) => ({ whole: [group], within: [...group.querySelectorAll("li")] }));
  const field = made("input", { type: "search", autocomplete: "off" });
  const { said, place } = bar(made("label", {}, "Filter ", field));
  field.addEventListener("input", () => {
    const words = plain(field.value).split(/\s+/);
    sift(groups, items, (item) => words.every((word) => texts.get(item).includes(word)), said);
  });
  list.prepend(place);
}

/** A field to choose one of the values that items have, the most frequent first; null where there is nothing to choose. */
function choice(label, items, valueOf) {
  const counts = new Map();
  for (const item of items) if (valueOf(item)) counts.set(valueOf(item), (counts.get(valueOf(item)) ?? 0) + 1);
  if (counts.size < 2) return null;
  const sorted = [...counts].sort((one, other) => other[1] - one[1] || one[0].localeCompare(other[0]));
  return made("select", { ariaLabel: label }, made("option", { value: "" }, label), ...sorted.map(([value, count]) => made("option", { value }, `${value} (${count})`)));
}

const kindOf = (item) => item.dataset.kind;
// "IPDPS 2021" and "IPDPS 2022" are one venue, and so are "IEEE Micro 42(1)" and "IEEE Micro 40".
const venueOf = (item) => item.querySelector(".venue")?.textContent.replace(/\s+\d[\d().–-]*$/, "");

for (const body of document.querySelectorAll(".body:has(> .works)")) {
  const items = [...body.querySelectorAll(".works > li")];
  if (items.length < 10) continue;
  const kinds = choice("All kinds", items, kindOf);
  const venues = choice("All venues", items, venueOf);
  const fields = [kinds, venues].filter(Boolean);
  if (!fields.length) continue;
  const groups = [...body.querySelectorAll(".works")].map((works) => ({ whole: [works.previousElementSibling, works], within: [...works.children] }));
  const { said, place } = bar(...fields);
  const passes = (item) => (!kinds?.value || kindOf(item) === kinds.value) && (!venues?.value || venueOf(item) === venues.value);
  place.addEventListener("change", () => sift(groups, items, passes, said));
  body.prepend(place);
}

for (const button of document.querySelectorAll("button.copy")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => (await import("./copying.js")).copy(button));
}
