// A bar for each row of an answer with one column that names them and one of numbers.
import { drawn, fitted, heading, isIri, isNumber, width } from "./terms.js";

const MOST_BARS = 100;
const ROW = 26; // pixels from bar to bar
const NO_MEASURE = /(year|date|since|until|number|position|order|rank|pages?|volume|issue|identifier|code|id)$/i; // which bars would compare
const YEARS = [1500, 2100];

const isYear = (term) => Number.isInteger(Number(term.value)) && Number(term.value) >= YEARS[0] && Number(term.value) <= YEARS[1];

/** The columns that name and measure the bars, or null where bars would mislead: pairs of names, several numbers, years, identifiers. */
export function columns(names, rows) {
  if (rows.length < 2 || rows.length > MOST_BARS || !names.every((name) => rows.every((row) => row[name]))) return null;
  const all = (test) => names.filter((name) => rows.every((row) => test(row[name])));
  const years = all(isYear);
  const values = all((term) => isNumber(term) && Number(term.value) >= 0).filter((name) => !years.includes(name) && !NO_MEASURE.test(name));
  const others = names.filter((name) => !values.includes(name));
  const words = others.filter((name) => !rows.every((row) => isIri(row[name])));
  const labels = words.length ? words : others; // a thing and its name are one label
  const isOne = new Set(rows.map((row) => row[labels[0]]?.value)).size === rows.length;
  return values.length === 1 && labels.length === 1 && others.length - words.length < 2 && isOne ? { label: labels[0], value: values[0] } : null;
}

export function chart(shown) {
  return class Chart {
    priority = 1;
    label = "Chart";

    constructor(yasr) {
      this.yasr = yasr;
    }

    columns() {
      return columns(this.yasr.results?.getVariables() ?? [], this.yasr.results?.getBindings() ?? []);
    }

    canHandleResults() {
      return Boolean(this.columns());
    }

    getIcon() {
      return null;
    }

    draw() {
      const { label, value } = this.columns();
      const bars = this.yasr.results.getBindings().map((row) => ({
        name: shown.text(row[label]),
        number: Number(row[value].value),
      }));
      this.yasr.resultsEl.append(picture(bars, label, value, this.yasr.resultsEl.clientWidth));
    }
  };
}

function picture(bars, label, value, across) {
  const texts = bars.map((bar) => fitted(bar.name, across * 0.38));
  const numbers = bars.map((bar) => bar.number.toLocaleString("en"));
  const names = Math.max(...texts.map(width)) + 16;
  const room = across - names - Math.max(...numbers.map(width)) - 16;
  const most = Math.max(...bars.map((bar) => bar.number)) || 1;
  const said = bars.map((bar) => `${bar.name}: ${bar.number}`).join("; ");
  const drawing = drawn("svg", { width: across, height: bars.length * ROW + 8, class: "chart", role: "img", "aria-label": `${heading(value)} by ${heading(label).toLowerCase()}. ${said}` });
  bars.forEach((bar, place) => {
    const y = place * ROW + 4;
    const length = Math.max((bar.number / most) * room, bar.number ? 2 : 0);
    drawing.append(
      drawn("text", { x: names - 8, y: y + 15, "text-anchor": "end" }, drawn("title", {}, bar.name), texts[place]),
      drawn("rect", { x: names, y: y + 2, width: length, height: ROW - 8, rx: 2 }, drawn("title", {}, `${bar.name}: ${bar.number}`)),
      drawn("text", { x: names + length + 8, y: y + 15, class: "number" }, numbers[place]),
    );
  });
  return drawing;
}
