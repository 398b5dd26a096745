import { t } from "../../i18n/texts.ts";
import { moneyText } from "../../state/money.ts";
import type { MoveQuote, OfficeCallResult } from "../../state/moves.ts";
import { Icon } from "../../ui/icon.tsx";

/** Error notice, announced immediately. */
export const ErrorNotice = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p class="note" data-tone="refused" role="alert">
      <Icon name="refused" />
      {text}
    </p>
  );

/** Returns why a booking action is rejected, or undefined if it isn't. */
export function getErrorText(
  answer: OfficeCallResult<MoveQuote> | OfficeCallResult<unknown> | undefined,
): string | undefined {
  if (!answer) return undefined;
  if (answer.kind === "ok") {
    const { allowed = true, reasons = [] } = (answer.value ?? {}) as Partial<MoveQuote>;
    return allowed ? undefined : reasons.map(({ message }) => message).join(" · ");
  }
  return answer.kind === "unreachable" ? t("changesOffline") : answer.message || t("changeRefused");
}

const ENDING = /the (inspection|insurance) of (.+) ends before it is back/;

// Other warnings are shown as sent by the server.
function knownText(warning: string): string | undefined {
  const [, what, plate] = ENDING.exec(warning) ?? [];
  return what && `${plate}: ${t(what === "insurance" ? "odd_insurance" : "odd_inspection")}`;
}

/** Warnings shown before a booking action. */
export const ToKnow = ({ quote }: { readonly quote: MoveQuote }) => (
  <>
    {(quote.warnings ?? []).map((warning) => {
      const known = knownText(warning);
      return (
        <p key={warning} class="note" data-tone="waiting">
          <Icon name="refused" />
          <span lang={known ? undefined : "en"}>{known ?? warning}</span>
        </p>
      );
    })}
  </>
);

/** Price lines of a booking action. Zero amounts are omitted. */
export function Costs({ quote }: { readonly quote: MoveQuote }) {
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
      <b>{moneyText(amount)}</b>
    </dd>
  </>
);
