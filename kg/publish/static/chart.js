// Bar charts for answers whose rows have names and one number, or the reason why a chart would mislead. Mirrors `kg/plugins/figures/answers.py`.
import { drawn, fitted, heading, isIri, isNumber, width } from "./terms.js";

const MOST_BARS = 100;
const MOST_LABELS = 2;
const ROW = 26; // pixels from bar to bar
const NO_MEASURE = /(year|date|since|until|number|position|order|rank|pages?|volume|issue|identifier|code|id)$/i; // columns that are not measures
const UNIT = /(unit|currency)$/i;
const NAME = /^(name|label|title)$/i;
const YEARS = [1500, 2100];

const isYear = (term) => /^\d{4}$/.test(term.value) && Number(term.value) >= YEARS[0] && Number(term.value) <= YEARS[1];

/** Whether another column has the names of the entries in this one. */
function isNamed(name, others, rows, text) {
  const things = others.filter((other) => rows.every((row) => isIri(row[other])));
  if (!things.includes(name)) return false;
  return others.some((other) => other === `${name}Name` || other === `${name}Label` || (things.length === 1 && NAME.test(other)) || (other !== name && rows.every((row) => text(row[name]) === text(row[other]))));
}

/** The label of a row; the bar of a pair has both names. */
const called = (row, labels, text) => labels.map((name) => text(row[name])).filter(Boolean).join(" · ");

/** The columns for labels and lengths of the bars; or `why` there is no chart; or null if no column is a measure. */
export function series(names, rows, text, query = "") {
  const bound = (name) => rows.map((row) => row[name]).filter(Boolean);
  const all = (test) => names.filter((name) => bound(name).length && bound(name).every(test));
  const years = all(isYear);
  const values = all(isNumber).filter((name) => !years.includes(name) && !NO_MEASURE.test(name));
  const others = names.filter((name) => !values.includes(name));
  const units = others.filter((name) => UNIT.test(name));
  const labels = others.filter((name) => !units.includes(name) && !isNamed(name, others, rows, text));
  if (rows.length < 2 || !values.length || !labels.length) return null;
  const [value] = values;
  const said = rows.map((row) => called(row, labels, text));
  const twice = said.find((label, place) => said.indexOf(label) !== place);
  const inUnits = [...new Set(units.flatMap((name) => bound(name).map(text)))].sort();
  const faults = [
    [values.length > 1, `Each row has several numbers (${values.map(heading).join(", ")}). Select one of them.`],
    [bound(value).length < rows.length, `Some rows have no ${heading(value).toLowerCase()} and would look like 0.`],
    [bound(value).some((term) => Number(term.value) < 0), "Some numbers are negative; bars cannot show them."],
    [inUnits.length > 1, `The numbers have different units (${inUnits.join(", ")}) and cannot be compared.`],
    [labels.length > MOST_LABELS, "Each row has more than two label columns. Select at most two."],
    [said.includes(""), "Some rows have no name."],
    [rows.length > MOST_BARS, `${rows.length.toLocaleString("en")} rows are too many for a chart (at most ${MOST_BARS}). Add a LIMIT.`],
    [twice !== undefined, `Several rows have the same label, “${twice}”.`],
    [isAnyPart(query, rows.length), "LIMIT without ORDER BY returns arbitrary rows. Add ORDER BY."],
  ];
  const why = faults.find(([isSo]) => isSo)?.[1];
  return why ? { why } : { labels, value, unit: inUnits[0] ?? "", isOverYears: labels.length === 1 && years.includes(labels[0]) };
}

/** Whether LIMIT cut the rows at an arbitrary place, without an order. */
function isAnyPart(query, count) {
  const plain = query.replace(/#[^\n]*|"[^"\n]*"|<[^>\s]*>/g, " ");
  const limit = /\bLIMIT\s+(\d+)/i.exec(plain.slice(plain.lastIndexOf("}")));
  return Boolean(limit) && Number(limit[1]) <= count && !/\bORDER\s+BY\b/i.test(plain);
}

/** A bar for each row; years without a row get an empty place. */
export function bars(rows, { labels, value, isOverYears }, text) {
  const found = rows.map((row) => ({ name: called(row, labels, text), number: Number(row[value].value) }));
  if (!isOverYears) return found;
  const years = found.map((bar) => Number(bar.name));
  const [first, last] = [Math.min(...years), Math.max(...years)];
  if (last - first >= MOST_BARS) return found;
  return Array.from({ length: last - first + 1 }, (_, place) => found[years.indexOf(first + place)] ?? { name: String(first + place) });
}

/** The message that says why there is no chart. */
export function reason(why) {
  const words = document.createElement("p");
  words.className = "hint";
  words.textContent = `No chart: ${why}`;
  return words;
}

/** The chart of an answer, or the reason why there is none; null if no column is a measure. */
export function drawing(names, rows, shown, across, query = "") {
  const found = series(names, rows, shown.text, query);
  if (!found) return null;
  return found.why ? reason(found.why) : picture(bars(rows, found, shown.text), found, across);
}

export function chart(shown) {
  return class Chart {
    priority = 1;
    label = "Chart";

    constructor(yasr) {
      this.yasr = yasr;
    }

    drawing(across) {
      const results = this.yasr.results;
      return drawing(results?.getVariables() ?? [], results?.getBindings() ?? [], shown, across, shown.query);
    }

    canHandleResults() {
      return Boolean(this.drawing(600));
    }

    getIcon() {
      return null;
    }

    draw() {
      this.yasr.resultsEl.append(this.drawing(this.yasr.resultsEl.clientWidth));
    }
  };
}

function picture(found, { labels, value, unit }, across) {
  const written = ({ number }) => (number === undefined ? "" : `${number.toLocaleString("en")}${unit && ` ${unit}`}`);
  const texts = found.map((bar) => fitted(bar.name, across * 0.38));
  const numbers = found.map(written);
  const names = Math.max(...texts.map(width)) + 16;
  const room = across - names - Math.max(...numbers.map(width)) - 16;
  const most = Math.max(...found.map((bar) => bar.number ?? 0)) || 1;
  const said = found.map((bar, place) => `${bar.name}: ${numbers[place] || "none"}`).join("; ");
  const by = labels.map((name) => heading(name).toLowerCase()).join(" and ");
  const whole = drawn("svg", { width: across, height: found.length * ROW + 8, class: "chart", role: "img", "aria-label": `${heading(value)} by ${by}. ${said}` });
  found.forEach((bar, place) => {
    const y = place * ROW + 4;
    const length = Math.max(((bar.number ?? 0) / most) * room, bar.number ? 2 : 0);
    whole.append(drawn("text", { x: names - 8, y: y + 15, "text-anchor": "end" }, drawn("title", {}, bar.name), texts[place]));
    if (bar.number === undefined) return;
    whole.append(
      drawn("rect", { x: names, y: y + 2, width: length, height: ROW - 8, rx: 2 }, drawn("title", {}, `${bar.name}: ${numbers[place]}`)),
      drawn("text", { x: names + length + 8, y: y + 15, class: "number" }, numbers[place]),
    );
  });
  return whole;
}
