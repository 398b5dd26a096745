import { asc, isNull, type SQL, sql } from "drizzle-orm";
import type { Database, Query } from "#worker/store/database.ts";
import { selectRowsToInsert } from "#worker/store/new-rows.ts";
import { webhookDeliveries, webhookEvents, webhooks } from "#worker/store/schema/webhooks.ts";

const DISPATCH_BATCH_SIZE = 200;

// Event payload of each resource kind as JSON: API names, amounts in minor units. Contains no personal data.
const BOOKING = sql`(SELECT json_object('reservation_id', id, 'status', status, 'version', version, 'agency_id', agency_id,
  'agency_reservation_id', agency_reservation_id, 'date_from', date_from, 'time_from', time_from, 'date_to', date_to, 'time_to', time_to,
  'rental_location_code', branch_code, 'return_rental_location_code', return_branch_code)
  FROM bookings WHERE id = webhook_events.booking_id)`;
const CHARGE = sql`(SELECT json_object('charge_id', id, 'reservation_id', booking_id, 'document_id', document_id, 'amount', amount_cents,
  'currency', currency, 'payment_method_id', payment_method_id, 'source_doc', source_doc)
  FROM charges WHERE id = CAST(webhook_events.resource AS INTEGER))`;
const DOCUMENT = sql`(SELECT json_object('document_id', id, 'document_kind', kind, 'serie', serie, 'number', number, 'date', date,
  'reservation_id', booking_id, 'corrected_document_id', corrects_document_id, 'total_cost', total_cents, 'currency', currency)
  FROM documents WHERE id = CAST(webhook_events.resource AS INTEGER))`;
const VEHICLE = sql`(SELECT json_object('reference', reference, 'category_code', category_code,
  'acriss_code', (SELECT acriss_code FROM categories WHERE code = category_code), 'rental_location_code', branch_code)
  FROM vehicles WHERE reference = webhook_events.resource)`;
const CUSTOMER = sql`json_object('customer_id', CAST(resource AS INTEGER))`;
// For a deleted expense, the payload contains only the id.
const EXPENSE = sql`coalesce((SELECT json_object('expense_id', id, 'vehicle_reference', vehicle_reference, 'date', date,
  'rental_location_code', branch_code, 'total_cost', total_cents) FROM expenses WHERE id = CAST(webhook_events.resource AS INTEGER)),
  json_object('expense_id', CAST(resource AS INTEGER)))`;
const QUOTE = sql`(SELECT json_object('quote_id', id, 'number', 'Q' || year || '-' || printf('%04d', sequence),
  'status', iif(type = 'quote.expired', 'expired', status), 'valid_until', strftime('%Y-%m-%dT%H:%M:%fZ', valid_until / 1000.0, 'unixepoch'),
  'reservation_id', booking_id, 'customer_id', customer_id, 'total_cost', total_cents, 'currency', (SELECT currency FROM settings))
  FROM quotes WHERE id = CAST(webhook_events.resource AS INTEGER))`;
const IS_DRAFT = sql`EXISTS (SELECT 1 FROM documents WHERE id = CAST(webhook_events.resource AS INTEGER) AND invoice_status = 'draft')`;
const FACTS: SQL<string | null> =
  sql`CASE WHEN type LIKE 'payment.%' THEN ${CHARGE} WHEN type = 'document.drafted' AND NOT ${IS_DRAFT} THEN NULL
  WHEN type LIKE 'document.%' THEN ${DOCUMENT} WHEN type LIKE 'customer.%' THEN ${CUSTOMER} WHEN type LIKE 'expense.%' THEN ${EXPENSE}
  WHEN type LIKE 'quote.%' THEN ${QUOTE} WHEN type LIKE 'vehicle.%' THEN ${VEHICLE} ELSE ${BOOKING} END`;

/** Reads the undispatched events in order, and the webhooks that may receive them. */
export async function readUndispatchedWebhookEvents(db: Database) {
  const [events, addresses] = await db.batch([
    db
      .select({
        id: webhookEvents.id,
        type: webhookEvents.type,
        subject: webhookEvents.subject,
        at: webhookEvents.at,
        facts: sql<string | null>`${FACTS}`.as("facts"),
        agencyId: sql<number | null>`(SELECT agency_id FROM bookings WHERE id = webhook_events.booking_id)`.as(
          "of_agency",
        ),
      })
      .from(webhookEvents)
      .where(isNull(webhookEvents.body))
      .orderBy(asc(webhookEvents.id))
      .limit(DISPATCH_BATCH_SIZE),
    db
      .select({ id: webhooks.id, events: webhooks.events, agencyId: webhooks.agencyId })
      .from(webhooks)
      .where(sql`${webhooks.active} = 1`),
  ]);
  return { events, addresses, isAll: events.length < DISPATCH_BATCH_SIZE };
}

/** Event with its payload and recipients. */
export interface EventWithRecipients {
  readonly id: number;
  readonly subject: string;
  readonly agencyId: number | null;
  readonly body: string;
  readonly webhookIds: readonly number[];
}

/** Saves the payloads and recipients of events. A concurrent run adds nothing. */
export async function insertWebhookDeliveries(
  db: Database,
  events: readonly EventWithRecipients[],
  now: number,
): Promise<void> {
  const texts = JSON.stringify(events.map(({ id, body, agencyId }) => ({ id, body, agencyId })));
  const rows = events.flatMap(({ id, subject, webhookIds }) =>
    webhookIds.map((webhookId) => ({ webhookId, eventId: id, subject, state: "waiting", nextAt: now, createdAt: now })),
  );
  const member = (name: string) =>
    sql`(SELECT row.value ->> ${sql.raw(`'${name}'`)} FROM json_each(${texts}) AS row WHERE row.value ->> 'id' = webhook_events.id)`;
  const statements: [Query, ...Query[]] = [
    // Runs before the payloads are saved. A second run finds no events without payload and adds nothing.
    db
      .insert(webhookDeliveries)
      .select(
        sql`${selectRowsToInsert(webhookDeliveries, rows)} WHERE EXISTS (SELECT 1 FROM webhooks WHERE id = row.value ->> 'webhookId') AND EXISTS (SELECT 1 FROM webhook_events WHERE id = row.value ->> 'eventId' AND body IS NULL)`,
      )
      .onConflictDoNothing(),
    db
      .update(webhookEvents)
      .set({ body: member("body"), agencyId: member("agencyId") })
      .where(sql`body IS NULL AND id IN (SELECT row.value ->> 'id' FROM json_each(${texts}) AS row)`),
  ];
  await db.batch(statements);
}
