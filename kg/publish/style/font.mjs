// Builds the page font from its package: a small subset with only the characters, weights and features in use. `make editor` runs this.
// The files go to static/, with their licence, and the @font-face rules to 06-font.css; without them pages use the fallbacks of 05-font.css.
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import subset from "subset-font";

const FAMILY = "Source Serif 4", LATIN = "U+0020-007E, U+00A0-00A1, U+00A3, U+00A7, U+00A9-00AB, U+00AE, U+00B0-00B3, U+00B5-00B7, U+00BA-00BB, U+00BF-00FF, U+2010-2014, U+2018-201E, U+2020-2022, U+2026, U+2032, U+2039-203A, U+20AC, U+2122, U+2212";
const UPRIGHT = { min: 400, max: 600, default: 400 }; // the weights in use; bolder text gets 600, without being drawn bolder by the browser
// name -> package file, characters, weights; browsers load only the files that a page needs
const PARTS = {
  latin: ["latin-wght-normal", LATIN, UPRIGHT],
  "latin-ext": ["latin-ext-wght-normal", "U+0100-024F, U+1E00-1EFF", UPRIGHT],
  "latin-italic": ["latin-wght-italic", LATIN, 400],
};

const here = (path) => new URL(path, import.meta.url);
const source = (path) => createRequire(import.meta.url).resolve(`@fontsource-variable/source-serif-4/${path}`);

function letters(ranges) {
  return ranges.split(", ").map((range) => {
    const [first, last = first] = range.slice(2).split("-").map((code) => parseInt(code, 16));
    return Array.from({ length: last - first + 1 }, (_, place) => String.fromCodePoint(first + place)).join("");
  }).join("");
}

const rules = [];
for (const [name, [file, ranges, wght]] of Object.entries(PARTS)) {
  const font = readFileSync(source(`files/source-serif-4-${file}.woff2`));
  const made = await subset(font, letters(ranges), { targetFormat: "woff2", variationAxes: { wght }, keepFeatures: ["kern", "liga"], noLayoutClosure: true });
  writeFileSync(here(`../static/source-serif-${name}.woff2`), made);
  const look = wght === UPRIGHT ? "font-weight: 400 700" : "font-weight: 400; font-style: italic";
  rules.push(`@font-face { font-family: "${FAMILY}"; src: url(source-serif-${name}.woff2) format("woff2"); ${look}; font-display: swap; unicode-range: ${ranges}; }\n`);
}
copyFileSync(source("LICENSE"), here("../static/source-serif-licence.txt"));
writeFileSync(here("06-font.css"), rules.join(""));
