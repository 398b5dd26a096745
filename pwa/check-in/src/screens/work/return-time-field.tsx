import { t } from "../../i18n/texts.ts";
import type { WorkDraft } from "../../offline/items.ts";
import { toCivilTime } from "../../state/civil-time.ts";
import { findRecordedWork } from "../../state/day-entries.ts";
import { clockOffsetMs } from "../../state/device-session.ts";
import { formatDeviceMoment } from "../../state/format-time.ts";
import { getReturnTime, parseReturnTime } from "../../state/return-time.ts";
import { getTimezone } from "../../state/settings.ts";
import { changeOpenWork } from "../../state/work.ts";
import { Field } from "../../ui/parts.tsx";
import { getDraftUnit } from "./closing-costs.ts";

/** Returns when the vehicle was handed over, in ms of the device's clock, by the server or by work on this device. */
function findDeliveryTime(draft: WorkDraft): number | undefined {
  const unit = getDraftUnit(draft);
  if (unit?.delivery) return Date.parse(unit.delivery.at) - clockOffsetMs.value;
  const recorded = unit && findRecordedWork(unit, draft.booking_id, "delivery")?.operation;
  return recorded && Date.parse(recorded.recorded_at) + (recorded.clock_offset_ms ?? 0) - clockOffsetMs.value;
}

/** Real time of the return. Proposed as now, never in the future or before the hand-over. */
export function ReturnTimeField({ draft }: { readonly draft: WorkDraft }) {
  const toText = (at: number) => {
    const { date, time } = toCivilTime(at + clockOffsetMs.value, getTimezone());
    return `${date}T${time}`;
  };
  const now = Date.now();
  const shown = getReturnTime(draft, now);
  const deliveredAt = findDeliveryTime(draft);
  const change = (text: string) => {
    const limits = { timezone: getTimezone(), now: now + clockOffsetMs.peek() };
    const from = deliveredAt === undefined ? {} : { deliveredAt: deliveredAt + clockOffsetMs.peek() };
    const at = parseReturnTime(text, { ...limits, ...from });
    if (at !== undefined) void changeOpenWork({ returned_at: at - clockOffsetMs.peek() });
  };
  return (
    <Field label={t("returnedAt")} hint={formatDeviceMoment(shown)}>
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
