import type { AccountName } from "#tools/platform/client.ts";
import type { Rows } from "#tools/platform/database-files.ts";
import type { DeskRequestRecord, WritersHistory } from "../history.ts";
import {
  ACCOUNTS,
  type AccountDatabases,
  CONFIRMED_RECORDS_EXIST,
  DOUBLE,
  FOREIGN,
  getOtherAccount,
  NO_REJECTED_RECORDS,
  reportIf,
  UNREQUESTED,
  type Violation,
} from "./violation.ts";

/** Data of a request in an account's database. */
interface StoredDeskWork {
  readonly requests: number;
  readonly charges: readonly {
    readonly booking_id: number;
    readonly amount_cents: number;
    readonly source_doc: string;
    readonly payment_type: string;
    readonly deposit_kept: number;
  }[];
  readonly documents: readonly {
    readonly booking_id: number;
    readonly invoice_status: string;
    readonly invoice_type: string;
    readonly total_cents: number;
    readonly corrects_document_id: number | null;
  }[];
}

/** Exactly one full invoice replaces and refers to it. */
const EXCHANGED =
  "SELECT 1 FROM documents WHERE exchanges_document_id = ?1 AND form = 'full' AND invoice_status = 'invoice'";

/**
 * Checks that each desk request was executed once or not at all, in its own account, and that no charge or document
 * lacks a request.
 */
export function checkDeskRequests(accounts: AccountDatabases, history: WritersHistory): readonly Violation[] {
  return [
    ...[...history.desk].flatMap(([requestId, work]) => checkRequest(requestId, work, accounts)),
    ...ACCOUNTS.flatMap((account) => checkUnrequested(account, accounts[account], history)),
  ];
}

function readDeskWork(rows: Rows, requestId: string): StoredDeskWork {
  return {
    requests: rows("SELECT 1 FROM document_requests WHERE request_id = ?", requestId).length,
    charges: rows("SELECT * FROM charges WHERE uid = ?", requestId),
    documents: rows("SELECT * FROM documents WHERE uid = ?", requestId),
  };
}

function checkRequest(requestId: string, work: DeskRequestRecord, accounts: AccountDatabases): readonly Violation[] {
  const rows = accounts[work.account];
  const storedWork = readDeskWork(rows, requestId);
  const detail = `${work.account} ${work.what} ${requestId} was ${work.state}: ${JSON.stringify(storedWork)}`;
  const isForeign = readDeskWork(accounts[getOtherAccount(work.account)], requestId).requests > 0;
  const fault = findFault(rows, work, storedWork);
  return [...reportIf(fault !== "", fault, detail), ...reportIf(isForeign, FOREIGN, detail)];
}

function findFault(rows: Rows, work: DeskRequestRecord, storedWork: StoredDeskWork): string {
  const { requests, charges, documents } = storedWork;
  if (Math.max(requests, charges.length, documents.length) > 1) return DOUBLE;
  if (requests === 0 && charges.length + documents.length > 0) return UNREQUESTED;
  if (work.state === "refused") return requests === 0 ? "" : NO_REJECTED_RECORDS;
  const isUnknown = work.state === "asked" && requests === 0;
  return isUnknown || isComplete(rows, work, storedWork) ? "" : CONFIRMED_RECORDS_EXIST;
}

