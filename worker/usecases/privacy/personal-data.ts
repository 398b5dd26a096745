import { err, ok, type Result } from "#domain/result.ts";
import { customerDetailQueries } from "#worker/store/access/customers.ts";
import { recordSecurityEvent } from "#worker/store/access/security-events.ts";
import { erasureDecisionQueries, findPersonToErase } from "#worker/store/privacy/erasure.ts";
import { readPersonalData } from "#worker/store/privacy/personal-data.ts";
import { createCustomerReadBack } from "#worker/usecases/access/office-customers.ts";
import type { CustomerAnswer, OfficeRefusal, OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { findMissingRightRefusal, findStaleFactorRefusal } from "#worker/usecases/office/office-context.ts";
import { runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import {
  getTokenUserId,
  readAsStaff,
  type StaffAnswer,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";
import {
  createErasureStatements,
  deleteErasedPeopleFiles,
  deleteFailedErasureRecord,
  listContractsBlockingErasure,
  saveErasureRecord,
} from "#worker/usecases/privacy/erase-person.ts";

/** Exports all stored data of a customer by table, for a data access request. */
export async function exportCustomerData(
  request: StaffRequest,
  id: number,
): Promise<Result<StaffAnswer<Awaited<ReturnType<typeof readPersonalData>>>, OfficeRefusal>> {
  const userId = await getTokenUserId(request);
  const read = await readAsStaff(request, () => customerDetailQueries(request.tenant.db, id, userId));
  if (!read.ok) return read;
  const { staff, factor, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "administer") ?? findStaleFactorRefusal(factor);
  if (missing) return missing;
  if (rows[0][0]?.isOfUser !== 1) return err({ kind: "customerNotFound" });
  const value = await readPersonalData(request.tenant.db, id);
  const detail = { what: "customer", customer: id };
  await recordSecurityEvent(request.tenant.db, { kind: "data_exported", userId: staff.userId, detail }, request.now);
  return ok({ value, freshToken });
}

/**
 * Erases a person, once per key: photos, signatures, texts and names. Issued documents and reports to the
 * ministry stay for the legal retention period. Refused while one of their contracts is open or not yet reported to the
 * ministry.
 */
export async function eraseCustomer(
  write: OfficeWrite,
  id: number,
  reason: string,
): Promise<Result<StaffAnswer<CustomerAnswer>, OfficeRefusal>> {
  const { tenant } = write;
  const userId = await getTokenUserId(write);
  const person = await findPersonToErase(tenant.db, [id]);
  let isRecorded = false;
  let erased: Result<StaffAnswer<CustomerAnswer>, OfficeRefusal> | undefined;
  try {
    erased = await runOfficeWriteOnce(write, {
      ...createCustomerReadBack(write, userId),
      right: "manage",
      requiresRecentFactor: true,
      content: { erase: id, reason },
      read: () =>
        [
          ...customerDetailQueries(tenant.db, id, userId),
          ...erasureDecisionQueries(tenant.db, person, write.now),
        ] as const,
      decide: async ({ rows: [seen, , ...theirs], catalogue, actor }) => {
        if (seen[0]?.isOfUser !== 1) return err({ kind: "customerNotFound" });
        const merged = seen[0].mergedIntoId;
        if (merged !== null) return err({ kind: "customerMerged", mergedIntoId: merged });
        const [customers, contracts] = theirs;
        const open = listContractsBlockingErasure(contracts, catalogue, write.now);
        if (open.length > 0) return err({ kind: "customerHasContracts", bookingIds: open.map((item) => item.id) });
        const unreportedContracts = contracts.filter(({ isUntold }) => isUntold === 1);
        if (unreportedContracts.length > 0)
          return err({ kind: "customerToBeTold", bookingIds: unreportedContracts.map((item) => item.id) });
        const about = { customerId: id, at: write.now, actor, reason };
        const statements = await createErasureStatements(tenant, person, theirs, about);
        const getIds = (rows: readonly { readonly id: number }[]) => rows.map((row) => row.id);
        isRecorded = true;
        await saveErasureRecord(tenant, about, { customerIds: getIds(customers), bookingIds: getIds(contracts) });
        return ok({ resource: String(id), statements });
      },
    });
  } finally {
    if (isRecorded && !erased?.ok) await deleteFailedErasureRecord(tenant, id, write.now);
  }
  if (erased.ok) await deleteErasedPeopleFiles(tenant);
  return erased;
}
