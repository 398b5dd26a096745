import type { ResourceListMessage } from "#worker/api/office/resources/resource-messages.ts";
import "./page.ts";
import { describe, expect, test, vi } from "vitest";
import type { CivilDate } from "#domain/dates.ts";
import { setAccount } from "../../pwa/office/src/account.ts";
import {
  buildActionBody,
  buildQuoteBody,
  getInitialActionValues,
  hasValuesForQuote,
  listMissingActionFields,
} from "../../pwa/office/src/desk/action-forms.ts";
import { listVehiclesToAssign } from "../../pwa/office/src/desk/assignable-vehicles.ts";
import {
  type FormField,
  buildRequestBody as sheetBodyOf,
  listMissingFields as sheetMissingOf,
  toApiFieldValue,
} from "../../pwa/office/src/desk/fields.ts";
import { readAllPages } from "../../pwa/office/src/desk/read-all-pages.ts";
import { toFormRefusal, translateReason } from "../../pwa/office/src/desk/refusals.ts";
import type { Reservation } from "../../pwa/office/src/desk/reservation.ts";
import { formatAmountInput, parseTypedAmount, parseTypedPercent } from "../../pwa/office/src/desk/typed-amount.ts";
import ca from "../../pwa/office/src/i18n/desk/ca.ts";
import de from "../../pwa/office/src/i18n/desk/de.ts";
import en from "../../pwa/office/src/i18n/desk/en.ts";
import es from "../../pwa/office/src/i18n/desk/es.ts";
import backCa from "../../pwa/office/src/i18n/records/ca.ts";
import backDe from "../../pwa/office/src/i18n/records/de.ts";
import backEn from "../../pwa/office/src/i18n/records/en.ts";
import backEs from "../../pwa/office/src/i18n/records/es.ts";
import taxCa from "../../pwa/office/src/i18n/tax/ca.ts";
import taxDe from "../../pwa/office/src/i18n/tax/de.ts";
import taxEn from "../../pwa/office/src/i18n/tax/en.ts";
import taxEs from "../../pwa/office/src/i18n/tax/es.ts";
import {
  formatCertificateHolder,
  formatCertificateIssuer,
  getCertificateExpiry,
} from "../../pwa/office/src/pages/certificate-facts.ts";
import { addOpeningBalanceToExpectedCash, calculateCashDifference } from "../../pwa/office/src/pages/money/money.ts";
import { normalizeDecimals } from "../../pwa/office/src/pages/normalize-decimals.ts";
import { listPhotoRows } from "../../pwa/office/src/pages/reservations/photos.tsx";
import { getActionStyle } from "../../pwa/office/src/pages/reservations/reservation-page.tsx";
import {
  buildSaleBody,
  getInitialSaleValues,
  isBuyerChanged,
  listMissingSaleFields,
  setSaleFormValue,
  toSaleQuoteRequest,
} from "../../pwa/office/src/pages/reservations/sale-form.ts";
import {
  getInitialTransferDraft,
  listMissingTransferFields as missingOfRide,
  toTransferRequest as rideBody,
  toTransferQuoteRequest as rideQuote,
  setTransferDraftValue,
} from "../../pwa/office/src/pages/transfers/transfer-draft.ts";
import { loadTexts, t } from "../../pwa/office/src/texts.ts";

const reservation = {
  id: 9,
  version: 3,
  date_from: "2030-06-01",
  time_from: "10:00",
  date_to: "2030-06-04",
  time_to: "10:00",
  pickup_place_id: 1,
  return_place_id: 2,
  customer_fullname: "Ana Ruiz Mora",
  customer_email: "ana@example.com",
  customer_phone: null,
  customer_document_id: null,
  promotion_code: "SUMMER",
  driver_age: null,
  notes: null,
  to_refund: "12.50",
  reservation_lines: [{ item_id: "ECON", quantity: 1 }],
  reservation_extras: [{ extra_id: "SEAT", quantity: 1 }],
  units: [],
} as unknown as Reservation;

