// The pages of questions: fields find things as one types, and in a folder this browser answers, with the engine of the query editor.

/** A field shows a name; what is sent is the slug. */
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
  field.addEventListener("focus", () => load().catch(() => {}), { once: true }); // from a disk it cannot be: then a slug or a name is typed
}

for (const form of document.querySelectorAll("form.values")) {
  for (const field of form.querySelectorAll("[data-folder]")) adopt(field);
  form.addEventListener("formdata", ({ formData }) => {
    for (const [name, value] of [...formData]) if (!value) formData.delete(name);
  });
}

// What others copy names the place where this page is, which need not be the one that it was made for.
for (const { dataset, children } of document.querySelectorAll(".tabs[data-base]")) {
  const root = new URL(dataset.root, location.href).href;
  for (const tab of children) if (tab.matches(".tab")) tab.firstChild.textContent = tab.firstChild.textContent.replaceAll(dataset.base, root);
}

const place = document.getElementById("answer");
if (place?.dataset.engine) {
  document.getElementById("needs")?.remove(); // what it takes is there
  const given = new Map([...new URLSearchParams(location.search)].filter(([, value]) => value.trim()));
  if (given.size) import("./question-answer.js").then(({ answer }) => answer(place, given));
}
