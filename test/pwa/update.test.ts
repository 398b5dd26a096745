import "./page.ts";
import { afterEach, expect, test, vi } from "vitest";
import { registerServiceWorker, waitingWorker } from "#app/offline/app-update.ts";

/** A new service worker version being installed. */
class Installing extends EventTarget {}

/** Simulated service worker registration. */
class Registration extends EventTarget {
  installing: Installing | null = null;
  waiting: Installing | null = null;
  readonly update = async () => undefined;

  /** Marks the new version as installed and waiting. */
  finish(worker: Installing): void {
    [this.installing, this.waiting] = [null, worker];
    worker.dispatchEvent(new Event("statechange"));
  }
}

function openPage(registration: Registration): void {
  const serviceWorker = Object.assign(new EventTarget(), { controller: {}, register: async () => registration });
  vi.stubGlobal("navigator", { ...navigator, serviceWorker });
  waitingWorker.value = undefined;
}

// Restore globals, because the next test file shares this page.
afterEach(() => {
  vi.unstubAllGlobals();
  waitingWorker.value = undefined;
});

// Proves "check-in.md": 24d
test.each([
  ["before the page listens", true],
  ["while the page is open", false],
])("offers a new version found %s once it is ready", async (_when, isBefore) => {
  const [registration, worker] = [new Registration(), new Installing()];
  if (isBefore) registration.installing = worker;
  openPage(registration);
  await registerServiceWorker(async () => undefined);
  if (!isBefore) {
    registration.installing = worker;
    registration.dispatchEvent(new Event("updatefound"));
  }
  expect(waitingWorker.value).toBeUndefined();
  registration.finish(worker);
  expect(waitingWorker.value).toBe(worker);
});
