import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { getBookableDay } from "#support/agency.ts";
import { callAsStaff, insertCheckInRental } from "#support/check-in.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import {
  bookTransfer,
  checkoutTransfer,
  createTransferCart,
  createTransferSearchBody,
  insertTransferCatalogue,
  postToTransferEngine,
  ROUND_TRIP_FIELDS,
  readTransfer,
} from "#support/transfers.ts";
import { createCart, getAsWebsite, parseJson, toFormDate } from "#support/website.ts";

let company: TestCompany;

beforeEach(async () => {
  company = await setUpCompany();
  await insertTransferCatalogue(company);
  await openTestTenant(env).freshSnapshot();
});

const MISSING_ID = "0".repeat(32);

async function readFieldNames(response: Response): Promise<string[]> {
  const { detail } = await parseJson(response);
  return (detail ?? []).map(({ field }: { field: string }) => field);
}

describe("points", () => {
  // Proves "booking-engine-transfers.md: operations": GET origin-points: lang, term; an array of points with id, name,
  //   point_type
  // Proves "booking-engine-transfers.md: existing websites": {data,total} by fifteen where page is given
  test("returns transfer points as an array, or as a page with a total if the query contains page", async () => {
    const points = await parseJson(await readTransfer("/origin-points?lang=en"));
    expect(points[0]).toEqual({ id: 1, name: "Airport", point_type: "airport" });
    expect(points.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3, 5]);
    const page = await parseJson(await readTransfer("/origin-points?lang=en&page=1"));
    expect(page).toEqual({ data: points, total: 4 });
    expect(await parseJson(await readTransfer("/origin-points?page=2"))).toEqual({ data: [], total: 4 });
  });

  test("treats empty query parameters as absent", async () => {
    const page = await parseJson(await readTransfer("/origin-points?lang=&api_key=&term=&page=1"));
    expect(page).toEqual(await parseJson(await readTransfer("/origin-points?page=1")));
  });

  // Proves "booking-engine-transfers.md: operations": GET origin-points: term is a search text
  test("finds transfer points regardless of case and accents", async () => {
    const matchingPoints = await parseJson(await readTransfer("/origin-points?term=NANDU"));
    expect(matchingPoints).toEqual([{ id: 5, name: "Cala Ñandú", point_type: "location" }]);
  });

  // Proves "booking-engine-transfers.md: operations": GET destination-points: origin_point_id (required); points valid
  //   for that origin
  test("lists destinations by their own price and their zone's, and in reverse if the price applies both ways", async () => {
    const ids = async (origin: number) =>
      (await parseJson(await readTransfer(`/destination-points?origin_point_id=${origin}`))).map(
        ({ id }: { id: number }) => id,
      );
    expect(await ids(1)).toEqual([2, 4, 5]);
    expect(await ids(3)).toEqual([2, 5]);
    expect(await ids(2)).toEqual([1, 3]);
    expect(await ids(4)).toEqual([]);
  });

  // Proves "rules.md: transfers": Points cost 0 calls of the database, a cart read 1, a checkout 2
  test("lists points without a database call once the catalogue is cached", async () => {
    const response = await readTransfer("/destination-points?origin_point_id=1&page=1");
    expect(response.headers.get("Server-Timing")).toContain("calls=0 ");
  });

  test.each([
    ["/destination-points", "origin_point_id"],
    ["/destination-points?origin_point_id=x", "origin_point_id"],
    ["/destination-points?origin_point_id=99", "origin_point_id"],
    ["/origin-points?page=0", "page"],
    ["/origin-points?lang=xx1", "lang"],
    ["/dates?from=2030-02-30&to=2030-03-01", "from"],
    [
      `/dates?from=${getBookableDay(0)}&to=${getBookableDay(9)}&transfer_destination_point_id=99`,
      "transfer_destination_point_id",
    ],
  ])("rejects the point query %s, naming the parameter %s", async (path, field) => {
    const response = await readTransfer(path);
    expect(response.status).toBe(400);
    expect(await readFieldNames(response)).toEqual([field]);
  });
});

