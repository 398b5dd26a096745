import { env } from "cloudflare:test";
import { beforeEach, expect, test } from "vitest";
import { getBookableDay } from "#support/agency.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import {
  checkOutCart,
  createCart,
  createSearch,
  getAsWebsite,
  parseJson,
  sendAsWebsite,
  toFormDate,
} from "#support/website.ts";

let company: TestCompany;

beforeEach(async () => {
  company = await setUpCompany();
});

/** Changes a setting and clears the cached one. */
async function choose(setting: string, value: string | number): Promise<void> {
  await company.db.prepare(`UPDATE settings SET ${setting} = ?`).bind(value).run();
  await openTestTenant(env).freshSnapshot();
}

const change = async (id: string, path: string, body: object) => {
  const answered = await sendAsWebsite("POST", `/shopping-cart/${id}/${path}`, body);
  return { status: answered.status, ...(await parseJson(answered)) };
};
const listChosenItems = ({
  shopping_cart: { items },
}: {
  shopping_cart: { items: { item_id: string; quantity: number }[] };
}) => items.map(({ item_id, quantity }) => [item_id, quantity]);

test("allows returns only at the pickup branch, in lists, carts and website settings, if the account requires that", async () => {
  const returns = async () =>
    (await parseJson(await getAsWebsite("/return-places?pickup_place=1"))).map((place: { id: string }) => place.id);
  const otherBranchCart = await createCart("A", { return_place: "2" });
  expect(await returns()).toEqual(["1", "2", "5"]);
  await choose("pickup_return_places_same_rental_location", 1);
  expect(await returns()).toEqual(["1"]);
  const refused = await sendAsWebsite("POST", "/shopping-cart", createSearch({ return_place: "2" }));
  expect([refused.status, (await parseJson(refused)).error]).toEqual([400, expect.stringContaining("return_place")]);
  // A search made before the change can't be booked either.
  expect((await checkOutCart(otherBranchCart)).status).toBe(400);
  const { settings, sales_process } = await parseJson(await sendAsWebsite("POST", "/shopping-cart", createSearch()));
  expect([settings, sales_process]).toMatchObject([
    { pickup_return_places_same_rental_location: true },
    { pickup_return_places_same_rental_location: true },
  ]);
});

test("books vehicles of several categories in one booking, up to the maximum per visitor", async () => {
  const id = await createCart("A");
  expect(listChosenItems(await change(id, "set-product", { product: "B" }))).toEqual([["B", 1]]);
  await choose("multiple_products_selection", 1);
  expect(listChosenItems(await change(id, "set-product", { product: "A", quantity: 2 }))).toEqual([
    ["B", 1],
    ["A", 2],
  ]);
  const beyond = await change(id, "set-product", { product: "A", quantity: 3 });
  expect([beyond.status, beyond.error]).toEqual([400, expect.stringContaining("call us for more than 3")]);
  expect(listChosenItems(await change(id, "set-product", { product: "A", quantity: "0" }))).toEqual([["B", 1]]);
  const both = await change(id, "set-product", { product: "A" });
  expect(both).toMatchObject({ settings: { multiple_products_selection: true } });
  const sum = both.shopping_cart.items.reduce(
    (total: number, { item_cost }: { item_cost: string }) => total + Number(item_cost),
    0,
  );
  expect(Number(both.shopping_cart.item_cost)).toBe(sum);
  const placed = await parseJson(await checkOutCart(id));
  const { booking, sales_process } = await parseJson(await getAsWebsite(`/booking/${placed.free_access_id}`));
  expect(booking.booking_lines.map(({ item_id }: { item_id: string }) => item_id).toSorted()).toEqual(["A", "B"]);
  expect([booking.total_cost, sales_process.multiple_products]).toEqual([both.shopping_cart.total_cost, true]);
});

test("drops only discontinued products from a cart, and keeps the last product if several are no longer allowed", async () => {
  await choose("multiple_products_selection", 1);
  const id = await createCart("A");
  await change(id, "set-product", { product: "B" });
  await company.db.prepare("UPDATE categories SET web_public = 0 WHERE code = 'A'").run();
  await openTestTenant(env).freshSnapshot();
  expect(listChosenItems(await parseJson(await getAsWebsite(`/shopping-cart/${id}`)))).toEqual([["B", 1]]);
  await company.db.prepare("UPDATE categories SET web_public = 1 WHERE code = 'A'").run();
  await choose("multiple_products_selection", 0);
  expect(listChosenItems(await parseJson(await getAsWebsite(`/shopping-cart/${id}`)))).toEqual([["B", 1]]);
});

