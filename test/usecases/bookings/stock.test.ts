import { env } from "cloudflare:workers";
import fc from "fast-check";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { countFreeVehicles } from "#domain/bookings/availability.ts";
import { type CivilDate, fromCivilMinute, type TimeText, toCivilMinute } from "#domain/dates.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { insertRental, type NewRental } from "#support/rentals.ts";
import { readAndCheckCachedStock } from "#support/searched-stock.ts";
import { toStockInstant, toStockQueryInput } from "#worker/usecases/bookings/search-availability.ts";

// Madrid changes to summer time on 28 March 2027. The scenarios are around it.
const BEFORE_SUMMER = Date.UTC(2027, 2, 27, 11);
const SUMMER = Date.UTC(2027, 2, 29, 10);
const NOON = parseMinute("2027-03-29 12:00");
const PLACES = { AIR: 1, TOWN: 2, ISLE: 3 } as const;

beforeEach(async () => {
  await setUpCompany();
});

function parseMinute(text: string): number {
  const [date, time] = text.split(" ");
  return toCivilMinute(date as CivilDate, time as TimeText);
}

function formatCivilTime(minute: number): string {
  const { date, time } = fromCivilMinute(minute);
  return `${date} ${time}`;
}

interface AgreedRentalTerms {
  readonly from: string;
  readonly to: string;
  readonly category?: string;
  readonly branch?: keyof typeof PLACES;
  readonly returnBranch?: keyof typeof PLACES;
  readonly at?: number;
}

/** Returns the availability by search. */
async function countFree({
  from,
  to,
  category = "A",
  branch = "AIR",
  returnBranch = branch,
  at = SUMMER,
}: AgreedRentalTerms) {
  const [dateFrom, timeFrom] = from.split(" ") as [CivilDate, TimeText];
  const [dateTo, timeTo] = to.split(" ") as [CivilDate, TimeText];
  const rental = {
    period: { dateFrom, timeFrom, dateTo, timeTo },
    pickupPlaceId: PLACES[branch],
    returnPlaceId: PLACES[returnBranch],
  };
  const { catalogue, stock } = await readAndCheckCachedStock((current) => toStockQueryInput(current, rental, at));
  const storedCategory = catalogue.categories.get(category);
  if (!storedCategory) throw new Error(`no category ${category}`);
  return countFreeVehicles(stock, storedCategory);
}

const book = (terms: AgreedRentalTerms, changes: Partial<NewRental> = {}) =>
  insertRental({ at: SUMMER, ...terms, ...changes });

/** Returns the availability by search and checks that the guard accepts exactly as many. */
async function agreedFree(terms: AgreedRentalTerms): Promise<number> {
  const free = await countFree(terms);
  await expect(book(terms, { quantity: free + 1 })).rejects.toThrow("sold_out");
  if (free > 0) await cancelBooking(await book(terms, { quantity: free }));
  return free;
}

const run = (sql: string) => env.TENANT_ACME.prepare(sql).run();
const cancelBooking = (id: number) => run(`UPDATE bookings SET status = 'cancelled' WHERE id = ${id}`);
const block = (vehicle: string, from: string, to: string, kind = "workshop") =>
  run(
    `INSERT INTO vehicle_blocks (vehicle_reference, kind, starts_at, ends_at) VALUES ('${vehicle}', '${kind}', ${parseMinute(from)}, ${parseMinute(to)})`,
  );
const listAllocations = () =>
  env.TENANT_ACME.prepare("SELECT branch_group_id, quantity FROM stock_allocations ORDER BY id")
    .all()
    .then(({ results }) => results);

async function deliverUnit(id: number, vehicle: string) {
  await env.TENANT_ACME.batch([
    env.TENANT_ACME.prepare("UPDATE bookings SET status = 'in_progress' WHERE id = ?").bind(id),
    env.TENANT_ACME.prepare(
      "UPDATE booking_units SET vehicle_reference = ?, delivered_at = 1 WHERE booking_id = ?",
    ).bind(vehicle, id),
  ]);
}

function collect(id: number, at: number) {
  return env.TENANT_ACME.batch([
    env.TENANT_ACME.prepare("UPDATE bookings SET status = 'done' WHERE id = ?").bind(id),
    env.TENANT_ACME.prepare("UPDATE booking_units SET collected_at = ? WHERE booking_id = ?").bind(at, id),
  ]);
}

