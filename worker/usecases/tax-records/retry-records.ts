import { ok, type Result } from "#domain/result.ts";
import { retryChainsStatement } from "#worker/store/tax-records/records.ts";
import type { OfficeAnswer, OfficeRefusal, OfficeWrite } from "#worker/usecases/bookings/moves/office-context.ts";
import { writeOnce } from "#worker/usecases/operations/office-write.ts";
import { listTaxRecords, type TaxRecordPage } from "./office-records.ts";

/**
 * Lets the clock send at once what could not be sent, where what kept it has been put right. What the agency asked to wait
 * for is waited for. Answers the records that wait.
 */
export function retryTaxRecords(write: OfficeWrite): Promise<Result<OfficeAnswer<TaxRecordPage>, OfficeRefusal>> {
  return writeOnce(write, {
    right: "administer",
    content: { retry: "tax_records" },
    read: () => [] as const,
    decide: () => ok({ resource: "tax_records", statements: [retryChainsStatement(write.tenant.db)] }),
    answer: () => listTaxRecords(write, { state: "waiting", after: undefined, pageSize: 50 }),
  });
}
