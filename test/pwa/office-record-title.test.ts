import "./page.ts";
import { beforeEach, describe, expect, test } from "vitest";
import type { ResourceName } from "#domain/catalogue/resources/names.ts";
import { RESOURCES } from "#domain/catalogue/resources/resources.ts";
import { setAccount } from "../../pwa/office/src/account.ts";
import { formatFormTitle } from "../../pwa/office/src/pages/record-title.ts";
import { loadTexts } from "../../pwa/office/src/texts.ts";

const getResource = (name: ResourceName) => {
  const resource = RESOURCES.find((resource) => resource.name === name);
  if (!resource) throw new Error(`No such resource: ${name}`);
  return resource;
};

const getTitle = (name: ResourceName, values: Readonly<Record<string, unknown>>, options = {}) =>
  formatFormTitle(getResource(name), { id: 7, version: 1, ...values }, options).replaceAll(/[\u00a0\u202f]/g, " ");

beforeEach(async () => {
  Object.assign(document.documentElement, { lang: "en" });
  setAccount({ country_code: "ES", currency: "EUR", currency_decimals: 2 });
  await loadTexts("en");
});

describe("titles of setting forms", () => {
  test("titles a setting's form by the record's name, otherwise by its code or description", () => {
    expect(getTitle("categories", { code: "AUTO", name: "Automatic electric" })).toBe("Automatic electric");
    expect(getTitle("promotion-codes", { code: "SPRING15", discount_type: "percentage" })).toBe("SPRING15");
    expect(getTitle("driver-age-rules", { description: "Under 21" })).toBe("Under 21");
  });

  test("titles a setting's form by references and dates of a record without a name", () => {
    const options = {
      category_code: [{ id: "MINI", name: "Mini" }],
      season_id: [{ id: 2, name: "High season" }],
      rental_location_code: [{ id: "MAH", name: "Menorca Airport" }],
    };
    expect(getTitle("prices", { category_code: "MINI", season_id: 2 }, options)).toBe("Mini · High season");
    expect(
      getTitle("closed-dates", { rental_location_code: "MAH", date: "2024-01-01", reason: "New Year" }, options),
    ).toBe("Menorca Airport · Mon, 1 Jan 2024 · New Year");
    expect(getTitle("cancellation-terms", { occasion: "no_show", fee_type: "percentage" })).toBe("No-show · Percent");
  });

  test("titles a setting's form by the number of a record without a name, references or dates", () => {
    expect(getTitle("selling-rules", { minimum_days: 3 })).toBe("No. 7");
  });

  test("titles the form of a new setting by its kind", () => {
    expect(formatFormTitle(getResource("prices"), undefined, {})).toBe("New price list");
    expect(formatFormTitle(getResource("branches"), undefined, {})).toBe("New branch");
  });
});
