import { env } from "cloudflare:test";
import { beforeEach, describe, expect, inject, test } from "vitest";
import { createAgencyReservationBody, getBookableDay, postAsAgency } from "#support/agency.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { runWithinOneClockMinute } from "#support/time-limit.ts";
import {
  checkOutCart,
  createCart,
  createSearch,
  getAsWebsite,
  parseJson,
  sendAsWebsite,
  toFormDate,
} from "#support/website.ts";
import { requestWorker } from "#support/worker.ts";
import { toPeriodMessage } from "#worker/api/booking-engine/vehicles/period-messages.ts";

let company: TestCompany;

beforeEach(async () => {
  company = await setUpCompany();
});

const fromToday = (days: number) => getBookableDay(days - 90);

async function readCart(id: string, query = "") {
  return (await parseJson(await getAsWebsite(`/shopping-cart/${id}?lang=en${query}`))).shopping_cart;
}

describe("catalog for search pages", () => {
  // Proves "booking-engine-vehicles.md: existing websites": settings, alone and in every cart and booking answer
  test("returns the account's settings, including the format of the currency", async () => {
    expect(await parseJson(await getAsWebsite("/settings"))).toMatchObject({
      currency: "EUR",
      currency_symbol: "€",
      currency_symbol_position: "last",
      currency_decimals: 2,
      currency_decimal_mark: ",",
      currency_thousands_separator: ".",
      frontend_date_format: "DD/MM/YYYY",
      timezone: "Europe/Madrid",
      time_to_from: true,
      promotion_code: true,
      use_driver_age_rules: true,
      default_time_start: "10:00",
      fuel_policy: "same_to_same",
    });
  });

  test("returns the settings of an account in yen without decimals", async () => {
    await company.db.prepare("UPDATE settings SET currency = 'JPY', currency_decimals = 0").run();
    await openTestTenant(env).freshSnapshot();
    expect(await parseJson(await getAsWebsite("/settings"))).toMatchObject({
      currency_decimals: 0,
      custom_pickup_return_place_price: "0",
    });
  });

  // Proves "booking-engine-vehicles.md: operations": GET pickup-places, in the language of lang
  test("returns pickup places with their ids as text", async () => {
    expect(await parseJson(await getAsWebsite("/pickup-places?lang=en"))).toEqual([
      { id: "1", name: "Airport", price: "0.00", rental_location_code: "AIR" },
      { id: "2", name: "Office", price: "15.00", rental_location_code: "TOWN" },
      { id: "3", name: "Puerto", price: "0.00", rental_location_code: "ISLE" },
    ]);
  });

  test("names branches in the visitor's language, otherwise in the company's", async () => {
    await company.db
      .prepare(
        "INSERT INTO translations VALUES ('branch', 'AIR', 'name', 'en', 'Airport'), ('branch', 'AIR', 'name', 'de', 'Flughafen')",
      )
      .run();
    await openTestTenant(env).freshSnapshot();
    for (const [language, name] of [
      ["en", "Airport"],
      ["de", "Flughafen"],
      ["es", "Airport branch"],
    ])
      expect(await parseJson(await getAsWebsite(`/rental-locations?lang=${language}`))).toContainEqual({
        code: "AIR",
        name,
      });
  });

  test("names places in the visitor's language, otherwise in English, otherwise in the company's", async () => {
    const names = async (language: string) => {
      const places = await parseJson(await getAsWebsite(`/pickup-places?lang=${language}`));
      return places.map(({ name }: { readonly name: string }) => name).slice(0, 3);
    };
    expect(await names("fr")).toEqual(["Airport", "Office", "Puerto"]);
    expect(await names("es")).toEqual(["Aeropuerto", "Oficina", "Puerto"]);
  });

  // Proves "booking-engine-vehicles.md: existing websites": Empty query parameters mean absent
  test("treats empty query parameters as absent, and accepts a language in capitals", async () => {
    const places = await parseJson(
      await getAsWebsite("/pickup-places?lang=EN&api_key=&sales_channel_code=&rental_location_code="),
    );
    expect(places).toEqual(await parseJson(await getAsWebsite("/pickup-places?lang=en")));
    expect(await parseJson(await getAsWebsite("/return-places?pickup_place=&lang="))).toEqual(
      await parseJson(await getAsWebsite("/return-places")),
    );
    const times = `/times?date=${getBookableDay(0)}&action=deliveries`;
    const same = await getAsWebsite(`${times}&place=&rental_location_code=&product=&lang=&api_key=`);
    expect(await parseJson(same)).toEqual(await parseJson(await getAsWebsite(times)));
    const created = await sendAsWebsite(
      "POST",
      "/shopping-cart?include_products=true&lang=&api_key=&limit=",
      createSearch(),
    );
    expect(created.status).toBe(200);
    expect(await parseJson(created)).toMatchObject({ shopping_cart: { customer_language: "es" } });
  });

  // Proves "booking-engine-vehicles.md: operations": GET return-places
  test("returns only the return places that are valid for a pickup place", async () => {
    const ids = async (query: string) =>
      (await parseJson(await getAsWebsite(`/return-places${query}`))).map((place: { id: string }) => place.id);
    expect(await ids("?pickup_place=1")).toEqual(["1", "2", "5"]);
    expect(await ids("?pickup_place=3")).toEqual(["3"]);
    expect(await ids("")).toEqual(["1", "2", "3", "5"]);
  });

  // Proves "booking-engine-vehicles.md: existing websites": dates and times
  test("returns only the opening days and hours of a place if the account allows no pickups and returns outside of them", async () => {
    await company.db.batch([
      company.db.prepare("UPDATE settings SET out_of_hours_allowed = 0"),
      company.db
        .prepare("INSERT INTO closed_dates (branch_code, date, reason) VALUES ('AIR', ?, 'Holiday')")
        .bind(getBookableDay(1)),
    ]);
    await getAsWebsite(`/products/A/occupation?from=${getBookableDay(0)}&to=${getBookableDay(0)}`);
    const dates = await parseJson(
      await getAsWebsite(`/dates?from=${getBookableDay(0)}&to=${getBookableDay(2)}&action=deliveries&place=1`),
    );
    expect(dates).toEqual([getBookableDay(0), getBookableDay(2)]);
    const times = await parseJson(await getAsWebsite(`/times?date=${getBookableDay(0)}&action=collections&place=1`));
    expect([times[0], times.at(-1), times.length]).toEqual(["08:00", "20:00", 25]);
    expect(await parseJson(await getAsWebsite(`/times?date=${getBookableDay(1)}&action=collections&place=1`))).toEqual(
      [],
    );
  });

  // Proves "rules.md: sales and payments": Calendars leave out what the rules close
  test("returns the days that the selling rules allow for a branch and a product, and the allowed rental lengths", async () => {
    const weekday = new Date(`${getBookableDay(1)}T12:00:00Z`).getUTCDay() || 7;
    await company.db.batch([
      company.db.prepare("INSERT INTO selling_rules (no_pickup_weekdays) VALUES (?)").bind(JSON.stringify([weekday])),
      company.db
        .prepare(
          "INSERT INTO selling_rules (category_code, stop_sale_from, stop_sale_to, minimum_days) VALUES ('A', ?, ?, 3)",
        )
        .bind(getBookableDay(3), getBookableDay(3)),
      company.db
        .prepare("INSERT INTO closed_dates (branch_code, date, reason) VALUES ('AIR', ?, 'Holiday')")
        .bind(getBookableDay(2)),
    ]);
    await getAsWebsite(`/products/A/occupation?from=${getBookableDay(0)}&to=${getBookableDay(0)}`);
    const span = `from=${getBookableDay(0)}&to=${getBookableDay(3)}&place=1`;
    expect(await parseJson(await getAsWebsite(`/dates?${span}&action=deliveries`))).toEqual([
      getBookableDay(0),
      getBookableDay(3),
    ]);
    expect(await parseJson(await getAsWebsite(`/dates?${span}&action=collections`))).toEqual([
      getBookableDay(0),
      getBookableDay(1),
      getBookableDay(2),
      getBookableDay(3),
    ]);
    const calendar = await parseJson(await getAsWebsite(`/products/A/occupation?${span}`));
    expect(calendar.min_days).toBe(3);
    const isSelectable = ([, item]: [string, unknown]) => (item as { selectable_day: boolean }).selectable_day;
    expect(Object.entries<unknown>(calendar.occupation).map(isSelectable)).toEqual([true, false, false, false]);
  });

  // Proves "booking-engine-vehicles.md: operations": Pickups are listed if they can be booked, also in a product's
  //   calendar
  test("omits pickup days that are past, too soon or too far ahead, also in a product's calendar", async () => {
    await company.db.prepare("UPDATE settings SET minimum_notice_minutes = 2880, horizon_days = 10").run();
    const ends = (from: number, to: number) => `from=${fromToday(from)}&to=${fromToday(to)}`;
    await getAsWebsite(`/products/A/occupation?${ends(0, 0)}`);
    const pickups = await parseJson(await getAsWebsite(`/dates?${ends(0, 20)}&action=deliveries&place=1`));
    expect([pickups.includes(fromToday(0)), pickups.includes(fromToday(1)), pickups.includes(fromToday(5))]).toEqual([
      false,
      false,
      true,
    ]);
    expect(pickups.at(-1) <= fromToday(10)).toBe(true);
    expect(await parseJson(await getAsWebsite(`/dates?${ends(18, 20)}&action=collections&place=1`))).toHaveLength(3);
    const isSelectable = ([, item]: [string, unknown]) => (item as { selectable_day: boolean }).selectable_day;
    const readCalendar = async (from: number, to: number) =>
      Object.entries<unknown>(
        (await parseJson(await getAsWebsite(`/products/A/occupation?${ends(from, to)}&place=1`))).occupation,
      ).map(isSelectable);
    expect(await readCalendar(-1, 1)).toEqual([false, false, false]);
    expect(await readCalendar(5, 5)).toEqual([true]);
    expect(await readCalendar(11, 12)).toEqual([false, false]);
  });

  // Proves "booking-engine-vehicles.md: operations": GET times of a product
  test("returns no times for a product on a day with a stop sale", async () => {
    const stop = "INSERT INTO selling_rules (category_code, stop_sale_from, stop_sale_to) VALUES ('A', ?, ?)";
    await company.db.prepare(stop).bind(getBookableDay(3), getBookableDay(3)).run();
    await getAsWebsite(`/products/A/occupation?from=${getBookableDay(0)}&to=${getBookableDay(0)}`);
    const count = async (product: string) =>
      (
        await parseJson(
          await getAsWebsite(`/times?date=${getBookableDay(3)}&action=deliveries&place=1&product=${product}`),
        )
      ).length;
    expect([await count("A"), await count("B"), await count("ZZ")]).toEqual([0, 48, 48]);
  });

  test("omits pickup days that have passed, and the times of a day that has passed", async () => {
    expect(await parseJson(await getAsWebsite("/dates?from=2020-01-01&to=2020-01-31&action=deliveries"))).toEqual([]);
    expect(await parseJson(await getAsWebsite("/times?date=2020-01-01&action=deliveries"))).toEqual([]);
  });

  // Proves "booking-engine-vehicles.md: operations": GET pickup-return-times: time slots
  test("returns time slots of half an hour", async () => {
    const slots = await parseJson(await getAsWebsite("/pickup-return-times"));
    expect([slots.length, slots[0], slots.at(-1)]).toEqual([48, "00:00", "23:30"]);
  });

  // Proves "booking-engine-vehicles.md: existing websites": products, extras, rental-locations, driver-age-rules,
  //   families, nacionalities, document-types, license-types
  test("returns the catalogue, a product, an extra, and the options of form fields", async () => {
    expect(await parseJson(await getAsWebsite("/products?lang=en&limit=2"))).toMatchObject({
      total: 3,
      offset: 0,
      limit: 2,
      data: [{ code: "A", name: "Small car", from_price: "25.00" }, { code: "B" }],
    });
    expect(await parseJson(await getAsWebsite("/products/A?lang=de"))).toMatchObject({ name: "Kleinwagen" });
    expect(await parseJson(await getAsWebsite("/extras/SEAT?lang=en"))).toMatchObject({ name: "Child seat" });
    expect(await parseJson(await getAsWebsite("/rental-locations"))).toContainEqual({
      code: "AIR",
      name: "Airport branch",
    });
    expect(await parseJson(await getAsWebsite("/driver-age-rules"))).toEqual([
      { id: 1, description: "Menores de 21", allowed: false, message_not_allowed: "Menores de 21" },
      { id: 2, description: "De 21 a 24", allowed: true, message_not_allowed: null },
    ]);
    expect(await parseJson(await getAsWebsite("/families"))).toEqual([]);
    expect(await parseJson(await getAsWebsite("/nacionalities?lang=de"))).toContainEqual({
      code: "DE",
      name: "Deutschland",
    });
    // Territories with their own code are included.
    expect(await parseJson(await getAsWebsite("/nacionalities?lang=en"))).toContainEqual({
      code: "GI",
      name: "Gibraltar",
    });
    expect(await parseJson(await getAsWebsite("/document-types?lang=en"))).toContainEqual({
      id: "1",
      label: "Passport",
    });
    expect(await parseJson(await getAsWebsite("/license-types"))).toContainEqual({ id: "5", label: "B" });
    for (const path of ["/products/NOSUCH", "/products/HIDDEN", "/extras/NOSUCH"])
      expect((await getAsWebsite(path)).status).toBe(404);
  });

  // Proves "booking-engine-vehicles.md: existing websites": products/{code}/occupation
  test("returns a product's calendar, in which booked units and their preparation time count as occupied", async () => {
    await postAsAgency(
      "/booking",
      createAgencyReservationBody({
        products: [{ code: "C" }],
        date_from: getBookableDay(1),
        date_to: getBookableDay(2),
      }),
    );
    const { occupation } = await parseJson(
      await getAsWebsite(`/products/C/occupation?from=${getBookableDay(0)}&to=${getBookableDay(3)}&place=1`),
    );
    expect(Object.values(occupation).map((item) => (item as { free: number }).free)).toEqual([1, 0, 0, 1]);
  });

  // Proves "booking-engine-vehicles.md: existing websites": check-promotion-code
  test.each([
    ["WELCOME10", "true"],
    ["welcome10", "true"],
    ["NOSUCH", "false"],
  ])("returns whether the promotion code %s is valid", async (code, answer) => {
    const response = await requestWorker("http://acme.localhost/api/check-promotion-code", {
      method: "POST",
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ code, from: getBookableDay(0), to: getBookableDay(3) }).toString(),
    });
    expect(await response.text()).toBe(answer);
  });

  // Proves "booking-engine-vehicles.md: existing websites": a promotion code that does not hold for the dates is
  //   neither checked nor applied as good
  test("checks a promotion code against booking date, rental dates and rental length, as far as the visitor chose them", async () => {
    const check = async (code: string, from: string, to: string) => {
      const body = new URLSearchParams({ code, from, to });
      return (await requestWorker("http://acme.localhost/api/check-promotion-code", { method: "POST", body })).json();
    };
    await company.db.batch([
      company.db.prepare(
        `INSERT INTO promotion_codes (code, discount_type, value, booking_to) VALUES ('OVER', 'percentage', 1000, '2020-01-01')`,
      ),
      company.db.prepare(
        `INSERT INTO promotion_codes (code, discount_type, value, minimum_days) VALUES ('WEEK', 'percentage', 1000, 7)`,
      ),
    ]);
    await getAsWebsite(`/products/A/occupation?from=${getBookableDay(0)}&to=${getBookableDay(0)}`);
    expect(await check("OVER", getBookableDay(0), getBookableDay(3))).toBe(false);
    expect([
      await check("WEEK", getBookableDay(0), getBookableDay(3)),
      await check("WEEK", getBookableDay(0), getBookableDay(7)),
    ]).toEqual([false, true]);
    expect([await check("WEEK", "", ""), await check("OVER", "", "")]).toEqual([true, false]);
    const id = await createCart("A");
    for (const code of ["OVER", "WEEK"]) {
      const refused = await sendAsWebsite("POST", `/shopping-cart/${id}/apply-promotion-code`, {
        promotion_code: code,
      });
      expect([refused.status, (await parseJson(refused)).error]).toEqual([
        400,
        `promotion code ${code} does not apply to these dates`,
      ]);
    }
    expect((await readCart(id)).promotion_code).toBeNull();
  });
});

