// Runs queries in the browser, for a copy of the site without an endpoint. A web worker keeps the page responsive.

const QUERY_TIMEOUT = 60; // seconds, once everything is loaded
const PACKED = /\.gz$/;

const megabytes = (bytes) => (bytes / 1e6).toFixed(1);

/** `ask` returns media type, text and milliseconds of an answer; `stop` cancels the running query. Nothing is loaded before the first query. */
export function local(site) {
  let worker, clock, asked;
  const loads = Object.fromEntries(
    Object.entries(site.loads).map(([name, address]) => [name, new URL("DecompressionStream" in window ? address : address.replace(PACKED, ""), location.href).href]),
  );
  const given = { ...loads, base: site.base, prefixes: site.prefixes, prefixLine: `PREFIX schema: <${site.prefixes.schema}>` };

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
    if (data.read) {
      const whole = data.total > data.read ? ` of ${megabytes(data.total)}` : "";
      asked?.tell(`Loading the engine and the data: ${megabytes(data.read)}${whole} MB …`);
      return;
    }
    if (data.isReady) {
      asked.tell("Running …");
      clock = setTimeout(stop, QUERY_TIMEOUT * 1000, `Stopped: no answer after ${QUERY_TIMEOUT} s.`);
      return;
    }
    clearTimeout(clock);
    if (data.isFatal) end(); // loading failed, or the engine cannot be reused
    if (data.problem) fail(data.problem);
    else asked.resolve(data);
  };
  const start = () => {
    const started = new Worker(new URL("./engine.js", import.meta.url), { type: "module" });
    started.onmessage = hear;
    started.onerror = (event) => stop(`Cannot start the engine in this browser${event.message ? `: ${event.message}` : "."}`);
    return started;
  };
  const ask = (query, wanted, tell) =>
    new Promise((resolve, reject) => {
      if (asked) end(); // only the latest query counts
      asked = { resolve, reject, tell };
      if (!worker) tell("Loading the engine and the data …");
      worker ??= start();
      worker.postMessage({ site: given, query, wanted });
    }).finally(() => (asked = undefined));
  return { ask, stop };
}

/** The Stop button, shown while a query runs. */
export function stopper(form, here) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Stop";
  button.hidden = true;
  button.addEventListener("click", () => here.stop());
  form.querySelector("button[type=submit]").after(" ", button);
  return button;
}

/** Downloads an answer as a file, named as a server would; returns the name. */
export function saved(type, content, wanted, name = "answer") {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = `${name}.${wanted === "turtle" ? "ttl" : wanted}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000); // the browser may still show its save dialog
  return link.download;
}
