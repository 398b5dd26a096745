import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import {
  createAgencyReservationBody,
  createAvailabilityPath,
  getAsAgency,
  getBookableDay,
  postAsAgency,
} from "#support/agency.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { requestWorker } from "#support/worker.ts";
import { agencyFailureAnswer } from "#worker/api/ota/messages.ts";
import { signPathAndQuery } from "#worker/auth/signature.ts";

let company: TestCompany;

// Rejected requests change nothing, so all tests share one company.
beforeAll(async () => {
  company = await setUpCompany();
});

/** Expects a rejection in the agency format with the field in its message, and no writes. */
async function expectRefused(response: Response, fieldName: string, status = 400) {
  expect(response.status).toBe(status);
  expect(agencyFailureAnswer.parse(await response.json()).errors.message).toContain(fieldName);
  expect(await company.db.prepare("SELECT count(*) AS n FROM bookings").first("n")).toBe(0);
}

const MEBIBYTE = "a".repeat(1024 * 1024);
const unreadableTexts = [" ", "\u0000", "abc\u0000def", "🚗"];
const badTexts = ["", ...unreadableTexts];
const badDates = [...badTexts, "2026-02-30", "2027-13-01", "27-01-01", "01/02/2027", "tomorrow", "2027-02-03T10:00"];
const badTimes = [...badTexts, "25:99", "24:00", "10:60", "9:00", "10.00", "noon"];
const wrongPlaces = ["-1", "1.5", "1e3", "99", "999999999999", "0x1", "airport"];
const badPlaces = [...badTexts, ...wrongPlaces];

// Proves "conventions.md": Language parameters take an ISO 639-1 two-letter code
// Proves "conventions.md": Dates are yyyy-mm-dd and times are hh:mm
// Proves "agency.md: operations": GET availability: date-from, time-from, pickup-place, date-to, time-to, return-place
//   are required
describe("a query parameter of availability", () => {
  const invalidValues = {
    "date-from": [undefined, ...badDates, getBookableDay(-100)],
    "date-to": [undefined, ...badDates, getBookableDay(-1), getBookableDay(400)],
    "time-from": [undefined, ...badTimes],
    "time-to": [undefined, ...badTimes],
    "pickup-place": [undefined, ...badPlaces, "5", "4"],
    "return-place": [undefined, ...badPlaces, "3", "4"],
    "customer-language": [...unreadableTexts, "e", "eng", "zz", "12", "es-ES"],
    "sales-chanel-code": [...unreadableTexts, "NOSUCH"],
    "driver-age": [...unreadableTexts, "-1", "20", "22.5", "121", "young"],
  };
  const cases = Object.entries(invalidValues).flatMap(([name, values]) =>
    values.map((value) => [name, value] as const),
  );

  test.each(cases)("rejects an availability search with %s as %j, naming the parameter", async (name, value) => {
    await expectRefused(await getAsAgency(createAvailabilityPath({ [name]: value })), name);
  });

  test.each(Object.keys(invalidValues))(
    "rejects an availability search that repeats %s, naming the parameter",
    async (name) => {
      const path = createAvailabilityPath({
        "customer-language": "es",
        "sales-chanel-code": "WEB",
        "driver-age": "30",
      });
      const value = new URLSearchParams(path.split("?")[1]).get(name);
      await expectRefused(await getAsAgency(`${path}&${name}=${value}`), name);
    },
  );
});

test.each([...unreadableTexts, ...wrongPlaces, "5"])(
  "rejects location-list for the pickup place %j, naming the field",
  async (value) => {
    await expectRefused(
      await getAsAgency(`/location-list?${new URLSearchParams({ "pickup-place-id": value })}`),
      "pickup-place-id",
    );
  },
);

test.each([...badTexts, "a".repeat(101)])("rejects reading the reference %j, naming the field", async (value) => {
  await expectRefused(
    await getAsAgency(`/booking?${new URLSearchParams({ "agency-reservation-id": value })}`),
    "agency-reservation-id",
  );
});

test("rejects reading a booking without a reference, naming the field", async () => {
  await expectRefused(await getAsAgency("/booking"), "agency-reservation-id");
});

