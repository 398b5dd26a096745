import { sql } from "drizzle-orm";
import type { DepositByMethod } from "#domain/payments/deposit-return.ts";
import { parseStoredJson } from "#worker/store/parse-stored-json.ts";

/**
 * Returns the column of a booking's deposit by the payment method with which it was received. A retained deposit pays
 * something, so it wasn't returned to the customer.
 */
export function selectDepositByMethod() {
  return sql`(SELECT json_group_object(method, cents) FROM
    (SELECT payment_method_id AS method, sum(CASE source_doc WHEN 'deposit_received' THEN amount_cents ELSE -amount_cents END) AS cents
    FROM charges WHERE booking_id = bookings.id AND source_doc IN ('deposit_received', 'deposit_returned') AND deposit_kept = 0
    GROUP BY payment_method_id))`
    .mapWith(parseStoredJson<DepositByMethod>)
    .as("deposit_by_method");
}
