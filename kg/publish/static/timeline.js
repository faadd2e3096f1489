// Timeline and heat map of an answer: bars over years, one lane per value of the first column without dates. Mirrors `kg/plugins/figures/answers.py`.
import { inWords } from "./answer-words.js";
import { drawn, fitted, isNumber } from "./terms.js";

const STARTS = /(from|start|started|since|begin|began|date|when|year|month|day)$/i;
const ENDS = /(until|end|ended|to|till)$/i;
const OPEN = ["present", "now", ".."]; // values of an open end
const UNKNOWN = "unknown"; // an end that nobody knows
const DATE = /^(\d{4})(?:-(\d\d))?(?:-(\d\d))?[?~%]?$/;
const NAMED = { spring: 21, summer: 22, autumn: 23, winter: 24 };
const SEASONS = { 21: [2, 5], 22: [5, 8], 23: [8, 11] }; // months; winter spans two years, so it counts as the whole year
const [LANE, BAR, MOST] = [20, 8, 40];

/** The earliest and latest moment of a date, in years. */
export function stretch(text) {
  const [, season, its] = /^(spring|summer|autumn|winter) (\d{4})$/i.exec(text) ?? [];
  const [, year, month, day] = (DATE.exec(season ? `${its}-${NAMED[season.toLowerCase()]}` : text) ?? []).map(Number);
  if (!year) return null;
  const [start, end] = month >= 1 && month <= 12 ? [month - 1, month] : (SEASONS[month] ?? [0, 12]);
  const begun = year + start / 12;
  return day ? [begun + (day - 1) / 372, begun + day / 372] : [begun, year + end / 12];
}

/** The timeline, or null if no column has dates. */
export function timeline(names, rows, text, across) {
  const isDated = (name) => {
    const values = rows.map((row) => row[name]?.value).filter(Boolean);
    return (STARTS.test(name) || ENDS.test(name)) && values.length && values.every((value) => OPEN.includes(value) || value === UNKNOWN || stretch(value));
  };
  const dated = names.filter(isDated);
  const [start] = dated.filter((name) => STARTS.test(name));
  const [end] = dated.filter((name) => ENDS.test(name));
  const [lane, ...titles] = names.filter((name) => !dated.includes(name));
  const lanes = new Map();
  for (const row of start && lane ? rows : []) {
    const from = stretch(row[start]?.value ?? "");
    const until = stretch(row[end ?? start]?.value ?? "");
    if (!from) continue;
    const said = [...titles.map((name) => text(row[name])), [...new Set([row[start].value, row[end ?? start]?.value])].filter((each) => each && each !== UNKNOWN).map(inWords).join(" to "), row[end]?.value === UNKNOWN ? "end unknown" : ""].filter(Boolean).join(", ");
    const bars = lanes.get(text(row[lane])) ?? lanes.set(text(row[lane]), []).get(text(row[lane]));
    bars.push({ from: from[0], until: until?.[1] ?? (OPEN.includes(row[end]?.value) ? Infinity : from[1]), said });
  }
  if (lanes.size < 2 || lanes.size > MOST) return null;
  return picture(lanes, across);
}

/** The heat map: a line per name, a square per year; null without a name, a year and a number in each row. */
export function heatmap(names, rows, text, across) {
  const all = (test) => names.filter((name) => rows.every((row) => row[name] && test(row[name])));
  const [year] = all(({ value }) => /^\d{4}$/.test(value));
  const [number] = all(isNumber).filter((name) => name !== year);
  const [lane] = names.filter((name) => name !== year && name !== number && rows.every((row) => row[name]));
  if (!year || !number || !lane) return null;
  const lanes = [...new Set(rows.map((row) => text(row[lane])))].slice(0, MOST);
  const years = rows.map((row) => Number(row[year].value));
  const [low, high] = [Math.min(...years), Math.max(...years) + 1];
  const most = Math.max(...rows.map((row) => Number(row[number].value))) || 1;
  const left = Math.min(across * 0.35, 200);
  const wide = (across - left) / (high - low);
  const said = `${lanes.length} lines, ${low} to ${high - 1}`;
  const whole = drawn("svg", { width: across, height: (lanes.length + 1) * LANE, class: "chart", role: "img", "aria-label": said });
  lanes.forEach((name, place) => whole.append(drawn("text", { x: 0, y: place * LANE + 14 }, drawn("title", {}, name), fitted(name, left - 12))));
  for (const row of rows) {
    const place = lanes.indexOf(text(row[lane]));
    const words = `${text(row[lane])}, ${row[year].value}: ${row[number].value}`;
    const x = left + (Number(row[year].value) - low) * wide;
    if (place >= 0) whole.append(drawn("rect", { x, y: place * LANE + 2, width: Math.max(wide - 1, 1), height: LANE - 4, "fill-opacity": (0.15 + (0.85 * Number(row[number].value)) / most).toFixed(2) }, drawn("title", {}, words)));
  }
  const step = Math.ceil((high - low) / 5);
  for (let shown = low; shown < high; shown += step) whole.append(drawn("text", { x: left + (shown - low) * wide, y: lanes.length * LANE + 14, class: "number" }, String(shown)));
  return whole;
}

function picture(lanes, across) {
  const bars = [...lanes.values()].flat();
  const low = Math.floor(Math.min(...bars.map(({ from }) => from)));
  const high = Math.ceil(Math.max(...bars.map(({ from, until }) => (Number.isFinite(until) ? until : from + 1))));
  const names = Math.min(across * 0.35, 200);
  const at = (moment) => names + ((Math.min(moment, high) - low) / (high - low)) * (across - names);
  const height = lanes.size * LANE;
  const said = [...lanes].map(([name, found]) => `${name}: ${found.map((bar) => bar.said).join("; ")}`).join(". ");
  const whole = drawn("svg", { width: across, height: height + LANE, class: "chart", role: "img", "aria-label": `${low} to ${high}. ${said}` });
  [...lanes].forEach(([name, found], place) => {
    const y = place * LANE;
    whole.append(drawn("text", { x: 0, y: y + 14 }, drawn("title", {}, name), fitted(name, names - 12)));
    for (const { from, until, said: words } of found) {
      whole.append(drawn("rect", { x: at(from), y: y + (LANE - BAR) / 2, width: Math.max(at(until) - at(from), 3), height: BAR, rx: 1.5 }, drawn("title", {}, words)));
      if (until === Infinity) whole.append(drawn("path", { d: `M${across - 5} ${y + LANE / 2 - 6}l8 6-8 6z`, fill: "var(--accent)" }));
    }
  });
  const step = Math.ceil((high - low) / 5);
  for (let year = low; year <= high; year += step) whole.append(drawn("text", { x: at(year), y: height + 14, class: "number", "text-anchor": year === high ? "end" : "start" }, String(year)));
  return whole;
}
