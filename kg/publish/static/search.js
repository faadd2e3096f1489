// The search field: a plain form until the user focuses it.
{
  const field = document.querySelector("form.find input");
  const place = document.querySelector("[data-results]");
  const load = () => import("./search-results.js").catch(() => {});

  if (location.protocol === "file:") { // browsers load neither modules nor the index
    if (place) {
      field.value = new URLSearchParams(location.search).get("q") ?? "";
      place.replaceChildren(Object.assign(document.createElement("p"), { textContent: "Search needs a web server: kg serve FOLDER" }));
    }
  } else {
    for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false" })) field.setAttribute(name, value);
    field.addEventListener("focus", load, { once: true });
    if (document.activeElement === field || place) load();
  }
  document.addEventListener("keydown", (event) => {
    const inText = event.target.closest?.("input, textarea, select, [contenteditable], .editor");
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || inText) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
}
