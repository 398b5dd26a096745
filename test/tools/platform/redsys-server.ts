import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Request, Response } from "miniflare";
import { readRedsysParameters, signedRedsysFields, signRedsys } from "#worker/gateways/redsys.ts";
import { TEST_SECRET } from "./redsys-notice.ts";

const VERSION = "HMAC_SHA512_V2";
type Fields = Readonly<Record<string, string>>;
const REFUNDS = "/sis/rest/trataPeticionREST";

/** What the gateway has given back, as its own books say. */
export interface GatewayRefund {
  readonly account: string;
  readonly order: string;
  /** The name that the platform gave it: `refund-12`. */
  readonly name: string;
  readonly cents: number;
}

const getLedgerPath = (stateDir: string) => join(stateDir, "gateway.jsonl");
const getRequestLogPath = (stateDir: string) => join(stateDir, "gateway-asked.txt");

/** The gateway's own books: each refund that it did, whether its answer arrived or not. */
export function readGatewayBook(stateDir: string): readonly GatewayRefund[] {
  const file = getLedgerPath(stateDir);
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as GatewayRefund);
}

/**
 * Redsys' server, as a killed platform meets it: it gives back what is asked and signed, writes it down, and loses one
 * answer in three. When it is asked first, a quarter reaches it never and another quarter it refuses. It gives back
 * twice what is asked twice.
 */
export function redsysServer(stateDir: string): (request: Request) => Promise<Response> {
  return async (request) => {
    if (new URL(request.url).pathname !== REFUNDS) return new Response(null, { status: 404 });
    const requestedRefund = readRefundRequest((await request.json()) as Fields);
    if (!requestedRefund) return Response.json({ errorCode: "SIS0042" });
    const isFirst = isFirstRequest(stateDir, requestedRefund);
    if (isFirst && requestedRefund.cents % 4 === 1) return new Response(null, { status: 502 });
    if (isFirst && requestedRefund.cents % 4 === 3) return Response.json({ errorCode: "SIS0057" });
    appendFileSync(getLedgerPath(stateDir), `${JSON.stringify(requestedRefund)}\n`);
    return requestedRefund.cents % 3 === 0
      ? new Response(null, { status: 502 })
      : Response.json(refundNotice(requestedRefund));
  };
}

function isFirstRequest(stateDir: string, { account, name }: GatewayRefund): boolean {
  const [file, line] = [getRequestLogPath(stateDir), `${account} ${name}`];
  const loggedRequests = existsSync(file) ? readFileSync(file, "utf8").split("\n") : [];
  appendFileSync(file, `${line}\n`);
  return !loggedRequests.includes(line);
}

// Undefined where the signature is not the merchant's.
function readRefundRequest(fields: Fields): GatewayRefund | undefined {
  const parameters = fields["Ds_MerchantParameters"] ?? "";
  const loggedRequests = readRedsysParameters(parameters) ?? {};
  const order = loggedRequests["DS_MERCHANT_ORDER"] ?? "";
  if (fields["Ds_Signature"] !== signRedsys(VERSION, TEST_SECRET, order, parameters)) return undefined;
  const site = new URL(loggedRequests["DS_MERCHANT_MERCHANTURL"] ?? "http://nobody.invalid");
  return {
    account: site.hostname.split(".")[0] ?? "",
    order,
    name: loggedRequests["DS_MERCHANT_MERCHANTDATA"] ?? "",
    cents: Number(loggedRequests["DS_MERCHANT_AMOUNT"]),
  };
}

/** What the gateway says of a refund that it did: its answer and its notification are the same. */
export function refundNotice({ order, name, cents }: GatewayRefund): Fields {
  return signedRedsysFields(VERSION, TEST_SECRET, order, {
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
