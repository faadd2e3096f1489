// Network drawings: for answers with two columns of addresses, and for graphs.
import { reason } from "./chart.js";
import { drawn, fitted as shortened, heading, isIri, width as widthOf } from "./terms.js";

const MOST_NODES = 300;
const STEPS = 300;
const LONGEST = 200; // pixels of a name
const LINE = 17; // pixels, of a name and the dot below it

/** The two columns to connect, or null. Triples connect subject and object: `?s ?p ?o`. */
export function ends(names, rows) {
  if (/^s\w*,p\w*,o\w*$/.test(names.join())) return [names[0], names[2]];
  const found = names.filter((name) => rows.some((row) => row[name]) && rows.every((row) => !row[name] || isIri(row[name])));
  return found.length > 1 ? found.slice(0, 2) : null;
}

/** Address -> name, and pairs of addresses. Nodes with the same name are distinguished by their addresses. */
export function joined(names, rows, shown) {
  const columns = ends(names, rows);
  const nodes = new Map();
  const edges = new Map();
  for (const row of columns ? rows : []) {
    const pair = columns.map((column) => row[column]);
    if (!pair.every(isIri) || pair[0].value === pair[1].value) continue;
    pair.forEach((term, place) => {
      const name = row[`${columns[place]}Name`] ?? row[`${columns[place]}Label`];
      if (!nodes.has(term.value)) nodes.set(term.value, name?.value ?? shown.named(term.value));
    });
    const [from, to] = pair.map((term) => term.value);
    edges.set(`${from} ${to}`, [from, to]);
  }
  const counts = new Map();
  for (const name of nodes.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  for (const [iri, name] of nodes) if (counts.get(name) > 1) nodes.set(iri, `${name} (${shown.short(iri)})`);
  return { columns, nodes, edges: [...edges.values()] };
}

/** Force-directed layout: nodes repel each other, edges attract. Deterministic. */
export function layout(keys, edges, width, height) {
  const places = new Map(keys.map((key, number) => {
    const turn = number * 2.399963; // the golden angle spreads them evenly
    const far = 0.45 * Math.sqrt((number + 0.5) / keys.length);
    return [key, { x: width * (0.5 + far * Math.cos(turn)), y: height * (0.5 + far * Math.sin(turn)) }];
  }));
  const all = [...places.values()];
  const ideal = 0.8 * Math.sqrt((width * height) / all.length);
  for (let step = 0; step < STEPS; step++) {
    const reach = (width / 12) * (1 - step / STEPS) + 0.5;
    const moves = new Map(all.map((node) => [node, { x: 0, y: 0 }]));
    const push = (one, other, force) => {
      const x = one.x - other.x || 0.01;
      const y = one.y - other.y || 0.01;
      const far = Math.hypot(x, y);
      const share = force(far) / far;
      moves.get(one).x += x * share;
      moves.get(one).y += y * share;
      moves.get(other).x -= x * share;
      moves.get(other).y -= y * share;
    };
    all.forEach((one, number) => all.slice(number + 1).forEach((other) => push(one, other, (far) => ideal ** 2 / far)));
    for (const [from, to] of edges) push(places.get(from), places.get(to), (far) => -(far ** 2) / ideal);
    for (const [node, move] of moves) {
      const far = Math.hypot(move.x, move.y) || 1;
      node.x += (move.x / far) * Math.min(far, reach) + (width / 2 - node.x) * 0.01;
      node.y += (move.y / far) * Math.min(far, reach) + (height / 2 - node.y) * 0.01;
    }
  }
  return fitted(places, width, height);
}

/** The same layout, scaled to the whole picture. */
function fitted(places, width, height) {
  const all = [...places.values()];
  for (const [axis, size, edge] of [["x", width, Math.min(90, width * 0.18)], ["y", height, 24]]) {
    const values = all.map((node) => node[axis]);
    const [least, most] = [Math.min(...values), Math.max(...values)];
    for (const node of all) node[axis] = edge + ((node[axis] - least) / (most - least || 1)) * (size - 2 * edge);
  }
  return places;
}

/** Address -> position of its label above the dot, inside the frame and without overlaps; nodes with most links first. */
export function labels(nodes, edges, places, across) {
  const links = new Map([...nodes.keys()].map((iri) => [iri, edges.filter((edge) => edge.includes(iri)).length]));
  const taken = [];
  const found = new Map();
  for (const iri of [...nodes.keys()].sort((one, other) => links.get(other) - links.get(one))) {
    const text = shortened(nodes.get(iri), LONGEST);
    const half = widthOf(text) / 2 + 2;
    const { x, y } = places.get(iri);
    const at = Math.min(Math.max(x, half), across - half);
    const isFree = taken.every(([left, right, top]) => at + half <= left || right <= at - half || Math.abs(top - y) >= LINE);
    if (isFree) taken.push([at - half, at + half, y]);
    found.set(iri, { text, x: at, isFree });
  }
  return found;
}

export function network(shown) {
  return class Network {
    priority = 1;
    label = "Network";

    constructor(yasr) {
      this.yasr = yasr;
    }

    found() {
      const results = this.yasr.results;
      return joined(results?.getVariables() ?? [], results?.getBindings() ?? [], shown);
    }

    canHandleResults() {
      return this.found().edges.length > 0;
    }

    getIcon() {
      return null;
    }

    draw() {
      this.yasr.resultsEl.append(...drawing(this.found(), shown, this.yasr.resultsEl.clientWidth));
    }
  };
}

/** The network with a text alternative, or the reason why there is none. */
export function drawing({ columns, nodes, edges }, shown, width) {
  if (nodes.size > MOST_NODES) return [reason(`${nodes.size.toLocaleString("en")} nodes are too many for a network (at most ${MOST_NODES}). Add a LIMIT or a filter.`)];
  const height = Math.min(Math.max(320, (nodes.size * 7_000) / width), 1600); // room for the names
  const places = layout([...nodes.keys()], edges, width, height);
  const said = `${nodes.size} nodes, ${edges.length} links: ${columns.map((name) => heading(name).toLowerCase()).join(" and ")}.`;
  const whole = drawn("svg", { width, height, class: "network", role: "group", "aria-label": said });
  for (const [from, to] of edges) {
    const [one, other] = [places.get(from), places.get(to)];
    whole.append(drawn("line", { x1: one.x, y1: one.y, x2: other.x, y2: other.y }));
  }
  const named = labels(nodes, edges, places, width);
  for (const [iri, name] of nodes) whole.append(node(iri, name, places.get(iri), shown, named.get(iri)));
  const words = document.createElement("p");
  words.className = "note";
  words.textContent = said;
  return [words, whole];
}

/** A dot with its label, which appears on hover if there is no room for it. */
function node(iri, name, { x, y }, shown, label) {
  const href = shown.href(iri);
  return drawn(
    "a",
    href ? { href, ...(shown.isOwn(iri) ? {} : { rel: "nofollow noreferrer" }) } : {},
    drawn("title", {}, name),
    drawn("circle", { cx: x, cy: y, r: 5 }),
    drawn("text", { x: label.x, y: y - 9, "text-anchor": "middle", ...(label.isFree ? {} : { class: "quiet" }) }, label.text),
  );
}
