import { type CivilDate, type CivilMinute, fromCivilMinute, MINUTES_PER_DAY, toDayNumber } from "#domain/dates.ts";
import type { Agency, Agent, Company } from "./company.ts";
import type { Customer, CustomerType } from "./customers.ts";
import type { PlannedRental } from "./planner.ts";
import { itemAt, type Random } from "./random.ts";

/** Who books a rental, how, and when. */
export interface BookingSource {
  readonly customer: Customer;
  readonly origin: Origin;
  readonly agency: Agency | undefined;
  readonly agent: Agent | undefined;
  readonly staffId: number;
  readonly createdAt: CivilMinute;
  /** Full years at pickup; absent where nobody was asked. */
  readonly driverAge: number | undefined;
}

export type Origin = "agency" | "engine" | "staff";

export interface SourceContext {
  readonly company: Company;
  readonly customers: readonly Customer[];
  readonly customersByType: ReadonlyMap<CustomerType, readonly Customer[]>;
  readonly random: Random;
}

const ORIGINS: Readonly<Record<Origin, number>> = { engine: 46, agency: 28, staff: 26 };
/** Mean days between booking and pickup. */
const LEAD_DAYS: Readonly<Record<Origin, number>> = { engine: 24, agency: 38, staff: 8 };
const LONGEST_LEAD_DAYS = 180;
const WALK_IN_SHARE = 0.3;
const AGENT_SHARE = 0.18;
const AGE_ASKED_SHARE: Readonly<Record<Origin, number>> = { engine: 0.9, agency: 0.35, staff: 0.8 };
const YOUNGEST_DRIVER = 21;
const MINUTES_SINCE_PENDING = 1_100;
/** Between a walk-in's booking and the earliest delivery. */
const MINUTES_AT_COUNTER = 25;
const ATTEMPTS = 20;

export function drawSource(
  context: SourceContext,
  rental: PlannedRental,
  customerId: number | undefined,
): BookingSource {
  const { company, random } = context;
  const isPending = rental.status === "pending_confirmation";
  const origin = customerId !== undefined || isPending ? "engine" : random.pickKey(ORIGINS);
  const pickupDate = rental.period.dateFrom;
  const customer =
    customerId === undefined ? drawCustomer(context, origin, pickupDate) : itemAt(context.customers, customerId - 1);
  const isAgeAsked = random.chance(AGE_ASKED_SHARE[origin]);
  return {
    customer,
    origin,
    agency:
      origin === "agency" ? random.pickWeighted(company.rows.agencies.map((one) => [one, one.popularity])) : undefined,
    agent:
      origin === "staff" && customer.customerType === "individual" && random.chance(AGENT_SHARE)
        ? random.pick(company.rows.agents)
        : undefined,
    staffId: drawStaff(company, rental, random),
    createdAt: drawCreation(context, rental, origin),
    driverAge: isAgeAsked ? (ageAt(customer, pickupDate) ?? random.between(26, 60)) : undefined,
  };
}

// Firms book at the desk; whoever is too young on the day is not asked again.
function drawCustomer({ customersByType, random }: SourceContext, origin: Origin, on: CivilDate): Customer {
  const type =
    origin === "staff"
      ? random.pickKey({ individual: 58, legal_entity: 28, group_company: 8, internal_department: 6 })
      : "individual";
  const fitting = customersByType.get(type) ?? [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const customer = random.pick(fitting);
    if ((ageAt(customer, on) ?? YOUNGEST_DRIVER) >= YOUNGEST_DRIVER) return customer;
  }
  throw new Error("nearly every customer is too young to drive");
}

function ageAt({ dateOfBirth }: Customer, on: CivilDate): number | undefined {
  if (dateOfBirth === undefined) return undefined;
  const years = Number(on.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return on.slice(5) < dateOfBirth.slice(5) ? years - 1 : years;
}

function drawStaff({ rows: { users, userBranches } }: Company, rental: PlannedRental, random: Random): number {
  const { branchCode } = rental.pickupPlace;
  const worksThere = (id: number) => userBranches.some((one) => one.userId === id && one.branchCode === branchCode);
  const staff = users.filter(({ id, role, allBranches }) => role !== "customer" && (allBranches || worksThere(id)));
  return random.pick(staff).id;
}

// Before the pickup and before now; by day rather than by night.
function drawCreation(context: SourceContext, { span, status }: PlannedRental, origin: Origin): CivilMinute {
  const {
    company: { now },
    random,
  } = context;
  if (status === "pending_confirmation") return now - random.between(30, MINUTES_SINCE_PENDING);
  const latest = Math.min(now - 5, span.startsAt - MINUTES_AT_COUNTER);
  if (origin === "staff" && span.startsAt <= now && random.chance(WALK_IN_SHARE)) return latest - random.between(0, 35);
  const lead = Math.min(LONGEST_LEAD_DAYS, -Math.log(1 - random.fraction()) * LEAD_DAYS[origin]) * MINUTES_PER_DAY;
  const wanted = Math.floor(span.startsAt - lead);
  const created = wanted < latest ? wanted : latest - random.between(0, 12 * MINUTES_PER_DAY);
  return atDaytime(created, random);
}

function atDaytime(minute: CivilMinute, random: Random): CivilMinute {
  const { date } = fromCivilMinute(minute);
  const midnight = toDayNumber(date) * MINUTES_PER_DAY;
  return minute - midnight >= 7 * 60 ? minute : midnight - random.between(60, 14 * 60);
}
