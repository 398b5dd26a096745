import type { SqlRuleCase } from "./sql-rule-cases.ts";

// The guard of vehicles and extras, with two vehicles of a category that nothing else occupies. Times are in minutes.

const GUARD = "stock_allocations_insert_limit_stock";
const MINUTE_MS = 60_000;

interface Allocation {
  readonly booking?: number;
  readonly kind?: "category" | "extra" | "transfer";
  readonly code?: string;
  readonly group?: number;
  readonly from?: number;
  readonly to?: number;
  readonly quantity?: number;
  readonly preparation?: number;
  readonly returns?: number;
  readonly isOut?: boolean;
  /** Null: a booking that doesn't end. 0: about to be replaced. */
  readonly expires?: number | null;
  readonly isSubstitute?: boolean;
  /** Civil minute at which the allocation is written. */
  readonly at?: number;
}

function allocate(allocation: Allocation = {}): string {
  const { booking = 101, kind = "category", code = "ZZ", group = 1, from = 1000, to = 2000 } = allocation;
  const { quantity = 1, preparation = 0, returns, isOut = false, expires = null, isSubstitute = false } = allocation;
  return `INSERT INTO stock_allocations (booking_id, kind, code, branch_group_id, starts_at, ends_at, quantity, preparation_minutes, returns_at,
      is_out, expires_at, substitute, allocated_at)
    VALUES (${booking}, '${kind}', '${code}', ${group}, ${from}, ${to}, ${quantity}, ${preparation}, ${returns ?? "NULL"},
      ${Number(isOut)}, ${expires ?? "NULL"}, ${Number(isSubstitute)}, ${(allocation.at ?? 0) * MINUTE_MS})`;
}

const addVehicle = (reference: string, category = "ZZ", group = 1) =>
  `INSERT INTO vehicles (reference, name, category_code, branch_group_id, owner_branch_group_id, branch_code, created_at, last_update)
    VALUES ('${reference}', 'X', '${category}', ${group}, ${group}, 'AIR', 0, 0)`;
const setVehicle = (reference: string, change: string) =>
  `UPDATE vehicles SET ${change} WHERE reference = '${reference}'`;
const block = (reference: string, from: number, to: number) =>
  `INSERT INTO vehicle_blocks (vehicle_reference, kind, starts_at, ends_at) VALUES ('${reference}', 'workshop', ${from}, ${to})`;
const addClock = (fromMinute: number, offset: number) =>
  `INSERT INTO account_clock (from_at, timezone, offset_minutes) VALUES (${fromMinute * MINUTE_MS}, 'X', ${offset})`;
const stock = (units: number, group = 1, code = "ZZ") =>
  `INSERT INTO extra_stocks (extra_code, branch_group_id, units) VALUES ('${code}', ${group}, ${units})`;
const shortage = (booking: number, isOpen = 1) =>
  `INSERT INTO accepted_shortages (booking_id, at, actor, reason, is_open) VALUES (${booking}, 0, 'staff:1', 'X', ${isOpen})`;

const TRANSFER_VEHICLE =
  "INSERT INTO transfer_vehicles (id, name, branch_code, seats, units, vat_basis_points) VALUES (999, 'X', 'AIR', 4, 9, 0)";

const EMPTY = [
  ...["stock_allocations", "vehicle_blocks", "accepted_shortages", "account_clock", "extra_stocks"].map(
    (table) => `DELETE FROM ${table}`,
  ),
  "UPDATE settings SET overdue_minutes = 240",
  addVehicle("V1"),
  addVehicle("V2"),
];
/** Both vehicles are rented from minute 1000 to 2000. */
const FULL = [allocate({ booking: 1 }), allocate({ booking: 2 })];
/** Five units are rented, because a manager accepted a shortage. */
const OVERBOOKED = [...FULL, shortage(3), allocate({ booking: 3, quantity: 3 })];
const ONE = [allocate({ booking: 1 })];

const stockCase = (
  outcome: "accepted" | "sold_out",
  allocation: Allocation,
  ...setup: readonly string[]
): SqlRuleCase => ({
  trigger: GUARD,
  given: [...EMPTY, ...setup],
  run: allocate(allocation),
  outcome,
});
const createAcceptedCase = (allocation: Allocation, ...setup: readonly string[]) =>
  stockCase("accepted", allocation, ...setup);
const soldOut = (allocation: Allocation, ...setup: readonly string[]) => stockCase("sold_out", allocation, ...setup);

