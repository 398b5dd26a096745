import { describe, expect, test } from "vitest";
import type { CheckInDayBooking, CheckInDayUnit } from "#domain/check-in/day.ts";
import {
  type ContractTextSettings,
  collectContractTextData,
  collectReturnRecordData,
  formatCustomerAddress,
  formatVehicleName,
  summarizeCategoryCounts,
} from "#domain/printing/contract-facts.ts";

const CONTEXT = { language: "es", country: "ES", terms: "1. Use", money: { currency: "EUR", decimals: 2 } };
const READING = { at: 5, kilometres: 1000, fuelEighths: 8 };
const RATES = { extraDayCents: 5000, fuelEighthCents: 1200, kilometresIncluded: 900, extraKilometreCents: 15 };

function createDamage(bookingId: number | null, opId: string | null, changes: object = {}) {
  return { bookingId, opId, part: "bonnet", kind: "scratch", severity: "light", x: 1, y: 2, note: null, ...changes };
}

function createDayUnit(changes: object = {}): CheckInDayUnit {
  const damages = [createDamage(null, null), createDamage(7, "op-out", { note: "2 cm" }), createDamage(7, "op-back")];
  const vehicle = { brand: "SEAT", model: "Ibiza", name: "A-1", plate: "1234 KLM", reference: "A-1", fuel: "electric" };
  return {
    ...{ unitId: 70, categoryName: "Economy", delivery: READING, collection: undefined, earlier: { days: 0 } },
    ...{ rates: RATES, vehicle: { ...vehicle, damages } },
    ...changes,
  } as unknown as CheckInDayUnit;
}

/** Creates a contract over 205.00: a vehicle at 150.00 after a discount of 20.00, two seats, and supplements. */
function createDayBooking(changes: object = {}): CheckInDayBooking {
  return {
    ...{ id: 7, days: 3, period: "period", pickupPlace: "Airport", returnPlace: "Town", contractData: {} },
    customer: { name: "Ana", surname: "", documentId: null, phone: "600", email: null },
    units: [createDayUnit(), createDayUnit()],
    // Two seats at 17.00, of which 4.00 were given away.
    extras: [{ code: "SEAT", name: "Seat", quantity: 2, unitCents: 1700, cents: 3000 }],
    ...{ itemCents: 15_000, extrasCents: 3000, discountCents: 2400, totalCents: 20_500 },
    ...{ totalPaidCents: 8000, notOwedCents: 2500, creditedCents: 500, totalDepositCents: 30_000 },
    operations: [
      { opId: "op-out", kind: "delivery" },
      { opId: "op-back", kind: "collection" },
    ],
    ...changes,
  } as unknown as CheckInDayBooking;
}

const around = { ...CONTEXT, lessor: { name: "Acme" } } as unknown as ContractTextSettings;

describe("a contract's facts", () => {
  const getFacts = () => collectContractTextData(createDayBooking(), createDayUnit(), around);

  test("shows list prices on a contract, and the discount on a separate line", () => {
    const { prices } = getFacts();
    expect(prices).toEqual({
      // 150.00 and the vehicle's part of the discount: 24.00 without the seats' 4.00.
      itemCents: 17_000,
      extras: [{ code: "SEAT", name: "Seat", quantity: 2, unitCents: 1700, cents: 3400 }],
      ...{ discountCents: 2400, supplementsCents: 2500, totalCents: 20_500 },
      // 80.00, and the 20.00 that an agent kept.
      ...{ paidCents: 10_000, creditedCents: 500, depositCents: 30_000 },
    });
    const { itemCents, extras, discountCents = 0, supplementsCents, totalCents } = prices;
    const listed = itemCents + extras.reduce((sum, { cents }) => sum + cents, 0);
    expect(listed - discountCents + supplementsCents).toBe(totalCents);
  });

  test("marks damage found at this delivery as new on a contract, and omits later damage", () => {
    expect(getFacts().damages.map(({ note, isNew }) => [note, isNew])).toEqual([
      [undefined, false],
      ["2 cm", true],
    ]);
  });

  test("includes vehicle, categories and customer in a contract's data", () => {
    expect(getFacts()).toMatchObject({
      ...{
        bookingId: 7,
        customerName: "Ana",
        categoryName: "2 × Economy",
        terms: "1. Use",
        out: READING,
        rates: RATES,
      },
      vehicle: { name: "SEAT Ibiza", plate: "1234 KLM", isElectric: true },
      customer: { documentId: undefined, phone: "600", email: undefined, address: undefined },
    });
    const unplated = createDayUnit({
      vehicle: { brand: null, model: null, name: "Boat", plate: null, reference: "B-1" },
    });
    expect(collectContractTextData(createDayBooking(), unplated, around).vehicle).toEqual({
      ...{ name: "Boat", plate: "B-1", isElectric: false },
    });
    expect(collectContractTextData(createDayBooking(), createDayUnit({ vehicle: undefined }), around)).toMatchObject({
      ...{ vehicle: undefined, damages: [] },
    });
  });

  test("lists only drivers of whom the contract contains some data", () => {
    const contractData = {
      ...{ driver_name: "Ana", driver_surname: "Ruiz", driver_driving_license_number: "99", driver_document_id: "" },
      ...{ additional_driver_1_name: "", additional_driver_2_date_of_birth: "1980-02-03" },
    };
    expect(collectContractTextData(createDayBooking({ contractData }), createDayUnit(), around).drivers).toEqual([
      { name: "Ana Ruiz", documentId: undefined, licence: "99", licenceExpires: undefined, born: undefined },
      { name: "", documentId: undefined, licence: undefined, licenceExpires: undefined, born: "1980-02-03" },
    ]);
  });
});

describe("the facts of a return", () => {
  const item = { returned: undefined, closing: undefined } as unknown as Parameters<typeof collectReturnRecordData>[3];

  test("returns no data for a return record before the vehicle is returned", () => {
    expect(collectReturnRecordData(createDayBooking(), createDayUnit(), around, item)).toBeUndefined();
  });

  test("marks damage found after the delivery as new in a return record", () => {
    const back = { ...READING, kilometres: 1400 };
    const facts = collectReturnRecordData(createDayBooking(), createDayUnit({ collection: back }), around, item);
    expect(facts).toMatchObject({ out: READING, back, agreed: "period", rates: RATES, earlier: { days: 0 } });
    expect(facts?.damages.map(({ isNew }) => isNew)).toEqual([false, false, true]);
  });
});

test.each([
  [{ customer_address_street: "Mayor", customer_address_number: "1", customer_address_zip: "07001" }, "Mayor 1, 07001"],
  [{ customer_address_city: "Palma", driver_address_country: "ES", driver_address_city: "Inca" }, "Palma, ES"],
  [{ driver_address_complement: "2A", customer_address_state: "Baleares" }, "2A, Baleares"],
  [{ customer_address_street: "" }, undefined],
  [{}, undefined],
])("joins the customer's address in %o to one line: %s", (data, address) => {
  expect(formatCustomerAddress(data)).toBe(address);
});

test.each([
  [["Economy"], "Economy"],
  [["Economy", "Van", "Economy"], "2 × Economy, Van"],
  [[], ""],
])("summarizes a contract's categories %j as %s", (names, summary) => {
  expect(summarizeCategoryCounts(names)).toBe(summary);
});

test("uses the vehicle's own name if make and model are empty", () => {
  expect(formatVehicleName({ brand: "SEAT", model: null, name: "A-1" })).toBe("SEAT");
  expect(formatVehicleName({ brand: null, model: "", name: "A-1" })).toBe("A-1");
});
