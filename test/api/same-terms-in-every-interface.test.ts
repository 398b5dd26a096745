import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import {
  createAgencyReservationBody,
  createAvailabilityPath,
  getAsAgency,
  getBookableDay,
  postAsAgency,
} from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice, readReservationAnswer } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { checkOutCart, createCart, createSearch, getAsWebsite, parseJson, sendAsWebsite } from "#support/website.ts";

// Account terms apply equally to agencies, websites and the office.
let boss = "";

beforeEach(async () => {
  const { db } = await setUpCompany();
  await addTestUsers();
  await db.batch([
    db.prepare("INSERT INTO one_way_fees (pickup_place_id, return_place_id, price_cents) VALUES (1, 2, 2500)"),
    db.prepare("INSERT INTO selling_rules (category_code, minimum_days) VALUES ('B', 5)"),
    db.prepare(`UPDATE extras SET deposit_reduction_type = 'percentage', deposit_reduction_value = 10000,
      guarantee_reduction_value = 5000 WHERE code = 'GPS'`),
  ]);
  await openTestTenant(env).freshSnapshot();
  boss = await createToken("boss");
});

const RENTAL = {
  ...{ date_from: getBookableDay(0), time_from: "10:00", date_to: getBookableDay(3), time_to: "10:00" },
  ...{ pickup_place: 1, return_place: 2, category_code: "A" },
};
const CUSTOMER = { customer: { name: "Ana", surname: "Ruiz", email: "ana@example.com" } };

type Sums = Readonly<Record<string, string>>;

const createAgencyBooking = async (changes: Parameters<typeof createAgencyReservationBody>[0]) =>
  (await parseJson(await postAsAgency("/booking", createAgencyReservationBody({ return_place: 2, ...changes }))))
    .response.reservation as Sums;

async function sellOnWebsite(extra?: string): Promise<{ readonly cart: Sums; readonly booking: Sums }> {
  const id = await createCart("A", { return_place: "2" });
  if (extra) await sendAsWebsite("POST", `/shopping-cart/${id}/set-extra`, { extra, quantity: 1 });
  const cart = (await parseJson(await getAsWebsite(`/shopping-cart/${id}`))).shopping_cart as Sums;
  const { free_access_id: bought } = await parseJson(await checkOutCart(id));
  return { cart, booking: (await parseJson(await getAsWebsite(`/booking/${bought}`))).booking as Sums };
}

async function sellInOffice(changes: Readonly<Record<string, unknown>> = {}) {
  const saleTerms = { ...RENTAL, ...changes };
  const quoted = await parseJson(await callOffice("POST", "/reservations/quote", { token: boss, body: saleTerms }));
  const { reservation } = await readReservationAnswer(
    callOffice("POST", "/reservations", { token: boss, body: { ...saleTerms, ...CUSTOMER } }),
  );
  return { quote: quoted.quote as Sums, reservation: reservation as unknown as Sums };
}

// Proves "rules.md: quotes, counts and agreements": One-way fees in every search, quote and booking
// Proves "rentals.md": D2
test("includes a one-way fee in every search, quote and booking", async () => {
  const { response } = await parseJson(await getAsAgency(createAvailabilityPath({ "return-place": "2" })));
  const { cart, booking } = await sellOnWebsite();
  const { quote, reservation } = await sellInOffice();
  // The return place costs 15.00, and the one-way fee from the airport is 25.00.
  for (const item of [response, await createAgencyBooking({}), cart, booking, quote, reservation])
    expect(item).toMatchObject({ return_place_cost: "40.00" });
  const back = await parseJson(await getAsAgency(createAvailabilityPath({ "pickup-place": "2", "return-place": "1" })));
  expect(back.response).toMatchObject({ return_place_cost: "0.00" });
});

// Proves "rules.md: quotes, counts and agreements": Deposits as lowered in every cart, quote and booking
// Proves "rentals.md": D3
test("lowers deposit and excess by an insurance extra in every cart, quote and booking", async () => {
  const { cart, booking } = await sellOnWebsite("GPS");
  const { quote, reservation } = await sellInOffice({ extras: [{ code: "GPS" }] });
  // Without the insurance: 300.00 deposit and 100.00 excess. It removes the deposit and half of the excess.
  for (const item of [await createAgencyBooking({ extras: [{ code: "GPS" }] }), cart, booking, quote, reservation])
    expect(item).toMatchObject({ total_deposit: "50.00" });
});

// Proves "rules.md: quotes, counts and agreements": An account's terms apply to every interface
// Proves "rentals.md": D1
test("lists products blocked by a rule as unavailable, and rejects them with the reason", async () => {
  const { response } = await parseJson(await getAsAgency(createAvailabilityPath()));
  const getProductB = (products: readonly { readonly code: string }[]) => products.find(({ code }) => code === "B");
  expect(getProductB(response.products)).toMatchObject({ available: false, price: "180.00" });
  const refused = await postAsAgency("/booking", createAgencyReservationBody({ products: [{ code: "B" }] }));
  expect([refused.status, (await parseJson(refused)).errors.message]).toEqual([400, expect.stringContaining("5 days")]);
  const { products } = await parseJson(await sendAsWebsite("POST", "/shopping-cart", createSearch()));
  expect(getProductB(products)).toMatchObject({ availability: false, price: "180.00" });
  const quoted = await parseJson(
    await callOffice("POST", "/reservations/quote", { token: boss, body: { ...RENTAL, category_code: "B" } }),
  );
  expect(quoted).toMatchObject({ available: false, warnings: [{ code: "minimum_days", params: { days: 5 } }] });
  const cart = await createCart("A");
  const chosen = await sendAsWebsite("POST", `/shopping-cart/${cart}/set-product`, { product: "B" });
  expect([chosen.status, await chosen.text()]).toEqual([400, expect.stringContaining("5 days")]);
  const sale = { ...RENTAL, ...CUSTOMER, category_code: "B" };
  const sold = await callOffice("POST", "/reservations", { token: boss, body: sale });
  expect([sold.status, await sold.json()]).toMatchObject([
    400,
    { code: "invalid_input", detail: [{ code: "minimum_days" }] },
  ]);
});
