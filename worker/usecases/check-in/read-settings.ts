import type { SignedInUser } from "#domain/access/sessions.ts";
import type { Catalogue, Extra } from "#domain/catalogue/catalogue.ts";
import type { Lessor } from "#domain/printing/contract-text.ts";
import { ok, type Result } from "#domain/result.ts";
import { surchargePricesQuery } from "#worker/store/bookings/contract-extras.ts";
import { branchGroupNamesQuery } from "#worker/store/check-in/settings.ts";
import { branchIssuersQuery, generalConditionsQuery } from "#worker/store/printing/letterhead.ts";
import {
  readAsStaff,
  type StaffAnswer,
  type StaffRefusal,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";
import { getLessor } from "#worker/usecases/shared/printing-context.ts";

export interface CheckInSettings {
  readonly staff: SignedInUser;
  readonly catalogue: Catalogue;
  readonly storages: readonly { readonly id: number; readonly name: string }[];
  readonly lessors: ReadonlyMap<string, Lessor>;
  readonly terms: readonly { readonly language: string; readonly terms: string }[];
  readonly prices: readonly Pick<Extra, "code" | "name" | "pricePer" | "priceCents">[];
}

/** Returns the check-in app's settings, which don't depend on the day (docs/interfaces/check-in.md#settings). */
export async function readCheckInSettings(
  request: StaffRequest,
): Promise<Result<StaffAnswer<CheckInSettings>, StaffRefusal>> {
  const read = await readAsStaff(request, () => {
    const { db } = request.tenant;
    return [branchGroupNamesQuery(db), branchIssuersQuery(db), generalConditionsQuery(db), surchargePricesQuery(db)];
  });
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const [storages, issuers, terms, prices] = rows;
  const { accountName } = catalogue.settings;
  const lessors = new Map(issuers.map((issuer) => [issuer.code, getLessor(accountName, issuer)]));
  return ok({ value: { staff, catalogue, storages, lessors, terms, prices }, freshToken });
}
