import type { Database } from "#worker/store/database.ts";
import { paymentGateways } from "#worker/store/schema/payments.ts";

/** Returns the query for every gateway of the account, with encrypted secrets. */
export function gatewaysQuery(db: Database) {
  return db.select().from(paymentGateways);
}