test("accepts a number of days instead of a return date", async () => {
  await choose("rent_dates_selector", "date_from_duration");
  const offered = await parseJson(await getAsWebsite(`/durations?date=${getBookableDay(0)}&lang=en`));
  expect(offered.slice(0, 2)).toEqual([
    { value: 1, text: "1 day" },
    { value: 2, text: "2 days" },
  ]);
  // Durations that end on a day without returns aren't offered.
  await company.db
    .prepare("INSERT INTO selling_rules (no_return_dates) VALUES (?)")
    .bind(JSON.stringify([getBookableDay(2)]))
    .run();
  await choose("rent_dates_selector", "date_from_duration");
  const remainingDurations = await parseJson(await getAsWebsite(`/durations?date=${getBookableDay(0)}`));
  expect(remainingDurations.slice(0, 2).map(({ value }: { value: number }) => value)).toEqual([1, 3]);
  await company.db.prepare("DELETE FROM selling_rules").run();
  await choose("rent_dates_selector", "date_from_duration");
  const byDays = createSearch({ renting_duration: "3", date_to: "", time_to: "", time_from: "12:30" });
  const { shopping_cart: cart, settings } = await parseJson(
    await sendAsWebsite("POST", "/shopping-cart?lang=de", byDays),
  );
  expect(cart).toMatchObject({ date_to: getBookableDay(3), time_to: "12:30", days: 3, renting_duration: 3 });
  expect([cart.renting_duration_literal, settings.rent_dates_selector]).toEqual(["3 Tage", "date_from_duration"]);
  // With a duration, the return date of the form is ignored.
  const both = createSearch({ renting_duration: 2, date_to: toFormDate(9) });
  expect((await parseJson(await sendAsWebsite("POST", "/shopping-cart", both))).shopping_cart.date_to).toBe(
    getBookableDay(2),
  );
  const neither = await sendAsWebsite("POST", "/shopping-cart", createSearch({ date_to: "" }));
  expect([neither.status, (await parseJson(neither)).error]).toEqual([400, expect.stringContaining("date_to")]);
  const rejectedResponse = await sendAsWebsite(
    "POST",
    "/shopping-cart",
    createSearch({ renting_duration: "long", date_to: "" }),
  );
  expect([rejectedResponse.status, (await parseJson(rejectedResponse)).error]).toEqual([
    400,
    expect.stringContaining("renting_duration"),
  ]);
  await choose("rent_dates_selector", "date_from_date_to");
  expect((await parseJson(await sendAsWebsite("POST", "/shopping-cart", both))).shopping_cart.date_to).toBe(
    getBookableDay(9),
  );
});

test("accepts a branch instead of a pickup place and uses the branch's first place", async () => {
  const byBranch = createSearch({ pickup_place: "", return_place: "", rental_location_code: "TOWN" });
  const { shopping_cart: cart } = await parseJson(await sendAsWebsite("POST", "/shopping-cart", byBranch));
  expect(cart).toMatchObject({ pickup_place: "2", return_place: "2", rental_location_code: "TOWN" });
  const unknown = await sendAsWebsite("POST", "/shopping-cart", { ...byBranch, rental_location_code: "NOPE" });
  expect([unknown.status, (await parseJson(unknown)).error]).toEqual([
    400,
    "pickup_place: there is no pickup place at the branch NOPE",
  ]);
  const { rental_location_code, ...nowhere } = byBranch;
  const missing = await sendAsWebsite("POST", "/shopping-cart", nowhere);
  expect((await parseJson(missing)).error).toBe("pickup_place: is required: there are several pickup places");
  await company.db.prepare("UPDATE pickup_places SET web_public = 0").run();
  await openTestTenant(env).freshSnapshot();
  const none = await sendAsWebsite("POST", "/shopping-cart", nowhere);
  expect([none.status, (await parseJson(none)).error]).toEqual([400, "pickup_place: there is no pickup place yet"]);
});
