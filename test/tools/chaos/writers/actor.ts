import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { Random } from "#scripts/demo/random.ts";
import type { Operation } from "#tools/fuzz/operations.ts";
import {
  type AccountName,
  type Answer,
  type Call,
  type Client,
  createJsonCall,
  createSignedCall,
  createUnexpectedAnswerError,
  parseJson,
} from "#tools/platform/client.ts";
import { getPartnerKey } from "#tools/platform/credentials.ts";
import { getDateAfter } from "#tools/platform/days.ts";
import type { GatewayRefund } from "#tools/platform/redsys-server.ts";
import type { OfficeWrite, WritersHistory } from "../history.ts";
import { expectRows, type RowCountQuery, runWithExpectedRows } from "./record-expectations.ts";

/** Context of all writers. */
export interface WriterContext {
  readonly client: Client;
  readonly history: WritersHistory;
  readonly random: Random;
  /** Operations of the OpenAPI documents by operation id. */
  readonly operations: ReadonlyMap<string, Operation>;
  /** Token of each account's first staff user, used for all staff actions. */
  readonly staffTokens: Readonly<Record<AccountName, string>>;
  /** Token of another acme manager, because users can't approve their own refunds. */
  readonly managerToken: string;
  readonly accountData: Readonly<Record<AccountName, AccountData>>;
  /** Emails sent by the platform: the latest text by recipient. */
  readonly mailbox: ReadonlyMap<string, string>;
  /** Refunds executed by the gateway so far. */
  readonly gatewayBook: () => readonly GatewayRefund[];
}

/** Codes and ids of an account that writers use in their requests. */
export interface AccountData {
  readonly codes: readonly string[];
  readonly places: readonly number[];
  /** Branch code by place id. */
  readonly branchOf: ReadonlyMap<number, string>;
  readonly branchGroups: readonly number[];
  readonly vehicles: readonly string[];
  readonly extras: readonly string[];
  /** Ids of reservation invoices. */
  readonly invoices: readonly number[];
  readonly bonds: readonly number[];
  /** Contracts with a higher open amount than all desks take together. */
  readonly contracts: readonly number[];
  readonly branches: readonly string[];
}

/** A step of a writer: a unit of work until its last response. */
export type ChaosWriter = (actor: Actor) => Promise<void>;

// biome-ignore lint/suspicious/noExplicitAny: the audit compares answers with the database.
type Content = any;
type Values = Readonly<Record<string, string | number>>;

interface SendOptions {
  /** Null sends it without one. */
  readonly token?: string | null;
  /** Partner key that signs the request. */
  readonly apiKey?: string;
  /** Accepted statuses of a refusal. All others are failures. */
  readonly refusals?: readonly number[];
}

interface WriteOptions extends SendOptions, Pick<OfficeWrite, "id" | "isReservation" | "refundId"> {
  /** Whether the request is stored under another name than the record's id. */
  readonly hasOtherName?: boolean;
}

export interface Reply {
  readonly call: Call;
  readonly answer: Answer;
  readonly isDone: boolean;
  /** JSON of the response. Undefined if there's none. */
  readonly content: Content;
}

/** Response of a successful office write, with the versioned record in it, if any. */
export interface WrittenRecord {
  readonly content: Content;
  readonly id: string;
  readonly version: number;
}

const BUSY_MILLISECONDS = 500;
const FORM = "application/x-www-form-urlencoded";

/** A client of one account that sends operations by their id, until they are answered, and records the outcome. */
export class Actor {
  readonly account: AccountName;
  readonly context: WriterContext;
  readonly #acknowledge: (operation: string) => void;

  constructor(account: AccountName, context: WriterContext, acknowledge: (operation: string) => void) {
    this.account = account;
    this.context = context;
    this.#acknowledge = acknowledge;
  }

  get random(): Random {
    return this.context.random;
  }

  get history(): WritersHistory {
    return this.context.history;
  }

  get data(): AccountData {
    return this.context.accountData[this.account];
  }

  /** Returns true with this probability, at random. */
  chance(probability: number): boolean {
    return this.random.chance(probability);
  }