describe("a search and the guard", () => {
  // Proves "rules.md and conventions.md: the agency interface": Search, cart and guard agree, the new rental's own
  //   preparation included
  // Proves "rentals.md": 1
  test("counts the new rental's own preparation time in search and guard", async () => {
    await book({ from: "2027-09-20 10:00", to: "2027-09-23 10:00", category: "C" });
    expect(await agreedFree({ from: "2027-09-18 10:00", to: "2027-09-20 10:00", category: "C" })).toBe(0);
    expect(await agreedFree({ from: "2027-09-18 10:00", to: "2027-09-20 09:00", category: "C" })).toBe(1);
  });

  // Proves "rules.md and conventions.md: the agency interface": A workshop day takes one unit of that day
  test("counts a workshop block as missing vehicle only during the block, in search and stock guard", async () => {
    await block("A-1", "2027-06-10 08:00", "2027-06-10 18:00");
    await block("A-1", "2027-06-10 12:00", "2027-06-11 18:00");
    await block("A-2", "2027-06-20 08:00", "2027-06-20 18:00");
    expect(await agreedFree({ from: "2027-06-01 10:00", to: "2027-06-30 10:00" })).toBe(2);
    await book({ from: "2027-06-12 10:00", to: "2027-06-15 10:00" });
    expect(await agreedFree({ from: "2027-06-01 10:00", to: "2027-06-30 10:00" })).toBe(2);
    expect(await agreedFree({ from: "2027-06-10 17:00", to: "2027-06-13 10:00" })).toBe(2);
  });

  test("ignores a workshop block that begins when the rental ends, in search and stock guard", async () => {
    await block("C-1", "2027-06-10 10:00", "2027-06-11 18:00");
    expect(await agreedFree({ from: "2027-06-08 10:00", to: "2027-06-10 10:00", category: "C" })).toBe(1);
    expect(await agreedFree({ from: "2027-06-08 10:00", to: "2027-06-10 10:01", category: "C" })).toBe(0);
  });

  // Proves "rules.md: quotes, counts and agreements": A sold or released vehicle isn't a unit from that date on
  test("counts a vehicle as stock until it is sold or removed, in search and stock guard", async () => {
    await run("UPDATE vehicles SET sold_release_date = '2027-06-10' WHERE reference = 'C-1'");
    expect(await agreedFree({ from: "2027-06-01 10:00", to: "2027-06-09 23:59", category: "C" })).toBe(1);
    expect(await agreedFree({ from: "2027-06-01 10:00", to: "2027-06-10 00:01", category: "C" })).toBe(0);
    expect(await agreedFree({ from: "2027-07-01 10:00", to: "2027-07-10 10:00", category: "C" })).toBe(0);
  });

  // Proves "rules.md and conventions.md: the agency interface": A vehicle delivered before its pickup is occupied from
  //   then on
  test("occupies stock from an early hand-over until the return, and keeps other bookings valid", async () => {
    const early = await book({ from: "2027-06-10 10:00", to: "2027-06-12 10:00", category: "C" });
    const overlappingPeriod = { from: "2027-04-20 10:00", to: "2027-04-22 10:00", category: "C" };
    expect(await agreedFree(overlappingPeriod)).toBe(1);
    await run(`UPDATE bookings SET status = 'in_progress' WHERE id = ${early}`);
    await run(
      `UPDATE booking_units SET vehicle_reference = 'C-1', delivered_at = ${SUMMER} WHERE booking_id = ${early}`,
    );
    expect(await agreedFree(overlappingPeriod)).toBe(0);
    await run("UPDATE settings SET preparation_minutes = 90");
    await run(`UPDATE bookings SET date_to = '2027-06-13' WHERE id = ${early}`);
    await run(`INSERT INTO reallocations (booking_id, at) VALUES (${early}, ${SUMMER})`);
    expect(await agreedFree(overlappingPeriod)).toBe(0);
    expect(await agreedFree({ from: "2027-06-13 12:00", to: "2027-06-14 12:00", category: "C" })).toBe(1);
    await collect(early, SUMMER);
    expect(await agreedFree(overlappingPeriod)).toBe(1);
  });

  test("allows an early hand-over even if another booking relies on the vehicle", async () => {
    await book({ from: "2027-04-20 10:00", to: "2027-04-22 10:00", category: "C" });
    const early = await book({ from: "2027-06-10 10:00", to: "2027-06-12 10:00", category: "C" });
    await run(`UPDATE bookings SET status = 'in_progress' WHERE id = ${early}`);
    await run(
      `UPDATE booking_units SET vehicle_reference = 'C-1', delivered_at = ${SUMMER} WHERE booking_id = ${early}`,
    );
    expect(await countFree({ from: "2027-05-20 10:00", to: "2027-05-22 10:00", category: "C" })).toBe(0);
  });

  // Proves "rules.md and conventions.md: the agency interface": Search and guard agree on random fleets
  // Proves "rentals.md": 1c
  test("calculates the same free units in search, stock guard and a count of every half hour", async () => {
    await fc.assert(
      fc.asyncProperty(arbitraryFleet, async (fleet) => {
        await setUpCompany();
        if (fleet.stays) await run("UPDATE settings SET one_way_mode = 'stays'");
        await writeAbsences(fleet);
        const allocations = [...(await writeRentals(fleet)), ...(await giveVehicles(fleet))];
        const { from, steps } = fleet.wanted;
        const terms = {
          from: formatCivilTime(toStepTime(from)),
          to: formatCivilTime(toStepTime(from + steps)),
          returnBranch: getReturnBranch(fleet.oneWay),
        };
        expect(await agreedFree(terms)).toBe(countEveryHalfHour(fleet, allocations));
      }),
      { numRuns: inject("isThorough") ? 40 : 12 },
    );
  });
});

