import { beforeEach, expect, inject, test } from "vitest";
import {
  cancelBookingAsAgency,
  createAgencyReservationBody,
  getBookableDay,
  postAsAgency,
  readBookingAsAgency,
  SECOND_AGENCY,
} from "#support/agency.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { issueInvoiceAndCreditItsTax } from "#support/tax-records.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { agencyBookingAnswer } from "#worker/api/ota/booking-messages.ts";

let company: TestCompany;
let reference = "";

beforeEach(async () => {
  company = await setUpCompany();
  reference = await book();
});

async function book(changes: object = {}): Promise<string> {
  const body = createAgencyReservationBody({ ...changes });
  expect((await postAsAgency("/booking", body)).status).toBe(200);
  return String(body.reservation["agency_reservation_id"]);
}
const change = (members: object, partner = {}, agencyReservationId = reference) =>
  postAsAgency("/change-booking", { reservation: { agency_reservation_id: agencyReservationId, ...members } }, partner);
const parse = async (answer: Response) => agencyBookingAnswer.parse(await answer.json()).response.reservation;
const refusal = async (answer: Response) => [
  answer.status,
  (await answer.json<{ success: boolean; errors: { message: string } }>()).errors.message,
];
const history = async () =>
  (
    await company.db
      .prepare("SELECT actor, event FROM booking_history WHERE event = 'changed' ORDER BY id")
      .all<{ actor: string; event: string }>()
  ).results;

// Proves "agency.md": Changing a booking (addition)
test("changes period, product, extras and driver of a booking at the prices of a new one", async () => {
  const requested = {
    ...{ date_to: getBookableDay(5), time_to: "12:00", return_place: 2, products: [{ code: "B", quantity: 1 }] },
    ...{ extras: [{ code: "GPS", quantity: 1 }], driver_age: 22, customer_name: "Eva" },
  };
  const changed = await change(requested);
  expect(changed.status).toBe(200);
  const reservation = await parse(changed);
  expect(reservation).toMatchObject({
    ...{
      agency_reservation_id: reference,
      date_from: getBookableDay(0),
      date_to: getBookableDay(5),
      time_to: "12:00",
      return_place_id: 2,
    },
    ...{ products: [{ item_id: "B", quantity: 1 }], extras: [{ extra_id: "GPS", quantity: 1 }] },
  });
  expect(await parse(await readBookingAsAgency(reference))).toEqual(reservation);
  const name = "SELECT customer_name FROM bookings WHERE agency_reservation_id = ?";
  expect(await company.db.prepare(name).bind(reference).first("customer_name")).toBe("Eva");
  // The car is free again for a booking with the same content.
  await cancelBookingAsAgency(reference);
  const other = await parse(await readBookingAsAgency(await book({ ...requested, customer_name: "Ana" })));
  expect(reservation.total_cost).toBe(other.total_cost);
});

test("books with a promotion code, keeps it when other members change, and removes it with an empty one", async () => {
  const code = { promotion_code: "welcome10" };
  const regular = await parse(await readBookingAsAgency(reference));
  expect(regular.promotion_code).toBeNull();
  const promoted = await parse(await readBookingAsAgency(await book(code)));
  expect(promoted.promotion_code).toBe("WELCOME10");
  expect(Number(promoted.item_cost)).toBeLessThan(Number(regular.item_cost));
  expect(await parse(await change(code))).toMatchObject({ total_cost: promoted.total_cost });
  expect((await parse(await change({ customer_name: "Eva", customer_email: "" }))).promotion_code).toBe("WELCOME10");
  const removed = await parse(await change({ promotion_code: "" }));
  expect([removed.promotion_code, removed.total_cost]).toEqual([null, regular.total_cost]);
  expect(await refusal(await change({ promotion_code: "NOSUCH" }))).toEqual([
    400,
    expect.stringMatching(/^reservation\.promotion_code: /),
  ]);
  const unknown = createAgencyReservationBody({ promotion_code: "NOSUCH" });
  expect((await postAsAgency("/booking", unknown)).status).toBe(400);
});

test("applies all parallel changes of one booking", async () => {
  const names = Array.from(
    { length: inject("isThorough") ? 60 : 12 },
    (_, index) => `Eva ${String.fromCharCode(65 + (index % 26))}`,
  );
  const answers = await Promise.all(names.map((customer_name) => change({ customer_name })));
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
  expect(await history()).toHaveLength(names.length);
});

// Proves "agency.md": Changing a booking: repeated
test("changes nothing when an agency repeats a change of a booking", async () => {
  const [first, again] = [
    await parse(await change({ date_to: getBookableDay(4) })),
    await parse(await change({ date_to: getBookableDay(4) })),
  ];
  expect(again).toEqual(first);
  expect(await history()).toEqual([{ actor: "agency:1", event: "changed" }]);
});

// Proves "agency.md": Changing a booking: refusals
test("rejects changes of other agencies' bookings, of cancelled, started or delivered ones, and to unavailable vehicles", async () => {
  expect(await refusal(await change({ date_to: getBookableDay(4) }, SECOND_AGENCY))).toEqual([404, expect.any(String)]);
  expect(await refusal(await change({ date_to: getBookableDay(4) }, {}, "unknown"))).toEqual([404, expect.any(String)]);
  expect((await refusal(await change({ products: [{ code: "A", quantity: 99 }] })))[0]).toBe(409);
  const several = await book({ products: [{ code: "A" }, { code: "B" }] });
  expect(await refusal(await change({ products: [{ code: "A" }] }, {}, several))).toEqual([
    400,
    expect.stringContaining("reservation.products"),
  ]);
  await cancelBookingAsAgency(reference);
  expect((await refusal(await change({ date_to: getBookableDay(4) })))[0]).toBe(409);
  const started = await book();
  const past = "UPDATE bookings SET date_from = date(date_from, '-200 days') WHERE agency_reservation_id = ?";
  await company.db.prepare(past).bind(started).run();
  expect((await refusal(await change({ date_to: getBookableDay(4) }, {}, started)))[0]).toBe(409);
  const delivered = await book({ extras: [{ code: "SEAT" }] });
  const handOver = "UPDATE bookings SET status = 'in_progress' WHERE agency_reservation_id = ?";
  await company.db.prepare(handOver).bind(delivered).run();
  expect(await refusal(await change({ extras: [] }, {}, delivered))).toEqual([409, "its pickup time has passed"]);
  expect(await history()).toEqual([]);
});

test.each([
  ["date_to", { date_to: "soon" }],
  ["return_place", { return_place: 999 }],
  ["products", { products: [] }],
  ["extras", { extras: [{ code: "NOSUCH" }] }],
  ["customer_email", { customer_email: "nowhere" }],
])("rejects a change with a wrong %s, naming the field", async (member, members) => {
  expect(await refusal(await change(members))).toEqual([400, expect.stringContaining(member)]);
});

test("refuses to cancel a booking or lower its price after its tax was recovered for an unpaid debt", async () => {
  await addTestUsers();
  const row = await company.db
    .prepare("SELECT id FROM bookings WHERE agency_reservation_id = ?")
    .bind(reference)
    .first<{ id: number }>();
  await issueInvoiceAndCreditItsTax(await createToken("boss"), row?.id ?? 0);
  const refused = [409, "the tax of its invoice was recovered, so the invoice can't be credited"];
  expect(await refusal(await cancelBookingAsAgency(reference))).toEqual(refused);
  expect(await refusal(await change({ date_to: getBookableDay(2) }))).toEqual(refused);
});
