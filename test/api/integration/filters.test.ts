import { beforeAll, describe, expect, inject, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { insertContracts } from "#support/contracts.ts";
import { getAsErp } from "#support/erp-client.ts";
import { createIntegrationOpenApi } from "#worker/api/integration/routes.ts";

const VALUES: Readonly<Record<string, readonly string[]>> = {
  updated_from: ["2026-01-01", "9999-12-31", "0001-01-01", "0999-12-31"],
  date_from: ["2026-01-01", "9999-12-31", "0001-01-01"],
  date_to: ["2026-12-31", "9999-12-31"],
  status: ["confirmed"],
  accounting_processed: ["true"],
  charge_accounting_processed: ["true"],
  rental_location_code: ["AIR"],
  rental_storage_id: ["1"],
  after: ["7"],
};
/** Values of the parameter `after` for lists with text ids. They're ids of existing records. */
const AFTER: Readonly<Record<string, string>> = {
  "booking-items": "A-1",
  "rental-locations": "AIR",
  "booking-categories": "A",
};

interface Described {
  readonly paths: Readonly<
    Record<string, { readonly get?: { readonly parameters?: readonly { readonly name: string }[] } }>
  >;
}

const lists = Object.entries((createIntegrationOpenApi() as Described).paths).flatMap(([path, { get }]) => {
  const names = (get?.parameters ?? []).map(({ name }) => name).filter((name) => name in VALUES);
  return names.length === 0 ? [] : [[`/api${path}`, names] as const];
});

beforeAll(async () => {
  await setUpCompany();
  await insertContracts([{ id: 7, status: "done" }]);
});

/** Whether to test a combination of filters: none, one, two or all, and before a release any. */
function isTried(chosen: readonly string[], all: readonly string[]): boolean {
  return chosen.length <= 2 || chosen.length === all.length || inject("isThorough");
}

function valueToTry(path: string, name: string, valueIndex: number): string {
  const known = AFTER[path.split("/").at(-1) ?? ""];
  if (name === "after" && known) return known;
  const values = VALUES[name] ?? [];
  return values[Math.min(valueIndex, values.length - 1)] ?? "";
}

describe("every list with every combination of its filters and extreme dates", () => {
  test.each(lists)(
    "answers any one or two filters of the list %s, and all of them together, without an error",
    async (path, names) => {
      for (let chosen = 0; chosen < 2 ** names.length; chosen++) {
        const some = names.filter((_, index) => (chosen >> index) % 2 === 1);
        if (!isTried(some, names)) continue;
        const maxValues = Math.max(1, ...some.map((name) => VALUES[name]?.length ?? 0));
        for (let valueIndex = 0; valueIndex < maxValues; valueIndex++) {
          const query = some.map((name) => `${name}=${valueToTry(path, name, valueIndex)}`).join("&");
          expect((await getAsErp(`${path}?${query}`)).status, query).toBe(200);
        }
      }
    },
  );
});
