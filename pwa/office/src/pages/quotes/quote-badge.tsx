import { t } from "../../texts.ts";
import type { QuoteStatus } from "./quote.ts";

/** Quote status as a coloured label. */
export function QuoteBadge({ status }: { readonly status: QuoteStatus }) {
  return (
    <span class="state" data-state={status}>
      {t(`quoteState.${status}`)}
    </span>
  );
}