describe("the calendar", () => {
  // Proves "booking-engine-transfers.md: existing websites": settings, on every transfer page; and dates and times
  test("returns the days from today on, and every half hour of a future day", async () => {
    const dates = await parseJson(
      await readTransfer(`/dates?from=2020-01-01&to=2020-01-09&transfer_destination_point_id=null`),
    );
    expect(dates).toEqual([]);
    expect(
      await parseJson(
        await readTransfer(`/dates?from=${getBookableDay(0)}&to=${getBookableDay(2)}&transfer_destination_point_id=1`),
      ),
    ).toEqual([getBookableDay(0), getBookableDay(1), getBookableDay(2)]);
    const times = await parseJson(
      await getAsWebsite(`/times?date=${getBookableDay(0)}&transfer_destination_point_id=null`),
    );
    expect(times).toHaveLength(48);
    expect(times[0]).toBe("00:00");
    expect((await getAsWebsite(`/times?date=${getBookableDay(0)}&transfer_destination_point_id=99`)).status).toBe(400);
  });
});

describe("a transfer cart", () => {
  // Proves "booking-engine-transfers.md: operations": Cart: products with id, name, price, available
  // Proves "booking-engine-transfers.md: existing websites": all values text, round_trip, an empty return of a one-way
  //   transfer
  test("starts a one-way transfer cart from the request that existing websites send", async () => {
    const created = await parseJson(await postToTransferEngine("/shopping-cart?lang=en", createTransferSearchBody()));
    expect(created.shopping_cart).toMatchObject({
      date: getBookableDay(0),
      time: "09:00",
      round_trip: false,
      return_date: null,
      return_origin_point_id: null,
      origin_point_id: 1,
      origin_point_name: "Aeropuerto",
      origin_point_name_customer_translation: "Airport",
      origin_point_type: "airport",
      destination_point_id: 2,
      number_of_adults: 1,
      item_id: null,
      total_cost: "0.00",
      extras: [],
      supplements: [],
    });
    expect(created.products).toMatchObject([
      { id: 1, name: "Saloon", price: "40.00", available: true },
      { id: 2, name: "Autobús", price: "150.00", available: true },
    ]);
    expect(created.sales_process).toMatchObject({ can_request: true });
  });

  // Proves "booking-engine-transfers.md: operations": POST shopping-cart: date, time, points, rountrip, people, the
  //   return's date, time and points
  test("starts a transfer cart from numeric values, and accepts the misspelling rountrip that some clients use", async () => {
    const created = await postToTransferEngine(
      "/shopping-cart?include_products=true",
      {
        date: toFormDate(0),
        time: "09:00",
        origin_point_id: 1,
        destination_point_id: 2,
        rountrip: true,
        number_of_adults: 2,
        number_of_children: 0,
        number_of_infants: 0,
        return_date: toFormDate(3),
        return_time: "10:00",
        return_origin_point_id: 5,
        return_destination_point_id: 3,
      },
      { encoded: false },
    );
    const { shopping_cart: cart, products } = await parseJson(created);
    expect(cart).toMatchObject({ round_trip: true, return_origin_point_id: 5, return_destination_point_id: 3 });
    expect(products.map(({ price }: { price: string }) => price)).toEqual(["103.00", "303.00"]);
  });

  // Proves "booking-engine-transfers.md: existing websites": The return goes the opposite way if its points are missing
  //   or the text null
  test("uses the outward points in reverse if no return points are chosen", async () => {
    const id = await createTransferCart({
      ...ROUND_TRIP_FIELDS,
      return_origin_point_id: "null",
      return_destination_point_id: "null",
    });
    const { shopping_cart: cart } = await parseJson(await readTransfer(`/shopping-cart/${id}`));
    expect(cart).toMatchObject({ return_origin_point_id: 2, return_destination_point_id: 1, item_cost: "80.00" });
  });

  // Proves "booking-engine-transfers.md: existing websites": supplements and extras are arrays in cart and reservation
  test("adds night and point supplements to each trip that they apply to", async () => {
    const id = await createTransferCart({
      ...ROUND_TRIP_FIELDS,
      time: "23:30",
      return_time: "05:59",
      origin_point_id: "3",
    });
    const { shopping_cart: cart } = await parseJson(await readTransfer(`/shopping-cart/${id}?lang=en`));
    expect(cart).toMatchObject({ item_cost: "120.00", supplements_cost: "30.00", total_cost: "150.00" });
    expect(cart.supplements).toMatchObject([
      { supplement_name_customer_translation: "Night", supplement_cost: "24.00" },
      { supplement_name_customer_translation: "Muelle", supplement_cost: "6.00" },
    ]);
    const byDay = await createTransferCart({ time: "06:00" });
    expect((await parseJson(await readTransfer(`/shopping-cart/${byDay}`))).shopping_cart.supplements).toEqual([]);
  });

  // Proves "agency.md: operations": A transfer's listed price holds its supplements
  // Proves "rentals.md": 4c
  test("offers vehicles at the price that choosing them adds, supplements included", async () => {
    const night = { ...ROUND_TRIP_FIELDS, time: "23:30", return_time: "05:59", origin_point_id: "3" };
    const id = await createTransferCart(night);
    const { products, shopping_cart: cart } = await parseJson(
      await readTransfer(`/shopping-cart/${id}?include_products=true`),
    );
    expect(products.find((product: { id: number }) => product.id === cart.item_id).price).toBe(cart.total_cost);
  });

  // Proves "booking-engine-transfers.md: operations": Cart: extras offers with id, name, unit_price, max_quantity,
  //   max_sellable_quantity
  // Proves "booking-engine-transfers.md: operations": POST set-extra: extra, quantity; POST remove-extra: extra
  test("adds extras by id, changes their quantity, and removes them", async () => {
    const id = await createTransferCart(ROUND_TRIP_FIELDS);
    const occupiedTransfer = await parseJson(
      await postToTransferEngine(`/shopping-cart/${id}/set-extra?include_extras=true&lang=en`, {
        extra: "11",
        quantity: 2,
      }),
    );
    expect(occupiedTransfer.shopping_cart).toMatchObject({ extras_cost: "20.00", total_cost: "100.00" });
    expect(occupiedTransfer.shopping_cart.extras).toMatchObject([
      { extra_id: 11, extra_name: "Silla de bebé", extra_name_customer_translation: "Baby seat", quantity: 2 },
    ]);
    expect(occupiedTransfer.extras[0]).toMatchObject({
      id: 11,
      code: "BABY",
      unit_price: "10.00",
      price: "10.00",
      max_quantity: 2,
    });
    expect(occupiedTransfer.sales_process).toBeDefined();
    const removed = await parseJson(await postToTransferEngine(`/shopping-cart/${id}/remove-extra`, { extra: "11" }));
    expect(removed.shopping_cart).toMatchObject({ extras: [], total_cost: "80.00" });
  });

  // Proves "booking-engine-transfers.md: operations": A transfer extra named by its id or its code is in the cart once
  test("stores an extra once, whether requested by id, by code, or by id with a leading zero", async () => {
    const id = await createTransferCart();
    const set = async (extra: unknown, quantity: number) =>
      (await parseJson(await postToTransferEngine(`/shopping-cart/${id}/set-extra`, { extra, quantity })))
        .shopping_cart;
    for (const name of ["11", "BABY", 11, "011"]) {
      expect((await set(name, 2)).extras).toMatchObject([{ extra_id: 11, quantity: 2, extra_cost: "10.00" }]);
    }
    expect((await set("BABY", 1)).total_cost).toBe("45.00");
    expect((await checkoutTransfer(id)).status).toBe(200);
    const other = await createTransferCart({ date: toFormDate(5) });
    await postToTransferEngine(`/shopping-cart/${other}/set-extra`, { extra: "BABY" });
    const removed = await parseJson(
      await postToTransferEngine(`/shopping-cart/${other}/remove-extra`, { extra: "11" }),
    );
    expect(removed.shopping_cart.extras).toEqual([]);
  });

  test.each([
    ["nothing", {}, "is required"],
    ["that isn't text", { extra: [11] }, "must be the id or the code of an extra"],
    ["that is too long", { extra: "1".repeat(31) }, "must have at most 30 characters"],
  ])("rejects an invalid id of an extra to add or remove: %s", async (_, body, message) => {
    const id = await createTransferCart();
    for (const path of ["set-extra", "remove-extra"]) {
      const refused = await postToTransferEngine(`/shopping-cart/${id}/${path}`, body);
      expect([refused.status, (await parseJson(refused)).detail]).toMatchObject([400, [{ field: "extra", message }]]);
    }
  });

  // Proves "booking-engine-transfers.md: operations": POST shopping-cart/{id} changes date, time, points and people
  // Proves "booking-engine-transfers.md: operations": POST set-product: product
  test("keeps vehicle and extras after a new search, unless the vehicle no longer fits", async () => {
    const id = await createTransferCart();
    await postToTransferEngine(`/shopping-cart/${id}/set-extra`, { extra: "12" });
    const later = await parseJson(
      await postToTransferEngine(`/shopping-cart/${id}`, createTransferSearchBody({ time: "12:30" })),
    );
    expect(later.shopping_cart).toMatchObject({ time: "12:30", item_id: 1, total_cost: "50.00" });
    const many = await parseJson(
      await postToTransferEngine(`/shopping-cart/${id}`, createTransferSearchBody({ number_of_adults: "4" })),
    );
    expect(many.shopping_cart).toMatchObject({ item_id: null, item_cost: "0.00" });
    expect(many.products).toMatchObject([
      { id: 1, available: false },
      { id: 2, available: true },
    ]);
  });

  test("reports that a vehicle arrives too late for its own return trip, not that it is occupied elsewhere", async () => {
    const back = { ...ROUND_TRIP_FIELDS, return_date: toFormDate(0), return_time: "10:12" };
    const id = await createTransferCart(back);
    const refused = await postToTransferEngine(`/shopping-cart/${id}/set-product`, { product: "2" });
    expect([refused.status, await parseJson(refused)]).toMatchObject([
      400,
      { error: "product: vehicle 2 arrives too late for the return" },
    ]);
    const otherAccountCart = await postToTransferEngine(
      `/shopping-cart/${await createTransferCart({ destination_point_id: "4" })}/set-product`,
      {
        product: "2",
      },
    );
    expect((await parseJson(otherAccountCart)).error).toBe("product: vehicle 2 does not drive there");
  });

  // Proves "booking-engine-transfers.md: operations": GET shopping-cart/{id} reads the cart; include_products,
  //   include_extras
  test("reads a transfer cart with one database call", async () => {
    const id = await createTransferCart();
    const response = await readTransfer(`/shopping-cart/${id}?include_products=true&include_extras=true`);
    expect(response.headers.get("Server-Timing")).toContain("calls=1 ");
    const { shopping_cart: cart, products, extras } = await parseJson(response);
    expect(cart).toMatchObject({ free_access_id: id });
    expect(Math.min(products.length, extras.length)).toBeGreaterThan(0);
  });

  // Proves "rules.md: transfers": Bad input is a clear 400 that names the field, and the cart stays: destinations,
  //   returns, dates, people, unknown ids
  test.each([
    ["a destination without a price from the origin", { destination_point_id: "3" }, "destination_point_id"],
    [
      "a return without a price between its points",
      { ...ROUND_TRIP_FIELDS, destination_point_id: "4" },
      "return_destination_point_id",
    ],
    ["the same point twice", { destination_point_id: "1" }, "destination_point_id"],
    ["an unknown origin", { origin_point_id: "99" }, "origin_point_id"],
    ["no origin", { origin_point_id: "" }, "origin_point_id"],
    ["the text null for a point", { destination_point_id: "null" }, "destination_point_id"],
    ["a past date", { date: "01/02/2020" }, "date"],
    ["an invalid date", { date: "31/02/2030" }, "date"],
    ["an invalid time", { time: "25:00" }, "time"],
    [
      "a return before the outward trip",
      { ...ROUND_TRIP_FIELDS, return_date: toFormDate(0), return_time: "08:59" },
      "return_date",
    ],
    ["a return without a date", { round_trip: "true" }, "return_date"],
    ["more people than any vehicle takes", { number_of_adults: "21" }, "number_of_adults"],
    ["more infants than any vehicle takes", { number_of_adults: "20", number_of_infants: "3" }, "number_of_adults"],
    ["no passengers", { number_of_adults: "0" }, "number_of_adults"],
    ["half a child", { number_of_children: "0.5" }, "number_of_children"],
    ["a flag that is neither true nor false", { round_trip: "maybe" }, "round_trip"],
  ])("rejects a search with %s, naming the field", async (_, changes, field) => {
    const response = await postToTransferEngine("/shopping-cart", createTransferSearchBody(changes));
    expect(response.status).toBe(400);
    expect(await readFieldNames(response)).toContain(field);
    const id = await createTransferCart();
    expect((await postToTransferEngine(`/shopping-cart/${id}`, createTransferSearchBody(changes))).status).toBe(400);
    expect((await parseJson(await readTransfer(`/shopping-cart/${id}`))).shopping_cart).toMatchObject({
      total_cost: "40.00",
    });
  });

  test("names both accepted formats of an invalid date", async () => {
    const { error } = await parseJson(
      await postToTransferEngine("/shopping-cart", createTransferSearchBody({ date: "31/02/2030" })),
    );
    expect(error).toBe("date: must be a valid date, dd/mm/yyyy or yyyy-mm-dd");
  });

  // Proves "booking-engine-transfers.md: operations": Limit: max_quantity of an extra
  test.each([
    ["set-product", { product: "99" }, "product"],
    ["set-product", { product: "x" }, "product"],
    ["set-product", {}, "product"],
    ["set-extra", { extra: "99" }, "extra"],
    ["set-extra", { extra: "11", quantity: 3 }, "quantity"],
    ["remove-extra", { extra: "99" }, "extra"],
  ])(
    "rejects the transfer cart's action %s with the body %o, and leaves the cart unchanged",
    async (path, body, field) => {
      const id = await createTransferCart();
      const response = await postToTransferEngine(`/shopping-cart/${id}/${path}`, body);
      expect(response.status).toBe(400);
      expect(await readFieldNames(response)).toEqual([field]);
      expect((await parseJson(await readTransfer(`/shopping-cart/${id}`))).shopping_cart.total_cost).toBe("40.00");
    },
  );

  // Proves "booking-engine-transfers.md: operations": 404 for an unknown cart, with the message
  test("returns 404 with a message on every path for an unknown cart", async () => {
    const responses = await Promise.all([
      readTransfer(`/shopping-cart/${MISSING_ID}`),
      postToTransferEngine(`/shopping-cart/${MISSING_ID}`, createTransferSearchBody()),
      postToTransferEngine(`/shopping-cart/${MISSING_ID}/set-product`, { product: "1" }),
      postToTransferEngine(`/shopping-cart/${MISSING_ID}/set-extra`, { extra: "11" }),
      postToTransferEngine(`/shopping-cart/${MISSING_ID}/remove-extra`, { extra: "11" }),
      checkoutTransfer(MISSING_ID),
      ...["", "/set-product", "/set-extra", "/remove-extra", "/checkout"].map((path) =>
        postToTransferEngine(`/shopping-cart/${MISSING_ID}${path}`, {}),
      ),
    ]);
    for (const response of responses) {
      expect(response.status).toBe(404);
      expect(await parseJson(response)).toMatchObject({ error: "Shopping cart not found" });
    }
  });

  test("finds transfer carts only in the transfer interface and vehicle carts only in the rental interface", async () => {
    expect((await getAsWebsite(`/shopping-cart/${await createTransferCart()}`)).status).toBe(404);
    expect((await readTransfer(`/shopping-cart/${await createCart()}`)).status).toBe(404);
  });
});

