import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { chooseForGate } from "#support/gate-sample.ts";
import {
  bookOnWebsite,
  createCecabankNotice,
  enableGateways,
  GATEWAY_METHODS,
  type GatewayMethod,
  MERCHANTS,
  parseForms,
  readPaymentLedger,
  sendGatewayNotice,
  startPayment,
  submitDepositPayment,
  submitForm,
} from "#support/payments.ts";
import { runWithinOneClockMinute } from "#support/time-limit.ts";
import { parseJson } from "#support/website.ts";
import { requestWorker } from "#support/worker.ts";
import { sendVisitorToGateway } from "#worker/api/payments/pages.ts";

let company: TestCompany;

beforeEach(async () => {
  company = await setUpCompany();
  await enableGateways(company);
});

const chargeMethods: Readonly<Record<GatewayMethod, string>> = {
  tpvA256: "tpvA_256",
  tpvB: "tpvB",
  tpvC: "tpvC",
  wallet_standard: "wallet_standard",
};

/** Pays with the gateway simulator like a browser. Returns the final page. */
async function payThroughSimulator(
  id: string,
  method: GatewayMethod,
  choice: "pay" | "refuse",
  changes: Record<string, string> = {},
) {
  const { forms } = await parseForms(await submitDepositPayment(id, { payment_method_id: method, ...changes }));
  const page = await submitForm(forms[0]?.action ?? "", forms[0]?.fields ?? {});
  expect(page.status).toBe(200);
  const choices = (await parseForms(page)).forms;
  const chosen = choices.find(({ action }) => action.endsWith(`/${choice}`));
  const answer = await submitForm(`http://localhost:8787${chosen?.action}`, chosen?.fields ?? {});
  const back = method === "tpvC" ? /url=([^"]+)/.exec(await answer.text())?.[1] : answer.headers.get("Location");
  const returned = await requestWorker(back ?? "", { redirect: "manual" });
  expect(returned.status).toBe(303);
  return requestWorker(new URL(returned.headers.get("Location") ?? "", back ?? "").href);
}

describe("payment through the simulator from booking to return page", () => {
  // Proves "payments.md": POST /reserva/pagar answers a page whose form leads to the gateway
  // Proves "payments.md": Done charge: total_paid, payment_status, pending_confirmation → confirmed
  test.each(GATEWAY_METHODS)("confirms the booking and creates one charge by %s", async (method) => {
    const id = await bookOnWebsite();
    const summary = "https://shop.example/summary?lang=en";
    const page = await payThroughSimulator(id, method, "pay", { summary_url: summary });
    const text = await page.text();
    expect(text).toContain("Payment received");
    expect(text).toContain(`https://shop.example/summary?lang=en&amp;id=${id}`);
    const { booking, charges, events, outcomes } = await readPaymentLedger(id);
    const deposit = Math.round((Number(booking["total_cents"]) * 20) / 100);
    expect(booking).toMatchObject({
      status: "confirmed",
      total_paid_cents: deposit,
      payment_status: "deposit",
      paid_after_expiry: 0,
      expires_at: null,
    });
    expect(charges).toEqual([
      {
        payment_type: "charge",
        payment_method_id: chargeMethods[method],
        amount_cents: deposit,
        currency: "EUR",
        status: "done",
        source_doc: "booking",
        external_operation_number: expect.stringMatching(/./),
        branch_code: "AIR",
      },
    ]);
    expect(events).toEqual(["created", "paid", "confirmed"]);
    expect(outcomes).toEqual(["authorised paid"]);
  });

  // Proves "payments.md": In development a simulated gateway speaks the same protocols
  test.each(GATEWAY_METHODS)(
    "leaves the booking unchanged if its payment by the online method %s is refused",
    async (method) => {
      const id = await bookOnWebsite();
      const text = await (await payThroughSimulator(id, method, "refuse")).text();
      expect(text).toMatch(/Payment not made|You left the payment/);
      const { booking, charges } = await readPaymentLedger(id);
      expect(booking).toMatchObject({ status: "pending_confirmation", total_paid_cents: 0, payment_status: "none" });
      expect(charges).toEqual([]);
    },
  );

  // Proves "payments.md": deposit, then pending
  test("pays a booking's deposit through the simulator, then the rest, and offers no further payment", async () => {
    const id = await bookOnWebsite();
    await payThroughSimulator(id, "tpvA256", "pay");
    await payThroughSimulator(id, "tpvB", "pay", { payment: "pending" });
    const { booking, charges } = await readPaymentLedger(id);
    expect(booking["total_paid_cents"]).toBe(booking["total_cents"]);
    expect(booking["payment_status"]).toBe("total");
    expect(charges).toHaveLength(2);
    expect((await submitDepositPayment(id, { payment: "pending" })).status).toBe(404);
  });

  test("rejects a payment form that was changed by the visitor", async () => {
    const id = await bookOnWebsite();
    for (const method of ["tpvA256", "tpvB", "tpvC"] as const) {
      const { forms } = await parseForms(await submitDepositPayment(id, { payment_method_id: method }));
      const { action = "", fields = {} } = forms[0] ?? {};
      for (const name of ["Ds_MerchantParameters", "Importe", "AMOUNT"].filter((text) => text in fields)) {
        const page = await submitForm(action, { ...fields, [name]: `9${fields[name]?.slice(1)}` });
        expect(page.status).toBe(404);
      }
    }
  });
});

describe("the page that leads to the gateway", () => {
  // Proves "payments.md": A strict CSP with form-action of that gateway only
  test.each([
    ["tpvA256", "https://sis.redsys.es", "https://sis-t.redsys.es:25443"],
    ["tpvB", "https://pgw.ceca.es", "https://tpv.ceca.es"],
    ["tpvC", "https://pay.realexpayments.com", "https://pay.sandbox.realexpayments.com"],
    ["wallet_standard", "https://www.paypal.com", "https://www.sandbox.paypal.com"],
  ])(
    "allows a payment form of the method %s to be sent only to its gateway, live and test",
    async (method, live, test) => {
      const id = await bookOnWebsite();
      for (const [environment, origin] of [
        ["live", live],
        ["test", test],
      ] as const) {
        await company.db.prepare("UPDATE payment_gateways SET environment = ?").bind(environment).run();
        const response = await submitDepositPayment(id, { payment_method_id: method });
        expect(response.headers.get("Content-Type")).toBe("text/html; charset=utf-8");
        expect(response.headers.get("Cache-Control")).toBe("no-store");
        const policy = response.headers.get("Content-Security-Policy") ?? "";
        const nonce = /script-src 'nonce-([^']+)'/.exec(policy)?.[1] ?? "";
        expect(policy.split("; ")).toEqual([
          "default-src 'none'",
          `style-src 'nonce-${nonce}' 'self'`,
          `script-src 'nonce-${nonce}'`,
          `form-action ${origin}`,
          "base-uri 'none'",
          "frame-ancestors 'none'",
        ]);
        const text = await response.clone().text();
        expect(text).toContain(`<script nonce="${nonce}">document.forms[0].submit()</script>`);
        const { forms, counts } = await parseForms(response);
        expect(forms).toHaveLength(1);
        expect(new URL(forms[0]?.action ?? "").origin).toBe(origin);
        expect(counts["button"]).toBe(1);
      }
    },
  );

  // Proves "payments.md": In the booking's language
  test.each(
    chooseForGate(
      [
        ["es", "Continuar al pago"],
        ["ca", "Continua al pagament"],
        ["en", "Continue to payment"],
        ["de", "Weiter zur Zahlung"],
        ["fr", "Continuer vers le paiement"],
        ["it", "Continua al pagamento"],
        ["pt", "Continuar para o pagamento"],
        ["nl", "Doorgaan naar de betaling"],
        ["sv", "Continue to payment"],
      ],
      4,
    ),
  )("shows the page that leads to the gateway in the booking's language, %s", async (language, button) => {
    const id = await bookOnWebsite();
    await company.db.prepare("UPDATE bookings SET customer_language = ?").bind(language).run();
    expect(await (await submitDepositPayment(id)).text()).toContain(button);
  });

  test.each([
    ["es", "EUR", "1.234,50\u00a0€"],
    ["ca", "USD", "1.234,50\u00a0$"],
    ["de", "EUR", "1.234,50\u00a0€"],
    ["en", "GBP", "£1,234.50"],
  ])(
    "formats the amount on the payment page as in mails and documents: language %s, currency %s",
    async (language, currency, formattedAmount) => {
      const payment = {
        action: "https://bank.example/pay",
        isRedirect: false,
        fields: {},
        accountName: "Acme",
        decimals: 2,
      };
      const page = await sendVisitorToGateway({ ...payment, amountCents: 123_450, currency, language });
      expect(await page.text()).toContain(`<p class="amount">${formattedAmount}</p>`);
    },
  );

  // Proves "payments.md": HTML is escaped, whatever the database contains
  test.each([
    '"><script>alert(1)</script>',
    "'\"><img src=x onerror=alert(1)>",
    "</form><form action=https://evil.example>",
    "</title><script>1</script>",
    "&quot;&gt;<svg/onload=1>",
    "--></style><script>1</script>",
    "{{constructor}}<b>",
  ])("escapes the company's name on the payment page: %s", async (name) => {
    const id = await bookOnWebsite();
    const known = await parseForms(await submitDepositPayment(id, { payment_method_id: "wallet_standard" }));
    await company.db.prepare("UPDATE settings SET account_name = ?").bind(name).run();
    const { forms, counts } = await parseForms(
      await submitDepositPayment(id, { payment_method_id: "wallet_standard" }),
    );
    expect(counts).toEqual(known.counts);
    expect(forms[0]?.action).toBe(known.forms[0]?.action);
    expect(forms[0]?.fields["item_name"]).toContain(name.slice(0, 20));
  });
});

