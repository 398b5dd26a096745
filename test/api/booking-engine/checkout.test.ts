import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { createAgencyReservationBody, getBookableDay, postAsAgency } from "#support/agency.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import {
  createCecabankNotice,
  enableGateways,
  sendGatewayNotice,
  startPayment,
  submitDepositPayment,
} from "#support/payments.ts";
import {
  checkOutCart,
  createCart,
  createCheckout,
  createSearch,
  getAsWebsite,
  parseJson,
  sendAsWebsite,
  toFormDate,
} from "#support/website.ts";
import { requestWorker } from "#support/worker.ts";

let company: TestCompany;

beforeEach(async () => {
  company = await setUpCompany();
});

async function count(table: string): Promise<number> {
  return Number(await company.db.prepare(`SELECT count(*) AS n FROM ${table}`).first("n"));
}

async function checkOutNewCart(changes: Readonly<Record<string, unknown>> = {}) {
  const answer = await parseJson(await checkOutCart(await createCart("A"), changes));
  return String(answer.free_access_id);
}

// Proves "agency.md: operations": A website's booking shows what its return was charged
// Proves "rentals.md": 5b
test("returns the supplements charged at return with a booking, and its total is the sum of all costs", async () => {
  const id = await checkOutNewCart();
  await company.db
    .prepare(
      "UPDATE bookings SET supplement_1_cents = 3000, supplement_3_cents = 700, total_cents = total_cents + 3700",
    )
    .run();
  const { booking } = await parseJson(await getAsWebsite(`/booking/${id}`));
  expect(booking).toMatchObject({ supplement_1_cost: "30.00", supplement_2_cost: "0.00", supplement_3_cost: "7.00" });
  const parts = Object.keys(booking).filter((name) => /^(?!total|product|booking|deposit).*_cost$/.test(name));
  expect(parts.reduce((sum, name) => sum + Math.round(booking[name] * 100), 0)).toBe(
    Math.round(booking.total_cost * 100),
  );
});

// Proves "agency.md: operations": Parallel contract data is processed one after the other
// Proves "rentals.md": 13b
test("stores the names of three drivers from ten simultaneous changes of the contract data", async () => {
  const id = await checkOutNewCart();
  const names = ["driver_name", "additional_driver_1_name", "additional_driver_2_name"];
  const answers = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      sendAsWebsite("PUT", `/booking/${id}`, { [names[index % 3] ?? ""]: `Eva${index}` }),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(new Array(10).fill(200));
  const { booking } = await parseJson(await getAsWebsite(`/booking/${id}`));
  expect(booking).toMatchObject({
    driver_name: expect.stringMatching(/^Eva[0369]$/),
    additional_driver_1_name: expect.stringMatching(/^Eva[147]$/),
    additional_driver_2_name: expect.stringMatching(/^Eva[258]$/),
  });
});

describe("discounts of a booked product", () => {
  const readDiscounts = async (freeAccessId: string) => {
    const { booking } = await parseJson(await getAsWebsite(`/booking/${freeAccessId}?lang=en`));
    const { item_unit_cost_base, item_unit_cost, ...line } = booking.booking_lines[0];
    const names = Object.keys(line).filter((name) => /^(offer|promotion_code)/.test(name));
    return { item_unit_cost_base, item_unit_cost, ...Object.fromEntries(names.map((name) => [name, line[name]])) };
  };
  const none = {
    offer_name: null,
    offer_discount_type: null,
    offer_value: null,
    promotion_code: null,
    promotion_code_discount_type: null,
    promotion_code_value: null,
  };
  const offer = { offer_name: "Early booking", offer_discount_type: "amount", offer_value: 15 };
  const code = {
    promotion_code: "WELCOME10",
    promotion_code_discount_type: "percentage",
    promotion_code_value: 10,
  };

  beforeEach(async () => {
    await company.db.exec("INSERT INTO offers (name, discount_type, value) VALUES ('Early booking', 'amount', 1500)");
  });

  test("returns the offer and the promotion code that lowered the price of a booked product", async () => {
    const plain = { item_unit_cost_base: "90.00", item_unit_cost: "75.00" };
    expect(await readDiscounts(await checkOutNewCart())).toEqual({ ...plain, ...none, ...offer });
    const cart = await createCart("A");
    await sendAsWebsite("POST", `/shopping-cart/${cart}/apply-promotion-code`, { promotion_code: "welcome10" });
    const { free_access_id } = await parseJson(await checkOutCart(cart));
    expect(await readDiscounts(free_access_id)).toEqual({ ...plain, item_unit_cost: "67.50", ...offer, ...code });
  });

  test("returns no offer of a booked product if the offer changed since, so that it no longer explains the price", async () => {
    const id = await checkOutNewCart();
    await company.db.exec("UPDATE offers SET value = 2000");
    await createCart("A"); // the reader's catalogue gets the change
    expect(await readDiscounts(id)).toEqual({ item_unit_cost_base: "90.00", item_unit_cost: "75.00", ...none });
  });
});

