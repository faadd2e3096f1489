// Loads the page anew when the files were saved. The browser finds the scroll place by itself.
const { state } = document.currentScript.dataset;
const once = (event) => new Promise((done) => document.addEventListener(event, done, { once: true }));
const seconds = (number) => new Promise((done) => setTimeout(done, 1000 * number));

async function follow() {
  for (;;) {
    if (document.hidden) await once("visibilitychange"); // a browser opens few connections to one host
    const answer = await fetch(`/live?state=${state}`).catch(() => null);
    if (!answer) await seconds(1); // the server may come back
    else if (!answer.ok) return;
    else if ((await answer.text()) !== state) return location.reload();
  }
}

follow();
