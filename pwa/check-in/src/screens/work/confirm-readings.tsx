import type { ImprobableOdometerReading } from "#domain/contracts/readings.ts";
import { t } from "../../i18n/texts.ts";
import type { WorkDraft } from "../../offline/items.ts";
import { formatCount } from "../../state/format-time.ts";
import { changeOpenWork } from "../../state/work.ts";
import { findImprobableReading } from "./closing-costs.ts";

export const CONFIRM_READINGS_ID = "confirm-readings";

/** Returns the warning text for improbable kilometres. */
export function describeImprobableReading(improbable: ImprobableOdometerReading | undefined): string | undefined {
  if (!improbable) return undefined;
  return improbable.code === "kilometres_lower"
    ? t("warnLower", { km: formatCount(improbable.before) })
    : t("warnJump", { km: formatCount(improbable.kilometres - improbable.before) });
}

/** Asks to confirm improbable kilometres. Without the confirmation, the work can't be finished. */
export function ConfirmReadings({ draft }: { readonly draft: WorkDraft }) {
  const improbable = findImprobableReading(draft);
  if (!improbable) return null;
  return (
    <fieldset class="checks" id={CONFIRM_READINGS_ID}>
      <legend class="hidden">{t("kilometres")}</legend>
      <label>
        <input
          type="checkbox"
          name="readings-confirmed"
          checked={draft.readings_confirmed ?? false}
          onChange={({ currentTarget }) => void changeOpenWork({ readings_confirmed: currentTarget.checked })}
        />
        <span>{t("confirmReadings", { km: formatCount(improbable.kilometres) })}</span>
      </label>
    </fieldset>
  );
}
