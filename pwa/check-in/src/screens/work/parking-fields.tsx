import { t } from "../../i18n/texts.ts";
import type { WorkDraft } from "../../offline/items.ts";
import { getTextTooLongMessage } from "../../state/text-lengths.ts";
import { changeOpenWork } from "../../state/work.ts";
import { Field } from "../../ui/parts.tsx";
import { getDraftVehicle } from "./closing-costs.ts";

const TEXTS = [
  ["parking_place", "parkingPlace"],
  ["key_number", "keyNumber"],
] as const;
const NEEDS = ["needs_cleaning", "needs_fuel"] as const;

/** Parking location, and what the vehicle needs before its next rental. */
export function ParkingFields({ draft }: { readonly draft: WorkDraft }) {
  const vehicle = getDraftVehicle(draft);
  const parking = draft.standing ?? {};
  const set = (changes: NonNullable<WorkDraft["standing"]>) =>
    void changeOpenWork({ standing: { ...parking, ...changes } });
  return (
    <>
      <div class="row">
        {TEXTS.map(([name, label]) => (
          <Field key={name} label={t(label)} warning={getTextTooLongMessage(name, parking[name])}>
            <input
              name={name}
              autocomplete="off"
              value={parking[name] ?? vehicle?.[name] ?? ""}
              onInput={({ currentTarget }) => set({ [name]: currentTarget.value })}
            />
          </Field>
        ))}
      </div>
      <fieldset class="checks">
        <legend class="hidden">{t("vehicleNeeds")}</legend>
        {NEEDS.map((name) => (
          <label key={name}>
            <input
              type="checkbox"
              name={name}
              checked={parking[name] ?? vehicle?.[name] ?? false}
              onChange={({ currentTarget }) => set({ [name]: currentTarget.checked })}
            />
            <span>{t(name)}</span>
          </label>
        ))}
      </fieldset>
    </>
  );
}
