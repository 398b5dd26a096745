import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { auditBooks } from "#scripts/books/audit.ts";
import { extractLocalMoneyData } from "#scripts/books/extract-local.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { callOffice } from "#support/office.ts";
import {
  bookOnWebsite,
  createCecabankNotice,
  createHostedPageNotice,
  createRedsysDenial,
  createRedsysNotice,
  createRedsysRefundNotice,
  enableGateways,
  type GatewayFields,
  type IntentRow,
  MERCHANT_SECRETS,
  readPaymentLedger,
  sendGatewayNotice,
  startPayment,
  submitForm,
} from "#support/payments.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { runWithinOneClockMinute } from "#support/time-limit.ts";
import { parseJson } from "#support/website.ts";
import { requestWorker } from "#support/worker.ts";
import { encryptSecret } from "#worker/auth/secret-encryption.ts";
import { signCecabankNotice } from "#worker/gateways/cecabank.ts";
import { signGlobalPaymentsNotice } from "#worker/gateways/global-payments.ts";

const GLOBEX = "http://globex.localhost:8787";
const PARALLEL_REQUESTS = 50;

let company: TestCompany;
let id: string;

beforeEach(async () => {
  company = await setUpCompany();
  await enableGateways(company);
  id = await bookOnWebsite();
});

async function countNotifications(): Promise<number> {
  return Number(await company.db.prepare("SELECT count(*) AS n FROM payment_notifications").first("n"));
}

describe("responses to gateways", () => {
  // Proves "security.md": A61
  test("returns 200 to Redsys, and 403 if the signature is forged", async () => {
    const intent = await startPayment(id);
    expect((await sendGatewayNotice("tpvA256", { ...createRedsysNotice(intent), Ds_Signature: "x" })).status).toBe(403);
    expect((await sendGatewayNotice("tpvA256", createRedsysNotice(intent))).status).toBe(200);
  });

  test("answers Cecabank in its own response format", async () => {
    const intent = await startPayment(id, "tpvB");
    const forged = await sendGatewayNotice("tpvB", { ...createCecabankNotice(intent), Importe: "1" });
    expect([forged.status, await forged.text()]).toEqual([200, "$*$NOK$*$"]);
    const acceptedNotice = await sendGatewayNotice("tpvB", createCecabankNotice(intent));
    expect([acceptedNotice.status, await acceptedNotice.text()]).toEqual([200, "$*$OKY$*$"]);
  });

  // Proves "payments.md: gateways": Each gateway is answered in its own words
  test("answers Global Payments with a page that leads the visitor back", async () => {
    const intent = await startPayment(id, "tpvC");
    expect((await sendGatewayNotice("tpvC", { ...createHostedPageNotice(intent), RESULT: "101" })).status).toBe(403);
    const acceptedNotice = await sendGatewayNotice("tpvC", createHostedPageNotice(intent));
    expect(acceptedNotice.status).toBe(200);
    expect(await acceptedNotice.text()).toContain(
      `http://acme.localhost:8787/charge-return/tpvC/ok?payment=${intent.id}`,
    );
    const german = await startPayment(await bookOnWebsite("A", { customer_language: "de" }), "tpvC");
    const page = await (
      await sendGatewayNotice("tpvC", createHostedPageNotice(german, { PASREF: "146315463362" }))
    ).text();
    expect(page).toContain('<html lang="de">');
    expect(page).toContain("Zurück zu meiner Reservierung");
  });

  // Proves "payments.md: gateways": No CORS on the notification
  test("sends no CORS headers on gateway URLs, and accepts only POST requests for known gateways", async () => {
    const preflight = await requestWorker("http://acme.localhost:8787/charge-processed/tpvA256", {
      method: "OPTIONS",
      headers: { Origin: "https://shop.example", "Access-Control-Request-Method": "POST" },
    });
    expect(preflight.headers.get("Access-Control-Allow-Origin")).toBeNull();
    expect(preflight.status).toBe(405);
    expect((await submitForm("/charge-processed/cash", {})).status).toBe(404);
    expect((await submitForm("/charge-processed/__proto__", {})).status).toBe(404);
  });
});

