import type { Random } from "#scripts/demo/random.ts";
import type { AccountName, Client } from "#tools/platform/client.ts";
import type { Caller } from "./caller.ts";
import type { Operation } from "./operations.ts";
import type { Recipe } from "./recipe.ts";

/** Of each kind of thing so many are known. */
const MAX_KNOWN_VALUES = 100;

/** Without the things that the caller itself comes in by. */
const OWN = /\/(users|partner-keys|engine-keys|agencies)$/;

/** By the path of a list what stands in it, and by the names of fields that mean one of its things. */
export type OfficeValues = Record<string, unknown[]>;

/** What the office has, and each thing as it was last answered, by the path of its own. */
export interface OfficeResources {
  readonly values: OfficeValues;
  readonly rows: Map<string, Row>;
}

/** What the lists of the office tell. */
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

/** Keeps what an operation of the office answers of a thing: what was made, and the version that it has by now. */
export function recordOfficeAnswer(
  resources: OfficeResources,
  { family, method, path }: Operation,
  text: string,
): void {
  if (family !== "office" || method === "GET") return;
  const collection = path.replace(/\/\{.*/, "");
  if (collection === path) recordSingleResource(resources, path, text);
  if (resources.values[collection])
    for (const item of Object.values(parsed(text))) if (isRow(item)) recordRow(resources, collection, item);
}

/** The status of what a move is made of. */
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

/** A thing of the path and its version, as a write names them; undefined where nothing of the kind is known. */
export function pickResource(
  { values, rows }: OfficeResources,
  { path }: Operation,
  random: Random,
): Recipe | undefined {
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

function toVersionRecipe(row: Row | undefined): Recipe | undefined {
  return row && { parameters: { expected_version: row["version"] } };
}

// What there is one of has its version by the path itself: settings, a table of prices.
function recordSingleResource({ rows }: OfficeResources, path: string, text: string): void {
  for (const item of Object.values(parsed(text)))
    if (isRow(item) && item["version"] !== undefined) rows.set(path, item);
}

/** Whether a path is of a user, a key or an agency that was not made here: by such the caller itself comes in. */
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
  const { data } = parsed(text);
  return Array.isArray(data) ? data.filter(isRow) : [];
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parsed(text: string): Row {
  try {
    const value: unknown = JSON.parse(text);
    return isRow(value) ? value : {};
  } catch {
    return {};
  }
}
