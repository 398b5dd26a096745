import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import {
  createCollectionMessage,
  createDeliveryMessage,
  createOpId,
  insertCheckInRental,
  sendCheckInOperation,
} from "#support/check-in.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { callOffice, PAYER, readReservationAnswer } from "#support/office.ts";
import { createRedsysNotice, enableGateways, parseForms, sendGatewayNotice, submitForm } from "#support/payments.ts";
import { addTestUsers, callApi, createToken } from "#support/test-users.ts";
import { readRedsysParameters } from "#worker/gateways/redsys.ts";
import { applyDueHeldOperations } from "#worker/usecases/check-in/apply-held-operations.ts";
import { runScheduledJobs } from "#worker/usecases/operations/scheduled.ts";

interface Sent {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

let sentMails: Sent[] = [];
const MAIL = {
  send: async (mail: Sent) => {
    sentMails.push(mail);
    return { messageId: "" };
  },
} as unknown as SendEmail;

let company: TestCompany;
let boss = "";

/** Runs due jobs twice, because an email written by the first run is sent by the second at the latest. */
async function strike(): Promise<void> {
  for (let run = 0; run < 2; run += 1) await runScheduledJobs({ ...env, MAIL } as Cloudflare.Env, Date.now());
}

async function listMailsAfter(events: () => Promise<unknown>): Promise<readonly Sent[]> {
  await strike();
  sentMails = [];
  await events();
  await strike();
  return sentMails.filter(({ to }) => to === "ana@example.com");
}

const disableMails = async (...kinds: readonly string[]) => {
  await company.db.prepare("UPDATE settings SET disabled_mails = ?").bind(JSON.stringify(kinds)).run();
  await openTestTenant(env).freshSnapshot();
};
const enterAtDesk = async (kind: string, amount: string, method = "cash") => {
  const body = { request_id: createOpId(), kind, amount, payment_method_id: method };
  const answer = await callApi("POST", "/booking/7/charges", { token: boss, body });
  expect(answer.status).toBe(200);
};
const charge = (kind: "deposit_taken" | "deposit_returned", amount: string, method: "cash" | "credit_card") => ({
  ...{ charge_id: createOpId(), kind, amount, payment_method_id: method },
});

/** Inserts a rental of a French-speaking customer. */
async function insertRental(units: number): Promise<void> {
  await insertCheckInRental({ units });
  await company.db
    .prepare("UPDATE bookings SET customer_email = 'ana@example.com', customer_language = 'fr', customer_name = 'Ana'")
    .run();
}

/** Delivers a rental of a French-speaking customer, with 300.00 as its deposit. */
async function deliverWithDeposit(units = 1): Promise<void> {
  await insertRental(units);
  const charges = [charge("deposit_taken", "200.00", "credit_card"), charge("deposit_taken", "100.00", "cash")];
  await sendCheckInOperation(boss, createDeliveryMessage({ charges }));
}

async function collectWith(charges: readonly ReturnType<typeof charge>[]): Promise<void> {
  const { reservation } = await readReservationAnswer(callOffice("GET", "/reservations/7", { token: boss }));
  await sendCheckInOperation(
    boss,
    createCollectionMessage({ base_version: reservation.version, charges: [...charges] }),
  );
  const status = await company.db.prepare("SELECT status FROM bookings WHERE id = 7").first("status");
  expect(status).toBe("done");
}

const OTHER_UNIT = { resource_id: 71, vehicle_reference: "A-2" };
const DEPOSIT_SUBJECT = "Test Rentals\u00a0: dépôt de garantie remboursé (7)";

async function performAction(name: string, body: object): Promise<void> {
  const { reservation } = await readReservationAnswer(callOffice("GET", "/reservations/7", { token: boss }));
  const fields = { expected_version: reservation.version, ...body };
  const answer = await callOffice("POST", `/reservations/7/${name}`, { token: boss, body: fields });
  expect(answer.status, await answer.clone().text()).toBe(200);
}
const reopen = () => performAction("reopen", { reason: "Fuel" });
const collectAgain = (charges: readonly object[] = [], unit = 70) =>
  performAction("collect", { unit_id: unit, kilometres: 1300, fuel_eighths: 8, charges });

beforeEach(async () => {
  company = await setUpCompany();
  await enableGateways(company);
  await addTestUsers();
  boss = await createToken("boss");
  await company.db.prepare("INSERT INTO mail_cursor (id, last_history_id) VALUES (1, 0)").run();
  await openTestTenant(env).freshSnapshot();
});

describe("mails about returned deposits", () => {
  beforeEach(() => deliverWithDeposit());

  test("mails the customer once about a returned deposit, with amount, method and expected time", async () => {
    const mails = await listMailsAfter(async () => {
      await enterAtDesk("deposit_returned", "200.00", "credit_card");
      await strike();
    });
    expect(mails.map(({ subject }) => subject)).toEqual([DEPOSIT_SUBJECT]);
    const [mail] = mails;
    expect(mail?.text).toContain("Nous vous avons remboursé le dépôt de garantie de 200,00\u00a0€.");
    expect(mail?.text).toContain("5 à 10 jours ouvrés");
    expect(mail?.text).toContain("Dépôt de garantie remboursé\u00a0: 200,00\u00a0€ (Carte bancaire)");
    expect(mail?.text).not.toContain("Reste à payer");
  });

  test("names no time for a deposit returned in cash, and sends no mail about a retained deposit", async () => {
    const mails = await listMailsAfter(async () => {
      await enterAtDesk("deposit_kept", "50.00");
      await enterAtDesk("deposit_returned", "50.00");
    });
    expect(mails.map(({ text }) => text.match(/remboursé\u00a0: .*|jours/g))).toEqual([
      ["remboursé\u00a0: 50,00\u00a0€ (Espèces)"],
    ]);
  });

  test("mentions a deposit that is returned with the vehicle only in the mail about the return", async () => {
    const returned = [
      charge("deposit_returned", "200.00", "credit_card"),
      charge("deposit_returned", "100.00", "cash"),
    ];
    const mails = await listMailsAfter(() => collectWith(returned));
    expect(mails.map(({ subject }) => subject)).toEqual(["Test Rentals\u00a0: véhicule restitué (7)"]);
    expect(mails[0]?.text).toContain("5 à 10 jours ouvrés");
    expect(mails[0]?.text).toContain("Dépôt de garantie remboursé\u00a0: 100,00\u00a0€ (Espèces)\n");
    expect(mails[0]?.text).toContain("Dépôt de garantie remboursé\u00a0: 200,00\u00a0€ (Carte bancaire)\n");
  });

  test("mails the customer about a returned deposit separately if the account sends no mail about returns", async () => {
    await disableMails("collected");
    const mails = await listMailsAfter(() => collectWith([charge("deposit_returned", "100.00", "cash")]));
    expect(mails.map(({ subject }) => subject)).toEqual([DEPOSIT_SUBJECT]);
  });

  test("mails the customer about a deposit returned after a return whose own mail is disabled", async () => {
    await disableMails("collected");
    const mails = await listMailsAfter(async () => {
      await collectWith([]);
      await enterAtDesk("deposit_returned", "100.00");
    });
    expect(mails.map(({ subject }) => subject)).toEqual([DEPOSIT_SUBJECT]);
  });

  test("mails the customer about the deposit of a reopened contract's return if its invoice isn't mailed", async () => {
    await collectWith([]);
    await strike();
    await disableMails("invoiced");
    await reopen();
    const mails = await listMailsAfter(() =>
      collectAgain([{ kind: "deposit_returned", amount: "100.00", payment_method_id: "cash" }]),
    );
    expect(mails.map(({ subject }) => subject)).toEqual([DEPOSIT_SUBJECT]);
  });

  test("mails the customer about the deposit of a reopened contract's return if a company gets the invoice", async () => {
    const body = { ...PAYER, email: "obras@example.com" };
    const created = await callOffice("POST", "/customers", { token: boss, body });
    const { customer } = await created.json<{ customer: { id: number } }>();
    const { reservation } = await readReservationAnswer(callOffice("GET", "/reservations/7", { token: boss }));
    const payer = { expected_version: reservation.version, billing_customer_id: customer.id };
    await readReservationAnswer(callOffice("PATCH", "/reservations/7", { token: boss, body: payer }));
    await collectWith([]);
    await strike();
    await reopen();
    const mails = await listMailsAfter(() =>
      collectAgain([{ kind: "deposit_returned", amount: "100.00", payment_method_id: "cash" }]),
    );
    expect(mails.map(({ subject }) => subject)).toEqual([DEPOSIT_SUBJECT]);
    expect(mails[0]?.text).toContain("Dépôt de garantie remboursé\u00a0: 100,00\u00a0€ (Espèces)");
    expect(sentMails.filter(({ to }) => to === "obras@example.com")).toHaveLength(1);
  });

  test("sends no mail about a returned deposit if the account disabled it", async () => {
    await disableMails("deposit_returned");
    expect(await listMailsAfter(() => enterAtDesk("deposit_returned", "100.00"))).toEqual([]);
  });

  test("resends the mail about a returned deposit with its amount and method", async () => {
    const [original] = await listMailsAfter(() => enterAtDesk("deposit_returned", "100.00"));
    const id = await company.db.prepare("SELECT id FROM booking_mails WHERE kind = 'deposit_returned'").first("id");
    const [resent] = await listMailsAfter(async () => {
      expect((await callOffice("POST", `/messages/${String(id)}/resend`, { token: boss })).status).toBe(200);
    });
    expect(resent?.text).toBe(original?.text);
  });
});

describe("mails about the deposits of two vehicles", () => {
  beforeEach(async () => {
    await deliverWithDeposit(2);
  });

  test("mails a deposit that the office returns after the second return of a reopened contract", async () => {
    await sendCheckInOperation(boss, createDeliveryMessage(OTHER_UNIT));
    await sendCheckInOperation(boss, createCollectionMessage());
    await sendCheckInOperation(boss, createCollectionMessage(OTHER_UNIT));
    await strike();
    await reopen();
    const mails = await listMailsAfter(async () => {
      await collectAgain();
      await collectAgain([], 71);
      await enterAtDesk("deposit_returned", "100.00");
    });
    expect(mails.map(({ subject }) => subject)).toEqual([expect.stringContaining("votre facture"), DEPOSIT_SUBJECT]);
  });
});

test("mails the deposits of returns that waited for their delivery once, also if they arrived together", async () => {
  await insertRental(2);
  await disableMails("collected");
  await enterAtDesk("deposit_received", "100.00");
  const returnLate = (amount: string, unit = {}) => {
    const charges = [charge("deposit_returned", amount, "cash")];
    return sendCheckInOperation(boss, createCollectionMessage({ base_version: 1, charges, ...unit }));
  };
  const mails = await listMailsAfter(async () => {
    await returnLate("30.00");
    await returnLate("50.00", OTHER_UNIT);
    await company.db
      .prepare("UPDATE check_in_operations SET received_at = (SELECT max(at) FROM booking_history)")
      .run();
    expect(await applyDueHeldOperations(openTestTenant(env), Date.now() + 25 * 3_600_000)).toBe(2);
  });
  expect(mails.map(({ text }) => text.match(/remboursé\u00a0: .*/)?.[0])).toEqual([
    "remboursé\u00a0: 30,00\u00a0€ (Espèces)",
    "remboursé\u00a0: 50,00\u00a0€ (Espèces)",
  ]);
});

describe("mails about released card holds", () => {
  type Order = { readonly order_reference: string; readonly amount_cents: number };
  const requestHold = async (): Promise<Order> => {
    const body = { amount: "100.00" };
    const answer = await callOffice("POST", "/reservations/7/holds", { token: boss, body });
    expect(answer.status).toBe(201);
    const { payment_link: link } = await answer.json<{ payment_link: { url: string } }>();
    const [form] = (await parseForms(await submitForm(link.url, { payment_method_id: "tpvA256" }))).forms;
    const fields = readRedsysParameters(form?.fields["Ds_MerchantParameters"] ?? "") ?? {};
    return { order_reference: fields["DS_MERCHANT_ORDER"] ?? "", amount_cents: Number(fields["DS_MERCHANT_AMOUNT"]) };
  };
  const authorise = (order: Order) =>
    sendGatewayNotice("tpvA256", createRedsysNotice(order, { Ds_TransactionType: "1" }));
  const release = (order: Order) =>
    sendGatewayNotice("tpvA256", createRedsysNotice(order, { Ds_TransactionType: "9", Ds_Response: "0400" }));

  beforeEach(() => deliverWithDeposit());

  test("mails the customer once that the card hold of the deposit was released", async () => {
    const order = await requestHold();
    await authorise(order);
    const mails = await listMailsAfter(async () => {
      await release(order);
      await release(order);
    });
    expect(mails.map(({ subject }) => subject)).toEqual([DEPOSIT_SUBJECT]);
    expect(mails[0]?.text).toContain("libéré le dépôt de garantie de 100,00\u00a0€ bloqué sur votre carte");
    expect(mails[0]?.text).toContain("n'a pas été débitée");
  });

  test("sends no mail about the release of a card hold that was never authorised", async () => {
    const order = await requestHold();
    expect(await listMailsAfter(() => release(order))).toEqual([]);
  });
});
