import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { demoAccounts } from "#worker/development/demo-accounts.ts";
import {
  type AccountName,
  type Answer,
  type Call,
  type Client,
  clientOf,
  jsonCall,
  signedCall,
  unexpected,
} from "./chaos/client.ts";
import { type Platform, preparePlatform } from "./chaos/platform.ts";
import { randomFrom } from "./demo/random.ts";
import { faultsOf } from "./fuzz/judge.ts";
import { type Beginning, type Living, livingOf, type Recipe } from "./fuzz/living.ts";
import type { Operation } from "./fuzz/operations.ts";
import { readOperations } from "./fuzz/read-operations.ts";
import { type Caller, type FuzzRequest, requestOf } from "./fuzz/requests.ts";
import type { Facts } from "./fuzz/values.ts";
import { end, endWithProcess } from "./processes.ts";
import { reportFailure, step } from "./steps.ts";

const { values } = parseArgs({
  options: {
    requests: { type: "string", default: "20000" },
    seed: { type: "string", default: "1" },
  },
});
const AT_ONCE = 16;
const MOST_TOLD = 40;
const DAYS_OF_WORK = 14;
const LARGEST_BODY = 2 ** 20;

async function callerOf(client: Client, account: AccountName): Promise<Caller> {
  const demo = demoAccounts.find((one) => one.account === account);
  const [user] = demo?.users ?? [];
  const agency = demo?.partnerKeys.find(({ apiKey }) => apiKey === `${account}-agency`);
  const erp = demo?.partnerKeys.find(({ apiKey }) => apiKey === `${account}-erp`);
  if (!demo || !user || !agency || !erp) throw new Error(`${account} is no demo account`);
  const body = { username: user.username, password: user.password };
  const login = jsonCall({ account, method: "POST", path: "/api/v1/login" }, body);
  const answer = await client.sendUntilAnswered(login);
  const token = answer.headers["authorization"];
  if (typeof token !== "string") throw unexpected(login, answer);
  const keys = { ota: agency, integration: erp, analytics: erp };
  return { account, keys, engineKey: demo.engineKey.apiKey, token };
}

/** What exists, as the interfaces themselves tell it. */
async function factsOf(client: Client, { account, keys, engineKey }: Caller): Promise<Facts> {
  const named = account as AccountName;
  const list = async (name: string): Promise<readonly Record<string, unknown>[]> => {
    const key = keys["integration"] ?? { apiKey: "", secret: "" };
    const path = `/api/v1/integration/${name}?page_size=200`;
    const answer = await client.sendUntilAnswered(signedCall(key, { account: named, method: "GET", path }));
    return JSON.parse(answer.bytes.toString()).data;
  };
  const [contracts, places, categories, items, locations, storages, invoices] = await Promise.all(
    [
      "reservations",
      "pickup-places",
      "booking-categories",
      "booking-items",
      "rental-locations",
      "rental-storages",
      "invoices",
    ].map(list),
  );
  const column = (rows: readonly Record<string, unknown>[] | undefined, name: string) =>
    (rows ?? []).flatMap((row) => (row[name] === undefined || row[name] === null ? [] : [row[name]]));
  const placeIds = column(places, "id");
  const cart = await aCart(client, named, engineKey, placeIds[0]);
  return {
    pickup_place: placeIds.map(String),
    return_place: placeIds.map(String),
    pickup_place_id: placeIds,
    product: column(categories, "code"),
    code: column(categories, "code"),
    extra: await extrasOf(client, named, engineKey, String(placeIds[0])),
    category_code: column(categories, "code"),
    free_access_id: [...column(contracts, "free_access_id"), cart, cart],
    id: [...column(contracts, "id"), ...column(invoices, "id")],
    booking_id: column(contracts, "id"),
    vehicle_reference: column(items, "reference"),
    rental_location_code: column(locations, "code"),
    rental_storage_id: column(storages, "id"),
    agency_reservation_id: ["fuzz-1", "fuzz-2", "fuzz-3"],
    gateway: ["tpvA256", "tpvB", "tpvC", "wallet_standard"],
    payment_method_id: ["tpvA256", "cash"],
    year: [2025, 2026, "2026"],
    page: [0, 1],
    page_size: [1, 20, 500],
    op_id: ["01890000-0000-7000-8000-000000000001"],
    hash: ["a".repeat(64)],
    base_version: [1, 2, 3],
    quantity: [1, 2],
    lang: ["es", "en", "de"],
    customer_language: ["es", "en"],
    username: ["customer@acme.test", "nobody@example.com"],
  };
}

