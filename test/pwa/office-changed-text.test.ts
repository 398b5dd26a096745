import "./page.ts";
import { beforeAll, expect, test } from "vitest";
import { getResource } from "#domain/catalogue/resources/resources.ts";
import { setAccount } from "../../pwa/office/src/account.ts";
import { describeFieldChange } from "../../pwa/office/src/pages/changed-text.ts";
import { loadTexts } from "../../pwa/office/src/texts.ts";

beforeAll(async () => {
  await loadTexts("en");
  document.documentElement.lang = "en";
  setAccount({ currency: "EUR", currency_decimals: 2 });
});

const findField = (resource: "prices" | "categories" | "settings", name: string) => {
  const resourceField = getResource(resource).fields.find((field) => field.name === name);
  if (!resourceField) throw new Error(`no field ${name}`);
  return resourceField;
};
const bracket = (from_days: number, to_days: number | null, price: string) => ({
  from_days,
  to_days,
  price_per: "day",
  price,
});

test("lists only changed prices by rental length in a change's text, with old and new price", () => {
  const before = { brackets: [bracket(1, 2, "34.00"), bracket(3, null, "31.00")] };
  const after = { brackets: [bracket(1, 2, "39.00"), bracket(3, null, "31.00")] };
  const text = describeFieldChange(findField("prices", "brackets"), before, after);
  expect(text).toMatch(/34[.,]00.* → .*39[.,]00/);
  expect(text).not.toMatch(/31[.,]00/);
});

test("shows a dash instead of the old or new price if a rental length was added or removed", () => {
  const two = { brackets: [bracket(1, 2, "34.00"), bracket(3, null, "31.00")] };
  const item = { brackets: [bracket(1, 2, "34.00")] };
  expect(describeFieldChange(findField("prices", "brackets"), two, item)).toMatch(/31[.,]00.* → –$/);
  expect(describeFieldChange(findField("prices", "brackets"), null, item)).toMatch(/^– → .*34[.,]00/);
});

test("shows old and new value of any other changed field", () => {
  const deposit = findField("categories", "deposit");
  expect(describeFieldChange(deposit, { deposit: "600.00" }, { deposit: "150.00" })).toMatch(/600[.,]00 → .*150[.,]00/);
  expect(describeFieldChange(deposit, null, { deposit: "150.00" })).toMatch(/^\D*150[.,]00$/);
});

test("names checks, their modes and choices of lists in the user's words, not in the API's", () => {
  const checks = [{ handover_checks: { deposit: "warn" } }, { handover_checks: { deposit: "block" } }] as const;
  expect(describeFieldChange(findField("settings", "handover_checks"), ...checks)).toBe(
    "Deposit: Warn → Deposit: Block the handover",
  );
  const options = [{ payment_options: ["deposit"] }, { payment_options: ["deposit", "total"] }] as const;
  expect(describeFieldChange(findField("settings", "payment_options"), ...options)).toBe(
    "Down payment → Down payment, Total",
  );
});
