import { render } from "preact";
import { App } from "./app.tsx";
import "#shared/tokens.css";
import "./style/base.css";
import "./style/parts.css";
import "./style/screens.css";
import { registerServiceWorker } from "./offline/app-update.ts";
import { readStorageSpace } from "./offline/storage.ts";
import UnusableStorageScreen from "./screens/unusable/index.tsx";
import { showAndRefreshToday, showStoredToday } from "./state/account.ts";
import { startIdleAppLock } from "./state/app-lock.ts";
import { cleanUpConfirmedWork, database, restoreSession, sendDueItems, session } from "./state/device-session.ts";
import { waitForPendingWrites } from "./state/pending-writes.ts";
import { applyTheme, chooseLanguage, language } from "./state/preferences.ts";
import { waitUntilWorkIsLeft } from "./state/route.ts";
import { currentMinute, storageSpace } from "./ui/banners.tsx";

applyTheme();
const texts = chooseLanguage(language.peek());
// Tell the user if the device refuses or has no space for the database.
const initialState = await restoreSession().catch(() => undefined);
if (initialState) {
  startIdleAppLock(initialState.meta);
  if (session.peek()) await showStoredToday(initialState);
}
await texts;
const Root = initialState ? App : UnusableStorageScreen;
const root = document.querySelector("#app");
if (root) render(<Root />, root);
setInterval(() => {
  currentMinute.value = Date.now();
}, 60_000);
if (initialState) afterPaint(begin);
if (initialState)
  whenIdle(() => {
    // Preload the screen that the user opens next.
    if (session.peek()) void import("./screens/booking/index.tsx");
    void cleanUpConfirmedWork();
    void readStorageSpace(database).then((space) => {
      storageSpace.value = space;
    });
  });

function begin(): void {
  if (session.peek()) void showAndRefreshToday();
  void sendDueItems();
  void registerServiceWorker(() => waitUntilWorkIsLeft().then(waitForPendingWrites));
}

/** Runs work after the first paint, so that server requests don't delay stored content. */
function afterPaint(work: () => void): void {
  let isDone = false;
  const once = () => {
    if (!isDone) work();
    isDone = true;
  };
  requestAnimationFrame(() => setTimeout(once));
  // Background pages aren't painted.
  setTimeout(once, 1000);
}

/** Defers disk writes until the browser is idle. */
function whenIdle(work: () => void): void {
  if ("requestIdleCallback" in window) requestIdleCallback(work, { timeout: 5000 });
  else setTimeout(work, 1000);
}
