import { env } from "cloudflare:workers";

const CREATED = 1_700_000_000_000;

interface Written {
  readonly id: number;
  readonly status?: string;
  readonly customerType?: string;
  readonly branch?: string;
  readonly totalPaidCents?: number;
}

/**
 * Creates statements that insert contracts of 121.00 in progress: 90 for a car at 21 %, 20 for an extra at 10 %, 11 for
 * a place.
 */
export function createContractStatements(
  contracts: readonly Written[],
  at = CREATED,
  db = env.TENANT_ACME,
): D1PreparedStatement[] {
  const rows = contracts.map(({ id, status = "in_progress", customerType = "individual", branch = "AIR" }) => ({
    id,
    status,
    customerType,
    branch,
  }));
  const json = JSON.stringify(rows);
  return [
    db
      .prepare(`INSERT INTO bookings (id, free_access_id, status, created_by, date_from, time_from, date_to, time_to, days, pickup_place_id, return_place_id,
        pickup_place, return_place, branch_code, return_branch_code, branch_group_id, customer_type, customer_name, customer_surname,
        customer_language, item_cents, extras_cents, pickup_place_cents, total_cents, created_at, last_update)
      SELECT value ->> 'id', 'contract-' || (value ->> 'id'), value ->> 'status', 'staff', '2030-05-03', '10:00', '2030-05-06', '10:00', 3, 1, 1,
        'Aeropuerto', 'Aeropuerto', value ->> 'branch', value ->> 'branch', 1, value ->> 'customerType', 'Ana', 'Ruiz',
        'es', 9000, 2000, 1100, 12100, ${at}, ${at} FROM json_each(?)`)
      .bind(json),
    // Stock doesn't matter, because these contracts are only needed for documents.
    db
      .prepare(`INSERT INTO booking_lines (id, booking_id, category_code, item_description, quantity, item_unit_base_cents, item_unit_cents, item_cents, vat_basis_points)
      SELECT value ->> 'id', value ->> 'id', 'A', 'Coche pequeño', 1, 9000, 9000, 9000, 2100 FROM json_each(?)`)
      .bind(json),
    db
      .prepare(`INSERT INTO booking_units (booking_line_id, booking_id, vehicle_reference)
      SELECT value ->> 'id', value ->> 'id', 'A-1' FROM json_each(?)`)
      .bind(json),
    db
      .prepare(`INSERT INTO booking_extras (booking_id, extra_code, extra_description, quantity, extra_unit_cents, extra_cents, vat_basis_points)
      SELECT value ->> 'id', 'GPS', 'Navegador', 1, 2000, 2000, 1000 FROM json_each(?)`)
      .bind(json),
  ];
}

/** Inserts contracts, done or in another state. */
export async function insertContracts(contracts: readonly Written[]): Promise<void> {
  await env.TENANT_ACME.batch(createContractStatements(contracts));
}
