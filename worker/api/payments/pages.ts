import { html } from "hono/html";
import { type PlatformLanguage, pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import { dateText, moneyText } from "#domain/printing/notation.ts";
import type { PaymentRefusal, PreparedPayment, RefusedBooking } from "#worker/usecases/payments/prepare-payment.ts";
import type { PaymentState } from "#worker/usecases/payments/read-returned-payment.ts";
import { page } from "./page.ts";
import { paymentTexts } from "./texts.ts";

interface DisplayedAmount {
  readonly amountCents: number;
  readonly currency: string;
  readonly decimals: number;
}

// As the mails and papers of the same booking write it.
const formatPaymentAmount = ({ amountCents, currency, decimals }: DisplayedAmount, language: PlatformLanguage) =>
  moneyText(amountCents, { currency, decimals, language });

/** The page that sends the visitor on to the gateway: by itself, or by its button. */
export function gatewayPage(payment: PreparedPayment): Promise<Response> {
  const language = pickPlatformLanguage(payment.language);
  const texts = paymentTexts[language].toGateway;
  const fields = Object.entries(payment.fields);
  return page({
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

/** `left`: the visitor came back without paying, as far as we know. */
type DisplayedPayment = Omit<PaymentState, "state"> & { readonly state: PaymentState["state"] | "left" };

const MARKS = {
  paid: "✓",
  pending: "…",
  left: "×",
  denied: "×",
  expired: "×",
  review: "!",
  second: "!",
  givingBack: "…",
  givenBack: "↩",
  partGivenBack: "↩",
  partKept: "↩",
  kept: "!",
  owedBack: "!",
} as const;
const MAX_STATUS_POLLS = 40;
/**
 * Looks again beside the page, which stays as it is until there is something else to say: one that is made anew every
 * few seconds is read out from its beginning each time, and loses the focus. What cannot be read is read a turn later.
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

/** What the database knows of a payment; while that is nothing, the page looks again, ever more slowly. */
export function statePage(
  payment: DisplayedPayment,
  getPollUrl: (pollCount: number) => string,
  pollCount: number,
): Promise<Response> {
  const language = pickPlatformLanguage(payment.language);
  const texts = paymentTexts[language];
  const { title, text } = texts[payment.state];
  const isPending = payment.state === "pending";
  const seconds = 2 + Math.floor(pollCount / 5);
  return page({
    language,
    title,
    ...(isPending &&
      pollCount < MAX_STATUS_POLLS && { refresh: { seconds, url: getPollUrl(pollCount + 1) }, script: POLL_SCRIPT }),
    body: html`<div class="mark ${payment.state}" aria-hidden="true">${MARKS[payment.state]}</div>
<p class="from">${payment.accountName}</p>
<h1>${title}</h1>
<p class="amount">${formatPaymentAmount(payment, language)}</p>
${moneyBack(payment, language).map((line) => html`<p class="back">${line}</p>`)}
<p>${text}</p>
${isPending ? html`<a class="button quiet" href="${getPollUrl(0)}">${texts.again}</a>` : ""}
${payment.summaryUrl ? html`<a class="button" href="${payment.summaryUrl}">${texts.back}</a>` : ""}`,
  });
}

// What was given back, and when; what a gateway is asked to.
function moneyBack(
  { givenBack, onItsWayCents, ...shown }: DisplayedPayment,
  language: PlatformLanguage,
): readonly string[] {
  const { wasGivenBack, isOnItsWay } = paymentTexts[language];
  const amount = (amountCents: number) => formatPaymentAmount({ ...shown, amountCents }, language);
  const date = givenBack && dateText(givenBack.date, language, shown.country);
  return [
    ...(givenBack && date ? [wasGivenBack.replace("{amount}", amount(givenBack.cents)).replace("{date}", date)] : []),
    ...(onItsWayCents > 0 ? [isOnItsWay.replace("{amount}", amount(onItsWayCents))] : []),
  ];
}

/** For who comes with the address of no payment. */
export function unknownPage(preferredLanguage: string | undefined): Promise<Response> {
  return refusedPage("unknown", wishedLanguage(preferredLanguage));
}

/** For who wants to pay what cannot be paid now: whether it is paid, and the way back to the booking that is there. */
export function notPayablePage({ booking }: PaymentRefusal, preferredLanguage: string | undefined): Promise<Response> {
  if (!booking) return refusedPage("notPayable", wishedLanguage(preferredLanguage));
  return refusedPage(booking.isPaid ? "alreadyPaid" : "notPayable", pickPlatformLanguage(booking.language), booking);
}

const wishedLanguage = (preferredLanguage: string | undefined) =>
  pickPlatformLanguage(preferredLanguage?.slice(0, 2).toLowerCase());

function refusedPage(
  what: "unknown" | "notPayable" | "alreadyPaid",
  language: PlatformLanguage,
  booking?: RefusedBooking,
): Promise<Response> {
  const texts = paymentTexts[language];
  const { title, text } = texts[what];
  const [pollCount, mark] = what === "alreadyPaid" ? ["paid", MARKS.paid] : ["unknown", "!"];
  return page({
    language,
    title,
    status: 404,
    body: html`<div class="mark ${pollCount}" aria-hidden="true">${mark}</div>
${booking ? html`<p class="from">${booking.accountName}</p>` : ""}
<h1>${title}</h1>
<p>${text}</p>
${booking?.summaryUrl ? html`<a class="button" href="${booking.summaryUrl}">${texts.back}</a>` : ""}`,
  });
}

/** What Global Payments shows the visitor in its own page: it leads back. */
export function responsePage(returnUrl: string, preferredLanguage: string | undefined): Promise<Response> {
  const language = pickPlatformLanguage(preferredLanguage);
  const texts = paymentTexts[language];
  return page({
    language,
    title: texts.back,
    refresh: { seconds: 0, url: returnUrl },
    body: html`<a class="button" href="${returnUrl}">${texts.back}</a>`,
  });
}
