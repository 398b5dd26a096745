import { env } from "cloudflare:workers";
import { aRental } from "#support/check-in.ts";
import { aTenant } from "#support/databases.ts";
import { office } from "#support/office.ts";
import { call } from "#support/people.ts";

/** Why a record is corrected, for tests that do not care. */
export const WHY = { reason: "the rate has another code" };

/** What the office tells of a document's record. */
export interface RecordAnswer {
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

/** The papers of a contract, as the desk answers with them. */
export interface DocumentsAnswer {
  readonly invoices: readonly { readonly id: number }[];
}

let requests = 0;

/** The body of an answer that has to succeed. */
export async function read<T>(answer: Promise<Response>): Promise<T> {
  const response = await answer;
  if (response.status >= 300) throw new Error(`${response.status} ${await response.text()}`);
  return response.json<T>();
}

/** Asks the desk for something of documents, under an id of its own. */
export function atDesk(token: string, path: string, body: object = {}): Promise<Response> {
  requests += 1;
  return call("POST", path, { token, body: { request_id: `recorded-${requests}-000`, ...body } });
}

/** Issues the invoice of a contract of 80.00, full where its customer has all that it takes; its id. */
export async function invoiced(token: string, bookingId: number, isFull = false): Promise<number> {
  await aRental({ id: bookingId, status: "done" });
  if (isFull) await nameCustomer(bookingId);
  const { invoices } = await read<DocumentsAnswer>(atDesk(token, `/booking/${bookingId}/documents`, { issued: true }));
  return invoices[0]?.id ?? 0;
}

/** Lets the account exchange simplified invoices by a credit note or by a replacement. */
export async function exchangingBy(way: "credit_note" | "replacement"): Promise<void> {
  await env.TENANT_ACME.prepare("UPDATE settings SET simplified_exchange = ?").bind(way).run();
  await aTenant(env).freshSnapshot();
}

/** Lets the customer of a contract have a tax number and an address. */
export async function nameCustomer(bookingId: number): Promise<void> {
  await env.TENANT_ACME.prepare(
    `UPDATE bookings SET customer_document_id = '00000000T', contract_data = '{"customer_address_street":"Gran Via 1","customer_address_city":"Madrid"}' WHERE id = ?`,
  )
    .bind(bookingId)
    .run();
}

/** The id of the document that was issued last. */
export async function lastIssued(): Promise<number> {
  const row = await env.TENANT_ACME.prepare("SELECT max(id) AS id FROM documents").first<{ id: number }>();
  return row?.id ?? 0;
}

/** What the tax agency was told of a document. */
export function readTaxRecord(token: string, documentId: number): Promise<RecordAnswer> {
  return read<RecordAnswer>(office("GET", `/documents/${documentId}/verifactu`, { token }));
}
