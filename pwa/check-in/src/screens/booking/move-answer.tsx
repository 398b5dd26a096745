import { t } from "../../i18n/texts.ts";
import { moneyText } from "../../state/money.ts";
import type { MoveQuote, OfficeCallResult } from "../../state/moves.ts";
import { Icon } from "../../ui/icon.tsx";

/** What is in the way, said at once. */
export const ErrorNotice = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p class="note" data-tone="refused" role="alert">
      <Icon name="refused" />
      {text}
    </p>
  );

/** Why a move is not done, in words; undefined where nothing is in its way. */
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

// Of what else is to be known the server's own words.
function knownText(warning: string): string | undefined {
  const [, what, plate] = ENDING.exec(warning) ?? [];
  return what && `${plate}: ${t(what === "insurance" ? "odd_insurance" : "odd_inspection")}`;
}

/** What is to be known before a move is made. */
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

/** What a move costs, as far as it costs anything. */
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
