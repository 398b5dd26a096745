import "./page.ts";
import { createElement } from "preact";
import { describe, expect, test } from "vitest";
import { AuthorityFields } from "#app/screens/work/authority-fields.tsx";
import { listFieldsToComplete, listStillMissingFields, toAuthorityDetails } from "#app/state/authorities.ts";
import { toDraftFields, toOperation } from "#app/state/draft-operations.ts";
import { chooseLanguage } from "#app/state/preferences.ts";
import { createBooking } from "#support/check-in/day.ts";
import { createDraft } from "./phone.ts";
import { renderComponent } from "./render.ts";

const missingFields = ["customer_document_id", "customer_address[zip]", "driver_driving_license_number"];
const booking = createBooking(1, "2027-05-03", {
  authorities: { missing: missingFields, wished: ["driver_origin_country", "something_new"] },
  drivers: [],
});
const draft = createDraft(1, "delivery");

describe("authorities' data at the vehicle", () => {
  test("lists the data that authorities need from driver and customer, and ignores fields of newer servers", () => {
    expect(listFieldsToComplete(booking)).toEqual(["customer_address[zip]", "driver_origin_country"]);
  });

  test("requests the identity document of a customer who doesn't drive", () => {
    const [driver] = createBooking(1, "2027-05-03").drivers;
    const others = { ...booking, drivers: driver ? [{ ...driver, full_name: "Eva Puig" }] : [] };
    expect(listFieldsToComplete(others)).toContain("customer_document_id");
  });

  test("lists data that authorities need as missing until it is typed there or in the driver's documents", () => {
    expect(listStillMissingFields(booking, draft)).toEqual(missingFields);
    const typedDraft = {
      ...draft,
      driver: { document_id: "X1", driving_license_number: "B-1" },
      authorities: { "customer_address[zip]": " 07001 " },
    };
    expect(listStillMissingFields(booking, typedDraft)).toEqual([]);
    expect(toOperation(typedDraft).authorities).toEqual({ "customer_address[zip]": "07001" });
  });

  test("requests no data for authorities on a day cached from an older server", () => {
    const { authorities: _, ...older } = booking;
    expect([
      listFieldsToComplete(older as typeof booking),
      listStillMissingFields(older as typeof booking, draft),
    ]).toEqual([[], []]);
  });

  // Browsers show the date itself in their own format.
  test.each([
    ["es", "vie, 3 may 2030"],
    ["de", "Fr., 3. Mai 2030"],
  ] as const)("repeats a typed date with its weekday in the app's language, in %s", async (language, day) => {
    await chooseLanguage(language);
    const name = "additional_driver_1_driving_license_expiration_date";
    const view = renderComponent(
      createElement(AuthorityFields, {
        booking: { ...booking, authorities: { missing: [name], wished: [] } },
        draft: { ...draft, authorities: { [name]: "2030-05-03" } },
      }),
    );
    expect(view.list("label").map(({ textContent }) => textContent)).toEqual([expect.stringContaining(day)]);
    view.close();
  });

  test("sends no empty data for authorities, and restores refused data for correction", () => {
    expect(toAuthorityDetails({ driver_origin_country: " " })).toBeUndefined();
    const authorities = { driver_origin_country: "GB" };
    const operation = { ...toOperation({ ...draft, authorities }), op_id: "o", device_id: "d", seq: 1 };
    expect(toDraftFields(operation).authorities).toEqual(authorities);
  });
});
