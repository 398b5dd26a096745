import { ok, type Result } from "#domain/result.ts";
import { createResponsibleDeclaration, type ResponsibleDeclaration } from "#domain/tax-records/declaration.ts";
import { TAX_RECORD_SYSTEM_VERSION } from "#worker/usecases/issuing/record-documents.ts";
import { findMissingRightRefusal, type OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import { INVOICING_SYSTEM_ID, INVOICING_SYSTEM_NAME } from "./stored-record.ts";

/**
 * Returns the producer's responsible declaration for this version. Fields that the deployment doesn't set stay open.
 */
export async function readSoftwareDeclaration(
  request: StaffRequest,
): Promise<Result<StaffAnswer<ResponsibleDeclaration>, OfficeRefusal>> {
  const read = await readAsStaff(request, () => [] as const);
  if (!read.ok) return read;
  const { staff, freshToken } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  const system = { name: INVOICING_SYSTEM_NAME, id: INVOICING_SYSTEM_ID, version: TAX_RECORD_SYSTEM_VERSION };
  return missing ?? ok({ value: createResponsibleDeclaration(request.tenant.declaredProducer, system), freshToken });
}
