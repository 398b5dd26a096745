import { ask } from "./api.ts";

const SETTINGS = "/api/v1/booking/delivery-collection-app-settings";

const FORBIDDEN = 403;

/**
 * Reads what every page knows of the account; undefined for somebody whom the office is not for. A network that fails
 * throws.
 */
export async function readAccount(): Promise<Readonly<Record<string, unknown>> | undefined> {
  const { status, body } = await ask("GET", SETTINGS);
  return status === FORBIDDEN ? undefined : body;
}
