import { render } from "preact";
import { App } from "./app.tsx";
import "#shared/tokens.css";
import "./style/base.css";
import "./style/parts.css";
import "./style/screens.css";
import { checkStorage } from "./offline/storage.ts";
import { registerWorker } from "./offline/update.ts";
import Unusable from "./screens/unusable/index.tsx";
import { showStoredAccount, start } from "./state/account.ts";
import { watchIdle } from "./state/lock.ts";
import { database, send, session, tidy, wake } from "./state/phone.ts";
import { applyTheme, chooseLanguage, language } from "./state/preferences.ts";
import { settled } from "./state/turns.ts";
import { minute, storageSpace } from "./ui/banners.tsx";

applyTheme();
const texts = chooseLanguage(language.peek());
// Where the phone refuses its database, or has no room to open it, somebody has to be told.
const initialState = await wake().catch(() => undefined);
if (initialState) {
  watchIdle(initialState.meta);
  if (session.peek()) await showStoredAccount(initialState);
}
await texts;
const Root = initialState ? App : Unusable;
const root = document.querySelector("#app");
if (root) render(<Root />, root);
setInterval(() => {
  minute.value = Date.now();
}, 60_000);
if (initialState) afterPaint(begin);
if (initialState)
  whenIdle(() => {
    // What is opened next is there when it is touched.
    if (session.peek()) void import("./screens/booking/index.tsx");
    void tidy();
    void checkStorage(database).then((seen) => {
      storageSpace.value = seen;
    });
  });

function begin(): void {
  if (session.peek()) void start();
  void send();
  void registerWorker(settled);
}

/** Asking the server keeps nobody from seeing what is here already. */
function afterPaint(work: () => void): void {
  let isDone = false;
  const once = () => {
    if (!isDone) work();
    isDone = true;
  };
  requestAnimationFrame(() => setTimeout(once));
  // A page in the background is not painted.
  setTimeout(once, 1000);
}

/** What writes to the disk waits until nothing else is to be done. */
function whenIdle(work: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(work, { timeout: 5000 });
  else setTimeout(work, 1000);
}
