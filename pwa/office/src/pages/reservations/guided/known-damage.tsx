import { formatDay } from "../../../account.ts";
import { toOfficePath } from "../../../api.ts";
import { useResource } from "../../../desk/use-resource.tsx";
import { tOr } from "../../../texts.ts";
import type { VehicleDetail } from "../../fleet/vehicle.ts";
import { translateGuided as g } from "./texts.ts";

type Vehicle = VehicleDetail["vehicle"];

/** Loads a vehicle with its last reading and its damage. */
export function useVehicleDetail(reference: string | undefined): Vehicle | undefined {
  const path = toOfficePath(`/vehicles/${encodeURIComponent(reference ?? "")}`);
  const { whole } = useResource<VehicleDetail>(path, { isNeeded: Boolean(reference) });
  return whole?.vehicle.reference === reference ? whole?.vehicle : undefined;
}

/** Damage that a vehicle has already, which the customer must not pay. */
export function KnownDamage({ of }: { readonly of: Vehicle | undefined }) {
  if (!of) return null;
  return (
    <section class="wide known-damage">
      <h3>{g("knownDamage")}</h3>
      {of.damages.length === 0 ? (
        <p class="soft">{g("noKnownDamage")}</p>
      ) : (
        <ul class="plain">
          {of.damages.map(({ id, part, kind, severity, note, since }) => (
            <li key={id}>
              {[
                tOr(`vehiclePart.${part}`, part),
                tOr(`damage.${kind}`, kind),
                tOr(`severity.${severity}`, severity),
                note,
                formatDay(since),
              ]
                .filter(Boolean)
                .join(" · ")}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
