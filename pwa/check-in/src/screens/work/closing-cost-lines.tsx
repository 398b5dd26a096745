import type { UnitClosingCharges } from "#domain/bookings/closing.ts";
import type { Vehicle } from "../../api/messages.ts";
import { t } from "../../i18n/texts.ts";
import { formatCount } from "../../state/format-time.ts";
import { formatMissingFuel } from "../../state/fuel.ts";
import { formatMoney } from "../../state/money.ts";
import { sumClosingCosts } from "./closing-costs.ts";

interface LinesProps {
  readonly closing: UnitClosingCharges | undefined;
  readonly vehicle: Vehicle | undefined;
}

/** Closing costs of a return (extra days, fuel, kilometres), shown before payment. */
export function ClosingCostLines({ closing, vehicle }: LinesProps) {
  if (!closing) return null;
  if (sumClosingCosts(closing) === 0) return <p class="note">{t("closingNothing")}</p>;
  const lines = [
    [t("closingDays", { n: closing.extraDays }), closing.extraDaysCents],
    [formatMissingFuel(closing.missingEighths, vehicle), closing.fuelCents],
    [t("closingKilometres", { n: formatCount(closing.extraKilometres) }), closing.kilometresCents],
  ] as const;
  return (
    <section class="card">
      <h2>{t("closing")}</h2>
      <dl class="facts amounts">
        {lines
          .filter(([, cents]) => cents > 0)
          .map(([label, cents]) => (
            <>
              <dt>{label}</dt>
              <dd>{formatMoney(cents)}</dd>
            </>
          ))}
        <dt>{t("total")}</dt>
        <dd>
          <b>{formatMoney(sumClosingCosts(closing))}</b>
        </dd>
      </dl>
    </section>
  );
}
