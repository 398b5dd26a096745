import { type CivilMinute, fromCivilMinute } from "#domain/dates.ts";
import { type Cents, sumOf } from "#domain/money.ts";
import type { Clock } from "./clock.ts";
import type { Company } from "./company.ts";
import { contractData } from "./contract-data.ts";
import type { Contract } from "./contracts.ts";
import { eventsOf, historyRows } from "./history-rows.ts";
import type { Row, TableRows } from "./insert.ts";
import { extraRows, lineRows, unitRows } from "./line-rows.ts";
import type { Customer } from "./people.ts";
import type { Settlement } from "./settlement.ts";

export interface Settled {
  readonly contract: Contract;
  readonly settlement: Settlement;
}

const MINUTES_PER_DAY = 1440;
const DAYS_TO_COMMISSION = 45;

/** Bookings with their lines, units, extras and history. The order given is the order in which the units are taken. */
export function bookingRows(
  company: Company,
  clock: Clock,
  contracts: readonly Settled[],
  now: CivilMinute,
): TableRows[] {
  return [
    { table: "bookings", rows: contracts.map((settled) => bookingRow(company, clock, settled, now)) },
    { table: "booking_lines", rows: contracts.flatMap(({ contract }) => lineRows(contract)) },
    { table: "booking_units", rows: contracts.flatMap(({ contract }) => unitRows(clock, contract)) },
    { table: "booking_extras", rows: contracts.flatMap(({ contract }) => extraRows(contract)) },
    { table: "booking_history", rows: contracts.flatMap((settled) => historyRows(clock, settled, now)) },
  ];
}

function bookingRow(company: Company, clock: Clock, settled: Settled, now: CivilMinute): Row {
  const { contract } = settled;
  const { draft, rental, origin, agency, status } = contract;
  const { terms, totals } = draft;
  const events = eventsOf(settled, now);
  const createdAt = clock.toEpochMs(contract.createdAt);
  const lastEvent = Math.max(...events.map(({ at }) => at));
  return {
    id: contract.id,
    free_access_id: contract.freeAccessId,
    status,
    version: events.length,
    created_by: origin,
    expires_at: status === "pending_confirmation" ? createdAt + company.settings.holdMinutes * 60_000 : null,
    date_from: terms.period.dateFrom,
    time_from: terms.period.timeFrom,
    date_to: terms.period.dateTo,
    time_to: terms.period.timeTo,
    days: terms.days,
    pickup_place_id: terms.pickupPlace.id,
    return_place_id: terms.returnPlace.id,
    pickup_place: terms.pickupPlace.name,
    return_place: terms.returnPlace.name,
    branch_code: terms.pickupBranch.code,
    return_branch_code: terms.returnBranch.code,
    branch_group_id: rental.storageId,
    sales_channel_code: terms.salesChannel,
    agency_id: agency?.id,
    agency_reservation_id: agency ? agencyReference(contract) : null,
    ...agentColumns(settled, now),
    ...customerColumns(company, contract),
    contract_data: JSON.stringify(contractData(contract)),
    comments: contract.comments,
    driver_age: terms.driverAge,
    driver_age_rule_id: terms.driverAgeRule?.id,
    promotion_code: draft.lines.find(({ promotionCode }) => promotionCode)?.promotionCode?.code,
    ...amountColumns(contract),
    ...paymentColumns(settled),
    product_deposit_reduction_cents: settled.settlement.depositReductionCents,
    total_deposit_cents: totals.totalDepositCents,
    created_at: createdAt,
    last_update: clock.toEpochMs(lastEvent),
    cancelled_at: contract.cancelledAt === undefined ? null : clock.toEpochMs(contract.cancelledAt),
  };
}

/** The agency's own number of a contract. */
function agencyReference({ id, agency }: Contract): string {
  const initials = (agency?.name ?? "").replace(/[^A-Z]/g, "");
  return `${initials}-${700_000 + id}`;
}

