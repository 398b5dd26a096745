import { ok, type Result } from "#domain/result.ts";
import { ChainAudit } from "#domain/tax-records/audit.ts";
import type { Database } from "#worker/store/database.ts";
import { saveTaxRecordFaults } from "#worker/store/operations/upkeep.ts";
import { taxChainEndsQueries, taxRecordsToAuditQuery } from "#worker/store/tax-records/audit.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { computeTaxAgencyHash } from "#worker/usecases/issuing/chain-records.ts";
import { findMissingRightRefusal, type OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";

export type TaxRecordAudit = Pick<ChainAudit, "records" | "faults">;

/** Audits all tax records of an account, a thousand per round trip. Finds missing and changed records. */
export async function findTaxRecordFaults(db: Database): Promise<TaxRecordAudit> {
  const audit = new ChainAudit(computeTaxAgencyHash);
  let after = { chain: "", position: 0 };
  for (;;) {
    const [rows] = await db.batch([taxRecordsToAuditQuery(db, after)]);
    const last = rows.at(-1);
    if (!last) break;
    await audit.add(rows);
    after = { chain: last.chain, position: last.position };
  }
  audit.end(...(await db.batch(taxChainEndsQueries(db))));
  return audit;
}

/** Audits the tax records for an administrator of the account. */
export async function auditTaxRecordsAsStaff(
  request: StaffRequest,
): Promise<Result<StaffAnswer<TaxRecordAudit>, OfficeRefusal>> {
  const read = await readAsStaff(request, () => [] as const);
  if (!read.ok) return read;
  const { staff, freshToken } = read.value;
  const missing = findMissingRightRefusal(staff, "administer");
  return missing ?? ok({ value: await findTaxRecordFaults(request.tenant.db), freshToken });
}

/** Audits the tax records every night for the office. Returns the number of faults. */
export async function auditTaxRecordsNightly({ db }: Pick<Tenant, "db">): Promise<number> {
  const { faults } = await findTaxRecordFaults(db);
  await saveTaxRecordFaults(db, faults.length, faults[0]);
  return faults.length;
}
