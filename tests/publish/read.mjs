// Reads JSON-LD documents with the library that most JavaScript uses: {name: document} comes in, {name: N-Quads} goes out.
import jsonld from "jsonld";
import { readFileSync } from "node:fs";

async function documentLoader(address) {
  throw new Error(`${address} was asked for; a page must be readable without the network`);
}

const read = {};
for (const [name, document] of Object.entries(JSON.parse(readFileSync(0, "utf8")))) {
  read[name] = await jsonld.toRDF(document, { format: "application/n-quads", documentLoader });
}
process.stdout.write(JSON.stringify(read));
