import { beforeEach, describe, expect, test } from "vitest";
import {
  cancelBookingAsAgency,
  createAgencyReservationBody,
  createAvailabilityPath,
  getAsAgency,
  getBookableDay,
  postAsAgency,
  readBookingAsAgency,
  SECOND_AGENCY,
} from "#support/agency.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { agencyAvailabilityAnswer } from "#worker/api/ota/availability-messages.ts";
import { agencyBookingAnswer, agencyCancellationAnswer } from "#worker/api/ota/booking-messages.ts";
import { agencyFailureAnswer, agencyPlacesAnswer } from "#worker/api/ota/messages.ts";

let company: TestCompany;

beforeEach(async () => {
  company = await setUpCompany();
});

async function listPlaces(path: string) {
  return agencyPlacesAnswer.parse(await (await getAsAgency(path)).json()).response;
}

async function readAvailability(changes: Parameters<typeof createAvailabilityPath>[0] = {}) {
  return agencyAvailabilityAnswer.parse(await (await getAsAgency(createAvailabilityPath(changes))).json()).response;
}

async function bookAsAgency(changes: Parameters<typeof createAgencyReservationBody>[0] = {}) {
  const body = createAgencyReservationBody(changes);
  const response = await postAsAgency("/booking", body);
  expect(response.status).toBe(200);
  return {
    body,
    reference: String(body.reservation["agency_reservation_id"]),
    answer: agencyBookingAnswer.parse(await response.json()).response,
  };
}

describe("location-list", () => {
  // Proves "agency.md: resources": Envelope: success true and response on success
  // Proves "agency.md: resources": Place: id, name, price (supplement)
  test("returns every public pickup and return place with its supplement", async () => {
    expect((await listPlaces("/location-list")).map(({ id, name, price }) => ({ id, name, price }))).toEqual([
      { id: 1, name: "Aeropuerto", price: "0.00" },
      { id: 2, name: "Oficina", price: "15.00" },
      { id: 3, name: "Puerto", price: "0.00" },
      { id: 5, name: "Buzón de llaves", price: "0.00" },
    ]);
  });

  // Proves "agency.md": Places: address, coordinates, hours and IATA code (addition)
  test("returns the address, position, IATA code and hours of a place", async () => {
    await company.db.batch([
      company.db.prepare(`UPDATE pickup_places SET iata = 'PMI', place_type = 'airport', address_street_address = 'Ma-19',
        address_zip = '07611', address_city = 'Palma', address_state = 'Illes Balears', address_country_code = 'ES',
        address_lat = 39.55, address_lng = 2.73 WHERE id = 1`),
      company.db.prepare("DELETE FROM opening_hours WHERE branch_code = 'AIR'"),
      company.db.prepare(
        "INSERT INTO opening_hours (branch_code, weekday, opens, closes) VALUES ('AIR', 1, '08:00', '20:00')",
      ),
    ]);
    await readAvailability(); // the reader's catalogue gets the change
    const [airport, office] = await listPlaces("/location-list");
    expect(airport).toMatchObject({
      ...{ id: 1, place_type: "airport", iata: "PMI", is_pickup: true, is_return: true, rental_location_code: "AIR" },
      address: { street: "Ma-19", zip: "07611", city: "Palma", state: "Illes Balears", country: "ES" },
      ...{ latitude: 39.55, longitude: 2.73, opening_hours: [{ weekday: 1, opens: "08:00", closes: "20:00" }] },
    });
    expect(office).toMatchObject({ iata: null, latitude: null, address: { street: null } });
  });

  // Proves "agency.md: operations": GET location-list: customer-language is the language of the response
  test("returns names in the requested language, otherwise in English or in the account's language", async () => {
    expect((await listPlaces("/location-list?customer-language=en")).map((place) => place.name)).toEqual([
      "Airport",
      "Office",
      "Puerto",
      "Buzón de llaves",
    ]);
    const french = (await listPlaces("/location-list?customer-language=fr")).map((place) => place.name);
    expect(french).toEqual(["Airport", "Office", "Puerto", "Buzón de llaves"]);
    expect((await listPlaces("/location-list?customer-language=pl"))[0]?.name).toBe("Aeropuerto");
  });

  // Proves "agency.md: operations": GET location-list: pickup-place-id leaves only the return places valid for it
  test("returns only the return places valid for a pickup place", async () => {
    expect((await listPlaces("/location-list?pickup-place-id=1")).map((place) => place.id)).toEqual([1, 2, 5]);
    expect((await listPlaces("/location-list?pickup-place-id=3")).map((place) => place.id)).toEqual([3]);
    expect((await listPlaces("/location-list?pickup-place-id=2")).map((place) => place.id)).toEqual([1, 2, 3, 5]);
  });
});

