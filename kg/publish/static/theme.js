// The colour theme (system, light or dark), applied before the first paint. Also marks the page as having scripts.
{
  const root = document.documentElement, themes = { "": "system", light: "light", dark: "dark" };
  const stored = () => { try { return localStorage.getItem("theme"); } catch { return null; } }; // storage can be unavailable in private windows
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
    try { localStorage.setItem("theme", theme); } catch { /* the choice lasts until the page is closed */ }
    show();
  });
}
