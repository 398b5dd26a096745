import { randomUUID } from "node:crypto";
import { type AccountName, type Client, createSignedCall } from "#tools/platform/client.ts";
import { signIn } from "#tools/platform/credentials.ts";
import { defineOperation, ERP_KEY, type Operation } from "./operations.ts";

/** Data for field work: a staff token, a branch's busiest day, and bookings to hand over. */
export interface CheckInDayData {
  readonly token: string;
  readonly branch: string;
  readonly date: string;
  readonly storageId: number;
  readonly vehicles: number;
  /** Deliveries and collections of that day. */
  readonly entries: number;
  readonly deliveries: readonly {
    readonly bookingId: number;
    readonly unitId: number;
    readonly version: number;
    readonly vehicle: string;
  }[];
}

const DEVICE = "bench-device";
const STAFF = { username: "staff@large.test", password: "Staff-large-2026!" };

/** Signs in and finds work. */
export async function readCheckInDayData(
  client: Client,
  account: AccountName,
  db: D1Database,
): Promise<CheckInDayData> {
  const token = await signIn(client, account, STAFF);
  const day = await db
    .prepare(`SELECT branch_code AS branch, date_from AS date, branch_group_id AS storageId FROM bookings WHERE status = 'confirmed'
      GROUP BY 1, 2 ORDER BY count(*) DESC LIMIT 1`)
    .first<{ branch: string; date: string; storageId: number }>();
  if (!day) throw new Error("there is nothing to hand over");
  const { branch, date, storageId } = day;
  const count = async (sql: string, ...values: readonly (string | number)[]) =>
    (await db
      .prepare(sql)
      .bind(...values)
      .first<number>("n")) ?? 0;
  // Return everything handed over by the last run. Each contract gets its own vehicle of its category and branch group.
  await db
    .prepare(`UPDATE booking_units SET collected_at = delivered_at WHERE collected_at IS NULL
      AND id IN (SELECT unit_id FROM check_in_operations WHERE device_id = '${DEVICE}')`)
    .run();
  const work = await db
    .prepare(`SELECT unit.bookingId, unit.unitId, unit.version, item.reference AS vehicle FROM
        (SELECT booking.id AS bookingId, one.id AS unitId, booking.version AS version, booking.branch_group_id AS home, line.category_code AS code, booking.date_from AS day,
            row_number() OVER (PARTITION BY booking.branch_group_id, line.category_code ORDER BY booking.date_from, booking.id) AS turn
          FROM bookings AS booking JOIN booking_units AS one ON one.booking_id = booking.id JOIN booking_lines AS line ON line.id = one.booking_line_id
          WHERE booking.status = 'confirmed' AND one.delivered_at IS NULL) AS unit
      JOIN (SELECT reference, branch_group_id AS home, category_code AS code, row_number() OVER (PARTITION BY branch_group_id, category_code ORDER BY id) AS turn
        FROM vehicles WHERE active = 1 AND sold_release_date IS NULL
        AND NOT EXISTS (SELECT 1 FROM booking_units AS other
          WHERE other.vehicle_reference = vehicles.reference AND other.delivered_at IS NOT NULL AND other.collected_at IS NULL)) AS item
        ON item.turn = unit.turn AND item.home = unit.home AND item.code = unit.code
      ORDER BY unit.day, unit.bookingId LIMIT 100`)
    .all<CheckInDayData["deliveries"][number]>();
  return {
    token,
    branch,
    date,
    storageId,
    vehicles: await count("SELECT count(*) AS n FROM vehicles WHERE branch_group_id = ?", storageId),
    entries:
      (await count(
        "SELECT count(*) AS n FROM bookings WHERE branch_code = ? AND date_from = ? AND status IN ('confirmed', 'in_progress', 'done')",
        branch,
        date,
      )) +
      (await count(
        "SELECT count(*) AS n FROM bookings WHERE return_branch_code = ? AND date_to = ? AND status IN ('in_progress', 'done')",
        branch,
        date,
      )),
    deliveries: work.results,
  };
}

/** Returns check-in and analytics operations with their design budgets. */
export function createCheckInOperations(account: AccountName, data: CheckInDayData): readonly Operation[] {
  const headers = { Authorization: data.token, "Content-Type": "application/json" };
  const read = (name: string, path: string, rows: number, growth: number, others: Partial<Operation> = {}) =>
    defineOperation(account, name, [1, rows, growth], () => ({ account, method: "GET", path, headers }), {
      ...{ bare: "batch", ...others },
    });
  // The busiest branch belongs to a larger group in one account than in the other.
  const search = (name: string, query: string) =>
    read(name, `/api/booking-items-search?${query}rental_storage_id=${data.storageId}`, 3 * data.vehicles, 1.1, {
      parts: () => data.vehicles,
    });
  const day = `/api/v1/booking/deliveries-collections?date=${data.date}&rental_location_code=${data.branch}`;
  const year = `year=${new Date().getFullYear() - 1}&report_type=monthly_billing_report`;
  const report = { account, method: "GET", path: `/api/booking/analysis/products-billing?${year}` } as const;
  const work = { account, method: "POST", path: "/api/v1/booking/check-in-operations", headers } as const;
  let seq = 0;
  return [
    // The entries of both accounts differ, so the budget applies to each.
    read("deliveries-collections of a day", day, 40 * data.entries, Number.POSITIVE_INFINITY),
    search("vehicle search", "term=A&"),
    // As the app requests its cached fleet.
    search("vehicle search, the whole fleet of the group", ""),
    defineOperation(account, "synced check-in operation", [2, 200, 1.1], () => ({
      ...{ ...work, body: createWorkBody(data, ++seq) },
    })),
    defineOperation(account, "products-billing of a year", [1, 3 * 1000 * 12, Number.POSITIVE_INFINITY], () =>
      createSignedCall(ERP_KEY, report),
    ),
  ];
}

// Creates a delivery while bookings remain, then evidence for them. Each is a new operation.
function createWorkBody({ deliveries }: CheckInDayData, seq: number): string {
  const work = deliveries[(seq - 1) % Math.max(1, deliveries.length)];
  const isDelivery = seq <= deliveries.length;
  return JSON.stringify({
    op_id: randomUUID(),
    device_id: DEVICE,
    seq,
    kind: isDelivery ? "delivery" : "evidence",
    booking_id: work?.bookingId,
    resource_id: work?.unitId,
    base_version: work?.version,
    recorded_at: new Date().toISOString(),
    ...(isDelivery && { vehicle_reference: work?.vehicle, kilometres: 90_000, fuel_eighths: 8 }),
    ...(!isDelivery && { notes: "seen" }),
  });
}
