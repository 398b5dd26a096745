import { sql } from "drizzle-orm";
import { parseStoredJson } from "#worker/store/parse-stored-json.ts";

/** Refunds of a contract that its gateways reported and that weren't requested in the office. */
export const selectUnrequestedGatewayRefunds = () =>
  sql`(SELECT json_group_array(json_object('method', payment_method_id, 'cents', amount_cents)) FROM charges AS reported
    WHERE reported.booking_id = bookings.id AND payment_type = 'payment' AND virtual = 0 AND origin = 'web'
      AND (SELECT count(*) FROM charges AS equal WHERE equal.booking_id = bookings.id AND equal.payment_type = 'payment' AND equal.virtual = 0
          AND equal.origin = 'web' AND equal.payment_method_id = reported.payment_method_id AND equal.amount_cents = reported.amount_cents)
        > (SELECT count(*) FROM gateway_refunds WHERE booking_id = bookings.id AND state = 'done' AND amount_cents = reported.amount_cents))`
    .mapWith(parseStoredJson<readonly { readonly method: string; readonly cents: number }[]>)
    .as("reported_refunds");
