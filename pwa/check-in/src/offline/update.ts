import { signal } from "@preact/signals";

/** A new version that waits until the person wants it. */
export const waitingWorker = signal<ServiceWorker | undefined>(undefined);

/**
 * Registers the service worker. A new one waits: it is offered, never forced. Once it has taken over, each page starts
 * again with it, when all that is being written is on the disk: what a page of the old version has not loaded yet is
 * nowhere any more.
 */
export async function registerWorker(settled: () => Promise<void>): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  let isControlled = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    if (isControlled) void settled().then(() => location.reload());
    isControlled = true;
  });
  const registration = await navigator.serviceWorker.register(workerUrl(), { scope: "./" });
  const offer = () => {
    if (registration.waiting && navigator.serviceWorker.controller) waitingWorker.value = registration.waiting;
  };
  offer();
  const watch = () => registration.installing?.addEventListener("statechange", offer);
  // The system may have found it before anybody listened: it looks as soon as the page is opened.
  watch();
  registration.addEventListener("updatefound", watch);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void registration.update().catch(() => undefined);
  });
}

/** The new version takes over. */
export function applyUpdate(): void {
  waitingWorker.value?.postMessage("take over");
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string };
}

/** The page's policy takes no plain text for the address of a script. */
function workerUrl(): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  const address = "sw.js";
  const only = (url: string) => {
    if (url !== address) throw new TypeError("Only the app's own service worker.");
    return url;
  };
  return trustedTypes?.createPolicy("service-worker", { createScriptURL: only }).createScriptURL(address) ?? address;
}
