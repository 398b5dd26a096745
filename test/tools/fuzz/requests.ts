import type { Random } from "#scripts/demo/random.ts";
import { signPathAndQuery } from "#worker/auth/signature.ts";
import type { Caller, RequestRecipe } from "./caller.ts";
import { createHostileText, createHostileValue, mutateValue } from "./hostile-values.ts";
import type { Operation, Parameter } from "./operations.ts";
import { createValidValue, type ValueSource } from "./values.ts";

export interface FuzzRequest {
  readonly account: string;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Whether the request is valid by its description. */
  readonly isValid?: boolean;
}

const METHODS = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"];
const HUGE = 1_200_000;
const FORM = "application/x-www-form-urlencoded";

/** Creates a request of an operation, mostly valid with some errors. */
export async function buildRequest(
  operation: Operation,
  caller: Caller,
  baseSource: Omit<ValueSource, "isValid" | "recipe">,
  recipe?: RequestRecipe,
): Promise<FuzzRequest> {
  const { random } = baseSource;
  const source: ValueSource = { ...baseSource, isValid: random.chance(0.4), ...(recipe && { recipe }) };
  const path = buildPath(operation, source) + buildQuery(operation, caller, source);
  const { body, contentType } = buildBody(operation, source);
  const token = recipe?.token ?? (endsSessions(operation) ? `${caller.token.slice(0, -2)}xx` : caller.token);
  const authorization = await buildAuthorization(operation, { ...caller, token }, { path, body, random });
  return {
    account: caller.account,
    method: random.chance(0.02) ? random.pick(METHODS) : operation.method,
    path,
    headers: {
      ...(contentType && { "Content-Type": contentType }),
      ...(authorization !== undefined && { Authorization: authorization }),
      ...(isEngine(operation) && { Origin: random.pick(["https://shop.example", "null"]) }),
      ...buildHeaders(operation, source),
    },
    ...(body !== undefined && { body }),
    isValid: source.isValid,
  };
}

// Whether an operation ends sessions. The caller's own session isn't used for it.
function endsSessions({ method, path }: Operation): boolean {
  return path.endsWith("/logout") || (method === "DELETE" && /\/v1\/sessions(\/|$)/.test(path));
}

/** Creates the headers of a request. A key is used once, because a repetition returns the earlier response. */
function buildHeaders({ parameters }: Operation, { random, isValid }: ValueSource): Readonly<Record<string, string>> {
  const sentParameters = parameters.filter(
    (parameter) => parameter.in === "header" && (isValid || random.chance(0.97)),
  );
  const key = () => (isValid || random.chance(0.95) ? `"${random.hex(24)}"` : random.pick(['"1"', '""', "x", '"']));
  return Object.fromEntries(sentParameters.map(({ name }) => [name, key()]));
}

function isEngine({ family }: Operation): boolean {
  return family === "rental-engine" || family === "transfer-engine";
}

function buildPath(operation: Operation, source: ValueSource): string {
  return operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const schema =
      operation.parameters.find((parameter) => parameter.in === "path" && parameter.name === name)?.schema ?? {};
    const value =
      source.isValid || source.random.chance(0.85)
        ? String(createValidValue(operation, schema, name, source))
        : createHostileText(source.random);
    return encodeURIComponent(value) || "%20";
  });
}

function buildQuery(operation: Operation, caller: Caller, source: ValueSource): string {
  const { random } = source;
  const isKnown = (name: string) => source.recipe?.parameters?.[name] !== undefined;
  const isIncluded = ({ name, required }: Parameter) =>
    required || isKnown(name) ? source.isValid || random.chance(0.96) : random.chance(0.3);
  const pairs = operation.parameters
    .filter((parameter) => parameter.in === "query" && isIncluded(parameter))
    .map(({ name, schema }) => {
      const value =
        source.isValid || random.chance(0.85)
          ? String(createValidValue(operation, schema, name, source))
          : createHostileText(random);
      return `${encodeURIComponent(name)}=${encodeURIComponent(name === "api_key" ? caller.engineKey : value)}`;
    });
  if (isEngine(operation) && !pairs.some((pair) => pair.startsWith("api_key"))) {
    pairs.push(`api_key=${source.isValid || random.chance(0.95) ? caller.engineKey : "wrong"}`);
  }
  return joinQuery(pairs, source);
}

