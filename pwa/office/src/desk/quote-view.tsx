import { Fragment } from "preact";
import { dayText, isNothing, money, signedMoney } from "../account.ts";
import { t, tOr } from "../texts.ts";
import type { MoveQuote, Quote, Reason } from "./quote.ts";
import { QuoteLine } from "./quote-line.tsx";
import { reasonWords, wordsOf } from "./refusals.ts";
import { partsOf } from "./reservation.ts";
import { Trouble } from "./trouble.tsx";

/** Each part of a sum and the sum; every vehicle and extra by its own. */
export function Sums({ quote }: { readonly quote: Quote }) {
  const beside = partsOf(quote).filter(([name]) => name !== "item_cost" && name !== "extras_cost");
  return (
    <table class="sums">
      <tbody>
        {[...quote.products, ...quote.extras].map((one, index) => (
          <QuoteLine key={`${one.category_code ?? one.code} ${String(index)}`} line={one} />
        ))}
        {beside.map(([name, amount]) => (
          <tr key={name}>
            <th scope="row">{tOr(`part.${name}`, name)}</th>
            <td class="number">{money(amount)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t("total")}</th>
          <td class="number">{money(quote.total_cost)}</td>
        </tr>
        {!isNothing(quote.total_deposit) && (
          <tr class="beside">
            <th scope="row">{t("deposit")}</th>
            <td class="number">{money(quote.total_deposit)}</td>
          </tr>
        )}
      </tfoot>
    </table>
  );
}

/** Why something cannot be done, and what is to be known before. */
export function Reasons({
  reasons,
  warnings,
}: {
  readonly reasons: readonly Reason[];
  readonly warnings: readonly string[];
}) {
  return (
    <>
      {reasons.map((one) => (
        <p key={one.message} class="notice refused">
          {reasonWords(one)}
        </p>
      ))}
      {warnings.map((one) => (
        <p key={one} class="notice waiting">
          {wordsOf(one)}
        </p>
      ))}
    </>
  );
}

interface MoveQuoteViewProps {
  readonly quote: MoveQuote | undefined;
  /** What it costs before. */
  readonly total: string;
  readonly isReading: boolean;
  /** Where it could not be read. */
  readonly onRetry?: () => unknown;
}

/** What a move would do to dates and money, before it is done. */
export function MoveQuoteView({ quote, total, isReading, onRetry }: MoveQuoteViewProps) {
  return (
    <section class="quote" aria-label={t("whatItCosts")} aria-live="polite" aria-busy={isReading}>
      {!quote && isReading && <p>{t("quoting")}…</p>}
      {!quote && !isReading && onRetry && <Trouble problem={t("failed")} onRetry={onRetry} />}
      {quote && <Reasons reasons={quote.reasons} warnings={quote.warnings} />}
      {quote?.allowed && <Outcome quote={quote} total={total} />}
    </section>
  );
}

function Outcome({ quote: of, total }: { readonly quote: MoveQuote; readonly total: string }) {
  const { quote, transfer, difference, fee, to_refund } = of;
  const after = quote ?? transfer;
  const endsIt = of.move === "cancel" || of.move === "no-show";
  return (
    <dl class="outcome">
      {quote && (
        <>
          <dt>{t("period")}</dt>
          <dd>
            {dayText(quote.date_from)}, {quote.time_from} – {dayText(quote.date_to)}, {quote.time_to} ·{" "}
            {t("days", { n: quote.days })}
          </dd>
        </>
      )}
      {transfer?.trips.map((trip, index) => (
        <Fragment key={`${trip.date} ${trip.time}`}>
          <dt>{t(index === 0 ? "groupOutward" : "groupReturn")}</dt>
          <dd>
            {dayText(trip.date)}, {trip.time} · {trip.origin} – {trip.destination}
          </dd>
        </Fragment>
      ))}
      {after && (
        <>
          <dt>{t("total")}</dt>
          <dd>
            {money(total)} → <strong>{money(after.total_cost)}</strong>
          </dd>
        </>
      )}
      {endsIt ? (
        <>
          <dt>{t("fee")}</dt>
          <dd>
            <strong>{isNothing(fee) ? t("noFee") : money(fee)}</strong>
          </dd>
        </>
      ) : (
        <>
          <dt>{t("difference")}</dt>
          <dd>
            <strong>{isNothing(difference) ? t("priceStays") : signedMoney(difference)}</strong>
          </dd>
        </>
      )}
      {!isNothing(to_refund) && (
        <>
          <dt>{t("toRefund")}</dt>
          <dd>
            <strong>{money(to_refund)}</strong>
          </dd>
        </>
      )}
    </dl>
  );
}
