import { canAccessBranch } from "#domain/access/sessions.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type CheckInDay, createContractTextToSign } from "#domain/check-in/day.ts";
import { addDays, type CivilDate, toCivilMinute } from "#domain/dates.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { fromVehicleRows, groupBlocksByVehicle } from "#worker/store/catalogue/vehicles.ts";
import { type CheckInDayBookingRow, checkInDayQueries } from "#worker/store/check-in/day.ts";
import { toCheckInDayBooking, toListedVehicle } from "#worker/store/check-in/entries.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import {
  readAsStaff,
  type StaffAnswer,
  type StaffRefusal,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";
import { computeFingerprint } from "#worker/usecases/shared/fingerprint.ts";

/** No-shows of this many past days are on today's list. */
const NO_SHOW_DAYS = 3;

export type CheckInDayRefusal = StaffRefusal | { readonly kind: "unknownBranch" } | { readonly kind: "branchRequired" };

export interface CheckInDayAnswer {
  readonly day: CheckInDay;
  readonly catalogue: Catalogue;
  /** Hash of the contract text to sign, by booking. */
  readonly contractHashes: ReadonlyMap<number, string>;
}

/**
 * Returns the deliveries and collections of a branch's day, in one round trip. An account with a single branch needn't
 * name it.
 */
export async function readCheckInDay(
  request: StaffRequest,
  branchCode: string | undefined,
  date: CivilDate,
): Promise<Result<StaffAnswer<CheckInDayAnswer>, CheckInDayRefusal>> {
  const { tenant, now } = request;
  const read = await readAsStaff(request, (current) => {
    const today = toCivilNow(current.settings.timezone, now).date;
    const code = branchCode ?? onlyBranch(current) ?? "";
    return checkInDayQueries(tenant.db, {
      branchCode: code,
      date,
      isToday: date === today,
      since: addDays(date, -NO_SHOW_DAYS),
      now,
    });
  });
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const code = branchCode ?? onlyBranch(catalogue);
  if (code === undefined) return err({ kind: "branchRequired" });
  if (!catalogue.branches.has(code) || !canAccessBranch(staff, code)) return err({ kind: "unknownBranch" });
  const [deliveries, lateCollections, collections, candidates, blocks] = rows;
  const vehicleBlocks = groupBlocksByVehicle(blocks);
  const toEntry = (row: CheckInDayBookingRow) => toCheckInDayBooking(row, vehicleBlocks);
  const clock = toCivilNow(catalogue.settings.timezone, now);
  const day: CheckInDay = {
    date,
    branchCode: code,
    civilNow: toCivilMinute(clock.date, clock.time),
    deliveries: deliveries.map(toEntry),
    collections: [...lateCollections, ...collections].map(toEntry),
    candidates: fromVehicleRows(candidates, vehicleBlocks).map(toListedVehicle),
  };
  return ok({ value: { day, catalogue, contractHashes: await hashContracts(day) }, freshToken });
}

function onlyBranch({ branches }: Catalogue): string | undefined {
  const [only, another] = branches.keys();
  return another === undefined ? only : undefined;
}

async function hashContracts({ deliveries, collections }: CheckInDay): Promise<ReadonlyMap<number, string>> {
  const entries = [...deliveries, ...collections];
  return new Map(
    await Promise.all(
      entries.map(async (entry) => [entry.id, await computeFingerprint(createContractTextToSign(entry))] as const),
    ),
  );
}
