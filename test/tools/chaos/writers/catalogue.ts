import type { ResourceName } from "#domain/catalogue/resources/names.ts";
import type { AccountName } from "#tools/platform/client.ts";
import { getResourceExamples } from "#worker/api/office/resources/resource-examples.ts";
import { type ChaosWriter, pickRental, type WriterContext } from "./context.ts";
import { type ResourceSnapshot, sendToOffice, writeOfficeResource } from "./office-requests.ts";
import { testAndRotateWebhook } from "./webhooks.ts";

/** Unique values for an example's resource. `changed` is used if the example's change would block other writers. */
interface Recipe {
  readonly own: (unique: string, context: Around) => object;
  readonly changed?: object;
}

interface Around {
  /** Number from 0 to 29 in rotation, because age rules and seasons must not overlap, at an unused age. */
  readonly nth: number;
  readonly category: string;
  readonly branch: string;
}

const createName = (unique: string) => ({ name: `Chaos ${unique}` });
const createCode = (unique: string) => ({ code: `C${unique}`.toUpperCase() });

/** Resources that can be created and removed during other work. */
const RECIPES = {
  "branch-groups": { own: createName },
  "sales-channels": { own: createCode },
  families: { own: createCode },
  categories: { own: createCode },
  extras: { own: createCode },
  seasons: {
    own: (unique, { nth }) => ({
      ...createName(unique),
      periods: [{ date_from: `${2040 + nth}-03-25`, date_to: `${2040 + nth}-04-08` }],
    }),
  },
  offers: { own: createName },
  "promotion-codes": { own: createCode },
  "selling-rules": {
    own: (_, { category }) => ({ category_code: category }),
    changed: { stop_sale_to: "2040-08-09" },
  },
  "service-plans": { own: (unique, { category }) => ({ ...createName(unique), category_code: category }) },
  "transfer-zones": { own: createName },
  "transfer-points": { own: createName },
  "transfer-vehicles": { own: (unique, { branch }) => ({ ...createName(unique), rental_location_code: branch }) },
  "transfer-extras": { own: createCode },
  agencies: { own: createName },
  agents: { own: createName },
  "partner-keys": { own: (unique) => ({ api_key: `chaos-${unique}`, secret: `secret-of-${unique}-${unique}` }) },
  "engine-keys": { own: (unique) => ({ api_key: `chaos-${unique}` }) },
  users: {
    own: (unique, { branch }) => ({
      username: `chaos-${unique}`,
      email: `chaos-${unique}@example.com`,
      branch_codes: [branch],
    }),
  },
  "driver-age-rules": {
    own: (unique, { nth }) => ({ description: `Chaos ${unique}`, age_from: 121 + nth, age_to: 121 + nth }),
  },
  calendars: { own: (unique, { category }) => ({ ...createName(unique), category_code: category }) },
  "document-series": { own: (unique) => ({ serie: `C-${unique}`.toUpperCase() }) },
  webhooks: { own: (unique) => ({ url: `https://erp.example/${unique}`, active: false }) },
} as const satisfies Partial<Record<ResourceName, Recipe>>;

const KINDS = Object.keys(RECIPES) as (keyof typeof RECIPES)[];
/** All such resources, including those that need related ones. */
export const CATALOGUE_KINDS: readonly ResourceName[] = [
  ...KINDS,
  ...([
    "branches",
    "places",
    "opening-hours",
    "closed-dates",
    "special-hours",
    "repatriations",
    "one-way-fees",
  ] as const),
  ...(["prices", "cancellation-terms", "transfer-prices", "supplements", "gateways"] as const),
  ...(["expense-accounts", "expense-concepts"] as const),
];
/** Resources that are never removed: staff users and gateways. */
export const NEVER_REMOVED_RESOURCES: ReadonlySet<ResourceName> = new Set(["users", "gateways"]);

type Step = (context: WriterContext, account: AccountName) => Promise<void>;

/**
 * Creates office users who maintain the catalogue: each creates, changes and removes a record, each write with a key.
 * Together they cover every kind before repeating one.
 */
export function createCatalogueWriters(account: AccountName, count: number): readonly ChaosWriter[] {
  const steps: readonly Step[] = [
    ...KINDS.map(createResourceStep),
    addBranch,
    addTariff,
    addTransferRoute,
    addBranchGroup,
    addExpense,
    theAccount,
  ];
  const remainingSteps: Step[] = [];
  const write: ChaosWriter = async (context) => {
    if (remainingSteps.length === 0) remainingSteps.push(...steps);
    const step = context.random.pick(remainingSteps);
    remainingSteps.splice(remainingSteps.indexOf(step), 1);
    await step(context, account);
  };
  return Array.from({ length: count }, () => write);
}

let turns = 0;

function pickSurroundingRows({ accountData, random }: WriterContext, account: AccountName): Around {
  const { codes, branches } = accountData[account];
  return { nth: turns++ % 30, category: random.pick(codes), branch: random.pick(branches) };
}

const createResourceStep =
  (kind: keyof typeof RECIPES): Step =>
  (context, account) =>
    exerciseResource(context, account, kind);

