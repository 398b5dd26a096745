import { DAMAGE_KINDS, DAMAGE_SEVERITIES, VEHICLE_PARTS } from "#domain/contracts/damage.ts";
import { formatMoney, getExtraName, isZeroAmount } from "../../../account.ts";
import type { SelectChoice } from "../../../desk/inputs.tsx";
import { useOptions } from "../../../desk/use-options.ts";
import { t } from "../../../texts.ts";
import { GuidedField } from "./guided-form-parts.tsx";
import type { PricedDamage } from "./proposals.ts";
import { translateGuided as g } from "./texts.ts";

interface PricedDamagesProps {
  readonly damages: readonly PricedDamage[];
  readonly problems: Readonly<Record<string, string>>;
  readonly onChange: (damages: readonly PricedDamage[]) => void;
}

const NEW: PricedDamage = { part: "front_bumper", kind: "scratch", severity: "light", note: "", code: "", amount: "" };

/** New damage of a return, each with its price from the list of extras or a typed one. */
export function PricedDamages({ damages, problems, onChange }: PricedDamagesProps) {
  const prices = usePriceList();
  const set = (index: number, changes: Partial<PricedDamage>) =>
    onChange(damages.map((damage, at) => (at === index ? { ...damage, ...changes } : damage)));
  // Damage with a price. The request's surcharges, and so the errors of the response, have this order.
  const priced = damages.filter(({ code }) => code !== "");
  return (
    <>
      {damages.map((damage, index) => {
        const path = `surcharges.${priced.indexOf(damage)}`;
        const choice = (name: "part" | "kind" | "severity", choices: readonly SelectChoice[]) => (
          <GuidedField
            label={t(`in.damage.${name}`)}
            name={`damages.${index}.${name}`}
            kind="choice"
            value={damage[name]}
            choices={choices}
            onChange={(value) => set(index, { [name]: String(value) })}
          />
        );
        return (
          <fieldset key={index} class="wide group damage-card">
            <legend>{t("damageNo", { n: index + 1 })}</legend>
            {choice(
              "part",
              VEHICLE_PARTS.map((item) => [item, t(`vehiclePart.${item}`)]),
            )}
            {choice(
              "kind",
              DAMAGE_KINDS.map((item) => [item, t(`damage.${item}`)]),
            )}
            {choice(
              "severity",
              DAMAGE_SEVERITIES.map((item) => [item, t(`severity.${item}`)]),
            )}
            <GuidedField
              label={t("in.notes")}
              name={`damages.${index}.note`}
              kind="text"
              value={damage.note}
              onChange={(value) => set(index, { note: String(value) })}
            />
            <GuidedField
              label={g("damagePrice")}
              name={`damages.${index}.code`}
              kind="choice"
              value={damage.code}
              choices={prices}
              none={g("damageFree")}
              problem={damage.code === "" ? undefined : problems[`${path}.code`]}
              onChange={(value) => set(index, { code: String(value) })}
            />
            {damage.code !== "" && (
              <GuidedField
                label={t("in.amount")}
                name={`damages.${index}.amount`}
                kind="money"
                value={damage.amount}
                hint={g("damageAmountHint")}
                problem={problems[`${path}.amount`]}
                onChange={(value) => set(index, { amount: String(value) })}
              />
            )}
            <button
              type="button"
              class="small"
              aria-label={t("removeDamage", { n: index + 1 })}
              onClick={() => onChange(damages.filter((_, at) => at !== index))}
            >
              {g("remove")}
            </button>
          </fieldset>
        );
      })}
      <p class="wide">
        <button type="button" onClick={() => onChange([...damages, NEW])}>
          {t("addDamage")}
        </button>
      </p>
    </>
  );
}

// Extras that can't be sold exist only to charge something, such as damage, so they come first.
function usePriceList(): readonly SelectChoice[] {
  const extras = useOptions("extras").toSorted((extra, other) => Number(extra.active) - Number(other.active));
  return extras.map(({ code, name: ownName, price, price_per: per }) => {
    const name = getExtraName(code, ownName);
    return [code, per === "rental" && !isZeroAmount(price) ? `${name} · ${formatMoney(price)}` : name];
  });
}
