import { and, desc, eq, ne, sql } from "drizzle-orm";
import type { Database, Query } from "#worker/store/database.ts";
import { enqueueMailStatement, type OutgoingMail } from "#worker/store/mails/outgoing-mails.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { bookingHistory, bookings } from "#worker/store/schema/bookings.ts";
import { documents } from "#worker/store/schema/documents.ts";
import { officeHistory } from "#worker/store/schema/office-history.ts";
import { bookingMails } from "#worker/store/schema/outgoing-mails.ts";

const MAX_LISTED_MAILS = 200;

/** Returns the query for the mails to the customer of a reservation and to the payer of its invoices, newest first. */
export const bookingCustomerMailsQuery = prepareQuery((db) =>
  db
    .select()
    .from(bookingMails)
    .where(and(eq(bookingMails.bookingId, sql.placeholder("bookingId")), ne(bookingMails.recipient, "branch")))
    .orderBy(desc(bookingMails.at), desc(bookingMails.id))
    .limit(MAX_LISTED_MAILS),
);
export type CustomerMailRow = Awaited<ReturnType<typeof bookingCustomerMailsQuery>>[number];

/** Returns the query for the mails about a document without a reservation, newest first. */
export const documentMailsQuery = prepareQuery((db) =>
  db
    .select()
    .from(bookingMails)
    .where(eq(bookingMails.documentId, sql.placeholder("id")))
    .orderBy(desc(bookingMails.at), desc(bookingMails.id))
    .limit(MAX_LISTED_MAILS),
);

/** Returns the query for a mail to a customer or payer by its id, with the branches of its reservation or document. */
export function customerMailQuery(db: Database, id: number) {
  return db
    .select({
      message: bookingMails,
      branchCode: sql<string>`coalesce(${bookings.branchCode}, ${documents.branchCode})`.as("branch"),
      returnBranchCode: sql<string>`coalesce(${bookings.returnBranchCode}, ${documents.branchCode})`.as(
        "return_branch",
      ),
    })
    .from(bookingMails)
    .leftJoin(bookings, eq(bookings.id, bookingMails.bookingId))
    .leftJoin(documents, eq(documents.id, bookingMails.documentId))
    .where(and(eq(bookingMails.id, id), ne(bookingMails.recipient, "branch")));
}

interface Sender {
  readonly actor: string;
  readonly at: number;
}

const entryStatement = (db: Database, bookingId: number, { actor, at }: Sender, after: object) =>
  db.insert(bookingHistory).values({ bookingId, at, actor, event: "changed", detail: JSON.stringify({ after }) });

/** Returns the statements that queue a message of staff and add its history entry. */
export function newCustomerMailStatements(
  db: Database,
  row: { readonly id: number; readonly bookingId: number; readonly address: string; readonly body: string },
  mail: OutgoingMail,
  sender: Sender,
): readonly Query[] {
  const { id, subject } = { ...row, ...mail };
  return [
    db.insert(bookingMails).values({
      ...{ ...row, kind: "message", historyId: id, recipient: "customer", at: sender.at },
      ...{ uselessAt: mail.uselessAt, subject },
    }),
    enqueueMailStatement(db, mail),
    entryStatement(db, row.bookingId, sender, { message: subject }),
  ];
}

// Returns the statement that adds an entry to the history of a document without a reservation.
function documentEntryStatement(db: Database, documentId: number, { actor, at }: Sender, after: object): Query {
  const resourceId = String(documentId);
  const version = sql`(SELECT coalesce(max(version), 0) + 1 FROM office_history WHERE resource = 'documents' AND resource_id = ${resourceId})`;
  const entry = { resource: "documents", resourceId, version, at, actor, detail: JSON.stringify({ after }) };
  return db.insert(officeHistory).select(selectRowToInsert(officeHistory, { ...entry, event: "changed" }));
}

interface MailedDocumentRow {
  readonly id: number;
  readonly historyId: number;
  /** Null for a document without a reservation. */
  readonly bookingId: number | null;
  readonly documentId: number;
  readonly recipient: "customer" | "payer" | "branch";
  readonly address: string;
}

/** Returns the statements that queue the mail of a document and add the history entry that names the document. */
export function newDocumentMailStatements(
  db: Database,
  { documentId, ...row }: MailedDocumentRow,
  { uselessAt, subject, ...mail }: OutgoingMail,
  { actor, at }: Sender,
): readonly Query[] {
  const { historyId, bookingId } = row;
  if (bookingId === null)
    return [
      documentEntryStatement(db, documentId, { actor, at }, { message: subject }),
      db.insert(bookingMails).values({ ...row, documentId, kind: "invoiced", at, uselessAt, subject }),
      enqueueMailStatement(db, { ...mail, uselessAt, subject }),
    ];
  const detail = JSON.stringify({ after: { message: subject }, mailedDocument: documentId });
  return [
    db.insert(bookingHistory).values({ id: historyId, bookingId, at, actor, event: "changed", detail }),
    db.insert(bookingMails).values({ ...row, kind: "invoiced", at, uselessAt, subject }),
    enqueueMailStatement(db, { ...mail, uselessAt, subject }),
  ];
}

/** Returns the statements that queue a mail again and add the history entry. */
export function resendCustomerMailStatements(
  db: Database,
  { id, bookingId, documentId }: Pick<CustomerMailRow, "id" | "bookingId" | "documentId">,
  { address, mail }: { readonly address: string; readonly mail: OutgoingMail },
  sender: Sender,
): readonly Query[] {
  const { uselessAt, subject } = mail;
  return [
    db
      .update(bookingMails)
      .set({ address, uselessAt, subject, sentAt: null, lastError: null })
      .where(eq(bookingMails.id, id)),
    enqueueMailStatement(db, mail),
    ...(bookingId === null ? [] : [entryStatement(db, bookingId, sender, { message_resent: subject })]),
    ...(documentId === null ? [] : [documentEntryStatement(db, documentId, sender, { message_resent: subject })]),
  ];
}
