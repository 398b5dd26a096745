import { randomUUID } from "node:crypto";
import {
  type AccountName,
  type Answer,
  createJsonCall,
  createUnexpectedAnswerError,
  parseJson,
} from "#tools/platform/client.ts";
import type { DeskRequestRecord } from "../history.ts";
import type { ChaosWriter, WriterContext } from "./context.ts";

type DeskRequest = Omit<DeskRequestRecord, "account" | "state">;

export interface StaffContext {
  readonly account: AccountName;
  readonly token: string;
  readonly bookingId: number;
}

/** A document in a contract's list. */
interface IssuedDocument {
  readonly id: number;
  readonly invoice_status: string;
  readonly invoice_type: string;
}

/**
 * Creates desk staff who take and refund payments, hold deposits, and draft, issue and credit documents, each with its
 * own request id.
 */
export function createDeskWriter(account: AccountName): ChaosWriter {
  return async (context) => {
    const token = context.staffTokens[account];
    const desk = { account, token, bookingId: context.random.pick(context.accountData[account].contracts) };
    await context.random.pickWeighted<() => Promise<unknown>>([
      [() => charge(context, desk, "charge", 1000), 4],
      [() => charge(context, desk, "payment", 500), 2],
      [() => charge(context, desk, "deposit_received", 2000), 1],
      [() => charge(context, desk, "deposit_returned", 1000), 1],
      [() => charge(context, desk, "deposit_kept", 500), 1],
      [() => draftAndIssue(context, desk), 2],
      [() => invoice(context, desk, { advance: "15.00" }), 1],
      [() => invoice(context, desk, {}), 1],
      [() => credit(context, desk), 3],
    ])();
  };
}

function charge(context: WriterContext, desk: StaffContext, kind: string, cents: number): Promise<Answer> {
  const { bookingId } = desk;
  const body = { kind, amount: (cents / 100).toFixed(2), payment_method_id: "cash" };
  return sendDeskRequest(context, desk, `/api/v1/booking/${bookingId}/charges`, body, {
    what: "charge",
    bookingId,
    kind,
    cents,
  });
}

function invoice(context: WriterContext, desk: StaffContext, body: object): Promise<Answer> {
  const { bookingId } = desk;
  const workKind = "issued" in body ? "draft" : "invoice";
  return sendDeskRequest(context, desk, `/api/v1/booking/${bookingId}/documents`, body, {
    what: workKind,
    bookingId,
  });
}

async function draftAndIssue(context: WriterContext, desk: StaffContext): Promise<void> {
  const drafted = await invoice(context, desk, { issued: false });
  if (drafted.status !== 200) return;
  const draft = readIssuedDocuments(drafted).find(({ invoice_status }) => invoice_status === "draft");
  if (!draft) return; // another user has issued it
  const issueWork = { what: "issue", bookingId: desk.bookingId, documentId: draft.id } as const;
  await sendDeskRequest(context, desk, `/api/v1/documents/${draft.id}/issue`, {}, issueWork);
}

async function credit(context: WriterContext, desk: StaffContext): Promise<void> {
  const { account, token, bookingId } = desk;
  const path = `/api/v1/booking/${bookingId}/documents`;
  const call = { account, method: "GET", path, headers: { Authorization: token } };
  const answer = await context.client.sendUntilAnswered(call);
  if (answer.status !== 200) throw createUnexpectedAnswerError(call, answer);
  const firm = readIssuedDocuments(answer).filter(
    (issuedDocument) => issuedDocument.invoice_status === "invoice" && issuedDocument.invoice_type === "invoice",
  );
  if (firm.length === 0) return void (await invoice(context, desk, { advance: "15.00" }));
  const documentId = context.random.pick(firm).id;
  const cents = context.random.chance(0.2) ? undefined : context.random.pick([100, 500]);
  const body = cents === undefined ? {} : { amount: (cents / 100).toFixed(2) };
  const issueWork = { what: "credit", bookingId, documentId, ...(cents !== undefined && { cents }) } as const;
  await sendDeskRequest(context, desk, `/api/v1/documents/${documentId}/credit-note`, body, issueWork);
}

function readIssuedDocuments(answer: Answer): readonly IssuedDocument[] {
  const { invoices, internal_bonds } = parseJson(answer);
  return [...invoices, ...internal_bonds];
}

/**
 * Sends a desk request with its own id until there's a response, sometimes repeated, and once with different content.
 */
export async function sendDeskRequest(
  { client, history, random }: WriterContext,
  { account, token }: StaffContext,
  path: string,
  body: object,
  request: DeskRequest,
): Promise<Answer> {
  const requestId = randomUUID();
  const keep = (state: DeskRequestRecord["state"]) => history.desk.set(requestId, { account, state, ...request });
  const call = createJsonCall({ account, method: "POST", path }, { request_id: requestId, ...body }, token);
  keep("asked");
  const answer = await client.sendUntilAnswered(call);
  // Nothing to invoice, more than the remaining amount or no deposit: rejected requests leave no data.
  if (answer.status !== 200 && answer.status !== 409) throw createUnexpectedAnswerError(call, answer);
  keep(answer.status === 200 ? "done" : "refused");
  if (answer.status !== 200 || !random.chance(0.25)) return answer;
  const again = await client.sendUntilAnswered(call);
  if (again.status !== 200) throw createUnexpectedAnswerError(call, again);
  if (request.what !== "charge") return answer;
  const other = createJsonCall(
    { account, method: "POST", path },
    { request_id: requestId, ...body, amount: "0.01" },
    token,
  );
  const refused = await client.sendUntilAnswered(other);
  if (refused.status !== 409) throw createUnexpectedAnswerError(other, refused);
  return answer;
}