const STEP = 30;
const REPATRIATION = 3 * 1440;
const toStepTime = (step: number) => NOON + step * STEP;
const getReturnBranch = (oneWay: boolean): "ISLE" | "AIR" => (oneWay ? "ISLE" : "AIR");

// In half-hour steps from now.
const arbitraryPeriod = fc.record({ from: fc.integer({ min: -40, max: 120 }), steps: fc.integer({ min: 1, max: 60 }) });
const arbitraryFleet = fc.record({
  blocks: fc.array(fc.tuple(fc.constantFrom("A-1", "A-2", "A-3"), arbitraryPeriod), { maxLength: 5 }),
  released: fc.option(fc.tuple(fc.constantFrom("A-1", "A-2"), fc.integer({ min: -1, max: 2 }))),
  rentals: fc.array(
    fc.record({
      span: arbitraryPeriod,
      isOut: fc.boolean(),
      quantity: fc.integer({ min: 1, max: 2 }),
      oneWay: fc.boolean(),
    }),
    { maxLength: 6 },
  ),
  // Vehicles out on contracts of other categories, since when.
  given: fc.array(
    fc.record({
      from: fc.integer({ min: -40, max: 0 }),
      steps: fc.integer({ min: 1, max: 60 }),
      oneWay: fc.boolean(),
    }),
    { maxLength: 2 },
  ),
  wanted: fc.record({ from: fc.integer({ min: 0, max: 100 }), steps: fc.integer({ min: 1, max: 50 }) }),
  oneWay: fc.boolean(),
  stays: fc.boolean(),
});
type Fleet = typeof arbitraryFleet extends fc.Arbitrary<infer T> ? T : never;

const getReleasedUnits = ({ released }: Fleet) =>
  released ? Math.floor(NOON / 1440) * 1440 + released[1] * 1440 : Number.POSITIVE_INFINITY;

async function writeAbsences(fleet: Fleet): Promise<void> {
  for (const [vehicle, { from, steps }] of fleet.blocks)
    await block(vehicle, formatCivilTime(toStepTime(from)), formatCivilTime(toStepTime(from + steps)));
  if (!fleet.released) return;
  const date = formatCivilTime(getReleasedUnits(fleet)).slice(0, 10);
  await run(`UPDATE vehicles SET sold_release_date = '${date}' WHERE reference = '${fleet.released[0]}'`);
}

interface Allocation {
  readonly from: number;
  readonly until: number;
  readonly quantity: number;
}

/** Inserts rentals that the guard accepts. Some are out, and some of them overdue. */
async function writeRentals({ rentals, stays }: Fleet): Promise<Allocation[]> {
  const allocations: Allocation[] = [];
  for (const rental of rentals) {
    const { span, oneWay, quantity } = rental;
    const [from, to] = [toStepTime(span.from), toStepTime(span.from + span.steps)];
    const terms = { from: formatCivilTime(from), to: formatCivilTime(to), returnBranch: getReturnBranch(oneWay) };
    const id = await book(terms, { quantity }).catch(() => undefined);
    if (id === undefined) continue;
    const isDelivered = rental.isOut && span.from <= 0;
    if (isDelivered) await run(`UPDATE bookings SET status = 'in_progress' WHERE id = ${id}`);
    allocations.push({ from, until: backFrom(isDelivered && to < NOON ? NOON + 240 : to, oneWay, stays), quantity });
  }
  return allocations;
}

