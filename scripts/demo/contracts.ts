import type { BookingStatus } from "#domain/bookings/bookings.ts";
import type { BookingDraft } from "#domain/bookings/draft.ts";
import type { CivilMinute, Span } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import { type Booker, drawBooker } from "./bookers.ts";
import type { Agency, Agent, Company } from "./company.ts";
import { DEMO_CUSTOMER_ID } from "./credentials.ts";
import { type Draughtsman, draftRental } from "./drafts.ts";
import type { Customer, CustomerType } from "./people.ts";
import type { PlannedRental } from "./planner.ts";
import type { Random } from "./random.ts";
import { type Meters, readMeters, type UnitReadings } from "./readings.ts";
import type { AfterRentalCharge } from "./words.ts";

/** A rental agreed with a customer: all that its rows are written from. */
export interface Contract {
  readonly id: number;
  readonly freeAccessId: string;
  readonly rental: PlannedRental;
  readonly status: BookingStatus;
  readonly span: Span;
  readonly draft: BookingDraft;
  readonly customer: Customer;
  readonly origin: Origin;
  readonly agency: Agency | undefined;
  readonly agent: Agent | undefined;
  readonly staffId: number;
  readonly createdAt: CivilMinute;
  readonly cancelledAt: CivilMinute | undefined;
  /** A hold that ended without anybody paying. */
  readonly isExpired: boolean;
  readonly afterRental: { readonly charge: AfterRentalCharge; readonly cents: Cents } | undefined;
  readonly units: readonly UnitReadings[];
  readonly comments: string | undefined;
}

export type Origin = "agency" | "engine" | "staff";

export interface Signing {
  readonly company: Company;
  readonly customers: readonly Customer[];
  readonly customersByType: ReadonlyMap<CustomerType, readonly Customer[]>;
  readonly draughtsman: Draughtsman;
  readonly meters: Meters;
  readonly now: CivilMinute;
  readonly random: Random;
}

const AFTER_RENTAL_SHARE = 0.06;
const COMMENT_SHARE = 0.12;
const EXPIRED_SHARE = 0.3;
const MINUTES_OF_HASTE = 12;
/** Of its done rentals, counted from the oldest, those of the customer that can sign in. */
const DEMO_CUSTOMER_RENTALS = [0.2, 0.5, 0.8, 0.95];

/** Signs the rentals in the order of their pickups, so that the meters only go up; numbers them in the order of booking. */
export function signContracts(signing: Signing, rentals: readonly PlannedRental[]): Contract[] {
  const inOrder = rentals.toSorted((a, b) => a.span.startsAt - b.span.startsAt || a.order - b.order);
  const demoRentals = rentalsOfDemoCustomer(inOrder);
  return inOrder
    .map((rental) => sign(signing, rental, demoRentals.has(rental)))
    .sort((a, b) => a.createdAt - b.createdAt || a.rental.order - b.rental.order)
    .map((contract, index) => ({ ...contract, id: index + 1 }));
}

function rentalsOfDemoCustomer(rentals: readonly PlannedRental[]): ReadonlySet<PlannedRental> {
  const done = rentals.filter(({ status }) => status === "done");
  const toCome = rentals.filter(({ status }) => status === "confirmed");
  const chosen = [
    ...DEMO_CUSTOMER_RENTALS.map((share) => done[Math.floor(done.length * share)]),
    toCome[Math.floor(toCome.length / 3)],
  ];
  return new Set(chosen.filter((rental) => rental !== undefined));
}

function sign(signing: Signing, rental: PlannedRental, isForDemoCustomer: boolean): Contract {
  const { company, random, draughtsman, meters, now } = signing;
  const booker = drawBooker(signing, rental, isForDemoCustomer ? DEMO_CUSTOMER_ID : undefined);
  const draft = draftRental(draughtsman, rental, booker, random);
  const isExpired =
    rental.status === "cancelled" &&
    booker.origin === "engine" &&
    !company.settings.automaticConfirmation &&
    random.chance(EXPIRED_SHARE);
  return {
    id: 0,
    freeAccessId: random.hex(32),
    rental,
    status: rental.status,
    span: rental.span,
    draft,
    customer: booker.customer,
    origin: booker.origin,
    agency: booker.agency,
    agent: booker.agent,
    staffId: booker.staffId,
    createdAt: booker.createdAt,
    cancelledAt: rental.status === "cancelled" ? cancelledAt(signing, rental, booker, isExpired) : undefined,
    isExpired,
    afterRental:
      rental.status === "done" && random.chance(AFTER_RENTAL_SHARE) ? drawAfterRental(company, random) : undefined,
    units: readMeters(meters, rental, draft, now, random),
    comments: random.chance(COMMENT_SHARE) ? random.pick(company.words.comments) : undefined,
  };
}

function cancelledAt(
  { company, random, now }: Signing,
  { span }: PlannedRental,
  { createdAt }: Booker,
  isExpired: boolean,
): CivilMinute {
  const latest = Math.min(now, span.startsAt) - 1;
  const wanted = isExpired
    ? createdAt + company.settings.holdMinutes
    : createdAt + MINUTES_OF_HASTE + Math.floor((latest - createdAt) * random.fraction());
  return Math.max(createdAt + 1, Math.min(latest, wanted));
}

function drawAfterRental({ words }: Company, random: Random): Contract["afterRental"] {
  const charge = random.pick(words.afterRental);
  return { charge, cents: random.between(charge.fromCents / 100, charge.toCents / 100) * 100 };
}
