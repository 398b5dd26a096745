/** Webhook events by API name, with descriptions. */
export const WEBHOOK_EVENTS = {
  "booking.created": "A rental was booked, by whatever door",
  "booking.confirmed": "A rental was confirmed: by a payment, by the account or by a person",
  "booking.changed": "Something of a rental changed: dates, products, extras, people; its money and papers, too",
  "booking.extended": "A rental under way goes on for longer",
  "booking.early_return": "A rental under way ends earlier",
  "booking.exchanged": "The customer of a rental drives another vehicle",
  "booking.assigned": "A vehicle was assigned to a rental",
  "booking.unassigned": "A rental has a vehicle no more",
  "booking.cancelled": "A rental was cancelled",
  "booking.no_show": "Nobody came for a rental",
  "booking.expired": "A hold ended without its payment",
  "booking.revived": "A rental whose hold had ended lives again: its payment came late",
  "booking.reopened": "A rental that was closed is put right",
  "transfer.created": "A transfer was booked",
  "transfer.confirmed": "A transfer was confirmed",
  "transfer.changed": "Something of a transfer changed; its money and papers, too",
  "transfer.cancelled": "A transfer was cancelled",
  "transfer.no_show": "Nobody came for a transfer",
  "transfer.expired": "A transfer's hold ended without its payment",
  "transfer.revived": "A transfer whose hold had ended lives again",
  "check_in.delivered": "A vehicle was handed over",
  "check_in.collected": "A vehicle was taken back",
  "payment.received": "Money was taken",
  "payment.refunded": "Money was given back",
  "payment.deposit_received": "A deposit is held",
  "payment.deposit_returned": "A deposit was given back or kept",
  "document.issued": "An invoice, a credit note or an internal bond was issued, with its number",
  "document.drafted": "A draft of an invoice or an internal bond was made, and isn't issued yet",
  "document.processed": "The accounting system booked a document",
  "document.rejected": "The accounting system reported an error for a document",
  "customer.created": "A customer was added",
  "customer.changed": "The data of a customer changed",
  "expense.created": "An expense was recorded",
  "expense.changed": "An expense changed",
  "expense.deleted": "An expense was deleted",
  "quote.sent": "A quote was sent to its customer",
  "quote.accepted": "A customer accepted a quote, which is a reservation now",
  "quote.declined": "A quote was declined, by its customer or by staff",
  "quote.expired": "An open quote is no longer valid",
  "vehicle.created": "A vehicle came into the fleet",
  "vehicle.changed": "What is said of a vehicle changed",
  "vehicle.blocked": "A vehicle cannot be rented in some time",
  "vehicle.block_changed": "That time changed",
  "vehicle.unblocked": "That time was taken back",
  "vehicle.moved": "A vehicle was moved to another branch",
  "vehicle.retired": "A vehicle left the fleet",
  "vehicle.repaired": "A damage of a vehicle was repaired",
} as const;

export type WebhookEvent = keyof typeof WEBHOOK_EVENTS;

/** Event for testing a webhook, regardless of its subscriptions. */
export const TEST_EVENT = "webhook.test";

const NAMES = Object.keys(WEBHOOK_EVENTS) as readonly WebhookEvent[];
const GROUPS = [...new Set(NAMES.map((name) => name.slice(0, name.indexOf("."))))];

/** Possible subscriptions: all events, a group, or one event. */
export const WEBHOOK_CHOICES: readonly string[] = ["*", ...GROUPS.map((group) => `${group}.*`), ...NAMES];

// Events about an agency's own bookings, as in the agency interface.
const AGENCY_EVENT_TYPES = /^booking\.(created|confirmed|changed|cancelled|no_show|expired|revived)$/;

interface Subscription {
  /** Empty for all events. */
  readonly events: readonly string[];
  /** Agency of the webhook. Null for the company's own systems. */
  readonly agencyId: number | null;
}

/** Whether a webhook receives an event: it subscribes to it and may read its data. */
export function isSubscribed(
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