/** Hands out substitute vehicles. Affected bookings remain valid. */
async function giveVehicles({ given, stays }: Fleet): Promise<Allocation[]> {
  const allocations: Allocation[] = [];
  for (const [index, { from, steps, oneWay }] of given.entries()) {
    const to = toStepTime(from + steps);
    const category = ["B", "C"][index] ?? "";
    const terms = {
      from: formatCivilTime(toStepTime(from)),
      to: formatCivilTime(to),
      returnBranch: getReturnBranch(oneWay),
      category,
    };
    const id = await book(terms);
    await run(`UPDATE bookings SET status = 'in_progress' WHERE id = ${id}`);
    await run(`UPDATE booking_units SET vehicle_reference = 'A-${index + 1}', delivered_at = ${SUMMER + from * STEP * 60_000}
      WHERE booking_id = ${id}`);
    allocations.push({
      from: toStepTime(from),
      until: backFrom(to < NOON ? NOON + 240 : to, oneWay, stays),
      quantity: 1,
    });
  }
  return allocations;
}

function backFrom(returnsAt: number, oneWay: boolean, stays: boolean): number {
  if (!oneWay) return returnsAt + 60;
  return stays ? Number.POSITIVE_INFINITY : returnsAt + 60 + REPATRIATION;
}

function countEveryHalfHour(fleet: Fleet, allocations: readonly Allocation[]): number {
  const from = toStepTime(fleet.wanted.from);
  const used = from + fleet.wanted.steps * STEP + (fleet.oneWay ? REPATRIATION : 0);
  const isForGood = fleet.oneWay && fleet.stays;
  const [unprepared, until] = isForGood ? [toStepTime(2000), toStepTime(2000)] : [used, used + 60];
  let free = Number.POSITIVE_INFINITY;
  for (let moment = from; moment < until; moment += STEP) {
    const activeAllocations = allocations.filter((item) => item.from <= moment && moment < item.until);
    const vehicleCount = vehiclesAt(fleet, moment < unprepared ? moment : undefined, from);
    free = Math.min(free, vehicleCount - activeAllocations.reduce((sum, { quantity }) => sum + quantity, 0));
  }
  return Math.max(0, free);
}

// Counts vehicles that are neither blocked nor released at a moment. In the rental's own preparation time,
// `moment` is undefined. Blocks don't count then, and neither do releases after the rental's start at `from`.
function vehiclesAt(fleet: Fleet, moment: number | undefined, from: number): number {
  const isBlocked = (vehicle: string) =>
    moment !== undefined &&
    fleet.blocks.some(
      ([item, span]) =>
        item === vehicle && toStepTime(span.from) <= moment && moment < toStepTime(span.from + span.steps),
    );
  const isReleased = (vehicle: string) =>
    vehicle === fleet.released?.[0] && getReleasedUnits(fleet) <= (moment ?? from);
  return ["A-1", "A-2", "A-3"].filter((vehicle) => !isBlocked(vehicle) && !isReleased(vehicle)).length;
}

describe("a vehicle that is out after its return", () => {
  const overdue = async () => {
    const id = await book({ from: "2027-03-25 10:00", to: "2027-03-27 10:00", category: "C" }, { at: 1 });
    await deliverUnit(id, "C-1");
    return id;
  };

  // Proves "rules.md and conventions.md: the agency interface": Overdue: seen back so long after now, across clock
  //   changes
  // Proves "rentals.md": 2
  test("expects an overdue vehicle back by an estimate that moves with the current time", async () => {
    await overdue();
    const from = (time: string, day = "2027-03-27") => ({
      from: `${day} ${time}`,
      to: "2027-03-31 10:00",
      category: "C",
    });
    // 27 March 12:00 in winter time: back at 16:00, ready at 17:00.
    expect(await countFree({ ...from("16:59"), at: BEFORE_SUMMER })).toBe(0);
    expect(await countFree({ ...from("17:00"), at: BEFORE_SUMMER })).toBe(1);
    await expect(book(from("16:59"), { at: BEFORE_SUMMER })).rejects.toThrow("sold_out category C");
    await cancelBooking(await book(from("17:00"), { at: BEFORE_SUMMER }));
    // 29 March 12:00 in summer time.
    expect(await agreedFree(from("16:59", "2027-03-29"))).toBe(0);
    expect(await agreedFree(from("17:00", "2027-03-29"))).toBe(1);
  });

  // Proves "rules.md: quotes, counts and agreements": Overdue vehicles return by the account's overdue setting, and
  //   immediately once collected
  // Proves "rentals.md": 2b
  test("expects an overdue vehicle by the account's setting, and counts it at once when returned", async () => {
    const id = await overdue();
    await run("UPDATE settings SET overdue_minutes = 600");
    expect(await agreedFree({ from: "2027-03-29 22:59", to: "2027-03-31 10:00", category: "C" })).toBe(0);
    expect(await agreedFree({ from: "2027-03-29 23:00", to: "2027-03-31 10:00", category: "C" })).toBe(1);
    await collect(id, SUMMER);
    expect(await agreedFree({ from: "2027-03-29 13:00", to: "2027-03-31 10:00", category: "C" })).toBe(1);
  });

  // Proves "rules.md: quotes, counts and agreements": Its extras too
  test("counts the extras of an overdue vehicle as occupied", async () => {
    const id = await book(
      { from: "2027-03-25 10:00", to: "2027-03-27 10:00", category: "C" },
      { at: 1, extras: { SEAT: 4 } },
    );
    await deliverUnit(id, "C-1");
    const terms = { from: "2027-03-29 16:00", to: "2027-03-31 10:00" };
    await expect(book(terms, { extras: { SEAT: 1 } })).rejects.toThrow("sold_out extra SEAT");
    await book({ ...terms, from: "2027-03-29 17:00" }, { extras: { SEAT: 1 } });
  });
});

