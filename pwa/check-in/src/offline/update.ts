import { signal } from "@preact/signals";

/** A new version that waits until the person wants it. */
export const waitingWorker = signal<ServiceWorker | undefined>(undefined);

/** Registers the service worker. A new one waits: it is offered, never forced. */
export async function registerWorker(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const registration = await navigator.serviceWorker.register(workerUrl(), { scope: "./" });
  const offer = () => {
    if (registration.waiting && navigator.serviceWorker.controller) waitingWorker.value = registration.waiting;
  };
  offer();
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", offer);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") void registration.update().catch(() => undefined);
  });
}

/** The new version takes over, and the page starts again with it. */
export function applyUpdate(): void {
  navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
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
