import { expect, test } from "vitest";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { listSetupSteps, SETUP_STEPS, type SetupCounts } from "#domain/catalogue/setup.ts";

interface Parts {
  readonly branches?: readonly string[];
  readonly hours?: boolean;
  readonly places?: boolean;
  readonly categories?: readonly string[];
  readonly settings?: object;
}

/** Creates a catalogue with the parts that setup steps check. */
function createSetup({
  branches = [],
  hours = false,
  places = false,
  categories = [],
  settings = {},
}: Parts): Catalogue {
  const openingHours = hours ? [{ weekday: 1, opens: "08:00", closes: "20:00" }] : [];
  return {
    settings: { paymentMethods: [], paymentOptions: [], engineOrigins: [], baseUrl: undefined, ...settings },
    branches: new Map(branches.map((name) => [name, { name, openingHours }])),
    places: new Map(places ? [[1, { isPickup: true, isReturn: true }]] : []),
    categories: new Map(categories.map((code) => [code, { code }])),
  } as unknown as Catalogue;
}

const NOTHING: SetupCounts = {
  staff: 1,
  withoutTaxNumber: 0,
  withoutVehicle: [],
  withoutPrice: [],
  closedMethods: [],
  hasEngineKey: false,
};
const listDoneSteps = (parts: Parts, counts: Partial<SetupCounts> = {}) =>
  listSetupSteps(createSetup(parts), { ...NOTHING, ...counts }).flatMap(({ name, isDone }) => (isDone ? [name] : []));

// Proves "office.md: lists and forms": The steps of a new company are judged by what is there
test("lists completed setup steps in the order of their dependencies", () => {
  expect(listSetupSteps(createSetup({}), NOTHING).map(({ name }) => name)).toEqual(SETUP_STEPS);
  expect(listDoneSteps({})).toEqual([]);
  expect(listDoneSteps({ branches: ["Palma"] })).toEqual(["branches"]);
  expect(listDoneSteps({ branches: ["Palma"] }, { withoutTaxNumber: 1 })).toEqual([]);
  expect(listDoneSteps({ branches: ["Palma"], hours: true, places: true })).toEqual(["branches", "places", "hours"]);
  const sellableParts = { categories: ["ECON"] };
  expect(listDoneSteps(sellableParts, { withoutVehicle: ["ECON"], withoutPrice: ["ECON"] })).toEqual(["categories"]);
  expect(listDoneSteps(sellableParts)).toEqual(["categories", "vehicles", "prices"]);
  const paid = { settings: { paymentMethods: ["tpvA256"], paymentOptions: ["total"] } };
  expect(listDoneSteps(paid, { closedMethods: ["tpvA256"] })).toEqual([]);
  expect(listDoneSteps(paid)).toEqual(["payment"]);
  const site = { settings: { baseUrl: "https://rent.example.com", engineOrigins: ["https://www.example.com"] } };
  expect(listDoneSteps(site)).toEqual(["website"]);
  expect(listDoneSteps({}, { staff: 2 })).toEqual(["team"]);
});

test("lists what is missing for each setup step", () => {
  const catalogue = createSetup({ branches: ["Palma", "Inca"], categories: ["ECON"] });
  const missing = listSetupSteps(catalogue, { ...NOTHING, withoutPrice: ["ECON"] }).flatMap(
    ({ name, missing: missingItems }) => (missingItems.length > 0 ? [[name, ...missingItems]] : []),
  );
  expect(missing).toEqual([
    ["hours", "Palma", "Inca"],
    ["prices", "ECON"],
  ]);
});

// Proves "office.md": A setup step only blocks if nothing can be sold without it
test("blocks selling only if nothing can be sold, so one category without a vehicle doesn't", () => {
  const settings = { paymentMethods: ["tpvA256", "tpvB"], paymentOptions: ["total"] };
  const sellableParts = { branches: ["Palma"], places: true, categories: ["ECON", "UNIQ"], settings };
  const listBlockingSteps = (parts: Parts, counts: Partial<SetupCounts> = {}) =>
    listSetupSteps(createSetup(parts), { ...NOTHING, ...counts }).flatMap(({ name, isBlocking }) =>
      isBlocking ? [name] : [],
    );
  expect(listBlockingSteps({})).toEqual(["branches", "places", "categories", "vehicles", "prices", "payment"]);
  const some = { withoutVehicle: ["UNIQ"], withoutPrice: ["ECON"], closedMethods: ["tpvB"], withoutTaxNumber: 1 };
  expect(listBlockingSteps(sellableParts, some)).toEqual([]);
  const all = ["ECON", "UNIQ"];
  const none = { withoutVehicle: all, withoutPrice: all, closedMethods: settings.paymentMethods };
  expect(listBlockingSteps(sellableParts, none)).toEqual(["vehicles", "prices", "payment"]);
});