describe("a forged notification", () => {
  // Proves "office.md: the vehicles of a contract": A gateway's key signs for no other gateway, and signed fields have
  //   one reading
  // Proves "security.md": A61
  test("treats a notification signed with another gateway's key, or with shifted fields, as forged", async () => {
    const intent = await startPayment(id, "tpvB", "total");
    const genuine = createCecabankNotice(intent);
    const [order = "", amount = ""] = [genuine["Num_operacion"], genuine["Importe"]];
    // The signed text is the same, but one digit of the amount moves to the adjacent field.
    const shiftedFieldSets = [
      { Num_operacion: order + amount.slice(0, 1), Importe: amount.slice(1) },
      { Num_operacion: order.slice(0, -1), Importe: order.slice(-1) + amount },
      { Importe: amount.slice(0, -1), TipoMoneda: `${amount.slice(-1)}97`, Exponente: "8" },
      { TipoMoneda: "9782", Exponente: "" },
    ];
    for (const fields of shiftedFieldSets)
      expect((await sendGatewayNotice("tpvB", { ...genuine, ...fields })).status).toBe(200);
    const { MerchantID: _, ...unsigned } = genuine;
    await sendGatewayNotice("tpvB", { ...unsigned, Firma: signCecabankNotice(MERCHANT_SECRETS.tpvC, genuine) });
    await sendGatewayNotice("tpvB", { ...genuine, Firma: signCecabankNotice(MERCHANT_SECRETS.tpvC, genuine) });
    const hosted = await startPayment(id, "tpvC", "total");
    const page = createHostedPageNotice(hosted);
    await sendGatewayNotice("tpvC", { ...page, SHA1HASH: signGlobalPaymentsNotice(MERCHANT_SECRETS.tpvB, page) });
    // A signature for one gateway is invalid for another.
    await sendGatewayNotice("tpvC", genuine);
    await sendGatewayNotice("tpvB", page);
    expect(await countNotifications()).toBe(0);
    expect(await readPaymentLedger(id)).toMatchObject({ booking: { total_paid_cents: 0 }, charges: [] });
  });

  // Proves "payments.md: gateways": Forged: 403, nothing written, an alert
  // Proves "security.md": A61
  test("changes and stores nothing for a forged notification, and raises an alert", async () => {
    const intent = await startPayment(id);
    const log = vi.spyOn(console, "log").mockImplementation(() => undefined);
    const genuine = createRedsysNotice(intent);
    const forgeries: GatewayFields[] = [
      {},
      { ...genuine, Ds_Signature: "" },
      { ...genuine, Ds_SignatureVersion: "HMAC_SHA256_V1" },
      {
        ...genuine,
        Ds_MerchantParameters: createRedsysNotice(intent, { Ds_Amount: "1" })["Ds_MerchantParameters"] ?? "",
      },
      { ...createRedsysDenial(intent), Ds_MerchantParameters: genuine["Ds_MerchantParameters"] ?? "" },
    ];
    for (const forgery of forgeries) expect((await sendGatewayNotice("tpvA256", forgery)).status).toBe(403);
    const alerts = log.mock.calls.map(([line]) => JSON.parse(String(line))).filter(({ level }) => level === "alert");
    log.mockRestore();
    expect(alerts).toHaveLength(forgeries.length);
    expect(alerts[0]).toMatchObject({ alert: "forged_notification", account: "acme", gateway: "tpvA256" });
    expect(await countNotifications()).toBe(0);
    const { booking, charges } = await readPaymentLedger(id);
    expect(booking).toMatchObject({ status: "pending_confirmation", total_paid_cents: 0 });
    expect(charges).toEqual([]);
  });

  // Proves "office.md: the vehicles of a contract": Forged ones keep no true one away that comes from the same address
  test.each([
    ["tpvA256", createRedsysNotice],
    ["tpvB", createCecabankNotice],
    ["tpvC", createHostedPageNotice],
  ] as const)(
    "accepts a genuine notification after forged %s ones from the same address, because gateways share it",
    (method, createNotice) =>
      runWithinOneClockMinute(async (address) => {
        const intent = await startPayment(await bookOnWebsite(), method);
        const send = (fields: GatewayFields) =>
          requestWorker(`http://acme.localhost:8787/charge-processed/${method}`, {
            method: "POST",
            headers: { "CF-Connecting-IP": address },
            body: new URLSearchParams(fields),
          });
        const forged = Object.fromEntries(Object.keys(createNotice(intent)).map((name) => [name, "x"]));
        for (let time = 0; time < 31; time++) expect((await send(forged)).status).not.toBe(429);
        const refused = await send(forged);
        expect([refused.status, refused.headers.get("Server-Timing")]).toEqual([
          429,
          expect.stringContaining("calls=0"),
        ]);
        expect((await send(createNotice(intent))).status).toBe(200);
        expect((await send(createNotice(intent))).status).toBe(200);
        expect((await send(forged)).status).toBe(429);
        const paid = company.db.prepare("SELECT state FROM payment_intents WHERE id = ?").bind(intent.id);
        expect(await paid.first("state")).toBe("paid");
        expect(await company.db.prepare("SELECT count(*) AS n FROM charges").first("n")).toBe(1);
      }),
  );

  // Proves "security.md": A62
  test("rejects a PayPal notification that PayPal doesn't confirm", async () => {
    const intent = await startPayment(id, "wallet_standard");
    const forged = {
      payment_status: "Completed",
      txn_id: "1",
      invoice: intent.order_reference,
      receiver_email: "payments@acme.test",
      mc_gross: "10.00",
      mc_currency: "EUR",
      verify_sign: "x",
    };
    expect((await sendGatewayNotice("wallet_standard", forged)).status).toBe(403);
    expect(await countNotifications()).toBe(0);
  });

  // Proves "payments.md": The gateway's notification alone decides; the return decides nothing
  test("changes no payment by a visit of the return page", async () => {
    const intent = await startPayment(id);
    for (const method of ["GET", "POST"]) {
      const back = await requestWorker(
        `http://acme.localhost:8787/charge-return/tpvA256/ok?payment=${intent.id}&Ds_Response=0000`,
        {
          method,
          redirect: "manual",
        },
      );
      expect(back.status).toBe(303);
      const page = await requestWorker(`http://acme.localhost:8787${back.headers.get("Location")}`);
      expect(await page.text()).toContain("Waiting for the bank");
    }
    expect((await readPaymentLedger(id)).booking).toMatchObject({
      status: "pending_confirmation",
      total_paid_cents: 0,
    });
  });
});

