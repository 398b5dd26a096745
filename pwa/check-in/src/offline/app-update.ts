import { signal } from "@preact/signals";

/** A new version, installed but not yet activated by the user. */
export const waitingWorker = signal<ServiceWorker | undefined>(undefined);

/**
 * Registers the service worker. A new version is offered to the user, never forced. Once active, all pages reload when
 * `waitForReload` allows it, because unloaded parts of the old version no longer exist.
 */
export async function registerServiceWorker(waitForReload: () => Promise<void>): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  let isControlled = navigator.serviceWorker.controller !== null;
  navigator.serviceWorker.addEventListener("controllerchange", () => {
    if (isControlled) void waitForReload().then(() => location.reload());
    isControlled = true;
  });
  const registration = await navigator.serviceWorker.register(workerUrl(), { scope: "./" });
  const offer = () => {
    if (registration.waiting && navigator.serviceWorker.controller) waitingWorker.value = registration.waiting;
  };
  offer();
  const watch = () => registration.installing?.addEventListener("statechange", offer);
  // The system checks on page load and may have found the update before this listener exists.
  watch();
  registration.addEventListener("updatefound", watch);
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void registration.update().catch(() => undefined);
  });
}

/** Activates the new version. */
export function applyUpdate(): void {
  waitingWorker.value?.postMessage("take over");
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { readonly createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string };
}

/** Returns the script URL as a trusted type, because the page's policy rejects plain strings. */
function workerUrl(): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  const address = "sw.js";
  const only = (url: string) => {
    if (url !== address) throw new TypeError("Only the app's own service worker.");
    return url;
  };
  return trustedTypes?.createPolicy("service-worker", { createScriptURL: only }).createScriptURL(address) ?? address;
}
