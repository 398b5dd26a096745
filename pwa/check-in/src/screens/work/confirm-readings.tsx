import type { ImprobableReading } from "#domain/check-in/readings.ts";
import { t } from "../../i18n/texts.ts";
import type { Draft } from "../../offline/items.ts";
import { countText } from "../../state/moments.ts";
import { change } from "../../state/work.ts";
import { improbableOf } from "./closing.ts";

export const READINGS_ID = "readings-open";

/** What is odd about kilometres, in words. */
export function oddityOf(odd: ImprobableReading | undefined): string | undefined {
  if (!odd) return undefined;
  return odd.code === "kilometres_lower"
    ? t("warnLower", { km: countText(odd.before) })
    : t("warnJump", { km: countText(odd.kilometres - odd.before) });
}

/** Asks whether kilometres that seem wrong are right: work is not finished before. */
export function ConfirmReadings({ draft }: { readonly draft: Draft }) {
  const odd = improbableOf(draft);
  if (!odd) return null;
  return (
    <fieldset class="checks" id={READINGS_ID}>
      <legend class="hidden">{t("kilometres")}</legend>
      <label>
        <input
          type="checkbox"
          name="readings-confirmed"
          checked={draft.readings_confirmed ?? false}
          onChange={({ currentTarget }) => void change({ readings_confirmed: currentTarget.checked })}
        />
        <span>{t("confirmReadings", { km: countText(odd.kilometres) })}</span>
      </label>
    </fieldset>
  );
}
