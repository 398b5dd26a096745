import { t } from "../../i18n/texts.ts";
import type { WorkDraft } from "../../offline/items.ts";
import {
  findDamagePrice,
  getDamagePriceCents,
  listDamagePrices,
  replaceDamagePrice,
} from "../../state/damage-prices.ts";
import { formatMoney, toCents } from "../../state/money.ts";
import { getExtraName } from "../../state/names.ts";
import { changeOpenWork } from "../../state/work.ts";
import { Field } from "../../ui/parts.tsx";

interface DamagePriceProps {
  readonly draft: WorkDraft;
  readonly damageId: string;
}

/** Price of a damage behind its kind. */
export function DamagePriceText({ draft, damageId }: DamagePriceProps) {
  const price = findDamagePrice(draft, damageId);
  return price ? <> · {formatMoney(getDamagePriceCents(price) ?? 0)}</> : null;
}

/** Price that the customer pays for a damage, from the company's list or typed if the list has none. */
export function DamagePriceField({ draft, damageId }: DamagePriceProps) {
  const prices = listDamagePrices();
  if (prices.length === 0) return null;
  const chosen = findDamagePrice(draft, damageId);
  const set = (code: string, amount?: string) => {
    const price = amount === undefined ? { code } : { code, amount };
    void changeOpenWork({ surcharges: replaceDamagePrice(draft, damageId, code === "" ? undefined : price) });
  };
  return (
    <>
      <label class="field">
        <span class="label">{t("damagePrice")}</span>
        <select
          name="damage-price"
          value={chosen?.code ?? ""}
          onChange={({ currentTarget: { value: code } }) =>
            set(code, prices.find((price) => price.code === code)?.price === null ? "" : undefined)
          }
        >
          <option value="">{t("damageFree")}</option>
          {prices.map(({ code, name, price }) => (
            <option key={code} value={code}>
              {getExtraName({ extra_code: code, name })}
              {price !== null && ` · ${formatMoney(toCents(price) ?? 0)}`}
            </option>
          ))}
        </select>
      </label>
      {chosen?.amount !== undefined && (
        <Field label={t("amount")} warning={getDamagePriceCents(chosen) === undefined ? t("amountWrong") : undefined}>
          <input
            name="damage-amount"
            inputMode="decimal"
            value={chosen.amount}
            onInput={({ currentTarget }) => set(chosen.code, currentTarget.value)}
          />
        </Field>
      )}
    </>
  );
}