describe("data sent by an action's form", () => {
  // Proves "office.md": A change sends what is another than before
  test("sends only changed fields of a reservation", () => {
    const formValues = { ...getInitialActionValues("change", reservation), date_to: "2030-06-05", notes: "by ferry" };
    expect(buildActionBody("change", formValues, reservation)).toEqual({ date_to: "2030-06-05", notes: "by ferry" });
    expect(buildQuoteBody("change", formValues, reservation)).toEqual({ move: "change", date_to: "2030-06-05" });
  });

  test("refunds by the payment's own method unless another is chosen", () => {
    const refundValues = { ...getInitialActionValues("refund", reservation), reason: "ill" };
    expect(buildActionBody("refund", refundValues, reservation)).toEqual({ amount: "12.50", reason: "ill" });
    expect(buildActionBody("refund", { ...refundValues, payment_method_id: "cash" }, reservation)).toMatchObject({
      payment_method_id: "cash",
    });
  });

  test("proposes an extension by a day, or until tomorrow if overdue, and an early return now", () => {
    vi.useFakeTimers({ now: Date.parse("2030-06-02T15:30:00Z"), toFake: ["Date"] });
    setAccount({ timezone: "Europe/Madrid" });
    expect(getInitialActionValues("extend", reservation)).toEqual({ date_to: "2030-06-05", time_to: "10:00" });
    const overdue = { ...reservation, date_to: "2030-05-31" };
    expect(getInitialActionValues("extend", overdue)).toEqual({ date_to: "2030-06-03", time_to: "10:00" });
    expect(getInitialActionValues("early-return", reservation)).toEqual({ date_to: "2030-06-02", time_to: "17:30" });
    expect(getInitialActionValues("early-return", overdue)).toEqual({ date_to: "2030-05-31", time_to: "10:00" });
    vi.useRealTimers();
  });

  test("sums the units of a product over lines with different prices", () => {
    const lines = [
      { item_id: "ECON", quantity: 1 },
      { item_id: "ECON", quantity: 2 },
      { item_id: "VAN", quantity: 1 },
    ];
    const divided = { ...reservation, reservation_lines: lines } as unknown as Reservation;
    expect(getInitialActionValues("change", divided)).toMatchObject({ category_code: "ECON", quantity: 3 });
  });

  test("sends an empty code to remove a promotion code, and all extras and both names if one of them changes", () => {
    const formValues = {
      ...getInitialActionValues("change", reservation),
      promotion_code: "",
      extras: { SEAT: 0, GPS: 2 },
      "customer.surname": "Ruiz",
    };
    expect(buildActionBody("change", formValues, reservation)).toEqual({
      promotion_code: "",
      extras: [{ code: "GPS", quantity: 2 }],
      customer: { name: "Ana", surname: "Ruiz" },
    });
  });

  test("clears optional fields that are emptied and keeps required ones", () => {
    const was = { ...reservation, customer_email: "ana@example.com", notes: "by ferry" };
    const formValues = { ...getInitialActionValues("change", was), "customer.email": " ", notes: "", date_to: "" };
    expect(buildActionBody("change", formValues, was)).toEqual({ customer: { email: null }, notes: null });
  });

  test("accepts a fee with a decimal comma, and unassigns the vehicle if none is chosen", () => {
    expect(buildActionBody("cancel", { reason: " ill ", fee: "12,50" }, reservation)).toEqual({
      reason: "ill",
      fee: "12.50",
    });
    expect(buildActionBody("assign", { reference: "" }, reservation)).toEqual({ reference: null });
    expect(listMissingActionFields("cancel", { fee: "1" })).toEqual(["reason"]);
  });

  test("requests a later charge's quote once its code is set, and excludes later charges from a change's extras", () => {
    const formValues = {
      ...getInitialActionValues("surcharge", reservation),
      amount: "12,50",
      text: " 2026/123 ",
      reason: "by post",
    };
    expect(hasValuesForQuote("surcharge", formValues)).toBe(false);
    expect(listMissingActionFields("surcharge", formValues)).toEqual(["code"]);
    const fined = { ...formValues, code: "FINE" };
    expect(hasValuesForQuote("surcharge", fined)).toBe(true);
    const body = { code: "FINE", text: "2026/123", quantity: 1, amount: "12.50" };
    expect(buildQuoteBody("surcharge", fined, reservation)).toEqual({ move: "surcharge", ...body });
    expect(buildActionBody("surcharge", fined, reservation)).toEqual({ ...body, reason: "by post" });
    const extras = [
      { extra_id: "SEAT", quantity: 1, charged_on: null },
      { extra_id: "SEAT", quantity: 2, charged_on: "2030-06-20" },
    ];
    const charged = { ...reservation, reservation_extras: extras } as unknown as Reservation;
    expect(getInitialActionValues("change", charged)).toMatchObject({ extras: { SEAT: 1 } });
  });

  test("places damage without a position in the middle of its vehicle part, and sends no empty note", () => {
    const damages = [
      { part: "roof", kind: "dent", severity: "light", note: " Hail " },
      { part: "interior", kind: "stain", severity: "medium", note: " " },
    ];
    const expectedDamages = [
      { part: "roof", kind: "dent", severity: "light", x: 500, y: 483, note: "Hail" },
      { part: "interior", kind: "stain", severity: "medium", x: 500, y: 500 },
    ];
    expect(buildActionBody("collect", { damages }, reservation)).toEqual({ damages: expectedDamages });
    expect(buildActionBody("deliver", { damages: [] }, reservation)).toEqual({});
    expect(buildActionBody("exchange", { damages_in: damages }, reservation)).toEqual({ damages_in: expectedDamages });
  });
});

