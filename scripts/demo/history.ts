import type { CivilMinute } from "#domain/dates.ts";
import { toAmount } from "#domain/money.ts";
import type { DemoContract } from "./contracts.ts";
import { DEMO_CUSTOMER_ID } from "./customers.ts";
import type { DemoCompany } from "./describe-company.ts";
import { type DemoPayment, isDepositPayment, isOnlinePaymentMethod } from "./payments.ts";
import type { SettledContract } from "./settlement.ts";
import type { DemoTables } from "./tables.ts";

type HistoryRow = DemoTables["bookingHistory"]["$inferInsert"];

/** A step of a booking with author and time. */
export interface BookingEvent extends Pick<HistoryRow, "actor" | "event"> {
  readonly at: CivilMinute;
  readonly detail?: Readonly<Record<string, string>>;
}

const MINUTES_TO_CONFIRM = 95;
const CHANGED_EVERY = 23;
/** Order of steps within the same minute. */
const ORDER = ["created", "paid", "confirmed", "changed", "delivered", "collected", "cancelled", "expired", "refunded"];

/** Lists all steps by time. Deposit payments aren't steps. */
export function createContractEvents({ now }: DemoCompany, contract: SettledContract): BookingEvent[] {
  const { createdAt, cancelledAt, isExpired, units } = contract;
  const payments = contract.payments.filter((payment) => !isDepositPayment(payment));
  const events: BookingEvent[] = [
    { at: createdAt, actor: getActor(contract), event: "created" },
    ...payments.map((payment) => paymentEvent(payment, contract)),
    ...confirmation(contract, payments, now),
    ...changes(contract, now),
  ];
  const step = (event: BookingEvent["event"], actor: string, at: CivilMinute, detail = {}) =>
    events.push({ at, actor, event, detail });
  const { delivery, collection } = units[0] ?? {};
  if (delivery) step("delivered", contract.staff, delivery.at, { fuel: delivery.fuel });
  if (collection) step("collected", contract.staff, collection.at, { fuel: collection.fuel });
  if (cancelledAt !== undefined && isExpired) step("expired", "system", cancelledAt);
  if (cancelledAt !== undefined && !isExpired) step("cancelled", getActor(contract), cancelledAt);
  return events.sort((a, b) => a.at - b.at || ORDER.indexOf(a.event) - ORDER.indexOf(b.event));
}

function getActor(contract: DemoContract): string {
  const { origin, agency, customer } = contract;
  if (origin === "agency") return `agency:${agency?.id}`;
  if (origin === "staff") return contract.staff;
  return customer.id === DEMO_CUSTOMER_ID ? `customer:${customer.id}` : "visitor";
}

function paymentEvent({ at, type, method, cents }: DemoPayment, contract: DemoContract): BookingEvent {
  const byAgency = method === "booking_portal" ? getActor(contract) : contract.staff;
  const actor = isOnlinePaymentMethod(method) ? "gateway" : byAgency;
  const detail = { amount: toAmount(cents), payment_method_id: method };
  return { at, actor, event: type === "charge" ? "paid" : "refunded", detail };
}

// Bookings of agencies and the desk start confirmed. Others are confirmed by payment or by staff.
function confirmation(contract: DemoContract, payments: readonly DemoPayment[], now: CivilMinute): BookingEvent[] {
  const { createdAt, cancelledAt, origin, span, status, isExpired } = contract;
  if (status === "pending_confirmation" || isExpired) return [];
  const event = "confirmed";
  if (origin !== "engine") return [{ at: createdAt, actor: getActor(contract), event }];
  const paid = payments.find(({ type, at }) => type === "charge" && at < createdAt + 10);
  if (paid) return [{ at: paid.at, actor: "gateway", event }];
  const latest = Math.min(createdAt + MINUTES_TO_CONFIRM, cancelledAt ?? now, span.startsAt - 15, now);
  return [{ at: Math.max(createdAt, latest), actor: contract.staff, event }];
}

function changes(contract: DemoContract, now: CivilMinute): BookingEvent[] {
  const { id, createdAt, span, comments, status } = contract;
  const mayChange = comments !== undefined && status !== "cancelled" && status !== "pending_confirmation";
  if (id % CHANGED_EVERY !== 0 || !mayChange) return [];
  const at = Math.min(createdAt + 120, span.startsAt - 1, now);
  return [{ at, actor: contract.staff, event: "changed", detail: { field: "comments" } }];
}

export function createHistoryRows(
  company: DemoCompany,
  bookingId: number,
  events: readonly BookingEvent[],
): HistoryRow[] {
  return events.map(({ at, actor, event, detail = {} }) => {
    return { bookingId, at: company.toEpochMs(at), actor, event, detail: JSON.stringify(detail) };
  });
}
