// Data and citations to copy, loaded by who wants some.

/** The data of this page as `kg embed` prints them: plain ASCII, nothing that a template would run, and a mark to find them by again. */
function embed() {
  const data = JSON.parse(document.querySelector('script[type="application/ld+json"]').textContent);
  // Another page is not on the same way.
  delete data.breadcrumb;
  const body = JSON.stringify(data, null, 1);
  const iri = document.querySelector("link[rel=canonical]").getAttribute("href");
  const mark = iri.replace(/&/g, "&amp;").replace(/'/g, "&#x27;").replace(/[^ -~]/gu, (letter) => `&#${letter.codePointAt(0)};`);
  const safe = body.replace(/[^\n -~]|[<>&]|\{(?![\n}])/g, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return `<script type="application/ld+json" data-cv-kg="${mark}">\n${safe}\n</script>\n`;
}

/** Copies the text beside a button, or else the data of its page, and says so beside it. */
export async function copy(button) {
  const said = button.parentElement.querySelector("[role=status]") ?? button;
  const beside = button.closest(".sheet, .tab")?.querySelector("pre");
  try {
    await navigator.clipboard.writeText(beside?.textContent ?? embed());
    said.textContent = beside ? "Copied." : "Copied. Paste it into the page of another site.";
  } catch {
    said.textContent = "Not copied: the browser did not allow it.";
  }
}
