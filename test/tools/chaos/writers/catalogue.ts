import type { Operation } from "#tools/fuzz/operations.ts";
import { type Actor, type ChaosWriter, pickRental, type WrittenRecord } from "./actor.ts";

/** Resources with their own writers. */
const OTHER_KINDS = new Set(["reservations", "quotes", "customers"]);
const FIRST_YEAR = 2040;
/** Method of the gateway to create. Each account has one gateway of a method, and the demo accounts use all others. */
const NEW_GATEWAY = "stripe";

/** Operations of an office resource that is created and changed, and usually removed, like any other. */
interface ResourceOperations {
  readonly create: Operation;
  readonly change: Operation;
  readonly remove: Operation | undefined;
}

/** Lists the resources of the office, by the name in their path. */
export function listResources(operations: Iterable<Operation>): ReadonlyMap<string, ResourceOperations> {
  const byAddress = new Map([...operations].map((operation) => [`${operation.method} ${operation.path}`, operation]));
  const resources = new Map<string, ResourceOperations>();
  for (const create of byAddress.values()) {
    const kind = /^\/api\/v1\/office\/([\w-]+)$/.exec(create.path)?.[1] ?? "";
    const change = byAddress.get(`PATCH ${create.path}/{id}`);
    if (create.method !== "POST" || !change || OTHER_KINDS.has(kind)) continue;
    resources.set(kind, { create, change, remove: byAddress.get(`DELETE ${create.path}/{id}`) });
  }
  return resources;
}

/** Names and places for a new resource. */
interface RecipeValues {
  readonly unique: string;
  /** Number of resources of the account before, because seasons and ages must not overlap. */
  readonly count: number;
  readonly category_code: string;
  readonly branch: string;
  readonly vehicle: string;
  readonly group: number;
}

interface Recipe {
  /** Values that differ from the documented example, because they are unique or belong to the account. */
  readonly own?: (recipeValues: RecipeValues, relatedIds: readonly string[]) => object;
  /** Resources that it refers to. They are created before it and removed after it. */
  readonly related?: readonly string[];
  /** Change, if the documented one would block other writers, isn't unique or names a record of the demo. */
  readonly changed?: (recipeValues: RecipeValues) => object;
  /** Further operations before it's removed. Returns what to do before the removal. */
  readonly useRecord?: (actor: Actor, record: WrittenRecord, body: Body) => Promise<(() => void) | undefined>;
}

type Body = Readonly<Record<string, unknown>>;

const useAnotherName = ({ unique }: RecipeValues) => ({ name: `Chaos once more ${unique}` });
const NAMED: Recipe = { own: ({ unique }) => ({ name: `Chaos ${unique}` }) };
const CODED: Recipe = { own: ({ unique }) => ({ code: `C${unique}`.toUpperCase() }) };
const AT_BRANCH: Recipe = { related: ["branches"], own: (_, [branch]) => ({ rental_location_code: branch }) };
const NAMED_WITH_CATEGORY: Recipe = {
  own: ({ unique, category_code }) => ({ name: `Chaos ${unique}`, category_code }),
};
const BETWEEN_GROUPS: Recipe = {
  related: ["branch-groups"],
  own: ({ group }, [other]) => ({ rental_storage_id: Number(other), return_rental_storage_id: group }),
};

