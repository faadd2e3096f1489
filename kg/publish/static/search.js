// The search field: a plain form until the user focuses it.
{
  const field = document.querySelector("form.find input");
  const load = () => import("./search-results.js").catch(() => {}); // fails on pages opened from disk; the form stays plain

  for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false" })) field.setAttribute(name, value);
  field.addEventListener("focus", load, { once: true });
  if (document.activeElement === field || document.querySelector("[data-results]")) load();
  document.addEventListener("keydown", (event) => {
    const inText = event.target.closest?.("input, textarea, select, [contenteditable], .editor");
    if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || inText) return;
    event.preventDefault();
    field.focus();
    field.select();
  });
}
