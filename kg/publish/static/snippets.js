// Copy buttons for a query: its link, and code for curl, Python and pandas.

const inShell = (text) => `'${text.replaceAll("'", "'\\''")}'`;
const inPython = (text) => `"""${text.replaceAll("\\", "\\\\").replaceAll('"""', '\\"\\"\\"').replace(/"$/, '\\"')}"""`;
const isGraph = (form) => form === "CONSTRUCT" || form === "DESCRIBE";

/** Each takes the endpoint, the query, its form (SELECT, ASK, CONSTRUCT, DESCRIBE) and the graph parameters. */
export const SNIPPETS = {
  Link: (endpoint, query, _, graphs) => `${endpoint}?${new URLSearchParams([["query", query], ...graphs, ["format", "html"]])}`,

  curl: (endpoint, query, form, graphs) => {
    const accept = isGraph(form) ? "text/turtle" : form === "ASK" ? "application/sparql-results+json" : "text/csv";
    const fields = [["query", query], ...graphs].map(([name, value]) => ` \\\n  --data-urlencode ${inShell(`${name}=${value}`)}`);
    return `curl --silent ${inShell(endpoint)} --header ${inShell(`Accept: ${accept}`)}${fields.join("")}`;
  },

  Python: (endpoint, query, form, graphs) => {
    const reads = isGraph(form)
      ? "    print(answer.read().decode())"
      : form === "ASK"
        ? '    print(json.load(answer)["boolean"])'
        : '    for row in json.load(answer)["results"]["bindings"]:\n        print({name: term["value"] for name, term in row.items()})';
    const accept = isGraph(form) ? "text/turtle" : "application/sparql-results+json";
    return `${isGraph(form) ? "" : "import json\n"}from urllib.parse import urlencode
from urllib.request import Request, urlopen

query = ${inPython(query)}
fields = ${fields(graphs)}
request = Request(${JSON.stringify(endpoint)}, urlencode(fields).encode(), {"Accept": "${accept}"})
with urlopen(request) as answer:
${reads}
`;
  },

  pandas: (endpoint, query, form, graphs) => {
    if (form !== "SELECT") return `# pandas reads tables, which only SELECT gives; this is ${form}.\n`;
    return `from urllib.parse import urlencode

import pandas

query = ${inPython(query)}
fields = ${fields([...graphs, ["format", "csv"]])}
table = pandas.read_csv(${JSON.stringify(`${endpoint}?`)} + urlencode(fields))
print(table)
`;
  },
};

const fields = (pairs) => `[("query", query)${pairs.map((pair) => `, (${pair.map((text) => JSON.stringify(text)).join(", ")})`).join("")}]`;

/** The buttons below the editor. The copied text is also shown, in case scripts cannot use the clipboard. */
export function tools(form, yasqe, site) {
  const bar = document.createElement("p");
  bar.className = "take";
  const copied = document.createElement("pre");
  copied.hidden = true;
  copied.tabIndex = 0;
  const status = document.createElement("span");
  status.className = "note";
  status.setAttribute("role", "status");
  for (const [name, made] of Object.entries(SNIPPETS)) {
    if (site.loads && name !== "Link") continue; // a folder has no endpoint for programs
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = name === "Link" ? "Copy link" : `Copy as ${name}`;
    button.addEventListener("click", async () => {
      const graphs = [...form.querySelectorAll("input[type=checkbox]:checked")].map((box) => [box.name, box.value]);
      const text = made(site.endpoint, yasqe.getValue(), yasqe.getQueryType() ?? "SELECT", graphs);
      copied.textContent = text;
      copied.hidden = false;
      try {
        await navigator.clipboard.writeText(text);
        status.textContent = "Copied.";
      } catch {
        status.textContent = "Copy from here:";
      }
    });
    bar.append(button, " ");
  }
  bar.append(status);
  form.append(bar, copied);
}
