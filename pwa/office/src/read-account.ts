import { ask, isFactorMissing } from "./api.ts";

const SETTINGS = "/api/v1/booking/delivery-collection-app-settings";

const FORBIDDEN = 403;

/** For whom the account is not read: whom the office is not for, and who has to show a second factor first. */
type Refused = "not_staff" | "factor_missing";

/** Reads what every page knows of the account. What cannot be read throws: it is not an account of nothing. */
export async function readAccount(): Promise<Readonly<Record<string, unknown>> | Refused> {
  const { status, body } = await ask("GET", SETTINGS);
  if (status === 200) return body;
  if (status !== FORBIDDEN) throw new Error(String(status));
  return isFactorMissing.value ? "factor_missing" : "not_staff";
}
