import { env } from "cloudflare:workers";
import { checkOutCart, createCart, parseJson } from "#support/website.ts";
import { requestWorker } from "#support/worker.ts";
import { encryptSecret } from "#worker/auth/secret-encryption.ts";
import { signCecabankNotice } from "#worker/gateways/cecabank.ts";
import { signGlobalPaymentsNotice } from "#worker/gateways/global-payments.ts";
import { signRedsysFields } from "#worker/gateways/redsys.ts";
import type { TestCompany } from "./company.ts";

export const GATEWAY_METHODS = ["tpvA256", "tpvB", "tpvC", "wallet_standard"] as const;
export type GatewayMethod = (typeof GATEWAY_METHODS)[number];
export type GatewayFields = Readonly<Record<string, string>>;

export const MERCHANTS: Readonly<Record<GatewayMethod, GatewayFields>> = {
  tpvA256: { merchantCode: "999008881", terminal: "1", signatureVersion: "HMAC_SHA512_V2" },
  tpvB: { merchantId: "111950028", acquirerBin: "0000554052", terminalId: "00000003" },
  tpvC: { merchantId: "thestore", account: "internet" },
  wallet_standard: { business: "payments@acme.test" },
};
export const MERCHANT_SECRETS: Readonly<Record<GatewayMethod, string>> = {
  tpvA256: "sq7HjrUOBfKmC576ILgskD5srU870gJ7",
  tpvB: "sq99888888",
  tpvC: "mysecret",
  wallet_standard: "",
};

const SITE = "http://acme.localhost:8787";

/** Enables payments by the four gateways through the simulator. */
export async function enableGateways({ db, account }: TestCompany): Promise<void> {
  const sealed = async (method: GatewayMethod) =>
    MERCHANT_SECRETS[method] === "" ? null : encryptSecret(env.MASTER_KEY, account, MERCHANT_SECRETS[method]);
  const rows = await Promise.all(GATEWAY_METHODS.map(async (method) => ({ method, secret: await sealed(method) })));
  await db.batch([
    db
      .prepare(`UPDATE settings SET payment_methods = ?, payment_options = '["deposit","total"]',
        engine_origins = '["https://shop.example"]'`)
      .bind(JSON.stringify(GATEWAY_METHODS)),
    ...rows.map(({ method, secret }) =>
      db
        .prepare(
          "INSERT INTO payment_gateways (method, environment, merchant, secret_sealed, created_at, last_update) VALUES (?, 'stand_in', ?, ?, 1, 1)",
        )
        .bind(method, JSON.stringify(MERCHANTS[method]), secret),
    ),
  ]);
}

/** Creates a pending, unpaid website booking. Returns its id. */
export async function bookOnWebsite(product = "A", changes: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const answer = await checkOutCart(await createCart(product), changes);
  if (answer.status !== 200) throw new Error(await answer.text());
  return (await parseJson(answer)).free_access_id;
}

/** Submits a form like a browser. */
export function submitForm(url: string, fields: GatewayFields): Promise<Response> {
  const address = url.startsWith("/") ? SITE + url : url;
  return requestWorker(address, { method: "POST", body: new URLSearchParams(fields), redirect: "manual" });
}

/** Submits the form that pays the deposit of a booking by the first gateway. */
export function submitDepositPayment(id: string, changes: GatewayFields = {}): Promise<Response> {
  return submitForm("/reserva/pagar", { id, payment: "deposit", payment_method_id: "tpvA256", ...changes });
}

/** Parses the forms of a page with their targets and hidden fields. */
export async function parseForms(response: Response) {
  const forms: { action: string; fields: Record<string, string> }[] = [];
  const counts: Record<string, number> = {};
  const parsed = new HTMLRewriter()
    .on("*", {
      element: (element) => {
        counts[element.tagName] = (counts[element.tagName] ?? 0) + 1;
      },
    })
    .on("form", {
      element: (element) => {
        forms.push({ action: unescapeHtml(element.getAttribute("action") ?? ""), fields: {} });
      },
    })
    .on("input[type=hidden]", {
      element: (element) => {
        const form = forms.at(-1);
        const name = unescapeHtml(element.getAttribute("name") ?? "");
        if (form) form.fields[name] = unescapeHtml(element.getAttribute("value") ?? "");
      },
    })
    .transform(response);
  await parsed.text();
  return { forms, counts };
}

// Unescapes attributes, which the parser returns unchanged.
function unescapeHtml(text: string): string {
  return text
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&amp;", "&");
}

export interface IntentRow {
  readonly id: string;
  readonly booking_id: number;
  readonly order_reference: string;
  readonly amount_cents: number;
  readonly state: string;
  readonly refunded_cents: number;
}

