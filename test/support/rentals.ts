import { env } from "cloudflare:workers";

/** A rental inserted directly, without use cases. */
export interface NewRental {
  /** Local pickup time, such as `2031-03-01 10:00`. */
  readonly from: string;
  readonly to: string;
  readonly category: string;
  readonly quantity: number;
  readonly status: string;
  readonly branch: string;
  readonly returnBranch: string;
  readonly extras: Readonly<Record<string, number>>;
  readonly expiresAt: number | null;
  /** Time of the booking, epoch ms. */
  readonly at: number;
}

const GROUPS: Readonly<Record<string, number>> = { AIR: 1, TOWN: 1, ISLE: 2 };
let rentalNumber = 0;

/** Inserts a rental of the test company with line, units and extras. Returns its id. */
export async function insertRental(
  rentalOptions: Partial<NewRental> & Pick<NewRental, "from" | "to">,
): Promise<number> {
  const rental: NewRental = {
    category: "A",
    quantity: 1,
    status: "confirmed",
    branch: "AIR",
    returnBranch: rentalOptions.branch ?? "AIR",
    extras: {},
    expiresAt: null,
    at: 1000,
    ...rentalOptions,
  };
  const [dateFrom, timeFrom] = rental.from.split(" ");
  const [dateTo, timeTo] = rental.to.split(" ");
  const free = `rental-${++rentalNumber}`;
  const id = "(SELECT id FROM bookings WHERE free_access_id = ?1)";
  const db = env.TENANT_ACME;
  const results = await db.batch<{ id: number }>([
    db
      .prepare(`INSERT INTO bookings (free_access_id, status, created_by, expires_at, date_from, time_from, date_to, time_to, days, pickup_place,
        return_place, branch_code, return_branch_code, branch_group_id, customer_name, customer_language, item_cents, total_cents, created_at, last_update)
        VALUES (?, ?, 'staff', ?, ?, ?, ?, ?, 1, '', '', ?, ?, ?, 'Ana', 'es', 0, 0, ?, ?) RETURNING id`)
      .bind(
        free,
        rental.status,
        rental.expiresAt,
        dateFrom,
        timeFrom,
        dateTo,
        timeTo,
        rental.branch,
        rental.returnBranch,
        GROUPS[rental.branch],
        rental.at,
        rental.at,
      ),
    db
      .prepare(`INSERT INTO booking_lines (booking_id, category_code, item_description, quantity, item_unit_base_cents, item_unit_cents, item_cents, vat_basis_points)
        VALUES (${id}, ?2, '', ?3, 0, 0, 0, 2100)`)
      .bind(free, rental.category, rental.quantity),
    db
      .prepare(`INSERT INTO booking_units (booking_line_id, booking_id) SELECT line.id, line.booking_id FROM booking_lines AS line,
        json_each(?2) WHERE line.booking_id = ${id}`)
      .bind(free, JSON.stringify(Array.from({ length: rental.quantity }, (_, index) => index))),
    ...Object.entries(rental.extras).map(([code, quantity]) =>
      db
        .prepare(`INSERT INTO booking_extras (booking_id, extra_code, extra_description, quantity, extra_unit_cents, extra_cents, vat_basis_points)
          VALUES (${id}, ?2, '', ?3, 0, 0, 2100)`)
        .bind(free, code, quantity),
    ),
  ]);
  const rentalId = results[0]?.results[0]?.id;
  if (rentalId === undefined) throw new Error("a rental was written and is not there");
  return rentalId;
}
