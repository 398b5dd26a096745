import type { ExampleChain } from "./call-chain.ts";

/**
 * Bodies of calls that create a resource for an example. Unique fields differ from those of the creation
 * example, because readers may run that one, too.
 */
const CREATED_RESOURCES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  BranchGroup: {},
  Branch: { code: "FOR" },
  OpeningHours: { opens: "23:45", closes: "23:55" },
  ClosedDate: { date: "2032-12-25" },
  SpecialHours: { date: "2032-12-24" },
  Place: {},
  LegalText: { document: "privacy" },
  SalesChannel: { code: "FRIENDS" },
  Family: { code: "BOATS" },
  Category: { code: "LUXURY" },
  Extra: { code: "ROOFBOX" },
  Season: { name: "Easter 2041", periods: [{ date_from: "2041-03-25", date_to: "2041-04-08" }] },
  PromotionCode: { code: "WINTER" },
  Repatriation: { rental_storage_id: 2, return_rental_storage_id: 1 },
  TransferZone: {},
  TransferPoint: {},
  TransferVehicle: {},
  TransferExtra: { code: "SURF" },
  Supplement: {},
  Agency: { name: "Coast Tours" },
  Agent: {},
  Calendar: {},
  ServicePlan: {},
  VehicleService: {},
  ExpenseAccount: { name: "Fines" },
  ExpenseConcept: { name: "Tolls" },
};

const toIdName = (resourceName: string) => resourceName.replaceAll(/(?<!^)[A-Z]/g, "_$&").toLowerCase();
const WITH_ID = { values: { id: "__id__" } };

function createChain(resourceName: string, body: Readonly<Record<string, unknown>>): ExampleChain {
  const createdIds = { id: `${toIdName(resourceName)}.id` };
  return { first: [{ operation: `create${resourceName}`, about: "Makes one", body, takes: createdIds }], ...WITH_ID };
}

/** Returns a chain that takes the first item of a demo list and its version. */
function takeFirst(list: string): ExampleChain {
  return {
    first: [{ operation: list, about: "Takes one of them", takes: { id: "data.0.id", version: "data.0.version" } }],
    ...WITH_ID,
  };
}

const [OPENING_HOURS_CHAIN, CLOSED_DAY_CHAIN, CALENDAR_CHAIN] = [
  takeFirst("listOpeningHours"),
  takeFirst("listClosedDates"),
  createChain("Calendar", {}),
];
const EXPENSE_CHAIN = takeFirst("listExpenses");
const CHANGE = { body: { expected_version: "@@version@@" } };

const VEHICLE_CHAIN: ExampleChain = {
  first: [
    {
      operation: "listFleet",
      about: "Finds a free vehicle",
      values: { category_code: "ECON", rental_location_code: "PMI", state: "free", active: "true" },
      takes: { vehicle: "data.0.reference" },
    },
    {
      operation: "showVehicle",
      about: "Reads its version",
      values: { reference: "__vehicle__" },
      takes: { version: "vehicle.version" },
    },
  ],
  values: { reference: "__vehicle__" },
};
const [FREE_VEHICLE_STEP] = VEHICLE_CHAIN.first;

/**
 * Prerequisite calls by operation, for examples that read, change or remove an item. An operation without an
 * entry uses the item that the creation example creates.
 */
export const PREREQUISITE_CHAINS: Readonly<Record<string, ExampleChain>> = {
  ...Object.fromEntries(
    Object.entries(CREATED_RESOURCES).map(([resourceName, body]) => [
      `remove${resourceName}`,
      createChain(resourceName, body),
    ]),
  ),
  showOpeningHours: OPENING_HOURS_CHAIN,
  showOpeningHoursHistory: OPENING_HOURS_CHAIN,
  changeOpeningHours: { ...OPENING_HOURS_CHAIN, ...CHANGE },
  showClosedDate: CLOSED_DAY_CHAIN,
  showClosedDateHistory: CLOSED_DAY_CHAIN,
  changeClosedDate: { ...CLOSED_DAY_CHAIN, ...CHANGE },
  undoSeasonCopy: {
    first: [{ operation: "copySeason", about: "Copies one", body: { year: 2091 }, takes: { id: "season.id" } }],
    ...WITH_ID,
  },
  showCalendar: CALENDAR_CHAIN,
  showCalendarHistory: CALENDAR_CHAIN,
  changeCalendar: CALENDAR_CHAIN,
  showExpense: EXPENSE_CHAIN,
  showExpenseHistory: EXPENSE_CHAIN,
  changeExpense: { ...EXPENSE_CHAIN, ...CHANGE },
  takeBackExpense: EXPENSE_CHAIN,
  ...(FREE_VEHICLE_STEP && { showVehicle: { ...VEHICLE_CHAIN, first: [FREE_VEHICLE_STEP] } }),
  changeVehicle: { ...VEHICLE_CHAIN, ...CHANGE },
  retireVehicle: { ...VEHICLE_CHAIN, ...CHANGE },
  moveVehicle: VEHICLE_CHAIN,
  blockVehicle: VEHICLE_CHAIN,
};
