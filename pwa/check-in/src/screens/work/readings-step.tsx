import { t } from "../../i18n/texts.ts";
import type { Draft } from "../../offline/items.ts";
import { change } from "../../state/work.ts";
import { Field } from "../../ui/parts.tsx";
import { closingOf, vehicleOf } from "./closing.ts";
import { ClosingLines } from "./closing-lines.tsx";
import type { StepProps } from "./step-props.ts";

const EIGHTHS = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
const FRACTIONS = ["0", "⅛", "¼", "⅜", "½", "⅝", "¾", "⅞", "1"] as const;
/** A car that was driven further than this since it was last read was more likely misread. */
const JUMP = 5000;

/** Kilometres and fuel. What looks wrong is said, and never refused: the car is right. */
export function ReadingsStep({ draft, frame, onNext }: StepProps) {
  const vehicle = vehicleOf(draft);
  const action = (
    <button type="button" class="main" onClick={onNext}>
      {t("continue")}
    </button>
  );
  return frame(
    action,
    <>
      <Field
        label={t("kilometres")}
        hint={vehicle && t("lastKilometres", { km: vehicle.kilometres })}
        warning={warningOf(draft, vehicle?.kilometres)}
      >
        <input
          class="large-number"
          inputMode="numeric"
          autocomplete="off"
          name="kilometres"
          value={draft.kilometres}
          onInput={({ currentTarget }) => {
            void change({ kilometres: currentTarget.value.replace(/\D/g, "").slice(0, 7) });
          }}
        />
      </Field>
      <fieldset class="choice fuel">
        <legend>{t("fuel")}</legend>
        <div class="gauge" aria-hidden="true">
          <span class={`level eighths-${draft.fuel_eighths ?? 0}`} />
        </div>
        <div class="options">
          {EIGHTHS.map((eighths) => (
            <label key={eighths}>
              <input
                type="radio"
                name="fuel"
                aria-label={t("eighths", { n: eighths })}
                checked={draft.fuel_eighths === eighths}
                onChange={() => void change({ fuel_eighths: eighths })}
              />
              <span>{FRACTIONS[eighths]}</span>
            </label>
          ))}
        </div>
      </fieldset>
      <Field label={t("notes")}>
        <textarea
          name="notes"
          rows={3}
          maxLength={1900}
          value={draft.notes}
          onInput={({ currentTarget }) => void change({ notes: currentTarget.value })}
        />
      </Field>
      {draft.kind === "collection" && <ClosingLines closing={closingOf(draft)} />}
    </>,
  );
}

export function warningOf(draft: Draft, known: number | undefined): string | undefined {
  if (draft.kilometres === "" || known === undefined) return undefined;
  const read = Number(draft.kilometres);
  if (read < known) return t("warnLower", { km: known });
  return read > known + JUMP ? t("warnJump", { km: read - known }) : undefined;
}
