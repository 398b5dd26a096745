import { randomUUID } from "node:crypto";
import type { DeskRequestRecord } from "../history.ts";
import type { Actor, ChaosWriter, Reply } from "./actor.ts";
import { act, sellRental } from "./reservations.ts";

/** A document in a contract's list. */
interface IssuedDocument {
  readonly id: number;
  readonly invoice_status: string;
  readonly invoice_type: string;
}

/**
 * Takes and refunds payments, holds deposits, and drafts, issues and credits documents, each with its own request id.
 */
export const writeChargesAndDocuments: ChaosWriter = async (actor) => {
  const id = actor.random.pick(actor.data.contracts);
  const charge = (kind: string, cents: number) => () => {
    const body = { kind, amount: (cents / 100).toFixed(2), payment_method_id: "cash" };
    return sendDeskRequest(actor, "enterCharge", id, body, { what: "charge", bookingId: id, kind, cents });
  };
  await actor.random.pickWeighted<() => Promise<unknown>>([
    [charge("charge", 1000), 4],
    [charge("payment", 500), 2],
    [charge("deposit_received", 2000), 1],
    [charge("deposit_returned", 1000), 1],
    [charge("deposit_kept", 500), 1],
    [() => draftAndIssue(actor, id), 2],
    [() => invoice(actor, id, { advance: "15.00" }), 1],
    [() => invoice(actor, id, {}), 1],
    [() => credit(actor, id), 3],
  ])();
};

function invoice(actor: Actor, bookingId: number, body: object): Promise<Reply> {
  const what = "issued" in body ? "draft" : "invoice";
  return sendDeskRequest(actor, "draftDocument", bookingId, body, { what, bookingId });
}

async function draftAndIssue(actor: Actor, bookingId: number): Promise<void> {
  const drafted = await invoice(actor, bookingId, { issued: false });
  const draft = listDocuments(drafted.content).find(({ invoice_status }) => invoice_status === "draft");
  // Without a draft, another user has already issued the document.
  if (draft)
    await sendDeskRequest(actor, "issueDocument", draft.id, {}, { what: "issue", bookingId, documentId: draft.id });
}

async function credit(actor: Actor, bookingId: number): Promise<void> {
  const { random } = actor;
  const invoices = listDocuments(await actor.read(`/api/v1/booking/${bookingId}/documents`)).filter(
    ({ invoice_status, invoice_type }) => invoice_status === "invoice" && invoice_type === "invoice",
  );
  if (invoices.length === 0) return void (await invoice(actor, bookingId, { advance: "15.00" }));
  const documentId = random.pick(invoices).id;
  const cents = random.chance(0.2) ? undefined : random.pick([100, 500]);
  const body = cents === undefined ? {} : { amount: (cents / 100).toFixed(2) };
  const work = { what: "credit", bookingId, documentId, ...(cents !== undefined && { cents }) } as const;
  await sendDeskRequest(actor, "creditDocument", documentId, body, work);
}

function listDocuments(content: Reply["content"]): readonly IssuedDocument[] {
  const { invoices = [], internal_bonds = [] } = content;
  return [...invoices, ...internal_bonds];
}

// Sends a desk request with its own id, sometimes repeated, and once with different content.
async function sendDeskRequest(
  actor: Actor,
  operation: string,
  id: number,
  body: object,
  work: Omit<DeskRequestRecord, "account" | "state">,
): Promise<Reply> {
  const request_id = randomUUID();
  const keep = (state: DeskRequestRecord["state"]) =>
    actor.history.desk.set(request_id, { account: actor.account, state, ...work });
  keep("asked");
  // 409 means nothing to invoice, more than the open amount or no deposit. A rejected request leaves no data.
  const reply = await actor.send(operation, { id }, { request_id, ...body }, { refusals: [409] });
  keep(reply.isDone ? "done" : "refused");
  if (!reply.isDone || !actor.chance(0.25)) return reply;
  await actor.repeat(reply);
  if (work.what !== "charge") return reply;
  const other = await actor.send(operation, { id }, { request_id, ...body, amount: "0.01" }, { refusals: [409] });
  if (other.isDone) throw new Error(`request ${request_id} was accepted with another amount`);
  return reply;
}

