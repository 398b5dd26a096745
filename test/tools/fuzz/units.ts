import type { AccountName, Client } from "#tools/platform/client.ts";
import { getDateAfter } from "#tools/platform/days.ts";
import type { FuzzUnit } from "./account-state.ts";
import type { Caller } from "./caller.ts";
import type { KnownValues } from "./known-values.ts";

const MAX_DAYS_AHEAD = 14;

/** Lists units that the app could hand over in the next days. */
export async function loadPendingUnits(
  client: Client,
  { account, token }: Caller,
  known: KnownValues,
): Promise<readonly FuzzUnit[]> {
  const units: FuzzUnit[] = [];
  for (const branch of known["rental_location_code"] ?? []) {
    for (let days = 0; days < MAX_DAYS_AHEAD; days++) {
      const date = getDateAfter(days);
      const path = `/api/v1/booking/deliveries-collections?date=${date}&rental_location_code=${branch}`;
      const call = { account: account as AccountName, method: "GET", path, headers: { Authorization: token } };
      units.push(...unitsIn(JSON.parse((await client.sendUntilAnswered(call)).bytes.toString())));
    }
  }
  return units;
}

/** A branch's day with the data that a delivery needs. */
interface Day {
  readonly deliveries: readonly {
    readonly booking_id: number;
    readonly version: number;
    readonly resources: readonly {
      readonly resource_id: number;
      readonly state: string;
      readonly category_code: string;
      readonly vehicle: { readonly reference: string } | null;
    }[];
  }[];
  readonly candidates: Readonly<Record<string, readonly string[]>>;
}

function unitsIn({ deliveries, candidates }: Day): FuzzUnit[] {
  return deliveries.flatMap(({ booking_id: bookingId, version, resources }) =>
    resources
      .filter(({ state }) => state === "to_deliver")
      .map(({ resource_id: unitId, vehicle, category_code: code }) => ({
        ...{ bookingId, version, unitId },
        vehicle: vehicle?.reference ?? candidates[code]?.[0],
      })),
  );
}