describe("a new transfer", () => {
  const fillTransfer = (...formValues: readonly (readonly [name: string, value: unknown])[]) =>
    formValues.reduce(
      (ride, [name, value]) => setTransferDraftValue(ride, `transfer.${name}`, value),
      getInitialTransferDraft("2030-06-01" as CivilDate),
    );
  const outwardTransfer = fillTransfer(["outward.origin_point_id", "1"], ["outward.destination_point_id", "4"]);

  test("requests a transfer's quote once the trip is set, and allows the sale with vehicle and customer", () => {
    expect(rideQuote(getInitialTransferDraft("2030-06-01" as CivilDate))).toBeUndefined();
    const outward = { date: "2030-06-02", time: "10:00", origin_point_id: 1, destination_point_id: 4 };
    const travellers = { adults: 1, children: 0, infants: 0 };
    expect(rideQuote(outwardTransfer)).toEqual({ transfer: { outward, ...travellers, extras: [] } });
    expect(missingOfRide(outwardTransfer, [])).toEqual(["transfer.transfer_vehicle_id", "name", "surname", "phone"]);
    const soldTransfer = {
      ...setTransferDraftValue(outwardTransfer, "transfer.transfer_vehicle_id", 2),
      customer_id: 7,
      notes: " Two bags ",
    };
    expect(missingOfRide(soldTransfer, [])).toEqual([]);
    expect(rideBody(soldTransfer)).toEqual({
      transfer: { outward, ...travellers, transfer_vehicle_id: 2, extras: [] },
      ...{ customer: { id: 7 }, status: "confirmed", notes: "Two bags" },
    });
  });

  test("requires the address of an area, sends it only with the sale, and empties it for another point", () => {
    const points = [
      { id: 1, point_type: "airport" },
      { id: 4, point_type: "location" },
    ] as const;
    expect(missingOfRide(outwardTransfer, points)[0]).toBe("transfer.outward.destination_address");
    const stated = [
      ["outward.destination_address", " Mar 1 "],
      ["flight_number", "VY1234"],
      ["number_of_bags", "2"],
    ] as const;
    const withHotel = stated.reduce(
      (ride, [name, value]) => setTransferDraftValue(ride, `transfer.${name}`, value),
      setTransferDraftValue(outwardTransfer, "with_return", true),
    );
    const dated = setTransferDraftValue(withHotel, "transfer.return.date", "2030-06-05");
    const complete = setTransferDraftValue(dated, "transfer.return.time", "10:00");
    expect(missingOfRide(complete, points)).not.toContain("transfer.outward.destination_address");
    expect(rideBody(complete)?.transfer).toMatchObject({
      ...{ outward: { destination_address: "Mar 1" }, return: { origin_address: "Mar 1" } },
      ...{ flight_number: "VY1234", number_of_bags: 2 },
    });
    expect(JSON.stringify(rideQuote(complete))).not.toMatch(/Mar|VY1234/);
    const moved = setTransferDraftValue(complete, "transfer.outward.destination_point_id", "5");
    expect(JSON.stringify(rideBody(moved))).not.toContain("Mar");
  });

  test("reverses a transfer's route for the return until another is chosen, and requires the return's date", () => {
    const back = setTransferDraftValue(outwardTransfer, "with_return", true);
    expect(missingOfRide(back, [])).toContain("transfer.return.date");
    const completeTransfer = setTransferDraftValue(
      setTransferDraftValue(back, "transfer.return.date", "2030-06-05"),
      "transfer.return.time",
      "18:00",
    );
    expect(rideQuote(completeTransfer)).toMatchObject({
      transfer: { return: { origin_point_id: 4, destination_point_id: 1 } },
    });
    const overbooked = { ...completeTransfer, accept_shortage: true, shortage_reason: "A friend drives" };
    expect(rideBody(overbooked)).toMatchObject({ accept_shortage: true, reason: "A friend drives" });
    expect(missingOfRide({ ...overbooked, shortage_reason: "" }, [])).toContain("reason");
    const movedTransfer = setTransferDraftValue(completeTransfer, "transfer.outward.destination_point_id", "5");
    expect(rideQuote(movedTransfer)).toMatchObject({
      transfer: { return: { origin_point_id: 5, destination_point_id: 1 } },
    });
    const otherReturn = setTransferDraftValue(completeTransfer, "transfer.return.destination_point_id", "9");
    const late = setTransferDraftValue(otherReturn, "transfer.outward.origin_point_id", "2");
    expect(rideQuote(late)).toMatchObject({ transfer: { return: { origin_point_id: 4, destination_point_id: 9 } } });
  });
});

