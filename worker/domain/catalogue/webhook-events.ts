/** Webhook events by API name, with descriptions. */
export const WEBHOOK_EVENTS = {
  "booking.created": "A rental was booked",
  "booking.confirmed": "A rental was confirmed by a payment, automatically or by staff",
  "booking.changed": "A rental changed, such as its dates, extras, people, payments or documents",
  "booking.extended": "A current rental was extended",
  "booking.early_return": "A current rental ends earlier",
  "booking.exchanged": "The vehicle of a rental was exchanged",
  "booking.assigned": "A vehicle was assigned to a rental",
  "booking.unassigned": "The vehicle of a rental was unassigned",
  "booking.cancelled": "A rental was cancelled",
  "booking.no_show": "The customer of a rental did not come",
  "booking.expired": "An unpaid rental expired",
  "booking.revived": "An expired rental was restored by a late payment",
  "booking.reopened": "A completed rental was reopened",
  "transfer.created": "A transfer was booked",
  "transfer.confirmed": "A transfer was confirmed",
  "transfer.changed": "A transfer changed, such as its trips, payments or documents",
  "transfer.cancelled": "A transfer was cancelled",
  "transfer.no_show": "The customer of a transfer did not come",
  "transfer.expired": "An unpaid transfer expired",
  "transfer.revived": "An expired transfer was restored by a late payment",
  "check_in.delivered": "A vehicle was handed over",
  "check_in.collected": "A vehicle was taken back",
  "payment.received": "A payment was received",
  "payment.refunded": "A payment was refunded",
  "payment.deposit_received": "A deposit was received",
  "payment.deposit_returned": "A deposit was returned or retained",
  "document.issued": "An invoice, a credit note or an internal bond was issued, with its number",
  "document.drafted": "A draft of an invoice or an internal bond was created",
  "document.processed": "The accounting system confirmed a document",
  "document.rejected": "The accounting system reported an error for a document",
  "customer.created": "A customer was added",
  "customer.changed": "The data of a customer changed",
  "expense.created": "An expense was recorded",
  "expense.changed": "An expense changed",
  "expense.deleted": "An expense was deleted",
  "quote.sent": "A quote was sent to its customer",
  "quote.accepted": "A customer accepted a quote, which became a reservation",
  "quote.declined": "A quote was declined, by its customer or by staff",
  "quote.expired": "An open quote is no longer valid",
  "vehicle.created": "A vehicle was added to the fleet",
  "vehicle.changed": "The data of a vehicle changed",
  "vehicle.blocked": "A vehicle was blocked for a period",
  "vehicle.block_changed": "The block of a vehicle changed",
  "vehicle.unblocked": "The block of a vehicle was removed",
  "vehicle.moved": "A vehicle was moved to another branch",
  "vehicle.retired": "A vehicle left the fleet",
  "vehicle.repaired": "A damage of a vehicle was repaired",
} as const;

export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;

/** Event for testing a webhook, regardless of its subscriptions. */
export const WEBHOOK_TEST_EVENT = "webhook.test";

const NAMES = Object.keys(WEBHOOK_EVENTS) as readonly WebhookEvent[];
const GROUPS = [...new Set(NAMES.map((name) => name.slice(0, name.indexOf("."))))];

/** Possible subscriptions: all events, a group, or one event. */
export const WEBHOOK_SUBSCRIPTIONS: readonly string[] = ["*", ...GROUPS.map((group) => `${group}.*`), ...NAMES];

// Events about an agency's own bookings, as in the agency interface.
const AGENCY_EVENT_TYPES = /^booking\.(created|confirmed|changed|cancelled|no_show|expired|revived)$/;

interface Subscription {
  /** Subscribed events. Empty for all events. */
  readonly events: readonly string[];
  /** Agency of the webhook. Null for the company's own systems. */
  readonly agencyId: number | null;
}

/** Whether a webhook receives an event: it subscribes to it and may read its data. */
export function isWebhookSubscribed(
  { events, agencyId }: Subscription,
  { type, agencyId: eventAgencyId }: { readonly type: string; readonly agencyId: number | null },
): boolean {
  const isRequested =
    events.length === 0 || events.includes("*") || events.includes(type) || events.includes(`${getEventGroup(type)}.*`);
  return isRequested && (agencyId === null || (agencyId === eventAgencyId && AGENCY_EVENT_TYPES.test(type)));
}

function getEventGroup(type: string): string {
  return type.slice(0, type.indexOf("."));
}
