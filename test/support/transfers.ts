import type { TestCompany } from "#support/company.ts";
import { clearCachedSnapshot } from "#support/databases.ts";
import { getAsWebsite, parseJson, sendAsWebsite, toFormDate } from "#support/website.ts";

/** Path of the transfer API relative to the vehicle engine's. */
const TRANSFERS = "/../../booking-transfer/frontend";

/** Sends a read request to the transfer engine like a booking website. */
export function readTransfer(path: string, headers: Record<string, string> = {}): Promise<Response> {
  return getAsWebsite(TRANSFERS + path, headers);
}

/** Posts JSON to the transfer engine like a booking website. */
export function postToTransferEngine(
  path: string,
  body: unknown,
  options: Parameters<typeof sendAsWebsite>[3] = {},
): Promise<Response> {
  return sendAsWebsite("POST", TRANSFERS + path, body, options);
}

/**
 * Turns the test company into a transfer company: an airport and a hotel with its own price, a harbour in the airport's
 * zone, and a village reachable only from the airport. One saloon and one bus, nights cost 20 % more. Round prices keep
 * sums readable.
 */
export async function insertTransferCatalogue({ db, account }: TestCompany): Promise<void> {
  await db.batch([
    db.prepare("INSERT INTO transfer_zones VALUES (1, 'Port'), (2, 'Costa')"),
    db.prepare(`INSERT INTO transfer_points (id, name, point_type, zone_id, position) VALUES
      (1, 'Aeropuerto', 'airport', 1, 1), (2, 'Hotel Mar', 'location', 2, 2), (3, 'Muelle', 'harbor', 1, 3),
      (4, 'Pueblo', 'bus_station', NULL, 4), (5, 'Cala Ñandú', 'location', 2, 5)`),
    db.prepare(`INSERT INTO transfer_vehicles (id, name, branch_code, seats, infant_places, units, preparation_minutes, vat_basis_points, position) VALUES
      (1, 'Turismo', 'AIR', 3, 1, 1, 30, 1000, 1), (2, 'Autobús', 'AIR', 20, 2, 2, 60, 1000, 2)`),
    db.prepare(`INSERT INTO transfer_prices (transfer_vehicle_id, from_point_id, from_zone_id, to_point_id, to_zone_id, both_ways, minutes, price_cents) VALUES
      (1, NULL, 1, NULL, 2, 1, 60, 6000), (2, NULL, 1, NULL, 2, 1, 60, 15000), (1, 1, NULL, 2, NULL, 1, 40, 4000),
      (1, 1, NULL, 4, NULL, 0, 20, 2000)`),
    db.prepare(`INSERT INTO transfer_extras (id, code, name, price_per, price_cents, max_quantity, vat_basis_points, position) VALUES
      (11, 'BABY', 'Silla de bebé', 'trip', 500, 2, 1000, 1), (12, 'SIGN', 'Cartel', 'reservation', 1000, 1, 1000, 2)`),
    db.prepare(`INSERT INTO transfer_supplements (id, name, time_from, time_to, value_type, value, position) VALUES
      (1, 'Nocturnidad', '22:00', '06:00', 'percentage', 2000, 1)`),
    db.prepare(
      `INSERT INTO transfer_supplements (id, name, transfer_point_id, value_type, value, position) VALUES (2, 'Muelle', 3, 'amount', 300, 2)`,
    ),
    db.prepare(`INSERT INTO translations VALUES ('transfer_point', '1', 'name', 'en', 'Airport'), ('transfer_point', '2', 'name', 'en', 'Sea hotel'),
      ('transfer_vehicle', '1', 'name', 'en', 'Saloon'), ('transfer_extra', '11', 'name', 'en', 'Baby seat'), ('supplement', '1', 'name', 'en', 'Night')`),
  ]);
  clearCachedSnapshot(account);
}

/**
 * Creates the request of an existing website: all values as text, and for a one-way transfer a return without a date.
 */
export function createTransferSearchBody(changes: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    date: toFormDate(0),
    time: "09:00",
    include_products: true,
    origin_point_id: "1",
    destination_point_id: "2",
    return_date: "",
    number_of_adults: "1",
    number_of_children: "0",
    number_of_infants: "0",
    round_trip: "false",
    ...changes,
  };
}

export const ROUND_TRIP_FIELDS = { round_trip: "true", return_date: toFormDate(3), return_time: "10:00" };

/** Creates an active transfer cart, by default with the saloon. */
export async function createTransferCart(
  search: Readonly<Record<string, unknown>> = {},
  product: string | null = "1",
): Promise<string> {
  const created = await postToTransferEngine("/shopping-cart", createTransferSearchBody(search));
  if (created.status !== 200) throw new Error(await created.text());
  const id = (await parseJson(created)).shopping_cart.free_access_id;
  if (product) {
    const chosen = await postToTransferEngine(`/shopping-cart/${id}/set-product`, { product });
    if (chosen.status !== 200) throw new Error(await chosen.text());
  }
  return id;
}

export function checkoutTransfer(id: string, changes: Readonly<Record<string, unknown>> = {}): Promise<Response> {
  const customer = { customer_name: "Ana", customer_surname: "Ruiz", customer_email: "ana@example.com" };
  return postToTransferEngine(`/shopping-cart/${id}/checkout?lang=en`, { ...customer, ...changes }, { encoded: false });
}

/** Creates an unpaid transfer reservation. Returns its id. */
export async function bookTransfer(
  search: Readonly<Record<string, unknown>> = {},
  product = "1",
  changes: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const booked = await checkoutTransfer(await createTransferCart(search, product), changes);
  if (booked.status !== 200) throw new Error(await booked.text());
  return (await parseJson(booked)).free_access_id;
}