/** The codes of the extras that are sold. */
async function extrasOf(client: Client, account: AccountName, engineKey: string, place: string): Promise<string[]> {
  const cart = await aCart(client, account, engineKey, place);
  const path = `/api/booking/frontend/shopping-cart/${cart}?api_key=${engineKey}&include_extras=true`;
  const answer = await client.sendUntilAnswered({ account, method: "GET", path });
  return JSON.parse(answer.bytes.toString()).extras.map(({ code }: { readonly code: string }) => code);
}

type Units = Beginning["units"];

/** What a phone could hand over in the next days. */
async function unitsOf(client: Client, { account, token }: Caller, facts: Facts): Promise<Units> {
  const units: Units[number][] = [];
  for (const branch of facts["rental_location_code"] ?? []) {
    for (let days = 0; days < DAYS_OF_WORK; days++) {
      const date = new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
      const path = `/api/v1/booking/deliveries-collections?date=${date}&rental_location_code=${branch}`;
      const call = { account: account as AccountName, method: "GET", path, headers: { Authorization: token } };
      units.push(...unitsIn(JSON.parse((await client.sendUntilAnswered(call)).bytes.toString())));
    }
  }
  return units;
}

/** A day of a branch, as far as a delivery needs it. */
interface Day {
  readonly deliveries: readonly {
    readonly booking_id: number;
    readonly version: number;
    readonly resources: readonly {
      readonly resource_id: number;
      readonly state: string;
      readonly category_code: string;
      readonly vehicle: { readonly reference: string } | null;
    }[];
  }[];
  readonly candidates: Readonly<Record<string, readonly string[]>>;
}

function unitsIn({ deliveries, candidates }: Day): Units {
  return deliveries.flatMap(({ booking_id: bookingId, version, resources }) =>
    resources
      .filter(({ state }) => state === "to_deliver")
      .map(({ resource_id: unitId, vehicle, category_code: code }) => ({
        ...{ bookingId, version, unitId },
        vehicle: vehicle?.reference ?? candidates[code]?.[0],
      })),
  );
}

async function customerOf(client: Client, account: AccountName): Promise<Beginning["customer"]> {
  const { username = "", password = "" } = demoAccounts.find((one) => one.account === account)?.users.at(-1) ?? {};
  const login = jsonCall({ account, method: "POST", path: "/api/v1/login" }, { username, password });
  const answer = await client.sendUntilAnswered(login);
  return { username, password, token: String(answer.headers["authorization"]) };
}

async function aCart(client: Client, account: AccountName, engineKey: string, place: unknown): Promise<string> {
  const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  for (let days = 30; days < 40; days++) {
    const content = {
      date_from: day(days),
      time_from: "10:00",
      date_to: day(days + 7),
      time_to: "10:00",
      pickup_place: String(place),
    };
    const path = `/api/booking/frontend/shopping-cart?api_key=${engineKey}`;
    const answer = await client.sendUntilAnswered(jsonCall({ account, method: "POST", path }, content));
    if (answer.status === 200) return JSON.parse(answer.bytes.toString()).shopping_cart.free_access_id;
  }
  throw new Error(`${account} rents nothing`);
}

// A body beyond the limit is refused before it is read, and the connection with it, also for whoever is about to use it: the second try
// tells which it was.
function sendStubbornly(client: Client, call: Call): Promise<Answer> {
  return client
    .send(call)
    .catch(() => client.send(call, "anew"))
    .catch((error) => ({ status: 0, headers: {}, bytes: Buffer.from(String(error)) }));
}

/** Statuses by operation, and what was wrong. */
interface Report {
  readonly statuses: Map<string, Map<number, number>>;
  readonly faults: string[];
}

