import "./page.ts";
import { afterEach, describe, expect, test, vi } from "vitest";
import { registerServiceWorker, waitingWorker } from "#app/offline/app-update.ts";
import { replaceRoute, waitUntilWorkIsLeft } from "#app/state/route.ts";

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

function openPage(registration: Registration) {
  const serviceWorker = Object.assign(new EventTarget(), { controller: {}, register: async () => registration });
  vi.stubGlobal("navigator", { ...navigator, serviceWorker });
  waitingWorker.value = undefined;
  return serviceWorker;
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

describe("a new version that another tab started", () => {
  async function activateOn(...screen: readonly string[]) {
    const reload = vi.fn();
    vi.stubGlobal("location", Object.assign(location, { reload }));
    replaceRoute(...screen);
    const serviceWorker = openPage(new Registration());
    await registerServiceWorker(waitUntilWorkIsLeft);
    serviceWorker.dispatchEvent(new Event("controllerchange"));
    await new Promise((resolve) => setTimeout(resolve));
    return reload;
  }

  afterEach(() => replaceRoute("day"));

  test("reloads a tab without open work at once", async () => {
    expect(await activateOn("day")).toHaveBeenCalledOnce();
  });

  test.each([["work", "a", "sign"], ["walk-in"]])(
    "reloads a tab with open work in %s with its next screen",
    async (...screen) => {
      const reload = await activateOn(...screen);
      expect(reload).not.toHaveBeenCalled();
      replaceRoute("booking", "1");
      await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
    },
  );
});
