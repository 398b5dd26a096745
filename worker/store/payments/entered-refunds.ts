import { sql } from "drizzle-orm";
import type { EnteredRefund } from "#domain/payments/entered-refunds.ts";
import { CHARGE_METHOD_BY_ONLINE_METHOD } from "#domain/payments/gateway-notices.ts";
import { parseStoredJson } from "#worker/store/parse-stored-json.ts";

/** Returns the SQL that converts an online method, given as a SQL expression, to its id on charges. */
export function mapOnlineToChargeMethodSql(method: string): string {
  const cases = Object.entries(CHARGE_METHOD_BY_ONLINE_METHOD).map(
    ([online, charged]) => `WHEN '${online}' THEN '${charged}'`,
  );
  return `CASE ${method} ${cases.join(" ")} END`;
}

/**
 * Returns the refunds of a contract that staff entered by hand for a gateway and that no message has confirmed. The
 * arguments are SQL expressions. Requested refunds of Stripe that staff made by hand are compared with its totals.
 */
export function selectUnconfirmedEnteredRefunds(bookingId: string, method: string) {
  return sql
    .raw(`(SELECT json_group_array(json_object('id', id, 'cents', amount_cents, 'number', external_operation_number)
      ORDER BY id) FROM charges AS entered
    WHERE entered.booking_id = ${bookingId} AND payment_type = 'payment' AND virtual = 0 AND deposit_kept = 0
      AND origin = 'desk' AND payment_method_id = ${mapOnlineToChargeMethodSql(method)}
      AND NOT (${method} = 'stripe' AND coalesce(uid, '') LIKE 'gateway-refund:%')
      AND entered.id NOT IN (SELECT entered_charge_id FROM payment_notifications WHERE entered_charge_id IS NOT NULL
        AND intent_id IN (SELECT id FROM payment_intents AS one WHERE one.booking_id = ${bookingId})))`)
    .mapWith(parseStoredJson<readonly EnteredRefund[]>)
    .as("entered");
}
