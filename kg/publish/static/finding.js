// Search by names and by lines about entries; mirrors kg/publish/search/matching.py on the server (a test compares the two).
const MARKS = /[\u0300-\u036f\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g;
const BREAK = /[\s\x00-/:-@[-`{-\u00bf\u00d7\u00f7\u05be\u2000-\u206f\u2e00-\u2e7f\u3000-\u3002\u3008-\u301f\u3030\u30fb]/;
const WITHOUT_SPACES = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3040-\u30fa\u30fc-\u30ff\u3400-\u9fff\uf900-\ufaff]/;
const NUMBER = /^\d+$/;
const KEY = 2, LONG_ENOUGH = 4, MOST_WORDS = 8, MOST_PARTS = 8;

export function fold(letter, letters) {
  const small = letter.normalize("NFKD").toLowerCase().normalize("NFKD").replace(MARKS, "");
  return [...small].map((each) => letters[each] ?? each).join("");
}

// The significant letters of a text, the word starts among them, and the position of each in the text.
export function lay(text, letters) {
  let joined = "", place = 0, atBreak = true;
  const starts = [], places = [];
  for (const letter of text) {
    for (const plain of fold(letter, letters)) {
      if (BREAK.test(plain)) { atBreak = true; continue; }
      if (atBreak || WITHOUT_SPACES.test(plain)) starts.push(joined.length);
      atBreak = false;
      joined += plain;
      for (let unit = 0; unit < plain.length; unit++) places.push(place);
    }
    place += letter.length;
  }
  return { joined, starts, places };
}

export function words(text, letters) {
  const folded = [...text].map((letter) => fold(letter, letters)).join("");
  return folded.split(BREAK).filter(Boolean).slice(0, MOST_WORDS);
}

// DeepSpeed is found as deep speed.
const spaced = (text) => text.replace(/(?<=[a-z])(?=[A-Z])/g, " ");
const laid = (text, letters) => ({ ...lay(text, letters), starts: lay(spaced(text), letters).starts });

function nearly(joined, start, word, right) {
  let same = 0;
  while (same < word.length && joined[start + same] === word[same]) same++;
  if (same < right) return false;
  const here = start + same, rest = word.slice(same);
  const swapped = rest.slice(1, 2) + rest.slice(0, 1) + rest.slice(2);
  // The last letter must be right, too: award is not aware.
  return joined.startsWith(rest, here + 1) || (rest.length > 1 &&
    (joined.startsWith(rest.slice(1), here + 1) || joined.startsWith(rest.slice(1), here) || joined.startsWith(swapped, here)));
}

// `slips`: how many first letters must be right; 0 if all.
function begins(text, word, slips) {
  const found = text.starts.filter((start) => text.joined.startsWith(word, start));
  if (found.length || !slips || word.length < LONG_ENOUGH || NUMBER.test(word)) return found;
  return text.starts.filter((start) => nearly(text.joined, start, word, slips));
}

const has = (text, wanted, slips) => wanted.every((word) => begins(text, word, slips).length);

function rank(entry, wanted, slips) {
  const [name, ...others] = entry.names, together = wanted.join(""), other = entry.isOwner ? 0 : 10;
  if (has(name, wanted, slips)) return other + (name.joined === together ? 0 : name.joined.startsWith(together) ? 1 : 2);
  const fit = others.filter((text) => has(text, wanted, slips));
  if (fit.length) return other + (fit.some((text) => text.joined === together) ? 0 : 3);
  const all = [...entry.names, entry.year];
  const left = wanted.filter((word) => !all.some((text) => begins(text, word, slips).length));
  return !left.length ? 14 : entry.lines.some((line) => has(line, left, slips)) ? 15 : -1;
}

// The name in parts: [text, whether it matches].
function parts(entry, wanted, slips) {
  const name = entry.names[0], hit = new Set(), found = [];
  for (const word of wanted) {
    for (const start of begins(name, word, slips)) {
      const end = name.places[Math.min(start + word.length, name.joined.length) - 1];
      for (let place = name.places[start]; place <= end; place++) hit.add(place);
    }
  }
  let place = 0;
  for (const letter of entry.name) {
    const isHit = hit.has(place);
    if (found.length && found.at(-1)[1] === isHit) found.at(-1)[0] += letter;
    else found.push([letter, isHit]);
    place += letter.length;
  }
  return found;
}

function also(entry, wanted, slips) {
  if (has(entry.names[0], wanted, slips)) return "";
  const lines = entry.folder === "people" ? entry.said.filter((_, number) => has(entry.lines[number], wanted, slips)) : [];
  return entry.others.find((_, number) => has(entry.names[number + 1], wanted, slips)) ?? lines[0] ?? "";
}

// The best of all kinds: none takes more than half of the places that others can fill.
function varied(ranked, most) {
  const counts = {}, first = [], rest = [];
  ranked.forEach(({ entry }, place) => {
    counts[entry.folder] = (counts[entry.folder] ?? 0) + 1;
    (counts[entry.folder] <= Math.floor(most / 2) ? first : rest).push(place);
  });
  return [...first, ...rest].slice(0, most).sort((one, other) => one - other).map((place) => ranked[place]);
}

// Grouped by kind: kinds with an exact name first, then people, then works.
function byKind(ranked) {
  const groups = Map.groupBy ? Map.groupBy(ranked, ({ entry }) => entry.folder) : ranked.reduce((map, each) => map.set(each.entry.folder, [...(map.get(each.entry.folder) ?? []), each]), new Map());
  const order = [...new Set(["people", "publications", ...groups.keys()])];
  const place = (kind) => {
    const best = Math.min(...groups.get(kind).map(({ grade }) => grade % 10)), number = order.indexOf(kind);
    return (best > 0 ? 10_000 : 0) + (number > 1 ? 1_000 : 0) + (best === 5 ? 100 : 0) + number;
  };
  return [...groups.keys()].sort((one, other) => place(one) - place(other)).flatMap((kind) => groups.get(kind));
}

export function find(entries, wanted, most, right = 1) {
  for (const slips of [0, right]) {
    const ranked = entries.map((entry, number) => ({ entry, number, grade: rank(entry, wanted, slips) })).filter(({ grade }) => grade >= 0);
    if (!ranked.length) continue;
    ranked.sort((one, other) => one.grade - other.grade || one.number - other.number);
    const best = byKind(varied(ranked, most)).map(({ entry }) => entry);
    return { total: ranked.length, hits: best.map((entry) => ({ entry, parts: parts(entry, wanted, slips), also: also(entry, wanted, slips) })) };
  }
  return { total: 0, hits: [] };
}

// The search index of a site, loaded on demand; a large one is split into parts.
export class Catalogue {
  constructor(address) {
    this.address = address;
    this.loaded = new Map();
  }

  async read(path) {
    if (!this.loaded.has(path)) {
      this.loaded.set(path, fetch(new URL(path, this.address)).then((answer) => {
        if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
        return answer.json();
      }));
      this.loaded.get(path).catch(() => this.loaded.delete(path)); // so that it is retried
    }
    return this.loaded.get(path);
  }

  async entries(path) {
    const { letters } = await this.read("search.json"), index = await this.read(path);
    index.entries ??= index.found.flatMap(([kind, folder, isOwner, rows]) => rows.map(([slug, name, note, others, said]) => ({
      kind, folder, name, note, others, said, isOwner, address: `${folder}/${slug}`,
      names: [name, ...others].map((text) => laid(text, letters)), year: lay(NUMBER.test(note) ? note : "", letters),
      lines: said.map((text) => lay(text, letters)),
    })));
    return index.entries;
  }

  // The parts of the index that can match; null if more letters are needed.
  choose(keys, wanted) {
    const telling = wanted.filter((word) => !NUMBER.test(word));
    const chosen = (telling.length ? telling : wanted).map((word) => {
      const longer = keys.filter((key) => key.startsWith(word));
      const own = keys.filter((key) => word.startsWith(key)).sort((one, other) => other.length - one.length).slice(0, 1);
      return longer.length > MOST_PARTS ? null : [...new Set([...longer, ...own])];
    }).filter(Boolean);
    return chosen.length ? chosen.sort((one, other) => one.length - other.length)[0] : null;
  }

  // `fits` filters entries.
  async find(query, most, fits = () => true) {
    const { letters, parts: keys } = await this.read("search.json");
    const wanted = words(query, letters);
    if (!wanted.length) return { total: 0, hits: [] };
    if (!keys) return find((await this.entries("search.json")).filter(fits), wanted, most);
    const chosen = this.choose(keys, wanted);
    if (!chosen) return { total: 0, hits: [], isVague: true };
    const path = (key) => `search/${[...key].map((each) => (each < "\x80" ? each : `u${each.codePointAt(0).toString(16)}`)).join("")}.json`;
    const lists = await Promise.all(chosen.map((key) => this.entries(path(key))));
    const seen = new Map(lists.flat().map((entry) => [entry.address, entry]));
    return find([...seen.values()].filter(fits), wanted, most, KEY);
  }
}