describe("a new reservation", () => {
  const sale = { ...getInitialSaleValues("2030-06-01" as CivilDate), pickup_place: "1" };

  test("starts a new reservation tomorrow, returns at the pickup place, and keeps its length if the pickup moves", () => {
    expect(toSaleQuoteRequest(sale, "ECON")).toMatchObject({
      date_from: "2030-06-02",
      pickup_place: 1,
      return_place: 1,
    });
    // The return date moves with the pickup date, so the rental keeps its length.
    expect(setSaleFormValue(sale, "date_from", "2030-06-20").date_to).toBe("2030-06-23");
    expect(setSaleFormValue(sale, "date_from", "2030-06-01").date_to).toBe("2030-06-04");
    expect(setSaleFormValue({ ...sale, date_to: "" }, "date_from", "2030-06-04").date_to).toBe("2030-06-07");
  });

  test("keeps the length of a new reservation while its pickup date is retyped or its pickup time moves", () => {
    const tenDays = setSaleFormValue(sale, "date_to", "2030-06-12");
    const cleared = setSaleFormValue(setSaleFormValue(tenDays, "date_from", ""), "date_from", "2030-07-01");
    expect(cleared.date_to).toBe("2030-07-11");
    expect(setSaleFormValue(tenDays, "time_from", "08:00")).toMatchObject({ time_to: "08:00", date_to: "2030-06-12" });
    const otherTime = setSaleFormValue(tenDays, "time_to", "18:00");
    expect(setSaleFormValue(otherTime, "time_from", "08:00").time_to).toBe("18:00");
  });

  test("sends language, discount and a manager's overbooking with their reasons, which a quote doesn't accept", () => {
    const typed = {
      ...{ ...sale, category_code: "ECON", customer_id: 7, customer_language: "de" },
      ...{ discount_value: "10", discount_reason: "Regular", accept_shortage: true, shortage_reason: "One is back" },
    };
    const discount = { kind: "percentage", value: "10", reason: "Regular" };
    const shortage = { accept_shortage: true, reason: "One is back" };
    expect(buildSaleBody(typed)).toMatchObject({ customer_language: "de", discount, ...shortage });
    expect(buildSaleBody({ ...typed, is_quote: true })).not.toHaveProperty("accept_shortage");
    const reasonless = { ...typed, discount_reason: "", shortage_reason: " " };
    expect(listMissingSaleFields(reasonless)).toEqual(["discount.reason", "reason"]);
  });

  test("drops confirmations about a customer only when the customer changes", () => {
    const changes = [
      { name: "Bea" },
      { email: "" },
      { customer_id: 7 },
      { notes: "by ferry" },
      { date_to: "2030-06-09" },
    ];
    expect(changes.map(isBuyerChanged)).toEqual([true, true, true, false, false]);
  });

  test("lists missing fields of a new reservation, without a name for a known customer", () => {
    expect(listMissingSaleFields(sale)).toEqual(["category_code", "name", "surname"]);
    expect(listMissingSaleFields({ ...sale, category_code: "ECON", customer_id: 7 })).toEqual([]);
    expect(listMissingSaleFields({ ...sale, category_code: "ECON", customer_id: 7, other_price: "90" })).toEqual([
      "other_price_reason",
    ]);
  });

  test("sends the ID of a known customer, and the typed data of a new one", () => {
    const chosen = { ...sale, category_code: "ECON" };
    expect(buildSaleBody({ ...chosen, customer_id: 7, name: "left over" })).toMatchObject({ customer: { id: 7 } });
    expect(buildSaleBody({ ...chosen, name: "Ana", surname: "Ruiz", extras: { SEAT: 1, GPS: 0 } })).toMatchObject({
      customer: { name: "Ana", surname: "Ruiz" },
      extras: [{ code: "SEAT", quantity: 1 }],
    });
  });
});