  getOperation(name: string): Operation {
    const operation = this.context.operations.get(name);
    if (!operation) throw new Error(`the documents have no operation ${name}`);
    return operation;
  }

  /** Sends an operation until it's answered. Throws on responses other than success and the accepted refusals. */
  async send(name: string, values: Values = {}, body?: object, options: SendOptions = {}): Promise<Reply> {
    return this.#send(name, this.#buildCall(this.getOperation(name), values, body, options), options.refusals);
  }

  /** Sends an operation and returns its JSON. Undefined if it was refused. */
  async ask(name: string, values?: Values, body?: object, options?: SendOptions): Promise<Content> {
    const { isDone, content } = await this.send(name, values, body, options);
    return isDone ? content : undefined;
  }

  /** Reads a path as staff or with a token. Office paths start below the office API. */
  async get(path: string, { token, refusals }: Pick<SendOptions, "token" | "refusals"> = {}): Promise<Reply> {
    const headers = { Authorization: token ?? this.context.staffTokens[this.account] };
    const address = path.startsWith("/api/") ? path : `/api/v1/office${path}`;
    return this.#send("", { account: this.account, method: "GET", path: address, headers }, refusals);
  }

  /** Reads the JSON of a path as staff. */
  async read(path: string): Promise<Content> {
    return (await this.get(path)).content;
  }

  /** Posts JSON to a page, which the documents don't contain. */
  async post(path: string, body: object, refusals: readonly number[]): Promise<Reply> {
    return this.#send("", createJsonCall({ account: this.account, method: "POST", path }, body), refusals);
  }

  /** Sends the same request again. Success is required. */
  async repeat({ call }: Reply): Promise<Reply> {
    return this.#send("", call);
  }

  /**
   * Sends an office write with its own key, sometimes repeated. Undefined if it was refused, which changes nothing, for
   * example because another user was faster.
   */
  async write(
    name: string,
    values: Values = {},
    body?: object,
    options: WriteOptions = {},
  ): Promise<WrittenRecord | undefined> {
    const { hasOtherName = false, token, refusals = [409], ...record } = options;
    const operation = this.getOperation(name);
    const key = randomUUID();
    const unkeyed = this.#buildCall(operation, values, body, token === undefined ? {} : { token });
    const call = { ...unkeyed, headers: { ...unkeyed.headers, "Idempotency-Key": `"${key}"` } };
    const kind = getResourceKind(operation);
    const work = { account: this.account, operation: name, kind, isRemoval: operation.method === "DELETE", ...record };
    const keep = (changes: Partial<OfficeWrite> & Pick<OfficeWrite, "state">) =>
      this.history.officeWrites.set(key, { ...work, ...changes });
    keep({ state: "asked" });
    let reply = await this.#send(name, call, refusals);
    // Another account's import is running, or its own earlier request after a lost response.
    while (reply.content?.code === "import_running") {
      await setTimeout(BUSY_MILLISECONDS);
      reply = await this.#send(name, call, refusals);
    }
    const { answer, content = {} } = reply;
    if (!reply.isDone) {
      keep({ state: "refused", code: content.code === "invalid_input" ? content.error : content.code });
      return undefined;
    }
    const snapshot = readSnapshot(content);
    keep({ state: "done", ...(snapshot && !hasOtherName && snapshot) });
    if (this.chance(0.2)) {
      const again = await this.repeat(reply);
      const isSame = again.answer.status === answer.status || hasOtherName;
      if (!isSame || readSnapshot(again.content ?? {})?.id !== snapshot?.id)
        throw createUnexpectedAnswerError(call, again.answer);
    }
    return { content, id: "", version: 0, ...snapshot };
  }

  /** Expects a number of rows of a query from now on. `name` describes the check. */
  expect(name: string, sql: string, values: RowCountQuery["values"], rows: Parameters<typeof expectRows>[3]): void {
    expectRows(this.context, `${this.account} ${name}`, { account: this.account, sql, values }, rows);
  }

  /** Stops expecting rows. */
  forget(name: string): void {
    this.history.expectations.delete(`${this.account} ${name}`);
  }