describe("availability", () => {
  // Proves "agency.md: resources": Availability: dates, times, places with translation, customer_language, days
  // Proves "agency.md: resources": Availability: time_from_cost, time_to_cost, pickup_place_cost, return_place_cost
  // Proves "agency.md: resources": Availability: driver_age_cost, driver_age_deposit
  test("returns period, places and language of the search, with the supplements that depend on them", async () => {
    const availability = await readAvailability({
      "customer-language": "en",
      "return-place": "2",
      "time-from": "06:00",
      "time-to": "06:00",
      "driver-age": "22",
    });
    expect(availability).toMatchObject({
      date_from: getBookableDay(0),
      time_from: "06:00",
      date_to: getBookableDay(3),
      time_to: "06:00",
      pickup_place_id: 1,
      pickup_place: "Aeropuerto",
      pickup_place_customer_translation: "Airport",
      return_place_id: 2,
      return_place: "Oficina",
      return_place_customer_translation: "Office",
      customer_language: "en",
      days: 3,
      time_from_cost: "30.00",
      time_to_cost: "0.00",
      pickup_place_cost: "0.00",
      return_place_cost: "15.00",
      driver_age_cost: "30.00",
      driver_age_deposit: "200.00",
    });
  });

  // Proves "agency.md: resources": Product: code, name, photos (photo_path, full_photo_path), vat_type, days, price,
  //   price_without_taxes, available
  // Proves "agency.md: resources": Product: key_characteristics (doors, seats, suitcases, transmission, fuel,
  //   air_conditioner)
  test("describes each public product with its price, tax, photos and characteristics", async () => {
    const { products } = await readAvailability({ "customer-language": "en" });
    expect(products.map((product) => product.code)).toEqual(["A", "B", "C"]);
    expect(products[0]).toEqual({
      code: "A",
      name: "Small car",
      photos: [{ photo_path: "https://img.example/a-m.jpg", full_photo_path: "https://img.example/a.jpg" }],
      vat_type: "21.00",
      days: 3,
      price: "95.00",
      price_without_taxes: "78.51",
      available: true,
      key_characteristics: {
        doors: 3,
        seats: 4,
        suitcases: 1,
        transmission: "manual",
        fuel: "petrol",
        air_conditioner: "yes",
      },
      short_description: expect.any(String),
      description: expect.any(String),
      ...{ product_deposit_unit_cost: "300.00", product_guarantee_unit_cost: "100.00", kilometres_per_day: null },
      promotion_code: null,
    });
  });

  // Proves "agency.md": Availability: currency, kilometres, texts and conditions (addition)
  test("returns currency, included kilometres and cancellation terms", async () => {
    await company.db.batch([
      company.db.prepare("DELETE FROM cancellation_terms"),
      company.db.prepare(`INSERT INTO cancellation_terms (id, occasion, hours_before, fee_type, fee_value)
        VALUES (1, 'cancellation', 48, 'percentage', 2500), (2, 'no_show', NULL, 'days', 1)`),
      company.db.prepare(
        "UPDATE categories SET kilometres_per_day = 200, short_description = 'Fits two' WHERE code = 'A'",
      ),
    ]);
    const availability = await readAvailability({ "customer-language": "en" });
    expect(availability).toMatchObject({
      ...{ currency: "EUR", free_cancellation_until: `${getBookableDay(-2)} 10:00` },
      cancellation_terms: [
        { occasion: "cancellation", hours_before: 48, fee_type: "percentage", fee: "25.00" },
        { occasion: "no_show", hours_before: null, fee_type: "days", fee: "1" },
      ],
    });
    expect(availability.products[0]).toMatchObject({ kilometres_per_day: 200, short_description: "Fits two" });
  });

  // Proves "agency.md: operations": An agency is sold at its own sales channel or public ones; naming another's is 400
  // Proves "rentals.md": 15b
  test("lets an agency use its own sales channel or a public one, and rejects another agency's channel by field", async () => {
    await company.db.batch([
      company.db.prepare("UPDATE sales_channels SET is_public = code = 'WEB'"),
      company.db.prepare("UPDATE agencies SET sales_channel_code = 'AGENCY' WHERE id = 1"),
    ]);
    await readAvailability(); // the reader's keys get the change
    const readStatus = async (channel: string, partner = {}) =>
      (await getAsAgency(createAvailabilityPath({ "sales-chanel-code": channel }), partner)).status;
    expect([await readStatus("AGENCY"), await readStatus("WEB")]).toEqual([200, 200]);
    expect([await readStatus("AGENCY", SECOND_AGENCY), await readStatus("WEB", SECOND_AGENCY)]).toEqual([400, 200]);
    const other = await postAsAgency(
      "/booking",
      createAgencyReservationBody({ sales_channel_code: "AGENCY" }),
      SECOND_AGENCY,
    );
    expect(other.status).toBe(400);
    expect((await other.json<{ errors: { message: string } }>()).errors.message).toContain("sales_channel_code");
  });

  // Proves "agency.md: operations": The quoted price is the price paid
  // Proves "rentals.md": 4
  test("quotes prices of product, extras and supplements that add up to the booking's total", async () => {
    const search = { "pickup-place": "2", "driver-age": "22" };
    const { products, extras, ...found } = await readAvailability(search);
    const { answer } = await bookAsAgency({
      pickup_place: 2,
      driver_age: 22,
      products: [{ code: "A", quantity: 1 }],
      extras: [{ code: "SEAT", quantity: 1 }],
    });
    const responses = [
      products.find(({ code }) => code === "A")?.price,
      extras.find(({ code }) => code === "SEAT")?.unit_price,
      found.pickup_place_cost,
      found.return_place_cost,
      found.time_from_cost,
      found.time_to_cost,
      found.driver_age_cost,
    ];
    expect(responses.reduce((sum, amount) => sum + Number(amount), 0)).toBe(Number(answer.reservation.total_cost));
  });

  // Proves "agency.md: resources": Extra: code, name, photo_path, photo_full_path, days, unit_price,
  //   price_without_taxes, max_quantity, available
  test("describes each extra with the price of one unit for all days", async () => {
    const { extras } = await readAvailability({ "customer-language": "en" });
    expect(extras).toEqual([
      {
        code: "SEAT",
        name: "Child seat",
        photo_path: "",
        photo_full_path: "",
        days: 3,
        unit_price: "12.00",
        price_without_taxes: "9.92",
        max_quantity: 3,
        available: true,
      },
      {
        code: "GPS",
        name: "Navegador",
        photo_path: "",
        photo_full_path: "",
        days: 3,
        unit_price: "15.00",
        price_without_taxes: "12.40",
        max_quantity: 1,
        available: true,
      },
    ]);
  });

  // Proves "agency.md: resources": Product: available is true when at least one unit is free; unavailable ones are
  //   listed with their price
  test("lists a booked product as unavailable, with its price, until its preparation is over", async () => {
    await bookAsAgency({ products: [{ code: "C" }] });
    const productC = async (changes: Parameters<typeof createAvailabilityPath>[0]) =>
      (await readAvailability(changes)).products.find((product) => product.code === "C");
    expect(await productC({ "date-from": getBookableDay(3), "date-to": getBookableDay(5) })).toMatchObject({
      available: false,
      price: "200.00",
    });
    expect(
      await productC({
        "date-from": getBookableDay(3),
        "date-to": getBookableDay(5),
        "time-from": "11:00",
        "time-to": "11:00",
      }),
    ).toMatchObject({
      available: true,
    });
  });

  test("counts only the stock of the pickup's branch group", async () => {
    const { products } = await readAvailability({ "pickup-place": "3", "return-place": "3" });
    expect(Object.fromEntries(products.map((product) => [product.code, product.available]))).toEqual({
      A: false,
      B: true,
      C: false,
    });
  });

  test("does not count vehicles that are blocked, sold, inactive or not assignable", async () => {
    const start = Date.parse(getBookableDay(1)) / 60_000;
    await company.db.batch([
      company.db
        .prepare(
          `INSERT INTO vehicle_blocks (vehicle_reference, kind, starts_at, ends_at) VALUES ('C-1', 'workshop', ?, ?)`,
        )
        .bind(start, start + 60),
      company.db.prepare("UPDATE vehicles SET sold_release_date = ? WHERE reference = 'B-1'").bind(getBookableDay(1)),
      company.db.prepare("UPDATE vehicles SET active = 0 WHERE reference = 'A-1'"),
      company.db.prepare("UPDATE vehicles SET assignable = 0 WHERE reference IN ('A-2', 'A-3')"),
    ]);
    expect((await readAvailability()).products.map((product) => product.available)).toEqual([false, false, false]);
  });

  test("returns changed prices immediately, despite the cached catalogue", async () => {
    expect((await readAvailability()).products[0]?.price).toBe("95.00");
    await company.db
      .prepare("UPDATE tariff_brackets SET price_cents = 3100 WHERE tariff_id = 1 AND from_days = 3")
      .run();
    expect((await readAvailability()).products[0]?.price).toBe("98.00");
  });

  // Proves "agency.md: resources": Extra: max_quantity is the maximum selectable
  test("offers at most the remaining quantity of an extra", async () => {
    await bookAsAgency({ extras: [{ code: "SEAT", quantity: 2 }] });
    expect((await readAvailability()).extras[0]).toMatchObject({ max_quantity: 2, available: true });
    await bookAsAgency({ extras: [{ code: "SEAT", quantity: 2 }] });
    expect((await readAvailability()).extras[0]).toMatchObject({ max_quantity: 0, available: false });
  });

  // Proves "agency.md: operations": GET availability: customer-language, sales-chanel-code (sic), driver-age are
  //   optional
  test("accepts the driver's age and the sales channel under the interface's field names", async () => {
    expect((await getAsAgency(createAvailabilityPath({ "sales-chanel-code": "WEB" }))).status).toBe(200);
    expect((await getAsAgency(createAvailabilityPath({ "sales-chanel-code": "NOSUCH" }))).status).toBe(400);
    expect((await getAsAgency(createAvailabilityPath({ "driver-age": "18" }))).status).toBe(400);
  });
});