describe("photos of a rental", () => {
  const record = (seq: number, kind: string, sent: object, more: object = {}) =>
    ({
      ...{ resource_id: 1, kind, recorded_at: `2030-06-0${seq}T10:00:00Z`, vehicle_reference: null },
      ...{ operation: sent, ...more },
    }) as unknown as Parameters<typeof listPhotoRows>[0][number];
  const photo = (hash: string, more: object = {}) => ({ hash, view: "front", taken_at: "", ...more });
  const summarize = (records: Parameters<typeof listPhotoRows>[0]) =>
    listPhotoRows(records).map(({ vehicle, out, back }) => [
      vehicle,
      out.map(({ hash }) => hash).join(),
      back.map(({ hash }) => hash).join(),
    ]);
  const delivery = record(1, "delivery", { photos: [photo("a"), photo("b")] }, { vehicle_reference: "A-1" });

  test("shows photos of an exchange with their vehicles, and later ones on the side that the vehicle has reached", () => {
    const exchange = record(3, "exchange", {
      photos: [photo("c"), photo("d", { vehicle: "replacement" })],
      exchange: { vehicle_reference: "B-2" },
    });
    const late = record(2, "evidence", { photos: [photo("e")] });
    const collection = record(5, "collection", { photos: [photo("f")] }, { vehicle_reference: "B-2" });
    const after = record(6, "evidence", { photos: [photo("g")] }, { resource_id: null });
    expect(summarize([after, collection, exchange, late, delivery])).toEqual([
      ["A-1", "a,b,e", "c"],
      ["B-2", "d", "f,g"],
    ]);
  });

  test("omits photos that were marked as mistakes, and keeps the vehicles of several units apart", () => {
    const other = record(2, "delivery", { photos: [photo("h")] }, { resource_id: 2, vehicle_reference: "A-3" });
    const removal = record(3, "evidence", { removed_photos: ["a"] });
    expect(summarize([delivery, other, removal])).toEqual([
      ["A-1", "b", ""],
      ["A-3", "h", ""],
    ]);
  });
});

test("names each security event that becomes a task in every language", () => {
  const alerts = [
    "database_restored",
    "locked_out",
    "role_changed",
    "second_factor_removed",
    "key_changed",
    "sign_in_failed",
    "bad_signature",
  ];
  for (const texts of [ca, de, en, es]) expect(alerts.filter((event) => !(`alert.${event}` in texts))).toEqual([]);
});

