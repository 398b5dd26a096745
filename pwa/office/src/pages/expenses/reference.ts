import type { ListedVehicle } from "../fleet/vehicle.ts";

/** A vehicle in a form's choices. */
export type KnownVehicle = Pick<ListedVehicle, "reference" | "stock_plate" | "name">;

const bare = (text: string) => text.replaceAll(/[\s-]/g, "").toLowerCase();

/** Returns the reference of the typed vehicle, also by plate. Unknown values are returned unchanged. */
export function findVehicleReference(typed: unknown, vehicles: readonly KnownVehicle[]): unknown {
  if (typeof typed !== "string" || vehicles.some(({ reference }) => reference === typed)) return typed;
  const matches = vehicles.filter(
    ({ reference, stock_plate: plate }) => bare(plate ?? "") === bare(typed) || bare(reference) === bare(typed),
  );
  return matches.length === 1 ? matches[0]?.reference : typed;
}
