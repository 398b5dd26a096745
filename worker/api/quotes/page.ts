import { html } from "hono/html";
import type { QuoteAcceptanceField } from "#domain/quotes/texts.ts";
import { getQuoteTexts, type QuoteTexts } from "#domain/quotes/texts.ts";
import { createNonce, formatPagePolicy, type Html, writePage } from "#worker/api/own-page.ts";
import type { QuotePageData } from "#worker/usecases/quotes/offered-quote.ts";

/** Reason for which the last action on the page failed. */
export type QuotePageProblem = "soldOut" | "changed" | "wrong";

interface ShownPage {
  readonly quote: QuotePageData;
  /** Path of the page. */
  readonly path: string;
  readonly status?: 200 | 400 | 409;
  readonly problem?: QuotePageProblem | undefined;
  readonly wrongFields?: readonly string[];
  /** Texts that the customer entered before the action failed. */
  readonly entered?: Readonly<Record<string, string>>;
}

/** Creates the page of a quote with its offer and its forms. */
export function quotePage({ quote, path, status = 200, ...shown }: ShownPage): Promise<Response> {
  const texts = getQuoteTexts(quote.language);
  const { facts, rows, total, deposit } = quote.content;
  const isOpen = quote.status === "draft" || quote.status === "sent";
  const note = shown.problem ? texts[shown.problem] : getStatusNote(quote, texts);
  return respond(quote.language, `${texts.quote} ${quote.number}`, status, [
    html`<p class="from">${quote.company}</p>
<h1>${texts.quote} ${quote.number}</h1>
<p>${quote.customer}</p>
${note ? html`<p class="note" role="status">${note} ${shown.wrongFields?.length ? listFields(shown.wrongFields, texts) : ""}</p>` : ""}
<dl>${facts.map(({ label, value }) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>
<table>
<tbody>${rows.map((row) => html`<tr><td>${row.name}</td><td>${row.quantity}</td><td>${row.amount}</td></tr>`)}</tbody>
<tfoot><tr><th scope="row" colspan="2">${texts.total}</th><td>${total}</td></tr>
${deposit ? html`<tr><th scope="row" colspan="2">${texts.deposit}</th><td>${deposit}</td></tr>` : ""}</tfoot>
</table>
<p>${texts.taxesIncluded} ${isOpen ? texts.priceNote : ""}</p>
<p><a href="${path}/quote.pdf">${texts.pdf}</a></p>
${quote.terms ? html`<details><summary>${texts.terms}</summary><p class="terms">${quote.terms.replaceAll(/^## /gm, "")}</p></details>` : ""}
${isOpen ? decisionForms(quote, path, texts, shown.entered ?? {}) : ""}
${paymentForms(quote, texts)}`,
  ]);
}

function getStatusNote({ status, reservation }: QuotePageData, texts: QuoteTexts): string | undefined {
  if (status === "declined") return texts.declined;
  if (status === "expired") return texts.expired;
  if (!reservation) return undefined;
  return reservation.isConfirmed ? texts.accepted(reservation.id) : texts.acceptedPending(reservation.id);
}

const listFields = (names: readonly string[], texts: QuoteTexts): string =>
  names.map((name) => texts.fields[name as QuoteAcceptanceField] ?? name).join(", ");

const TYPES: Readonly<Partial<Record<QuoteAcceptanceField, string>>> = {
  customer_email: "email",
  customer_phone: "tel",
  driver_date_of_birth: "date",
  driver_driving_license_date: "date",
};

function decisionForms(
  { missingFields, version }: QuotePageData,
  path: string,
  texts: QuoteTexts,
  entered: Readonly<Record<string, string>>,
): Html {
  return html`<form method="post" action="${path}/accept">
<input type="hidden" name="version" value="${version}">
${
  missingFields.length === 0
    ? ""
    : html`<fieldset><legend>${texts.details}</legend>${missingFields.map(
        (name) => html`<label>${texts.fields[name]}
<input name="${name}" type="${TYPES[name] ?? "text"}" value="${entered[name] ?? ""}"></label>`,
      )}</fieldset>`
}
<button type="submit">${texts.accept}</button>
</form>
<form method="post" action="${path}/decline">
<label>${texts.declineReason}
<input name="reason" maxlength="500"></label>
<button type="submit" class="quiet">${texts.decline}</button>
</form>`;
}

function paymentForms({ reservation }: QuotePageData, texts: QuoteTexts): readonly Html[] {
  return (reservation?.payments ?? []).map(
    ({ part, method }) => html`<form method="post" action="/reserva/pagar">
<input type="hidden" name="id" value="${reservation?.freeAccessId ?? ""}">
<input type="hidden" name="payment" value="${part}">
<input type="hidden" name="payment_method_id" value="${method}">
<button type="submit">${part === "deposit" ? texts.payDeposit : texts.payTotal}</button>
</form>`,
  );
}

/** Creates the page for a link without a quote. */
export function unknownQuotePage(language: QuotePageData["language"]): Promise<Response> {
  const texts = getQuoteTexts(language);
  return respond(language, texts.quote, 404, [html`<h1>${texts.unknown}</h1>`]);
}

async function respond(
  language: string,
  title: string,
  status: 200 | 400 | 404 | 409,
  [body = html``]: readonly Html[],
): Promise<Response> {
  const nonce = createNonce();
  const head = html`<meta name="robots" content="noindex">`;
  const document = writePage({ language, title, head, style: STYLE, body }, nonce);
  return new Response(String(await document), {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": formatPagePolicy(nonce, {
        hasScript: false,
        isConnected: false,
        formAction: "'self'",
      }),
      "Cache-Control": "no-store",
      "Referrer-Policy": "no-referrer",
      "X-Frame-Options": "DENY",
    },
  });
}

const STYLE = `
:root { color-scheme: light dark; --ground: light-dark(#f6f5f1, #14171a); --card: light-dark(#fff, #1d2226); --ink: light-dark(#1b1f23, #eceae4);
  --soft: light-dark(#5a636b, #a3adb5); --line: light-dark(#e2dfd6, #313940); --accent: light-dark(#0b5fb0, #7dbfff); --on: light-dark(#fff, #06121d); }
* { box-sizing: border-box; }
body { margin: 0; padding: 1.25rem; background: var(--ground); color: var(--ink); font: 17px/1.55 system-ui, sans-serif; }
main { max-width: 40rem; margin: 0 auto; padding: 1.5rem; background: var(--card); border: 1px solid var(--line); border-radius: 16px; }
h1 { margin: .25rem 0; font-size: 1.4rem; }
a { color: var(--accent); }
.from { margin: 0; color: var(--soft); }
.note { padding: .75rem 1rem; border-left: 4px solid var(--accent); background: var(--ground); }
.terms { white-space: pre-line; font-size: .9rem; }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem; }
dt { color: var(--soft); }
dd { margin: 0; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
td, th { padding: .4rem .5rem .4rem 0; border-bottom: 1px solid var(--line); text-align: left; }
td:nth-child(n + 2), tfoot td { padding-right: 0; text-align: right; white-space: nowrap; }
td:nth-child(2) { padding-right: .5rem; }
fieldset { border: 1px solid var(--line); border-radius: 10px; }
label { display: block; margin: .5rem 0; }
input { width: 100%; padding: .5rem; border: 1px solid var(--line); border-radius: 8px; background: var(--ground); color: var(--ink); font: inherit; }
button { width: 100%; margin-top: 1rem; padding: .85rem 1.25rem; border: 0; border-radius: 10px; background: var(--accent); color: var(--on);
  font: inherit; font-weight: 600; cursor: pointer; }
button.quiet { background: none; color: var(--accent); border: 1px solid var(--line); }
button:focus-visible, input:focus-visible, a:focus-visible { outline: 3px solid var(--ink); outline-offset: 2px; }
`;