describe("requested payment amount", () => {
  // Proves "payments.md": Amounts come only from the database
  test("takes the payment amount from the database, whatever the form contains", async () => {
    const id = await bookOnWebsite();
    const changes = { amount: "1", payment: "total", total: "0.01", currency: "JPY", amount_cents: "1" };
    const { forms } = await parseForms(await submitDepositPayment(id, { payment_method_id: "tpvC", ...changes }));
    const { booking } = await readPaymentLedger(id);
    expect(forms[0]?.fields).toMatchObject({ AMOUNT: String(booking["total_cents"]), CURRENCY: "EUR" });
  });

  test("excludes what an agent retained from the payment, and still confirms the booking", async () => {
    const id = await bookOnWebsite();
    await company.db.batch([
      company.db.prepare(
        "INSERT INTO agents (id, name, commission_calculation, commission_fixed_cents, commission_basis_points) VALUES (1, 'Hotel Sol', 'percentage', 0, 1050)",
      ),
      company.db.prepare("UPDATE bookings SET agent_id = 1, agent_commission_prepaid_cents = total_cents - 1500"),
    ]);
    const reservationResponse = await requestWorker(`http://acme.localhost:8787/api/booking/frontend/booking/${id}`);
    expect((await parseJson(reservationResponse))["booking"]).toMatchObject({
      booking_amount: "15.00",
      total_pending: "15.00",
    });
    expect((await startPayment(id, "tpvA256", "deposit")).amount_cents).toBe(1500);
    const intent = await startPayment(id, "tpvB", "total");
    expect(intent.amount_cents).toBe(1500);
    await sendGatewayNotice("tpvB", createCecabankNotice(intent));
    expect((await readPaymentLedger(id)).booking).toMatchObject({
      status: "confirmed",
      payment_status: "total",
      total_paid_cents: 1500,
    });
  });

  // Proves "payments.md": Old alias /book/pay; payment_method or payment_method_id; paypal_standard is the wallet
  test("accepts the payment method under both field names, the wallet's alias, and the old URL", async () => {
    const id = await bookOnWebsite();
    const fields = { id, payment: "deposit", summary_url: "" };
    for (const [path, method] of [
      ["/book/pay", { payment_method: "paypal_standard", payment_method_id: "" }],
      ["/book/pay", { payment_method_id: "paypal_standard" }],
      ["/reserva/pagar", { payment_method: "wallet_standard" }],
    ] as const) {
      const { forms } = await parseForms(await submitForm(path, { ...fields, ...method }));
      expect([path, forms[0]?.fields["cmd"]]).toEqual([path, "_xclick"]);
    }
  });

  // Proves "payments.md": Unknown booking, offline or unknown method: 404
  test.each([
    ["an unknown booking", { id: "0".repeat(32) }, "booking_not_found"],
    ["a payment method of the desk", { payment_method_id: "cash" }, "payment_method_not_offered"],
    ["an unknown method", { payment_method_id: "constructor" }, "payment_method_not_offered"],
    ["the remaining amount of an unpaid booking", { payment: "pending" }, "not_payable"],
  ])(
    "returns 404 for a payment request with %s, and starts no payment",
    async (_title, changes: Record<string, string>, code) => {
      const answer = await submitDepositPayment(await bookOnWebsite(), changes);
      expect(answer.status).toBe(404);
      expect((await parseJson(answer)).code).toBe(code);
      expect(await company.db.prepare("SELECT count(*) AS n FROM payment_intents").first("n")).toBe(0);
    },
  );

  test("shows a person in a browser a not-found page for a payment that isn't possible", async () => {
    const answer = await requestWorker("http://acme.localhost:8787/reserva/pagar", {
      method: "POST",
      headers: { Accept: "text/html,*/*;q=0.8", "Accept-Language": "gl, de-AT;q=0.9, en" },
      body: new URLSearchParams({ id: "0".repeat(32), payment: "total", payment_method_id: "tpvB" }),
    });
    expect(answer.status).toBe(404);
    expect(await answer.text()).toContain("Das kann jetzt nicht bezahlt werden");
  });

  // Proves "payments.md": A browser that pays again sees that it's paid, with the way back
  test("shows a repeated payment as paid and links back to the booking, like other unpayable ones", async () => {
    const id = await bookOnWebsite("A", { customer_language: "de" });
    const summary_url = "https://shop.example/summary?lang=de";
    const openPayment = async (changes: Record<string, string> = {}) => {
      const fields = { id, payment: "deposit", payment_method_id: "tpvA256", summary_url, ...changes };
      const answer = await requestWorker("http://acme.localhost:8787/reserva/pagar", {
        method: "POST",
        headers: { Accept: "text/html,*/*;q=0.8", "Accept-Language": "en" },
        body: new URLSearchParams(fields),
      });
      expect(answer.status).toBe(404);
      return answer.text();
    };
    const back = `href="https://shop.example/summary?lang=de&amp;id=${id}"`;
    expect((await payThroughSimulator(id, "tpvA256", "pay")).status).toBe(200);
    const again = await openPayment();
    expect([again.includes("Dieser Betrag ist schon bezahlt"), again.includes(back)]).toEqual([true, true]);
    // The full amount can't be paid by paying the deposit.
    const fullPayment = await openPayment({ payment: "total" });
    expect([fullPayment.includes("Das kann jetzt nicht bezahlt werden"), fullPayment.includes(back)]).toEqual([
      true,
      true,
    ]);
    const foreignPage = await openPayment({ summary_url: "https://evil-shop.example/" });
    expect([foreignPage.includes("Dieser Betrag ist schon bezahlt"), foreignPage.includes("<a ")]).toEqual([
      true,
      false,
    ]);
    await company.db.prepare("UPDATE bookings SET status = 'cancelled' WHERE free_access_id = ?").bind(id).run();
    const cancelled = await openPayment();
    expect([cancelled.includes("Diese Reservierung ist storniert"), cancelled.includes(back)]).toEqual([true, true]);
    expect(await company.db.prepare("SELECT count(*) AS n FROM payment_intents").first("n")).toBe(1);
  });

  test.each([
    ["whose hold ended", "expires_at = 1", "Die Zahlungsfrist ist abgelaufen", false],
    [
      "that expired",
      "status = 'cancelled', expires_at = NULL, cancellation_reason = 'expired'",
      "Die Zahlungsfrist ist abgelaufen",
      false,
    ],
    [
      "that is cancelled",
      "status = 'cancelled', expires_at = NULL, cancellation_reason = 'cancelled'",
      "Reservierung ist storniert",
      true,
    ],
    ["paid too late", "paid_after_expiry = 1, total_paid_cents = 100", "Wir prüfen Ihre Zahlung", true],
  ])("tells the visitor why a reservation %s can't be paid", async (_title, change, title, needsCompany) => {
    const id = await bookOnWebsite("A", { customer_language: "de" });
    await company.db.prepare(`UPDATE bookings SET ${change} WHERE free_access_id = ?`).bind(id).run();
    const summary_url = "https://shop.example/summary";
    const answer = await requestWorker("http://acme.localhost:8787/reserva/pagar", {
      method: "POST",
      headers: { Accept: "text/html,*/*;q=0.8" },
      body: new URLSearchParams({ id, payment: "deposit", payment_method_id: "tpvA256", summary_url }),
    });
    expect(answer.status).toBe(404);
    const page = await answer.text();
    expect(page).toContain(title);
    expect(page).toContain(`href="${summary_url}?id=${id}"`);
    expect(page.includes("#contact")).toBe(needsCompany);
  });

  // Proves "payments.md": A method that the account does not offer: 404
  test("returns not found for a payment method that isn't offered or isn't set up correctly", async () => {
    const id = await bookOnWebsite();
    await company.db.prepare(`UPDATE settings SET payment_methods = '["tpvB"]'`).run();
    expect((await submitDepositPayment(id)).status).toBe(404);
    await company.db.prepare(`UPDATE settings SET payment_methods = '["tpvB","tpvA256"]'`).run();
    expect((await submitDepositPayment(id)).status).toBe(200);
    const invalidMerchant = JSON.stringify({ ...MERCHANTS.tpvA256, address: "evil" });
    await company.db
      .prepare("UPDATE payment_gateways SET merchant = ? WHERE method = 'tpvA256'")
      .bind(invalidMerchant)
      .run();
    expect((await submitDepositPayment(id)).status).toBe(404);
    await company.db.prepare("DELETE FROM payment_gateways WHERE method = 'tpvB'").run();
    expect((await submitDepositPayment(id, { payment_method_id: "tpvB" })).status).toBe(404);
  });

  test("returns not found for a payment of a cancelled booking or of an expired hold", async () => {
    const id = await bookOnWebsite();
    await company.db.prepare("UPDATE bookings SET expires_at = 1").run();
    expect((await submitDepositPayment(id)).status).toBe(404);
    await company.db.prepare("UPDATE bookings SET status = 'cancelled', expires_at = NULL").run();
    expect((await submitDepositPayment(id)).status).toBe(404);
  });

  test("returns not found for a payment of another account's booking", async () => {
    const id = await bookOnWebsite();
    const other = await setUpCompany("globex");
    await enableGateways(other);
    const fields = { id, payment: "deposit", payment_method_id: "tpvA256" };
    expect((await submitForm("http://globex.localhost:8787/reserva/pagar", fields)).status).toBe(404);
    expect(await env.TENANT_GLOBEX.prepare("SELECT count(*) AS n FROM payment_intents").first("n")).toBe(0);
  });

  // Proves "payments.md": Wrong fields: 400, naming the field
  test.each([
    ["id", { id: "" }],
    ["payment", { payment: "all" }],
    ["payment", { payment: "" }],
    ["payment_method_id", { payment_method_id: "" }],
    ["payment_method", { payment_method: "tpvB" }],
    ["summary_url", { summary_url: `https://shop.example/${"x".repeat(3000)}` }],
  ])("rejects a payment request with a wrong %s, naming the field", async (field, changes: Record<string, string>) => {
    const answer = await submitDepositPayment("0".repeat(32), changes);
    expect(answer.status).toBe(400);
    expect((await parseJson(answer)).detail[0].field).toBe(field);
  });

  // Proves "payments.md": A form by POST: 405, 415
  test("accepts payment requests only as a form by POST, with each field once", async () => {
    const url = "http://acme.localhost:8787/reserva/pagar";
    const json = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" };
    expect((await requestWorker(url, json)).status).toBe(415);
    const get = await requestWorker(url);
    expect([get.status, get.headers.get("Allow")]).toEqual([405, "POST"]);
    const twice = new URLSearchParams("id=1&id=2&payment=deposit&payment_method_id=tpvB");
    expect((await requestWorker(url, { method: "POST", body: twice })).status).toBe(400);
  });
});

