import type { Database } from "#worker/store/database.ts";
import { paymentGateways } from "#worker/store/schema/payments.ts";

/** Every gateway of the account, its secrets sealed. */
export function gatewaysQuery(db: Database) {
  return db.select().from(paymentGateways);
}
