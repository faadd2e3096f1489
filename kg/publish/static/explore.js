// Interaction for the network: highlighting co-authors, finding names, zooming and panning.
// Without this script the picture is static and its dots are links.

const STEP = 1.6; // zoom factor per click
const CLOSEST = 8;
const NAMES = 2.4; // zoom from which all names are shown

for (const drawing of document.querySelectorAll("svg.explore")) {
  const canvas = drawing.querySelector(".canvas");
  const web = drawing.querySelector(".web");
  const people = new Map([...drawing.querySelectorAll("a")].map((link) => [link.dataset.at, link]));
  const lines = new Map([...people.values()].map((link) => [link, []]));
  for (const path of web.children) {
    for (const [line, from, to] of path.getAttribute("d").matchAll(/M([^L]+)L([^M]+)/g)) {
      lines.get(people.get(from)).push([line, people.get(to)]);
      lines.get(people.get(to)).push([line, people.get(from)]);
    }
  }
  const bright = web.appendChild(document.createElementNS(web.namespaceURI, "path"));
  bright.classList.add("lit");

  /** Highlights some nodes, and the edges of one; without arguments, none. */
  function light(some, one) {
    drawing.classList.toggle("dim", some !== null);
    for (const link of people.values()) link.classList.toggle("lit", some?.has(link) ?? false);
    bright.setAttribute("d", one ? lines.get(one).map(([line]) => line).join("") : "");
  }

  const field = Object.assign(document.createElement("input"), { type: "search", autocomplete: "off" });
  const said = Object.assign(document.createElement("span"), { className: "note" });
  said.setAttribute("role", "status");
  const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const names = new Map([...people.values()].map((link) => [link, plain(link.querySelector("title").textContent.replace(/:[^:]*$/, ""))]));

  /** Highlights names that match the search field; an empty field clears the highlight. */
  function rest() {
    const words = plain(field.value).split(/\s+/).filter(Boolean);
    const found = [...people.values()].filter((link) => words.every((word) => names.get(link).includes(word)));
    said.textContent = words.length ? `${found.length} of ${people.size}` : "";
    light(words.length ? new Set(found) : null, found.length === 1 ? found[0] : null);
  }

  function show(event) {
    const link = event.target.closest("a");
    if (link) light(new Set([link, ...lines.get(link).map(([, other]) => other)]), link);
  }

  drawing.addEventListener("pointerover", show);
  drawing.addEventListener("focusin", show);
  drawing.addEventListener("pointerout", rest);
  drawing.addEventListener("focusout", rest);
  field.addEventListener("input", rest);

  const view = { zoom: 1, x: 0, y: 0 };
  const size = () => drawing.getBoundingClientRect();

  /** Zooms to a factor, keeping the given point in place. */
  function look(zoom, atX = size().width / 2, atY = size().height / 2) {
    const next = Math.min(Math.max(zoom, 1), CLOSEST);
    move(atX - ((atX - view.x) * next) / view.zoom, atY - ((atY - view.y) * next) / view.zoom, next);
  }

  function move(x, y, zoom = view.zoom) {
    const { width, height } = size();
    view.zoom = zoom;
    view.x = Math.min(0, Math.max(x, width * (1 - zoom)));
    view.y = Math.min(0, Math.max(y, height * (1 - zoom)));
    const values = { x: view.x, y: view.y, width: `${zoom * 100}%`, height: `${zoom * 100}%` };
    for (const [name, value] of Object.entries(values)) canvas.setAttribute(name, value);
    drawing.classList.toggle("moved", zoom > 1);
    drawing.classList.toggle("near", zoom >= NAMES);
  }

  const button = (text, label, act) => {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: text, ariaLabel: label, title: label });
    made.addEventListener("click", act);
    return made;
  };
  const label = document.createElement("label");
  label.append("Find a name ", field);
  const bar = Object.assign(document.createElement("div"), { className: "filters" });
  bar.append(
    label,
    said,
    button("+", "Zoom in", () => look(view.zoom * STEP)),
    button("−", "Zoom out", () => look(view.zoom / STEP)),
    button("Reset", "Reset zoom", () => look(1)),
  );
  drawing.before(bar);

  drawing.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return; // the wheel without a modifier scrolls the page
      event.preventDefault();
      const box = size();
      look(view.zoom * (event.deltaY < 0 ? STEP : 1 / STEP), event.clientX - box.x, event.clientY - box.y);
    },
    { passive: false },
  );

  let held = null; // where a drag started, and whether it moved
  drawing.addEventListener("pointerdown", (event) => {
    held = { x: event.clientX - view.x, y: event.clientY - view.y, from: [event.clientX, event.clientY], isMoved: false };
  });
  drawing.addEventListener("pointermove", (event) => {
    if (!held || !event.buttons || view.zoom === 1) return;
    if (!held.isMoved && Math.hypot(event.clientX - held.from[0], event.clientY - held.from[1]) < 5) return;
    if (!held.isMoved) drawing.setPointerCapture(event.pointerId);
    held.isMoved = true;
    move(event.clientX - held.x, event.clientY - held.y);
  });
  drawing.addEventListener("dragstart", (event) => event.preventDefault());
  drawing.addEventListener(
    "click",
    (event) => {
      if (held?.isMoved) event.preventDefault(); // a drag, not a click
      held = null;
    },
    true,
  );
  // A node focused with the keyboard is moved to the centre.
  drawing.addEventListener("focusin", (event) => {
    const { width, height } = size();
    const [x, y] = (event.target.dataset.at ?? "").split(" ").map((part) => Number(part) / height); // units across equal pixels down
    if (view.zoom > 1 && event.target.matches(":focus-visible")) move(width * (0.5 - x * view.zoom), height * (0.5 - y * view.zoom));
  });
}
