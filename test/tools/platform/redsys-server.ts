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
    const requested = readSignedRequest((await request.json()) as Fields);
    if (!requested) return Response.json({ errorCode: "SIS0042" });
    const { order, cents, type } = requested;
    const isLost = cents % 3 === 0;
    if (type !== "2" && type !== "9") return executeRefund(stateDir, requested, isLost);
    return isLost ? new Response(null, { status: 502 }) : Response.json(createHoldEndNotice({ order, type, cents }));
  };
}

function executeRefund(stateDir: string, { account, order, name, cents }: GatewayRefund, isLost: boolean): Response {
  const refund = { account, order, name, cents };
  const isFirst = isFirstRequest(stateDir, refund);
  if (isFirst && cents % 4 === 1) return new Response(null, { status: 502 });
  if (isFirst && cents % 4 === 3) return Response.json({ errorCode: "SIS0057" });
  appendFileSync(getLedgerPath(stateDir), `${JSON.stringify(refund)}\n`);
  return isLost ? new Response(null, { status: 502 }) : Response.json(createRefundNotice(refund));
}

function isFirstRequest(stateDir: string, { account, name }: GatewayRefund): boolean {
  const [file, line] = [getRequestLogPath(stateDir), `${account} ${name}`];
  const loggedRequests = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  appendFileSync(file, `${line}\n`);
  return !loggedRequests.includes(line);
}

// Returns undefined if the merchant's signature is invalid.
function readSignedRequest(fields: Fields): (GatewayRefund & { readonly type: string | undefined }) | undefined {
  const parameters = fields["Ds_MerchantParameters"] ?? "";
  const requested = readRedsysParameters(parameters) ?? {};
  const order = requested["DS_MERCHANT_ORDER"] ?? "";
  if (fields["Ds_Signature"] !== signRedsysParameters(VERSION, TEST_SECRET, order, parameters)) return undefined;
  const site = new URL(requested["DS_MERCHANT_MERCHANTURL"] ?? "http://nobody.invalid");
  return {
    ...{ account: site.hostname.split(".")[0] ?? "", order, name: requested["DS_MERCHANT_MERCHANTDATA"] ?? "" },
    ...{ cents: Number(requested["DS_MERCHANT_AMOUNT"]), type: requested["DS_MERCHANT_TRANSACTIONTYPE"] },
  };
}

/** Capture or release of a card hold, as the platform requests it. */
export interface GatewayHoldEnd {
  readonly order: string;
  /** 2 captures, 9 releases. */
  readonly type: "2" | "9";
  readonly cents: number;
}

function createNotice(order: string, cents: number, outcome: Fields): Fields {
  return signRedsysFields(VERSION, TEST_SECRET, order, {
    ...{ Ds_Amount: String(cents), Ds_Currency: "978", Ds_Order: order },
    ...{ Ds_MerchantCode: "999008881", Ds_Terminal: "1", ...outcome },
  });
}

/** Creates the gateway's message about a captured or released hold, used as response and notification. */
export function createHoldEndNotice({ order, type, cents }: GatewayHoldEnd): Fields {
  const Ds_Response = type === "2" ? "0900" : "0400";
  return createNotice(order, cents, { Ds_Response, Ds_TransactionType: type, Ds_AuthorisationCode: "654321" });
}

/** Creates the gateway's message about an executed refund, used as response and notification. */
export function createRefundNotice({ order, name, cents }: GatewayRefund): Fields {
  const Ds_AuthorisationCode = name.replace(/\D/g, "").padStart(6, "0");
  const refunded = { Ds_Response: "0900", Ds_TransactionType: "3" };
  return createNotice(order, cents, { ...refunded, Ds_MerchantData: name, Ds_AuthorisationCode });
}
