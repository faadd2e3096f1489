// Questions that this browser answers itself, for a copy of the site that no server answers for. A worker does it, so that the page lives.

const PATIENCE = 60; // seconds for a question, once all is loaded
const PACKED = /\.gz$/;

/** `ask` gives media type, text and milliseconds of an answer; `stop` ends what is being asked. Nothing is loaded before the first question. */
export function local(site) {
  let worker, clock, asked;
  const loads = Object.fromEntries(
    Object.entries(site.loads).map(([name, address]) => [name, new URL("DecompressionStream" in window ? address : address.replace(PACKED, ""), location.href).href]),
  );
  const given = { ...loads, base: site.base, prefixLine: `PREFIX schema: <${site.prefixes.schema}>` };

  const end = () => {
    clearTimeout(clock);
    worker?.terminate();
    worker = undefined;
  };
  const fail = (why) => asked?.reject(new Error(why));
  const stop = (why = "Stopped.") => {
    end();
    fail(why);
  };
  const hear = ({ data }) => {
    if (data.isReady) {
      asked.tell("Asking …");
      clock = setTimeout(stop, PATIENCE * 1000, `Stopped: there was no answer after ${PATIENCE} seconds.`);
      return;
    }
    clearTimeout(clock);
    if (data.isFatal) end(); // it could not be loaded, or is not fit for another question
    if (data.problem) fail(data.problem);
    else asked.resolve(data);
  };
  const start = () => {
    const started = new Worker(new URL("./engine.js", import.meta.url), { type: "module" });
    started.onmessage = hear;
    started.onerror = (event) => stop(`The engine cannot be started in this browser${event.message ? `: ${event.message}` : "."}`);
    return started;
  };
  const ask = (query, wanted, tell) =>
    new Promise((resolve, reject) => {
      if (asked) end(); // the last question matters
      asked = { resolve, reject, tell };
      if (!worker) tell("Loading the engine and the data …");
      worker ??= start();
      worker.postMessage({ site: given, query, wanted });
    }).finally(() => (asked = undefined));
  return { ask, stop };
}

/** The button that ends a question; it is shown while one is asked. */
export function stopper(form, here) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Stop";
  button.hidden = true;
  button.addEventListener("click", () => here.stop());
  form.querySelector("button[type=submit]").after(" ", button);
  return button;
}

/** Gives an answer to the reader as a file, as a server would send it; returns its name. */
export function saved(type, content, wanted, name = "answer") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = `${name}.${wanted === "turtle" ? "ttl" : wanted}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // a browser may still be asking where to put it
  return link.download;
}