test.each([
  ["es", en, es],
  ["ca", en, ca],
  ["de", en, de],
  ["es", backEn, backEs],
  ["ca", backEn, backCa],
  ["de", backEn, backDe],
  ["es", taxEn, taxEs],
  ["ca", taxEn, taxCa],
  ["de", taxEn, taxDe],
] as const)("has all desk texts in %s, with the same placeholders as in English", (_, known, table) => {
  const listPlaceholders = (text: string) =>
    [...new Set([...text.matchAll(/\{(\w+)/g)].map(([, name]) => name))].sort();
  const english = known as Readonly<Record<string, string>>;
  const faultyTexts = Object.entries(table).filter(
    ([key, text]) =>
      text.trim() === "" ||
      JSON.stringify(listPlaceholders(text)) !== JSON.stringify(listPlaceholders(english[key] ?? "")),
  );
  expect(faultyTexts).toEqual([]);
  expect(Object.keys(table).sort()).toEqual(Object.keys(known).sort());
});

describe("the form of a setting", () => {
  const fields: readonly FormField[] = [
    { name: "name", kind: "text", required: true },
    { name: "usage_units", kind: "whole" },
    { name: "stock_color", kind: "text" },
    { name: "assignable", kind: "flag" },
  ];
  const before = { name: "Ibiza", usage_units: 100, stock_color: "blue", assignable: true, version: 3 };

  test("sends only changed fields of an existing record, and emptied ones as null", () => {
    const formValues = { ...before, usage_units: "120", stock_color: " ", assignable: true };
    expect(sheetBodyOf(fields, formValues, before)).toEqual({ usage_units: 120, stock_color: null });
    expect(sheetMissingOf(fields, { ...formValues, name: " " })).toEqual(["name"]);
  });

  test("sends all filled fields of a new record", () => {
    expect(sheetBodyOf(fields, { name: "Ibiza", usage_units: "", assignable: false })).toEqual({
      name: "Ibiza",
      assignable: false,
    });
  });
});

// Proves "office.md": A drawer's difference is exact
test("calculates a cash drawer's difference exactly, with a decimal comma or point", () => {
  expect(calculateCashDifference("0,30", addOpeningBalanceToExpectedCash("0.10", "0.20"))).toBe("0.000");
  expect(calculateCashDifference("149.9", "150.00")).toBe("-0.100");
  expect(calculateCashDifference("a lot", "150.00")).toBeUndefined();
});

// Proves "office.md": A vehicle that isn't back is offered last, with its current customer
test("lists overdue vehicles with their renter after the available ones", () => {
  const vehicle = (reference: string, out: { readonly date_to: string } | null) => ({
    ...{ reference, name: reference, stock_plate: null, category_code: "A", rental_location_code: "AIR" },
    ...{ contracts: [], exchanged: [], blocks: [], inspection_due: null, insured_until: null },
    ...{ needs_cleaning: false, needs_fuel: false },
    out: out && { reservation_id: 9, customer_fullname: "Vera Late", time_to: "10:00", ...out },
  });
  const vehicles = [
    vehicle("A-1", { date_to: "2020-01-01" }),
    vehicle("A-2", { date_to: "2999-01-01" }),
    vehicle("A-3", null),
  ];
  const reservationStub = {
    ...{ id: 7, date_from: "2999-02-01", time_from: "10:00", date_to: "2999-02-03", time_to: "10:00" },
    reservation_lines: [{ item_id: "A" }],
  } as unknown as Reservation;
  const planning = { date_from: "2999-02-01", days: 3, vehicles, unassigned: [], sold: [] };
  expect(
    listVehiclesToAssign(planning, reservationStub, "2026-06-01 10:00").map(({ reference, lateWith }) => [
      reference,
      lateWith,
    ]),
  ).toEqual([
    ["A-2", undefined],
    ["A-3", undefined],
    ["A-1", "Vera Late"],
  ]);
  const leaving = listVehiclesToAssign(planning, reservationStub, "2026-06-01 10:00", true);
  expect(leaving.map(({ reference, customerOrBlockKind }) => [reference, customerOrBlockKind])).toEqual([
    ["A-3", undefined],
    ["A-1", undefined],
    ["A-2", "Vera Late"],
  ]);
});

test.each([
  ["120,5", "120.5"],
  ["18.500,50", "18500.50"],
  ["18,500.50", "18500.50"],
  ["1.234.567", "1234567"],
  ["1.234.567,8", "1234567.8"],
  ["1 250,00 €", "1250.00"],
  ["-1.250,00", "-1250.00"],
  ["18.500", "18500"],
  ["91,505", "91.505"],
  ["1.2,3", "1.2.3"],
  ["1.234,567.8", "1.234,567.8"],
  ["free", "free"],
  ["0.500", "0.500"],
  ["0,500", "0.500"],
  ["$1.500,00", "1500.00"],
])("sends an amount typed as %s as %s", (typedAmount, sentAmount) => {
  expect(parseTypedAmount(typedAmount, { decimals: 2, decimalMark: "," })).toBe(sentAmount);
});

test("reads a single separator before three digits by the user's language and the currency's decimals", () => {
  const parseAmount = (text: string, decimals: number, decimalMark: string) =>
    parseTypedAmount(text, { decimals, decimalMark });
  expect([parseAmount("91,505", 2, "."), parseAmount("18.500", 2, ".")]).toEqual(["91505", "18.500"]);
  expect([parseAmount("18,500", 3, ","), parseAmount("18.500", 3, ","), parseAmount("1.250,500", 3, ",")]).toEqual([
    "18.500",
    "18.500",
    "1250.500",
  ]);
  expect([parseAmount("18.500", 0, ","), parseAmount("18,500", 0, ",")]).toEqual(["18500", "18500"]);
});

// Proves "office.md": Amounts have the reader's decimal mark in their inputs and are read by it
test("shows an amount in an input in the reader's format, and leaves it unchanged if formatting would change its value", () => {
  const formatAmountIn = (lang: string, amount: string, currency_decimals = 2) => {
    document.documentElement.lang = lang;
    setAccount({ currency: "EUR", currency_decimals });
    return formatAmountInput(amount);
  };
  expect([formatAmountIn("de", "1250.00"), formatAmountIn("es", "30.00"), formatAmountIn("ca", "-0.50")]).toEqual([
    "1250,00",
    "30,00",
    "-0,50",
  ]);
  expect([formatAmountIn("en", "30.00"), formatAmountIn("de", "1250", 0), formatAmountIn("de", "")]).toEqual([
    "30.00",
    "1250",
    "",
  ]);
  expect([formatAmountIn("de", "18.500", 3), formatAmountIn("en", "18.500", 3)]).toEqual(["18,500", "18.500"]);
  // Thousands as typed in German. In none of these does formatting change the parsed value.
  expect([formatAmountIn("de", "1.250"), formatAmountIn("de", "free"), formatAmountIn("es", "1.250,50")]).toEqual([
    "1.250",
    "free",
    "1.250,50",
  ]);
  document.documentElement.lang = "de";
  expect(formatAmountInput("2.739", parseTypedPercent)).toBe("2,739");
});

test("accepts thousands separators in amounts, but not in coordinates and percentages", () => {
  const kinds = { address_lng: "coordinate", share: "percent", price: "money" };
  const fields = Object.entries(kinds).map(([name, kind]) => ({ name, kind })) as unknown as Parameters<
    typeof normalizeDecimals
  >[0];
  document.documentElement.lang = "de";
  setAccount({ currency: "EUR", currency_decimals: 2, timezone: "Europe/Berlin" });
  const formValues = { address_lng: "2.739", share: "7,125", price: "1.500" };
  expect(normalizeDecimals(fields, formValues)).toEqual({ address_lng: "2.739", share: "7.125", price: "1500" });
});

// Proves "office.md": … if another field defines it as one
test("reads a value by its unit field, with thousands separators for amounts but not percentages", () => {
  const units = { percentage: "percent", amount: "money" };
  const value = { kind: "measured", name: "value", column: "value", by: "type", units };
  const type = { kind: "choice", name: "type", column: "type", options: Object.keys(units) };
  const rows = { kind: "rows", name: "steps", column: "steps", fields: [type, value] };
  const fields = [type, value, rows] as unknown as Parameters<typeof normalizeDecimals>[0];
  document.documentElement.lang = "de";
  setAccount({ currency: "EUR", currency_decimals: 2, timezone: "Europe/Berlin" });
  expect(normalizeDecimals(fields, { value: "1.250" }, { type: "amount" })).toEqual({ value: "1250" });
  expect(normalizeDecimals(fields, { value: "7.125" }, { type: "percentage" })).toEqual({ value: "7.125" });
  expect(normalizeDecimals(fields, { type: "percentage", value: "12,5 %" }, { type: "amount" })).toMatchObject({
    value: "12.5",
  });
  const steps = [
    { type: "percentage", value: "7.125" },
    { type: "amount", value: "1.250" },
  ];
  expect(normalizeDecimals(fields, { steps })).toMatchObject({ steps: [{ value: "7.125" }, { value: "1250" }] });
});

// Proves "office.md": A percentage has no thousands, in any language
test.each(["en", "es", "de", "ca"])("accepts no thousands separator in a form's percentage in %s", (lang) => {
  document.documentElement.lang = lang;
  setAccount({ currency: "EUR", currency_decimals: 2, timezone: "Europe/Berlin" });
  const rate = { name: "tax_percent", kind: "percent" } as const;
  for (const typedPercent of ["7.125", "7,125", " 7,125 %"])
    expect([typedPercent, toApiFieldValue(rate, typedPercent)]).toEqual([typedPercent, "7.125"]);
  expect(toApiFieldValue(rate, "21")).toBe("21");
});

test("loads all choices beyond a page of two hundred", async () => {
  const fillTransfer: string[] = [];
  const pages = [
    { data: [{ id: 1 }], next: "200" },
    { data: [{ id: 201 }], next: null },
  ];
  vi.stubGlobal("fetch", (address: string) => {
    fillTransfer.push(address);
    return Promise.resolve(Response.json(pages[fillTransfer.length - 1]));
  });
  const { rows } = await readAllPages<ResourceListMessage>("/agents?");
  vi.unstubAllGlobals();
  expect([rows.map(({ id }) => id), fillTransfer[1]]).toEqual([
    [1, 201],
    "/api/v1/office/agents?page_size=200&after=200",
  ]);
});

test("translates the refusals of commissions by their codes", async () => {
  await loadTexts("en");
  const params = { reservation: 3041 };
  for (const code of ["commission_settled", "commission_not_settled", "commission_not_done"] as const)
    expect(translateReason({ code, params }), code).toContain("3041");
  for (const code of ["above_cost", "in_future"] as const)
    expect(translateReason({ code }), code).not.toBe(t("failed"));
});

test("names what a refused handover and a refused invoice lack in the user's language", async () => {
  await loadTexts("de");
  expect(translateReason({ code: "handover_blocked", params: { missing: "licence, signature" } })).toContain(
    "Führerschein, Unterschrift",
  );
  const fields = "customer.document_id, customer.address_street, company_document_id";
  expect(translateReason({ code: "customer_incomplete", params: { fields } })).toContain(
    "Steuernummer, Straße, Steuernummer der Firma",
  );
  await loadTexts("en");
});

test("lists vehicles with insurance or inspection expiring before return after the others", () => {
  const vehicle = (
    reference: string,
    until: { readonly inspection_due?: string; readonly insured_until?: string },
  ) => ({
    ...{ reference, name: reference, stock_plate: null, category_code: "A", rental_location_code: "AIR" },
    ...{ contracts: [], exchanged: [], blocks: [], out: null, inspection_due: null, insured_until: null, ...until },
    ...{ needs_cleaning: false, needs_fuel: false },
  });
  const vehicles = [
    vehicle("A-1", { insured_until: "2999-02-02" }),
    vehicle("A-2", { insured_until: "2999-02-04", inspection_due: "2999-02-03" }),
    vehicle("A-3", {}),
  ];
  const reservationStub = {
    ...{ id: 7, date_from: "2999-02-01", time_from: "10:00", date_to: "2999-02-03", time_to: "10:00" },
    reservation_lines: [{ item_id: "A" }],
  } as unknown as Reservation;
  const planning = { date_from: "2999-02-01", days: 3, vehicles, unassigned: [], sold: [] };
  const formValues = (now: string) =>
    listVehiclesToAssign(planning, reservationStub, now).map(({ reference, ending }) => [reference, ...ending]);
  expect(formValues("2026-06-01 10:00")).toEqual([["A-2"], ["A-3"], ["A-1", "insurance"]]);
  expect(formValues("2999-02-05 10:00")).toEqual([["A-3"], ["A-1", "insurance"], ["A-2", "inspection", "insurance"]]);
});

test.each(["en", "es", "ca", "de"] as const)(
  "names the allowed range and the allowed values of a refused field in %s",
  async (language) => {
    await loadTexts(language);
    expect(translateReason({ code: "percent", params: { min: 0, max: 100 } })).toMatch(/ 0 .* 100 /);
    const modes = translateReason({ code: "choice", params: { choices: "off, warn, block" } });
    for (const mode of ["off", "warn", "block"] as const) expect(modes).toContain(t(`option.${mode}`));
    await loadTexts("en");
  },
);

test("shows a refusal of the whole request next to the field of the form that it names", async () => {
  await loadTexts("en");
  const body = {
    error: "",
    code: "more_than_held" as const,
    detail: [{ field: "amount", message: "exceeds the card hold" }],
  };
  const sentence = translateReason({ code: "more_than_held" });
  expect(toFormRefusal({ status: 409, body }, ["amount", "reason"])).toEqual({
    fields: { amount: sentence },
    notice: t("fixFields"),
  });
  expect(toFormRefusal({ status: 409, body }, ["reason"])).toEqual({ fields: {}, notice: sentence });
});

test("names holder and issuer of a certificate without codes", () => {
  expect(formatCertificateHolder(["ES", "Coches del Sur SL", "VATES-B12345674"])).toBe(
    "Coches del Sur SL · VATES-B12345674",
  );
  expect(formatCertificateIssuer("CN=AC Prueba,2.5.4.97=#0c0f,O=Certificados de Prueba\\, S.L.,C=ES")).toBe(
    "AC Prueba · Certificados de Prueba, S.L.",
  );
  expect(formatCertificateIssuer("2.5.4.97=#0c0f")).toBe("2.5.4.97=#0c0f");
});

test("warns of a certificate from 60 days before it expires", () => {
  const expiries = ["2030-08-01", "2030-07-31", "2030-06-02", "2030-06-01"].map((day) =>
    getCertificateExpiry(`${day}T00:00:00Z`, Date.UTC(2030, 5, 1, 12)),
  );
  expect(expiries).toEqual([undefined, "soon", "soon", "expired"]);
});

test("shows adding a charge as a secondary action once a rental has ended, not as the main one", () => {
  expect([getActionStyle("surcharge", 0), getActionStyle("collect", 0)]).toEqual(["", "main"]);
  expect([getActionStyle("refund", 1), getActionStyle("cancel", 0)]).toEqual(["", "danger"]);
});

test.each([
  ["en", backEn],
  ["es", backEs],
  ["ca", backCa],
  ["de", backDe],
] as const)("fits the actions of a vehicle on a phone in two lines, in %s", (_language, texts) => {
  const actions = Object.entries(texts).filter(([key]) => key.startsWith("vehicleDo."));
  expect(actions.length).toBeGreaterThan(5);
  expect(actions.filter(([, text]) => text.length > 34)).toEqual([]);
});
