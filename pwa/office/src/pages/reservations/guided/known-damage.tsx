import { formatDay } from "../../../account.ts";
import type { Vehicle } from "../../../desk/use-vehicle-detail.ts";
import { tOr } from "../../../texts.ts";
import { translateGuided as g } from "./texts.ts";

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