function record(report: Report, operation: Operation, request: FuzzRequest, answer: Answer): void {
  const name = `${operation.method} ${operation.path}`;
  const counts = report.statuses.get(name) ?? new Map<number, number>();
  report.statuses.set(name, counts.set(answer.status, (counts.get(answer.status) ?? 0) + 1));
  if (answer.status === 0 && (request.body?.length ?? 0) > LARGEST_BODY) return;
  const header = (wanted: string) => String(answer.headers[wanted] ?? "");
  const text = answer.bytes.toString();
  const judged = {
    status: answer.status,
    contentType: header("content-type"),
    requestId: header("x-request-id"),
    text,
  };
  for (const fault of faultsOf(operation, request, judged)) {
    const sent = `${request.method} ${request.path.slice(0, 300)} ${String(request.body ?? "").slice(0, 400)}`;
    report.faults.push(`${fault}: ${sent} -> ${text.slice(0, 200)}`);
    if (report.faults.length <= MOST_TOLD) console.log(report.faults.at(-1));
  }
}

/** An account with what is known of it and what lives in it. */
interface Inhabited {
  readonly caller: Caller;
  readonly facts: Facts;
  readonly living: Living;
}

async function inhabited(client: Client, account: AccountName, mailbox: Platform["mailbox"]): Promise<Inhabited> {
  const caller = await callerOf(client, account);
  const facts = await factsOf(client, caller);
  const units = await unitsOf(client, caller, facts);
  const customer = await customerOf(client, account);
  return { caller, facts, living: livingOf({ facts, units, customer, mailbox }) };
}

function learn(living: Living, operation: Operation, recipe: Recipe | undefined, answer: Answer): void {
  if (answer.status < 200 || answer.status >= 300) {
    // A conflict of a phone's work is an answer that the office learns of.
    if (answer.status !== 409) return;
  }
  const token = answer.headers["authorization"];
  living.learn({
    operation,
    recipe,
    text: answer.bytes.toString(),
    token: typeof token === "string" ? token : undefined,
  });
}

async function fuzz({ port, mailbox }: Platform): Promise<Report> {
  const client = clientOf(port);
  const random = randomFrom(`fuzz ${values.seed}`);
  const operations = await readOperations();
  const callers = await Promise.all(
    (["acme", "globex"] as const).map((account) => inhabited(client, account, mailbox)),
  );
  const report: Report = { statuses: new Map(), faults: [] };
  let sent = 0;
  const one = async () => {
    const operation = random.pick(operations);
    const { caller, facts, living } = random.chance(0.8) ? (callers[0] ?? random.pick(callers)) : random.pick(callers);
    const recipe = random.chance(0.8) ? living.recipeFor(operation, random) : undefined;
    const request = await requestOf(operation, caller, { random, facts, now: Date.now() }, recipe);
    const answer = await sendStubbornly(client, { ...request, account: caller.account as AccountName });
    if (request.method === operation.method) learn(living, operation, recipe, answer);
    record(report, operation, request, answer);
  };
  const worker = async () => {
    while (sent < Number(values.requests)) {
      sent += 1;
      await one();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return report;
}

function tableOf({ statuses }: Report): string {
  const columns = [...new Set([...statuses.values()].flatMap((counts) => [...counts.keys()]))].sort((a, b) => a - b);
  const rows = [...statuses]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, counts]) => `| ${name} | ${columns.map((status) => counts.get(status) ?? "").join(" | ")} |`);
  return [`| operation | ${columns.join(" | ")} |`, `| --- |${" --- |".repeat(columns.length)}`, ...rows].join("\n");
}

/** Operations that never did what they are for. */
function neverDone({ statuses }: Report, operations: readonly Operation[]): readonly string[] {
  const isDone = (name: string) => [...(statuses.get(name) ?? [])].some(([status]) => status >= 200 && status < 400);
  return operations.map(({ method, path }) => `${method} ${path}`).filter((name) => !isDone(name));
}

const stateDir = await mkdtemp(join(tmpdir(), "fuzz-"));
endWithProcess(() => rm(stateDir, { recursive: true, force: true }));
try {
  const platform = await step("Demo companies and Worker", () => preparePlatform(stateDir));
  await platform.start();
  const report = await step(`${values.requests} requests, seed ${values.seed}`, () => fuzz(platform));
  await platform.kill();
  console.log(`\n${tableOf(report)}\n`);
  const operations = await readOperations();
  const never = neverDone(report, operations);
  console.log(`${operations.length - never.length} of ${operations.length} operations were done at least once.`);
  for (const name of never) console.log(`  never: ${name}`);
  console.log(report.faults.length === 0 ? "No fault." : `${report.faults.length} faults.`);
  await end(report.faults.length === 0 ? 0 : 1);
} catch (error) {
  reportFailure(error);
  await end(1);
}