const ADDRESS = { street: "Carrer de Sant Miquel 1", city: "Palma", zip: "07002", country: "ES" };

/** Exchanges a printed simplified invoice for a full one, once. */
export const exchangeInvoice: ChaosWriter = async (actor) => {
  const sold = await sellRental(actor, { name: "Sim" });
  if (!sold) return;
  const invoiced = await invoice(actor, sold.id, { advance: "15.00" });
  const simplified = invoiced.content.invoices?.[0];
  const { reservation } = await actor.read(`/reservations/${sold.id}`);
  const customer = { document_id: createDocumentId(actor), address: ADDRESS };
  const changed = await act(actor, { ...sold, version: reservation.version }, "changeReservation", { customer });
  if (!changed || !simplified) return;
  const documentId = Number(simplified.id);
  const work = { what: "exchange", bookingId: sold.id, documentId } as const;
  await sendDeskRequest(actor, "exchangeDocument", documentId, {}, work);
};

const CONTROL_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE";

// An invoice needs a number with its control letter.
function createDocumentId({ random }: Actor): string {
  const number = random.between(10_000_000, 99_999_999);
  return `${number}${CONTROL_LETTERS[number % 23]}`;
}

const COLLECTIVE = "SELECT 1 FROM documents WHERE uid LIKE 'collective:%' AND customer_id = ?";

/** Sells two rentals to a company, invoices them together and records a payment of the invoice. */
export const invoiceCompany: ChaosWriter = async (actor) => {
  const company = {
    ...{ name: "Obra", surname: `of ${actor.account}`, document_id: createDocumentId(actor) },
    ...{ address_street: "Calle Mayor 1", address_city: "Palma", address_zip: "07001", address_country: "ES" },
    ...{ payment_terms_days: 30, confirm_new: true },
  };
  const payer = await actor.write("createCustomer", {}, company);
  if (!payer) return;
  const customer_id = Number(payer.id);
  const customer = { name: "Olga", phone: "+34600111222" };
  const fields = { status: "confirmed", billing_customer_id: customer_id };
  const sales = [await sellRental(actor, customer, fields), await sellRental(actor, customer, fields)];
  const [first, ...others] = sales.flatMap((sale) => sale?.id ?? []);
  if (first === undefined) return;
  await actor.ask("previewReservationDocuments", { id: first }, undefined, { refusals: [409] });
  // Refused if everything is already invoiced.
  await actor.ask("previewDocuments", { id: first }, { advance: "0.01" }, { refusals: [409] });
  const collective = { customer_id, reservation_ids: [first, ...others] };
  await actor.ask("previewCollectiveInvoice", {}, collective, { refusals: [409] });
  const issued = await actor.track(`collective invoice of ${customer_id}`, [COLLECTIVE, [customer_id]], () =>
    actor.write("issueCollectiveInvoice", {}, collective),
  );
  if (!issued) return;
  const payment = { amount: "10.00", payment_method_id: "bank_transfer" };
  await actor.write("chargeDocument", { id: issued.content.document.id }, payment);
};

/** Previews credit notes and lets the accounting system try documents again. */
export const previewAndRetryDocuments: ChaosWriter = async (actor) => {
  const id = actor.random.pick(actor.data.invoices);
  await actor.write("retryDocumentIntegration", { id }, undefined, { id: String(id) });
  // Refused if the document is a credit note or is fully credited.
  await actor.ask("previewCreditNote", { id }, { amount: "0.01" }, { refusals: [409] });
  await actor.ask("previewIssue", { id }, undefined, { refusals: [] });
  // A full invoice can't be exchanged.
  await actor.ask("previewExchange", { id }, {}, { refusals: [409] });
};
