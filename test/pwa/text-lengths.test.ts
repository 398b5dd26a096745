import "./page.ts";
import { createElement } from "preact";
import { beforeEach, describe, expect, test } from "vitest";
import { loadTexts } from "#app/i18n/texts.ts";
import type { WorkDraft } from "#app/offline/items.ts";
import { ParkingFields } from "#app/screens/work/parking-fields.tsx";
import { createDraft } from "#app/state/draft-operations.ts";
import { getTextTooLongMessage, listStepsWithLongText, MAX_LENGTHS } from "#app/state/text-lengths.ts";
import { createBooking, createUnit } from "#support/check-in/day.ts";
import { renderComponent } from "./render.ts";

const work = (kind: WorkDraft["kind"], changes: Partial<WorkDraft>): WorkDraft => ({
  ...createDraft(createBooking(1, "2027-05-03"), createUnit(1), kind, "key", "Ana"),
  ...changes,
});
const long = (limit: keyof typeof MAX_LENGTHS) => "x".repeat(MAX_LENGTHS[limit] + 1);
const DAMAGE = { damage_id: "d", part: "roof", kind: "dent", severity: "light", x: 1, y: 1 } as const;
const CHARGE = { charge_id: "c", kind: "payment", amount: "1.00", payment_method_id: "credit_card" } as const;
const SIGNED = { method: "absent", name: "Ana", signed_at: "2027-05-03T10:00:00.000Z" } as const;

beforeEach(() => loadTexts("en"));

describe("texts that are too long for the server", () => {
  test("accepts text up to the server's maximum length, counting an emoji as one character and ignoring outer spaces", () => {
    expect(getTextTooLongMessage("key_number", ` ${"🚗".repeat(30)} `)).toBeUndefined();
    expect(getTextTooLongMessage("key_number", "x".repeat(31))).toBe("Enter at most 30 characters.");
    expect(getTextTooLongMessage("key_number", undefined)).toBeUndefined();
  });

  test("refuses a pasted text at its field without cutting it", () => {
    const draft = work("collection", { standing: { key_number: long("key_number"), parking_place: "A 12" } });
    const view = renderComponent(createElement(ParkingFields, { draft }));
    const [place, keyNumber] = view.list("label");
    expect(place?.textContent).not.toContain("Enter at most");
    expect(keyNumber?.textContent).toContain("Enter at most 30 characters.");
    expect(view.list("input").find(({ name }) => name === "key_number")).toMatchObject({ value: long("key_number") });
    view.close();
  });

  test.each([
    ["readings", work("delivery", { notes: long("notes") })],
    ["photos", work("evidence", { notes: long("notes") })],
    ["readings", work("collection", { standing: { parking_place: long("parking_place") } })],
    ["damage", work("exchange", { damages: [{ ...DAMAGE, note: long("damageNote") }] })],
    ["damage_out", work("exchange", { damages: [{ ...DAMAGE, vehicle: "replacement", note: long("damageNote") }] })],
    ["money", work("delivery", { charges: [{ ...CHARGE, external_operation_number: long("operationNumber") }] })],
    ["sign", work("delivery", { driver: { name: long("driverName") } })],
    ["sign", work("delivery", { driver: { driving_license_number: long("driverDocument") } })],
    [
      "sign",
      work("delivery", { authorities: { "main_driver.street": long("authorityField") } as WorkDraft["authorities"] }),
    ],
    ["sign", work("delivery", { signature: { ...SIGNED, name: long("signer") } })],
    ["sign", work("delivery", { signature: { ...SIGNED, absent_reason: long("absenceReason") } })],
  ] satisfies (readonly [string, WorkDraft])[])(
    "names the check-in step %s if its text is too long for the server",
    (step, draft) => {
      expect(listStepsWithLongText(draft)).toEqual([step]);
    },
  );

  test("reports no step with too long a text if each text has exactly the maximum length", () => {
    const standing = { parking_place: "x".repeat(60), key_number: "x".repeat(30) };
    const driver = { name: "x".repeat(100), document_id: "x".repeat(50) };
    expect(listStepsWithLongText(work("collection", { standing, driver, notes: "x".repeat(1900) }))).toEqual([]);
  });
});
