// Answers in words, in the browser; mirrors kg/publish/questions/answer_words.py.
import { isNumber } from "./terms.js";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const SEASONS = { 21: "Spring", 22: "Summer", 23: "Autumn", 24: "Winter" };
const DATES = new Set(["date", "when", "from", "until", "start", "end", "since", "last", "otherFrom", "otherUntil"]);

/** `2020-22` -> `Summer 2020`, `2019/2023` -> `2019–2023` */
export function inWords(text) {
  if (text.includes("/")) {
    const [first, last] = text.split("/").map((each) => (each === ".." ? "present" : inWords(each)));
    return first && last ? `${first}${/ /.test(first + last) ? " – " : "–"}${last}` : first ? `since ${first}` : `until ${last}`;
  }
  const [, year, month, day] = /^(\d{4})-(\d\d)(?:-(\d\d))?$/.exec(text) ?? [];
  const name = SEASONS[month] ?? MONTHS[month - 1];
  return name ? [day && Number(day), name, year].filter(Boolean).join(" ") : text;
}

/** The rows as a page shows them: without the columns that hold only entries, which become links, and with dates and shares in words. */
export function adapted(names, rows, words, shown) {
  const hidden = new Set(Object.values(words.columns).map(([, thing]) => thing).filter(Boolean));
  const kept = names.filter((name) => !hidden.has(name));
  const adapt = (row, name) => {
    const [, thing, isShare] = words.columns[name] ?? [];
    const found = row[name] && { ...row[name], link: row[thing] && shown.isOwn(row[thing].value) ? shown.href(row[thing].value) : "" };
    if (found && isShare) found.said = `${Number((found.value * 100).toFixed(1))} %`;
    else if (found && DATES.has(name)) found.said = inWords(found.value);
    return [name, found];
  };
  return [kept, rows.map((row) => Object.fromEntries(kept.map((name) => adapt(row, name)).filter(([, found]) => found)))];
}

/** A template with its values: texts and links; null if a value is missing. */
function written(template, values) {
  const found = [];
  let place = 0;
  for (const blank of template.matchAll(/\[([^\][]*)\]|\{([^}]*)\}/g)) {
    found.push(template.slice(place, blank.index));
    place = blank.index + blank[0].length;
    if (blank[1] !== undefined) {
      found.push(...(written(blank[1], values) ?? []));
      continue;
    }
    const [name, ...nouns] = blank[2].split("|");
    const value = values[name];
    if (!value) return null;
    found.push(nouns.length ? `${Number(value).toLocaleString("en")} ${nouns[Number(value) === 1 ? 0 : 1]}` : value);
  }
  return [...found, template.slice(place)].filter((each) => each !== "");
}

/** What an answer says. What is most is said only if nothing else is as much. */
export function sentence(words, names, rows, given, cell) {
  if (!rows.length) return ["No rows."];
  const first = Object.fromEntries(names.filter((name) => rows[0][name]).map((name) => [name, rows[0][name].link ? cell(rows[0][name]) : (rows[0][name].said ?? rows[0][name].value)]));
  const found = words.answer && written(words.answer, { ...first, ...given, count: String(rows.length) });
  if (!found) return [`${rows.length.toLocaleString("en")} row${rows.length > 1 ? "s" : ""}.`];
  const measured = names.filter((name) => words.most.includes(`{${name}`) && isNumber(rows[0][name]));
  const isSingle = rows.length > 1 && measured.every((name) => Number(rows[0][name].value) > Number(rows[1][name]?.value ?? 0));
  return [...found, ...(words.most && isSingle ? ["; ", ...(written(words.most, first) ?? [])] : []), "."];
}