describe("booking", () => {
  // Proves "agency.md: resources": Booking: status and reservation with id, reference, period, places and translations,
  //   branch, language, days
  // Proves "agency.md: resources": Booking: item_cost, extras_cost, supplements, category supplements 1 to 3,
  //   total_cost
  // Proves "agency.md: resources": Booking: product_deposit_cost, product_guarantee_cost, driver_age_deposit,
  //   total_deposit
  // Proves "agency.md: resources": All cost fields are decimal strings; products and extras are inside reservation
  // Proves "agency.md: resources": Product line: every field, unit and total
  // Proves "agency.md: resources": Extra line: every field, unit and total
  // Proves "agency.md: states": (no booking) → reserved by POST booking
  test("returns the created reservation with every sum and every line", async () => {
    const { answer, reference } = await bookAsAgency({
      customer_language: "en",
      driver_age: 22,
      return_place: 2,
      products: [{ code: "A", quantity: 2 }],
      extras: [{ code: "SEAT", quantity: 3 }, { code: "GPS" }],
    });
    expect(answer).toEqual({
      status: "reserved",
      reservation: {
        id: expect.any(Number),
        agency_reservation_id: reference,
        date_from: getBookableDay(0),
        time_from: "10:00",
        date_to: getBookableDay(3),
        time_to: "10:00",
        pickup_place_id: 1,
        pickup_place: "Aeropuerto",
        pickup_place_customer_translation: "Airport",
        return_place_id: 2,
        return_place: "Oficina",
        return_place_customer_translation: "Office",
        promotion_code: null,
        rental_location_code: "AIR",
        customer_language: "en",
        days: 3,
        item_cost: "180.00",
        extras_cost: "51.00",
        time_from_cost: "0.00",
        time_to_cost: "0.00",
        pickup_place_cost: "0.00",
        return_place_cost: "15.00",
        driver_age_cost: "30.00",
        category_supplement_1_cost: "10.00",
        category_supplement_2_cost: "0.00",
        category_supplement_3_cost: "0.00",
        total_cost: "286.00",
        product_deposit_cost: "600.00",
        product_guarantee_cost: "200.00",
        driver_age_deposit: "200.00",
        total_deposit: "1000.00",
        products: [
          {
            item_id: "A",
            item_description: "Coche pequeño",
            item_description_customer_translation: "Small car",
            item_unit_cost: "90.00",
            item_cost: "180.00",
            quantity: 2,
            category_supplement_1_unit_cost: "5.00",
            category_supplement_1_cost: "10.00",
            category_supplement_2_unit_cost: "0.00",
            category_supplement_2_cost: "0.00",
            category_supplement_3_unit_cost: "0.00",
            category_supplement_3_cost: "0.00",
            product_deposit_unit_cost: "300.00",
            product_deposit_cost: "600.00",
            product_guarantee_unit_cost: "100.00",
            product_guarantee_cost: "200.00",
          },
        ],
        extras: [
          {
            extra_id: "SEAT",
            extra_description: "Silla infantil",
            extra_description_customer_translation: "Child seat",
            extra_unit_cost: "12.00",
            quantity: 3,
            extra_cost: "36.00",
          },
          {
            extra_id: "GPS",
            extra_description: "Navegador",
            extra_description_customer_translation: "Navegador",
            extra_unit_cost: "15.00",
            quantity: 1,
            extra_cost: "15.00",
          },
        ],
      },
    });
  });

  // Proves "agency.md: operations": POST booking: customer_language, customer_document_id, customer_phone_number,
  //   customer_email may be carried
  test("stores the customer, the agency, the units to deliver and a history entry", async () => {
    const { answer } = await bookAsAgency({
      products: [{ code: "A", quantity: 2 }],
      customer_email: "ana@example.com",
      customer_phone_number: "600000000",
      customer_document_id: "X1",
    });
    const { id } = answer.reservation;
    const [booking, units, history] = await company.db.batch([
      company.db
        .prepare(
          "SELECT status, agency_id, customer_name, customer_surname, customer_email, customer_phone, customer_document_id FROM bookings WHERE id = ?",
        )
        .bind(id),
      company.db.prepare("SELECT vehicle_reference FROM booking_units WHERE booking_id = ?").bind(id),
      company.db.prepare("SELECT event, actor FROM booking_history WHERE booking_id = ?").bind(id),
    ]);
    expect(booking?.results).toEqual([
      {
        status: "confirmed",
        agency_id: 1,
        customer_name: "Ana",
        customer_surname: "Ruiz",
        customer_email: "ana@example.com",
        customer_phone: "600000000",
        customer_document_id: "X1",
      },
    ]);
    expect(units?.results).toHaveLength(2);
    expect(history?.results).toEqual([{ event: "created", actor: "agency:1" }]);
  });

  // Proves "agency.md: operations": A booking always reads as agreed with the agency
  // Proves "rentals.md": 5
  test("returns the agreed total as the sum of its parts, without costs charged at the vehicle's return", async () => {
    const { reference, answer } = await bookAsAgency();
    await company.db
      .prepare(
        "UPDATE bookings SET supplement_1_cents = 3000, supplement_2_cents = 500, total_cents = total_cents + 3500",
      )
      .run();
    expect(agencyBookingAnswer.parse(await (await readBookingAsAgency(reference)).json()).response).toEqual(answer);
  });

  // Proves "agency.md: operations": GET booking answers the same structure as create
  test("returns a booking as created, even after prices change", async () => {
    const { answer, reference } = await bookAsAgency();
    await company.db.prepare("UPDATE tariff_brackets SET price_cents = price_cents * 2").run();
    expect(agencyBookingAnswer.parse(await (await readBookingAsAgency(reference)).json()).response).toEqual(answer);
  });

  // Proves "rules.md: quotes, counts and agreements": Extras are optional; the price with an age is that of a booking
  //   with the age
  test("accepts bookings without extras, and prices by driver age if specified", async () => {
    const quoted = await readAvailability({ "driver-age": "22" });
    const createAndRead = async (changes: Parameters<typeof createAgencyReservationBody>[0]) =>
      (await bookAsAgency({ extras: undefined, ...changes })).answer.reservation;
    expect(await createAndRead({})).toMatchObject({ extras: [], driver_age_cost: "0.00", total_cost: "95.00" });
    expect(await createAndRead({ driver_age: 22 })).toMatchObject({
      driver_age_cost: quoted.driver_age_cost,
      total_cost: "125.00",
    });
  });

  // Proves "agency.md: operations": POST booking: products of code and optional quantity (default 1)
  test("returns the existing booking if it is sent again, with its fields in any order", async () => {
    const { body, answer } = await bookAsAgency({
      extras: [{ code: "SEAT" }, { code: "GPS" }],
      products: [{ code: "A" }, { code: "B" }],
    });
    const shuffled = {
      reservation: Object.fromEntries(
        Object.entries({
          ...body.reservation,
          extras: [{ quantity: 1, code: "GPS" }, { code: "SEAT" }],
          products: [{ code: "B" }, { code: "A", quantity: 1 }],
        }).reverse(),
      ),
    };
    for (const again of [body, shuffled]) {
      const response = await postAsAgency("/booking", again);
      expect(response.status).toBe(200);
      expect(agencyBookingAnswer.parse(await response.json()).response).toEqual(answer);
    }
    expect(await company.db.prepare("SELECT count(*) AS n FROM bookings").first("n")).toBe(1);
  });

  // Proves "agency.md: operations": POST booking again after it was canceled: not a success (rules.md)
  test("rejects a repeated booking after its cancellation", async () => {
    const { body, reference } = await bookAsAgency();
    await cancelBookingAsAgency(reference);
    const again = await postAsAgency("/booking", body);
    expect([again.status, await again.json()]).toEqual([
      409,
      { success: false, errors: { message: expect.stringContaining("was canceled") } },
    ]);
    expect(await company.db.prepare("SELECT count(*) AS n FROM bookings").first("n")).toBe(1);
  });

  // Proves "agency.md: operations": POST booking again, other content: 409 (rules.md)
  test.each([
    ["another period", { date_to: getBookableDay(4) }],
    ["another product", { products: [{ code: "B" }] }],
    ["another quantity", { products: [{ code: "A", quantity: 2 }] }],
    ["another customer", { customer_name: "Eva" }],
    ["another language", { customer_language: "de" }],
    ["one more extra", { extras: [{ code: "GPS" }] }],
  ])("rejects a booking with the agency reference of an earlier booking but %s", async (_, changes) => {
    const { body } = await bookAsAgency();
    const response = await postAsAgency("/booking", { reservation: { ...body.reservation, ...changes } });
    expect(response.status).toBe(409);
    expect(agencyFailureAnswer.parse(await response.json()).errors.message).toContain("agency_reservation_id");
    expect(await company.db.prepare("SELECT count(*) AS n FROM bookings").first("n")).toBe(1);
  });

  test("rejects a booking of more units than are available, naming the product, and writes nothing", async () => {
    const response = await postAsAgency(
      "/booking",
      createAgencyReservationBody({ products: [{ code: "A", quantity: 4 }] }),
    );
    expect(response.status).toBe(409);
    expect(agencyFailureAnswer.parse(await response.json()).errors.message).toContain("A");
    expect(
      await company.db
        .prepare("SELECT (SELECT count(*) FROM bookings) + (SELECT count(*) FROM stock_allocations) AS n")
        .first("n"),
    ).toBe(0);
  });

  test("rejects a booking of more extras than remain, naming the extra", async () => {
    await bookAsAgency({ extras: [{ code: "SEAT", quantity: 3 }] });
    const response = await postAsAgency(
      "/booking",
      createAgencyReservationBody({ extras: [{ code: "SEAT", quantity: 2 }] }),
    );
    expect(response.status).toBe(409);
    expect(agencyFailureAnswer.parse(await response.json()).errors.message).toContain("SEAT");
  });

  test("creates one booking with a line for each of many products", async () => {
    const codes = Array.from({ length: 20 }, (_, index) => `N${index}`);
    const json = JSON.stringify(codes);
    await company.db.batch([
      company.db
        .prepare(
          "INSERT INTO categories (code, name, vat_basis_points, created_at, last_update) SELECT value, value, 2100, 0, 0 FROM json_each(?)",
        )
        .bind(json),
      company.db
        .prepare("INSERT INTO tariffs (id, category_code) SELECT 100 + key, value FROM json_each(?)")
        .bind(json),
      company.db
        .prepare(
          "INSERT INTO tariff_brackets (tariff_id, from_days, price_cents) SELECT 100 + key, 1, 100 FROM json_each(?)",
        )
        .bind(json),
      company.db
        .prepare(
          "INSERT INTO vehicles (reference, name, category_code, branch_group_id, owner_branch_group_id, branch_code, created_at, last_update) SELECT value, value, value, 1, 1, 'AIR', 0, 0 FROM json_each(?)",
        )
        .bind(json),
    ]);
    const { answer } = await bookAsAgency({ products: codes.map((code) => ({ code })) });
    expect(answer.reservation.products.map((line) => line.item_id)).toEqual(codes);
    expect(answer.reservation.total_cost).toBe("60.00");
  });

  // Proves "agency.md: operations": GET booking of an unknown reference returns "The booking does not exist"
  test("returns 404 when an agency reads an unknown booking", async () => {
    const response = await readBookingAsAgency("nothing");
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ success: false, errors: { message: "The booking does not exist" } });
  });
});