function joinQuery(pairs: string[], { random, isValid }: ValueSource): string {
  if (isValid) return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
  if (pairs.length > 0 && random.chance(0.04)) pairs.push(random.pick(pairs));
  if (random.chance(0.04))
    pairs.push(`${encodeURIComponent(createHostileText(random))}=${encodeURIComponent(createHostileText(random))}`);
  if (random.chance(0.02)) pairs.push(random.pick(["%zz", "a=%ff%fe", "=", "&&", "a[]=1&a[]=2", "%00=%00"]));
  return pairs.length === 0 ? "" : `?${pairs.join("&")}`;
}

interface Body {
  readonly body?: string | Uint8Array;
  readonly contentType?: string;
}

function buildBody(operation: Operation, source: ValueSource): Body {
  if (operation.method === "GET" || operation.method === "DELETE") return {};
  const recipeBody = source.recipe?.body;
  if (recipeBody instanceof Uint8Array) return buildFileBody(recipeBody, source);
  if (operation.body) return describedBody(operation, operation.body, recipeBody, source);
  const { random } = source;
  if (recipeBody !== undefined)
    return { body: encodeForm(source.isValid ? recipeBody : mutateValue(recipeBody, random)), contentType: FORM };
  return random.chance(0.5) ? {} : { body: createHostileText(random), contentType: FORM };
}

function buildFileBody(bytes: Uint8Array, { random, isValid }: ValueSource): Body {
  if (isValid || random.chance(0.3)) return { body: bytes, contentType: "image/jpeg" };
  const type = random.pick(["image/jpeg", "image/png", "text/plain"]);
  return { body: bytes.slice(random.between(0, 40)), contentType: type };
}

function describedBody(
  operation: Operation,
  { contentType, schema, example }: NonNullable<Operation["body"]>,
  recipeBody: unknown,
  source: ValueSource,
): Body {
  const { random } = source;
  const valid =
    recipeBody ??
    likeExample(createValidValue(operation, schema, "", source), random.chance(0.3) ? example : undefined);
  const value = source.isValid || random.chance(0.2) ? valid : mutateValue(valid, random);
  const type =
    !source.isValid && random.chance(0.03)
      ? random.pick(["text/plain", "application/xml", "", "application/json"])
      : contentType;
  if (contentType.includes("form")) return { contentType: type, body: encodeForm(value) };
  return { contentType: type, body: source.isValid ? JSON.stringify(value) : jsonText(value, random) };
}

// Uses values of the example if members depend on each other, and known versions.
function likeExample(value: unknown, example: unknown): unknown {
  if (!isObject(example) || !isObject(value)) return value;
  const { expected_version: version } = value;
  return "expected_version" in example ? { ...example, expected_version: version } : example;
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function encodeForm(value: unknown): string {
  const entries = Object.entries(typeof value === "object" && value !== null ? value : { value });
  return new URLSearchParams(entries.map(([name, item]) => [name, String(item)])).toString();
}

function jsonText(value: unknown, random: Random): string {
  const text = JSON.stringify(value) ?? "";
  return random.pickWeighted<() => string>([
    [() => text, 90],
    [() => text.slice(0, random.between(0, text.length)), 3],
    [() => `${text}${text}`, 1],
    [() => encodeURIComponent(text.toWellFormed()), 2],
    [() => JSON.stringify(createHostileValue(random)) ?? "", 2],
    [() => text.replace(/^\{/, '{"__proto__":{"a":1},'), 1],
    [() => `"${"x".repeat(HUGE)}"`, 0.2],
  ])();
}

async function buildAuthorization(
  operation: Operation,
  caller: Caller,
  { path, body, random }: { readonly path: string; readonly body: Body["body"]; readonly random: Random },
): Promise<string | undefined> {
  if (random.chance(0.06))
    return random.pick(["", "x", ":", "a:b", "Bearer ", "Bearer eyJhbGciOiJub25lIn0.e30.", "a".repeat(4000)]);
  if (operation.credential === "none" || random.chance(0.03)) return undefined;
  if (operation.credential === "token") return caller.token;
  const families = Object.keys(caller.keys);
  const key = caller.keys[random.chance(0.95) ? operation.family : random.pick(families)];
  if (!key) return undefined;
  const signature = await signPathAndQuery(
    key.secret,
    path,
    operation.method === "POST" && typeof body === "string" ? body : undefined,
  );
  return `${key.apiKey}:${random.chance(0.97) ? signature : signature.replace(/^./, "z")}`;
}
