// Writes the marks of networks and registers (paths in a box of 24 × 24) to marks.json, from the package simple-icons. `make editor` runs this.
// Pages use general icons for networks without a mark, and for all if this was not run.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const OTHER_NAMES = { twitter: "x" }, REGISTERS = ["orcid", "scopus", "wikidata", "dblp", "researcherid"];
const here = (path) => new URL(path, import.meta.url);
const icons = createRequire(import.meta.url)("simple-icons");
const [, ...lines] = readFileSync(here("../../facts/values/social-networks.tsv"), "utf8").trim().split("\n");
const networks = lines.map((line) => line.split("\t"));

function path(key) {
  const name = (OTHER_NAMES[key] ?? key).replaceAll("-", "");
  return icons[`si${name[0].toUpperCase()}${name.slice(1)}`]?.path;
}

const keys = [...new Set([...networks.map(([key]) => key), ...REGISTERS])].sort();
const found = Object.fromEntries(keys.map((key) => [key, path(key)]).filter(([, drawn]) => drawn));
writeFileSync(here("marks.json"), `${JSON.stringify(found, null, 0)}\n`);
