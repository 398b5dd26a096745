import { dayText, may, money } from "../../account.ts";
import type { ReservationDetail } from "../../desk/reservation.ts";
import { linkTo } from "../../route.ts";
import { t, tOr } from "../../texts.ts";
import { ReservationPhoto } from "./photos.tsx";

type Damage = ReservationDetail["damages"][number];

interface FoundDamagesProps {
  readonly of: ReservationDetail;
  /** Opens the form that charges the customer after the return. */
  readonly onCharge: () => void;
}

/** Damage found on the vehicles of a reservation, with its photos, its price and its state. */
export function FoundDamages({ of: { reservation, damages }, onCharge }: FoundDamagesProps) {
  if (damages.length === 0) return null;
  const isUncharged = damages.some((damage) => getState(damage) === "uncharged");
  return (
    <section class="panel" aria-labelledby="found-damage">
      <h2 id="found-damage">{t("foundDamage")}</h2>
      <ul class="plain rows">
        {damages.map((damage) => (
          <li key={damage.id}>
            <span>
              <strong>
                {tOr(`vehiclePart.${damage.part}`, damage.part)} · {tOr(`damage.${damage.kind}`, damage.kind)}
              </strong>
              <small>
                {tOr(`severity.${damage.severity}`, damage.severity)} · {dayText(damage.since)} ·{" "}
                <a href={linkTo("fleet", damage.vehicle_reference)}>{damage.vehicle_reference}</a>
                {damage.note && ` · ${damage.note}`}
              </small>
              {damage.photos.length > 0 && (
                <span class="damage-photos">
                  {damage.photos.map((hash) => (
                    <ReservationPhoto key={hash} id={reservation.id} hash={hash} name={t("view.damage")} />
                  ))}
                </span>
              )}
            </span>
            <span class="state" data-state={STATES[getState(damage)]}>
              {t(`damageState.${getState(damage)}`)}
            </span>
            {damage.charged !== null && <span class="number">{money(damage.charged)}</span>}
          </li>
        ))}
      </ul>
      {isUncharged && reservation.allowed.includes("surcharge") && may("sell") && (
        <p>
          <button type="button" class="small" onClick={onCharge}>
            {t("do.surcharge")}
          </button>
        </p>
      )}
    </section>
  );
}

// Colours of the states, named as those of reservations.
const STATES = { repaired: "done", charged: "done", known: "done", uncharged: "pending_confirmation" } as const;

function getState(damage: Damage): keyof typeof STATES {
  if (damage.charged !== null) return "charged";
  if (damage.is_repaired) return "repaired";
  return damage.is_of_return ? "uncharged" : "known";
}
