import { html, raw } from "hono/html";
import { listCountryNames } from "#domain/countries.ts";
import { formatMoney } from "#domain/money-notation.ts";
import type { QuoteAcceptanceField } from "#domain/quotes/texts.ts";
import { getQuoteTexts, type QuoteTexts } from "#domain/quotes/texts.ts";
import { renderContactLink } from "#worker/api/contact-link.ts";
import {
  CUSTOMER_PAGE_CSS,
  createNonce,
  formatContentSecurityPolicy,
  type Html,
  renderHtmlPage,
} from "#worker/api/own-page.ts";
import { getUnreadFormNote, paymentLinkTexts } from "#worker/api/payments/link-texts.ts";
import type { UnreadFormStatus } from "#worker/api/unread-form.ts";
import type { PageVisitor } from "#worker/api/visitor.ts";
import type { QuotePageData, QuoteReservation } from "#worker/usecases/quotes/offered-quote.ts";

/** Reason for which the last action on the page failed. */
export type QuotePageProblem = "soldOut" | "changed" | "wrong" | "unreadable";

interface ShownPage {
  readonly quote: QuotePageData;
  /** Path of the page. */
  readonly path: string;
  readonly status?: 200 | 409 | UnreadFormStatus;
  readonly problem?: QuotePageProblem | undefined;
  readonly wrongFields?: readonly string[];
  /** Texts that the customer entered before the action failed. */
  readonly entered?: Readonly<Record<string, string>>;
}

/** Creates the page of a quote with its offer and its forms. */
export function renderQuotePage({ quote, path, status = 200, ...shown }: ShownPage): Promise<Response> {
  const texts = getQuoteTexts(quote.language);
  const { facts, rows, total, deposit } = quote.content;
  const isOpen = quote.status === "draft" || quote.status === "sent";
  const note = getNote(quote, shown, texts);
  return respond(quote.language, `${texts.quote} ${quote.number}`, status, [
    html`<p class="from">${quote.company}</p>
<h1>${texts.quote} <span class="number">${quote.number}</span></h1>
<p>${quote.customer}</p>
${note ? html`<p class="note" role="status">${note}</p>` : ""}
<dl>${facts.map(({ label, value }) => html`<dt>${label}</dt><dd>${value}</dd>`)}</dl>
<table>
<tbody>${rows.map((row) => html`<tr><td>${nameRow(row)}</td><td>${row.amount}</td></tr>`)}</tbody>
<tfoot><tr><th scope="row">${texts.total}</th><td>${total}</td></tr>
${deposit ? html`<tr><th scope="row">${texts.deposit}</th><td>${deposit}</td></tr>` : ""}</tfoot>
</table>
<p>${texts.taxesIncluded} ${isOpen ? texts.priceNote : ""}</p>
<p><a href="${path}/quote.pdf">${texts.pdf}</a></p>
${quote.terms ? html`<details><summary>${quote.terms.heading}</summary><div class="terms" lang="${quote.terms.language}">${quote.terms.text.split("\n").map(renderTermsLine)}</div></details>` : ""}
${isOpen ? decisionForms(quote, path, texts, shown) : ""}
${quote.reservation ? reservationActions(quote, quote.reservation, texts) : ""}
${!quote.reservation || quote.reservation.status === "cancelled" ? renderContactLink(quote.language) : ""}`,
  ]);
}

// Shows the quantity before `×`. A plain number next to an amount would read as thousands: "1 247,10 €".
const nameRow = ({ name, quantity }: QuotePageData["content"]["rows"][number]): string =>
  quantity === "" || quantity === "1" ? name : `${quantity} × ${name}`;

// A line with ## is a heading, as in contracts.
const renderTermsLine = (line: string): Html =>
  line.startsWith("## ") ? html`<h2>${line.slice(3)}</h2>` : html`<p>${line}</p>`;

const getProblemNote = ({ language }: QuotePageData, problem: QuotePageProblem): string =>
  problem === "unreadable" ? getUnreadFormNote(language) : getQuoteTexts(language)[problem];

function getNote(
  quote: QuotePageData,
  shown: Omit<ShownPage, "quote" | "path">,
  texts: QuoteTexts,
): string | undefined {
  const { problem, wrongFields = [] } = shown;
  if (!problem) return getStatusNote(quote, texts);
  const note = getProblemNote(quote, problem);
  return problem === "wrong" ? `${note} ${listFields(wrongFields, texts)}` : note;
}

function getStatusNote({ status, reservation }: QuotePageData, texts: QuoteTexts): string | undefined {
  if (status === "declined") return texts.declined;
  if (status === "expired") return texts.expired;
  if (!reservation) return undefined;
  const { id } = reservation;
  if (reservation.status === "cancelled") return texts.cancelled(id);
  return reservation.status === "pending_confirmation" ? texts.acceptedPending(id) : texts.accepted(id);
}

const listFields = (names: readonly string[], texts: QuoteTexts): string =>
  names.map((name) => texts.fields[name as QuoteAcceptanceField] ?? name).join(", ");

const TYPES: Readonly<Partial<Record<QuoteAcceptanceField, string>>> = {
  customer_email: "email",
  customer_phone: "tel",
  driver_date_of_birth: "date",
  driver_driving_license_date: "date",
};