describe("a transfer's checkout", () => {
  // Proves "booking-engine-transfers.md: operations": POST shopping-cart/:id/checkout: payment and payment_method_id
  //   are texts
  test("returns payment fields as text after a checkout, even if the checkout contains no payment", async () => {
    const { booking } = await parseJson(await checkoutTransfer(await createTransferCart(ROUND_TRIP_FIELDS), {}));
    expect(booking).toMatchObject({ pay_now: false, payment: "", payment_method_id: "" });
  });

  // Proves "booking-engine-transfers.md: operations": POST checkout: the booking, by its own free_access_id
  // Proves "booking-engine-transfers.md: operations": POST reservation/{id} reads a reservation
  // Proves "booking-engine-transfers.md: operations": Reservation: addresses, flights, fligth_airport_* as spelt, all
  //   strings
  // Proves "booking-engine-transfers.md: existing websites": checkout at top level and under booking; the reservation
  //   by GET and POST
  test("returns a transfer reservation at the top level and under the key booking, by GET and POST", async () => {
    const id = await createTransferCart(ROUND_TRIP_FIELDS);
    await postToTransferEngine(`/shopping-cart/${id}/set-extra`, { extra: "11" });
    const answer = await parseJson(
      await checkoutTransfer(id, {
        customer_phone: "600000000",
        comments: "Two suitcases",
        flight_number: "IB3900",
        city: "Palma",
      }),
    );
    const { booking, ...top } = answer;
    expect(top).toEqual(booking);
    expect(top).toMatchObject({ pay_now: false, total_cost: "90.00", customer_name: "Ana" });
    const shownReservation = await parseJson(await readTransfer(`/reservation/${top.free_access_id}?lang=en`));
    expect(await parseJson(await postToTransferEngine(`/reservation/${top.free_access_id}?lang=en`, {}))).toEqual(
      shownReservation,
    );
    expect(shownReservation.booking).toMatchObject({
      id: expect.any(Number),
      status: "pending_confirmation",
      summary_status: "Ana Ruiz, your request has been received",
      round_trip: true,
      origin_point_name_customer_translation: "Airport",
      return_destination_point_id: 1,
      item_id: 1,
      item_name: "Turismo",
      item_name_customer_translation: "Saloon",
      item_cost: "80.00",
      extras_cost: "10.00",
      total_cost: "90.00",
      booking_amount: "18.00",
      total_paid: "0.00",
      total_pending: "90.00",
      customer_phone: "600000000",
      flight_number: "IB3900",
      city: "Palma",
      address_1: "",
      fligth_airport_origin: "",
    });
    expect(shownReservation.booking.extras).toMatchObject([{ extra_id: 11, quantity: 1, extra_cost: "10.00" }]);
    expect(shownReservation.sales_process).toMatchObject({ can_request: false, payment_methods: {} });
  });

  // Proves "booking-engine-transfers.md: existing websites": customer_address_*, detailed_* and flights under the names
  //   websites send
  test("accepts the field names that existing websites send for addresses and flights", async () => {
    const booked = await parseJson(
      await checkoutTransfer(await createTransferCart(), {
        customer_address_street: "Calle 1",
        customer_address_zip: "07001",
        customer_mobile_phone: "611111111",
        detailed_origin_flight_number: "FR12",
        detailed_origin_flight_estimated_time: "08:50",
        detailed_destination_address: "Room 5",
      }),
    );
    const { booking } = await parseJson(await readTransfer(`/reservation/${booked.free_access_id}`));
    expect(booking).toMatchObject({
      address_1: "Calle 1",
      zip: "07001",
      customer_mobile_phone: "611111111",
      flight_number: "FR12",
      flight_time: "08:50",
      destination_point_detailed_info: "Room 5",
    });
  });

  test("stores the luggage, and names the field of a wrong number", async () => {
    const refused = await checkoutTransfer(await createTransferCart(), { number_of_bags: "many" });
    expect([refused.status, await refused.text()]).toEqual([400, expect.stringContaining("number_of_bags")]);
    const booked = await parseJson(
      await checkoutTransfer(await createTransferCart(), { number_of_bags: "3", number_of_large_items: 0 }),
    );
    const { booking } = await parseJson(await readTransfer(`/reservation/${booked.free_access_id}`));
    expect(booking).toMatchObject({ number_of_bags: "3", number_of_large_items: "0" });
  });

  // Proves "rules.md: transfers": Checkout is once only
  test("creates one reservation for repeated and simultaneous requests", async () => {
    const id = await createTransferCart();
    const answers = await Promise.all(Array.from({ length: 8 }, async () => parseJson(await checkoutTransfer(id))));
    expect(new Set(answers.map((answer) => answer.free_access_id)).size).toBe(1);
    expect(await company.db.prepare("SELECT count(*) AS n FROM bookings").first("n")).toBe(1);
    expect(await company.db.prepare("SELECT count(*) AS n FROM stock_allocations").first("n")).toBe(1);
    expect((await readTransfer(`/shopping-cart/${id}`)).status).toBe(404);
  });

  test("checks a transfer out with one database call", async () => {
    const response = await checkoutTransfer(await createTransferCart(ROUND_TRIP_FIELDS));
    expect(response.headers.get("Server-Timing")).toContain("calls=1 ");
  });

  test("rejects a checkout without a vehicle or at a price that the customer didn't see, and keeps the cart", async () => {
    const empty = await createTransferCart({}, null);
    expect(await parseJson(await checkoutTransfer(empty))).toMatchObject({ code: "cart_empty" });
    const id = await createTransferCart();
    const changed = await checkoutTransfer(id, { total_cost: "39.99" });
    expect([changed.status, (await parseJson(changed)).code]).toEqual([409, "price_changed"]);
    expect((await checkoutTransfer(id, { total_cost: "40.00" })).status).toBe(200);
  });

  test("accepts only the cart version that the customer saw, if the request contains it", async () => {
    const id = await createTransferCart();
    const { shopping_cart: displayedCart } = await parseJson(
      await postToTransferEngine(`/shopping-cart/${id}/set-product`, { product: 1 }),
    );
    await postToTransferEngine(`/shopping-cart/${id}/set-product`, { product: 1 });
    const refused = await checkoutTransfer(id, { expected_version: displayedCart.version });
    expect([refused.status, (await parseJson(refused)).code]).toEqual([409, "cart_changed"]);
    for (const [what, body] of [
      ["set-product", { product: 1 }],
      ["set-extra", { extra: "1", quantity: 1 }],
      ["remove-extra", { extra: "1" }],
    ] as const) {
      const late = await postToTransferEngine(`/shopping-cart/${id}/${what}`, {
        ...body,
        expected_version: displayedCart.version,
      });
      expect([what, late.status, (await parseJson(late)).code]).toEqual([what, 409, "cart_changed"]);
    }
    expect((await checkoutTransfer(id, { expected_version: displayedCart.version + 1 })).status).toBe(200);
  });

  test("rejects the checkout of a transfer cart if its passengers were raised above the vehicle's seats", async () => {
    const id = await createTransferCart();
    await postToTransferEngine(`/shopping-cart/${id}`, createTransferSearchBody({ number_of_adults: "4" }));
    const refused = await checkoutTransfer(id);
    expect([refused.status, await parseJson(refused)]).toMatchObject([
      409,
      { code: "product_not_sold", error: expect.stringContaining("vehicle 1 doesn't have enough seats") },
    ]);
  });

  const LIMITS: readonly (readonly [string, number])[] = [
    ["customer_name", 40],
    ["customer_surname", 40],
    ["address_1", 256],
    ["address_2", 256],
    ["city", 256],
    ["state", 256],
    ["country", 256],
    ["zip", 256],
    ["fligth_airport_origin", 100],
    ["flight_company", 80],
    ["flight_number", 10],
    ["flight_time", 5],
    ["fligth_airport_destination", 100],
    ["flight_company_departure", 80],
    ["flight_number_departure", 10],
    ["flight_time_departure", 5],
  ];

  // Proves "booking-engine-transfers.md: operations": Limit: customer_name and customer_surname 40
  // Proves "booking-engine-transfers.md: operations": Limit: address fields 256
  // Proves "booking-engine-transfers.md: operations": Limit: airports 100, flight companies 80, flight numbers 10,
  //   flight times 5
  test.each(LIMITS)(
    "accepts %s of at most %i characters, with each emoji or rare letter counted as one",
    async (field, maxLength) => {
      const id = await createTransferCart();
      const tooLong = await checkoutTransfer(id, { [field]: "𝒜".repeat(maxLength + 1) });
      expect(tooLong.status).toBe(400);
      expect(await readFieldNames(tooLong)).toEqual([field]);
      expect((await checkoutTransfer(id, { [field]: "𝒜".repeat(maxLength) })).status).toBe(200);
    },
  );

  // Proves "booking-engine-transfers.md: existing websites": agent_id
  test("books a transfer for the agent whose id the website sends, and without an agent if the id is unknown", async () => {
    await company.db.prepare("INSERT INTO agents (id, name) VALUES (1, 'Hotel Sol')").run();
    await bookTransfer({ agent_id: "1" });
    await bookTransfer({ agent_id: "9", date: toFormDate(60) });
    const { results } = await company.db.prepare("SELECT agent_id FROM bookings ORDER BY id").all();
    expect(results).toEqual([{ agent_id: 1 }, { agent_id: null }]);
  });

  // Proves "booking-engine-transfers.md: operations": Limit: customer_email 254 (longer than the 40 of the document, so
  //   that no address is refused), customer_phone 15
  test.each([
    ["customer_email", `${"a".repeat(64)}@${"b".repeat(60)}.${"c".repeat(60)}.${"d".repeat(62)}.exam`],
    ["customer_phone", "6".repeat(15)],
  ])("accepts a %s with the interface's maximum length, and rejects a longer one", async (field, maxLength) => {
    const id = await createTransferCart();
    const tooLong = await checkoutTransfer(id, {
      [field]: field === "customer_email" ? `${maxLength}e` : `${maxLength}6`,
    });
    expect(tooLong.status).toBe(400);
    expect(await readFieldNames(tooLong)).toEqual([field]);
    expect((await checkoutTransfer(id, { [field]: maxLength })).status).toBe(200);
  });

  test.each(["customer_name", "customer_surname", "customer_email"])(
    "rejects a transfer checkout with an empty %s, naming the field",
    async (field) => {
      const response = await checkoutTransfer(await createTransferCart(), { [field]: "" });
      expect(response.status).toBe(400);
      expect(await readFieldNames(response)).toEqual([field]);
    },
  );

  test("returns 409 with a message if the vehicle was booked in the meantime, and keeps the cart", async () => {
    const id = await createTransferCart();
    await bookTransfer();
    const late = await checkoutTransfer(id);
    expect([late.status, await parseJson(late)]).toMatchObject([
      409,
      { code: "CRBOOK002", error: expect.stringContaining("not available any more") },
    ]);
    const { products } = await parseJson(await readTransfer(`/shopping-cart/${id}?include_products=true`));
    expect(products).toMatchObject([
      { id: 1, available: false },
      { id: 2, available: true },
    ]);
  });

  // Proves "rules.md: sales and payments": The same of transfers
  // Proves "rentals.md": 18b
  test("rejects an occupied vehicle as soon as it is chosen", async () => {
    const id = await createTransferCart({}, "2");
    await bookTransfer();
    const refused = await postToTransferEngine(`/shopping-cart/${id}/set-product`, { product: "1" });
    expect(refused.status).toBe(409);
    expect((await parseJson(refused)).error).toContain("(1)");
    const { shopping_cart } = await parseJson(await readTransfer(`/shopping-cart/${id}`));
    expect(JSON.stringify(shopping_cart)).toContain("Autobús");
  });
});

