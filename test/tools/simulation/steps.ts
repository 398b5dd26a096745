import { createDemoRandom, type Random } from "#scripts/demo/random.ts";

/** A request for units of a category, from a day for some days, counted from the first bookable day. */
export interface RentalRequest {
  readonly code: string;
  readonly quantity: number;
  readonly seats: number;
  readonly from: number;
  readonly days: number;
}

/** Office actions on a reservation. */
export const SIMULATED_OFFICE_ACTIONS = {
  whileBooked: ["agent", "agent", "change", "change", "cancel", "cash", "cash", "giveBack"],
  /** Actions around the return. Before it, they are rejected or apply to the contract on rent. */
  whenDone: ["agent", "change", "cash", "surcharge", "reopen", "settle", "settle", "unsettle", "giveBack"],
} as const;
export type SimulatedOfficeAction = (typeof SIMULATED_OFFICE_ACTIONS)[keyof typeof SIMULATED_OFFICE_ACTIONS][number];

/** How a vehicle is returned. */
export interface SimulatedReturn {
  /** Return branch, if not the agreed one. */
  readonly branch: string | undefined;
  readonly hoursLate: number;
  readonly isDamaged: boolean;
  /** Deposit held and its retained part, in cents. */
  readonly deposit: number;
  readonly kept: number;
}

/** An event with its number and time (ms since the start). A list of them is a complete run. */
export type Step = { readonly id: number; readonly at: number } & (
  | { readonly does: "book"; readonly rental: RentalRequest }
  | { readonly does: "cancel"; readonly booking: number }
  /**
   * `pays` is the delay after checkout in minutes, possibly after the hold expired. `refunds` is the refunded
   * percentage.
   */
  | {
      readonly does: "buy";
      readonly rental: RentalRequest;
      readonly pays: number | undefined;
      readonly refunds: number;
    }
  /** The vehicle goes out and returns on the booked days. */
  | { readonly does: "drive"; readonly booking: number; readonly back: SimulatedReturn }
  /** Office action on the booking of a step. */
  | {
      readonly does: "office";
      readonly booking: number;
      readonly move: SimulatedOfficeAction;
      readonly percent: number;
    }
  /** Records a vehicle expense and removes it after so many hours. */
  | { readonly does: "spend"; readonly vehicle: string; readonly cents: number; readonly wrongFor: number | undefined }
  /** Blocks a vehicle for some days, possibly lifted after so many hours. */
  | {
      readonly does: "block";
      readonly vehicle: string;
      readonly from: number;
      readonly days: number;
      readonly liftedAfter: number | undefined;
    }
  /** Counts a branch's cash with a given surplus. */
  | { readonly does: "count"; readonly branch: string; readonly cents: number }
  | { readonly does: "kill"; readonly downFor: number }
  /** Changes the machine's clock by an offset from now on. */
  | { readonly does: "clock"; readonly wrongBy: number }
);

