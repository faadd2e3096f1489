// Page enhancements: list filters, copy buttons, printing, the table of contents. Without this script all content is still shown.

/** Shows items that pass the filter, hides empty groups and headings, and reports the count. */
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

/** A filter bar with a status that reports the number of items shown. */
function bar(...fields) {
  const said = made("span", { className: "note" });
  said.setAttribute("role", "status");
  return { said, place: made("div", { className: "filters" }, ...fields, said) };
}

const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();

for (const list of document.querySelectorAll(".body:has(> .letter)")) {
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

for (const button of document.querySelectorAll("button.copy")) {
  button.hidden = !navigator.clipboard;
  button.addEventListener("click", async () => (await import("./copying.js")).copy(button));
}

/** Opens collapsed parts for printing, in browsers where CSS cannot. */
let unfolded = [];
addEventListener("beforeprint", () => {
  unfolded = [...document.querySelectorAll("main details:not([open], .as-query)")];
  for (const part of unfolded) part.open = true;
});
addEventListener("afterprint", () => {
  for (const part of unfolded) part.open = false;
});

for (const button of document.querySelectorAll("[data-print]")) button.addEventListener("click", () => print());

/** Marks the current section in the table of contents and scrolls to it. */
const strip = document.querySelector(".toc ol");
if (strip) {
  const links = [...strip.querySelectorAll("a")];
  const parts = links.map((link) => document.getElementById(decodeURIComponent(link.hash.slice(1))));
  const follow = () => {
    const isEnd = innerHeight + scrollY > document.body.scrollHeight - 4;
    const at = isEnd && scrollY ? links.length - 1 : Math.max(parts.findLastIndex((part) => part.getBoundingClientRect().top < 140), 0);
    if (links[at].ariaCurrent) return;
    for (const link of links) link.ariaCurrent = null;
    links[at].ariaCurrent = "true";
    strip.scrollTo({ left: links[at].offsetLeft - strip.clientWidth / 3 });
  };
  addEventListener("scroll", () => requestAnimationFrame(follow), { passive: true });
  follow();
}