describe("a transfer reservation", () => {
  test("returns an empty phone number if none was provided, because all customer fields are text", async () => {
    const { free_access_id: id } = await parseJson(
      await checkoutTransfer(await createTransferCart(), { customer_phone: "" }),
    );
    expect((await parseJson(await readTransfer(`/reservation/${id}`))).booking).toMatchObject({
      customer_phone: "",
      zip: "",
    });
  });

  test("returns 404 for an unknown transfer and for a rental", async () => {
    expect((await readTransfer(`/reservation/${MISSING_ID}`)).status).toBe(404);
    expect((await readTransfer(`/reservation/${"0".repeat(80)}`)).status).toBe(404);
    expect((await postToTransferEngine(`/reservation/${MISSING_ID}`, {})).status).toBe(404);
    expect((await getAsWebsite(`/booking/${await bookTransfer()}`)).status).toBe(404);
  });

  test("returns whether the account of the signed-in customer has a phone, which a website then needn't ask for", async () => {
    await addTestUsers();
    const id = await createTransferCart();
    const hasPhone = async (headers: Record<string, string> = {}) =>
      (await parseJson(await readTransfer(`/shopping-cart/${id}`, headers))).shopping_cart.has_phone;
    const signedIn = { Authorization: await createToken("ana") };
    expect([await hasPhone(), await hasPhone(signedIn)]).toEqual([false, true]);
    await company.db.prepare("UPDATE customers SET phone_number = NULL WHERE id = 1").run();
    expect(await hasPhone(signedIn)).toBe(false);
  });

  test("excludes transfers from the agency's lists and the branch's day, because they aren't rental contracts", async () => {
    await bookTransfer();
    expect(await company.db.prepare("SELECT total FROM list_totals WHERE list = 'bookings'").first("total")).toBeNull();
    await addTestUsers();
    const query = `date=${getBookableDay(0)}&rental_location_code=AIR`;
    const readDay = async () =>
      parseJson(await callAsStaff("GET", `/v1/booking/deliveries-collections?${query}`, await createToken("boss")));
    expect(await readDay()).toMatchObject({ deliveries: [], collections: [] });
    await insertCheckInRental({ from: getBookableDay(0), to: getBookableDay(2) });
    expect(await readDay()).toMatchObject({ deliveries: [{ booking_id: 7 }] });
  });

  test("keeps the agreed prices and names of a transfer when the catalogue changes", async () => {
    const id = await bookTransfer();
    await company.db.prepare("UPDATE transfer_points SET name = 'Otro' WHERE id = 1").run();
    await company.db.prepare("UPDATE transfer_prices SET price_cents = 1").run();
    await openTestTenant(env).freshSnapshot();
    const { booking } = await parseJson(await readTransfer(`/reservation/${id}`));
    expect(booking).toMatchObject({ origin_point_name: "Aeropuerto", total_cost: "40.00" });
  });
});

