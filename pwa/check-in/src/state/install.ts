import { signal } from "@preact/signals";
import { requestPersistentStorage } from "../offline/storage.ts";
import { readLocal, writeLocal } from "./local-storage.ts";

interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

/** The browser's install prompt, stored until the user wants it. */
export const installPrompt = signal<InstallPrompt | undefined>(undefined);

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  installPrompt.value = event as InstallPrompt;
});
// Requests persistent storage again, because browsers grant it more easily to installed apps.
addEventListener("appinstalled", () => {
  installPrompt.value = undefined;
  void requestPersistentStorage();
});

const DECLINED = "checkin.install-declined";
/** Whether the user declined the installation. The option stays in the settings. */
export const isInstallDeclined = signal(readLocal(DECLINED) !== null);

/** Hides the offer to install the app on this device. */
export function declineInstall(): void {
  isInstallDeclined.value = true;
  writeLocal(DECLINED, "yes");
}

export const isInstalled = () => matchMedia("(display-mode: standalone)").matches;

/** Shows the browser's installation prompt, if there is one. */
export async function offerInstall(): Promise<void> {
  await installPrompt.peek()?.prompt();
  installPrompt.value = undefined;
}
