import { useEffect, useRef } from "preact/hooks";
import { t } from "../../i18n/texts.ts";
import { formatCount } from "../../state/format-time.ts";
import { describeFuelChoice, isElectric } from "../../state/fuel.ts";
import { getTextTooLongMessage } from "../../state/text-lengths.ts";
import { changeOpenWork } from "../../state/work.ts";
import { Field } from "../../ui/parts.tsx";
import { ClosingCostLines } from "./closing-cost-lines.tsx";
import { calculateDraftClosingCosts, findImprobableOwnReading, getDraftVehicle } from "./closing-costs.ts";
import { ConfirmReadings, describeImprobableReading } from "./confirm-readings.tsx";
import { ParkingFields } from "./parking-fields.tsx";
import { ReturnBranch } from "./return-branch.tsx";
import { ReturnTimeField } from "./return-time-field.tsx";
import type { StepProps } from "./step-props.ts";
import { getPlateOrReference } from "./vehicle-step.tsx";

function focusUnlessTyping(field: HTMLInputElement | null): void {
  if (!document.activeElement?.matches("input, select, textarea")) field?.focus();
}

const EIGHTHS = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;

/**
 * Kilometres and fuel. Improbable values need confirmation but are never rejected, because the car's display is
 * authoritative.
 */
export function ReadingsStep({ draft, frame, onNext }: StepProps) {
  const vehicle = getDraftVehicle(draft);
  const field = useRef<HTMLInputElement>(null);
  // Focus the field after the screen's title, but only if it's empty and the user hasn't chosen another.
  useEffect(() => {
    if (draft.kilometres === "")
      requestAnimationFrame(() => requestAnimationFrame(() => focusUnlessTyping(field.current)));
  }, []);
  const action = (
    <button type="button" class="main" onClick={onNext}>
      {t("continue")}
    </button>
  );
  return frame(
    action,
    <>
      {draft.kind === "exchange" && vehicle && (
        <p class="lead">{t("exchangeIn", { plate: getPlateOrReference(vehicle) })}</p>
      )}
      <Field
        label={t("kilometres")}
        hint={vehicle && t("lastKilometres", { km: formatCount(vehicle.kilometres) })}
        warning={describeImprobableReading(findImprobableOwnReading(draft))}
      >
        <input
          ref={field}
          class="large-number"
          inputMode="numeric"
          autocomplete="off"
          name="kilometres"
          value={draft.kilometres}
          onInput={({ currentTarget }) => {
            const kilometres = currentTarget.value.replace(/\D/g, "").slice(0, 7);
            void changeOpenWork({ kilometres, readings_confirmed: false });
          }}
        />
      </Field>
      <ConfirmReadings draft={draft} />
      <fieldset class="choice fuel">
        <legend>{t(isElectric(vehicle) ? "charge" : "fuel")}</legend>
        <div class="gauge" aria-hidden="true">
          <span class={`level eighths-${draft.fuel_eighths ?? 0}`} />
        </div>
        <div class="options">
          {EIGHTHS.map((eighths) => {
            const { text, label } = describeFuelChoice(eighths, vehicle);
            return (
              <label key={eighths}>
                <input
                  type="radio"
                  name="fuel"
                  aria-label={label}
                  checked={draft.fuel_eighths === eighths}
                  onChange={() => void changeOpenWork({ fuel_eighths: eighths })}
                />
                <span>{text}</span>
              </label>
            );
          })}
        </div>
      </fieldset>
      {draft.kind === "collection" && <ReturnTimeField draft={draft} />}
      {draft.kind === "collection" && <ReturnBranch draft={draft} />}
      {draft.kind !== "delivery" && <ParkingFields draft={draft} />}
      <Field label={t("notes")} warning={getTextTooLongMessage("notes", draft.notes)}>
        <textarea
          name="notes"
          rows={3}
          value={draft.notes}
          onInput={({ currentTarget }) => void changeOpenWork({ notes: currentTarget.value })}
        />
      </Field>
      {draft.kind === "collection" && (
        <ClosingCostLines closing={calculateDraftClosingCosts(draft)} vehicle={vehicle} />
      )}
    </>,
  );
}
