import { ok, type Result } from "#domain/result.ts";
import { retryTaxChainsStatement, taxRecordListQueries } from "#worker/store/tax-records/records.ts";
import type { OfficeRefusal, OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import { type TaxRecordPage, toTaxRecordPage } from "./office-records.ts";

const PENDING_FILTER = { state: "waiting", after: undefined, pageSize: 50 } as const;

/**
 * Lets the cron job resend failed records immediately once the cause is fixed. The agency's requested waiting times
 * still apply. Returns the pending records.
 */
export function retryUnsentTaxRecords(write: OfficeWrite): Promise<Result<StaffAnswer<TaxRecordPage>, OfficeRefusal>> {
  return runOfficeWriteOnce(write, {
    right: "administer",
    content: { retry: "tax_records" },
    read: () => [],
    decide: () => ok({ resource: "tax_records", statements: [retryTaxChainsStatement(write.tenant.db)] }),
    readBack: () => taxRecordListQueries(write.tenant.db, PENDING_FILTER),
    answer: (rows) => ok(toTaxRecordPage(PENDING_FILTER, rows)),
  });
}
