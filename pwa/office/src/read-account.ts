import type { CheckInSettingsMessage } from "#worker/api/check-in/day-messages.ts";
import { type Account, setAccount } from "./account.ts";
import { createSameSessionCheck, isSecondFactorDue, sendOfficeRequest } from "./api.ts";

const SETTINGS = "/api/v1/booking/delivery-collection-app-settings";

const FORBIDDEN = 403;

/** Reasons for not loading the account: the user isn't staff, or must provide a second factor. */
type Refused = "not_staff" | "factor_missing";

/** Loads the account data of all pages. Throws if it can't be loaded, instead of returning empty data. */
export async function readAccount(): Promise<Partial<Account> | Refused> {
  const { status, body } = await sendOfficeRequest<CheckInSettingsMessage>("GET", SETTINGS);
  if (status === 200) return body;
  if (status !== FORBIDDEN) throw new Error(String(status));
  return isSecondFactorDue.value ? "factor_missing" : "not_staff";
}

let lastContent = "";

/** Reloads the account data. Pages are drawn again only if it changed. If it fails, the next reload updates it. */
export async function reloadAccount(): Promise<void> {
  const isSame = createSameSessionCheck();
  const read = await readAccount().catch(() => undefined);
  if (typeof read !== "object" || !isSame()) return;
  const content = JSON.stringify(read);
  if (content !== lastContent) setAccount(read);
  lastContent = content;
}

const RELOAD_MILLISECONDS = 60_000;

/** Reloads the account data each minute and when the user comes back to the tab. Returns a function that stops it. */
export function keepAccountCurrent(): () => void {
  const reloadIfVisible = () => {
    if (document.visibilityState === "visible") void reloadAccount();
  };
  const timer = setInterval(reloadIfVisible, RELOAD_MILLISECONDS);
  document.addEventListener("visibilitychange", reloadIfVisible);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", reloadIfVisible);
  };
}