describe("cancel-booking", () => {
  // Proves "agency.md: states": reserved → canceled by POST cancel-booking
  // Proves "agency.md: operations": POST cancel-booking answers status canceled
  test("cancels a booking, releases the unit and records who cancelled", async () => {
    const { reference, answer } = await bookAsAgency({ products: [{ code: "C" }] });
    const response = await cancelBookingAsAgency(reference);
    expect(response.status).toBe(200);
    expect(agencyCancellationAnswer.parse(await response.json())).toEqual({
      success: true,
      response: { status: "canceled" },
    });
    expect(agencyBookingAnswer.parse(await (await readBookingAsAgency(reference)).json()).response.status).toBe(
      "canceled",
    );
    expect((await readAvailability()).products.find((product) => product.code === "C")?.available).toBe(true);
    const { results } = await company.db
      .prepare("SELECT event, actor FROM booking_history WHERE booking_id = ? ORDER BY id")
      .bind(answer.reservation.id)
      .all();
    expect(results).toEqual([
      { event: "created", actor: "agency:1" },
      { event: "cancelled", actor: "agency:1" },
    ]);
  });

  // Proves "agency.md: states": Cancelling again (rules.md) answers the same
  test("returns the same response to repeated and simultaneous cancellations, with one history entry", async () => {
    const { reference } = await bookAsAgency();
    const responses = await Promise.all(Array.from({ length: 12 }, () => cancelBookingAsAgency(reference)));
    expect(responses.map((response) => response.status)).toEqual(new Array(12).fill(200));
    expect(await (await cancelBookingAsAgency(reference)).json()).toEqual({
      success: true,
      response: { status: "canceled" },
    });
    expect(
      await company.db.prepare("SELECT count(*) AS n FROM booking_history WHERE event = 'cancelled'").first("n"),
    ).toBe(1);
  });

  // Proves "agency.md: states": A contract in progress or done cannot be cancelled (rules.md)
  test.each(["in_progress", "done"])("rejects cancelling a rental that is %s", async (status) => {
    const { reference, answer } = await bookAsAgency();
    const { id } = answer.reservation;
    await company.db.prepare("UPDATE bookings SET status = 'in_progress' WHERE id = ?").bind(id).run();
    await company.db.prepare("UPDATE bookings SET status = ? WHERE id = ?").bind(status, id).run();
    expect((await cancelBookingAsAgency(reference)).status).toBe(409);
    expect(agencyBookingAnswer.parse(await (await readBookingAsAgency(reference)).json()).response.status).toBe(
      "reserved",
    );
  });

  test("returns 404 when an agency cancels an unknown booking", async () => {
    expect((await cancelBookingAsAgency("nothing")).status).toBe(404);
  });
});