describe("a website", () => {
  test("requires the booking engine's key if the account's settings demand it", async () => {
    await company.db.prepare("UPDATE settings SET engine_requires_api_key = 1").run();
    await openTestTenant(env).freshSnapshot();
    expect((await readTransfer("/origin-points")).status).toBe(403);
    expect((await postToTransferEngine("/shopping-cart?api_key=wrong", createTransferSearchBody())).status).toBe(403);
  });

  test("allows reading the responses from an origin that the account permits", async () => {
    await company.db.prepare(`UPDATE settings SET engine_origins = '["https://shop.example"]'`).run();
    await openTestTenant(env).freshSnapshot();
    const response = await readTransfer("/origin-points");
    expect(response.headers.get("Access-Control-Allow-Origin")).toBe("https://shop.example");
  });

  test("finds no points in an account without transfers", async () => {
    await company.db.batch([
      company.db.prepare("DELETE FROM transfer_prices"),
      company.db.prepare("DELETE FROM transfer_supplements"),
      company.db.prepare("DELETE FROM transfer_points"),
    ]);
    await openTestTenant(env).freshSnapshot();
    expect(await parseJson(await readTransfer("/origin-points"))).toEqual([]);
    expect((await postToTransferEngine("/shopping-cart", createTransferSearchBody())).status).toBe(400);
  });

  test("rejects a wrong method with 405 and the allowed methods of the path", async () => {
    const response = await postToTransferEngine("/origin-points", {});
    expect(response.status).toBe(405);
    expect(response.headers.get("Allow")).toBe("GET");
  });
});
