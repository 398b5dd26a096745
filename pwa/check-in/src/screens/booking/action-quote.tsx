import { useLayoutEffect, useRef } from "preact/hooks";
import { t } from "../../i18n/texts.ts";
import { formatMoney } from "../../state/money.ts";
import type { ActionQuote, OfficeCallResult } from "../../state/reservation-actions.ts";
import { Icon } from "../../ui/icon.tsx";

interface NoticeProps {
  readonly text: string | undefined;
  /** If set, the notice is scrolled to and focused, again whenever the value changes. */
  readonly attempt?: number;
}

/** Error notice, announced immediately. */
export function ErrorNotice({ text, attempt }: NoticeProps) {
  const notice = useRef<HTMLParagraphElement>(null);
  useLayoutEffect(() => {
    if (attempt === undefined || text === undefined) return;
    notice.current?.scrollIntoView({ block: "center" });
    notice.current?.focus({ preventScroll: true });
  }, [text, attempt]);
  if (text === undefined) return null;
  return (
    <p ref={notice} class="note" data-tone="refused" role="alert" tabIndex={-1}>
      <Icon name="refused" />
      {text}
    </p>
  );
}

/** Returns why a booking action is rejected, or undefined if it isn't. */
export function getErrorText(
  answer: OfficeCallResult<ActionQuote> | OfficeCallResult<unknown> | undefined,
): string | undefined {
  if (!answer) return undefined;
  if (answer.kind === "ok") {
    const { allowed = true, reasons = [] } = (answer.value ?? {}) as Partial<ActionQuote>;
    return allowed ? undefined : reasons.join(" ");
  }
  return answer.kind === "unreachable" ? t("changesOffline") : answer.message || t("changeRefused");
}

/** Warnings shown before a booking action. */
export const QuoteWarnings = ({ quote }: { readonly quote: ActionQuote }) => (
  <>
    {quote.warnings.map((warning) => (
      <p key={warning} class="note" data-tone="waiting">
        <Icon name="refused" />
        {warning}
      </p>
    ))}
  </>
);

/** Price lines of a booking action. Zero amounts are omitted. */
export function QuoteCosts({ quote }: { readonly quote: ActionQuote }) {
  const lines = [
    [t("priceDifference"), quote.difference],
    [t("fee"), quote.fee],
    [t("toRefund"), quote.to_refund],
  ] as const;
  return (
    <dl class="facts amounts">
      {lines
        .filter(([, amount]) => Number(amount) !== 0)
        .map(([label, amount]) => (
          <Line key={label} label={label} amount={amount} />
        ))}
    </dl>
  );
}

const Line = ({ label, amount }: { readonly label: string; readonly amount: string }) => (
  <>
    <dt>{label}</dt>
    <dd>
      <b>{formatMoney(amount)}</b>
    </dd>
  </>
);