async function exerciseResource(
  context: WriterContext,
  account: AccountName,
  kind: keyof typeof RECIPES,
): Promise<void> {
  const recipe: Recipe = RECIPES[kind];
  const { created, changed } = getResourceExamples(kind);
  const own = recipe.own(context.random.hex(8), pickSurroundingRows(context, account));
  const createdResource = await create(context, account, kind, { ...created, ...own });
  if (!createdResource) return;
  const { expected_version: _, ...said } = { ...changed, ...recipe.changed };
  const last = await change(context, account, kind, createdResource, recipe.changed ?? said);
  const cleanUpWebhook = kind === "webhooks" && last ? await testAndRotateWebhook(context, account, last) : undefined;
  // Ages are few and can't overlap, so their rules are always removed.
  if (NEVER_REMOVED_RESOURCES.has(kind) || (kind !== "driver-age-rules" && context.random.chance(0.4))) return;
  cleanUpWebhook?.();
  await remove(context, account, kind, createdResource.id);
}

// Creates a branch with opening hours and removes it again.
async function addBranch(context: WriterContext, account: AccountName): Promise<void> {
  const unique = context.random.hex(6).toUpperCase();
  const [group] = (await sendToOffice(context, { account, method: "GET", path: "/branch-groups" })).data;
  const code = `B${unique}`;
  const branch = await create(context, account, "branches", { code, name: code, rental_storage_id: group.id });
  if (!branch) return;
  for (const kind of ["places", "opening-hours", "closed-dates", "special-hours"] as const) {
    const { created, changed } = getResourceExamples(kind);
    const { expected_version: _, ...said } = changed;
    await comeAndGo(context, account, kind, { ...created, rental_location_code: code }, said);
  }
  await change(context, account, "branches", branch, { phone_number: "+34 971 000 111" });
  await remove(context, account, "branches", branch.id);
}

// Creates a branch group with one-way fees and repatriation times.
async function addBranchGroup(context: WriterContext, account: AccountName): Promise<void> {
  const [other] = (await sendToOffice(context, { account, method: "GET", path: "/branch-groups" })).data;
  const group = await create(context, account, "branch-groups", createName(context.random.hex(6)));
  if (!group) return;
  const ends = { rental_storage_id: Number(group.id), return_rental_storage_id: other.id };
  await comeAndGo(context, account, "repatriations", { ...ends, days: 4 }, { days: 2 });
  await comeAndGo(context, account, "one-way-fees", { ...ends, price: "80.00" }, { price: "90.00" });
  await remove(context, account, "branch-groups", group.id);
}

// Creates a separate transfer route: two points, a vehicle, its price and night supplement.
async function addTransferRoute(context: WriterContext, account: AccountName): Promise<void> {
  const { branch } = pickSurroundingRows(context, account);
  const unique = context.random.hex(6);
  const ends = [];
  for (const end of ["from", "to"])
    ends.push(
      await create(context, account, "transfer-points", { ...createName(`${end} ${unique}`), point_type: "location" }),
    );
  const [from, to] = ends;
  const { created } = getResourceExamples("transfer-vehicles");
  const vehicleBody = { ...created, ...createName(unique), rental_location_code: branch };
  const vehicle = await create(context, account, "transfer-vehicles", vehicleBody);
  if (from && to && vehicle) {
    const way = { transfer_vehicle_id: Number(vehicle.id), from_point_id: Number(from.id), to_point_id: Number(to.id) };
    await comeAndGo(context, account, "transfer-prices", { ...way, minutes: 30, price: "60.00" }, { price: "65.00" });
    const night = { ...getResourceExamples("supplements").created, transfer_point_id: Number(from.id) };
    await comeAndGo(context, account, "supplements", night, { value: "25.00" });
  }
  if (vehicle) await remove(context, account, "transfer-vehicles", vehicle.id);
  for (const point of ends) if (point) await remove(context, account, "transfer-points", point.id);
}

// Records, corrects and removes a vehicle expense with its own concept and account.
async function addExpense(context: WriterContext, account: AccountName): Promise<void> {
  const unique = context.random.hex(6);
  const expenseAccount = await create(context, account, "expense-accounts", createName(unique));
  if (!expenseAccount) return;
  const vehicleBody = { ...createName(unique), expense_account_id: Number(expenseAccount.id) };
  const concept = await create(context, account, "expense-concepts", vehicleBody);
  if (concept) {
    await change(context, account, "expense-concepts", concept, createName(`once more ${unique}`));
    const vehicles = await sendToOffice(context, { account, method: "GET", path: "/vehicles?page_size=20" });
    const document = { reference: unique, date: "2020-02-29", concept_id: Number(concept.id) };
    const vehicle: { readonly reference: string } = context.random.pick(vehicles.data);
    const sums = { total_without_taxes: "100.00", tax_percent: "21.00" };
    const body = { ...document, booking_item_reference: vehicle.reference, ...sums };
    const expenseWrite = { account, path: "/expenses", kind: "expenses" } as const;
    const expense = await writeOfficeResource(context, { ...expenseWrite, method: "POST", body });
    if (expense) {
      const known = { ...expenseWrite, path: `/expenses/${expense.id}`, id: expense.id };
      const right = { expected_version: expense.version, total_without_taxes: "90.00", total_taxes: "18.90" };
      await writeOfficeResource(context, { ...known, method: "PATCH", body: right });
      if (context.random.chance(0.4)) return;
      await writeOfficeResource(context, { ...known, method: "DELETE" });
    }
    await remove(context, account, "expense-concepts", concept.id);
  }
  await change(context, account, "expense-accounts", expenseAccount, createName(`once more ${unique}`));
  await remove(context, account, "expense-accounts", expenseAccount.id);
}

