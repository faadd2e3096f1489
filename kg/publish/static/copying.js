// Copies data and citations; loaded on first use.

/** The JSON-LD of this page as `kg embed` prints it: ASCII, no template syntax, and a marker to find it again. */
function embed() {
  const data = JSON.parse(document.querySelector('script[type="application/ld+json"]').textContent);
  // Breadcrumbs are valid only on this page.
  delete data.breadcrumb;
  const body = JSON.stringify(data, null, 1);
  const iri = document.querySelector("link[rel=canonical]").getAttribute("href");
  const mark = iri.replace(/&/g, "&amp;").replace(/'/g, "&#x27;").replace(/[^ -~]/gu, (letter) => `&#${letter.codePointAt(0)};`);
  const safe = body.replace(/[^\n -~]|[<>&]|\{(?![\n}])/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `<script type="application/ld+json" data-cv-kg="${mark}">\n${safe}\n</script>\n`;
}

/** Copies the text next to a button, or else the JSON-LD of the page, and reports it next to the button. */
export async function copy(button) {
  const said = button.parentElement.querySelector("[role=status]") ?? button;
  const beside = button.closest(".sheet, .tab")?.querySelector("pre");
  try {
    await navigator.clipboard.writeText(beside?.textContent ?? embed());
    said.textContent = beside ? "Copied." : "Copied. Paste it into the HTML of your page.";
  } catch {
    said.textContent = "Not copied: the browser blocked it.";
  }
}
