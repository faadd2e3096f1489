// A bar for each row of an answer that has a column of numbers, and another to name them by.
import { drawn, isIri, isNumber } from "./terms.js";

const MOST_BARS = 100;
const ROW = 26; // pixels from bar to bar
const LETTER = 7; // pixels, about

/** The columns that name and measure the bars, or null. */
export function columns(names, rows) {
  const filled = (name) => rows.every((row) => row[name]);
  const numbers = names.filter((name) => rows.every((row) => isNumber(row[name]) && Number(row[name].value) >= 0));
  const value = numbers.at(-1);
  const others = names.filter((name) => name !== value && filled(name));
  const label = others.find((name) => rows.every((row) => !isIri(row[name]))) ?? others[0];
  return value && label && rows.length > 1 && rows.length <= MOST_BARS ? { label, value } : null;
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

function picture(bars, label, value, width) {
  const longest = Math.floor((width * 0.38) / LETTER); // letters of a name
  const names = Math.min(Math.max(...bars.map((bar) => bar.name.length)), longest) * LETTER + 16;
  const room = width - names - 60;
  const most = Math.max(...bars.map((bar) => bar.number)) || 1;
  const said = bars.map((bar) => `${bar.name}: ${bar.number}`).join("; ");
  const drawing = drawn("svg", { width, height: bars.length * ROW + 8, class: "chart", role: "img", "aria-label": `${value} by ${label}. ${said}` });
  bars.forEach((bar, place) => {
    const y = place * ROW + 4;
    const length = Math.max((bar.number / most) * room, bar.number ? 2 : 0);
    const name = bar.name.length > longest ? `${bar.name.slice(0, longest - 1)}…` : bar.name;
    drawing.append(
      drawn("text", { x: names - 8, y: y + 15, "text-anchor": "end" }, name),
      drawn("rect", { x: names, y: y + 2, width: length, height: ROW - 8, rx: 2 }, drawn("title", {}, `${bar.name}: ${bar.number}`)),
      drawn("text", { x: names + length + 8, y: y + 15, class: "number" }, bar.number.toLocaleString("en")),
    );
  });
  return drawing;
}