export interface Scenario {
  readonly seed: string;
  readonly bookings: number;
  readonly kills: number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Number of simultaneous requests for a vehicle. */
const BURST_SIZE = 100;
/** A contested moment and its follow-ups last a day and a half. */
const BURST_INTERVAL_MS = 1.5 * DAY;
/** Simultaneous requests are for days within the same two weeks. */
const WINDOW_DAYS = 14;
const FIRST_DAYS = 3;
/** A hold lasts an hour. */
const IN_TIME_MINUTES = 30;
const TOO_LATE_MINUTES = 3000;
const VEHICLES = ["A-1", "A-2", "A-3", "B-1", "C-1"];
const BRANCHES = ["AIR", "TOWN", "ISLE"];

type Drawn = Step extends infer S ? (S extends Step ? Omit<S, "id"> : never) : never;

/** Creates the steps of a run from a seed. */
export function generateSteps({ seed, bookings, kills }: Scenario): readonly Step[] {
  const random = createDemoRandom(`steps ${seed}`);
  const steps: Step[] = [];
  const add = (step: Drawn) => {
    const id = steps.length + 1;
    steps.push({ ...step, id } as Step);
    return id;
  };
  const crowds = Math.ceil(bookings / BURST_SIZE);
  for (let burst = 0; burst < crowds; burst++) {
    const begins = burst * BURST_INTERVAL_MS + random.between(0, 20 * 60) * MINUTE;
    const firstDay = Math.floor(begins / DAY) + FIRST_DAYS;
    const size = Math.min(BURST_SIZE, bookings - burst * BURST_SIZE);
    for (let value = 0; value < size; value++) drawRequest(random, { begins, firstDay }, add);
    const killsUntil = (count: number) => Math.floor((count * kills) / crowds);
    for (let value = killsUntil(burst); value < killsUntil(burst + 1); value++) {
      // During contested bookings or office work, while calls are in progress.
      const work = steps.filter(({ at, does }) => does === "office" && at > begins);
      const amid = random.chance(0.5) && work.length > 0 ? random.pick(work).at : begins;
      add({ at: amid + random.between(1, 200), does: "kill", downFor: random.between(50, 90_000) });
    }
    drawDay(random, { begins, firstDay }, add);
    if (!random.chance(0.3)) continue;
    const wrongBy = random.pick([0, random.between(-3000, 3000), random.between(-60_000, 600_000)]);
    add({ at: begins + random.between(0, 600) * MINUTE, does: "clock", wrongBy });
  }
  return steps;
}

/** Creates a request for a contested vehicle, and sometimes later changes. */
function drawRequest(
  random: Random,
  { begins, firstDay }: { readonly begins: number; readonly firstDay: number },
  add: (step: Drawn) => number,
): void {
  const at = begins + random.between(0, random.chance(0.8) ? 60 : 5000);
  const rental: RentalRequest = {
    code: random.pick(["A", "A", "A", "B", "C"]),
    quantity: random.chance(0.1) ? 2 : 1,
    seats: random.chance(0.3) ? random.between(1, 3) : 0,
    from: firstDay + random.between(0, WINDOW_DAYS),
    days: random.between(1, 5),
  };
  if (random.chance(0.15)) {
    drawPurchase(random, at, rental, add);
    return;
  }
  const booking = add({ at, does: "book", rental });
  const becomes = random.between(1, 10);
  if (becomes <= 4) add({ at: at + random.between(1, 2000) * MINUTE, does: "cancel", booking });
  else if (becomes <= 7) drawRental(random, { at, booking, rental, begins }, add);
  else if (becomes <= 9)
    drawActions(random, { at, lasts: 2000, booking, moves: SIMULATED_OFFICE_ACTIONS.whileBooked }, add);
}

/** Creates hand-over and return of a rental, with office actions before and after. */
function drawRental(
  random: Random,
  purchase: { readonly at: number; readonly booking: number; readonly rental: RentalRequest; readonly begins: number },
  add: (step: Drawn) => number,
): void {
  const { at, booking, rental, begins } = purchase;
  const deposit = random.chance(0.4) ? random.between(1, 300) * 100 : 0;
  const back = {
    branch: random.chance(0.3) ? random.pick(BRANCHES) : undefined,
    hoursLate: random.chance(0.2) ? random.between(1, 60) : 0,
    isDamaged: random.chance(0.2),
    deposit,
    kept: random.chance(0.4) ? random.between(0, deposit) : 0,
  };
  const before = { at, lasts: 2000, booking, moves: SIMULATED_OFFICE_ACTIONS.whileBooked };
  if (random.chance(0.4)) drawActions(random, before, add);
  add({ at: at + MINUTE, does: "drive", booking, back });
  const isOver = (Math.floor(begins / DAY) + FIRST_DAYS + rental.from + rental.days) * DAY;
  // Starts half a day before the agreed return, so that some actions happen while the vehicle is on rent.
  const after = { at: isOver - DAY / 2, lasts: 5000, booking, moves: SIMULATED_OFFICE_ACTIONS.whenDone };
  if (random.chance(0.7)) drawActions(random, after, add);
}

function drawActions(
  random: Random,
  purchase: {
    readonly at: number;
    /** Number of minutes after `at` within which the actions happen. */
    readonly lasts: number;
    readonly booking: number;
    readonly moves: readonly SimulatedOfficeAction[];
  },
  add: (step: Drawn) => number,
): void {
  const first = purchase.at + random.between(1, purchase.lasts) * MINUTE;
  // Draws some actions within minutes of each other, as if two users made them at once.
  const isImmediate = random.chance(0.4);
  for (let moves = random.between(1, 4); moves > 0; moves--) {
    const at = isImmediate ? first + random.between(0, 300) : purchase.at + random.between(1, purchase.lasts) * MINUTE;
    const percent = random.between(1, 100);
    add({ at, does: "office", booking: purchase.booking, move: random.pick(purchase.moves), percent });
  }
}

/** Creates the office's other work of a day. */
function drawDay(
  random: Random,
  { begins, firstDay }: { readonly begins: number; readonly firstDay: number },
  add: (step: Drawn) => number,
): void {
  const pickTime = () => begins + random.between(0, 1000) * MINUTE;
  const hours = (maxHours: number) => (random.chance(0.4) ? random.between(1, maxHours) : undefined);
  const vehicle = () => random.pick(VEHICLES);
  const cents = random.between(1, 99_999);
  add({ at: pickTime(), does: "spend", vehicle: vehicle(), cents, wrongFor: hours(48) });
  add({ at: pickTime(), does: "count", branch: random.pick(BRANCHES), cents: random.pick([0, 0, 500]) });
  if (!random.chance(0.3)) return;
  const from = firstDay + random.between(0, WINDOW_DAYS);
  const days = random.between(1, 4);
  add({ at: pickTime(), does: "block", vehicle: vehicle(), from, days, liftedAfter: hours(48) });
}

function drawPurchase(random: Random, at: number, rental: RentalRequest, add: (step: Drawn) => number): void {
  // Website visitors usually choose days with availability.
  const later = random.chance(0.7) ? random.between(WINDOW_DAYS, 5 * WINDOW_DAYS) : 0;
  const maxPaymentMinutes = random.chance(0.7) ? IN_TIME_MINUTES : TOO_LATE_MINUTES;
  const pays = random.chance(0.7) ? random.between(1, maxPaymentMinutes) : undefined;
  const booking = add({
    at,
    does: "buy",
    rental: { ...rental, from: rental.from + later },
    pays,
    refunds: random.pick([0, 0, 30, 100]),
  });
  if (random.chance(0.3))
    drawActions(random, { at, lasts: 2000, booking, moves: SIMULATED_OFFICE_ACTIONS.whileBooked }, add);
}