// Proves "rules.md: sales and payments": Empty texts are absent values, for agencies
// Proves "rules.md: quotes, counts and agreements": Ids of places are numbers or decimal texts
// Proves "rentals.md": 18e
test("treats empty text as absent, and accepts a place as decimal text", async () => {
  onTestFinished(async () => {
    company = await setUpCompany();
  });
  const emptyParameters = { "customer-language": "", "sales-chanel-code": "", "driver-age": "" };
  const searchResponse = await getAsAgency(createAvailabilityPath());
  expect(await (await getAsAgency(createAvailabilityPath(emptyParameters))).json()).toEqual(
    await searchResponse.json(),
  );
  const body = createAgencyReservationBody({
    pickup_place: "1",
    return_place: "1",
    sales_channel_code: "",
    customer_language: "",
    customer_document_id: "",
    customer_phone_number: "",
    customer_email: "",
    driver_age: "",
  });
  const response = await postAsAgency("/booking", body);
  expect(response.status).toBe(200);
  expect(await response.json()).toMatchObject({
    response: { reservation: { pickup_place_id: 1, return_place_id: 1 } },
  });
});

test.each([-1, 1.5, 1e9, 2 ** 53, 1e300])(
  "rejects a booking at the pickup place %d with one error message",
  async (pickup_place) => {
    const refused = await postAsAgency("/booking", createAgencyReservationBody({ pickup_place }));
    expect(agencyFailureAnswer.parse(await refused.json()).errors.message).toBe(
      "reservation.pickup_place: must be a place identifier, a whole number",
    );
  },
);

// Proves "agency.md: resources": Envelope: success false and errors.message on failure
// Proves "agency.md: operations": POST booking: required members of reservation
// Proves "rules.md: quotes, counts and agreements": An agency's booking has at least one product; unknown ones are
//   refused by name
describe("a member of a reservation", () => {
  const notText = [undefined, null, 5, true, {}, []];
  const invalidValues = {
    date_from: [...notText, ...badDates, getBookableDay(-100)],
    date_to: [...notText, ...badDates, getBookableDay(-1), getBookableDay(400)],
    time_from: [...notText, ...badTimes],
    time_to: [...notText, ...badTimes],
    pickup_place: [undefined, null, ...badPlaces, true, {}, [], -1, 1.5, 99, 1e9, 1e300, 5, 4],
    return_place: [undefined, null, ...badPlaces, true, {}, [], -1, 1.5, 99, 1e9, 1e300, 3, 4],
    customer_name: [...notText, ...badTexts, "a".repeat(101), "a\nb", "\ud800"],
    customer_surname: [...notText, ...badTexts, "a".repeat(101)],
    agency_reservation_id: [...notText, ...badTexts, "a".repeat(101)],
    customer_language: [5, {}, [], ...unreadableTexts, "eng", "zz"],
    sales_channel_code: [5, {}, [], ...unreadableTexts, "NOSUCH"],
    customer_document_id: [5, {}, ...unreadableTexts, "a".repeat(51)],
    customer_phone_number: [5, {}, ...unreadableTexts, "1".repeat(31)],
    customer_email: [5, {}, ...unreadableTexts, "nobody", "a b@example.com"],
    driver_age: ["22", {}, -1, 22.5, 121, 20],
    products: [
      undefined,
      null,
      "A",
      {},
      [],
      [null],
      ["A"],
      [{}],
      [{ code: 5 }],
      [{ code: "" }],
      [{ code: "NOSUCH" }],
      [{ code: "HIDDEN" }],
    ],
    extras: ["GPS", {}, [null], [{}], [{ code: 5 }], [{ code: "NOSUCH" }], [{ code: "GPS", quantity: 2 }]],
  };
  const cases = Object.entries(invalidValues).flatMap(([name, values]) =>
    (values as unknown[]).map((value) => [name, value] as const),
  );

  test.each(cases)("rejects a booking with %s as %j, naming the field", async (name, value) => {
    await expectRefused(await postAsAgency("/booking", createAgencyReservationBody({ [name]: value })), name);
  });

  const badQuantities = [0, -1, 1.5, 1e9, "1", true, {}];
  // Proves "rules.md: quotes, counts and agreements": `quantity` is at least 1
  test.each(badQuantities)("rejects the quantity %j, naming the field", async (quantity) => {
    await expectRefused(
      await postAsAgency("/booking", createAgencyReservationBody({ products: [{ code: "A", quantity }] })),
      "quantity",
    );
    await expectRefused(
      await postAsAgency("/booking", createAgencyReservationBody({ extras: [{ code: "SEAT", quantity }] })),
      "quantity",
    );
  });
});

