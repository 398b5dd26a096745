import { useState } from "preact/hooks";
import type { SurchargeRequest } from "#worker/api/office/request-messages.ts";
import { formatDay, formatMoney, getExtraName, hasUserRight } from "../../account.ts";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import type { FormField } from "../../desk/fields.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import type { Reservation, ReservationDetail } from "../../desk/reservation.ts";
import { useReservationConflict } from "../../desk/reservation-conflict.tsx";
import { useOptions } from "../../desk/use-options.ts";
import { linkTo } from "../../route.ts";
import { t, tOr } from "../../texts.ts";
import { ReservationPhoto } from "./photos.tsx";

type Damage = ReservationDetail["damages"][number];

interface FoundDamagesProps {
  readonly of: ReservationDetail;
  readonly onDone: (notice: string) => void;
}

/** Damage found on the vehicles of a reservation, with its photos, its price and its state. */
export function ReportedDamages({ of: { reservation, damages }, onDone }: FoundDamagesProps) {
  const [charged, setCharged] = useState<Damage>();
  if (damages.length === 0) return null;
  const canCharge = reservation.allowed.includes("surcharge") && hasUserRight("sell");
  return (
    <section class="panel" aria-labelledby="found-damage">
      <h2 id="found-damage">{t("foundDamage")}</h2>
      <ul class="plain rows">
        {damages.map((damage) => (
          <li key={damage.id}>
            <span>
              <strong>{getDamageName(damage)}</strong>
              <small>
                {tOr(`severity.${damage.severity}`, damage.severity)} · {formatDay(damage.since)} ·{" "}
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
            {damage.charged !== null && <span class="number">{formatMoney(damage.charged)}</span>}
            {canCharge && getState(damage) === "uncharged" && (
              <button
                type="button"
                class="small"
                aria-label={`${t("chargeDamage")}: ${getDamageName(damage)}`}
                onClick={() => setCharged(damage)}
              >
                {t("chargeDamage")}
              </button>
            )}
          </li>
        ))}
      </ul>
      {charged && (
        <ChargeSheet
          of={reservation}
          damage={charged}
          onDone={() => {
            setCharged(undefined);
            onDone(t("did.surcharge"));
          }}
          onClose={() => setCharged(undefined)}
        />
      )}
    </section>
  );
}

interface ChargeSheetProps {
  readonly of: Reservation;
  readonly damage: Damage;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

// Price of a damage after the return. It gets its own invoice.
function ChargeSheet({ of, damage, onDone, onClose }: ChargeSheetProps) {
  // Extras that can't be sold exist only to charge something, such as damage, so they come first.
  const extras = useOptions("extras").toSorted((extra, other) => Number(extra.active) - Number(other.active));
  const fields: readonly FormField<Exclude<keyof SurchargeRequest, "expected_version">>[] = [
    {
      name: "code",
      kind: "choice",
      label: "surchargeFor",
      required: true,
      isWide: true,
      choices: extras.map(({ code, name }) => [code, getExtraName(code, name)] as const),
    },
    { name: "amount", kind: "money", label: "surchargeAmount" },
    { name: "text", kind: "text", label: "surchargeText" },
    { name: "reason", kind: "text", label: "in.reason", required: true, isWide: true },
  ];
  const { sheet } = useReservationConflict(of);
  return (
    <FormSheet<Partial<ReservationDetail>, SurchargeRequest>
      {...sheet}
      title={`${t("chargeDamage")} · ${getDamageName(damage)}`}
      draft={["charge-damage", String(damage.id)]}
      fields={fields}
      begin={{ text: damage.note ?? getDamageName(damage) }}
      submit={t("chargeDamage")}
      send={(body, key) =>
        sendOfficeRequest<ReservationDetail, SurchargeRequest>(
          "POST",
          toOfficePath(`/reservations/${of.id}/surcharge`),
          {
            body: { damage: damage.id, ...body },
            key,
          },
        )
      }
      onDone={onDone}
      onClose={onClose}
    />
  );
}

const getDamageName = ({ part, kind }: Damage) =>
  `${tOr(`vehiclePart.${part}`, part)} · ${tOr(`damage.${kind}`, kind)}`;

// Colours of the states, named as those of reservations.
const STATES = { repaired: "done", charged: "done", known: "done", uncharged: "pending_confirmation" } as const;

function getState(damage: Damage): keyof typeof STATES {
  if (damage.charged !== null) return "charged";
  if (damage.is_repaired) return "repaired";
  return damage.is_of_return ? "uncharged" : "known";
}
