import { drizzle } from "drizzle-orm/d1";
import { draftBooking } from "#domain/bookings/draft.ts";
import { resolveRentalTerms } from "#domain/bookings/rental-terms.ts";
import type { CivilDate, TimeText } from "#domain/dates.ts";
import { readCatalogueSnapshot } from "#worker/store/catalogue/catalogue.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { SqliteD1 } from "./sqlite-d1.ts";

interface Priced {
  readonly id: number;
  readonly dateFrom: CivilDate;
  readonly timeFrom: TimeText;
  readonly dateTo: CivilDate;
  readonly timeTo: TimeText;
  readonly pickupPlaceId: number;
  readonly returnPlaceId: number;
  readonly salesChannel: string | null;
  readonly driverAge: number | null;
  readonly promotionCode: string | null;
  readonly createdAt: number;
  readonly cents: number;
  readonly products: string;
  readonly extras: string;
}

/** Lists rentals that the domain would price differently with the database's catalogue. */
export async function listWronglyPricedBookings({ db, rows }: SqliteD1): Promise<number[]> {
  const snapshot = await readCatalogueSnapshot(drizzle(db, { casing: "snake_case" }));
  if (!snapshot) throw new Error("the account has no settings");
  // Demo contracts were sold before selling rules and one-way fees existed.
  const catalogue = { ...snapshot.catalogue, oneWayFees: [], sellingRules: [] };
  const { timezone } = catalogue.settings;
  const choices = (table: string, code: string) =>
    `(SELECT json_group_array(json_object('code', ${code}, 'quantity', quantity)) FROM ${table} WHERE booking_id = bookings.id)`;
  const bookings = rows<
    Priced & object
  >(`SELECT id, date_from AS dateFrom, time_from AS timeFrom, date_to AS dateTo, time_to AS timeTo,
    pickup_place_id AS pickupPlaceId, return_place_id AS returnPlaceId, sales_channel_code AS salesChannel, driver_age AS driverAge,
    promotion_code AS promotionCode, created_at AS createdAt, total_cents - supplement_1_cents - supplement_2_cents - supplement_3_cents AS cents,
    ${choices("booking_lines", "category_code")} AS products, ${choices("booking_extras", "extra_code")} AS extras FROM bookings
    WHERE kind = 'rental'`);
  return bookings
    .filter((booking) => {
      const request = {
        ...booking,
        period: booking,
        salesChannel: booking.salesChannel ?? undefined,
        driverAge: booking.driverAge ?? undefined,
        promotionCode: booking.promotionCode ?? undefined,
      };
      const by = { isStaff: true, keepsPickup: false, ownChannel: request.salesChannel };
      const terms = resolveRentalTerms(catalogue, request, toCivilNow(timezone, booking.createdAt), by);
      const draft = terms.ok
        ? draftBooking(catalogue, terms.value, JSON.parse(booking.products), JSON.parse(booking.extras), by)
        : terms;
      return !draft.ok || draft.value.totals.totalCents !== booking.cents;
    })
    .map(({ id }) => id);
}
