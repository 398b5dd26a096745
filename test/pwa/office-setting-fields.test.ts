import "./page.ts";
import { createElement } from "preact";
import { beforeEach, describe, expect, test } from "vitest";
import type { ResourceName } from "#domain/catalogue/resources/names.ts";
import { RESOURCES } from "#domain/catalogue/resources/resources.ts";
import { setAccount } from "../../pwa/office/src/account.ts";
import { getKeyValueFieldLabel } from "../../pwa/office/src/desk/names.ts";
import { formatReason, formatWebhookProblem } from "../../pwa/office/src/desk/problem-texts.ts";
import { FieldInput, listLanguageChoices } from "../../pwa/office/src/pages/field-input.tsx";
import { findUnsupportedFile } from "../../pwa/office/src/pages/imports.tsx";
import { listTestTexts } from "../../pwa/office/src/pages/resource-actions.tsx";
import { loadTexts } from "../../pwa/office/src/texts.ts";
import { renderComponent } from "./render.ts";

beforeEach(async () => {
  Object.assign(document, { documentElement: { dataset: {}, lang: "en" } });
  setAccount({ languages: ["es", "pl"], user: { full_name: "Staff", role: "administrator", language: "en" } });
  await loadTexts("en");
});

/** Renders a field and returns its control and the values that it reports. */
function openField(of: ResourceName, name: string, value: unknown) {
  const field = RESOURCES.find((resource) => resource.name === of)?.fields.find((own) => own.name === name);
  if (!field) throw new Error(`No such field: ${of}.${name}`);
  const values: unknown[] = [];
  const view = renderComponent(
    createElement(FieldInput, {
      ...{ of, field, value, otherValues: {}, options: {}, problems: [], isFixed: false, isKept: true },
      conflictingValue: "",
      onChange: (changed: unknown) => values.push(changed),
    }),
  );
  return { view, values };
}

describe("fields of settings", () => {
  test("offers the languages of staff to a user by name, and those of customers to other settings", () => {
    const { view } = openField("users", "language", "de");
    expect(view.list("option").map(({ textContent }) => textContent)).toEqual([
      ...["–", "Spanish", "Catalan", "English", "German"],
    ]);
    view.close();
    expect(listLanguageChoices("settings", "es")).toEqual(["es", "ca", "en", "de", "fr", "it", "pt", "nl", "pl"]);
  });

  test("keeps a stored language that isn't offered", () => {
    expect(listLanguageChoices("users", "ro")).toEqual(["es", "ca", "en", "de", "ro"]);
  });

  test("leaves a stored password unchanged if the field is emptied again", () => {
    const { view, values } = openField("users", "password", undefined);
    const [input] = view.list("input");
    for (const value of ["abc", ""]) input?.dispatch("input", { currentTarget: { value } });
    expect(values).toEqual(["abc", undefined]);
    view.close();
  });

  test("names texts by tax rate as a percentage", () => {
    expect([getKeyValueFieldLabel("0.00"), getKeyValueFieldLabel("21.50")]).toEqual(["0%", "21.5%"]);
  });
});

test("names the field of a form in a refusal, also a start or end without a unit", () => {
  expect(formatReason({ code: "later", params: { limit: "from" } })).toBe("Enter a value later than From.");
});

test("explains what is wrong with a webhook's URL, instead of its code", () => {
  expect(formatReason({ code: "webhook", params: { problem: "private_address" } })).toBe(
    "The address is in a private network. Enter a public https:// address without user name and with a standard port.",
  );
});

test("explains why a webhook's event wasn't delivered, instead of its code", () => {
  expect(formatWebhookProblem("unreachable")).toBe("The endpoint can't be reached.");
});

test("explains why a payment gateway isn't ready", () => {
  const reasons = [
    { code: "not_offered", params: {}, message: "" },
    { code: "events_missing", params: { events: "charge.refunded" }, message: "" },
  ] as const;
  expect(listTestTexts({ ready: false, reasons, address: null })).toEqual([
    "Gateway not ready:",
    "Add the method to the payment methods in the settings.",
    "The webhook endpoint at the payment gateway doesn't send charge.refunded. Select them there.",
  ]);
});

test("finds a file that can't be imported by its ending, in any case", () => {
  expect(findUnsupportedFile([{ name: "FLEET.CSV" }, { name: "prices.xlsx" }])).toBeUndefined();
  expect(findUnsupportedFile([{ name: "fleet.csv" }, { name: "photo.png" }])).toEqual({ name: "photo.png" });
});