async function comeAndGo(
  context: WriterContext,
  account: AccountName,
  kind: ResourceName,
  created: object,
  vehicleBody: object,
): Promise<void> {
  const createdResource = await create(context, account, kind, created);
  if (!createdResource) return;
  await change(context, account, kind, createdResource, vehicleBody);
  await remove(context, account, kind, createdResource.id);
}

// Changes prices of a separate channel, so that others don't change.
async function addTariff(context: WriterContext, account: AccountName): Promise<void> {
  const { category } = pickSurroundingRows(context, account);
  const code = `T${context.random.hex(6).toUpperCase()}`;
  const channel = await create(context, account, "sales-channels", { code, name: code });
  if (!channel) return;
  const term = { occasion: "cancellation", hours_before: 48, fee_type: "percentage", fee_value: "10.00" };
  await comeAndGo(
    context,
    account,
    "cancellation-terms",
    { ...term, sales_channel_code: code },
    { fee_value: "20.00" },
  );
  const brackets = [{ from_days: 1, price: "42.00" }];
  const price = await create(context, account, "prices", {
    category_code: category,
    sales_channel_code: code,
    brackets,
  });
  if (!price) return;
  const dearer = await change(context, account, "prices", price, { brackets: [{ from_days: 1, price: "43.00" }] });
  const address = `/prices/table?sales_channel=${code}`;
  const { table } = await sendToOffice(context, { account, method: "GET", path: address });
  const rows = [{ category_code: category, prices: ["44.00"] }];
  const vehicleBody = { brackets: [{ from_days: 1, to_days: null }], rows };
  const date = { date_from: "2040-03-01", time_from: "10:00", date_to: "2040-03-04", time_to: "10:00" };
  await sendToOffice(
    context,
    { account, method: "POST", path: `/prices/preview?sales_channel=${code}` },
    { ...vehicleBody, dates: [date] },
  );
  const body = { ...vehicleBody, expected_version: table.version };
  await writeOfficeResource(context, { account, method: "PUT", path: address, body, kind: "table" });
  if (dearer) await remove(context, account, "prices", price.id);
  await remove(context, account, "sales-channels", channel.id);
}

// Changes account-wide data: a dry run, a quote, an independent setting and an unchanged gateway.
async function theAccount(context: WriterContext, account: AccountName): Promise<void> {
  await sendToOffice(context, { account, method: "POST", path: "/settings/dry-run" }, {});
  const { from: date_from, to: date_to, place, code } = pickRental(context, account);
  const searchBody = {
    date_from,
    time_from: "10:00",
    date_to,
    time_to: "10:00",
    pickup_place: place,
    return_place: place,
  };
  const customer = { name: "Pau", surname: "Quote" };
  const quoted = { ...searchBody, category_code: code, customer };
  await sendToOffice(context, { account, method: "POST", path: "/reservations/quote" }, quoted);
  // Only once per account. Later attempts get a conflict.
  await create(context, account, "gateways", getResourceExamples("gateways").created);
  const [gateway] = (await sendToOffice(context, { account, method: "GET", path: "/gateways" })).data;
  if (gateway) {
    await sendToOffice(context, { account, method: "POST", path: `/gateways/${gateway.method}/test` }, {});
    const expenseWrite = { id: gateway.method, version: gateway.version, values: {} };
    await change(context, account, "gateways", expenseWrite, { environment: gateway.environment });
  }
  const { settings } = await sendToOffice(context, { account, method: "GET", path: "/settings" });
  const body = { expected_version: settings.version, reminder_hours: context.random.between(24, 48) };
  await writeOfficeResource(context, { account, method: "PATCH", path: "/settings", body, kind: "settings" });
}

function create(context: WriterContext, account: AccountName, kind: ResourceName, body: object) {
  return writeOfficeResource(context, { account, method: "POST", path: `/${kind}`, body, kind });
}

function change(
  context: WriterContext,
  account: AccountName,
  kind: ResourceName,
  expenseWrite: ResourceSnapshot,
  vehicleBody: object,
) {
  const body = { expected_version: expenseWrite.version, ...vehicleBody };
  return writeOfficeResource(context, {
    account,
    method: "PATCH",
    path: `/${kind}/${expenseWrite.id}`,
    body,
    kind,
    id: expenseWrite.id,
  });
}

function remove(context: WriterContext, account: AccountName, kind: ResourceName, id: string) {
  return writeOfficeResource(context, { account, method: "DELETE", path: `/${kind}/${id}`, kind, id });
}
