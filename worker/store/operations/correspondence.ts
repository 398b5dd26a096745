import { desc, eq, sql } from "drizzle-orm";
import type { GatewayMessage } from "#domain/operations/correspondence.ts";
import { bookingBranchesQuery } from "#worker/store/check-in/review.ts";
import type { Database } from "#worker/store/database.ts";
import { parseStoredJson } from "#worker/store/parse-stored-json.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { bookingMails } from "#worker/store/schema/outgoing-mails.ts";
import { paymentIntents } from "#worker/store/schema/payments.ts";

const MAX_MAILS = 200;
const bookingIdParameter = sql.placeholder("bookingId");

const MESSAGES = sql`(SELECT json_group_array(json_object('at', received_at, 'kind', kind, 'outcome', outcome, 'code', auth_code, 'answer', answer) ORDER BY id)
  FROM payment_notifications WHERE intent_id = payment_intents.id)`;

const mailsQuery = prepareQuery((db) =>
  db
    .select()
    .from(bookingMails)
    .where(eq(bookingMails.bookingId, bookingIdParameter))
    .orderBy(desc(bookingMails.at), bookingMails.recipient)
    .limit(MAX_MAILS),
);

const paymentsQuery = prepareQuery((db) =>
  db
    .select({
      id: paymentIntents.id,
      at: paymentIntents.createdAt,
      method: paymentIntents.method,
      part: paymentIntents.part,
      order: paymentIntents.orderReference,
      amountCents: paymentIntents.amountCents,
      state: paymentIntents.state,
      expiresAt: paymentIntents.expiresAt,
      paidAt: paymentIntents.paidAt,
      messages: MESSAGES.mapWith(parseStoredJson<readonly GatewayMessage[]>).as("messages"),
    })
    .from(paymentIntents)
    .where(eq(paymentIntents.bookingId, bookingIdParameter))
    .orderBy(desc(paymentIntents.createdAt), desc(paymentIntents.id))
    .limit(MAX_MAILS),
);

/**
 * Returns the queries for a booking's branches, its mails to customer and branch, and its payments with the gateways'
 * messages. Run them in a batch.
 */
export function mailsAndGatewayMessagesQueries(db: Database, bookingId: number) {
  const values = { bookingId };
  return [bookingBranchesQuery(db, bookingId), mailsQuery(db, values), paymentsQuery(db, values)] as const;
}
