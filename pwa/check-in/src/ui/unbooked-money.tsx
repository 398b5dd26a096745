import type { Operation } from "../api/messages.ts";
import { t } from "../i18n/texts.ts";
import { formatMoney } from "../state/money.ts";
import { Icon } from "./icon.tsx";

/** Payments of work that was rejected. */
export function UnbookedMoney({ charges }: { readonly charges: NonNullable<Operation["charges"]> }) {
  if (charges.length === 0) return null;
  const moneyTexts = charges.map(({ kind, amount }) => `${t(`charge_${kind}`)} ${formatMoney(amount)}`).join(", ");
  return (
    <p class="note" data-tone="refused">
      <Icon name="money" />
      {t("moneyUnbooked", { charges: moneyTexts })}
    </p>
  );
}
