import type { Random } from "#scripts/demo/random.ts";
import type { AccountName, Client } from "#tools/platform/client.ts";
import type { Caller, RequestRecipe } from "./caller.ts";
import type { Operation } from "./operations.ts";

/** Maximum number of known records per kind. */
const MAX_KNOWN_VALUES = 100;

/** Resources without the caller's own credentials. */
const OWN = /\/(users|partner-keys|engine-keys|agencies)$/;

/** Records by list path, and ids by field name. */
export type OfficeValues = Record<string, unknown[]>;

/** Office records, each with its latest response, by path. */
export interface OfficeResources {
  readonly values: OfficeValues;
  readonly rows: Map<string, Row>;
}

/** Reads the office's lists. */
export async function loadOfficeResources(
  client: Client,
  { account, token }: Caller,
  operations: readonly Operation[],
): Promise<OfficeResources> {
  const resources: OfficeResources = { values: {}, rows: new Map() };
  for (const { family, method, path } of operations) {
    if (family !== "office" || method !== "GET" || path.includes("{")) continue;
    const call = { account: account as AccountName, method, path, headers: { Authorization: token } } as const;
    const { status, bytes } = await client.sendUntilAnswered(call);
    if (status !== 200) continue;
    resources.values[path] ??= [];
    if (!OWN.test(path)) for (const row of parseRows(bytes.toString())) recordRow(resources, path, row);
    recordSingleResource(resources, path, bytes.toString());
  }
  return resources;
}

/** Collects records and versions from an office response. */
export function recordOfficeAnswer(
  resources: OfficeResources,
  { family, method, path }: Operation,
  text: string,
): void {
  if (family !== "office" || method === "GET") return;
  const collection = path.replace(/\/\{.*/, "");
  if (collection === path) recordSingleResource(resources, path, text);
  if (resources.values[collection])
    for (const item of Object.values(parseRow(text))) if (isRow(item)) recordRow(resources, collection, item);
}

/** Required status of each action. */
const MOVED: Readonly<Record<string, string>> = {
  confirm: "pending_confirmation",
  assign: "confirmed",
  deliver: "confirmed",
  "no-show": "confirmed",
  extend: "in_progress",
  exchange: "in_progress",
  "early-return": "in_progress",
  collect: "in_progress",
  reopen: "done",
};

/** Returns a record and version for a path. Undefined if none is known. */
export function pickResource(
  { values, rows }: OfficeResources,
  { path }: Operation,
  random: Random,
): RequestRecipe | undefined {
  const [collection = "", name, rest = ""] = path.split(/\/\{(\w+)\}/);
  const known = values[collection] ?? [];
  if (name === undefined) return toVersionRecipe(rows.get(path));
  if (known.length === 0) return undefined;
  const status = MOVED[rest.slice(1)];
  const getRow = (id: unknown) => rows.get(`${collection}/${id}`) ?? {};
  const isMovable = (row: Row) => row["status"] === status && row["kind"] === "rental";
  const movable = status === undefined ? [] : known.filter((id) => isMovable(getRow(id)));
  const id = random.pick(movable.length > 0 ? movable : known);
  return { parameters: { [name]: id, expected_version: getRow(id)["version"] ?? 1 } };
}

function toVersionRecipe(row: Row | undefined): RequestRecipe | undefined {
  return row && { parameters: { expected_version: row["version"] } };
}

// Stores versions of single records such as settings and price tables by path.
function recordSingleResource({ rows }: OfficeResources, path: string, text: string): void {
  for (const item of Object.values(parseRow(text)))
    if (isRow(item) && item["version"] !== undefined) rows.set(path, item);
}

/** Whether a path refers to a user, key or agency not created here, which the caller may depend on. */
export function isPreexistingAccess({ values }: OfficeResources, path: string): boolean {
  const [, collection = "", id = ""] =
    /^(\/[\w/-]+\/(?:users|partner-keys|engine-keys|agencies))\/([^/?]+)/.exec(path) ?? [];
  return id !== "" && !(values[collection] ?? []).map(String).includes(decodeURIComponent(id));
}

type Row = Readonly<Record<string, unknown>>;

function recordRow({ values, rows }: OfficeResources, path: string, row: Row): void {
  const kind = toSingular(path.split("/").at(-1) ?? "");
  const id = row["id"] ?? row["reference"] ?? row["code"];
  add(values, path, id);
  if (row["version"] !== undefined) rows.set(`${path}/${id}`, row);
  const kinds = new Set([kind, kind.replace(/.*_/, "")]);
  for (const kind of kinds) for (const name of ["id", "code", "reference"]) add(values, `${kind}_${name}`, row[name]);
}

function add(values: OfficeValues, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  const known = values[name] ?? [];
  values[name] = known;
  if (!known.includes(value)) known.push(value);
  if (known.length > MAX_KNOWN_VALUES) known.shift();
}

function toSingular(collection: string): string {
  return collection
    .replaceAll("-", "_")
    .replace(/ies$/, "y")
    .replace(/(ch)es$|s$/, "$1");
}

function parseRows(text: string): readonly Row[] {
  const { data } = parseRow(text);
  return Array.isArray(data) ? data.filter(isRow) : [];
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseRow(text: string): Row {
  try {
    const value: unknown = JSON.parse(text);
    return isRow(value) ? value : {};
  } catch {
    return {};
  }
}
