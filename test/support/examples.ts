import { env } from "cloudflare:workers";
import { requestWorker } from "#support/worker.ts";
import type { Operation, Parameter } from "#tools/fuzz/operations.ts";
import { signPathAndQuery } from "#worker/auth/signature.ts";
import { demoAccounts } from "#worker/development/demo-accounts.ts";

/** Placeholder in documents for the id of a cart or booking, different for each caller. */
const EXAMPLE_ID = "9f0c2d1e4b5a69788796a5b4c3d2e1f0";
const SITE = "http://acme.localhost:8787";

const acme = demoAccounts.find(({ account }) => account === "acme");
if (!acme) throw new Error("there is no demo account acme");
const { partnerKeys, engineKey, users } = acme;

/** Ids that documents can't contain, from earlier responses. */
export interface ExampleValues {
  /** Id of a cart or booking. */
  readonly freeAccessId: string;
  /** Path values by operation name. */
  readonly valuesByName: Readonly<Record<string, unknown>>;
}

/**
 * Sends an operation's example as a user of the demo account, or with a token of another user. Null sends it without
 * one.
 */
export async function sendExample(
  operation: Operation,
  { freeAccessId, valuesByName }: ExampleValues,
  bindings: Cloudflare.Env = env,
  token?: string | null,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  const path =
    buildPath(operation, valuesByName[operation.name]).replaceAll(EXAMPLE_ID, freeAccessId) + buildQuery(operation);
  const body = buildBody(operation)?.replaceAll(EXAMPLE_ID, freeAccessId);
  const authorization = token === undefined ? await createAuthorization(operation, path, body) : (token ?? undefined);
  const init = {
    method: operation.method,
    redirect: "manual",
    headers: {
      ...(operation.body && { "Content-Type": operation.body.contentType }),
      ...(authorization !== undefined && { Authorization: authorization }),
      ...buildHeaders(operation),
      ...headers,
    },
    ...(body !== undefined && { body }),
  } as const;
  return requestWorker(SITE + path, init, bindings);
}

function getExample({ example, schema }: Parameter): unknown {
  return example ?? schema.example;
}

function buildPath({ path, parameters }: Operation, pathParameter: unknown): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const parameter = parameters.find((parameter) => parameter.in === "path" && parameter.name === name);
    return encodeURIComponent(String(pathParameter ?? (parameter && getExample(parameter))));
  });
}

function buildQuery({ family, parameters }: Operation): string {
  const pairs = parameters
    .filter((parameter) => parameter.in === "query" && getExample(parameter) !== undefined)
    .map((parameter): [string, string] => [parameter.name, String(getExample(parameter))]);
  if (family.endsWith("-engine")) pairs.push(["api_key", engineKey.apiKey]);
  return pairs.length > 0 ? `?${new URLSearchParams(pairs)}` : "";
}

function buildHeaders({ parameters }: Operation): Readonly<Record<string, string>> {
  const headerParameters = parameters.filter(
    (parameter) => parameter.in === "header" && getExample(parameter) !== undefined,
  );
  // Each request requires its own key.
  const getHeaderValue = (parameter: Parameter) =>
    parameter.name === "idempotency-key" ? crypto.randomUUID() : String(getExample(parameter));
  return Object.fromEntries(headerParameters.map((parameter) => [parameter.name, getHeaderValue(parameter)]));
}

function buildBody({ body }: Operation): string | undefined {
  if (body?.example === undefined) return undefined;
  if (body.contentType === "application/json") return JSON.stringify(body.example);
  return new URLSearchParams(body.example as Record<string, string>).toString();
}

async function createAuthorization(
  { credential, family, name, path }: Operation,
  signed: string,
  body: string | undefined,
) {
  if (credential === "none") return undefined;
  if (credential === "token") return getToken(path.includes("/web-customer/") ? "customer@" : "staff@", name);
  const key = partnerKeys.find(({ use }) => (family === "ota" ? use === "agency" : use.includes(family)));
  return key && `${key.apiKey}:${await signPathAndQuery(key.secret, signed, body)}`;
}

const tokens = new Map<string, Promise<string>>();

const ENDS_SESSIONS = new Set(["signOut", "signOutEverywhere", "endSession"]);

/** Returns the token of a shared session. Examples that end sessions get their own. */
function getToken(user: "staff@" | "customer@", operation: string): Promise<string> {
  if (ENDS_SESSIONS.has(operation)) {
    tokens.delete(user);
    return signIn(user);
  }
  const token = tokens.get(user) ?? signIn(user);
  tokens.set(user, token);
  return token;
}

async function signIn(name: "staff@" | "customer@"): Promise<string> {
  const user = users.find(({ username }) => username.startsWith(name));
  const answer = await requestWorker(`${SITE}/api/v1/login`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ username: user?.username, password: user?.password }),
  });
  return answer.headers.get("Authorization") ?? "";
}
