import { canAccessBranch, type SignedInUser } from "#domain/access/sessions.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { listUnmetHandOverChecks } from "#domain/check-in/hand-over-checks.ts";
import { listAllowedActions } from "#domain/contracts/actions.ts";
import type { Contract } from "#domain/contracts/contract.ts";
import { toCivilMinute } from "#domain/dates.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { toContract } from "#worker/store/contracts/contract-rows.ts";
import { reservationQueries } from "#worker/store/contracts/reservations.ts";
import { groupExternalCodesByBranch } from "#worker/store/reporting/document-lists.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { toCustomerMailAnswer } from "#worker/usecases/office/message-answers.ts";
import { toNoteAnswer, toTaskAnswer } from "#worker/usecases/office/note-answers.ts";
import {
  findMissingRightRefusal,
  type OfficeRefusal,
  type OfficeWrite,
  type ReservationAnswer,
  type ReservationRows,
} from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import { toCardHoldAnswer } from "#worker/usecases/payments/hold-actions.ts";
import { toPaymentLinkAnswer } from "#worker/usecases/payments/payment-links.ts";

/** Returns a reservation with its documents, payments and history, in one round trip. */
export async function readReservation(
  request: StaffRequest,
  id: number,
): Promise<Result<StaffAnswer<ReservationAnswer>, OfficeRefusal>> {
  const read = await readAsStaff(request, () => reservationQueries(request.tenant.db, id));
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const value = toReservationAnswer(rows, { staff, catalogue, now: request.now });
  return value ? ok({ value, freshToken }) : err({ kind: "reservationNotFound" });
}

/** Refuses a write based on an outdated version and returns the current reservation. */
export async function createVersionConflictRefusal(
  write: OfficeWrite,
  id: number,
): Promise<Result<never, OfficeRefusal>> {
  const now = await readReservation(write, id);
  return now.ok ? err({ kind: "changedMeanwhile", reservation: now.value.value }) : now;
}

// Whether a vehicle of the contract still has to be delivered.
function isToHandOver({ kind, status, units }: Contract): boolean {
  if (kind === "transfer" || status === "done" || status === "cancelled") return false;
  return units.some(({ deliveredAt }) => deliveredAt === undefined);
}

/** Converts the rows of a reservation. Returns undefined if the staff member can't access it. */
export function toReservationAnswer(
  rows: ReservationRows,
  { staff, catalogue, now }: { readonly staff: SignedInUser; readonly catalogue: Catalogue; readonly now: number },
): ReservationAnswer | undefined {
  const [
    booking,
    lines,
    extras,
    units,
    transfer,
    [row],
    history,
    documents,
    charges,
    codes,
    links,
    holds,
    [facts],
    notes,
    tasks,
    messages,
    damages,
  ] = rows;
  const contract = toContract([booking, lines, extras, units, transfer]);
  if (!contract || !row || !canAccessBranch(staff, contract.branchCode, contract.returnBranchCode)) return undefined;
  const { date, time } = toCivilNow(catalogue.settings.timezone, now);
  return {
    contract,
    allowed: listAllowedActions(contract, { at: now, civil: toCivilMinute(date, time) }),
    row,
    history,
    documents,
    charges,
    codes: groupExternalCodesByBranch(codes),
    holds: holds.map((hold) => toCardHoldAnswer(hold, now)),
    paymentLinks: links.map((link) => toPaymentLinkAnswer(link, now)),
    notes: notes.map((note) => toNoteAnswer(note, staff)),
    tasks: tasks.map((task) => toTaskAnswer(task, date)),
    messages: messages.map((message) => toCustomerMailAnswer(message, now)),
    damages,
    doNotRent: facts?.doNotRent ?? null,
    contractData: facts?.contractData ?? {},
    missing: facts && isToHandOver(contract) ? listUnmetHandOverChecks(catalogue.settings.handOverChecks, facts) : [],
  };
}