const RECIPES: Readonly<Record<string, Recipe>> = {
  ...{ "branch-groups": NAMED, offers: NAMED, agencies: NAMED, agents: NAMED },
  ...{
    "transfer-zones": NAMED,
    "transfer-points": NAMED,
    "service-plans": NAMED_WITH_CATEGORY,
    calendars: NAMED_WITH_CATEGORY,
  },
  ...{ "sales-channels": CODED, families: CODED, categories: CODED, extras: CODED, "promotion-codes": CODED },
  ...{ "transfer-extras": CODED, places: AT_BRANCH, "opening-hours": AT_BRANCH, "closed-dates": AT_BRANCH },
  ...{ "special-hours": AT_BRANCH, repatriations: BETWEEN_GROUPS },
  "one-way-fees": {
    ...BETWEEN_GROUPS,
    own: (...values) => ({ ...BETWEEN_GROUPS.own?.(...values), pickup_place_id: null, return_place_id: null }),
  },
  "expense-accounts": { ...NAMED, changed: useAnotherName },
  branches: {
    own: ({ unique, group }) => ({
      ...{ code: `B${unique.slice(0, 6)}`.toUpperCase(), name: unique, rental_storage_id: group },
    }),
  },
  "cancellation-terms": { related: ["sales-channels"], own: (_, [channel]) => ({ sales_channel_code: channel }) },
  // Prices of a separate channel, so that others don't change.
  prices: {
    related: ["sales-channels"],
    own: ({ category_code }, [channel]) => ({ category_code, sales_channel_code: channel }),
    useRecord: writePriceTable,
  },
  seasons: {
    own: ({ unique, count }) => {
      const month = `${FIRST_YEAR + Math.floor(count / 12)}-${String(1 + (count % 12)).padStart(2, "0")}`;
      return { name: `Chaos ${unique}`, periods: [{ date_from: `${month}-03`, date_to: `${month}-17` }] };
    },
  },
  "selling-rules": { own: ({ category_code }) => ({ category_code }), changed: () => ({ stop_sale_to: "2040-08-09" }) },
  "vehicle-services": { own: ({ vehicle }) => ({ vehicle_reference: vehicle }) },
  "transfer-vehicles": {
    own: ({ unique, branch }) => ({ name: `Chaos ${unique}`, rental_location_code: branch }),
  },
  "transfer-prices": {
    related: ["transfer-vehicles", "transfer-points", "transfer-points"],
    own: (_, [vehicle, from, to]) => ({
      ...{ transfer_vehicle_id: Number(vehicle), from_point_id: Number(from), to_point_id: Number(to) },
    }),
  },
  supplements: { related: ["transfer-points"], own: (_, [point]) => ({ transfer_point_id: Number(point) }) },
  "partner-keys": { own: ({ unique }) => ({ api_key: `chaos-${unique}`, secret: `secret-of-${unique}-${unique}` }) },
  "engine-keys": { own: ({ unique }) => ({ api_key: `chaos-${unique}` }) },
  users: {
    own: ({ unique, branch }) => ({
      ...{ username: `chaos-${unique}`, email: `chaos-${unique}@example.com`, branch_codes: [branch] },
    }),
  },
  "driver-age-rules": {
    own: ({ unique, count }) => ({
      ...{ description: `Chaos ${unique}`, age_from: 121 + (count % 30), age_to: 121 + (count % 30) },
    }),
  },
  gateways: {
    own: ({ unique }) => ({
      ...{ method: NEW_GATEWAY, environment: "stand_in", merchant: {} },
      ...{ secret: `sk_test_${unique}`, webhook_secret: `whsec_${unique}` },
    }),
    changed: () => ({ hold_days: 6 }),
  },
  "document-series": { own: ({ unique }) => ({ serie: `C-${unique}`.toUpperCase() }) },
  webhooks: {
    own: ({ unique }) => ({ url: `https://erp.example/${unique}`, active: false }),
    useRecord: testAndRotateWebhook,
  },
  "expense-concepts": {
    related: ["expense-accounts"],
    own: ({ unique }, [account]) => ({ name: `Chaos ${unique}`, expense_account_id: Number(account) }),
    changed: useAnotherName,
  },
  expenses: {
    related: ["expense-concepts"],
    own: ({ unique, vehicle }, [concept]) => ({
      ...{ reference: unique, booking_item_reference: vehicle, date: "2020-02-29", concept_id: Number(concept) },
    }),
  },
};

/**
 * Creates office users who maintain the catalogue and account: they create, change and remove a record of each kind
 * before repeating one.
 */
export function createCatalogueWriter(): ChaosWriter {
  let count = 0;
  const remaining: string[] = [];
  const create = async (actor: Actor, kind: string): Promise<(() => Promise<void>) | undefined> =>
    (await createResource(actor, kind, () => count++))?.remove;
  return async (actor) => {
    if (remaining.length === 0) remaining.push("", ...listResources(actor.context.operations.values()).keys());
    const kind = actor.random.pick(remaining);
    remaining.splice(remaining.indexOf(kind), 1);
    if (kind === "") return changeAccount(actor);
    const remove = await create(actor, kind);
    // Ages are few and can't overlap, so their rules are always removed, as are related resources.
    const isAlwaysRemoved = kind === "driver-age-rules" || RECIPES[kind]?.related;
    if (remove && (isAlwaysRemoved || actor.chance(0.6))) await remove();
  };
}

/** Returns the body of a new resource: the documented example with the recipe's own values. */
export function createResourceBody(
  { body }: Operation,
  kind: string,
  recipeValues: RecipeValues,
  relatedIds: readonly string[] = [],
): Body {
  return { ...Object(body?.example), ...RECIPES[kind]?.own?.(recipeValues, relatedIds) };
}

interface CreatedResource {
  readonly id: string;
  readonly remove: () => Promise<void>;
}

