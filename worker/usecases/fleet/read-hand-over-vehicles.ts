import {
  canBeHandedOver,
  type HandOverVehicleState,
  listHandOverStates,
} from "#domain/catalogue/hand-over-vehicles.ts";
import { toCivilMinute } from "#domain/dates.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { QueryResults } from "#worker/store/database.ts";
import { handOverVehiclesQueries } from "#worker/store/fleet/hand-over-vehicles.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { findMissingRightRefusal, type OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import {
  getTokenUserId,
  readAsStaff,
  type StaffAnswer,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";

type VehicleRow = QueryResults<ReturnType<typeof handOverVehiclesQueries>>[1][number];

/** Vehicle for a delivery, with its current states. */
export interface HandOverVehicle extends VehicleRow {
  readonly states: readonly [HandOverVehicleState, ...HandOverVehicleState[]];
  readonly canLeave: boolean;
}

/**
 * Lists the vehicles of a reservation's branch group for its delivery, the most suitable ones first. One round trip.
 */
export async function readHandOverVehicles(
  request: StaffRequest,
  id: number,
): Promise<Result<StaffAnswer<readonly HandOverVehicle[]>, OfficeRefusal>> {
  const userId = await getTokenUserId(request);
  const read = await readAsStaff(request, ({ settings }) => {
    const { date, time } = toCivilNow(settings.timezone, request.now);
    const now = { civilNow: `${date} ${time}`, minuteNow: toCivilMinute(date, time) };
    return handOverVehiclesQueries(request.tenant.db, { id, userId, ...now });
  });
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const [[reservation], vehicles] = rows;
  if (!reservation) return err({ kind: "reservationNotFound" });
  const value = vehicles.map(toHandOverVehicle);
  const rank = (vehicle: HandOverVehicle) =>
    (vehicle.isOwnCategory ? 0 : 4) + (vehicle.canLeave ? 0 : 2) + (vehicle.states[0] === "free" ? 0 : 1);
  return ok({ value: value.toSorted((item, other) => rank(item) - rank(other)), freshToken });
}

function toHandOverVehicle(row: VehicleRow): HandOverVehicle {
  const { out, block, reserved, isElsewhere, needsCleaning } = row;
  const states = listHandOverStates({
    isOut: out !== null,
    isBlocked: block !== null,
    isReserved: reserved !== null,
    isElsewhere: isElsewhere === 1,
    needsCleaning,
  });
  return { ...row, states, canLeave: canBeHandedOver(states) };
}
