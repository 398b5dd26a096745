import { t } from "../../i18n/texts.ts";
import type { Draft } from "../../offline/items.ts";
import { countText } from "../../state/moments.ts";
import { change } from "../../state/work.ts";
import { improbableOf } from "./closing.ts";

/** What is odd about the kilometres, in words. */
export function oddityOf(draft: Draft): string | undefined {
  const odd = improbableOf(draft);
  if (!odd) return undefined;
  return odd.code === "kilometres_lower"
    ? t("warnLower", { km: countText(odd.before) })
    : t("warnJump", { km: countText(odd.kilometres - odd.before) });
}

/** Asks whether kilometres that seem wrong are right: work is not finished before. */
export function ConfirmReadings({ draft }: { readonly draft: Draft }) {
  if (!improbableOf(draft)) return null;
  return (
    <fieldset class="checks">
      <legend class="hidden">{t("kilometres")}</legend>
      <label>
        <input
          type="checkbox"
          name="readings-confirmed"
          checked={draft.readings_confirmed ?? false}
          onChange={({ currentTarget }) => void change({ readings_confirmed: currentTarget.checked })}
        />
        <span>{t("confirmReadings", { km: countText(Number(draft.kilometres)) })}</span>
      </label>
    </fieldset>
  );
}
