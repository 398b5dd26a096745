import { getAgeOn } from "#domain/check-in/driver.ts";
import { type CivilDate, type CivilMinute, MINUTES_PER_DAY } from "#domain/dates.ts";
import { DEMO_CUSTOMER_ID, type DemoCustomer } from "./customers.ts";
import type { RandomContext } from "./describe-company.ts";
import habits from "./habits.json" with { type: "json" };
import type { PlannedRental } from "./planner.ts";
import { getItemOrThrow } from "./random.ts";

/** Customer, channel and time of a booking. */
export type BookingSource = ReturnType<typeof drawBookingSource>;
type Origin = keyof typeof habits.origins;

const MAX_LEAD_DAYS = 180;
const YOUNGEST_DRIVER = 21;
const MINUTES_SINCE_PENDING = 1_100;
/** Time between a walk-in's booking and the earliest hand-over. */
const MINUTES_AT_COUNTER = 25;
const ATTEMPTS = 20;

/** Draws who booked a rental, through which origin, agency or agent, and when. */
export function drawBookingSource(drawing: RandomContext, rental: PlannedRental, isOfDemoCustomer: boolean) {
  const { company, random } = drawing;
  const { agencies, agents } = company.rows;
  const pickupDate = rental.period.dateFrom;
  const isOnWeb = isOfDemoCustomer || rental.status === "pending_confirmation";
  const origin = isOnWeb ? "engine" : random.pickKey(habits.origins);
  const customer = isOfDemoCustomer
    ? getItemOrThrow(company.customers, DEMO_CUSTOMER_ID - 1)
    : drawCustomer(drawing, origin, pickupDate);
  const hasDriverAge = random.chance(habits.ageAskedShares[origin]);
  const isPersonAtDesk = origin === "staff" && customer.customerType === "individual";
  return {
    customer,
    origin,
    agency:
      origin === "agency" ? random.pickWeighted(agencies.map((agency) => [agency, agency.popularity])) : undefined,
    agent: isPersonAtDesk && random.chance(habits.shares.byAgent) ? random.pick(agents) : undefined,
    staff: drawStaff(drawing, rental),
    createdAt: drawCreation(drawing, rental, origin),
    // Full years at pickup.
    driverAge: hasDriverAge ? (ageAt(customer, pickupDate) ?? random.between(26, 60)) : undefined,
  };
}

// Returns a random customer. Draws again if the customer is too young on that day.
function drawCustomer({ company, random }: RandomContext, origin: Origin, on: CivilDate): DemoCustomer {
  const fitting = company.customersOf(origin === "staff" ? random.pickKey(habits.customersAtDesk) : "individual");
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const customer = random.pick(fitting);
    if ((ageAt(customer, on) ?? YOUNGEST_DRIVER) >= YOUNGEST_DRIVER) return customer;
  }
  throw new Error("nearly every customer is too young to drive");
}

function ageAt({ dateOfBirth }: DemoCustomer, on: CivilDate): number | undefined {
  return dateOfBirth && getAgeOn(dateOfBirth, on);
}

function drawStaff({ company, random }: RandomContext, { pickupPlace: { branchCode } }: PlannedRental): string {
  const { users, userBranches } = company.rows;
  const worksThere = (id: number) =>
    userBranches.some((userBranch) => userBranch.userId === id && userBranch.branchCode === branchCode);
  const staff = users.filter(({ id, role, allBranches }) => role !== "customer" && (allBranches || worksThere(id)));
  return `staff:${random.pick(staff).id}`;
}

// Returns a random booking time before the pickup and before now, mostly during the day.
function drawCreation(
  { company, random }: RandomContext,
  { span, status }: PlannedRental,
  origin: Origin,
): CivilMinute {
  const { now } = company;
  if (status === "pending_confirmation") return now - random.between(30, MINUTES_SINCE_PENDING);
  const latest = Math.min(now - 5, span.startsAt - MINUTES_AT_COUNTER);
  if (origin === "staff" && span.startsAt <= now && random.chance(habits.shares.walkIn))
    return latest - random.between(0, 35);
  const lead =
    Math.min(MAX_LEAD_DAYS, -Math.log(1 - random.nextFraction()) * habits.meanLeadDays[origin]) * MINUTES_PER_DAY;
  const desiredMinute = Math.floor(span.startsAt - lead);
  const created = desiredMinute < latest ? desiredMinute : latest - random.between(0, 12 * MINUTES_PER_DAY);
  const createdDayMinute = created % MINUTES_PER_DAY;
  return createdDayMinute >= 7 * 60 ? created : created - createdDayMinute - random.between(60, 14 * 60);
}