describe("a body", () => {
  test.each(["", "{", "{'a':1}", "[]", "null", "5", '"text"', '{"reservation":', "\u0000"])(
    "rejects a booking and a cancellation with the body %j",
    async (body) => {
      await expectRefused(await postAsAgency("/booking", body), "body");
      await expectRefused(await postAsAgency("/cancel-booking", body), "body");
    },
  );

  test.each(["{}", '{"reservation":null}', '{"reservation":[]}', '{"reservation":"x"}', '{"Reservation":{}}'])(
    "rejects a booking and a cancellation without a reservation object: %j",
    async (body) => {
      await expectRefused(await postAsAgency("/booking", body), "reservation");
      await expectRefused(await postAsAgency("/cancel-booking", body), "reservation");
    },
  );

  test.each(["__proto__", "constructor", "prototype"])(
    "rejects a body with the unknown field %s, naming it",
    async (name) => {
      const text = JSON.stringify(createAgencyReservationBody());
      await expectRefused(await postAsAgency("/booking", text.replace("{", `{"${name}":{"status":"done"},`)), name);
      await expectRefused(
        await postAsAgency("/booking", text.replace('"customer_name"', `"${name}":{},"customer_name"`)),
        name,
      );
    },
  );

  test("rejects a body with a repeated field, naming it", async () => {
    const text = JSON.stringify(createAgencyReservationBody());
    await expectRefused(
      await postAsAgency("/booking", text.replace('"customer_name"', '"customer_name":"Eva","customer_name"')),
      "customer_name",
    );
    await expectRefused(
      await postAsAgency("/booking", text.replace('"customer_name"', '"customer_\\u006eame":"Eva","customer_name"')),
      "customer_name",
    );
  });

  // Proves "rules.md and conventions.md: the agency interface": 413 for a body over 1 MiB
  test("rejects a body over 1 MiB before reading it", async () => {
    await expectRefused(
      await postAsAgency("/booking", createAgencyReservationBody({ customer_name: MEBIBYTE })),
      "1 MiB",
      413,
    );
  });

  test("rejects a name of almost 1 MiB, naming the field", async () => {
    await expectRefused(
      await postAsAgency("/booking", createAgencyReservationBody({ customer_name: MEBIBYTE.slice(2000) })),
      "customer_name",
    );
  });

  test("ignores fields that the agency can't set", async () => {
    onTestFinished(async () => {
      company = await setUpCompany();
    });
    const body = createAgencyReservationBody({
      status: "cancelled",
      total_cost: "0.01",
      id: 7,
      agency_id: 2,
      free_access_id: "x",
    });
    const response = await postAsAgency("/booking", body);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      response: { status: "reserved", reservation: { total_cost: "95.00" } },
    });
    expect(await company.db.prepare("SELECT agency_id FROM bookings").first("agency_id")).toBe(1);
  });

  // Proves "conventions.md": Requests and responses are JSON; requests carry Content-Type: application/json
  test.each([undefined, "text/plain", "application/x-www-form-urlencoded", "application/jsonp"])(
    "rejects a body with the content type %s",
    async (type) => {
      const body = JSON.stringify(createAgencyReservationBody());
      const response = await requestWorker("http://acme.localhost/api/booking/ota/booking", {
        method: "POST",
        headers: {
          Authorization: `agency:${await signPathAndQuery("agency-secret", "/api/booking/ota/booking", body)}`,
          ...(type && { "Content-Type": type }),
        },
        body: new TextEncoder().encode(body),
      });
      await expectRefused(response, "application/json", 415);
    },
  );
});

describe("an address", () => {
  test("returns 404 in the standard envelope for an unknown endpoint", async () => {
    await expectRefused(await getAsAgency("/nothing"), "no such endpoint", 404);
    await expectRefused(await getAsAgency("/"), "no such endpoint", 404);
  });

  test.each([
    ["PUT", "/booking", "GET, POST"],
    ["DELETE", "/booking", "GET, POST"],
    ["POST", "/availability", "GET"],
    ["GET", "/cancel-booking", "POST"],
    ["OPTIONS", "/location-list", "GET"],
  ])("answers %s %s with 405 and the allowed methods", async (method, path, allowed) => {
    const response = await requestWorker(`http://acme.localhost/api/booking/ota${path}`, { method });
    expect(response.headers.get("Allow")).toBe(allowed);
    await expectRefused(response, allowed, 405);
  });
});
