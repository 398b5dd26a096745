import { html, raw } from "hono/html";
import { pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import { formatDate, formatMoney } from "#domain/money-notation.ts";
import type { OnlineMethod } from "#domain/payments/gateway-notices.ts";
import { renderContactLink } from "#worker/api/contact-link.ts";
import type { UnreadFormStatus } from "#worker/api/unread-form.ts";
import type { PageVisitor } from "#worker/api/visitor.ts";
import {
  canPayByLink,
  type OpenedPaymentLink,
  type PaymentLinkPageStatus,
} from "#worker/usecases/payments/open-payment-link.ts";
import { getUnreadFormNote, paymentLinkTexts } from "./link-texts.ts";
import { createPaymentPage } from "./page.ts";

/** Names of gateways for customers. */
const BRANDS: Readonly<Record<OnlineMethod, string>> = {
  tpvA256: "Redsys",
  tpvB: "Cecabank",
  tpvC: "Global Payments",
  wallet_standard: "PayPal",
  stripe: "Stripe",
};
const MARKS = {
  ...{ paid: "✓", authorised: "✓", nothing_due: "✓", expired: "×", cancelled: "×", reservation_cancelled: "×" },
  ...{ open: "", fee: "" },
} as const;
const ENDED: ReadonlySet<PaymentLinkPageStatus> = new Set(["expired", "cancelled", "reservation_cancelled"]);
const WITHOUT_AMOUNT: ReadonlySet<PaymentLinkPageStatus> = new Set(["nothing_due", "reservation_cancelled"]);

/**
 * Creates the page of a payment link in the customer's language. `path` is the page's own address. `unreadStatus` is
 * the status of a form that wasn't read.
 */
export function renderPaymentLinkPage(
  link: OpenedPaymentLink,
  path: string,
  unreadStatus?: UnreadFormStatus,
): Promise<Response> {
  const language = pickPlatformLanguage(link.language);
  const texts = paymentLinkTexts[language];
  const isOpen = canPayByLink(link);
  const { title, text } = link.status === "open" ? texts[link.purpose] : texts[link.status];
  const heading = title.replace("{reservation}", String(link.reservation));
  const amount = formatMoney(link.amountCents, { currency: link.currency, decimals: link.decimals, language });
  return createPaymentPage({
    language,
    title: heading,
    ...(unreadStatus && { status: unreadStatus }),
    // Browsers also check the target of a form's redirect. A gateway's page may have the company's own domain.
    ...(isOpen && { formAction: "'self' https: http://*.localhost:* http://localhost:*" }),
    body: html`${isOpen ? "" : html`<div class="mark ${toMarkClass(link.status)}" aria-hidden="true">${MARKS[link.status]}</div>`}
<p class="from">${link.accountName}</p>
<h1>${heading}</h1>
${unreadStatus ? html`<p class="back" role="status">${getUnreadFormNote(language)}</p>` : ""}
${WITHOUT_AMOUNT.has(link.status) ? "" : html`<p class="amount">${amount}</p>`}
<p class="rental">${formatRental(link)}</p>
<p>${text}</p>
${isOpen ? methodForms(link, path) : ""}
${link.reservationUrl ? html`<a class="button quiet" href="${link.reservationUrl}">${texts.reservation}</a>` : ""}
${needsContact(link) ? renderContactLink(language) : ""}`,
  });
}

/** Formats the times and the pickup place, so that the customer recognizes the reservation. */
function formatRental({ period, isTransfer, pickupPlace, country, language: code }: OpenedPaymentLink): string {
  const language = pickPlatformLanguage(code);
  const format = (date: string, time: string) => `${formatDate(date, language, country)} ${time}`;
  const { dateFrom, timeFrom, dateTo, timeTo } = period;
  const end = isTransfer ? "" : ` – ${format(dateTo, timeTo)}`;
  return `${format(dateFrom, timeFrom)}${end} · ${pickupPlace}`;
}

// The texts of these states ask the customer to contact the company.
const needsContact = (link: OpenedPaymentLink) =>
  ENDED.has(link.status) || (canPayByLink(link) && link.methods.length === 0);

function toMarkClass(status: PaymentLinkPageStatus): string {
  return ENDED.has(status) ? "expired" : "paid";
}

function methodForms({ methods, purpose, language: code }: OpenedPaymentLink, path: string) {
  const texts = paymentLinkTexts[pickPlatformLanguage(code)];
  if (methods.length === 0) return html`<p class="back">${texts.noMethod}</p>`;
  const cards = methods.filter((method) => method !== "wallet_standard").length;
  const name = (method: OnlineMethod) => {
    if (method === "wallet_standard") return BRANDS[method];
    const card = purpose === "hold" ? texts.holdButton : texts.card;
    return cards > 1 ? `${card} (${BRANDS[method]})` : card;
  };
  return methods.map(
    (method, index) => html`<form method="post" action="${path}">
<input type="hidden" name="payment_method_id" value="${method}">
<button type="submit"${index > 0 ? raw(' class="quiet"') : ""}>${name(method)}</button>
</form>`,
  );
}

/** Creates the page for an unknown link. */
export function renderUnknownLinkPage({ language, company }: PageVisitor): Promise<Response> {
  const { title, text } = paymentLinkTexts[language].unknown;
  return createPaymentPage({
    language,
    title,
    status: 404,
    body: html`<div class="mark unknown" aria-hidden="true">!</div>
<p class="from">${company}</p>
<h1>${title}</h1>
<p>${text}</p>
${renderContactLink(language)}`,
  });
}
