import { ok, type Result, refuse } from "#domain/result.ts";
import { type Troubles, toTroubles, troublesQuery } from "#worker/store/operations/attention.ts";
import { type NoStaff, readAsStaff, type StaffRequest } from "#worker/usecases/access/read-as-staff.ts";
import type { Told } from "#worker/usecases/check-in/read-day.ts";

export interface TroublesAnswer {
  readonly troubles: Troubles;
  readonly currencyDecimals: number;
}

/** What waits for a person in the whole account: for its administrators. */
export async function listTroubles(request: StaffRequest): Promise<Result<Told<TroublesAnswer>, NoStaff>> {
  const read = await readAsStaff(request, () => [troublesQuery(request.tenant.db)]);
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  if (staff.role !== "administrator" || staff.branches !== "all") return refuse({ kind: "otherRole" });
  const { currencyDecimals } = catalogue.settings;
  return ok({ value: { troubles: toTroubles(rows[0]), currencyDecimals }, freshToken });
}
