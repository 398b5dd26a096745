import type { SignedIn } from "#domain/access/sessions.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { ok, type Result } from "#domain/result.ts";
import { storageNamesQuery } from "#worker/store/check-in/settings.ts";
import { readAsStaff, type StaffRefusal, type StaffRequest } from "#worker/usecases/access/read-as-staff.ts";
import type { StaffAnswer } from "./read-day.ts";

export interface CheckInSettings {
  readonly staff: SignedIn;
  readonly catalogue: Catalogue;
  readonly storages: readonly { readonly id: number; readonly name: string }[];
}

/** What the check-in app must know beside the day (docs/interfaces/check-in.md#settings). */
export async function readCheckInSettings(
  request: StaffRequest,
): Promise<Result<StaffAnswer<CheckInSettings>, StaffRefusal>> {
  const read = await readAsStaff(request, () => [storageNamesQuery(request.tenant.db)]);
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  return ok({ value: { staff, catalogue, storages: rows[0] }, freshToken });
}
