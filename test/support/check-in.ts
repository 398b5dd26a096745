import { env } from "cloudflare:workers";
import { requestWorker } from "#support/worker.ts";
import type { CheckInOperationMessage, OperationResultMessage } from "#worker/api/check-in/operation-messages.ts";

/** A booking of the test company with its pickup day, by default two units of A from AIR. */
export interface BookedRental {
  readonly id?: number;
  readonly status?: "pending_confirmation" | "confirmed" | "done";
  readonly units?: number;
  readonly from?: string;
  readonly to?: string;
  readonly extras?: readonly { readonly code: string; readonly quantity: number; readonly unitCents: number }[];
}

export const PICKUP_DAY = "2024-05-03";
const RETURN_DAY = "2024-05-05";

/** Inserts a booking as any API would: 80.00 for two days per unit, and a deposit of 400.00. */
export async function insertCheckInRental({
  id = 7,
  status = "confirmed",
  units = 1,
  from = PICKUP_DAY,
  to = RETURN_DAY,
  extras = [],
}: BookedRental = {}) {
  const db = env.TENANT_ACME;
  const extrasCents = extras.reduce((sum, extra) => sum + extra.quantity * extra.unitCents, 0);
  await db.batch([
    db
      .prepare(`INSERT INTO bookings (id, free_access_id, status, created_by, date_from, time_from, date_to, time_to, days, pickup_place_id, pickup_place,
        return_place_id, return_place, branch_code, return_branch_code, branch_group_id, customer_name, customer_surname, customer_email,
        customer_language, item_cents, extras_cents, total_cents, product_deposit_cents, product_guarantee_cents, total_deposit_cents, created_at, last_update)
        VALUES (?1, 'booking-' || ?1, ?2, 'staff', ?3, '10:00', ?4, '10:00', 2, 1, 'Aeropuerto', 2, 'Oficina', 'AIR', 'TOWN', 1, 'Ana', 'Ruiz', 'ana@example.com',
        'es', 8000 * ?5, ?6, 8000 * ?5 + ?6, 30000 * ?5, 10000 * ?5, 40000 * ?5, 0, 0)`)
      .bind(id, status, from, to, units, extrasCents),
    db
      .prepare(`INSERT INTO booking_lines (id, booking_id, category_code, item_description, quantity, item_unit_base_cents, item_unit_cents, item_cents, vat_basis_points,
        product_deposit_unit_cents, product_guarantee_unit_cents) VALUES (?1, ?1, 'A', 'Coche pequeño', ?2, 8000, 8000, 8000 * ?2, 2100, 30000, 10000)`)
      .bind(id, units),
    db
      .prepare(`INSERT INTO booking_units (id, booking_line_id, booking_id)
        SELECT ?1 * 10 + value, ?1, ?1 FROM json_each(?2)`)
      .bind(id, JSON.stringify(Array.from({ length: units }, (_, unit) => unit))),
    ...extras.map((extra) =>
      db
        .prepare(`INSERT INTO booking_extras (booking_id, extra_code, extra_description, quantity, extra_unit_cents, extra_cents, vat_basis_points)
          VALUES (?1, ?2, ?2, ?3, ?4, ?3 * ?4, 2100)`)
        .bind(id, extra.code, extra.quantity, extra.unitCents),
    ),
  ]);
  return { id, unitId: id * 10, version: 1 };
}

let operations = 0;

/** Returns an unused operation id. */
export function createOpId(): string {
  operations += 1;
  return `01890000-0000-7000-8000-${String(operations).padStart(12, "0")}`;
}

/** Creates a delivery of A-1 with 1,000 km and a full tank, as sent by the app. */
export function createDeliveryMessage(changes: Partial<CheckInOperationMessage> = {}): CheckInOperationMessage {
  return {
    op_id: createOpId(),
    device_id: "device-0001",
    seq: 1,
    kind: "delivery",
    booking_id: 7,
    resource_id: 70,
    base_version: 1,
    recorded_at: "2024-05-03T08:05:00.000Z",
    vehicle_reference: "A-1",
    kilometres: 1000,
    fuel_eighths: 8,
    ...changes,
  };
}

/** Creates the matching collection: on time, 300 km later, with a full tank. */
export function createCollectionMessage(changes: Partial<CheckInOperationMessage> = {}): CheckInOperationMessage {
  return {
    ...createDeliveryMessage(),
    op_id: createOpId(),
    seq: 2,
    kind: "collection",
    base_version: 2,
    recorded_at: "2024-05-05T08:00:00.000Z",
    kilometres: 1300,
    ...changes,
  };
}

export async function callAsStaff(
  method: string,
  path: string,
  token: string | undefined,
  body?: unknown,
  headers = {},
) {
  const isRaw = body instanceof Uint8Array;
  return requestWorker(`http://acme.localhost:8787/api${path}`, {
    method,
    headers: {
      ...(body !== undefined && !isRaw && { "Content-Type": "application/json" }),
      ...(token !== undefined && { Authorization: token }),
      ...headers,
    },
    ...(body !== undefined && { body: isRaw ? (body as BodyInit) : JSON.stringify(body) }),
  });
}

/** Sends one operation alone. */
export async function sendCheckInOperation(token: string, operation: unknown) {
  const response = await callAsStaff("POST", "/v1/booking/check-in-operations", token, operation);
  const { results } = (await response.clone().json()) as { results: OperationResultMessage[] };
  return { status: response.status, response, result: results?.[0] as OperationResultMessage };
}

export const readFirstRow = (sql: string, ...values: unknown[]) =>
  env.TENANT_ACME.prepare(sql)
    .bind(...values)
    .first<Record<string, unknown>>();
