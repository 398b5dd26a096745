import { useEffect } from "preact/hooks";
import { t } from "../../i18n/texts.ts";
import type { WorkDraft } from "../../offline/items.ts";
import { loadBookingFromCache } from "../../state/day.ts";
import { formatMoment } from "../../state/format-time.ts";
import { findWorkNotNeededReason } from "../../state/work-not-needed.ts";
import { Icon } from "../../ui/icon.tsx";

/** Warns during the work if another user has already recorded this work, or if the booking is cancelled or gone. */
export function WorkNotNeededWarning({ draft }: { readonly draft: WorkDraft }) {
  useEffect(() => void loadBookingFromCache(draft.booking_id), [draft.booking_id]);
  const reason = findWorkNotNeededReason(draft);
  if (!reason) return null;
  const { code, by, at } = reason;
  const authorText = by && at ? ` ${t("doneBy", { by, at: formatMoment(at) })}` : "";
  return (
    <p class="note" data-tone="refused" role="alert">
      <Icon name="refused" />
      <span>
        {t(`workNotNeeded_${code}`)}
        {authorText}
      </span>
    </p>
  );
}
