import { t } from "../../i18n/texts.ts";
import type { WorkDraft } from "../../offline/items.ts";
import { findLoadedBooking } from "../../state/day.ts";
import { getBranchName, settings } from "../../state/settings.ts";
import { changeOpenWork } from "../../state/work.ts";
import { Field } from "../../ui/parts.tsx";

/** Return branch. Defaults to the agreed one. */
export function ReturnBranch({ draft }: { readonly draft: WorkDraft }) {
  const agreed = findLoadedBooking(draft.booking_id)?.return_rental_location_code;
  const codes = new Set(settings.value?.rental_locations.map(({ code }) => code));
  if (agreed === undefined || codes.add(agreed).size < 2) return null;
  const selectedCode = draft.return_rental_location_code ?? agreed;
  const warning = selectedCode === agreed ? undefined : t("returnedElsewhere", { branch: getBranchName(agreed) });
  return (
    <Field label={t("returnedTo")} warning={warning}>
      <select
        name="return_rental_location_code"
        value={selectedCode}
        onChange={({ currentTarget: { value } }) =>
          void changeOpenWork({ return_rental_location_code: value === agreed ? undefined : value })
        }
      >
        {[...codes].map((code) => (
          <option key={code} value={code}>
            {getBranchName(code)}
          </option>
        ))}
      </select>
    </Field>
  );
}