const AUTOCOMPLETE: Readonly<Partial<Record<QuoteAcceptanceField, string>>> = {
  customer_email: "email",
  customer_phone: "tel",
  customer_address_street: "street-address",
  customer_address_city: "address-level2",
  customer_address_zip: "postal-code",
  customer_address_country: "country",
  driver_date_of_birth: "bday",
};

function describeWrongField(name: QuoteAcceptanceField, texts: QuoteTexts): string {
  if (name === "customer_email") return texts.wrongEmail;
  return name === "customer_phone" ? `${texts.wrongField} (+34 600 000 000)` : texts.wrongField;
}

function decisionForms(
  { missingFields, version, language }: QuotePageData,
  path: string,
  texts: QuoteTexts,
  { entered = {}, wrongFields = [] }: Pick<ShownPage, "entered" | "wrongFields">,
): Html {
  const firstWrongField = missingFields.find((name) => wrongFields.includes(name));
  const control = (name: QuoteAcceptanceField) => {
    const isWrong = wrongFields.includes(name);
    const focus = name === firstWrongField ? raw(" autofocus") : "";
    const problem = isWrong ? html` aria-invalid="true" aria-describedby="wrong-${name}"${focus}` : "";
    const attributes = html`${problem} autocomplete="${AUTOCOMPLETE[name] ?? "off"}"`;
    if (name !== "customer_address_country")
      return html`<input name="${name}" type="${TYPES[name] ?? "text"}" value="${entered[name] ?? ""}"${attributes}>`;
    const countries = listCountryNames(language).map(
      (country) =>
        html`<option value="${country.code}"${entered[name] === country.code ? raw(" selected") : ""}>${country.name}</option>`,
    );
    return html`<select name="${name}"${attributes}><option value=""></option>${countries}</select>`;
  };
  return html`<form method="post" action="${path}/accept">
<input type="hidden" name="version" value="${version}">
${
  missingFields.length === 0
    ? ""
    : html`<fieldset><legend>${texts.details}</legend>${missingFields.map(
        (name) => html`<label>${texts.fields[name]}
${control(name)}</label>
${wrongFields.includes(name) ? html`<p class="wrong" id="wrong-${name}">${describeWrongField(name, texts)}</p>` : ""}`,
      )}</fieldset>`
}
<button type="submit">${texts.accept}</button>
</form>
<details>
<summary>${texts.decline}</summary>
<form method="post" action="${path}/decline">
<label>${texts.declineReason}
<input name="reason" maxlength="500"></label>
<button type="submit" class="quiet">${texts.decline}</button>
</form>
</details>`;
}

function reservationActions(
  { language, currency, decimals }: QuotePageData,
  { freeAccessId, payments, url }: QuoteReservation,
  texts: QuoteTexts,
): Html {
  const forms = payments.map(({ part, method, amountCents }, index) => {
    const label = part === "deposit" ? texts.payDeposit : texts.payTotal;
    return html`<form method="post" action="/reserva/pagar">
<input type="hidden" name="id" value="${freeAccessId}">
<input type="hidden" name="payment" value="${part}">
<input type="hidden" name="payment_method_id" value="${method}">
<button type="submit"${index > 0 ? raw(' class="quiet"') : ""}>${label.replace("{amount}", formatMoney(amountCents, { currency, decimals, language }))}</button>
</form>`;
  });
  return html`${forms}
${url === undefined ? "" : html`<a class="button quiet" href="${url}">${paymentLinkTexts[language].reservation}</a>`}`;
}

/** Creates the page for a link without a quote. */
export function renderUnknownQuotePage({ language, company }: PageVisitor): Promise<Response> {
  const texts = getQuoteTexts(language);
  return respond(language, texts.quote, 404, [
    html`<p class="from">${company}</p>
<h1>${texts.unknown}</h1>
${renderContactLink(language)}`,
  ]);
}

async function respond(
  language: string,
  title: string,
  status: 200 | 404 | 409 | UnreadFormStatus,
  [body = html``]: readonly Html[],
): Promise<Response> {
  const nonce = createNonce();
  const head = html`<meta name="robots" content="noindex">`;
  const document = renderHtmlPage({ language, title, head, style: STYLE, body }, nonce);
  return new Response(String(await document), {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": formatContentSecurityPolicy(nonce, {
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

const STYLE = `${CUSTOMER_PAGE_CSS}
main { max-width: 40rem; }
.number { white-space: nowrap; }
.note { padding: .75rem 1rem; border-left: 4px solid var(--accent); background: var(--ground); }
.terms { font-size: .9rem; }
.terms h2 { margin: 1rem 0 .25rem; font-size: 1rem; }
.terms p { margin: 0; }
dl { display: grid; grid-template-columns: minmax(auto, 40%) 1fr; gap: .25rem 1rem; }
dt { color: var(--soft); }
dd { margin: 0; }
table { width: 100%; border-collapse: collapse; font-variant-numeric: tabular-nums; }
td, th { padding: .4rem .5rem .4rem 0; border-bottom: 1px solid var(--line); text-align: left; }
td:last-child { text-align: right; white-space: nowrap; }
td:last-child { padding-right: 0; }
td:first-child { hyphens: auto; }
details, fieldset { margin: 1rem 0; }
summary { padding: .75rem 0; cursor: pointer; }
fieldset { min-width: 0; border: 1px solid var(--line); border-radius: 10px; }
label { display: block; margin: .5rem 0; }
[aria-invalid] { border: 2px solid var(--bad); }
.wrong { margin: -.25rem 0 .5rem; color: var(--bad); }
`;
