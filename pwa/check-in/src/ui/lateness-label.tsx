import type { Booking } from "../api/messages.ts";
import { t } from "../i18n/texts.ts";
import { getBookingLateMinutes, type HandOverSide, type WorkStatus } from "../state/day-entries.ts";
import { getCompanyMinute } from "../state/settings.ts";
import { Chip } from "./parts.tsx";

const HOUR = 60;
const DAY = 24 * HOUR;

interface LateProps {
  readonly booking: Booking;
  readonly workStatus: WorkStatus;
  readonly side: HandOverSide;
}

/** Shows by how much overdue work is late. */
export function LatenessLabel({ booking, workStatus, side }: LateProps) {
  const late = getBookingLateMinutes(booking, side, getCompanyMinute());
  const isOpen = workStatus === "todo" || workStatus === "undelivered" || workStatus === "draft";
  if (!isOpen || late === undefined) return null;
  return <Chip tone="refused">{lateText(late)}</Chip>;
}

function lateText(minutes: number): string {
  if (minutes < HOUR) return t("lateMinutes", { n: minutes });
  return minutes < DAY
    ? t("lateHours", { n: Math.floor(minutes / HOUR) })
    : t("lateDays", { n: Math.floor(minutes / DAY) });
}