describe("duplicate payments", () => {
  // Proves "payments.md: gateways": 50 copies at once: one charge
  test.each([
    ["Redsys", "tpvA256", createRedsysNotice],
    ["Cecabank", "tpvB", createCecabankNotice],
    ["Global Payments", "tpvC", createHostedPageNotice],
  ] as const)("creates one charge if %s sends its notification fifty times at once", async (_name, method, notice) => {
    const intent = await startPayment(id, method);
    const answers = await Promise.all(
      Array.from({ length: PARALLEL_REQUESTS }, () => sendGatewayNotice(method, notice(intent))),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { booking, charges, events, outcomes } = await readPaymentLedger(id);
    expect(charges).toHaveLength(1);
    expect(booking).toMatchObject({ status: "confirmed", total_paid_cents: intent.amount_cents });
    expect(events).toEqual(["created", "paid", "confirmed"]);
    expect(outcomes).toEqual(["authorised paid"]);
  });

  test("stores a notification with a second payment number of a paid order for review, without recording a payment", async () => {
    const intent = await startPayment(id);
    await sendGatewayNotice("tpvA256", createRedsysNotice(intent));
    await sendGatewayNotice("tpvA256", createRedsysNotice(intent, { Ds_AuthorisationCode: "999999" }));
    const { charges, outcomes } = await readPaymentLedger(id);
    expect(charges).toHaveLength(1);
    expect(outcomes).toEqual(["authorised paid", "authorised second_payment"]);
  });

  test("records both payments if two attempts to pay a booking succeed, so no money is lost", async () => {
    const [first, second] = [await startPayment(id), await startPayment(id, "tpvB", "total")];
    await sendGatewayNotice("tpvA256", createRedsysNotice(first));
    await sendGatewayNotice("tpvB", createCecabankNotice(second));
    const { booking, charges } = await readPaymentLedger(id);
    expect(charges).toHaveLength(2);
    expect(booking["total_paid_cents"]).toBe(first.amount_cents + second.amount_cents);
    expect(booking["payment_status"]).toBe("total");
  });
});

describe("a payment that comes after its contract was cancelled", () => {
  const documents = async () =>
    (
      await company.db
        .prepare("SELECT form, invoice_status, total_cents, total_paid_cents FROM documents ORDER BY id")
        .all()
    ).results;
  const cancelled = (feeCents: number) =>
    company.db
      .prepare(
        "UPDATE bookings SET status = 'cancelled', cancellation_reason = 'cancelled', cancellation_fee_cents = ?1, expires_at = NULL",
      )
      .bind(feeCents)
      .run();

  // Proves "office.md: the vehicles of a contract": A payment that comes after the cancellation pays its fee, which is
  //   invoiced once
  test("pays a cancelled contract's fee by a late payment, with one invoice, and owes the rest back", async () => {
    const intent = await startPayment(id, "tpvB", "total");
    await cancelled(3000);
    const notice = createCecabankNotice(intent);
    await Promise.all(Array.from({ length: PARALLEL_REQUESTS / 5 }, () => sendGatewayNotice("tpvB", notice)));
    await sendGatewayNotice("tpvB", notice);
    const { booking, charges } = await readPaymentLedger(id);
    expect(charges).toHaveLength(1);
    expect(booking).toMatchObject({ status: "cancelled", total_paid_cents: intent.amount_cents, paid_after_expiry: 1 });
    expect(await documents()).toEqual([
      { form: "simplified", invoice_status: "invoice", total_cents: 3000, total_paid_cents: 3000 },
    ]);
    const auditResult = auditBooks(await extractLocalMoneyData(company.db, { decimals: 2, timezone: "Europe/Madrid" }));
    expect([...auditResult.differences, ...auditResult.remarks]).toEqual([]);
  });

  test("invoices a cancelled contract's fee only up to the fee if two payment attempts succeed", async () => {
    const intents = [await startPayment(id, "tpvB", "deposit"), await startPayment(id, "tpvA256", "deposit")] as const;
    await cancelled(intents[0].amount_cents + 100);
    await sendGatewayNotice("tpvB", createCecabankNotice(intents[0]));
    await sendGatewayNotice("tpvA256", createRedsysNotice(intents[1]));
    const invoiced = (await documents()).reduce((sum, item) => sum + Number(item["total_cents"]), 0);
    expect(invoiced).toBe(intents[0].amount_cents + 100);
  });

  test("creates no document for a late payment of a cancelled contract if nothing is retained", async () => {
    const intent = await startPayment(id, "tpvB", "total");
    await cancelled(0);
    await sendGatewayNotice("tpvB", createCecabankNotice(intent));
    expect((await readPaymentLedger(id)).charges).toHaveLength(1);
    expect(await documents()).toEqual([]);
  });
});

describe("a genuine notification that doesn't match the payment", () => {
  // Proves "payments.md: gateways": Amount, currency or merchant of another payment: refused, kept for a person
  test.each([
    ["another amount", { Ds_Amount: "1" }],
    ["no amount", { Ds_Amount: "" }],
    ["another currency", { Ds_Currency: "840" }],
    ["an unknown currency", { Ds_Currency: "000" }],
    ["another merchant", { Ds_MerchantCode: "999008882" }],
    ["another terminal", { Ds_Terminal: "2" }],
  ])("rejects a notification with %s and stores it for review", async (_title, changes: GatewayFields) => {
    const intent = await startPayment(id);
    expect((await sendGatewayNotice("tpvA256", createRedsysNotice(intent, changes))).status).toBe(403);
    const { booking, charges, outcomes } = await readPaymentLedger(id);
    expect(booking).toMatchObject({ status: "pending_confirmation", total_paid_cents: 0 });
    expect(charges).toEqual([]);
    expect(outcomes).toEqual(["authorised mismatch"]);
    await sendGatewayNotice("tpvA256", createRedsysNotice(intent));
    expect((await readPaymentLedger(id)).booking).toMatchObject({
      status: "confirmed",
      total_paid_cents: intent.amount_cents,
    });
  });

  // Proves "office.md: the vehicles of a contract": … and another amount isn't a copy of a paid one
  test.each([
    ["another amount", { Ds_Amount: "1" }],
    ["another currency", { Ds_Currency: "840" }],
  ])(
    "rejects %s for an already paid order instead of treating it as a duplicate, and stores it once",
    async (_, changes: GatewayFields) => {
      const intent = await startPayment(id);
      await sendGatewayNotice("tpvA256", createRedsysNotice(intent));
      const { booking } = await readPaymentLedger(id);
      for (let time = 0; time < 2; time++)
        expect((await sendGatewayNotice("tpvA256", createRedsysNotice(intent, changes))).status).toBe(403);
      expect((await sendGatewayNotice("tpvA256", createRedsysNotice(intent))).status).toBe(200);
      const after = await readPaymentLedger(id);
      expect(after.outcomes).toEqual(["authorised paid", "authorised mismatch"]);
      expect([after.booking, after.charges.length]).toEqual([booking, 1]);
    },
  );

  test("stores a genuine notification about an unknown order for review", async () => {
    const strange = { order_reference: "9999ZZZZZZZZ", amount_cents: 100 };
    expect((await sendGatewayNotice("tpvA256", createRedsysNotice(strange))).status).toBe(403);
    expect(await company.db.prepare("SELECT outcome FROM payment_notifications").first("outcome")).toBe(
      "unknown_order",
    );
  });

  // Proves "payments.md: gateways": Payments of another account are unknown
  test("rejects a notification about another account's order, even if signed with the same test key", async () => {
    const intent = await startPayment(id);
    await enableGateways(await setUpCompany("globex"));
    expect((await sendGatewayNotice("tpvA256", createRedsysNotice(intent), GLOBEX)).status).toBe(403);
    const other = await env.TENANT_GLOBEX.prepare("SELECT count(*) AS n FROM charges").first("n");
    expect(other).toBe(0);
    expect((await readPaymentLedger(id)).booking).toMatchObject({ total_paid_cents: 0 });
    const page = await requestWorker(`${GLOBEX}/reserva/payment-gateway-return/ok?payment=${intent.id}`);
    expect(page.status).toBe(404);
  });
});

describe("denials, payments and refunds of one order", () => {
  const messages = {
    denied: createRedsysDenial,
    paid: (intent: IntentRow) => createRedsysNotice(intent),
    refunded: (intent: IntentRow) => createRedsysRefundNotice(intent),
  };
  const orders = [
    ["denied", "paid", "refunded"],
    ["denied", "refunded", "paid"],
    ["paid", "denied", "refunded"],
    ["paid", "refunded", "denied"],
    ["refunded", "denied", "paid"],
    ["refunded", "paid", "denied"],
  ] as const;

  // Proves "payments.md: gateways": Denied, paid, refunded in any order
  test.each(orders)(
    "reaches the same payment state if gateway notifications arrive twice in the order %s, %s, %s",
    async (...order) => {
      const intent = await startPayment(id);
      for (const step of order) {
        expect((await sendGatewayNotice("tpvA256", messages[step](intent))).status).toBe(200);
        expect((await sendGatewayNotice("tpvA256", messages[step](intent))).status).toBe(200);
      }
      const { booking, charges, events } = await readPaymentLedger(id);
      expect(booking).toMatchObject({ status: "confirmed", total_paid_cents: 0, payment_status: "refunded" });
      expect(charges.map((charge) => [charge["payment_type"], charge["amount_cents"]])).toEqual([
        ["charge", intent.amount_cents],
        ["payment", intent.amount_cents],
      ]);
      expect(events).toEqual(["created", "paid", "confirmed", "refunded"]);
    },
  );

  test("counts an order as paid if it is both denied and paid, in either order", async () => {
    const first = await startPayment(id);
    await sendGatewayNotice("tpvA256", createRedsysDenial(first));
    expect(await readIntentState(first)).toBe("denied");
    await sendGatewayNotice("tpvA256", createRedsysNotice(first));
    expect(await readIntentState(first)).toBe("paid");
    await sendGatewayNotice("tpvA256", createRedsysDenial(first));
    expect(await readIntentState(first)).toBe("paid");
    expect((await readPaymentLedger(id)).charges).toHaveLength(1);
  });

  test("records partial refunds up to the payment, also before it, and stores a refund that exceeds it for review", async () => {
    const intent = await startPayment(id);
    const half = Math.floor(intent.amount_cents / 2);
    await sendGatewayNotice("tpvA256", createRedsysRefundNotice(intent, half, "111111"));
    expect(
      (await sendGatewayNotice("tpvA256", createRedsysRefundNotice(intent, intent.amount_cents, "222222"))).status,
    ).toBe(403);
    await sendGatewayNotice("tpvA256", createRedsysNotice(intent));
    await sendGatewayNotice("tpvA256", createRedsysRefundNotice(intent, 100, "333333"));
    const { booking, outcomes } = await readPaymentLedger(id);
    expect(booking["total_paid_cents"]).toBe(intent.amount_cents - half - 100);
    expect(booking["payment_status"]).toBe("deposit");
    expect(outcomes).toEqual(["refunded refunded", "refunded mismatch", "authorised paid", "refunded refunded"]);
  });

  // Proves "rules.md and documents.md: the life of documents": A gateway's refunds of one order are counted each
  test("records refunds that a gateway reports without an authorisation code once for each amount", async () => {
    const intent = await startPayment(id);
    await sendGatewayNotice("tpvA256", createRedsysNotice(intent));
    for (const cents of [500, 700, 500]) {
      expect((await sendGatewayNotice("tpvA256", createRedsysRefundNotice(intent, cents, ""))).status).toBe(200);
    }
    const { booking, charges } = await readPaymentLedger(id);
    expect(booking["total_paid_cents"]).toBe(intent.amount_cents - 1200);
    expect(charges.slice(1)).toMatchObject([
      { payment_type: "payment", amount_cents: 500, external_operation_number: "" },
      { payment_type: "payment", amount_cents: 700, external_operation_number: "" },
    ]);
  });

  async function readIntentState({ id: intentId }: IntentRow) {
    return company.db.prepare("SELECT state FROM payment_intents WHERE id = ?").bind(intentId).first("state");
  }
});

describe("while the secret is being changed", () => {
  // Proves "payments.md: gateways": Secrets rotate without a notification lost
  test("accepts notifications signed with the old or the new secret, and no others", async () => {
    const [first, second, third] = [
      await startPayment(id),
      await startPayment(id, "tpvB"),
      await startPayment(id, "tpvC"),
    ];
    const change = `UPDATE payment_gateways SET previous_secret_sealed = secret_sealed, secret_sealed = ? WHERE method = ?`;
    const sealed = await encryptSecret(env.MASTER_KEY, "acme", "bmV3IG5ldyBuZXcgbmV3IG5ldyBuZXcg");
    for (const method of ["tpvA256", "tpvB"]) await company.db.prepare(change).bind(sealed, method).run();
    expect((await sendGatewayNotice("tpvA256", createRedsysNotice(first))).status).toBe(200);
    expect(await (await sendGatewayNotice("tpvB", createCecabankNotice(second))).text()).toBe("$*$OKY$*$");
    await company.db
      .prepare("UPDATE payment_gateways SET secret_sealed = ? WHERE method = 'tpvC'")
      .bind(await encryptSecret(env.MASTER_KEY, "acme", "new"))
      .run();
    expect((await sendGatewayNotice("tpvC", createHostedPageNotice(third))).status).toBe(403);
  });
});

describe("a gateway secret that no master key decrypts", () => {
  test.each([
    ["tpvA256", createRedsysNotice],
    ["tpvB", createCecabankNotice],
    ["tpvC", createHostedPageNotice],
  ] as const)(
    "asks %s to resend its notification instead of treating it as forged, and accepts it later",
    async (method, notice) => {
      const intent = await startPayment(id, method);
      const select = "SELECT secret_sealed FROM payment_gateways WHERE method = ?";
      const sealed = await company.db.prepare(select).bind(method).first("secret_sealed");
      const change = company.db.prepare("UPDATE payment_gateways SET secret_sealed = ? WHERE method = ?");
      const otherDeploymentSecret = await encryptSecret(btoa("another key of the deployment!!!"), "acme", "secret");
      await change.bind(otherDeploymentSecret, method).run();
      const lines = vi.spyOn(console, "log").mockImplementation(() => undefined);
      // Repeated invalid notifications are never ignored.
      for (let time = 0; time < 25; time++) expect((await sendGatewayNotice(method, notice(intent))).status).toBe(503);
      expect(lines.mock.calls.flat().join()).toContain("gateway_not_opened");
      lines.mockRestore();
      await change.bind(sealed, method).run();
      expect((await sendGatewayNotice(method, notice(intent))).status).toBe(200);
      expect(
        await company.db.prepare("SELECT state FROM payment_intents WHERE id = ?").bind(intent.id).first("state"),
      ).toBe("paid");
    },
  );
});

describe("the page after a payment at the gateway", () => {
  const RETURN = "http://acme.localhost:8787/reserva/payment-gateway-return";

  // Proves "accessibility.md": A4
  test("shows the payment status in the booking's language, and polls until it is known", async () => {
    const intent = await startPayment(id);
    await company.db.prepare("UPDATE bookings SET customer_language = 'de'").run();
    const returnPage = await requestWorker(`${RETURN}/ok?payment=${intent.id}`);
    const text = await returnPage.text();
    expect(text).toContain("Wir warten auf die Bank");
    expect(text).toContain(`content="2;url=/reserva/payment-gateway-return/ok?payment=${intent.id}&amp;look=1"`);
    expect(returnPage.headers.get("Content-Security-Policy")).toContain("default-src 'none'");
    // With JavaScript, a script polls without a page reload, so screen readers don't restart.
    expect(text).toMatch(/<noscript data-url="[^"]+" data-seconds="2"><meta http-equiv="refresh"[^>]+><\/noscript>/);
    expect(text).toContain("<h1>Wir warten auf die Bank");
    expect(returnPage.headers.get("Content-Security-Policy")).toContain("connect-src 'self'");
    expect(await (await requestWorker(`${RETURN}/cancel?payment=${intent.id}`)).text()).toContain(
      "Sie haben die Zahlungsseite verlassen",
    );
    expect(await (await requestWorker(`${RETURN}/ok?payment=${intent.id}&look=40`)).text()).not.toContain("http-equiv");
    await sendGatewayNotice("tpvA256", createRedsysNotice(intent));
    expect(await (await requestWorker(`${RETURN}/nok?payment=${intent.id}`)).text()).toContain("Zahlung erhalten");
  });

  test("shows an error on the return page for a URL without a known payment, whatever it contains", async () => {
    for (const payment of ["", "0".repeat(32), "x", "' OR 1=1 --", '"><script>']) {
      const page = await requestWorker(`${RETURN}/ok?payment=${encodeURIComponent(payment)}`, {
        headers: { "Accept-Language": "ca-ES,ca;q=0.9" },
      });
      expect(page.status).toBe(404);
      const text = await page.text();
      expect(text).toContain("Pagament no trobat");
      expect(text).not.toContain("<script");
    }
    expect((await requestWorker(`${RETURN}/elsewhere`)).status).toBe(400);
  });

  describe("payments that couldn't confirm a booking", () => {
    let boss = "";
    let intent: IntentRow;
    let back = (_body: object): Promise<Response> => Promise.reject();
    const readPaymentStatus = async () =>
      (await (await requestWorker(`${RETURN}/ok?payment=${intent.id}`)).text()).replace(/[\n ]+/g, " ");
    const today = new Intl.DateTimeFormat("de-DE", { dateStyle: "medium", timeZone: "Europe/Madrid" }).format();
    const cents = (amount: number) => (amount / 100).toFixed(2);
    const german = (amount: number) => `${cents(amount).replace(".", ",")}\u00a0€`;

    beforeEach(async () => {
      await addTestUsers();
      boss = await createToken("boss");
      intent = await startPayment(id, "tpvB", "total");
      await company.db
        .prepare(
          "UPDATE bookings SET customer_language = 'de', status = 'cancelled', cancellation_reason = 'cancelled', expires_at = NULL",
        )
        .run();
      await sendGatewayNotice("tpvB", createCecabankNotice(intent));
      back = (body) =>
        callOffice("POST", `/reservations/${intent.booking_id}/refund`, {
          token: boss,
          body: { reason: "sold meanwhile", payment_method_id: "bank_transfer", ...body },
        });
    });

    // Proves "payments.md": A visitor who returns to a refunded payment sees amount and date, and retained amounts
    test("shows an unusable payment as under review until refunded, then the amount and date", async () => {
      expect(await readPaymentStatus()).toContain("Wir prüfen Ihre Zahlung");
      expect((await back({ amount: "10.00" })).status).toBe(200);
      const part = await readPaymentStatus();
      expect(part).toContain("Wir prüfen Ihre Zahlung");
      expect(part).toContain(`Am ${today} haben wir 10,00\u00a0€ erstattet.`);
      expect((await back({ amount: cents(intent.amount_cents - 1000) })).status).toBe(200);
      const fullStatus = await readPaymentStatus();
      expect(fullStatus).toContain("Ihre Zahlung wurde erstattet");
      expect(fullStatus).toContain(`Am ${today} haben wir ${german(intent.amount_cents)} erstattet.`);
      expect(fullStatus).not.toContain("Wir melden uns");
    });

    test("keeps the first of two payments under review if the last one is refunded manually", async () => {
      const again = await bookOnWebsite("A", { customer_language: "de" });
      const first = await startPayment(again, "tpvB", "deposit");
      const last = await startPayment(again, "tpvA256", "deposit");
      await company.db.prepare("UPDATE bookings SET status = 'cancelled', expires_at = NULL").run();
      await sendGatewayNotice("tpvB", createCecabankNotice(first));
      await sendGatewayNotice("tpvA256", createRedsysNotice(last));
      await company.db.prepare("UPDATE payment_intents SET paid_at = paid_at + 1 WHERE id = ?").bind(last.id).run();
      intent = last;
      expect((await back({ amount: cents(last.amount_cents) })).status).toBe(200);
      expect(await readPaymentStatus()).toContain("Ihre Zahlung wurde erstattet");
      intent = first;
      expect(await readPaymentStatus()).toContain("Wir prüfen Ihre Zahlung");
      expect(await readPaymentStatus()).not.toContain("erstattet.");
    });

    test("reports the second payment of a valid booking as a pending refund until it is refunded", async () => {
      const again = await bookOnWebsite("A", { customer_language: "de" });
      const first = await startPayment(again, "tpvB", "deposit");
      const last = await startPayment(again, "tpvA256", "total");
      await sendGatewayNotice("tpvB", createCecabankNotice(first));
      await sendGatewayNotice("tpvA256", createRedsysNotice(last));
      intent = first;
      expect(await readPaymentStatus()).toContain("Zahlung erhalten");
      intent = last;
      const twice = await readPaymentStatus();
      expect(twice).toContain("Die Reservierung war schon bezahlt");
      expect(twice).not.toContain("Vielen Dank");
      await company.db
        .prepare("UPDATE bookings SET total_paid_cents = total_cents WHERE id = ?")
        .bind(last.booking_id)
        .run();
      expect(await readPaymentStatus()).toContain("Zahlung erhalten");
    });

    test("shows the retained amount, and the requested gateway refund as being processed", async () => {
      await company.db.prepare("UPDATE bookings SET cancellation_fee_cents = total_cents - 1000").run();
      expect((await back({ amount: "10.00" })).status).toBe(200);
      expect(await readPaymentStatus()).toContain("Der Rest deckt die Stornogebühr.");
      await company.db
        .prepare(
          `INSERT INTO gateway_refunds (id, booking_id, intent_id, amount_cents, reason, requested_by, requested_at)
            VALUES (21, ?, ?, 500, 'killed', 1, 1)`,
        )
        .bind(intent.booking_id, intent.id)
        .run();
      const requestedStatus = await readPaymentStatus();
      expect(requestedStatus).toContain("Ihre Zahlung wird erstattet");
      expect(requestedStatus).toContain("Wir haben die Bank gebeten, 5,00\u00a0€ zu erstatten.");
    });

    // Proves "payments.md": … and of a booking that was cancelled after it was paid, that it is owed back
    test("shows a payment as owed back if its booking was cancelled afterwards", async () => {
      const booked = await bookOnWebsite("A", { customer_language: "de" });
      intent = await startPayment(booked, "tpvA256", "total");
      await sendGatewayNotice("tpvA256", createRedsysNotice(intent));
      expect(await readPaymentStatus()).toContain("Zahlung erhalten");
      const cancel = "UPDATE bookings SET status = 'cancelled', cancellation_fee_cents = ? WHERE id = ?";
      await company.db.prepare(cancel).bind(1000, intent.booking_id).run();
      const owedStatus = await readPaymentStatus();
      expect(owedStatus).toContain("Ihre Reservierung ist storniert");
      expect(owedStatus).toContain("Wir erstatten diese Zahlung abzüglich der Stornogebühr.");
      expect(owedStatus).not.toContain("Vielen Dank");
    });

    test("shows a payment as received once the office found a vehicle for the booking", async () => {
      const pending = await bookOnWebsite("A", { customer_language: "de" });
      intent = await startPayment(pending, "tpvA256", "deposit");
      await sendGatewayNotice("tpvA256", createRedsysNotice(intent));
      await company.db.prepare("UPDATE bookings SET paid_after_expiry = 1").run();
      expect(await readPaymentStatus()).toContain("Zahlung erhalten");
    });
  });

  test("redirects from the gateway to the return page without the gateway's parameters and to no foreign host", async () => {
    const back = await requestWorker(
      "http://acme.localhost:8787/charge-return/tpvB/cancel?payment=//evil.example&Ds_Order=1",
      {
        redirect: "manual",
      },
    );
    expect(back.headers.get("Location")).toBe("/reserva/payment-gateway-return/cancel");
  });
});

test("returns the status confirmed of a paid booking to the website", async () => {
  await sendGatewayNotice("tpvA256", createRedsysNotice(await startPayment(id)));
  const answer = await requestWorker(`http://acme.localhost:8787/api/booking/frontend/booking/${id}?lang=en`);
  const body = JSON.stringify(await parseJson(answer));
  expect(body).toContain('"confirmed"');
});
