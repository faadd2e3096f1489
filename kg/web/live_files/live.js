// Live reload for the author, who is recognised by a cookie or by the key (kept for this tab). Shows the first errors of the
// newest files, reloads the page after each save, and on demand shows the source lines of the page. (The browser restores
// the scroll position.)
const { state, author } = document.currentScript.dataset;
const mostShown = 3;
const isConsole = location.pathname === "/console"; // shows all problems, and reloads itself
const once = (event) => new Promise((done) => document.addEventListener(event, done, { once: true }));
const seconds = (number) => new Promise((done) => setTimeout(done, 1000 * number));
const key = findKey();
const ask = (path) => fetch(path, key ? { headers: { Authorization: `Bearer ${key}` } } : {}).catch(() => null);

function findKey() {
  const address = new URL(location);
  const given = address.searchParams.get("key");
  if (given) sessionStorage.setItem("kg.key", given);
  if (given && !isConsole) {
    address.searchParams.delete("key"); // so that a copied address does not contain the key
    history.replaceState(history.state, "", address);
  }
  return sessionStorage.getItem("kg.key");
}

async function follow() {
  for (let isKnown = false; ; isKnown = true) {
    if (document.hidden) await once("visibilitychange"); // browsers limit the connections to a host
    const answer = await ask(`/live?state=${state}`);
    if (!answer) await seconds(1); // the server may restart
    else if (!answer.ok) { // the server was restarted, and sends a new cookie with the page
      sessionStorage.removeItem("kg.key");
      return isKnown && author !== undefined && location.reload();
    }
    else if ((await answer.text()) !== state) return location.reload();
  }
}

function add(parent, name, text = "") {
  const element = parent.appendChild(document.createElement(name));
  element.textContent = text;
  return element;
}

async function showErrors() {
  const answer = await ask("/console.json");
  if (!answer?.ok) return;
  const { failure, problems } = await answer.json();
  const errors = problems.filter(({ severity }) => severity === "error");
  if (!failure && !errors.length) return;
  const banner = add(document.body, "aside");
  banner.className = "live";
  banner.setAttribute("aria-label", "Problems");
  const first = add(banner, "p");
  add(first, "strong", failure || `${errors.length} error${errors.length > 1 ? "s" : ""}.`);
  first.append(" This page shows the last good version. ");
  add(first, "a", "All problems").href = key ? `/console?key=${encodeURIComponent(key)}` : "/console";
  const list = add(banner, "ul");
  for (const { file, line, column, message } of errors.slice(0, mostShown)) {
    const item = add(list, "li");
    add(item, "code", `${file}:${line}:${column}`);
    item.append(` ${message}`);
  }
  if (errors.length > mostShown) add(list, "li", `and ${errors.length - mostShown} more`);
}

function offerOrigins() {
  const thing = decodeURI(location.pathname).slice(1).replace(/\.html$/, "");
  const footer = document.querySelector(".colophon");
  if (!footer || !/^[a-z]+\/[^/]+$/.test(thing)) return;
  const fold = add(footer, "details");
  fold.className = "origins";
  add(fold, "summary", "Sources of this page");
  const shown = add(fold, "pre", "…");
  shown.tabIndex = 0;
  const load = async () => {
    const answer = await ask(`/console/why?thing=${encodeURIComponent(thing)}`);
    shown.textContent = answer ? await answer.text() : "The server is not responding.";
  };
  fold.addEventListener("toggle", load, { once: true });
}

// A link beside each entry that opens its file in the editor.
async function offerEditing() {
  const page = decodeURI(location.pathname).slice(1).replace(/(\.html|index\.html)$/, "");
  const answer = await ask(`/console/edit?page=${encodeURIComponent(page)}`);
  if (!answer?.ok) return;
  const found = await answer.json();
  const offer = (element, { place, href }) => {
    const link = document.createElement("a");
    link.textContent = "Edit";
    Object.assign(link, { className: "edit", href, title: place });
    link.setAttribute("aria-label", `Edit ${place}`);
    element.append(" ", link);
  };
  if (found.it) offer(document.querySelector("#top h1, h1"), found.it);
  for (const row of document.querySelectorAll("main [id]")) {
    const entry = found[row.id];
    if (!entry || row.id === "it") continue;
    const whole = row.textContent ? row : row.closest(".row"); // a row of several entries has an empty element for each
    const isSame = whole !== row && found[whole?.id]?.place === entry.place;
    if (whole && !isSame) offer(whole.querySelector(".what > p, p:not(.when), h3, h4") ?? whole, entry);
  }
  const root = new URL(document.querySelector(".home, link[rel=manifest]").href.replace("site.webmanifest", ""));
  for (const link of document.querySelectorAll("main .work > .title > a, main .pick h3 > a, main .pick-rows .title > a")) {
    const entry = found[link.href.replace(root, "").replace(/\.html$/, "")];
    if (entry) offer(link.parentElement, entry);
  }
}

if ((key || author !== undefined) && !isConsole) {
  const style = add(document.head, "link");
  style.rel = "stylesheet";
  style.href = "/live.css";
  offerOrigins();
  offerEditing();
  showErrors();
  follow();
}
