import "./page.ts";
import { describe, expect, test } from "vitest";
import { toDraftFields, toOperation } from "#app/state/draft-operations.ts";
import { isDriverComplete, listDriverWarnings, mergeScannedDriver, toApiDriver } from "#app/state/driver-documents.ts";
import { createBooking, createCheckInSettings } from "#support/check-in/day.ts";
import { createDraft } from "./phone.ts";

const booking = createBooking(1, "2027-05-03", { date_to: "2027-05-06" });
const unknown = { ...booking, drivers: [] };
const settings = createCheckInSettings("Ana", "operator");

describe("a driver's documents", () => {
  test("combines a driver's scanned data with known data, which an empty scanned field doesn't replace", () => {
    expect(mergeScannedDriver(booking, { document_id: " X-22 ", driving_license_number: "" })[0]).toMatchObject({
      ...{ document_id: "X-22", driving_license_number: "B-9921", date_of_birth: "1988-02-11" },
    });
  });

  test("adds a main driver before the additional drivers if a booking has none", () => {
    const other = { ...booking.drivers[0], position: "additional_driver_1" as const, full_name: "Eva" };
    const [main, second] = mergeScannedDriver(
      { ...booking, drivers: [other as (typeof booking.drivers)[number]] },
      { name: "Ana" },
    );
    expect([main?.full_name, second?.full_name]).toEqual(["Ana", "Eva"]);
    expect(mergeScannedDriver(unknown, {})).toEqual([]);
  });

  test("treats a driver's data as complete only with document, licence and expiry date", () => {
    const [driver] = booking.drivers;
    const isCompleteWithout = (name?: string) =>
      isDriverComplete(
        { ...booking, drivers: driver ? [{ ...driver, ...(name && { [name]: null }) }] : [] },
        undefined,
      );
    expect(isCompleteWithout()).toBe(true);
    const required = ["document_id", "driving_license_number", "driving_license_expiration_date"];
    expect(required.map(isCompleteWithout)).toEqual([false, false, false]);
    expect(isDriverComplete(unknown, { document_id: "1" })).toBe(false);
  });

  // Proves "check-in.md": T26
  test.each([
    [
      "a licence that ends while the customer has the vehicle",
      { driving_license_expiration_date: "2027-05-05" },
      ["licence_expired"],
    ],
    ["an age that the company doesn't accept", { date_of_birth: "2010-01-01" }, ["driver_age"]],
    [
      "both",
      { driving_license_expiration_date: "2020-01-01", date_of_birth: "2010-01-01" },
      ["licence_expired", "driver_age"],
    ],
    ["none for valid data", {}, []],
  ])("lists the warnings about a driver: %s", (_what, read, warnings) => {
    expect(listDriverWarnings(booking, read, settings)).toEqual(warnings);
  });

  test("shows no driver warning if the device lacks the rules", () => {
    expect(listDriverWarnings(booking, { date_of_birth: "2010-01-01" }, undefined)).toEqual([]);
  });

  test("sends a driver's documents without blanks and the parking place, and restores them in a repeated operation", () => {
    const parking = { parking_place: "B 14", needs_cleaning: true };
    const draft = createDraft(1, "delivery", { driver: { document_id: " X ", surname: " " }, standing: parking });
    const operation = toOperation(draft);
    expect(operation).toMatchObject({ driver: { document_id: "X" }, standing: parking });
    expect(toApiDriver({ surname: "" })).toBeUndefined();
    expect(toDraftFields({ ...operation, op_id: "1", device_id: "device-1", seq: 1 })).toMatchObject({
      driver: { document_id: "X" },
      standing: parking,
    });
    expect(toOperation(createDraft(1, "delivery"))).not.toHaveProperty("driver");
  });

  test("warns if a scanned passport expires before the rental", () => {
    const booking = createBooking(1, "2027-05-03", { drivers: [] });
    expect(listDriverWarnings(booking, undefined, {}, "2027-05-02")).toEqual(["document_expired"]);
    expect(listDriverWarnings(booking, undefined, {}, "2027-05-03")).toEqual([]);
  });
});
