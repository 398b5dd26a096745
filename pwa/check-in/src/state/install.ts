import { signal } from "@preact/signals";
import { openStorage } from "../offline/storage.ts";
import { readLocal, writeLocal } from "./small.ts";

interface InstallPrompt extends Event {
  prompt(): Promise<unknown>;
}

/** The browser's own offer to install the app, kept until the person wants it. */
export const installPrompt = signal<InstallPrompt | undefined>(undefined);

addEventListener("beforeinstallprompt", (event) => {
  event.preventDefault();
  installPrompt.value = event as InstallPrompt;
});
// An installed app is granted lasting storage more readily.
addEventListener("appinstalled", () => {
  installPrompt.value = undefined;
  void openStorage();
});

const DECLINED = "checkin.install-declined";
/** Whether somebody has said that they do not want it; the offer stays among the settings. */
export const isInstallDeclined = signal(readLocal(DECLINED) !== null);

export function declineInstall(): void {
  isInstallDeclined.value = true;
  writeLocal(DECLINED, "yes");
}

export const isInstalled = () => matchMedia("(display-mode: standalone)").matches;

export async function offerInstall(): Promise<void> {
  await installPrompt.peek()?.prompt();
  installPrompt.value = undefined;
}
