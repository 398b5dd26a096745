import { type Random, randomFrom } from "#scripts/demo/random.ts";

/**
 * What is asked for: so many units of a category, from a day for some days, counted from the first day that can be
 * booked.
 */
export interface RentalRequest {
  readonly code: string;
  readonly quantity: number;
  readonly seats: number;
  readonly from: number;
  readonly days: number;
}

/**
 * One thing that happens, by its number and its moment (milliseconds since the beginning). A list of them is a whole
 * run.
 */
export type Step = { readonly id: number; readonly at: number } & (
  | { readonly does: "book"; readonly rental: RentalRequest }
  | { readonly does: "cancel"; readonly booking: number }
  /**
   * `pays`: how long after the checkout, in minutes; a hold may have ended by then. `refunds`: how much of it, in
   * percent.
   */
  | {
      readonly does: "buy";
      readonly rental: RentalRequest;
      readonly pays: number | undefined;
      readonly refunds: number;
    }
  /** The vehicle goes out and comes back, on the days that were booked. */
  | { readonly does: "drive"; readonly booking: number }
  | { readonly does: "kill"; readonly downFor: number }
  /** The machine's clock is wrong by so much from now on. */
  | { readonly does: "clock"; readonly wrongBy: number }
);

export interface Scenario {
  readonly seed: string;
  readonly bookings: number;
  readonly kills: number;
}

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** All that want a vehicle at the same moment. */
const CROWD = 100;
/** A moment in which a crowd comes, and what follows it, lasts a day and a half. */
const CROWD_EVERY = 1.5 * DAY;
/** Within a crowd all ask for days of the same two weeks. */
const WINDOW_DAYS = 14;
const FIRST_DAYS = 3;
/** A hold lasts an hour. */
const IN_TIME_MINUTES = 30;
const TOO_LATE_MINUTES = 3000;

type Drawn = Step extends infer S ? (S extends Step ? Omit<S, "id"> : never) : never;

/** What happens in a run, drawn from a seed. */
export function drawSteps({ seed, bookings, kills }: Scenario): readonly Step[] {
  const random = randomFrom(`steps ${seed}`);
  const steps: Step[] = [];
  const add = (step: Drawn) => {
    const id = steps.length + 1;
    steps.push({ ...step, id } as Step);
    return id;
  };
  const crowds = Math.ceil(bookings / CROWD);
  for (let crowd = 0; crowd < crowds; crowd++) {
    const begins = crowd * CROWD_EVERY + random.between(0, 20 * 60) * MINUTE;
    const firstDay = Math.floor(begins / DAY) + FIRST_DAYS;
    const size = Math.min(CROWD, bookings - crowd * CROWD);
    for (let one = 0; one < size; one++) drawRequest(random, { begins, firstDay }, add);
    const killsUntil = (count: number) => Math.floor((count * kills) / crowds);
    for (let one = killsUntil(crowd); one < killsUntil(crowd + 1); one++) {
      // Amid the crowd, while calls are under way.
      add({ at: begins + random.between(1, 200), does: "kill", downFor: random.between(50, 90_000) });
    }
    if (!random.chance(0.3)) continue;
    const wrongBy = random.pick([0, random.between(-3000, 3000), random.between(-60_000, 600_000)]);
    add({ at: begins + random.between(0, 600) * MINUTE, does: "clock", wrongBy });
  }
  return steps;
}

/** Somebody of a crowd wants a vehicle, and perhaps something more of it later. */
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
  if (random.chance(0.5)) add({ at: at + random.between(1, 2000) * MINUTE, does: "cancel", booking });
  else if (random.chance(0.1)) add({ at: at + MINUTE, does: "drive", booking });
}

function drawPurchase(random: Random, at: number, rental: RentalRequest, add: (step: Drawn) => number): void {
  // Who looks at a website takes a day on which there is something.
  const later = random.chance(0.7) ? random.between(WINDOW_DAYS, 5 * WINDOW_DAYS) : 0;
  const longest = random.chance(0.7) ? IN_TIME_MINUTES : TOO_LATE_MINUTES;
  const pays = random.chance(0.7) ? random.between(1, longest) : undefined;
  add({
    at,
    does: "buy",
    rental: { ...rental, from: rental.from + later },
    pays,
    refunds: random.pick([0, 0, 30, 100]),
  });
}