/** Prepares a payment of a booking and returns the stored intent. */
export async function startPayment(
  id: string,
  method: GatewayMethod = "tpvA256",
  payment = "deposit",
): Promise<IntentRow> {
  const response = await submitDepositPayment(id, { payment, payment_method_id: method });
  if (response.status !== 200) throw new Error(await response.text());
  const row = await env.TENANT_ACME.prepare(
    `SELECT payment_intents.* FROM payment_intents JOIN bookings ON bookings.id = booking_id
      WHERE free_access_id = ? AND method = ? AND part = ? ORDER BY payment_intents.created_at DESC LIMIT 1`,
  )
    .bind(id, method, payment)
    .first<IntentRow>();
  if (!row) throw new Error("no intent");
  return row;
}

/** Creates Redsys' notification of an order. */
export function createRedsysNotice(
  intent: Pick<IntentRow, "order_reference" | "amount_cents">,
  changes: GatewayFields = {},
): GatewayFields {
  const noticeFields = {
    Ds_Date: "20%2F11%2F2026",
    Ds_Hour: "10%3A30",
    Ds_Amount: String(intent.amount_cents),
    Ds_Currency: "978",
    Ds_Order: intent.order_reference,
    Ds_MerchantCode: "999008881",
    Ds_Terminal: "001",
    Ds_Response: "0000",
    Ds_TransactionType: "0",
    Ds_AuthorisationCode: "123456",
    ...changes,
  };
  return signRedsysFields("HMAC_SHA512_V2", MERCHANT_SECRETS.tpvA256, noticeFields.Ds_Order, noticeFields);
}

export function createRedsysDenial(intent: Pick<IntentRow, "order_reference" | "amount_cents">): GatewayFields {
  return createRedsysNotice(intent, { Ds_Response: "0190", Ds_AuthorisationCode: "++++++" });
}

export function createRedsysRefundNotice(
  intent: IntentRow,
  cents = intent.amount_cents,
  code = "777777",
): GatewayFields {
  return createRedsysNotice(intent, {
    Ds_Response: "0900",
    Ds_TransactionType: "3",
    Ds_Amount: String(cents),
    Ds_AuthorisationCode: code,
  });
}

/** Creates Cecabank's signed notice of a successful payment. */
export function createCecabankNotice(intent: IntentRow, changes: GatewayFields = {}): GatewayFields {
  const noticeFields = {
    MerchantID: "111950028",
    AcquirerBIN: "0000554052",
    TerminalID: "00000003",
    Num_operacion: intent.order_reference,
    Importe: String(intent.amount_cents),
    TipoMoneda: "978",
    Exponente: "2",
    Referencia: "12001234567890",
    Num_aut: "101000",
    ...changes,
  };
  return { ...noticeFields, Firma: signCecabankNotice(MERCHANT_SECRETS.tpvB, noticeFields) };
}

/** Creates the hosted page's signed notice of a successful payment. */
export function createHostedPageNotice(intent: IntentRow, changes: GatewayFields = {}): GatewayFields {
  const noticeFields = {
    TIMESTAMP: "20261120090507",
    MERCHANT_ID: "thestore",
    ORDER_ID: intent.order_reference,
    RESULT: "00",
    MESSAGE: "Authorised",
    PASREF: "146315463361",
    AUTHCODE: "12345",
    AMOUNT: String(intent.amount_cents),
    ...changes,
  };
  return { ...noticeFields, SHA1HASH: signGlobalPaymentsNotice(MERCHANT_SECRETS.tpvC, noticeFields) };
}

/** Sends a notice as the gateway does. */
export function sendGatewayNotice(method: GatewayMethod, fields: GatewayFields, site = SITE): Promise<Response> {
  return submitForm(`${site}/charge-processed/${method}`, fields);
}

/** Reads a booking's stored payment data. */
export async function readPaymentLedger(id: string) {
  const bookingCondition = "WHERE booking_id = (SELECT id FROM bookings WHERE free_access_id = ?1)";
  const [booking, charges, history, notices] = await env.TENANT_ACME.batch<Record<string, unknown>>([
    env.TENANT_ACME.prepare(
      "SELECT status, total_cents, total_paid_cents, payment_status, paid_after_expiry, expires_at FROM bookings WHERE free_access_id = ?1",
    ).bind(id),
    env.TENANT_ACME.prepare(
      `SELECT payment_type, payment_method_id, amount_cents, currency, status, source_doc, external_operation_number, branch_code FROM charges ${bookingCondition} ORDER BY id`,
    ).bind(id),
    env.TENANT_ACME.prepare(`SELECT event, actor FROM booking_history ${bookingCondition} ORDER BY id`).bind(id),
    env.TENANT_ACME.prepare(
      `SELECT kind, outcome FROM payment_notifications JOIN payment_intents ON payment_intents.id = intent_id ${bookingCondition} ORDER BY payment_notifications.id`,
    ).bind(id),
  ]);
  return {
    booking: booking?.results[0] ?? {},
    charges: charges?.results ?? [],
    events: (history?.results ?? []).map((row) => row["event"]),
    outcomes: (notices?.results ?? []).map((row) => `${row["kind"]} ${row["outcome"]}`),
  };
}