// Proves "office.md: the vehicles of a contract": A contract that is open again takes no extras
test("allocates no extras to a reopened contract whose vehicles are back", async () => {
  const terms = { from: "2027-03-29 10:00", to: "2027-04-05 10:00" };
  const id = await book(terms, { extras: { SEAT: 4 } });
  await deliverUnit(id, "A-1");
  await collect(id, SUMMER);
  await book(terms, { extras: { SEAT: 4 } });
  await run(`UPDATE bookings SET status = 'in_progress', reopened_at = ${SUMMER} WHERE id = ${id}`);
  expect(await env.TENANT_ACME.prepare(`SELECT * FROM stock_allocations WHERE booking_id = ${id}`).all()).toMatchObject(
    {
      results: [],
    },
  );
});

describe("a substitute of another category", () => {
  const week = { from: "2027-03-29 10:00", to: "2027-04-05 10:00" };
  const during = { from: "2027-04-01 10:00", to: "2027-04-03 10:00" };
  const after = { from: "2027-04-05 11:00", to: "2027-04-07 11:00" };
  const give = (booking: number, reference: string) =>
    run(
      `UPDATE booking_units SET vehicle_reference = '${reference}', delivered_at = ${SUMMER} WHERE booking_id = ${booking}`,
    );
  const out = async (reference: string) => {
    const booking = await book({ ...week, category: "A" });
    await run(`UPDATE bookings SET status = 'in_progress' WHERE id = ${booking}`);
    await give(booking, reference);
    return booking;
  };
  const free = (period: typeof during, category: string, branch: keyof typeof PLACES = "AIR") =>
    agreedFree({ ...period, category, branch });

  test("occupies a substitute's category and the agreed category until the substitute is returned", async () => {
    const booking = await out("C-1");
    expect([await free(during, "C"), await free(during, "A"), await free(after, "C")]).toEqual([0, 2, 1]);
    await run("UPDATE settings SET preparation_minutes = 90");
    expect([await free(after, "C"), await free({ ...after, from: "2027-04-05 11:30" }, "C")]).toEqual([0, 1]);
    await collect(booking, SUMMER);
    expect([await free(during, "C"), await free(during, "A")]).toEqual([1, 3]);
    expect(await listAllocations()).toEqual([]);
  });

  test("releases the stock of both categories when the substitute alone is returned", async () => {
    const booking = await book({ ...week, category: "A" }, { quantity: 2 });
    await run(`UPDATE bookings SET status = 'in_progress' WHERE id = ${booking}`);
    const unit = (which: "min" | "max") => `(SELECT ${which}(id) FROM booking_units WHERE booking_id = ${booking})`;
    for (const [which, reference] of [
      ["min", "C-1"],
      ["max", "A-1"],
    ] as const)
      await run(
        `UPDATE booking_units SET vehicle_reference = '${reference}', delivered_at = ${SUMMER} WHERE id = ${unit(which)}`,
      );
    expect([await free(during, "C"), await free(during, "A")]).toEqual([0, 1]);
    await run(`UPDATE booking_units SET collected_at = ${SUMMER} WHERE id = ${unit("min")}`);
    expect([await free(during, "C"), await free(during, "A")]).toEqual([1, 2]);
    await run(`UPDATE booking_units SET collected_at = NULL WHERE id = ${unit("min")}`);
    expect([await free(during, "C"), await free(during, "A")]).toEqual([0, 1]);
  });

  test("occupies the stock of the substitute's branch group", async () => {
    const booking = await out("A-1");
    expect([await free(during, "B"), await free(during, "B", "ISLE")]).toEqual([1, 1]);
    await give(booking, "B-2");
    expect([await free(during, "B"), await free(during, "B", "ISLE"), await free(during, "A")]).toEqual([1, 0, 2]);
    await run("UPDATE vehicles SET branch_group_id = 1 WHERE reference = 'B-2'");
    expect([await free(during, "B"), await free(during, "B", "ISLE")]).toEqual([1, 0]);
    await give(booking, "A-2");
    expect([await free(during, "B"), await free(during, "A")]).toEqual([2, 2]);
  });

  test("counts a returned substitute of another branch group as away until it is back in its group", async () => {
    const booking = await out("B-2");
    const home = { from: "2027-04-08 11:00", to: "2027-04-09 11:00" };
    expect([await free(after, "B", "ISLE"), await free(home, "B", "ISLE")]).toEqual([0, 1]);
    await run("INSERT INTO repatriations (branch_group_id, return_branch_group_id, days) VALUES (2, 1, 1)");
    expect(await free({ from: "2027-04-06 11:00", to: "2027-04-07 11:00" }, "B", "ISLE")).toBe(1);
    await collect(booking, SUMMER);
    expect([await free({ ...during, from: "2027-03-30 12:00" }, "B", "ISLE"), await free(during, "B", "ISLE")]).toEqual(
      [0, 1],
    );
    expect(await free(during, "A")).toBe(3);
  });

  test("expects an overdue substitute later, and in its new category if the office changes its category", async () => {
    await out("C-1");
    const late = { at: Date.UTC(2027, 3, 5, 10), ...after, from: "2027-04-05 13:00" };
    expect(await agreedFree({ ...late, category: "C" })).toBe(0);
    expect(await agreedFree({ ...late, category: "C", from: "2027-04-05 17:00" })).toBe(1);
    await run("UPDATE vehicles SET category_code = 'B' WHERE reference = 'C-1'");
    expect([await free(during, "B"), await free(during, "C")]).toEqual([1, 0]);
    await run("UPDATE vehicles SET category_code = 'A' WHERE reference = 'C-1'");
    expect([await free(during, "B"), await free(during, "A")]).toEqual([1, 3]);
  });

  // Proves "office.md: the vehicles of a contract": With `stays`, the substitute joins the return's branch group
  //   instead of the agreed category
  test("expects the substitute instead of the agreed vehicle at the destination if one-way vehicles stay", async () => {
    await run("UPDATE settings SET one_way_mode = 'stays'");
    const later = { from: "2027-04-10 10:00", to: "2027-04-12 10:00" };
    const booking = await book({ ...week, category: "A", returnBranch: "ISLE" });
    expect(await free(later, "A", "ISLE")).toBe(1);
    await run(`UPDATE bookings SET status = 'in_progress' WHERE id = ${booking}`);
    await give(booking, "C-1");
    expect([await free(later, "A", "ISLE"), await free(later, "C", "ISLE")]).toEqual([0, 1]);
    await give(booking, "A-1");
    expect([await free(later, "A", "ISLE"), await free(later, "C", "ISLE")]).toEqual([1, 0]);
  });

  test("counts substitute and agreed vehicle at the destination as each returns, if one-way vehicles stay", async () => {
    await run("UPDATE settings SET one_way_mode = 'stays'");
    const later = { from: "2027-04-10 10:00", to: "2027-04-12 10:00" };
    const booking = await book({ ...week, category: "A", returnBranch: "ISLE" }, { quantity: 2 });
    await run(`UPDATE bookings SET status = 'in_progress' WHERE id = ${booking}`);
    const units = await env.TENANT_ACME.prepare(
      `SELECT id FROM booking_units WHERE booking_id = ${booking} ORDER BY id`,
    )
      .all<{ id: number }>()
      .then(({ results }) => results.map(({ id }) => id));
    const set = (unit: number, assignments: string) =>
      run(`UPDATE booking_units SET ${assignments} WHERE id = ${units[unit]}`);
    const countReturnedUnits = async () => [await free(later, "A", "ISLE"), await free(later, "C", "ISLE")];
    await set(0, `vehicle_reference = 'C-1', delivered_at = ${SUMMER}`);
    await set(1, `vehicle_reference = 'A-1', delivered_at = ${SUMMER}`);
    expect(await countReturnedUnits()).toEqual([1, 1]);
    await set(0, `collected_at = ${SUMMER}`);
    expect([await countReturnedUnits(), await free(later, "A"), await free(later, "C")]).toEqual([[1, 1], 2, 0]);
    await run("UPDATE settings SET preparation_minutes = 90");
    expect(await countReturnedUnits()).toEqual([1, 1]);
    await set(1, `collected_at = ${SUMMER}`);
    expect([await countReturnedUnits(), await free(later, "A"), await free(later, "C")]).toEqual([[1, 1], 2, 0]);
  });

  // Proves "office.md: the vehicles of a contract": … one that cannot be rented is missing nowhere
  test("reduces no stock if the substitute isn't rentable", async () => {
    await run("UPDATE vehicles SET assignable = 0 WHERE reference = 'C-1'");
    await run(`INSERT INTO vehicles (reference, name, category_code, branch_group_id, owner_branch_group_id, branch_code, created_at, last_update) VALUES
      ('C-2', 'C 2', 'C', 1, 1, 'AIR', 0, 0)`);
    expect(await free(during, "C")).toBe(1);
    await out("C-1");
    expect(await free(during, "C")).toBe(1);
    await run("UPDATE vehicles SET assignable = 1 WHERE reference = 'C-1'");
    expect(await free(during, "C")).toBe(1);
  });

  test("allows handing over a substitute that others rely on, but extends it only if they don't", async () => {
    await book({ ...during, category: "C" });
    const booking = await out("C-1");
    expect(await countFree({ ...during, category: "C" })).toBe(0);
    const extend = async (to: string) => {
      await run(`UPDATE bookings SET date_to = '${to}' WHERE id = ${booking}`);
      await run(`INSERT INTO reallocations (booking_id, at) VALUES (${booking}, ${SUMMER})`);
    };
    await extend("2027-04-06");
    expect(await free({ ...after, from: "2027-04-06 11:00" }, "C")).toBe(1);
    await book({ from: "2027-04-08 10:00", to: "2027-04-09 10:00", category: "C" });
    await expect(extend("2027-04-08")).rejects.toThrow("sold_out category C");
  });
});

