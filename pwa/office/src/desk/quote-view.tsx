import { Fragment } from "preact";
import { formatDay, formatMoney, formatSignedMoney, getCategoryName, getExtraName, isZeroAmount } from "../account.ts";
import { t, tOr } from "../texts.ts";
import { createLazyPart } from "./lazy-page.tsx";
import { LoadErrorMessage } from "./load-error.tsx";
import type { ActionQuote, Quote, RefusalReason } from "./quote.ts";
import { QuoteLine } from "./quote-line.tsx";
import { translateReason } from "./refusals.ts";
import { listCostParts } from "./reservation.ts";
import { useTransferPointNames } from "./transfer-names.ts";

const Documents = createLazyPart(() => import("../pages/money/document-preview.tsx"));

/** Cost parts and total. Vehicles and extras are listed individually. */
export function QuoteSums({ quote }: { readonly quote: Quote }) {
  const otherParts = listCostParts(quote).filter(([name]) => name !== "item_cost" && name !== "extras_cost");
  return (
    <table class="sums">
      <tbody>
        {quote.products.map((product, index) => (
          <QuoteLine
            key={`${product.category_code} ${String(index)}`}
            line={{ ...product, description: getCategoryName(product.category_code, product.description) }}
          />
        ))}
        {quote.extras.map((extra) => (
          <QuoteLine key={extra.code} line={{ ...extra, description: getExtraName(extra.code, extra.description) }} />
        ))}
        {otherParts.map(([name, amount]) => (
          <tr key={name}>
            <th scope="row">{tOr(`part.${name}`, name)}</th>
            <td class="number">{formatMoney(amount)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t("total")}</th>
          <td class="number">{formatMoney(quote.total_cost)}</td>
        </tr>
        {!isZeroAmount(quote.total_deposit) && (
          <tr class="beside">
            <th scope="row">{t("deposit")}</th>
            <td class="number">{formatMoney(quote.total_deposit)}</td>
          </tr>
        )}
      </tfoot>
    </table>
  );
}

/** Reasons against an action, and warnings before it. */
export function RefusalsAndWarnings({
  reasons,
  warnings,
}: {
  readonly reasons: readonly RefusalReason[];
  readonly warnings: readonly RefusalReason[];
}) {
  return (
    <>
      {reasons.map((reason) => (
        <p key={translateReason(reason)} class="notice refused">
          {translateReason(reason)}
        </p>
      ))}
      {warnings.map((warning) => (
        <p key={translateReason(warning)} class="notice waiting">
          {translateReason(warning)}
        </p>
      ))}
    </>
  );
}

interface ActionQuoteViewProps {
  readonly quote: ActionQuote | undefined;
  /** Current total of the reservation, a decimal text. */
  readonly total: string;
  readonly isReading: boolean;
  /** Loads the quote again. Set if loading failed. */
  readonly onRetry?: () => unknown;
}

/** Effect of an action on dates and money, shown before it's applied. */
export function ActionQuoteView({ quote, total, isReading, onRetry }: ActionQuoteViewProps) {
  return (
    <section class="quote" aria-label={t("whatItCosts")} aria-live="polite" aria-busy={isReading}>
      {!quote && isReading && <p>{t("quoting")}…</p>}
      {!quote && !isReading && onRetry && <LoadErrorMessage problem={t("notLoaded")} onRetry={onRetry} />}
      {quote && <RefusalsAndWarnings reasons={quote.reasons} warnings={quote.warnings} />}
      {quote?.allowed && <Outcome quote={quote} total={total} />}
      {quote?.allowed && quote.documents && <Documents documents={quote.documents} />}
    </section>
  );
}

function Outcome({ quote: currentQuote, total }: { readonly quote: ActionQuote; readonly total: string }) {
  const { quote, transfer, difference, fee, to_refund } = currentQuote;
  const translatePoint = useTransferPointNames(transfer !== null && transfer !== undefined);
  const after = quote ?? transfer;
  const endsIt = currentQuote.move === "cancel" || currentQuote.move === "no-show";
  return (
    <dl class="outcome">
      {quote && (
        <>
          <dt>{t("period")}</dt>
          <dd>
            {formatDay(quote.date_from)}, {quote.time_from} – {formatDay(quote.date_to)}, {quote.time_to} ·{" "}
            {t("days", { n: quote.days })}
          </dd>
        </>
      )}
      {transfer?.trips.map((trip, index) => (
        <Fragment key={`${trip.date} ${trip.time}`}>
          <dt>{t(index === 0 ? "groupOutward" : "groupReturn")}</dt>
          <dd>
            {formatDay(trip.date)}, {trip.time} · {translatePoint(trip.origin)} – {translatePoint(trip.destination)}
          </dd>
        </Fragment>
      ))}
      {after && (
        <>
          <dt>{t("total")}</dt>
          <dd>
            {formatMoney(total)} → <strong>{formatMoney(after.total_cost)}</strong>
          </dd>
        </>
      )}
      {endsIt ? (
        <>
          <dt>{t("fee")}</dt>
          <dd>
            <strong>{isZeroAmount(fee) ? t("noFee") : formatMoney(fee)}</strong>
          </dd>
        </>
      ) : (
        <>
          <dt>{t("difference")}</dt>
          <dd>
            <strong>{isZeroAmount(difference) ? t("priceStays") : formatSignedMoney(difference)}</strong>
          </dd>
        </>
      )}
      {!isZeroAmount(to_refund) && (
        <>
          <dt>{t("toRefund")}</dt>
          <dd>
            <strong>{formatMoney(to_refund)}</strong>
          </dd>
        </>
      )}
    </dl>
  );
}