function agentColumns({ contract, settlement }: Settled, now: CivilMinute): Row {
  const { agent, rental, status } = contract;
  const { commission } = settlement;
  const isPaid =
    agent !== undefined && status === "done" && rental.collectedAt < now - DAYS_TO_COMMISSION * MINUTES_PER_DAY;
  const paidOn = fromCivilMinute(rental.collectedAt + DAYS_TO_COMMISSION * MINUTES_PER_DAY).date;
  return {
    agent_id: agent?.id,
    agent_commission_calculation: agent?.calculation,
    agent_commission_fixed_cents: agent?.fixedCents ?? 0,
    agent_commission_basis_points: agent?.share ?? 0,
    agent_commission_base_cents: commission?.baseCents ?? 0,
    agent_commission_total_cents: commission?.totalCents ?? 0,
    agent_commission_prepaid_cents: commission?.prepaidCents ?? 0,
    agent_commission_paid: isPaid ? 1 : 0,
    agent_commission_payment_date: isPaid ? paidOn : null,
  };
}

// An agency's guest becomes a customer of the house at the counter.
function customerColumns(company: Company, { customer, agency, units }: Contract): Row {
  const isKnown = agency === undefined || units.some(({ delivery }) => delivery);
  return {
    customer_id: isKnown ? customer.id : null,
    customer_type: customer.type,
    customer_name: customer.name,
    customer_surname: customer.surname,
    customer_email: customer.email,
    customer_phone_prefix: customer.origin.phonePrefix,
    customer_phone: customer.phone,
    customer_document_id: customer.documentId,
    customer_language: customerLanguage(company, customer),
  };
}

/** The language in which the company writes to a customer. */
export function customerLanguage({ settings }: Company, { origin: { language } }: Customer): string {
  if (settings.languages.includes(language)) return language;
  return settings.languages.includes("en") ? "en" : settings.defaultLanguage;
}

function amountColumns({ draft, afterRental }: Contract): Row {
  const { totals } = draft;
  const [fuel, second, third] = totals.categorySupplementCents;
  const after = (supplement: number) => (afterRental?.charge.supplement === supplement ? afterRental.cents : 0);
  return {
    item_cents: totals.itemCents,
    extras_cents: totals.extrasCents,
    time_from_cents: totals.timeFromCents,
    time_to_cents: totals.timeToCents,
    pickup_place_cents: totals.pickupPlaceCents,
    return_place_cents: totals.returnPlaceCents,
    driver_age_cents: totals.driverAgeCents,
    category_supplement_1_cents: fuel,
    category_supplement_2_cents: second,
    category_supplement_3_cents: third,
    supplement_1_cents: after(1),
    supplement_2_cents: after(2),
    supplement_3_cents: after(3),
    total_cents: totalWithAfterRental({ draft, afterRental }),
    booking_amount_cents: totals.bookingAmountCents,
    product_deposit_cents: totals.productDepositCents,
    product_guarantee_cents: totals.productGuaranteeCents,
    driver_age_deposit_cents: totals.driverAgeDepositCents,
  };
}

function totalWithAfterRental({ draft, afterRental }: Pick<Contract, "draft" | "afterRental">): Cents {
  return draft.totals.totalCents + (afterRental?.cents ?? 0);
}

function paymentColumns({ contract, settlement }: Settled): Row {
  const moved = settlement.payments.filter(({ source }) => !source.startsWith("deposit_"));
  const paidCents = sumOf(moved.map(({ type, cents }) => (type === "charge" ? cents : -cents)));
  const coveredCents = paidCents + (settlement.commission?.prepaidCents ?? 0);
  const isRefunded = paidCents === 0 && moved.length > 0;
  const isTotal = paidCents > 0 && coveredCents >= totalWithAfterRental(contract);
  const partly = paidCents > 0 ? "deposit" : "none";
  return { total_paid_cents: paidCents, payment_status: isRefunded ? "refunded" : isTotal ? "total" : partly };
}
