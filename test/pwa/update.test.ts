import "./page.ts";
import { afterEach, expect, test, vi } from "vitest";
import { registerWorker, waitingWorker } from "#app/offline/update.ts";

/** A new version of the service worker that the system is installing. */
class Installing extends EventTarget {}

/** What the page is told of its service worker. */
class Registration extends EventTarget {
  installing: Installing | null = null;
  waiting: Installing | null = null;
  readonly update = async () => undefined;

  /** The new version is there, and waits. */
  finish(worker: Installing): void {
    [this.installing, this.waiting] = [null, worker];
    worker.dispatchEvent(new Event("statechange"));
  }
}

function aPage(registration: Registration): void {
  const serviceWorker = Object.assign(new EventTarget(), { controller: {}, register: async () => registration });
  vi.stubGlobal("navigator", { ...navigator, serviceWorker });
  waitingWorker.value = undefined;
}

// The next file has this page, too.
afterEach(() => {
  vi.unstubAllGlobals();
  waitingWorker.value = undefined;
});

test.each([
  ["before the page listens", true],
  ["while it is open", false],
])("a new version that the system finds %s is offered once it waits", async (_when, isBefore) => {
  const [registration, worker] = [new Registration(), new Installing()];
  if (isBefore) registration.installing = worker;
  aPage(registration);
  await registerWorker(async () => undefined);
  if (!isBefore) {
    registration.installing = worker;
    registration.dispatchEvent(new Event("updatefound"));
  }
  expect(waitingWorker.value).toBeUndefined();
  registration.finish(worker);
  expect(waitingWorker.value).toBe(worker);
});
