import { asc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Surcharge } from "#domain/contracts/surcharge.ts";
import type { Database } from "#worker/store/database.ts";
import { type bookingExtras, surcharges } from "#worker/store/schema/bookings.ts";
import { extras } from "#worker/store/schema/prices.ts";

/** Extra of a contract. `chargedOn` is set for surcharges after its completion, in the account's calendar. */
export type StoredExtraRow = typeof bookingExtras.$inferSelect & { readonly chargedOn?: string | null };

// Extras and surcharges appear in one list, so their ids must not overlap.
const FIRST_SURCHARGE_ID = 1_000_000_000;
const COLUMNS = "booking_id, extra_code, extra_description, quantity, extra_unit_cents, extra_cents, vat_basis_points";
const WITH_DISCOUNT = `${COLUMNS}, discount_cents`;
const WITHOUT_DISCOUNT = `${COLUMNS}, 0 AS discount_cents`;

// SQL that selects a contract's extras and surcharges, split where the condition on the booking id is inserted.
const PARTS = [
  `(SELECT id, ${WITH_DISCOUNT}, NULL AS charged_on FROM booking_extras WHERE booking_id `,
  ` UNION ALL SELECT ${FIRST_SURCHARGE_ID} + id, ${WITHOUT_DISCOUNT}, charged_on FROM surcharges WHERE booking_id `,
  ")",
];

/** Returns a contract's agreed extras and surcharges as a table. `bookingId` is SQL. */
export function selectContractExtras(bookingId: string): string {
  return PARTS.join(`= ${bookingId}`);
}

/** Returns these extras as a query of one contract, agreed ones first. */
export function contractExtrasQuery(db: Database, bookingId: SQL) {
  const texts = PARTS.map((part) => sql.raw(part));
  return db
    .select({
      id: sql<number>`id`.as("id"),
      bookingId: sql<number>`booking_id`.as("booking_id"),
      extraId: sql<string>`extra_code`.as("extra_code"),
      extraDescription: sql<string>`extra_description`.as("extra_description"),
      quantity: sql<number>`quantity`.as("quantity"),
      extraUnitCents: sql<number>`extra_unit_cents`.as("extra_unit_cents"),
      discountCents: sql<number>`discount_cents`.as("discount_cents"),
      extraCents: sql<number>`extra_cents`.as("extra_cents"),
      vatBasisPoints: sql<number>`vat_basis_points`.as("vat_basis_points"),
      chargedOn: sql<string | null>`charged_on`.as("charged_on"),
    })
    .from(sql.join(texts, sql`IN (${bookingId})`))
    .orderBy(sql`id`);
}

/** Returns the statement that adds a surcharge found at the return or after it. */
export function insertSurchargeStatement(db: Database, bookingId: number, surcharge: Surcharge) {
  return db.insert(surcharges).values({
    bookingId,
    extraId: surcharge.code,
    extraDescription: surcharge.description,
    quantity: surcharge.quantity,
    extraUnitCents: surcharge.unitCents,
    extraCents: surcharge.extraCents,
    vatBasisPoints: surcharge.vat,
    chargedOn: surcharge.chargedOn,
    damageId: surcharge.damageId,
  });
}

/** Returns the query for the extras with these codes, even if they're no longer sold. */
export function chargeableExtrasQuery(db: Database, codes: readonly string[]) {
  const { code, name, pricePer, priceCents, vatBasisPoints: vat } = extras;
  return db.select({ code, name, pricePer, priceCents, vat }).from(extras).where(inArray(code, codes));
}

/** Returns the query for the price list of surcharges: extras that exist only to charge something come first. */
export function surchargePricesQuery(db: Database) {
  const { code, name, pricePer, priceCents, active, position } = extras;
  return db.select({ code, name, pricePer, priceCents }).from(extras).orderBy(asc(active), asc(position));
}

/**
 * Returns the query for the extra with this code, even if it's no longer sold, and the contract's damage with this
 * number.
 */
export function chargeableExtraQuery(
  db: Database,
  { code, damage: damageNumber }: { readonly code: string; readonly damage?: number | undefined },
  bookingId: number,
) {
  const { name, pricePer, priceCents, vatBasisPoints: vat } = extras;
  const damageId = sql<string | null>`(SELECT damage_id FROM vehicle_damages
    WHERE id = ${damageNumber ?? 0} AND booking_id = ${bookingId})`.as("damage_id");
  return db
    .select({ code: extras.code, name, pricePer, priceCents, vat, damageId })
    .from(extras)
    .where(eq(extras.code, code));
}
