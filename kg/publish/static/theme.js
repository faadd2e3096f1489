// The colours that a reader chose, set before anything is drawn: as the system has them, light, or dark. Styles are told that scripts run.
{
  const root = document.documentElement, themes = { "": "as the system", light: "light", dark: "dark" };
  const stored = () => { try { return localStorage.getItem("theme"); } catch { return null; } }; // a private window may keep nothing
  let theme = themes[stored()] ? stored() : "";
  const show = () => {
    root.dataset.theme = theme;
    document.querySelector("#theme")?.setAttribute("aria-label", `Colours: ${themes[theme]}`);
  };

  root.classList.add("js");
  show();
  document.addEventListener("DOMContentLoaded", show);
  document.addEventListener("click", (event) => {
    if (!event.target.closest("#theme")) return;
    const names = Object.keys(themes);
    theme = names[(names.indexOf(theme) + 1) % names.length];
    try { localStorage.setItem("theme", theme); } catch { /* then it lasts as long as the page */ }
    show();
  });
}