describe("two agencies", () => {
  // Proves "agency.md: operations": Two agencies may use the same reference (rules.md)
  test("lets two agencies use the same reference, and shows each only its own booking", async () => {
    const { body, reference, answer } = await bookAsAgency();
    expect((await readBookingAsAgency(reference, SECOND_AGENCY)).status).toBe(404);
    expect((await cancelBookingAsAgency(reference, SECOND_AGENCY)).status).toBe(404);
    const otherPartnerResponse = await postAsAgency(
      "/booking",
      { reservation: { ...body.reservation, customer_name: "Eva" } },
      SECOND_AGENCY,
    );
    expect(otherPartnerResponse.status).toBe(200);
    expect(agencyBookingAnswer.parse(await otherPartnerResponse.json()).response.reservation.id).not.toBe(
      answer.reservation.id,
    );
    await cancelBookingAsAgency(reference, SECOND_AGENCY);
    expect(agencyBookingAnswer.parse(await (await readBookingAsAgency(reference)).json()).response.status).toBe(
      "reserved",
    );
  });
});

describe("database calls of the agency interface", () => {
  test.each([
    ["location-list", () => getAsAgency("/location-list"), 0],
    ["availability", () => getAsAgency(createAvailabilityPath()), 1],
    ["booking", () => postAsAgency("/booking", createAgencyReservationBody()), 1],
    [
      "a refused booking",
      () => postAsAgency("/booking", createAgencyReservationBody({ products: [{ code: "NOSUCH" }] })),
      1,
    ],
  ])("stays within the database budget for %s with a cached catalogue", async (_, call, calls) => {
    await getAsAgency(createAvailabilityPath());
    expect((await call()).headers.get("Server-Timing")).toContain(`calls=${calls} `);
  });

  test("reads a booking with one database call and cancels it with two", async () => {
    const { reference } = await bookAsAgency();
    expect((await readBookingAsAgency(reference)).headers.get("Server-Timing")).toContain("calls=1 ");
    expect((await cancelBookingAsAgency(reference)).headers.get("Server-Timing")).toContain("calls=2 ");
  });
});
