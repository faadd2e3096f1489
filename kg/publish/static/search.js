// The field for searching: a plain form, until somebody is about to use it.
const field = document.querySelector("form.find input");
const load = () => import("./combobox.js");

field.addEventListener("focus", load, { once: true });
if (document.activeElement === field || document.querySelector("[data-results]")) load();
document.addEventListener("keydown", (event) => {
  const inText = event.target.closest?.("input, textarea, select, [contenteditable], .editor");
  if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || inText) return;
  event.preventDefault();
  field.focus();
  field.select();
});