test.each(["", null, " ", "\u200b"])(
  "removes the cart's promotion code by an empty one (%j), and keeps it if the field is missing",
  async (empty) => {
    await company.db
      .prepare("INSERT INTO promotion_codes (code, discount_type, value) VALUES ('SUN', 'percentage', 1000)")
      .run();
    await openTestTenant(env).freshSnapshot();
    const id = await createCart("A");
    const change = async (more: object) =>
      (await parseJson(await sendAsWebsite("PUT", `/shopping-cart/${id}`, { ...createSearch(), ...more })))
        .shopping_cart.promotion_code;
    expect(await change({ promotion_code: "sun\u200b" })).toBe("SUN");
    expect(await change({})).toBe("SUN");
    expect(await change({ promotion_code: empty })).toBeNull();
    expect(await change({ promotion_code: "SUN" })).toBe("SUN");
    await sendAsWebsite("POST", `/shopping-cart/${id}/apply-promotion-code`, { promotion_code: empty });
    expect((await readCart(id)).promotion_code).toBeNull();
  },
);

describe("a cart", () => {
  // Proves "booking-engine-vehicles.md: operations": POST shopping-cart starts the process and returns free_access_id
  test("starts a cart with a search, and returns the products with price and available units", async () => {
    const created = await parseJson(
      await sendAsWebsite("POST", "/shopping-cart?lang=en", createSearch({ return_place: "2" })),
    );
    expect(created.shopping_cart).toMatchObject({
      free_access_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      date_from: getBookableDay(0),
      date_from_default_format: toFormDate(0),
      days: 3,
      pickup_place: "1",
      pickup_place_customer_translation: "Airport",
      pickup_place_type: "airport",
      return_place: "2",
      return_place_cost: "15.00",
      total_cost: "15.00",
      items: [],
      extras: [],
    });
    expect(created.total).toBe(3);
    expect(created.products[0]).toMatchObject({
      code: "A",
      name: "Small car",
      price: "95.00",
      base_price: "95.00",
      availability: true,
      available: 3,
      payment_availibility: true,
    });
    expect(created.settings.currency).toBe("EUR");
    expect(created.sales_process).toMatchObject({ can_request: true, multiple_products: false });
  });

  // Proves "booking-engine-vehicles.md: existing websites": Bodies percent-encoded or plain
  test("reads unencoded and percent-encoded bodies alike, empty text as absent, and a missing return place as the pickup place", async () => {
    const body = createSearch({ return_place: "", promotion_code: "", driver_age_rule: "", time_to: "" });
    const { return_place: _, promotion_code: __, driver_age_rule: ___, time_to: ____, ...bodyWithoutEmptyTexts } = body;
    const readNewCart = async (search: object, encoded: boolean) => {
      const { shopping_cart } = await parseJson(await sendAsWebsite("POST", "/shopping-cart", search, { encoded }));
      const { free_access_id: _, ...cart } = shopping_cart;
      return cart;
    };
    const plain = await readNewCart(body, false);
    expect(plain).toMatchObject({ return_place: "1", time_to: "10:00", promotion_code: null });
    expect(await readNewCart(body, true)).toEqual(plain);
    expect(await readNewCart(bodyWithoutEmptyTexts, false)).toEqual(plain);
  });

  // Proves "booking-engine-vehicles.md: operations": PUT shopping-cart body: a place id is required with several places
  test("requires no place if the account has only one pickup place", async () => {
    const { pickup_place: _, return_place: __, ...placeless } = createSearch();
    const several = await sendAsWebsite("POST", "/shopping-cart", placeless);
    expect(several.status).toBe(400);
    expect((await parseJson(several)).detail).toMatchObject([{ field: "pickup_place" }]);
    await company.db.prepare("UPDATE pickup_places SET web_public = 0 WHERE id <> 1").run();
    await getAsWebsite(`/products/A/occupation?from=${getBookableDay(0)}&to=${getBookableDay(0)}`);
    const created = await parseJson(await sendAsWebsite("POST", "/shopping-cart", placeless));
    expect(created.shopping_cart).toMatchObject({ pickup_place: "1", return_place: "1" });
    const changed = await sendAsWebsite("PUT", `/shopping-cart/${created.shopping_cart.free_access_id}`, placeless);
    expect(changed.status).toBe(200);
  });

  // Proves "booking-engine-vehicles.md: operations": PUT shopping-cart/{id} changes the criteria (and POST)
  test.each(["PUT", "POST"])("changes a cart's search by %s and keeps the chosen product", async (method) => {
    const id = await createCart("A");
    const changed = await parseJson(
      await sendAsWebsite(method, `/shopping-cart/${id}`, createSearch({ date_to: toFormDate(7) })),
    );
    expect(changed.shopping_cart).toMatchObject({ free_access_id: id, days: 7, item_cost: "175.00" });
  });

  // Proves "rules.md: quotes, counts and agreements": A booking right after a search succeeds, in carts too
  // Proves "rentals.md": 1b
  test("offers no vehicle whose preparation time overlaps the next rental, in search and on selection", async () => {
    await postAsAgency(
      "/booking",
      createAgencyReservationBody({
        products: [{ code: "C" }],
        date_from: getBookableDay(3),
        date_to: getBookableDay(5),
      }),
    );
    const startCart = async (time_to: string) => {
      const { shopping_cart: cart, products } = await parseJson(
        await sendAsWebsite("POST", "/shopping-cart", createSearch({ time_to })),
      );
      const { status } = await sendAsWebsite("POST", `/shopping-cart/${cart.free_access_id}/set-product`, {
        product: "C",
      });
      const { availability } = products.find(({ code }: { readonly code: string }) => code === "C");
      return { availability, status };
    };
    // The vehicle's next rental starts at 10:00, and its preparation takes the hour before.
    expect(await startCart("10:00")).toEqual({ availability: false, status: 409 });
    expect(await startCart("09:00")).toEqual({ availability: true, status: 200 });
  });

  // Proves "rules.md: quotes, counts and agreements": The listed price is what choosing adds to the cart's total
  // Proves "rentals.md": 4b
  test("adds exactly the listed price when a product or an extra is added", async () => {
    const search = { driver_age_rule: "2", return_place: "2" };
    const { shopping_cart: empty, products } = await parseJson(
      await sendAsWebsite("POST", "/shopping-cart", createSearch(search)),
    );
    const path = `/shopping-cart/${empty.free_access_id}`;
    const totalAfter = async (step: string, body: object) =>
      Number((await parseJson(await sendAsWebsite("POST", path + step, body))).shopping_cart.total_cost);
    for (const { code, price } of products)
      expect(await totalAfter("/set-product", { product: code })).toBe(Number(empty.total_cost) + Number(price));
    const { extras } = await parseJson(await getAsWebsite(`${path}?include_extras=true`));
    let total = Number((await readCart(empty.free_access_id)).total_cost);
    for (const { code, unit_price } of extras) {
      total += Number(unit_price);
      expect(await totalAfter("/set-extra", { extra: code, quantity: 1 })).toBe(total);
    }
  });

  // Proves "booking-engine-vehicles.md: operations": POST set-product adds a category
  test("replaces the cart's product when the visitor chooses another one", async () => {
    const id = await createCart("A");
    const chosen = await parseJson(
      await sendAsWebsite("POST", `/shopping-cart/${id}/set-product?lang=en`, { product: "B", quantity: 1 }),
    );
    expect(chosen.shopping_cart.items).toMatchObject([{ item_id: "B", item_cost: "180.00", quantity: 1 }]);
    expect(chosen.sales_process).toMatchObject({
      can_request: true,
      can_pay: false,
      server_date: expect.stringMatching(/^20\d\d-\d\d-\d\d$/),
    });
    expect(chosen.settings).toMatchObject({ currency: "EUR", timezone: "Europe/Madrid", promotion_code: true });
  });

  // Proves "booking-engine-vehicles.md: operations": POST set-extra adds an extra or changes its quantity; again as
  //   removal
  test("adds extras, changes their quantity, and removes them by quantity 0 or remove-extra", async () => {
    const id = await createCart("A");
    const extras = async (path: string, body: object) =>
      (await parseJson(await sendAsWebsite("POST", `/shopping-cart/${id}/${path}`, body))).shopping_cart;
    expect(await extras("set-extra", { extra: "SEAT", quantity: "2" })).toMatchObject({
      extras_cost: "24.00",
      extras: [{ extra_id: "SEAT", quantity: 2 }],
    });
    expect((await extras("set-extra", { extra: "GPS" })).extras).toMatchObject([
      { extra_id: "SEAT" },
      { extra_id: "GPS", quantity: 1 },
    ]);
    expect((await extras("set-extra", { extra: "SEAT", quantity: 0 })).extras).toMatchObject([{ extra_id: "GPS" }]);
    expect((await extras("remove-extra", { extra: "GPS" })).extras).toEqual([]);
    expect((await extras("remove-extra", { extra: "GPS" })).extras).toEqual([]);
  });

  // Proves "rules.md: sales and payments": … and websites
  test("limits the quantity of an extra by the number of vehicles in the cart", async () => {
    await company.db.prepare("UPDATE extras SET limit_per = 'vehicle' WHERE code = 'GPS'").run();
    const id = await createCart("A");
    const readMaxQuantity = async () =>
      (await parseJson(await getAsWebsite(`/shopping-cart/${id}?include_extras=true`))).extras[1].max_quantity;
    expect(await readMaxQuantity()).toBe(1);
    await sendAsWebsite("POST", `/shopping-cart/${id}/set-product`, { product: "A", quantity: 2 });
    expect(await readMaxQuantity()).toBe(2);
    const cartWithExtra = await sendAsWebsite("POST", `/shopping-cart/${id}/set-extra`, { extra: "GPS", quantity: 2 });
    expect((await parseJson(cartWithExtra)).shopping_cart.extras).toMatchObject([{ extra_id: "GPS", quantity: 2 }]);
  });

  test("states the fee of a cancellation now by the company's terms, which is zero while it's free", async () => {
    await company.db.prepare("DELETE FROM cancellation_terms").run();
    await openTestTenant(env).freshSnapshot();
    const id = await createCart("A");
    expect(await readCart(id)).toMatchObject({ cancellation_fee: "0.00", free_cancellation_until: expect.any(String) });
    const term = `INSERT INTO cancellation_terms (occasion, hours_before, fee_type, fee_value)
      VALUES ('cancellation', 100000, 'percentage', 5000)`;
    await company.db.prepare(term).run();
    await openTestTenant(env).freshSnapshot();
    const cart = await readCart(id);
    expect(cart).toMatchObject({
      cancellation_fee: (Number(cart.total_cost) / 2).toFixed(2),
      free_cancellation_until: null,
    });
  });

  // Proves "booking-engine-vehicles.md: existing websites": extras offers on request, coverages
  test("returns extras on request, with their remaining quantity", async () => {
    const id = await createCart("A");
    const offered = await parseJson(
      await getAsWebsite(`/shopping-cart/${id}?include_extras=true&include_coverage=true&lang=en`),
    );
    expect(offered.extras[0]).toMatchObject({
      code: "SEAT",
      name: "Child seat",
      unit_price: "12.00",
      one_unit_price: "4.00",
      price_calculation: "calculated_by_days",
      max_quantity: 3,
      max_sellable_quantity: 3,
      available: 4,
      stock: 4,
    });
    expect(offered.coverages).toEqual([]);
    expect(offered.products).toBeUndefined();
  });

  test("returns insurances with the deposit and excess of the chosen products, with and without the insurance", async () => {
    await company.db.batch([
      company.db.prepare("UPDATE categories SET deposit_cents = 30000, guarantee_cents = 90001 WHERE code = 'A'"),
      company.db.prepare(`UPDATE extras SET deposit_reduction_type = 'percentage', deposit_reduction_value = 10000,
        guarantee_reduction_value = 5000 WHERE code = 'GPS'`),
    ]);
    await openTestTenant(env).freshSnapshot();
    const id = await createCart("A");
    const readInsurance = async (code: string) => {
      const { extras } = await parseJson(await getAsWebsite(`/shopping-cart/${id}?include_extras=true`));
      return extras.find((extra: { readonly code: string }) => extra.code === code).insurance;
    };
    const insurance = { deposit: "0.00", guarantee: "450.00", full_deposit: "300.00", full_guarantee: "900.01" };
    expect(await readInsurance("GPS")).toEqual(insurance);
    expect(await readInsurance("SEAT")).toBeNull();
    // An insurance's deposit and excess don't depend on whether the visitor chose it.
    await sendAsWebsite("POST", `/shopping-cart/${id}/set-extra`, { extra: "GPS", quantity: 1 });
    expect(await readInsurance("GPS")).toEqual(insurance);
  });

  // Proves "agency.md: operations": A website names its own channel or public ones
  // Proves "rules.md: sales and payments": Only one's own and public channels may be named
  // Proves "rentals.md": 15
  test("rejects the agencies' channel because websites may name only public channels", async () => {
    await company.db.prepare("UPDATE sales_channels SET is_public = code = 'WEB'").run();
    const startCart = async (channel: string) =>
      (await sendAsWebsite("POST", "/shopping-cart", createSearch({ sales_channel_code: channel }))).status;
    expect([await startCart("AGENCY"), await startCart("WEB")]).toEqual([400, 200]);
  });

  // Proves "booking-engine-vehicles.md: operations": The shortest and the longest rental of a product, and whether the
  //   search is shorter or longer
  test("offers each product with its allowed rental lengths and reports if the search is too short or too long", async () => {
    await company.db.batch([
      company.db.prepare("INSERT INTO selling_rules (category_code, minimum_days) VALUES ('A', 5)"),
      company.db.prepare("INSERT INTO selling_rules (category_code, maximum_days) VALUES ('B', 2)"),
    ]);
    await getAsWebsite(`/products/A/occupation?from=${getBookableDay(0)}&to=${getBookableDay(0)}`);
    const { products } = await parseJson(
      await sendAsWebsite("POST", "/shopping-cart?include_products=true", createSearch()),
    );
    const findProduct = (code: string) => products.find((product: { code: string }) => product.code === code);
    const free = { be_less_than_min: false, exceeds_max: false };
    expect(findProduct("A")).toMatchObject({ ...free, availability: false, min_value: 5, be_less_than_min: true });
    expect(findProduct("A")).toMatchObject({ available: 0, busy: 0 });
    expect(findProduct("A").stock).toBeGreaterThan(0);
    expect(findProduct("B")).toMatchObject({ ...free, availability: false, max_value: 2, exceeds_max: true });
    expect(findProduct("C")).toMatchObject({ ...free, min_value: 1, max_value: 365 });
  });

  // Proves "booking-engine-vehicles.md: operations": Web referrer, search and landing page, the first 500 characters
  test("accepts a landing page address of any length and stores its first 500 characters", async () => {
    const landingPage = `http://shop.example/?gclid=${"é".repeat(2000)}`;
    const id = await createCart("A", { web_landing_page: landingPage, web_referrer: landingPage, web_search: "" });
    await checkOutCart(id);
    const landingPageSql = "SELECT json_extract(contract_data, '$.web_landing_page') AS came FROM bookings";
    expect(await company.db.prepare(landingPageSql).first("came")).toBe(landingPage.slice(0, 500));
  });

  // Proves "booking-engine-vehicles.md: operations": Days in words, as the visitor's language writes them
  test.each([
    ["en", "1 April 2027", "Thursday 1 April 2027"],
    ["es", "1 de abril de 2027", "jueves, 1 de abril de 2027"],
    ["ca", /^1 d[’']abril del? 2027$/, /^dijous, 1 d[’']abril del? 2027$/],
    ["de", "1. April 2027", "Donnerstag, 1. April 2027"],
    ["fr", "1 avril 2027", "jeudi 1 avril 2027"],
  ])("returns the cart's dates formatted as in %s", (language, extended, full) => {
    const period = { dateFrom: "2027-04-01", timeFrom: "10:00", dateTo: "2027-04-01", timeTo: "10:00" };
    const findProduct = toPeriodMessage(period, { language, origin: "" }, "DD/MM/YYYY");
    expect(findProduct["date_from_extended_format"]).toMatch(extended);
    expect(findProduct["date_to_full_format"]).toMatch(full);
  });

  test("names the expected type of a field with a value of another type", async () => {
    const refused = await sendAsWebsite("POST", "/shopping-cart", createSearch({ web_search: 5 }));
    expect((await parseJson(refused)).error).toBe("web_search: must be text");
  });

  test.each(["31/02/2030", "2030-02-31", "02-28-2030", 20300228])(
    "names both accepted formats if a date is %j",
    async (date) => {
      const refused = await sendAsWebsite("POST", "/shopping-cart", createSearch({ date_from: date }));
      const { error } = await parseJson(refused);
      expect([refused.status, error]).toEqual([400, "date_from: must be a valid date, dd/mm/yyyy or yyyy-mm-dd"]);
    },
  );

  // Proves "agency.md: operations": A promotion code that does not hold is dropped with a stated reason, and never
  //   stored
  // Proves "rules.md: sales and payments": A code that does not hold is dropped with a reason and never kept
  // Proves "rentals.md": 12
  test("drops an invalid promotion code, returns the reason and never stores the code", async () => {
    const startCart = await parseJson(
      await sendAsWebsite("POST", "/shopping-cart?lang=en", createSearch({ promotion_code: "NOSUCH" })),
    );
    const findProduct = { promotion_code: null, promotion_code_message: "there is no promotion code NOSUCH" };
    expect(startCart.shopping_cart).toMatchObject(findProduct);
    const again = (await parseJson(await getAsWebsite(`/shopping-cart/${startCart.shopping_cart.free_access_id}`)))
      .shopping_cart;
    expect(again).toMatchObject({ promotion_code: null, promotion_code_message: null });
  });

  // Proves "booking-engine-vehicles.md: operations": Why a promotion code does nothing, in the visitor's language
  test("explains in the visitor's language why a promotion code has no effect, without field names", async () => {
    await company.db
      .prepare(
        `INSERT INTO promotion_codes (code, discount_type, value, category_code, minimum_days)
         VALUES ('ONLYB', 'percentage', 1000, 'B', 1), ('WEEK', 'percentage', 1000, NULL, 7)`,
      )
      .run();
    const id = await createCart("A");
    const rejectCode = async (code: string, lang: string) => {
      const change = { promotion_code: code };
      return parseJson(await sendAsWebsite("POST", `/shopping-cart/${id}/apply-promotion-code?lang=${lang}`, change));
    };
    expect(await rejectCode("NOSUCH", "de")).toEqual({
      error: "Den Aktionscode NOSUCH gibt es nicht.",
      code: "invalid_input",
      detail: [
        {
          field: "promotion_code",
          code: "no_promotion",
          params: { code: "NOSUCH" },
          message: "Den Aktionscode NOSUCH gibt es nicht.",
        },
      ],
    });
    expect((await rejectCode("WEEK", "ca")).error).toBe("El codi promocional WEEK no és vàlid per a aquestes dates.");
    expect((await rejectCode("ONLYB", "es")).error).toMatch(/^El código promocional ONLYB solo es válido para .+\.$/);
    expect((await rejectCode("NOSUCH", "sv")).error).toBe("there is no promotion code NOSUCH");
    const startCart = await sendAsWebsite("POST", "/shopping-cart?lang=de", createSearch({ promotion_code: "NOSUCH" }));
    expect((await parseJson(startCart)).shopping_cart.promotion_code_message).toBe(
      "Den Aktionscode NOSUCH gibt es nicht.",
    );
  });

  // Proves "agency.md: operations": A code of one category doesn't affect others, and the response shows it
  // Proves "rules.md: sales and payments": A code of one category doesn't affect others, and the response shows it
  // Proves "rentals.md": 12d
  test("rejects a promotion code for another category and returns the category it applies to", async () => {
    await company.db
      .prepare(
        "INSERT INTO promotion_codes (code, discount_type, value, category_code) VALUES ('ONLYB', 'percentage', 1000, 'B')",
      )
      .run();
    const id = await createCart("A");
    const refused = await sendAsWebsite("POST", `/shopping-cart/${id}/apply-promotion-code`, {
      promotion_code: "ONLYB",
    });
    expect(refused.status).toBe(400);
    expect((await parseJson(refused)).error).toContain("applies only to product B");
    const searched = await createCart("A", { promotion_code: "ONLYB" });
    expect((await readCart(searched)).promotion_code_message).toBe("promotion code ONLYB applies only to product B");
    await checkOutCart(searched);
    expect(await company.db.prepare("SELECT promotion_code FROM bookings").first("promotion_code")).toBeNull();
  });

  // Proves "agency.md: operations": A sold-out product is refused with its name when it's chosen
  // Proves "rules.md: sales and payments": A sold-out product is refused at once, by name
  // Proves "rentals.md": 18
  test("rejects a sold-out product or extra immediately, with its name", async () => {
    await company.db.prepare("UPDATE extra_stocks SET units = 1").run();
    const id = await createCart("A");
    const set = (path: string, body: unknown) => sendAsWebsite("POST", `/shopping-cart/${id}${path}`, body);
    for (const [path, body, code] of [
      ["/set-product", { product: "C", quantity: 2 }, "C"],
      ["/set-extra", { extra: "SEAT", quantity: 2 }, "SEAT"],
    ] as const) {
      const refused = await set(path, body);
      expect(refused.status).toBe(409);
      const { error, detail } = await parseJson(refused);
      expect(error).toContain(`(${code})`);
      expect(detail?.[0]?.params?.extra).toBe("extra" in body ? code : undefined);
    }
    expect(await readCart(id)).toMatchObject({ items: [{ item_id: "A" }], extras: [] });
  });

  // Proves "agency.md: operations": Changes of one cart at once wait for their turn
  // Proves "rules.md: sales and payments": Changes of a cart at once: none is refused
  // Proves "rentals.md": 13
  test("applies ten simultaneous changes of a cart's extras, and rejects none", async () => {
    const id = await createCart("A");
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        index % 2 === 0
          ? sendAsWebsite("POST", `/shopping-cart/${id}/set-extra`, { extra: "SEAT", quantity: 1 + (index % 3) })
          : sendAsWebsite("POST", `/shopping-cart/${id}/set-extra`, { extra: "GPS", quantity: 1 }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(new Array(10).fill(200));
    expect((await readCart(id)).extras).toHaveLength(2);
  });

  // Proves "agency.md: operations": Refusals about age in the visitor's language
  // Proves "rules.md: sales and payments": A driver's age is refused in the visitor's language
  // Proves "rentals.md": 18d
  test("explains a rejected driver's age in the visitor's language", async () => {
    await company.db
      .prepare("INSERT INTO translations VALUES ('driver_age_rule', '1', 'description', 'de', 'Fahrer unter 21')")
      .run();
    const body = createSearch({ driver_age_rule: 1 });
    const refused = await sendAsWebsite("POST", "/shopping-cart?lang=de", body);
    expect([refused.status, (await parseJson(refused)).error]).toEqual([400, "driver_age_rule: Fahrer unter 21"]);
  });

  // Proves "agency.md: operations": An empty code removes it
  // Proves "rules.md: sales and payments": An empty code takes it off
  // Proves "rentals.md": 12b
  test("removes the cart's promotion code if an empty one is sent", async () => {
    const id = await createCart("A", { promotion_code: "WELCOME10" });
    const cartWithoutCode = await sendAsWebsite("POST", `/shopping-cart/${id}/apply-promotion-code`, {
      promotion_code: "",
    });
    expect((await parseJson(cartWithoutCode)).shopping_cart).toMatchObject({
      promotion_code: null,
      total_cost: "95.00",
    });
  });

  // Proves "booking-engine-vehicles.md: existing websites": apply-promotion-code
  test("accepts a promotion code, and rejects an unknown one with an explanation", async () => {
    const id = await createCart("A");
    expect(
      (
        await parseJson(
          await sendAsWebsite("POST", `/shopping-cart/${id}/apply-promotion-code`, { promotion_code: "welcome10" }),
        )
      ).shopping_cart,
    ).toMatchObject({ item_cost: "81.00" });
    const refused = await sendAsWebsite("POST", `/shopping-cart/${id}/apply-promotion-code`, {
      promotion_code: "NOSUCH",
    });
    expect(refused.status).toBe(400);
    expect((await parseJson(refused)).error).toContain("NOSUCH");
    expect((await readCart(id)).item_cost).toBe("81.00");
  });

  // Proves "booking-engine-vehicles.md: operations": GET shopping-cart/{id} reads the cart
  // Proves "rules.md: carts and checkout": Prices are computed afresh on every read
  test("prices the cart at current prices, not at those of the time of choosing", async () => {
    const id = await createCart("A");
    expect((await readCart(id)).item_cost).toBe("90.00");
    await company.db.prepare("UPDATE tariff_brackets SET price_cents = 5000 WHERE tariff_id = 1").run();
    expect((await readCart(id)).item_cost).toBe("150.00");
  });

  // Proves "booking-engine-vehicles.md: existing websites": total, offset and limit
  test("returns products in pages, filtered by family or category", async () => {
    const id = await createCart(null);
    const page = await parseJson(await getAsWebsite(`/shopping-cart/${id}?include_products=true&offset=1&limit=1`));
    expect([page.total, page.products.map((product: { code: string }) => product.code)]).toEqual([3, ["B"]]);
    const familyProducts = await parseJson(
      await sendAsWebsite(
        "POST",
        "/shopping-cart",
        createSearch({ family_id: "1", engine_fixed_family: true, engine_fixed_rental_location: "false" }),
      ),
    );
    expect(familyProducts.shopping_cart).toMatchObject({
      family_id: 1,
      engine_fixed_family: true,
      engine_fixed_rental_location: false,
    });
    const fixed = await createCart(null, { category_code: "C" });
    expect(
      (await parseJson(await getAsWebsite(`/shopping-cart/${fixed}?include_products=true`))).products,
    ).toMatchObject([{ code: "C" }]);
  });

  // Proves "booking-engine-vehicles.md: existing websites": number_of_products
  test("uses the requested number of products in a search, and one if the request leaves it empty", async () => {
    const search = async (changes: Record<string, string>) =>
      parseJson(await sendAsWebsite("POST", "/shopping-cart", createSearch(changes)));
    expect((await search({ number_of_products: "2" })).shopping_cart.number_of_products).toBe(2);
    expect((await search({ number_of_products: "" })).shopping_cart.number_of_products).toBe(1);
    expect(await search({ number_of_products: "many" })).toMatchObject({ detail: [{ field: "number_of_products" }] });
  });

  test("applies the chosen driver age rule", async () => {
    const id = await createCart("A", { driver_age_rule: "2" });
    expect(await readCart(id)).toMatchObject({
      driver_age_rule_id: 2,
      driver_age_cost: "30.00",
      driver_age_deposit: "200.00",
    });
  });

  test("reads a cart and adds an extra to it with one database call each", async () => {
    const id = await createCart("A");
    for (const answer of [
      await getAsWebsite(`/shopping-cart/${id}?include_products=true&include_extras=true`),
      await sendAsWebsite("POST", `/shopping-cart/${id}/set-extra`, { extra: "GPS" }),
    ]) {
      expect(answer.headers.get("Server-Timing")).toContain("calls=1 ");
    }
  });
});

describe("invalid requests for a cart, which change nothing", () => {
  // Proves "booking-engine-vehicles.md: operations": PUT shopping-cart body: dates dd/mm/yyyy, times, places,
  //   driver_age_rule, sales_channel_code, promotion_code
  test.each([
    ["date_from", ["", "2026-02-30", "30/02/2027", "32/01/2027", "soon", 5, "01/01/2020"]],
    ["date_to", ["", "01/13/2027", {}, toFormDate(-1)]],
    ["time_from", ["25:99", "9:00", 5]],
    ["time_to", ["24:00", "noon"]],
    ["pickup_place", ["", "99", "x", "4", -1, {}]],
    ["return_place", ["99", "3", "x"]],
    ["driver_age_rule", ["1", "99", "x"]],
    ["sales_channel_code", ["NOSUCH"]],
    ["number_of_adults", ["-1", "many"]],
  ])("rejects an invalid value of the search field %s, naming the field", async (name, values) => {
    for (const value of values as unknown[]) {
      const response = await sendAsWebsite("POST", "/shopping-cart", createSearch({ [name as string]: value }));
      expect([name, value, response.status]).toEqual([name, value, 400]);
      expect((await parseJson(response)).error).toContain(name);
    }
  });

  test.each([
    ["set-product", { product: "NOSUCH" }, "product"],
    ["set-product", { product: "HIDDEN" }, "product"],
    ["set-product", {}, "product"],
    ["set-product", { product: "A", quantity: -1 }, "quantity"],
    ["set-extra", { extra: "NOSUCH" }, "extra"],
    ["set-extra", { extra: "" }, "extra"],
    ["set-extra", { extra: "GPS", quantity: 2 }, "quantity"],
    ["set-extra", { extra: "GPS", quantity: 10_000 }, "quantity"],
    ["set-extra", { extra: "GPS", quantity: 1.5 }, "quantity"],
  ])(
    "rejects the cart action %s with the invalid body %j, and leaves the cart unchanged",
    async (path, body, field) => {
      const id = await createCart("A");
      const before = await readCart(id);
      const response = await sendAsWebsite("POST", `/shopping-cart/${id}/${path}`, body);
      expect(response.status).toBe(400);
      expect((await parseJson(response)).error).toContain(field);
      expect(await readCart(id)).toEqual(before);
    },
  );

  test.each(["%7B", "%", "%7B%22a%22", "{", "[]", "null", ""])(
    "rejects a cart search whose body is %j",
    async (body) => {
      expect((await sendAsWebsite("POST", "/shopping-cart", body, { encoded: false })).status).toBe(400);
    },
  );

  test("answers 415 to a cart search that isn't JSON", async () => {
    const response = await sendAsWebsite("POST", "/shopping-cart", "a=b", {
      encoded: false,
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
    });
    expect(response.status).toBe(415);
  });

  // Proves "booking-engine-vehicles.md: operations": 404 for an unknown cart, with the message, on every cart path
  test.each([
    ["GET", ""],
    ["POST", ""],
    ["PUT", ""],
    ["POST", "/set-product"],
    ["POST", "/set-extra"],
    ["POST", "/remove-extra"],
    ["POST", "/apply-promotion-code"],
    ["POST", "/checkout"],
  ])("returns 404 for %s of an unknown cart%s", async (method, path) => {
    const bodies: Record<string, unknown> = {
      "": createSearch(),
      "/set-product": { product: "A" },
      "/set-extra": { extra: "GPS" },
      "/remove-extra": { extra: "GPS" },
      "/apply-promotion-code": { promotion_code: "WELCOME10" },
      "/checkout": { customer_name: "Ana", customer_surname: "Ruiz", customer_email: "a@b.example" },
    };
    const address = `/shopping-cart/${"0".repeat(32)}${path}`;
    const response =
      method === "GET" ? await getAsWebsite(address) : await sendAsWebsite(method, address, bodies[path]);
    expect(response.status).toBe(404);
    expect((await parseJson(response)).error).toBe("Shopping cart not found");
    if (method === "GET") return;
    for (const invalidBody of [{}, "{", '{"date_from":"soon"}']) {
      const refused = await sendAsWebsite(method, address, invalidBody, {
        headers: { Origin: "https://shop.example" },
      });
      expect([invalidBody, refused.status]).toEqual([invalidBody, 404]);
      expect(await parseJson(refused)).toEqual({ error: "Shopping cart not found", code: "cart_not_found" });
      expect(refused.headers.has("X-Request-Id")).toBe(true);
    }
    expect((await requestWorker(`http://acme.localhost/api/booking/frontend${address}`, { method })).status).toBe(404);
  });

  test("rejects times outside business hours if the account doesn't allow them", async () => {
    await company.db.prepare("UPDATE settings SET out_of_hours_allowed = 0").run();
    const response = await sendAsWebsite("POST", "/shopping-cart", createSearch({ time_from: "06:00" }));
    expect(response.status).toBe(400);
    expect((await parseJson(response)).error).toContain("time_from");
  });

  test("rejects a method that a path doesn't have", async () => {
    for (const [url, allowed] of [
      ["http://acme.localhost/api/check-promotion-code", "POST"],
      ["http://acme.localhost/api/booking/frontend/settings", "GET"],
      ["http://acme.localhost/healthz", "GET"],
    ] as const) {
      const response = await requestWorker(url, { method: "DELETE" });
      expect([url, response.status, response.headers.get("Allow")]).toEqual([url, 405, allowed]);
    }
  });

  test("returns 404 for a cart of another account", async () => {
    const id = await createCart("A");
    await setUpCompany("globex");
    const response = await requestWorker(`http://globex.localhost/api/booking/frontend/shopping-cart/${id}`);
    expect(response.status).toBe(404);
  });
});

describe("websites on other origins", () => {
  const preflight = (origin: string, query = "") =>
    requestWorker(`http://acme.localhost/api/booking/frontend/shopping-cart${query}`, {
      method: "OPTIONS",
      headers: {
        Origin: origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type,authorization",
      },
    });

  beforeEach(async () => {
    await company.db.batch([
      company.db.prepare(`UPDATE settings SET engine_origins = '["https://shop.example"]'`),
      company.db.prepare(
        `INSERT INTO engine_keys (api_key, name, allowed_origins, created_at) VALUES ('web', '', '["https://other.example"]', 0)`,
      ),
    ]);
    await getAsWebsite(`/products/A/occupation?from=${getBookableDay(0)}&to=${getBookableDay(0)}`);
  });

  // Proves "booking-engine-vehicles.md: existing websites": CORS for websites, Authorization exposed, no cookies
  test("sends CORS headers to an origin that account or key allows, and lets it read the token", async () => {
    const allowed = await preflight("https://shop.example");
    expect(allowed.status).toBe(204);
    expect(Object.fromEntries(allowed.headers)).toMatchObject({
      "access-control-allow-origin": "https://shop.example",
      "access-control-allow-methods": "GET, POST, PUT, DELETE",
      "access-control-allow-headers": "Authorization, Content-Type",
    });
    expect((await preflight("https://other.example", "?api_key=web")).headers.get("Access-Control-Allow-Origin")).toBe(
      "https://other.example",
    );
    const answered = await getAsWebsite("/settings");
    expect(answered.headers.get("Access-Control-Allow-Origin")).toBe("https://shop.example");
    expect(answered.headers.get("Access-Control-Expose-Headers")).toContain("Authorization");
    expect(answered.headers.get("Vary")).toContain("Origin");
    expect(answered.headers.has("Access-Control-Allow-Credentials")).toBe(false);
  });

  test.each([
    "https://evil.example",
    "https://shop.example.evil.example",
    "http://shop.example",
    "null",
    "https://other.example",
    "https://shop.example/",
  ])("doesn't allow cross-origin calls from the website %s", async (origin) => {
    expect((await preflight(origin)).headers.has("Access-Control-Allow-Origin")).toBe(false);
  });

  // Proves "booking-engine-vehicles.md: existing websites": A missing or invalid engine key is 403 if the account
  //   requires one
  test("requires one of the account's keys if the account's settings demand it", async () => {
    await company.db.prepare("UPDATE settings SET engine_requires_api_key = 1").run();
    await getAsWebsite(`/products/A/occupation?from=${getBookableDay(0)}&to=${getBookableDay(0)}&api_key=web`);
    expect((await getAsWebsite("/settings")).status).toBe(403);
    expect((await getAsWebsite("/settings?api_key=nobody")).status).toBe(403);
    expect((await getAsWebsite("/settings?api_key=web")).status).toBe(200);
    expect((await getAsWebsite("/openapi.json")).status).toBe(200);
    // Without a key the website is unknown, so only the error is readable.
    const foreign = { Origin: "https://elsewhere.example" };
    const getAllowedOrigin = async (query: string) =>
      (await getAsWebsite(query, foreign)).headers.get("Access-Control-Allow-Origin");
    expect([await getAllowedOrigin("/settings"), await getAllowedOrigin("/settings?api_key=web")]).toEqual(["*", null]);
  });
});

if (inject("isThorough"))
  test("limits the carts that one IP address starts, without limiting other addresses", () =>
    runWithinOneClockMinute(async (address) => {
      const begin = (from: string) =>
        sendAsWebsite("POST", "/shopping-cart", createSearch(), { headers: { "CF-Connecting-IP": from } });
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 40; attempt++) statuses.push((await begin(address)).status);
      expect(statuses.slice(0, 20)).toEqual(new Array(20).fill(200));
      const limited = await begin(address);
      expect(limited.status).toBe(429);
      expect(Number(limited.headers.get("Retry-After"))).toBeGreaterThan(0);
      expect((await begin("192.0.2.78")).status).toBe(200);
    }));
