import type { CivilMinute } from "#domain/dates.ts";
import { toAmount } from "#domain/money.ts";
import type { bookingHistory } from "#worker/store/schema/bookings.ts";
import type { Company } from "./company.ts";
import type { Contract } from "./contracts.ts";
import { DEMO_CUSTOMER_ID } from "./customers.ts";
import { isOnline } from "./payment-methods.ts";
import { isOwnMoney, type Payment } from "./payments.ts";
import type { SettledContract } from "./settlement.ts";

/** One step of a booking: who did what when. */
export interface BookingEvent {
  readonly at: CivilMinute;
  readonly actor: string;
  readonly event: (typeof bookingHistory.$inferInsert)["event"];
  readonly detail: Readonly<Record<string, string>>;
}

interface Participants {
  readonly bookedBy: string;
  readonly staff: string;
  readonly now: CivilMinute;
}

const MINUTES_TO_CONFIRM = 95;
const CHANGED_EVERY = 23;

/** Every step in the order of time; payments of the security deposit are no steps. */
export function eventsOf({ now }: Company, { contract, settlement }: SettledContract): BookingEvent[] {
  const payments = settlement.payments.filter(isOwnMoney);
  const bookedBy = actorOf(contract);
  const staff = `staff:${contract.staffId}`;
  const [unit] = contract.units;
  const events: BookingEvent[] = [
    { at: contract.createdAt, actor: bookedBy, event: "created", detail: {} },
    ...payments.map((payment) => paymentEvent(payment, staff)),
    ...confirmation(contract, payments, { bookedBy, staff, now }),
    ...changes(contract, staff, now),
  ];
  if (unit?.delivery)
    events.push({ at: unit.delivery.at, actor: staff, event: "delivered", detail: { fuel: unit.delivery.fuel } });
  if (unit?.collection)
    events.push({ at: unit.collection.at, actor: staff, event: "collected", detail: { fuel: unit.collection.fuel } });
  if (contract.cancelledAt !== undefined) {
    const how = contract.isExpired
      ? ({ actor: "system", event: "expired" } as const)
      : ({ actor: bookedBy, event: "cancelled" } as const);
    events.push({ at: contract.cancelledAt, ...how, detail: {} });
  }
  return events.sort((a, b) => a.at - b.at || ORDER.indexOf(a.event) - ORDER.indexOf(b.event));
}

const ORDER: readonly BookingEvent["event"][] = [
  "created",
  "paid",
  "confirmed",
  "changed",
  "delivered",
  "collected",
  "cancelled",
  "expired",
  "refunded",
];

function actorOf({ origin, agency, customer, staffId }: Contract): string {
  if (origin === "agency") return `agency:${agency?.id}`;
  if (origin === "staff") return `staff:${staffId}`;
  return customer.id === DEMO_CUSTOMER_ID ? `customer:${customer.id}` : "visitor";
}

function paymentEvent({ at, type, method, cents, contract }: Payment, staff: string): BookingEvent {
  const byAgency = method === "booking_portal" && contract ? actorOf(contract) : staff;
  return {
    at,
    actor: isOnline(method) ? "gateway" : byAgency,
    event: type === "charge" ? "paid" : "refunded",
    detail: { amount: toAmount(cents), payment_method_id: method },
  };
}

// An agency's and the desk's own bookings are born confirmed; the others are confirmed by their payment, or by staff.
function confirmation(
  contract: Contract,
  payments: readonly Payment[],
  { bookedBy, staff, now }: Participants,
): BookingEvent[] {
  const { createdAt, cancelledAt, origin, span } = contract;
  if (contract.status === "pending_confirmation" || contract.isExpired) return [];
  const paid = payments.find(({ type, at }) => type === "charge" && at < createdAt + 10);
  const event = { event: "confirmed" as const, detail: {} };
  if (origin !== "engine") return [{ ...event, at: createdAt, actor: bookedBy }];
  if (paid) return [{ ...event, at: paid.at, actor: "gateway" }];
  const latest = Math.min(createdAt + MINUTES_TO_CONFIRM, cancelledAt ?? now, span.startsAt - 15, now);
  return [{ ...event, at: Math.max(createdAt, latest), actor: staff }];
}

function changes({ id, createdAt, span, comments, status }: Contract, staff: string, now: CivilMinute): BookingEvent[] {
  if (id % CHANGED_EVERY !== 0 || comments === undefined || status === "cancelled" || status === "pending_confirmation")
    return [];
  return [
    {
      at: Math.min(createdAt + 120, span.startsAt - 1, now),
      actor: staff,
      event: "changed",
      detail: { field: "comments" },
    },
  ];
}

export function historyRows({ toEpochMs }: Company, bookingId: number, events: readonly BookingEvent[]) {
  return events.map(({ detail, ...event }) => ({
    ...event,
    bookingId,
    at: toEpochMs(event.at),
    detail: JSON.stringify(detail),
  }));
}
