/** A unit that the app could hand over. */
export interface PendingUnit {
  readonly bookingId: number;
  readonly unitId: number;
  readonly version: number;
  /** Amount still to pay. */
  readonly pending: number;
  /** The assigned vehicle, or those that may be assigned. */
  readonly vehicles: readonly string[];
  /** Possible substitute vehicles. */
  readonly candidates: readonly string[];
}

interface CheckInDay {
  readonly deliveries: readonly {
    readonly booking_id: number;
    readonly version: number;
    readonly amounts: { readonly total_pending: string };
    readonly resources: readonly {
      readonly resource_id: number;
      readonly state: string;
      readonly category_code: string;
      readonly vehicle: { readonly reference: string } | null;
    }[];
  }[];
  readonly candidates: Readonly<Record<string, readonly string[]>>;
}

/** Lists the units of a branch's day that aren't handed over yet. */
export function listPendingUnits({ deliveries, candidates: vehiclesByCategory }: CheckInDay): readonly PendingUnit[] {
  return deliveries.flatMap(({ booking_id: bookingId, version, amounts, resources }) =>
    resources
      .filter(({ state }) => state === "to_deliver")
      .map(({ resource_id: unitId, vehicle, category_code }) => {
        const candidates = vehiclesByCategory[category_code] ?? [];
        const vehicles = vehicle ? [vehicle.reference] : candidates;
        return { bookingId, unitId, version, pending: Number(amounts.total_pending), vehicles, candidates };
      }),
  );
}
