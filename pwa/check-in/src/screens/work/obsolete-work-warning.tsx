import { useEffect } from "preact/hooks";
import { t } from "../../i18n/texts.ts";
import type { Draft } from "../../offline/items.ts";
import { loadBooking } from "../../state/day.ts";
import { formatMoment } from "../../state/moments.ts";
import { findObsolescenceReason } from "../../state/overtaken.ts";
import { Icon } from "../../ui/icon.tsx";

/** Warns early if another user has already recorded this work, or if the booking is cancelled or gone. */
export function ObsoleteWorkWarning({ draft }: { readonly draft: Draft }) {
  useEffect(() => void loadBooking(draft.booking_id), [draft.booking_id]);
  const overtaken = findObsolescenceReason(draft);
  if (!overtaken) return null;
  const { code, by, at } = overtaken;
  const authorText = by && at ? ` ${t("doneBy", { by, at: formatMoment(at) })}` : "";
  return (
    <p class="note" data-tone="refused" role="alert">
      <Icon name="refused" />
      <span>
        {t(`overtaken_${code}`)}
        {authorText}
      </span>
    </p>
  );
}