describe("checkout", () => {
  // Proves "booking-engine-vehicles.md: operations": POST checkout creates the booking, identified by its own hash
  // Proves "booking-engine-vehicles.md: operations": GET booking/{id} reads a booking
  // Proves "booking-engine-vehicles.md: existing websites": checkout answers at top level
  test("creates a pending booking with a new ID from the cart", async () => {
    const id = await createCart("A");
    await sendAsWebsite("POST", `/shopping-cart/${id}/set-extra`, { extra: "SEAT", quantity: 2 });
    const response = await checkOutCart(id);
    expect(response.status).toBe(200);
    const answer = await parseJson(response);
    expect(answer).toEqual({
      free_access_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      pay_now: false,
      payment: null,
      payment_method_id: null,
      total_cost: "119.00",
      customer_email: "ana@example.com",
      customer_name: "Ana",
      customer_surname: "Ruiz",
    });
    expect(answer.free_access_id).not.toBe(id);
    const { booking } = await parseJson(await getAsWebsite(`/booking/${answer.free_access_id}?lang=en`));
    expect(booking).toMatchObject({
      status: "pending_confirmation",
      payment_status: "none",
      total_cost: "119.00",
      total_pending: "119.00",
      booking_amount: "23.80",
      summary_status: "Ana Ruiz, your request has been received",
      booking_lines: [
        {
          item_id: "A",
          item_description_customer_translation: "Small car",
          quantity: 1,
          booking_line_resources: [{ pax: 1 }],
        },
      ],
      booking_extras: [{ extra_id: "SEAT", quantity: 2, extra_cost: "24.00" }],
    });
    expect((await getAsWebsite(`/shopping-cart/${id}`)).status).toBe(404);
  });

  test("stores comments with line breaks and emoji, without control characters and text direction marks", async () => {
    const response = await checkOutCart(await createCart("A"), { comments: "Late\u0000\u202e 😀\nTwo\u0007 keys" });
    expect(response.status).toBe(200);
    const stored = await company.db.prepare("SELECT comments FROM bookings").first("comments");
    expect(stored).toBe("Late 😀\nTwo keys");
  });

  // Proves "rules.md: quotes, counts and agreements": Confirmed by the account's automatic confirmation
  test("confirms the booking immediately if the account uses automatic confirmation", async () => {
    await company.db.prepare("UPDATE settings SET automatic_confirmation = 1").run();
    const { booking } = await parseJson(await getAsWebsite(`/booking/${await checkOutNewCart()}`));
    expect(booking.status).toBe("confirmed");
  });

  // Proves "payments.md: gateways": With a payment the booking is pending with the short hold, whatever the
  //   confirmation setting
  // Proves "rules.md: sales and payments": A booking with payment is held for 30 minutes, even with automatic
  //   confirmation
  // Proves "rentals.md": 6
  test("holds a booking awaiting payment for 30 minutes under automatic confirmation, and accepts its payment", async () => {
    await enableGateways(company);
    await company.db.prepare("UPDATE settings SET automatic_confirmation = 1").run();
    const id = await checkOutNewCart({ payment: "tpvA256", complete_action: "pay_now" });
    const row = await company.db.prepare("SELECT status, expires_at - created_at AS held FROM bookings").first();
    expect(row).toEqual({ status: "pending_confirmation", held: 30 * 60_000 });
    expect((await submitDepositPayment(id)).status).toBe(200);
  });

  // Proves "payments.md: gateways": Pending amounts can be paid online, confirmed or not
  // Proves "rules.md: sales and payments": A confirmed booking can be paid while an amount is pending
  // Proves "rentals.md": 6b
  test("accepts payment of a confirmed booking while any amount is pending", async () => {
    await enableGateways(company);
    await company.db.prepare("UPDATE settings SET automatic_confirmation = 1").run();
    const id = await checkOutNewCart();
    const process = async () => (await parseJson(await getAsWebsite(`/booking/${id}`))).sales_process;
    expect(await process()).toMatchObject({ can_pay: true, can_pay_deposit: true, can_pay_total: true });
    await sendGatewayNotice("tpvB", createCecabankNotice(await startPayment(id, "tpvB", "total")));
    expect(await process()).toMatchObject({ can_pay: false, can_pay_pending: false });
  });

  // Proves "agency.md: operations": Requests are refused with 409 and the reason if the account allows none
  // Proves "rules.md: sales and payments": No requests without payment if the account allows none
  // Proves "rentals.md": 16
  test("rejects checkout without payment, with the reason, if the account doesn't allow requests", async () => {
    await enableGateways(company);
    await company.db.prepare("UPDATE settings SET request_allowed = 0").run();
    const refused = await checkOutCart(await createCart("A"));
    expect([refused.status, (await parseJson(refused)).code]).toEqual([409, "payment_required"]);
    expect((await checkOutCart(await createCart("A"), { payment: "tpvA256", complete_action: "pay_now" })).status).toBe(
      200,
    );
  });

  // Proves "agency.md: operations": A payment method that is unknown or not offered: 400 naming the field
  // Proves "rentals.md": 16b
  test.each([
    ["payment", { payment: "bitcoin", complete_action: "pay_now" }],
    ["payment", { payment: "none", complete_action: "pay_now" }],
    ["complete_action", { complete_action: "pay_on_delivery" }],
  ])("rejects a checkout whose %s the account doesn't offer, naming the field", async (name, changes) => {
    await enableGateways(company);
    const refused = await checkOutCart(await createCart("A"), changes);
    expect(refused.status).toBe(400);
    expect((await parseJson(refused)).detail).toMatchObject([{ field: name }]);
  });

  // Proves "booking-engine-vehicles.md: existing websites": pay_now, payment, payment_method_id
  test("returns the down payment as the next step of a checkout that pays by an offered method", async () => {
    await company.db
      .prepare(
        `UPDATE settings SET payment_methods = '["tpvA256","wallet_standard"]', payment_options = '["deposit","total"]'`,
      )
      .run();
    const paying = async (payment: string, action = "pay_now") =>
      parseJson(await checkOutCart(await createCart("A"), { payment, complete_action: action }));
    expect(await paying("tpvA256")).toMatchObject({ pay_now: true, payment: "deposit", payment_method_id: "tpvA256" });
    expect(await paying("paypal_standard")).toMatchObject({ pay_now: true, payment_method_id: "paypal_standard" });
    expect(await paying("tpvA256", "request_reservation")).toMatchObject({ pay_now: false, payment_method_id: null });
  });

  // Proves "rules.md: carts and checkout": Checkout is once only, at the same moment too
  test("creates one booking, with one response, for fifty simultaneous checkouts", async () => {
    const id = await createCart("C");
    const answers = await Promise.all(Array.from({ length: 50 }, async () => parseJson(await checkOutCart(id))));
    expect(new Set(answers.map((answer) => answer.free_access_id)).size).toBe(1);
    expect(answers[0].free_access_id).toMatch(/^[0-9a-f]{32}$/);
    expect([await count("bookings"), await count("stock_allocations")]).toEqual([1, 1]);
  });

  test("returns the same booking if a checkout is repeated", async () => {
    const id = await createCart("A");
    const first = await parseJson(await checkOutCart(id));
    expect(await parseJson(await checkOutCart(id, { customer_name: "Eva" }))).toEqual(first);
  });

  // Proves "rules.md: carts and checkout": Units guarded as for agencies, in the same guard
  test("books the last unit once for several carts and agencies, and answers the others in their language", async () => {
    const carts = await Promise.all(Array.from({ length: 10 }, () => createCart("C")));
    const [website, agency] = await Promise.all([
      Promise.all(carts.map((id) => checkOutCart(id, {}, "de"))),
      Promise.all(
        carts.map(() => postAsAgency("/booking", createAgencyReservationBody({ products: [{ code: "C" }] }))),
      ),
    ]);
    const statuses = [...website, ...agency].map((response) => response.status).sort();
    expect(statuses).toEqual([200, ...new Array(19).fill(409)]);
    expect(await count("bookings")).toBe(1);
    const refused = website.filter((response) => response.status === 409);
    expect(refused.length).toBeGreaterThanOrEqual(9);
    for (const response of refused) {
      expect(await parseJson(response)).toMatchObject({
        code: "CRBOOK002",
        error: expect.stringContaining("nicht mehr verfügbar"),
      });
    }
  });

  // Proves "booking-engine-vehicles.md: existing websites": not available any more: CRBOOK002 with a sentence for the
  //   visitor
  test("reports a product sold out since it was chosen, and keeps the cart so another can be chosen", async () => {
    const id = await createCart("C");
    await postAsAgency("/booking", createAgencyReservationBody({ products: [{ code: "C" }] }));
    const refused = await checkOutCart(id, {}, "es");
    expect(refused.status).toBe(409);
    expect(await parseJson(refused)).toMatchObject({
      code: "CRBOOK002",
      error: expect.stringContaining("ya no está disponible"),
    });
    expect((await sendAsWebsite("POST", `/shopping-cart/${id}/set-product`, { product: "A" })).status).toBe(200);
    expect((await checkOutCart(id)).status).toBe(200);
  });

  // Proves "rules.md: sales and payments": A product that is not sold any more is named at the checkout
  test("rejects a product whose sale was stopped after it was added to the cart, with its name and the reason", async () => {
    const id = await createCart("A");
    await company.db
      .prepare("INSERT INTO selling_rules (category_code, stop_sale_from, stop_sale_to) VALUES ('A', ?, ?)")
      .bind(getBookableDay(0), getBookableDay(1))
      .run();
    const refused = await checkOutCart(id);
    expect(refused.status).toBe(409);
    expect(await parseJson(refused)).toMatchObject({
      code: "product_not_sold",
      error: `product A is not sold for this rental any more: product A is not sold from ${getBookableDay(0)} to ${getBookableDay(1)}`,
    });
    expect(await count("bookings")).toBe(0);
  });

  // Proves "rules.md: carts and checkout": total_cost absent or equal, else 409 price_changed
  test("accepts only the total that the customer saw, if the request contains it", async () => {
    const id = await createCart("A");
    await company.db.prepare("UPDATE tariff_brackets SET price_cents = price_cents + 100 WHERE tariff_id = 1").run();
    const refused = await checkOutCart(id, { total_cost: "95.00" });
    expect([refused.status, (await parseJson(refused)).code]).toEqual([409, "price_changed"]);
    expect((await checkOutCart(id, { total_cost: "98.00" })).status).toBe(200);
  });

  // Proves "rules.md: carts and checkout": expected_version absent or the cart's, else 409 cart_changed
  test("accepts only the cart version that the customer saw, because two windows can share one cart", async () => {
    const id = await createCart("A");
    const currentCart = (await parseJson(await getAsWebsite(`/shopping-cart/${id}`))).shopping_cart;
    const other = createSearch({ date_from: toFormDate(3), date_to: toFormDate(6) });
    const changed = (await parseJson(await sendAsWebsite("POST", `/shopping-cart/${id}`, other))).shopping_cart;
    // Other dates with the same price.
    expect(changed.total_cost).toBe(currentCart.total_cost);
    const expectedCart = { total_cost: currentCart.total_cost, expected_version: currentCart.version };
    const refused = await checkOutCart(id, expectedCart);
    expect([refused.status, (await parseJson(refused)).code]).toEqual([409, "cart_changed"]);
    expect(await count("bookings")).toBe(0);
    // Only the new cart version can be booked, and a repetition gets the same response. The old one is
    // refused.
    const now = { ...expectedCart, expected_version: String(changed.version) };
    const [first, again, late] = [
      await checkOutCart(id, now),
      await checkOutCart(id, now),
      await checkOutCart(id, expectedCart),
    ];
    expect([first.status, await parseJson(first)]).toEqual([200, await parseJson(again)]);
    expect([late.status, (await parseJson(late)).code]).toEqual([409, "cart_changed"]);
  });

  // Proves "rules.md: carts and checkout": … also of set-product, set-extra and remove-extra
  test.each([
    ["set-product", { product: "B" }],
    ["set-extra", { extra: "SEAT", quantity: 2 }],
    ["remove-extra", { extra: "SEAT" }],
  ])(
    "rejects the cart action %s if another window has changed the cart since the specified version",
    async (action, body) => {
      const id = await createCart("A");
      const currentCart = (await parseJson(await getAsWebsite(`/shopping-cart/${id}`))).shopping_cart;
      await sendAsWebsite("POST", `/shopping-cart/${id}/set-extra`, { extra: "SEAT", quantity: 1 });
      const before = (await parseJson(await getAsWebsite(`/shopping-cart/${id}`))).shopping_cart;
      const change = (version: unknown) =>
        sendAsWebsite("POST", `/shopping-cart/${id}/${action}`, { ...body, expected_version: version });
      const refused = await change(currentCart.version);
      expect([refused.status, (await parseJson(refused)).code]).toEqual([409, "cart_changed"]);
      expect((await parseJson(await getAsWebsite(`/shopping-cart/${id}`))).shopping_cart).toEqual(before);
      const changed = await change(String(before.version));
      expect([changed.status, (await parseJson(changed)).shopping_cart.version]).toEqual([200, before.version + 1]);
      expect((await change("soon")).status).toBe(400);
    },
  );

  // Proves "rules.md: carts and checkout": Telephones as people write them
  test.each([
    ["600 111 222", "600 111 222"],
    ["+34 600 11 22 33", "+34600112233"],
    ["+49 (0)170 / 123 45 67", "+491701234567"],
    ["(0034) 600-11-22-33", "0034600112233"],
  ])("accepts the telephone number %s as people write it", async (typedPhone, storedPhone) => {
    await checkOutCart(await createCart("A"), { customer_phone: typedPhone });
    expect(await company.db.prepare("SELECT customer_phone FROM bookings").first("customer_phone")).toBe(storedPhone);
  });

  test("rejects the checkout of an empty cart", async () => {
    const refused = await checkOutCart(await createCart(null));
    expect([refused.status, (await parseJson(refused)).code]).toEqual([409, "cart_empty"]);
  });

  // Proves "booking-engine-vehicles.md: existing websites": field lengths
  test.each([
    ["customer_name", undefined],
    ["customer_name", "a".repeat(41)],
    ["customer_surname", ""],
    ["customer_email", ""],
    ["customer_email", "nobody"],
    ["customer_phone", "1".repeat(16)],
    ["customer_phone", "call me"],
    ["street", "a".repeat(61)],
    ["country", "a".repeat(51)],
    ["flight_number", "a".repeat(11)],
    ["driver_date_of_birth", "30/02/1990"],
    ["driver_date_of_birth", "01/01/2199"],
    ["additional_driver_1_name", "a".repeat(41)],
    ["complete_action", "fly"],
    ["total_cost", "95,00"],
    ["total_cost", -95],
    ["customer_language", "1a"],
    ["customer_language", "e"],
  ])("rejects a checkout whose field %s is %j, naming the field, and keeps the cart", async (name, value) => {
    const id = await createCart("A");
    const refused = await checkOutCart(id, { [name]: value });
    expect(refused.status).toBe(400);
    expect((await parseJson(refused)).error).toContain(name);
    expect((await getAsWebsite(`/shopping-cart/${id}`)).status).toBe(200);
    expect(await count("bookings")).toBe(0);
  });

  // Proves "booking-engine-vehicles.md: existing websites": number_of_adults, number_of_children, and what the booking
  //   shows of them and of the driver's age
  test("stores the number of travelers from the search or the checkout, and the driver age rule", async () => {
    const id = await createCart("A", { driver_age_rule: "2", number_of_adults: "2", number_of_children: "1" });
    const cart = await parseJson(await getAsWebsite(`/shopping-cart/${id}`));
    expect(cart.shopping_cart.items[0].item_resources).toEqual([
      expect.objectContaining({ id: 1, pax: 1, resource_user_name: null, resource_user_2_email: null }),
    ]);
    const { free_access_id } = await parseJson(await checkOutCart(id, { number_of_children: "0", country: "es" }));
    const { booking } = await parseJson(await getAsWebsite(`/booking/${free_access_id}?lang=en`));
    expect(booking).toMatchObject({
      number_of_adults: 2,
      number_of_children: 0,
      driver_age: null,
      driver_driving_license_years: null,
      driver_age_rule_id: 2,
      driver_age_rule_description: cart.shopping_cart.driver_age_rule_description,
      address_country_code: "ES",
      driver_address_country_code: null,
    });
    expect(booking.booking_lines[0].booking_line_resources).toMatchObject([
      { booking_item_characteristic_1: null, booking_item_characteristic_4: null },
    ]);
  });

  // Proves "booking-engine-vehicles.md: existing websites": agent_id
  test.each([
    ["1", 1],
    [1, 1],
    ["9", null],
    ["hotel", null],
    ["", null],
  ])("books a cart whose website names the agent %j, for that agent if the account has it", async (agent, expected) => {
    await company.db
      .prepare("INSERT INTO agents (id, name, commission_calculation, commission_basis_points) VALUES (1, ?, ?, 1000)")
      .bind("Hotel Sol", "percentage")
      .run();
    const answer = await checkOutCart(await createCart("A", { agent_id: agent }));
    expect(answer.status).toBe(200);
    const row = await company.db
      .prepare("SELECT agent_id, agent_commission_total_cents AS commission, item_cents FROM bookings")
      .first<{ agent_id: number | null; commission: number; item_cents: number }>();
    expect([row?.agent_id, row?.commission]).toEqual([expected, expected ? (row?.item_cents ?? 0) / 10 : 0]);
  });

  // Proves "booking-engine-vehicles.md: existing websites": customer_language
  test("stores the customer's language as a lower-case code, and answers in that language", async () => {
    const answer = await parseJson(await checkOutCart(await createCart("A"), { customer_language: "DE" }, ""));
    expect((await parseJson(await getAsWebsite(`/booking/${answer.free_access_id}`))).booking).toMatchObject({
      customer_language: "de",
      summary_status: "Ana Ruiz, Ihre Anfrage ist eingegangen",
    });
  });

  // Proves "booking-engine-vehicles.md: operations": The customer's own language before that of the query
  test("stores the customer's own language even if the page uses another one", async () => {
    const answer = await parseJson(await checkOutCart(await createCart("A"), { customer_language: "ca" }, "de"));
    expect((await parseJson(await getAsWebsite(`/booking/${answer.free_access_id}`))).booking.customer_language).toBe(
      "ca",
    );
  });

  // Proves "booking-engine-vehicles.md: existing websites": country, of 50 characters
  test("stores a country by name if the form sends a name", async () => {
    const id = await checkOutNewCart({ country: "United Kingdom", driver_driving_license_country: "España" });
    expect((await parseJson(await getAsWebsite(`/booking/${id}`))).booking).toMatchObject({
      address_country: "United Kingdom",
      driver_driving_license_country: "España",
    });
  });

  // Proves "booking-engine-vehicles.md: existing websites": both spellings of fligth_airport_* and
  //   flight_time_departura
  test("accepts misspelled and alternative field names of contract data from websites, and ignores the status", async () => {
    const id = await checkOutNewCart({
      street: "Calle Mayor",
      country: "es",
      fligth_airport_origin: "PMI",
      flight_time_departura: "10:30",
      driver_date_of_birth: "03/02/1990",
      additional_driver_1_name: "Luis",
      customer_language: "",
      conditions_read_request_reservation: "on",
      status: "confirmed",
    });
    const { booking } = await parseJson(await getAsWebsite(`/booking/${id}`));
    expect(booking).toMatchObject({
      status: "pending_confirmation",
      address_street: "Calle Mayor",
      customer_address_country: "ES",
      flight_airport_origin: "PMI",
      flight_time_departure: "10:30",
      driver_date_of_birth: "1990-02-03",
      additional_driver_1_name: "Luis",
    });
  });
});