  /** Expects that work changes the rows of a query from none to one, or back, unless it returns undefined. */
  track<T>(
    name: string,
    [sql, values]: readonly [string, RowCountQuery["values"]],
    work: () => Promise<T | undefined>,
    before: 0 | 1 = 0,
  ): Promise<T | undefined> {
    const query = { account: this.account, sql, values, before, after: 1 - before };
    return runWithExpectedRows(this.context, `${this.account} ${name}`, query, work);
  }

  async #send(name: string, call: Call, refusals: readonly number[] = []): Promise<Reply> {
    const answer = await this.context.client.sendUntilAnswered(call);
    const isDone = answer.status < 300;
    if (!isDone && !refusals.includes(answer.status)) throw createUnexpectedAnswerError(call, answer);
    if (isDone && name) this.#acknowledge(name);
    const isJson = String(answer.headers["content-type"]).startsWith("application/json");
    return { call, answer, isDone, content: isJson ? parseJson(answer) : undefined };
  }

  #buildCall(
    operation: Operation,
    values: Values,
    body: object | undefined,
    { token = this.context.staffTokens[this.account], apiKey }: SendOptions,
  ): Call {
    const names = new Set(Array.from(operation.path.matchAll(/\{(\w+)\}/g), ([, name]) => name));
    const fillName = (_: string, name: string) => encodeURIComponent(String(values[name]));
    const query = new URLSearchParams(
      Object.entries(values).flatMap(([name, value]) => (names.has(name) ? [] : [[name, String(value)]])),
    );
    if (operation.family.endsWith("-engine")) query.set("api_key", `${this.account}-web`);
    const path = operation.path.replace(/\{(\w+)\}/g, fillName) + (query.size > 0 ? `?${query}` : "");
    const target = { account: this.account, method: operation.method, path };
    if (apiKey) return createSignedCall(getPartnerKey(this.account, apiKey), target, body);
    const hasKey = operation.parameters.some(({ name }) => name === "idempotency-key");
    const headers = {
      ...(operation.credential === "token" && token !== null && { Authorization: token }),
      ...(hasKey && { "Idempotency-Key": `"${randomUUID()}"` }),
    };
    return body === undefined ? { ...target, headers } : { ...target, ...encodeBody(operation, body, headers) };
  }
}

function encodeBody({ body: documented }: Operation, body: object, headers: Readonly<Record<string, string>>) {
  if (body instanceof Uint8Array) return { headers: { ...headers, "Content-Type": "image/jpeg" }, body };
  const type = documented?.contentType ?? FORM;
  const text = type === FORM ? new URLSearchParams({ ...body }).toString() : JSON.stringify(body);
  return { headers: { ...headers, "Content-Type": type }, body: text };
}

// Returns the resource that an operation writes, if it's the whole resource.
function getResourceKind({ path }: Operation): string | undefined {
  return /^\/api\/v1\/office\/([\w-]+)(\/\{\w+\}(\/rotate-secret)?)?$/.exec(path)?.[1];
}

// Finds the member of a response that has a version.
function readSnapshot(content: Content): Pick<WrittenRecord, "id" | "version"> | undefined {
  for (const value of Object.values(content)) {
    const { id, reference, version } = Object(value);
    const name = id ?? reference;
    if (typeof version === "number" && name !== undefined) return { id: String(name), version };
  }
  return undefined;
}

/** Narrow date range to make vehicles scarce. Wider for the company with few vans. */
const FIRST_DAY = 40;
const DAYS: Readonly<Record<AccountName, number>> = { acme: 9, globex: 60 };
/** Some requests use later dates with availability. */
const LAST_DAY = 260;

/** Returns the fields of a rental, mostly within the narrow date range, during opening hours of any day. */
export function pickRental({ random, data, account }: Actor) {
  const from = FIRST_DAY + random.between(0, random.chance(0.2) ? LAST_DAY : DAYS[account]);
  const place = random.pick(data.places);
  return {
    ...{ date_from: getDateAfter(from), time_from: "10:00" },
    ...{ date_to: getDateAfter(from + random.between(1, 3)), time_to: "10:00" },
    ...{ pickup_place: place, return_place: place, category_code: random.pick(data.codes) },
  };
}
