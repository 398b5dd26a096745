import type { ListedVehicle } from "../fleet/vehicle.ts";

/** A vehicle in a form's choices. */
export type VehicleOption = Pick<ListedVehicle, "reference" | "stock_plate" | "name">;

const bare = (text: string) => text.replaceAll(/[\s-]/g, "").toLowerCase();

/** Returns the reference of the typed vehicle, also by plate. Unknown values are returned unchanged. */
export function findVehicleReference(typedVehicle: unknown, vehicles: readonly VehicleOption[]): unknown {
  if (typeof typedVehicle !== "string" || vehicles.some(({ reference }) => reference === typedVehicle))
    return typedVehicle;
  const matches = vehicles.filter(
    ({ reference, stock_plate: plate }) =>
      bare(plate ?? "") === bare(typedVehicle) || bare(reference) === bare(typedVehicle),
  );
  return matches.length === 1 ? matches[0]?.reference : typedVehicle;
}
