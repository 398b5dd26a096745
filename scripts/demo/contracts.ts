import { calculateUnitClosing } from "#domain/bookings/closing.ts";
import type { BookingDraft } from "#domain/bookings/draft.ts";
import { getUnitDayRateCents } from "#domain/check-in/decision.ts";
import { parseFuelEighths } from "#domain/check-in/fuel.ts";
import type { CivilMinute } from "#domain/dates.ts";
import { type Cents, sumCents } from "#domain/money.ts";
import { type BookingSource, drawBookingSource } from "./booking-sources.ts";
import type { DemoCompany, RandomContext } from "./describe-company.ts";
import { draftRentalBooking } from "./drafts.ts";
import habits from "./habits.json" with { type: "json" };
import type { PlannedRental } from "./planner.ts";
import type { RentalPlan } from "./planning.ts";
import { createDemoRandom } from "./random.ts";
import { createMeterReadings, type LatestReadings, type UnitReadings } from "./readings.ts";

/** An agreed rental with all data for its rows. */
export interface DemoContract extends BookingSource, PlannedRental {
  readonly id: number;
  readonly freeAccessId: string;
  readonly draft: BookingDraft;
  readonly cancelledAt: CivilMinute | undefined;
  /** Whether the reservation's hold expired without payment. */
  readonly isExpired: boolean;
  readonly closing: ReturnType<typeof closeContract>;
  /** Whether the deposit pays the closing costs. */
  readonly isKeptFromDeposit: boolean;
  readonly units: readonly UnitReadings[];
  readonly comments: string | undefined;
}

const SHORT_NOTICE_MINUTES = 12;
/** Positions of the demo customer's rentals among the finished ones, oldest first. */
const DEMO_CUSTOMER_RENTALS = [0.2, 0.5, 0.8, 0.95];

/**
 * Creates contracts in pickup order, because meters only increase, and numbers them in booking order. `meters` records
 * the latest readings.
 */
export function createContracts(
  company: DemoCompany,
  { rentals, stock }: RentalPlan,
  meters: LatestReadings,
): DemoContract[] {
  const drawing = { company, random: createDemoRandom(`${company.account} contracts`) };
  const inOrder = rentals.toSorted((a, b) => a.span.startsAt - b.span.startsAt || a.order - b.order);
  const demoRentals = listDemoCustomerRentals(inOrder);
  const signed = inOrder
    .map((rental) => {
      const booked = { ...rental, ...drawBookingSource(drawing, rental, demoRentals.has(rental)) };
      return sign(drawing, { ...booked, draft: draftRentalBooking(drawing, stock, booked) }, meters);
    })
    .sort((a, b) => a.createdAt - b.createdAt || a.order - b.order);
  return withPaidFirst(signed).map((contract, index) => ({ ...contract, id: index + 1 }));
}

// Puts the oldest finished online booking first, because documentation examples pay and refund contract number 1.
function withPaidFirst(contracts: readonly DemoContract[]): readonly DemoContract[] {
  const demoContractIndex = contracts.findIndex(({ status, origin }) => status === "done" && origin === "engine");
  const paid = Math.max(0, demoContractIndex);
  return [...contracts.slice(paid, paid + 1), ...contracts.toSpliced(paid, 1)];
}

function listDemoCustomerRentals(rentals: readonly PlannedRental[]): ReadonlySet<PlannedRental | undefined> {
  const doneRentals = rentals.filter(({ status }) => status === "done");
  const toCome = rentals.filter(({ status }) => status === "confirmed");
  const chosen = DEMO_CUSTOMER_RENTALS.map((share) => doneRentals[Math.floor(doneRentals.length * share)]);
  return new Set([...chosen, toCome[Math.floor(toCome.length / 3)]]);
}

type Agreed = PlannedRental & BookingSource & Pick<DemoContract, "draft">;

function sign(drawing: RandomContext, agreed: Agreed, meters: LatestReadings): DemoContract {
  const { company, random } = drawing;
  const isCancelled = agreed.status === "cancelled";
  const mayExpire = isCancelled && agreed.origin === "engine" && !company.settings.automaticConfirmation;
  const isExpired = mayExpire && random.chance(habits.shares.expired);
  const units = createMeterReadings(drawing, agreed, meters);
  return {
    ...agreed,
    id: 0,
    freeAccessId: random.hex(32),
    cancelledAt: isCancelled ? drawCancellation(drawing, agreed, isExpired) : undefined,
    isExpired,
    closing: closeContract(company, agreed, units),
    isKeptFromDeposit: random.chance(habits.shares.depositKept),
    units,
    comments: random.chance(habits.shares.comment) ? random.pick(company.ownTexts.comments) : undefined,
  };
}

function drawCancellation({ company, random }: RandomContext, agreed: Agreed, isExpired: boolean): CivilMinute {
  const { span, createdAt } = agreed;
  const latest = Math.min(company.now, span.startsAt) - 1;
  const targetCount = isExpired
    ? createdAt + company.settings.holdMinutes
    : createdAt + SHORT_NOTICE_MINUTES + Math.floor((latest - createdAt) * random.nextFraction());
  return Math.max(createdAt + 1, Math.min(latest, targetCount));
}

// Calculates closing costs: supplements 1 to 3, extra days, fuel and kilometres.
function closeContract({ settings, rows }: DemoCompany, agreed: Agreed, units: readonly UnitReadings[]) {
  const { draft, collectedAt, span } = agreed;
  const { days } = draft.terms;
  const closings = units.flatMap(({ line: at, delivery, collection }) => {
    const line = draft.lines[at];
    const rates = rows.categories.find(({ code }) => code === line?.category.code);
    if (!line || !rates || !delivery || !collection) return [];
    const kilometresIncluded = rates.kilometresPerDay === null ? undefined : rates.kilometresPerDay * days;
    return calculateUnitClosing(
      { ...rates, kilometresIncluded, days, extraDayCents: getUnitDayRateCents(line, days) },
      {
        lateMinutes: collectedAt - span.endsAt,
        graceMinutes: settings.graceMinutes,
        deliveryKilometres: delivery.usageUnits,
        collectionKilometres: collection.usageUnits,
        deliveryFuelEighths: parseFuelEighths(delivery.fuel),
        collectionFuelEighths: parseFuelEighths(collection.fuel),
        earlier: { kilometres: 0, missingEighths: 0 },
      },
    );
  });
  const supplementCents = [
    sumCents(closings.map(({ extraDaysCents }) => extraDaysCents)),
    sumCents(closings.map(({ fuelCents }) => fuelCents)),
    sumCents(closings.map(({ kilometresCents }) => kilometresCents)),
  ] as const;
  return { supplementCents, totalCents: sumCents(supplementCents) };
}

/** Calculates a contract's price including closing costs. */
export function calculateContractTotal({ draft, closing }: Pick<DemoContract, "draft" | "closing">): Cents {
  return draft.totals.totalCents + closing.totalCents;
}