// Whether all data of an executed request exists.
function isComplete(
  rows: Rows,
  work: DeskRequestRecord,
  { requests, charges: [charge], documents: [document] }: StoredDeskWork,
): boolean {
  switch (work.what) {
    case "charge":
      return (
        requests === 1 &&
        charge?.booking_id === work.bookingId &&
        charge.amount_cents === work.cents &&
        getChargeKind(charge) === work.kind
      );
    case "credit":
      return (
        requests === 1 &&
        document?.invoice_type === "payment" &&
        document.corrects_document_id === work.documentId &&
        (work.cents === undefined || document.total_cents === -work.cents)
      );
    case "exchange":
      return requests === 1 && rows(EXCHANGED, work.documentId ?? 0).length === 1;
    case "invoice":
      return requests === 1 && document?.booking_id === work.bookingId && document.invoice_status === "invoice";
    // The contract's next document replaces a draft.
    case "draft":
      return requests === 1;
    // Another writer may have issued it already. Then there's nothing to do and no request is stored.
    case "issue":
      return (
        rows("SELECT 1 FROM documents WHERE id = ? AND invoice_status = 'invoice'", work.documentId ?? 0).length === 1
      );
  }
}

function getChargeKind({
  source_doc: source,
  payment_type: type,
  deposit_kept: isDepositRetained,
}: StoredDeskWork["charges"][number]): string {
  if (source === "deposit_received" || source === "deposit_returned") return source;
  return isDepositRetained === 1 ? "deposit_kept" : type;
}

// Field work of the desk, checked as an action, with the payments made.
const HANDED_OVER = `SELECT op_id AS uid FROM check_in_operations WHERE device_id = 'office'
  UNION ALL SELECT value ->> 'chargeId' FROM check_in_operations, json_each(operation, '$.charges') WHERE device_id = 'office'`;
const DOCUMENTED: Readonly<Record<string, string>> = {
  reopenReservation: "reopened",
  surchargeReservation: "surcharge",
  cancelReservation: "cancelled",
  declareNoShow: "cancelled",
};

// Documents of a reopened or cancelled contract have its name.
function listActionReferences(account: AccountName, rows: Rows, history: WritersHistory): readonly string[] {
  const actions = [...history.officeWrites.values()].filter(
    (write) => write.account === account && write.state !== "refused",
  );
  const ended = [
    ...[...history.customerActions.values()].filter(({ action }) => action === "cancel"),
    ...[...history.purchases.values()].filter(({ state }) => state.startsWith("cancel")),
  ].map(({ freeAccessId = "" }) => freeAccessId);
  const sql = "SELECT id FROM bookings WHERE free_access_id IN (SELECT value FROM json_each(?))";
  const cancelled = rows<{ readonly id: number }>(sql, JSON.stringify(ended));
  return [
    ...actions.map(({ operation, id }) => `${DOCUMENTED[operation]}:${id}`),
    ...cancelled.map(({ id }) => `cancelled:${id}`),
  ];
}

function checkUnrequested(account: AccountName, rows: Rows, history: WritersHistory): readonly Violation[] {
  const storedRequests = rows<{ readonly uid: string }>(
    "SELECT request_id AS uid FROM document_requests UNION ALL SELECT uid FROM charges WHERE uid IS NOT NULL UNION ALL SELECT uid FROM documents WHERE uid IS NOT NULL",
  );
  const requestIds = new Set([...history.desk].filter(([, work]) => work.account === account).map(([id]) => id));
  for (const [opId, { charges }] of account === "acme" ? history.operations : []) {
    requestIds.add(opId);
    for (const charge of charges) requestIds.add(charge);
  }
  for (const { uid } of rows<{ readonly uid: string }>(HANDED_OVER)) requestIds.add(uid);
  for (const name of listActionReferences(account, rows, history)) requestIds.add(name);
  // Office refunds are checked separately, collective invoices and captured holds by their writers' expectations.
  const isRefund = (uid: string) => /^(refund|refund-request|gateway-refund|collective|hold):/.test(uid);
  // The second note of a refund and the document of a collection are named after their origin.
  const listUidParts = (uid: string) => [uid, uid.split(":").slice(0, 2).join(":"), ...uid.split(":")];
  return storedRequests
    .filter(({ uid }) => !isRefund(uid) && !listUidParts(uid).some((name) => requestIds.has(name)))
    .map(({ uid }) => ({ check: UNREQUESTED, detail: `${account} charge, document or request ${uid}` }));
}
