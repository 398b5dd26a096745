import type { Booking } from "../api/messages.ts";
import { t } from "../i18n/texts.ts";
import { nameChecks, type UnmetChecks } from "../state/hand-over-checks.ts";
import { Icon } from "./icon.tsx";

interface Props {
  readonly booking: Booking | undefined;
  readonly unmet: UnmetChecks;
}

/** Warns before the keys are handed over: the customer's mark and what is missing. */
export function HandOverWarnings({ booking, unmet: { missing, blocking } }: Props) {
  return (
    <>
      {booking?.do_not_rent && (
        <p class="note" data-tone="refused">
          <Icon name="refused" />
          {t("doNotRent", booking.do_not_rent)}
        </p>
      )}
      {missing.length > 0 && (
        <p class="note" data-tone={blocking.length > 0 ? "refused" : "waiting"}>
          <Icon name="refused" />
          <span>
            {t("missingBeforeHandOver", { what: nameChecks(missing) })}
            {blocking.length > 0 && ` ${t("askManager", { what: nameChecks(blocking) })}`}
          </span>
        </p>
      )}
    </>
  );
}
