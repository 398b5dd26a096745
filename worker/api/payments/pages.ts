import { html } from "hono/html";
import { type PlatformLanguage, pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import { formatDate, formatMoney } from "#domain/money-notation.ts";
import type { UnpayableReason } from "#domain/payments/payments.ts";
import { renderContactLink } from "#worker/api/contact-link.ts";
import type { UnreadFormStatus } from "#worker/api/unread-form.ts";
import type { PageVisitor } from "#worker/api/visitor.ts";
import type { PaymentRefusal, PreparedPayment, UnpayableBooking } from "#worker/usecases/payments/prepare-payment.ts";
import type { ReturningVisitorPaymentState } from "#worker/usecases/payments/read-returned-payment.ts";
import { paymentLinkTexts } from "./link-texts.ts";
import { createPaymentPage } from "./page.ts";
import { paymentTexts } from "./texts.ts";

interface DisplayedAmount {
  readonly amountCents: number;
  readonly currency: string;
  readonly decimals: number;
}

// Same format as in the mails and documents of the booking.
const formatPaymentAmount = ({ amountCents, currency, decimals }: DisplayedAmount, language: PlatformLanguage) =>
  formatMoney(amountCents, { currency, decimals, language });

/** Takes the visitor to the gateway: to its own page, or by a form. */
export function sendVisitorToGateway(payment: PreparedPayment): Response | Promise<Response> {
  if (!payment.isRedirect) return gatewayPage(payment);
  return new Response(null, { status: 303, headers: { Location: payment.action, "Cache-Control": "no-store" } });
}

/** Creates the page that redirects the visitor to the gateway, automatically or by its button. */
function gatewayPage(payment: PreparedPayment): Promise<Response> {
  const language = pickPlatformLanguage(payment.language);
  const texts = paymentTexts[language].toGateway;
  const fields = Object.entries(payment.fields);
  return createPaymentPage({
    language,
    title: texts.title,
    formAction: new URL(payment.action).origin,
    script: "document.forms[0].submit()",
    body: html`<p class="from">${payment.accountName}</p>
<h1>${texts.title}</h1>
<p class="amount">${formatPaymentAmount(payment, language)}</p>
<p>${texts.text}</p>
<form method="post" action="${payment.action}">
${fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<button type="submit">${texts.button}</button>
</form>`,
  });
}

/** `left`: the visitor returned without paying, as far as known. */
type DisplayedPayment = Omit<ReturningVisitorPaymentState, "state"> & {
  readonly state: ReturningVisitorPaymentState["state"] | "left";
};

const MARKS = {
  held: "✓",
  paid: "✓",
  pending: "…",
  left: "×",
  denied: "×",
  expired: "×",
  review: "!",
  second: "!",
  additional: "✓",
  givingBack: "…",
  givenBack: "↩",
  partGivenBack: "↩",
  partRetained: "↩",
  kept: "!",
  owedBack: "!",
} as const;
// States whose text asks the visitor to wait for the company or to contact it.
const NEEDS_COMPANY: ReadonlySet<DisplayedPayment["state"]> = new Set([
  "review",
  "second",
  "additional",
  "kept",
  "owedBack",
]);
const MAX_STATUS_POLLS = 40;
/**
 * Polls in the background and replaces the page only when the status changes. Reloading every few seconds would restart
 * screen readers and lose the focus. After a failed request, it polls again at the next interval.
 */
const POLL_SCRIPT = `
const first = document.querySelector("noscript[data-url]").dataset;
const look = async ({ url, seconds }) => {
  await new Promise((next) => setTimeout(next, seconds * 1000));
  const answer = await fetch(url).then((response) => (response.ok ? response.text() : ""), () => "");
  const page = new DOMParser().parseFromString(answer, "text/html");
  const next = page.querySelector("noscript[data-url]");
  if (next) return look(next.dataset);
  if (!answer) return look({ url, seconds });
  location.replace(url);
};
look(first);
`;

/**
 * Creates the page with the known state of a payment. While the state is unknown, the page polls at increasing
 * intervals.
 */
export function createPaymentStatePage(
  payment: DisplayedPayment,
  getPollUrl: (pollCount: number) => string,
  pollCount: number,
): Promise<Response> {
  const language = pickPlatformLanguage(payment.language);
  const texts = paymentTexts[language];
  const { title, text } = texts[payment.state];
  const isPending = payment.state === "pending";
  const seconds = 2 + Math.floor(pollCount / 5);
  return createPaymentPage({
    language,
    title,
    ...(isPending &&
      pollCount < MAX_STATUS_POLLS && { refresh: { seconds, url: getPollUrl(pollCount + 1) }, script: POLL_SCRIPT }),
    body: html`<div class="mark ${payment.state}" aria-hidden="true">${MARKS[payment.state]}</div>
<p class="from">${payment.accountName} · ${texts.reservation.replace("{n}", String(payment.reservation))}</p>
<h1>${title}</h1>
<p class="amount">${formatPaymentAmount(payment, language)}</p>
${[...describeBalance(payment, language), ...moneyBack(payment, language)].map((line) => html`<p class="back">${line}</p>`)}
<p>${text}</p>
${isPending ? html`<a class="button quiet" href="${getPollUrl(0)}">${texts.again}</a>` : ""}
${payment.summaryUrl ? html`<a class="button" href="${payment.summaryUrl}">${texts.back}</a>` : ""}
${NEEDS_COMPANY.has(payment.state) ? renderContactLink(language) : ""}`,
  });
}

// Returns the sentence about the reservation's payments and rest, if this payment counts towards them.
function describeBalance(payment: DisplayedPayment, language: PlatformLanguage): readonly string[] {
  if (payment.state !== "paid" && payment.state !== "additional") return [];
  const amount = (amountCents: number) => formatPaymentAmount({ ...payment, amountCents }, language);
  const { bookingPaidCents, bookingPendingCents } = payment;
  const sentence = paymentTexts[language].balance.replace("{paid}", amount(bookingPaidCents));
  return [sentence.replace("{pending}", amount(bookingPendingCents))];
}

// Returns the texts about refunded amounts with their dates, and about refunds pending at a gateway.
function moneyBack(
  { givenBack, onItsWayCents, ...shown }: DisplayedPayment,
  language: PlatformLanguage,
): readonly string[] {
  const { wasGivenBack, isOnItsWay } = paymentTexts[language];
  const amount = (amountCents: number) => formatPaymentAmount({ ...shown, amountCents }, language);
  const date = givenBack && formatDate(givenBack.date, language, shown.country);
  return [
    ...(givenBack && date ? [wasGivenBack.replace("{amount}", amount(givenBack.cents)).replace("{date}", date)] : []),
    ...(onItsWayCents > 0 ? [isOnItsWay.replace("{amount}", amount(onItsWayCents))] : []),
  ];
}

const REFUSALS = {
  paid: "alreadyPaid",
  paidTooLate: "review",
  holdEnded: "holdEnded",
  cancelled: "cancelled",
  other: "notPayable",
} as const satisfies Record<UnpayableReason, string>;
type Refusal = (typeof REFUSALS)[UnpayableReason] | "unknown" | "unreadable";
// Refusals that the customer can't solve on the page of the reservation.
const NEEDS_CONTACT: ReadonlySet<Refusal> = new Set(["review", "cancelled", "unknown", "unreadable", "notPayable"]);

/** Creates the page for an unknown payment address. */
export function createUnknownPaymentPage(visitor: PageVisitor): Promise<Response> {
  return refusedPage("unknown", visitor);
}

/** Creates the page for a booking that can't be paid now. Shows the reason and links back to an existing booking. */
export function renderNotPayablePage(
  { booking }: Pick<PaymentRefusal, "booking">,
  visitor: PageVisitor,
  status: 404 | 405 = 404,
): Promise<Response> {
  if (!booking) return refusedPage("notPayable", visitor, { status });
  const shown = { language: pickPlatformLanguage(booking.language), company: booking.accountName };
  return refusedPage(REFUSALS[booking.reason], shown, { booking });
}

/** Creates the page for a form that wasn't read. */
export function renderUnreadFormPage(visitor: PageVisitor, status: UnreadFormStatus): Promise<Response> {
  return refusedPage("unreadable", visitor, { status });
}

function refusedPage(
  refusal: Refusal,
  { language, company }: PageVisitor,
  {
    booking,
    status = 404,
  }: { readonly booking?: UnpayableBooking; readonly status?: 404 | 405 | UnreadFormStatus } = {},
): Promise<Response> {
  const texts = paymentTexts[language];
  const { title, text } = refusal === "unreadable" ? paymentLinkTexts[language].unreadable : texts[refusal];
  const [pollCount, mark] = refusal === "alreadyPaid" ? ["paid", MARKS.paid] : ["unknown", "!"];
  return createPaymentPage({
    language,
    title,
    status,
    body: html`<div class="mark ${pollCount}" aria-hidden="true">${mark}</div>
<p class="from">${company}</p>
<h1>${title}</h1>
<p>${text}</p>
${booking?.summaryUrl ? html`<a class="button" href="${booking.summaryUrl}">${texts.back}</a>` : ""}
${NEEDS_CONTACT.has(refusal) ? renderContactLink(language) : ""}`,
  });
}

/** Creates the page that Global Payments displays under its own address, with a link back. */
export function createGatewayReturnPage(returnUrl: string, preferredLanguage: string | undefined): Promise<Response> {
  const language = pickPlatformLanguage(preferredLanguage);
  const texts = paymentTexts[language];
  return createPaymentPage({
    language,
    title: texts.back,
    refresh: { seconds: 0, url: returnUrl },
    body: html`<a class="button" href="${returnUrl}">${texts.back}</a>`,
  });
}
