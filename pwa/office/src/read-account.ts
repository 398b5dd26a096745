import type { CheckInSettingsMessage } from "#worker/api/check-in/day-messages.ts";
import type { Account } from "./account.ts";
import { isSecondFactorDue, sendOfficeRequest } from "./api.ts";

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
