import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Request, Response } from "miniflare";
import { readRedsysParameters, signRedsysFields, signRedsysParameters } from "#worker/gateways/redsys.ts";
import { TEST_SECRET } from "./redsys-notice.ts";

const VERSION = "HMAC_SHA512_V2";
type Fields = Readonly<Record<string, string>>;
const REFUNDS = "/sis/rest/trataPeticionREST";

/** A refund in the gateway's own books. */
export interface GatewayRefund {
  readonly account: string;
  readonly order: string;
  /** Reference set by the platform: `refund-12`. */
  readonly name: string;
  readonly cents: number;
}

const getLedgerPath = (stateDir: string) => join(stateDir, "gateway.jsonl");
const getRequestLogPath = (stateDir: string) => join(stateDir, "gateway-asked.txt");

/** Reads the gateway's books: each executed refund, whether or not its response arrived. */
export function readGatewayBook(stateDir: string): readonly GatewayRefund[] {
  const file = getLedgerPath(stateDir);
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as GatewayRefund);
}

/**
 * Creates Redsys' server for chaos tests: executes and records signed refunds, captures and releases holds, and loses
 * every third response. A quarter of the first requests doesn't arrive and another quarter is rejected. Repeated
 * requests are executed twice.
 */
export function createRedsysServer(stateDir: string): (request: Request) => Promise<Response> {
  return async (request) => {
    if (new URL(request.url).pathname !== REFUNDS) return new Response(null, { status: 404 });
    const fields = (await request.json()) as Fields;
    const end = readHoldEnd(fields);
    if (end) return end.cents % 3 === 0 ? new Response(null, { status: 502 }) : Response.json(createHoldEndNotice(end));
    return executeRefund(stateDir, fields);
  };
}

function executeRefund(stateDir: string, fields: Fields): Response {
  const requestedRefund = readRefundRequest(fields);
  if (!requestedRefund) return Response.json({ errorCode: "SIS0042" });
  const isFirst = isFirstRequest(stateDir, requestedRefund);
  if (isFirst && requestedRefund.cents % 4 === 1) return new Response(null, { status: 502 });
  if (isFirst && requestedRefund.cents % 4 === 3) return Response.json({ errorCode: "SIS0057" });
  appendFileSync(getLedgerPath(stateDir), `${JSON.stringify(requestedRefund)}\n`);
  return requestedRefund.cents % 3 === 0
    ? new Response(null, { status: 502 })
    : Response.json(createRefundNotice(requestedRefund));
}

function isFirstRequest(stateDir: string, { account, name }: GatewayRefund): boolean {
  const [file, line] = [getRequestLogPath(stateDir), `${account} ${name}`];
  const loggedRequests = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  appendFileSync(file, `${line}\n`);
  return !loggedRequests.includes(line);
}

// Returns undefined if the merchant's signature is invalid.
function readRefundRequest(fields: Fields): GatewayRefund | undefined {
  const parameters = fields["Ds_MerchantParameters"] ?? "";
  const loggedRequests = readRedsysParameters(parameters) ?? {};
  const order = loggedRequests["DS_MERCHANT_ORDER"] ?? "";
  if (fields["Ds_Signature"] !== signRedsysParameters(VERSION, TEST_SECRET, order, parameters)) return undefined;
  const site = new URL(loggedRequests["DS_MERCHANT_MERCHANTURL"] ?? "http://nobody.invalid");
  return {
    account: site.hostname.split(".")[0] ?? "",
    order,
    name: loggedRequests["DS_MERCHANT_MERCHANTDATA"] ?? "",
    cents: Number(loggedRequests["DS_MERCHANT_AMOUNT"]),
  };
}

/** Capture or release of a card hold, as the platform requests it. */
export interface GatewayHoldEnd {
  readonly order: string;
  /** 2 captures, 9 releases. */
  readonly type: "2" | "9";
  readonly cents: number;
}

// Returns undefined unless it's a signed capture or release.
function readHoldEnd(fields: Fields): GatewayHoldEnd | undefined {
  const parameters = fields["Ds_MerchantParameters"] ?? "";
  const requested = readRedsysParameters(parameters) ?? {};
  const order = requested["DS_MERCHANT_ORDER"] ?? "";
  if (fields["Ds_Signature"] !== signRedsysParameters(VERSION, TEST_SECRET, order, parameters)) return undefined;
  const type = requested["DS_MERCHANT_TRANSACTIONTYPE"];
  return type === "2" || type === "9" ? { order, type, cents: Number(requested["DS_MERCHANT_AMOUNT"]) } : undefined;
}

/** Creates the gateway's message about a captured or released hold, used as response and notification. */
export function createHoldEndNotice({ order, type, cents }: GatewayHoldEnd): Fields {
  return signRedsysFields(VERSION, TEST_SECRET, order, {
    Ds_Amount: String(cents),
    Ds_Currency: "978",
    Ds_Order: order,
    Ds_MerchantCode: "999008881",
    Ds_Terminal: "1",
    Ds_Response: type === "2" ? "0900" : "0400",
    Ds_TransactionType: type,
    Ds_AuthorisationCode: "654321",
  });
}

/** Creates the gateway's message about an executed refund, used as response and notification. */
export function createRefundNotice({ order, name, cents }: GatewayRefund): Fields {
  return signRedsysFields(VERSION, TEST_SECRET, order, {
    Ds_Amount: String(cents),
    Ds_Currency: "978",
    Ds_Order: order,
    Ds_MerchantCode: "999008881",
    Ds_Terminal: "1",
    Ds_Response: "0900",
    Ds_MerchantData: name,
    Ds_TransactionType: "3",
    Ds_AuthorisationCode: name.replace(/\D/g, "").padStart(6, "0"),
  });
}
