import { toOfficePath } from "../api.ts";
import type { VehicleDetail } from "../pages/fleet/vehicle.ts";
import { useResource } from "./use-resource.tsx";

export type Vehicle = VehicleDetail["vehicle"];

/** Loads a vehicle with its last reading and its damage. */
export function useVehicleDetail(reference: string | undefined): Vehicle | undefined {
  const path = toOfficePath(`/vehicles/${encodeURIComponent(reference ?? "")}`);
  const { whole } = useResource<VehicleDetail>(path, { isNeeded: Boolean(reference) });
  return whole?.vehicle.reference === reference ? whole?.vehicle : undefined;
}
