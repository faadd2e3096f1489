// Question pages: fields suggest entries while typing; in a folder, the engine of the SPARQL editor answers in the browser.

/** A field shows a name and submits the slug. */
function adopt(field) {
  const sent = Object.assign(document.createElement("input"), { type: "hidden", name: field.name, value: field.dataset.value });
  field.removeAttribute("name");
  field.after(sent);
  field.addEventListener("input", () => (sent.value = field.value.trim()));
  for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-expanded": "false" })) field.setAttribute(name, value);
  const choose = ({ entry }) => {
    field.value = entry.name;
    sent.value = entry.address.slice(field.dataset.folder.length + 1);
  };
  const load = async () => {
    const { combobox } = await import("./combobox.js");
    combobox(field, { id: field.id, choose, fits: (entry) => entry.address.startsWith(`${field.dataset.folder}/`) });
  };
  field.addEventListener("focus", () => load().catch(() => {}), { once: true }); // fails on pages opened from disk; then a slug or a name is typed
}

for (const form of document.querySelectorAll("form.values")) {
  for (const field of form.querySelectorAll("[data-folder]")) adopt(field);
  form.addEventListener("formdata", ({ formData }) => {
    for (const [name, value] of [...formData]) if (!value) formData.delete(name);
  });
}

// The list of questions is searched by the words of the questions.
const seek = document.getElementById("seek");
seek?.addEventListener("input", () => {
  const words = seek.value.toLowerCase().split(/\s+/);
  const items = [...document.querySelectorAll(".asking li")];
  for (const item of items) item.hidden = !words.every((word) => `${item.textContent} ${item.firstElementChild.pathname}`.toLowerCase().includes(word));
  for (const part of document.querySelectorAll(".asking")) part.hidden = !part.querySelector("li:not([hidden])");
  seek.parentElement.querySelector("[role=status]").textContent = `${items.filter((item) => !item.hidden).length} of ${items.length}`;
});

// Snippets use the current address of the page, which can differ from the base address of the build.
for (const { dataset, children } of document.querySelectorAll(".tabs[data-base]")) {
  const root = new URL(dataset.root, location.href).href;
  for (const tab of children) if (tab.matches(".tab")) tab.firstChild.textContent = tab.firstChild.textContent.replaceAll(dataset.base, root);
}

const place = document.getElementById("answer");
if (place?.dataset.engine) {
  document.getElementById("needs")?.remove(); // requirements are met
  const given = new Map([...new URLSearchParams(location.search)].filter(([, value]) => value.trim()));
  if (given.size) import("./question-answer.js").then(({ answer }) => answer(place, given));
}
