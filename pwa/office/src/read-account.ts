import { ask } from "./api.ts";

const SETTINGS = "/api/v1/booking/delivery-collection-app-settings";

/** Reads what every page knows of the account; a network that fails throws. */
export async function readAccount(): Promise<Readonly<Record<string, unknown>>> {
  const { body } = await ask("GET", SETTINGS);
  return body;
}