/** A row of the same booking that the new one replaces. */
const allocateExpired = (changes: Allocation = {}) => allocate({ expires: 0, ...changes });
const EXTRA = { kind: "extra" } as const;
/** One vehicle is out and overdue after minute 1900, the other one is rented for long. */
const allocateAfterOverdue = (changes: Allocation = {}) => [
  allocate({ booking: 1, isOut: true, returns: 1900, ...changes }),
  allocate({ booking: 2, to: 5000 }),
];
/** A rental that begins after minute 2050, or after a released vehicle's contract. */
const allocateLater = (booking: number) => allocate({ booking, from: booking === 2 ? 2050 : 5000, to: 6000 });
const allocateReturned = (changes: Allocation) =>
  allocate({ booking: 2, from: 2000, to: 5000, quantity: -1, ...changes });
/** A vehicle that is back early becomes free from minute 2000, unless its substitute is overdue. */
const released = [
  allocate({ booking: 1, to: 5000 }),
  allocate({ booking: 2, to: 5000 }),
  allocateReturned({ isOut: true, returns: 1900 }),
];
/** 1440 minutes after the start of the epoch. */
const SOLD = "sold_release_date = '1970-01-02'";

export const STOCK_GUARD_CASES: readonly SqlRuleCase[] = [
  // Overlaps and quantities
  createAcceptedCase({}, ...ONE),
  soldOut({}, ...FULL),
  createAcceptedCase({ from: 2000, to: 3000 }, ...FULL),
  createAcceptedCase({ from: 500, to: 1000 }, ...FULL),
  soldOut({ from: 1999, to: 3000 }, ...FULL),
  soldOut({ from: 500, to: 1001 }, ...FULL),
  soldOut({ from: 500, to: 3000 }, ...FULL),
  createAcceptedCase({ quantity: 2 }),
  soldOut({ quantity: 3 }),
  createAcceptedCase(
    { from: 1000, to: 3000 },
    allocate({ booking: 1, to: 1500 }),
    allocate({ booking: 2, from: 1500, to: 3000 }),
  ),
  createAcceptedCase({ quantity: 0 }, ...OVERBOOKED),
  createAcceptedCase({ quantity: -1 }, ...OVERBOOKED),
  soldOut({}, ...OVERBOOKED),
  // Accepted shortages
  createAcceptedCase({}, ...FULL, shortage(101)),
  soldOut({}, ...FULL, shortage(101, 0)),
  soldOut({}, ...FULL, shortage(102)),
  // Kinds, codes and groups
  createAcceptedCase(EXTRA, ...FULL, stock(1)),
  soldOut({ ...EXTRA, quantity: 2 }, stock(1)),
  createAcceptedCase({ ...EXTRA, quantity: 99 }, stock(1, 1, "OTHER")),
  soldOut(EXTRA, stock(1, 2)),
  soldOut({ ...EXTRA, quantity: 2 }, stock(1), stock(9, 2), stock(9, 1, "OTHER")),
  createAcceptedCase({ quantity: 2 }, allocate({ booking: 1, kind: "extra" })),
  createAcceptedCase({ kind: "transfer", code: "999" }, stock(0, 1, "999"), TRANSFER_VEHICLE),
  createAcceptedCase({ ...EXTRA, quantity: 2 }, stock(2), block("V1", 1000, 2000), block("V2", 1000, 2000)),
  createAcceptedCase({ ...EXTRA, quantity: 2 }, stock(2), setVehicle("V1", SOLD), setVehicle("V2", SOLD)),
  createAcceptedCase({ code: "YY" }, ...FULL, addVehicle("V3", "YY")),
  soldOut({ code: "YY", quantity: 2 }, addVehicle("V3", "YY")),
  createAcceptedCase({ group: 2 }, ...FULL, addVehicle("V3", "ZZ", 2)),
  soldOut({ group: 2, quantity: 2 }, addVehicle("V3", "ZZ", 2)),
  // Vehicles
  ...["active", "assignable"].flatMap((flag) => [
    soldOut({ quantity: 2 }, setVehicle("V1", `${flag} = 0`)),
    createAcceptedCase({ quantity: 2 }, addVehicle("V3"), setVehicle("V3", `${flag} = 0`), block("V3", 1000, 2000)),
    createAcceptedCase({ quantity: 2 }, addVehicle("V3"), setVehicle("V3", `${flag} = 0, ${SOLD}`)),
  ]),
  // Blocks
  soldOut({ quantity: 2 }, block("V1", 900, 1001)),
  soldOut({ quantity: 2 }, block("V1", 1999, 2500)),
  createAcceptedCase({ quantity: 2 }, block("V1", 500, 1000)),
  createAcceptedCase({ quantity: 2 }, block("V1", 2000, 2500)),
  createAcceptedCase({ quantity: 2, preparation: 20 }, block("V1", 1980, 2500)),
  soldOut({ quantity: 2, preparation: 20 }, block("V1", 1979, 2500)),
  soldOut(
    { preparation: 20 },
    block("V1", 1990, 2500),
    shortage(1),
    allocate({ booking: 1, from: 1985, to: 3000, quantity: 2 }),
  ),
  createAcceptedCase({}, block("V1", 1000, 1500), block("V1", 1200, 1800)),
  createAcceptedCase({}, block("V1", 1000, 1800), block("V1", 1200, 1500), block("V2", 1800, 2000)),
  createAcceptedCase({}, block("V1", 1000, 1200), block("V2", 1800, 2000)),
  soldOut({}, block("V1", 1000, 1500), block("V2", 1200, 2000)),
  createAcceptedCase({ quantity: 2 }, addVehicle("V3", "YY"), block("V3", 1000, 2000)),
  createAcceptedCase({ quantity: 2 }, addVehicle("V3", "ZZ", 2), block("V3", 1000, 2000)),
  // Vehicles that are sold
  soldOut({ quantity: 2 }, setVehicle("V1", SOLD)),
  createAcceptedCase({}, setVehicle("V1", SOLD)),
  createAcceptedCase({ quantity: 2, from: 200, to: 1440 }, setVehicle("V1", SOLD)),
  soldOut({ quantity: 2, from: 200, to: 1441 }, setVehicle("V1", SOLD)),
  createAcceptedCase({ quantity: 2, from: 200, to: 1540, preparation: 100 }, setVehicle("V1", SOLD)),
  soldOut({ quantity: 2, from: 1440 }, setVehicle("V1", SOLD)),
  soldOut({ quantity: 2, from: 1439, to: 1440 }, setVehicle("V1", SOLD), setVehicle("V2", "active = 0")),
  createAcceptedCase({ from: 1439, to: 1440 }, setVehicle("V1", SOLD), setVehicle("V2", "active = 0")),
  soldOut({ from: 1440 }, setVehicle("V1", SOLD), setVehicle("V2", "active = 0")),
  createAcceptedCase({ from: 1440 }, setVehicle("V1", SOLD), block("V1", 1500, 1600)),
  createAcceptedCase({ quantity: 2 }, addVehicle("V3", "YY"), setVehicle("V3", SOLD)),
  createAcceptedCase({ quantity: 2 }, addVehicle("V3", "ZZ", 2), setVehicle("V3", SOLD)),
  soldOut({ quantity: 2, from: 1000, to: 1300 }, setVehicle("V1", SOLD), block("V1", 1100, 1200)),
  // Holds
  createAcceptedCase({ at: 10 }, ...ONE, allocate({ booking: 2, expires: 10 * MINUTE_MS })),
  soldOut({ at: 9 }, ...ONE, allocate({ booking: 2, expires: 10 * MINUTE_MS })),
  // Rows of the same booking that are about to be replaced
  createAcceptedCase({ to: 2500 }, allocateExpired(), ...OVERBOOKED),
  createAcceptedCase({}, allocateExpired(), ...OVERBOOKED),
  createAcceptedCase({}, allocateExpired({ from: 900 }), ...OVERBOOKED),
  soldOut({ to: 2500 }, allocateExpired({ to: 1900 }), ...OVERBOOKED),
  soldOut({ quantity: 2 }, allocateExpired(), ...OVERBOOKED),
  soldOut({}, allocateExpired({ from: 1001 }), ...OVERBOOKED),
  soldOut({}, allocateExpired({ booking: 102 }), ...OVERBOOKED),
  soldOut(
    {},
    ...OVERBOOKED,
    shortage(101),
    allocateExpired({ expires: 99_999_999 }),
    "UPDATE accepted_shortages SET is_open = 0 WHERE booking_id = 101",
  ),
  createAcceptedCase({}, allocateExpired(), shortage(3), allocate({ booking: 3, quantity: 5, to: 3000 })),
  createAcceptedCase({}, allocateExpired({ to: 2500 }), shortage(3), allocate({ booking: 3, quantity: 5, to: 3000 })),
  soldOut({}, allocateExpired({ kind: "extra" }), ...OVERBOOKED),
  soldOut({}, allocateExpired({ code: "YY" }), addVehicle("V3", "YY"), ...OVERBOOKED),
  soldOut({}, addVehicle("V3", "YY"), allocateExpired({ code: "YY" }), ...OVERBOOKED),
  soldOut({}, addVehicle("V3", "ZZ", 2), allocateExpired({ group: 2 }), ...OVERBOOKED),
  soldOut({}, allocateExpired({ isSubstitute: true }), ...OVERBOOKED),
  // Vehicles that are out
  createAcceptedCase({ isOut: true, at: 2000 }, ...FULL),
  soldOut({ isOut: true, at: 1999 }, ...FULL),
  soldOut({ at: 2000 }, ...FULL),
  soldOut({ ...EXTRA, isOut: true, at: 2000, quantity: 2 }, stock(1)),
  soldOut({ from: 2500, to: 3000, at: 2400 }, ...allocateAfterOverdue()),
  soldOut({ from: 1100, to: 1200, at: 2400 }, ...allocateAfterOverdue()),
  createAcceptedCase({ from: 1950, to: 2200, at: 2400 }, allocate({ booking: 1, returns: 1900 }), allocateLater(2)),
  soldOut({ from: 1950, to: 2200, at: 2400 }, allocate({ booking: 1, returns: 1900, isOut: true }), allocateLater(2)),
  soldOut({ from: 2739, to: 3000, at: 2400 }, ...allocateAfterOverdue()),
  createAcceptedCase({ from: 2740, to: 3000, at: 2400 }, ...allocateAfterOverdue()),
  createAcceptedCase({ from: 2500, to: 3000, at: 1900 }, ...allocateAfterOverdue()),
  createAcceptedCase({ from: 2100, to: 3000, at: 1900 }, ...allocateAfterOverdue()),
  soldOut({ from: 2100, to: 3000, at: 1901 }, ...allocateAfterOverdue()),
  createAcceptedCase({ from: 2500, to: 3000, at: 2400 }, ...allocateAfterOverdue({ isOut: false })),
  createAcceptedCase({ from: 2500, to: 3000, at: 1000 }, ...released),
  soldOut({ from: 2500, to: 3000, at: 2400 }, ...released),
  createAcceptedCase({ from: 2500, to: 3000, at: 2400 }, ...released.slice(0, 2), allocateReturned({ returns: 1900 })),
  soldOut({ from: 5100, to: 5200, at: 2400 }, ...released, allocateLater(5), allocateLater(6)),
  createAcceptedCase({ from: 1600, to: 1700 }, ...released.slice(0, 2), allocateReturned({ from: 1500, to: 2500 })),
  createAcceptedCase({ from: 1600, to: 2500 }, ...released.slice(0, 2), allocateReturned({ from: 1500, to: 2500 })),
  createAcceptedCase({ from: 2740, to: 3000, at: 2400 }, ...released),
  createAcceptedCase({ from: 2100, to: 3000, at: 1900 }, ...released),
  // Local time
  soldOut({ from: 2200, to: 2240, at: 1850 }, ...allocateAfterOverdue(), addClock(0, 60)),
  createAcceptedCase({ from: 2200, to: 2240, at: 1850 }, ...allocateAfterOverdue(), addClock(1851, 60)),
  soldOut({ from: 2200, to: 2240, at: 1850 }, ...allocateAfterOverdue(), addClock(1850, 60)),
  createAcceptedCase({ from: 2200, to: 2240, at: 1850 }, ...allocateAfterOverdue(), addClock(0, 60), addClock(1, 0)),
  createAcceptedCase(
    { from: 2200, to: 2240, at: 2000 },
    ...allocateAfterOverdue(),
    "UPDATE settings SET overdue_minutes = 0",
  ),
  // Substitutes
  createAcceptedCase({ isSubstitute: true }, ...FULL),
  soldOut({ isSubstitute: true, to: 2500 }, allocateExpired({ isSubstitute: true, to: 1500 }), ...OVERBOOKED),
  createAcceptedCase({ isSubstitute: true }, ...FULL, allocate({ isSubstitute: true })),
  createAcceptedCase(
    { isSubstitute: true, to: 2500 },
    allocateExpired({ booking: 102, isSubstitute: true, to: 1500 }),
    ...OVERBOOKED,
  ),
  createAcceptedCase(
    { isSubstitute: true, to: 2500 },
    allocateExpired({ code: "YY", isSubstitute: true, to: 1500 }),
    ...OVERBOOKED,
  ),
  createAcceptedCase(
    { isSubstitute: true, to: 2500 },
    allocateExpired({ group: 2, isSubstitute: true, to: 1500 }),
    ...OVERBOOKED,
  ),
  createAcceptedCase({ isSubstitute: true, to: 2500 }, allocateExpired({ to: 1500 }), ...OVERBOOKED),
];