describe("a rental to another branch group", () => {
  const terms = { from: "2027-04-01 10:00", to: "2027-04-03 10:00", category: "C", returnBranch: "ISLE" } as const;
  const later = (from: string, branch: "AIR" | "ISLE" = "AIR") => ({
    from,
    to: "2027-05-01 10:00",
    category: "C",
    branch,
  });

  // Proves "rules.md and conventions.md: the agency interface": One-way: home again after the days of its pair
  // Proves "rentals.md": 3
  test("occupies a one-way rental's unit for the days that bringing it home takes for its branch groups", async () => {
    await book(terms);
    expect(await agreedFree(later("2027-04-06 10:59"))).toBe(0);
    expect(await agreedFree(later("2027-04-06 11:00"))).toBe(1);
    await run("INSERT INTO repatriations VALUES (1, 2, 1)");
    await cancelBooking(1);
    await run("DELETE FROM stock_allocations");
    await book(terms);
    expect(await agreedFree(later("2027-04-04 10:59"))).toBe(0);
    expect(await agreedFree(later("2027-04-04 11:00"))).toBe(1);
    expect(await agreedFree(later("2027-04-10 11:00", "ISLE"))).toBe(0);
  });

  test("rejects a one-way rental whose vehicle a later rental needs before it is home", async () => {
    await book(later("2027-04-05 10:00"));
    expect(await agreedFree(terms)).toBe(0);
    expect(await agreedFree({ ...terms, returnBranch: "AIR" })).toBe(1);
  });

  // Proves "rules.md and conventions.md: the agency interface": One-way: away once collected
  // Proves "rentals.md": 3b
  test("marks a returned one-way vehicle as away until its home branch group can rent it again", async () => {
    const id = await book(terms);
    await deliverUnit(id, "C-1");
    await collect(id, Date.UTC(2027, 3, 3, 7));
    expect(
      await env.TENANT_ACME.prepare("SELECT vehicle_reference, kind, starts_at, ends_at FROM vehicle_blocks").first(),
    ).toEqual({
      vehicle_reference: "C-1",
      kind: "away",
      starts_at: parseMinute("2027-04-03 09:00"),
      ends_at: parseMinute("2027-04-06 10:00"),
    });
    expect(await agreedFree(later("2027-04-06 09:59"))).toBe(0);
    expect(await agreedFree(later("2027-04-06 10:00"))).toBe(1);
    await run(`UPDATE bookings SET status = 'in_progress' WHERE id = ${id}`);
    await run(`UPDATE booking_units SET collected_at = NULL WHERE booking_id = ${id}`);
    expect(await env.TENANT_ACME.prepare("SELECT count(*) AS n FROM vehicle_blocks").first("n")).toBe(0);
  });

  describe("a one-way vehicle that stays at its destination", () => {
    beforeEach(async () => {
      await run("UPDATE settings SET one_way_mode = 'stays'");
    });

    // Proves "rules.md and conventions.md: the agency interface": One-way staying at its destination: the other group's
    //   from the return on
    test("moves a one-way unit permanently to the destination's stock after return and preparation", async () => {
      expect(await agreedFree(later("2027-04-04 11:00", "ISLE"))).toBe(0);
      const id = await book(terms);
      expect(await agreedFree(later("2027-04-20 10:00"))).toBe(0);
      expect(await agreedFree(later("2027-04-03 10:59", "ISLE"))).toBe(0);
      expect(await agreedFree(later("2027-04-03 11:00", "ISLE"))).toBe(1);
      await deliverUnit(id, "C-1");
      await collect(id, Date.UTC(2027, 3, 3, 8));
      expect(await listAllocations()).toEqual([]);
      expect(
        await env.TENANT_ACME.prepare("SELECT branch_group_id FROM vehicles WHERE reference = 'C-1'").first(
          "branch_group_id",
        ),
      ).toBe(2);
      expect(await agreedFree(later("2027-04-20 10:00"))).toBe(0);
      expect(await agreedFree(later("2027-04-03 11:00", "ISLE"))).toBe(1);
    });

    // Proves "rules.md: quotes, counts and agreements": A one-way rental that stays is sold if no later booking at the
    //   pickup needs the unit
    test("rejects a one-way rental whose vehicle stays if a later rental at the home branch relies on it", async () => {
      await book({ from: "2027-08-01 10:00", to: "2027-08-03 10:00", category: "C" });
      expect(await agreedFree(terms)).toBe(0);
    });

    test("counts a one-way unit at its destination only once the hold is confirmed, and later if overdue", async () => {
      const hold = await book(terms, { status: "pending_confirmation", expiresAt: SUMMER + 1000 });
      expect(await agreedFree(later("2027-04-05 11:00", "ISLE"))).toBe(0);
      await run(`UPDATE bookings SET status = 'confirmed', expires_at = NULL WHERE id = ${hold}`);
      expect(await agreedFree(later("2027-04-05 11:00", "ISLE"))).toBe(1);
      await deliverUnit(hold, "C-1");
      // 5 April 12:00: back at 16:00, ready at 17:00.
      const at = Date.UTC(2027, 3, 5, 10);
      expect(await countFree({ ...later("2027-04-05 16:59", "ISLE"), at })).toBe(0);
      expect(await countFree({ ...later("2027-04-05 17:00", "ISLE"), at })).toBe(1);
      await expect(book(later("2027-04-05 16:59", "ISLE"), { at })).rejects.toThrow("sold_out");
      await book(later("2027-04-05 17:00", "ISLE"), { at });
    });

    // Proves "rules.md: quotes, counts and agreements": … cancelled, it releases both sides; bookings that relied on it
    //   stay valid
    test("reverts both branches' stock when a one-way rental is cancelled, and keeps later sales", async () => {
      const id = await book(terms);
      const relying = await book(later("2027-04-03 11:00", "ISLE"));
      await cancelBooking(id);
      expect(await listAllocations()).toEqual([{ branch_group_id: 2, quantity: 1 }]);
      expect(await agreedFree(later("2027-04-03 11:00"))).toBe(1);
      await run(`UPDATE bookings SET last_update = 2 WHERE id = ${relying}`);
    });
  });
});

test("uses the account's time zone in the stock guard, also after it changes", async () => {
  const offsets = () =>
    env.TENANT_ACME.prepare(
      "SELECT timezone, (SELECT offset_minutes FROM account_clock WHERE from_at <= ?1 ORDER BY from_at DESC LIMIT 1) AS winter, (SELECT offset_minutes FROM account_clock WHERE from_at <= ?2 ORDER BY from_at DESC LIMIT 1) AS summer FROM account_clock LIMIT 1",
    )
      .bind(BEFORE_SUMMER, SUMMER)
      .first();
  await run("DELETE FROM account_clock");
  await openTestTenant(env).freshSnapshot();
  expect(await offsets()).toEqual({ timezone: "Europe/Madrid", winter: 60, summer: 120 });
  await run("UPDATE settings SET timezone = 'America/New_York'");
  const { catalogue } = await openTestTenant(env).freshSnapshot();
  expect(await offsets()).toEqual({ timezone: "America/New_York", winter: -240, summer: -240 });
  expect(toStockInstant(catalogue, SUMMER).now).toBe(parseMinute("2027-03-29 06:00"));
});
