import { t } from "../../i18n/texts.ts";
import { getRecordedTime, type WorkDraft } from "../../offline/items.ts";
import { toCivilTime } from "../../state/civil-time.ts";
import { findRecordedWork } from "../../state/day-entries.ts";
import { clockOffsetMs } from "../../state/device-session.ts";
import { formatMoment } from "../../state/format-time.ts";
import { getReturnTime, parseReturnTime } from "../../state/return-time.ts";
import { getTimezone } from "../../state/settings.ts";
import { changeOpenWork } from "../../state/work.ts";
import { Field } from "../../ui/parts.tsx";
import { getDraftUnit } from "./closing-costs.ts";

/** Returns when the vehicle was handed over, in epoch ms by the server's clock, from the server or from this device. */
function findDeliveryTime(draft: WorkDraft): number | undefined {
  const unit = getDraftUnit(draft);
  if (unit?.delivery) return Date.parse(unit.delivery.at);
  const recorded = unit && findRecordedWork(unit, draft.booking_id, "delivery")?.operation;
  return recorded && getRecordedTime(recorded);
}

/** Real time of the return. Proposed as now, never in the future or before the hand-over. */
export function ReturnTimeField({ draft }: { readonly draft: WorkDraft }) {
  const clockOffset = clockOffsetMs.value;
  const timezone = getTimezone();
  const toText = (at: number) => {
    const { date, time } = toCivilTime(at, timezone);
    return `${date}T${time}`;
  };
  const deviceNow = Date.now();
  const now = deviceNow + clockOffset;
  const shown = getReturnTime(draft, deviceNow) + clockOffset;
  const deliveredAt = findDeliveryTime(draft);
  const change = (text: string) => {
    const at = parseReturnTime(text, { timezone, now, deliveredAt });
    if (at !== undefined) void changeOpenWork({ returned_at: at - clockOffset });
  };
  return (
    <Field label={t("returnedAt")} hint={formatMoment(shown)}>
      <input
        type="datetime-local"
        name="returned-at"
        max={toText(now)}
        {...(deliveredAt === undefined ? {} : { min: toText(deliveredAt) })}
        value={toText(shown)}
        onChange={({ currentTarget }) => change(currentTarget.value)}
      />
    </Field>
  );
}