describe("a booking of a website", () => {
  // Proves "booking-engine-vehicles.md: operations": PUT booking/{id} updates what the contract needs
  // Proves "booking-engine-vehicles.md: existing websites": PUT booking: absent is unchanged
  test("completes the contract data, keeps absent fields and ignores fields the customer can't change", async () => {
    const id = await checkOutNewCart();
    const before = await parseJson(await getAsWebsite(`/booking/${id}`));
    const unit = before.booking.booking_lines[0].booking_line_resources[0].id;
    const response = await sendAsWebsite("PUT", `/booking/${id}`, {
      customer_document_id: "X123",
      customer_address: { street: "Calle Mayor", city: "Palma", country: "ES" },
      driver_is_customer: true,
      driver_driving_license_number: "L-77",
      driver_date_of_birth: "1988-05-06",
      driver_date_of_birth_day: "06",
      booking_line_resources: [
        { id: String(unit), resource_user_name: "Ana" },
        { id: "999999", resource_user_name: "Eve" },
      ],
      status: "done",
      total_cost: "0.01",
      customer_name: "",
    });
    expect(response.status).toBe(200);
    const { booking, required_fields } = await parseJson(response);
    expect(booking).toMatchObject({
      status: "pending_confirmation",
      total_cost: "95.00",
      customer_name: "Ana",
      customer_document_id: "X123",
      address_street: "Calle Mayor",
      driver_is_customer: true,
      driver_driving_license_number: "L-77",
      required_data_completed: false,
    });
    expect(booking.booking_lines[0].booking_line_resources).toMatchObject([{ id: unit, resource_user_name: "Ana" }]);
    expect(required_fields).toContain("customer_address[street]");
    const finished = await parseJson(
      await sendAsWebsite("PUT", `/booking/${id}`, { driver_driving_license_date: "2010-01-01" }),
    );
    expect(finished.booking.required_data_completed).toBe(true);
    expect(
      JSON.stringify((await company.db.prepare("SELECT contract_data FROM bookings").all()).results),
    ).not.toContain("Eve");
  });

  test("accepts 120 simultaneous changes of the contract data, and stores all fields", async () => {
    const id = await checkOutNewCart();
    const fields = ["driver_name", "driver_surname", "customer_address_city", "flight_number"].flatMap((name) =>
      Array.from({ length: 30 }, (_, index) => ({ [name]: `V${index}` })),
    );
    const answers = await Promise.all(fields.map((change) => sendAsWebsite("PUT", `/booking/${id}`, change)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const data = await env.TENANT_ACME.prepare("SELECT contract_data FROM bookings WHERE free_access_id = ?")
      .bind(id)
      .first<string>("contract_data");
    expect(Object.keys(JSON.parse(data ?? "{}"))).toEqual(
      expect.arrayContaining(["customer_address_city", "driver_name", "driver_surname", "flight_number"]),
    );
  });

  test("rejects changes of the contract data after thirty separate ones, with the time to wait", async () => {
    const id = await checkOutNewCart();
    const insert = env.TENANT_ACME.prepare(
      "INSERT INTO booking_history (booking_id, at, actor, event, detail) SELECT id, ?2, 'customer', 'changed', '{}' FROM bookings WHERE free_access_id = ?1",
    );
    await env.TENANT_ACME.batch(
      Array.from({ length: 30 }, (_, index) => insert.bind(id, Date.now() - 20_000 * (index + 1))),
    );
    const refused = await sendAsWebsite("PUT", `/booking/${id}`, { driver_name: "Eva" });
    expect([refused.status, refused.headers.get("Retry-After")]).toEqual([429, "900"]);
  });

  test("stores everything if two clients complete the contract data at the same time", async () => {
    const id = await checkOutNewCart();
    await Promise.all([
      sendAsWebsite("PUT", `/booking/${id}`, { customer_document_id: "X123" }),
      sendAsWebsite("PUT", `/booking/${id}`, { driver_driving_license_number: "L-77" }),
      sendAsWebsite("PUT", `/booking/${id}`, { flight_number: "IB1" }),
    ]);
    const { booking } = await parseJson(await getAsWebsite(`/booking/${id}`));
    expect(booking).toMatchObject({
      customer_document_id: "X123",
      driver_driving_license_number: "L-77",
      flight_number: "IB1",
    });
  });

  // Proves "booking-engine-vehicles.md: existing websites": PUT booking: only while the booking is open
  test.each(["in_progress", "cancelled"])("rejects changes of a booking that is %s", async (status) => {
    const id = await checkOutNewCart();
    if (status === "in_progress")
      await company.db.prepare("UPDATE bookings SET status = 'confirmed', expires_at = NULL").run();
    await company.db.prepare("UPDATE bookings SET status = ?, expires_at = NULL").bind(status).run();
    const refused = await sendAsWebsite("PUT", `/booking/${id}`, { customer_document_id: "X123" });
    expect([refused.status, (await parseJson(refused)).code]).toEqual([409, "booking_closed"]);
    const { booking, required_fields } = await parseJson(await getAsWebsite(`/booking/${id}`));
    expect([booking.manager_complete_authorized, required_fields]).toEqual([false, []]);
  });

  test("returns 404 for an unknown booking and for another account's booking", async () => {
    const id = await checkOutNewCart();
    await setUpCompany("globex");
    for (const response of [
      await getAsWebsite(`/booking/${"0".repeat(32)}`),
      await getAsWebsite(`/booking/${id}${"0".repeat(40)}`),
      await sendAsWebsite("PUT", `/booking/${"0".repeat(32)}`, { customer_document_id: "X123" }),
      await requestWorker(`http://globex.localhost/api/booking/frontend/booking/${id}`),
    ]) {
      expect([response.status, (await parseJson(response)).error]).toEqual([404, "Booking not found"]);
    }
  });

  // Proves "booking-engine-vehicles.md: existing websites": summary_status is HTML
  test("shows the customer's name as text, not as markup", async () => {
    const { booking } = await parseJson(
      await getAsWebsite(`/booking/${await checkOutNewCart({ customer_name: '<img src=x onerror="x">' })}`),
    );
    expect(booking.summary_status).toContain("&#60;img src=x onerror=&#34;x&#34;&#62; Ruiz");
    expect(booking.summary_status).not.toContain("<");
  });

  test.each([
    ["customer_email", "nobody"],
    ["customer_address", "Calle Mayor"],
    ["customer_nacionality", "Spain"],
    ["customer_nacionality", "UK"],
    ["driver_origin_country", "zz"],
    ["driver_driving_license_date", "2010-02-30"],
    ["booking_line_resources", "none"],
  ])("rejects a booking's contract field %s with the value %j, naming the field", async (name, value) => {
    const response = await sendAsWebsite("PUT", `/booking/${await checkOutNewCart()}`, { [name]: value });
    expect(response.status).toBe(400);
    expect((await parseJson(response)).error).toContain(name);
  });
});

test("rejects every change of a checked-out cart, and only answers a repeated checkout", async () => {
  const id = await createCart("A");
  const placed = await parseJson(await checkOutCart(id));
  const search = { date_from: toFormDate(0), date_to: toFormDate(1), pickup_place: "1" };
  for (const [method, path, body] of [
    ["POST", "", search],
    ["PUT", "", search],
    ["POST", "/set-product", { product: "A" }],
    ["POST", "/set-extra", { extra: "GPS" }],
    ["POST", "/remove-extra", { extra: "GPS" }],
    ["POST", "/apply-promotion-code", { promotion_code: "WELCOME10" }],
  ] as const) {
    expect([path, (await sendAsWebsite(method, `/shopping-cart/${id}${path}`, body)).status]).toEqual([path, 404]);
  }
  const repeated = await sendAsWebsite("POST", `/shopping-cart/${id}/checkout`, createCheckout());
  expect([repeated.status, (await parseJson(repeated)).free_access_id]).toEqual([200, placed.free_access_id]);
  expect(await count("bookings")).toBe(1);
});
