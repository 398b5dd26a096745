import { ok, type Result } from "#domain/result.ts";
import { createDeclaration, type Declaration } from "#domain/tax-records/declaration.ts";
import { SYSTEM_VERSION } from "#worker/usecases/issuing/record-documents.ts";
import { type OfficeAnswer, type OfficeRefusal, refuseWithout } from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import { SYSTEM_ID, SYSTEM_NAME } from "./stored-record.ts";

/**
 * Returns the producer's responsible declaration for this version. Fields that the deployment doesn't set stay open.
 */
export async function readDeclaration(
  request: StaffRequest,
): Promise<Result<OfficeAnswer<Declaration>, OfficeRefusal>> {
  const read = await readAsStaff(request, () => [] as const);
  if (!read.ok) return read;
  const { staff, freshToken } = read.value;
  const missing = refuseWithout(staff, "see");
  const system = { name: SYSTEM_NAME, id: SYSTEM_ID, version: SYSTEM_VERSION };
  return missing ?? ok({ value: createDeclaration(request.tenant.declaredProducer, system), freshToken });
}
