import { type AccountName, type Client, createJsonCall, createSignedCall } from "#tools/platform/client.ts";
import { getDateAfter } from "#tools/platform/days.ts";
import type { Caller } from "./caller.ts";

/** Values known to exist, by field name. */
export type KnownValues = Readonly<Record<string, readonly unknown[]>>;

/** Reads existing values through the APIs. */
export async function loadKnownValues(client: Client, { account, keys, engineKey }: Caller): Promise<KnownValues> {
  const accountName = account as AccountName;
  const list = async (name: string): Promise<readonly Record<string, unknown>[]> => {
    const key = keys["integration"] ?? { apiKey: "", secret: "" };
    const path = `/api/v1/integration/${name}?page_size=200`;
    const answer = await client.sendUntilAnswered(createSignedCall(key, { account: accountName, method: "GET", path }));
    return JSON.parse(answer.bytes.toString()).data;
  };
  const [contracts, places, categories, items, locations, storages, invoices] = await Promise.all(
    [
      "reservations",
      "pickup-places",
      "booking-categories",
      "booking-items",
      "rental-locations",
      "rental-storages",
      "invoices",
    ].map(list),
  );
  const column = (rows: readonly Record<string, unknown>[] | undefined, name: string) =>
    (rows ?? []).flatMap((row) => (row[name] === undefined || row[name] === null ? [] : [row[name]]));
  const placeIds = column(places, "id");
  const cart = await createCart(client, accountName, engineKey, placeIds[0]);
  return {
    pickup_place: placeIds.map(String),
    return_place: placeIds.map(String),
    pickup_place_id: placeIds,
    product: column(categories, "code"),
    code: column(categories, "code"),
    extra: await loadExtras(client, accountName, engineKey, String(placeIds[0])),
    category_code: column(categories, "code"),
    free_access_id: [...column(contracts, "free_access_id"), cart, cart],
    id: [...column(contracts, "id"), ...column(invoices, "id")],
    booking_id: column(contracts, "id"),
    vehicle_reference: column(items, "reference"),
    rental_location_code: column(locations, "code"),
    rental_storage_id: column(storages, "id"),
    agency_reservation_id: ["fuzz-1", "fuzz-2", "fuzz-3"],
    gateway: ["tpvA256", "tpvB", "tpvC", "wallet_standard"],
    payment_method_id: ["tpvA256", "cash"],
    year: [2025, 2026, "2026"],
    page: [0, 1],
    page_size: [1, 20, 500],
    op_id: ["01890000-0000-7000-8000-000000000001"],
    hash: ["a".repeat(64)],
    base_version: [1, 2, 3],
    quantity: [1, 2],
    lang: ["es", "en", "de"],
    customer_language: ["es", "en"],
    username: ["customer@acme.test", "nobody@example.com"],
  };
}

/** Returns the codes of extras on sale. */
async function loadExtras(client: Client, account: AccountName, engineKey: string, place: string): Promise<string[]> {
  const cart = await createCart(client, account, engineKey, place);
  const path = `/api/booking/frontend/shopping-cart/${cart}?api_key=${engineKey}&include_extras=true`;
  const answer = await client.sendUntilAnswered({ account, method: "GET", path });
  return JSON.parse(answer.bytes.toString()).extras.map(({ code }: { readonly code: string }) => code);
}

async function createCart(client: Client, account: AccountName, engineKey: string, place: unknown): Promise<string> {
  for (let days = 30; days < 40; days++) {
    const content = {
      date_from: getDateAfter(days),
      time_from: "10:00",
      date_to: getDateAfter(days + 7),
      time_to: "10:00",
      pickup_place: String(place),
    };
    const path = `/api/booking/frontend/shopping-cart?api_key=${engineKey}`;
    const answer = await client.sendUntilAnswered(createJsonCall({ account, method: "POST", path }, content));
    if (answer.status === 200) return JSON.parse(answer.bytes.toString()).shopping_cart.free_access_id;
  }
  throw new Error(`${account} rents nothing`);
}