test("limits payment requests per IP address, but never the requests of gateways", () =>
  runWithinOneClockMinute(async (address) => {
    const ask = (path: string) =>
      requestWorker(`http://acme.localhost:8787${path}`, {
        method: "POST",
        headers: { "CF-Connecting-IP": address },
        body: new URLSearchParams({ id: "x" }),
      });
    const parallelAnswers = await Promise.all(Array.from({ length: 40 }, () => ask("/reserva/pagar")));
    const refused = parallelAnswers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.headers.get("Retry-After")).toMatch(/^\d+$/);
    const reservationResponse = await Promise.all(Array.from({ length: 40 }, () => ask("/charge-processed/tpvA256")));
    expect(new Set(reservationResponse.map(({ status }) => status))).toEqual(new Set([403]));
  }));

describe("the page to return to after a payment", () => {
  // Proves "payments.md": summary_url only of a website that the account lets in
  test("keeps the URL to return to after a payment if the account allows its website, and ignores it otherwise", async () => {
    const id = await bookOnWebsite();
    for (const [summary, text] of [
      ["https://shop.example/summary", "https://shop.example/summary"],
      ["https://evil-shop.example/summary", null],
      ["https://shop.example.evil.test/", null],
      ["http://shop.example/summary", null],
      ["https://user@shop.example/", null],
      ["javascript:alert(1)", null],
      ["//shop.example/", null],
      ["http://acme.localhost:8787/demo/", "http://acme.localhost:8787/demo/"],
    ]) {
      await company.db.prepare("DELETE FROM payment_intents").run();
      expect((await submitDepositPayment(id, { summary_url: summary ?? "" })).status).toBe(200);
      expect(
        await company.db.prepare("SELECT summary_url FROM payment_intents").first("summary_url"),
        String(summary),
      ).toBe(text);
    }
  });
});