async function createResource(
  actor: Actor,
  kind: string,
  takeNumber: () => number,
): Promise<CreatedResource | undefined> {
  const operations = listResources(actor.context.operations.values()).get(kind);
  const { related = [], changed, useRecord }: Recipe = RECIPES[kind] ?? {};
  if (!operations) throw new Error(`the office has no ${kind}`);
  const relatedResources: CreatedResource[] = [];
  const removeRelated = async () => {
    for (const resource of relatedResources.reverse()) await resource.remove();
  };
  for (const relatedKind of related) {
    const resource = await createResource(actor, relatedKind, takeNumber);
    if (!resource) return void (await removeRelated());
    relatedResources.push(resource);
  }
  const { data, random } = actor;
  const recipeValues = {
    ...{ unique: random.hex(8), count: takeNumber(), category_code: random.pick(data.codes) },
    ...{ branch: random.pick(data.branches), vehicle: random.pick(data.vehicles), group: data.branchGroups[0] ?? 1 },
  };
  const ids = relatedResources.map(({ id }) => id);
  const body = createResourceBody(operations.create, kind, recipeValues, ids);
  const created = await actor.write(operations.create.name, {}, body);
  if (!created) return void (await removeRelated());
  const { id } = created;
  const change = {
    ...Object(changed?.(recipeValues) ?? operations.change.body?.example),
    expected_version: created.version,
  };
  const latest = await actor.write(operations.change.name, { id }, change, { id });
  const prepareRemoval = await useRecord?.(actor, latest ?? created, body);
  const remove = async () => {
    prepareRemoval?.();
    if (operations.remove) await actor.write(operations.remove.name, { id }, undefined, { id });
    await removeRelated();
  };
  return { id, remove };
}

// Writes the channel's prices as a table, which replaces the price.
async function writePriceTable(actor: Actor, _: WrittenRecord, body: Body): Promise<undefined> {
  const { category_code, sales_channel_code: sales_channel } = body;
  const values = { sales_channel: String(sales_channel) };
  const { table } = await actor.read(`/prices/table?sales_channel=${sales_channel}`);
  const prices = { brackets: [{ from_days: 1, to_days: null }], rows: [{ category_code, prices: ["44.00"] }] };
  const date = { date_from: "2040-03-01", time_from: "10:00", date_to: "2040-03-04", time_to: "10:00" };
  await actor.ask("previewPrices", values, { ...prices, dates: [date] });
  await actor.write("writePriceTable", values, { ...prices, expected_version: table.version });
}

const TRIED = `SELECT 1 FROM webhook_deliveries AS told JOIN webhook_events AS event ON event.id = event_id
  JOIN office_requests AS asked ON asked.resource = uid WHERE uid = ? AND webhook_id = ?`;
const DELIVERY_COUNT_SQL = "SELECT count(*) AS told FROM webhook_deliveries WHERE webhook_id = ? HAVING told >= ?";

// Tests a webhook, redelivers today's events and rotates the secret.
async function testAndRotateWebhook(actor: Actor, { id }: WrittenRecord): Promise<() => void> {
  const tried = await actor.write("testWebhook", { id });
  const uid = tried?.content.delivery.event_id;
  actor.expect(`trial of webhook ${id}`, TRIED, [uid, Number(id)], 1);
  const replay = await actor.write("replayWebhook", { id }, { from: new Date(Date.now() - 3_600_000).toISOString() });
  actor.expect(`replay of webhook ${id}`, DELIVERY_COUNT_SQL, [Number(id), replay?.content.replayed + 1], 1);
  await actor.write("rotateWebhookSecret", { id }, {}, { id });
  // Removing a webhook deletes its deliveries.
  return () => {
    for (const name of ["trial", "replay"]) actor.forget(`${name} of webhook ${id}`);
  };
}

// Changes account-wide data: a dry run, a quote, an unchanged gateway and an independent setting.
async function changeAccount(actor: Actor): Promise<void> {
  await actor.ask("checkSettings", {}, {});
  await actor.ask("quoteReservation", {}, { ...pickRental(actor), customer: { name: "Pau", surname: "Quote" } });
  const gateways: readonly { readonly method: string; readonly version: number; readonly environment: string }[] = (
    await actor.read("/gateways")
  ).data;
  const gateway = gateways.find(({ method }) => method !== NEW_GATEWAY);
  if (gateway) {
    await actor.ask("testGateway", { method: gateway.method }, {});
    const body = { expected_version: gateway.version, environment: gateway.environment };
    await actor.write("changeGateway", { id: gateway.method }, body, { id: gateway.method });
  }
  const { settings } = await actor.read("/settings");
  const body = { expected_version: settings.version, reminder_hours: actor.random.between(24, 48) };
  await actor.write("changeSettings", {}, body);
}
