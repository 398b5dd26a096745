import { env } from "cloudflare:workers";
import { insertCheckInRental } from "#support/check-in.ts";
import { clearCachedSnapshot } from "#support/databases.ts";
import { callOffice } from "#support/office.ts";
import { callApi } from "#support/test-users.ts";

/** Default reason for correcting a record. */
export const CORRECTION_REASON = { reason: "the rate has another code" };

/** Tax record of a document, as the office API returns it. */
export interface TaxRecordAnswer {
  readonly record: Readonly<Record<string, string>>;
  readonly hash: string;
  readonly previous_hash: string;
  readonly qr_url: string;
  readonly state: string;
  readonly code: string | null;
  readonly csv: string | null;
  readonly xml: string;
  readonly records: readonly { readonly kind: string; readonly state: string; readonly position: number }[];
}

/** Documents of a contract, as the desk API returns them. */
export interface ContractDocumentsAnswer {
  readonly invoices: readonly { readonly id: number }[];
}

let requests = 0;

/** Returns the body of a response that must be successful. */
export async function readSuccessfulAnswer<T>(answer: Promise<Response>): Promise<T> {
  const response = await answer;
  if (response.status >= 300) throw new Error(`${response.status} ${await response.text()}`);
  return response.json<T>();
}

/** Sends a document request of the desk with a new id. */
export function sendDocumentRequest(token: string, path: string, body: object = {}): Promise<Response> {
  requests += 1;
  return callApi("POST", path, { token, body: { request_id: `recorded-${requests}-000`, ...body } });
}

/** Invoices a contract of 80.00, in full form if the customer has all required data. Returns its id. */
export async function issueInvoice(token: string, bookingId: number, isFull = false): Promise<number> {
  await insertCheckInRental({ id: bookingId, status: "done" });
  if (isFull) await addCustomerTaxData(bookingId);
  const { invoices } = await readSuccessfulAnswer<ContractDocumentsAnswer>(
    sendDocumentRequest(token, `/booking/${bookingId}/documents`, { issued: true }),
  );
  return invoices[0]?.id ?? 0;
}

/** Invoices a contract in full and credits the tax of its unpaid invoice. */
export async function issueInvoiceAndCreditItsTax(token: string, bookingId: number): Promise<void> {
  await addCustomerTaxData(bookingId);
  await readSuccessfulAnswer(sendDocumentRequest(token, `/booking/${bookingId}/documents`, { issued: true }));
  const body = { reason: "bad_debt" };
  await readSuccessfulAnswer(sendDocumentRequest(token, `/documents/${await readLastDocumentId()}/credit-note`, body));
}

/** Sets how simplified invoices are exchanged: by credit note or replacement. */
export async function setInvoiceExchangeMethod(method: "credit_note" | "replacement"): Promise<void> {
  await env.TENANT_ACME.prepare("UPDATE settings SET simplified_exchange = ?").bind(method).run();
  clearCachedSnapshot();
}

/** Adds a tax number and address to a contract's customer. */
export async function addCustomerTaxData(bookingId: number): Promise<void> {
  await env.TENANT_ACME.prepare(
    `UPDATE bookings SET customer_document_id = '00000000T', contract_data = '{"customer_address_street":"Gran Via 1","customer_address_city":"Madrid"}' WHERE id = ?`,
  )
    .bind(bookingId)
    .run();
}

/** Returns the id of the latest document. */
export async function readLastDocumentId(): Promise<number> {
  const row = await env.TENANT_ACME.prepare("SELECT max(id) AS id FROM documents").first<{ id: number }>();
  return row?.id ?? 0;
}

/** Reads the tax record of a document. */
export function readTaxRecord(token: string, documentId: number): Promise<TaxRecordAnswer> {
  return readSuccessfulAnswer<TaxRecordAnswer>(callOffice("GET", `/documents/${documentId}/verifactu`, { token }));
}
