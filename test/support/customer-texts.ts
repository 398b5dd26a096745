import {
  getPromotionOtherChannelText,
  getPromotionOtherDatesText,
  getPromotionOtherProductText,
  getUnknownPromotionText,
} from "#domain/bookings/promotion-texts.ts";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { getDocumentTexts } from "#domain/documents/texts.ts";
import { MESSAGE_TEMPLATES } from "#domain/operations/message-text.ts";
import { getDefaultMessageTemplate } from "#domain/operations/messages.ts";
import { getContractTexts } from "#domain/printing/contract-texts/index.ts";
import { getTaxName, getTaxOperationText } from "#domain/printing/tax-texts.ts";
import { getPrintTexts } from "#domain/printing/texts.ts";
import { getQuoteTexts } from "#domain/quotes/texts.ts";
import { toEngineFailure } from "#worker/api/booking-engine/shared/errors.ts";
import { toStatusSummaryMessage } from "#worker/api/booking-engine/shared/summary-messages.ts";
import { listDocumentTypes } from "#worker/api/booking-engine/vehicles/form-messages.ts";
import { CONTACT_LINK_TEXTS } from "#worker/api/contact-link.ts";
import { getOwnBookingTexts } from "#worker/api/customer-access/own-booking-texts.ts";
import { getPageTexts } from "#worker/api/customer-access/page-texts.ts";
import {
  getTooManyAttemptsText,
  getUserExistsText,
  translateSignUpProblem,
} from "#worker/api/customer-access/texts.ts";
import { paymentLinkTexts } from "#worker/api/payments/link-texts.ts";
import { paymentTexts } from "#worker/api/payments/texts.ts";
import { companyTexts } from "#worker/site/company-texts.ts";
import { textsByLanguage } from "../../pwa/widget/src/texts/texts-by-language.ts";
import { composeEachMail } from "./mails.ts";

const createSummary = (status: "pending_confirmation" | "confirmed" | "in_progress" | "done" | "cancelled") => ({
  ...{ status, customer: { name: "", surname: "", email: "", phone: "", documentId: "" } },
  ...{ paidAfterExpiry: false, isExpired: false, expiresAt: undefined, totalPaidCents: 0, pendingCents: 0 },
});

/** Returns everything that customers read in a language, by area. */
function getTables(language: PlatformLanguage): Readonly<Record<string, unknown>> {
  const visitor = { language, origin: "https://acme.example" };
  const promotion = [
    ...[getUnknownPromotionText, getPromotionOtherDatesText, getPromotionOtherChannelText].map(
      (getTexts) => getTexts("X")[language] ?? "",
    ),
    getPromotionOtherProductText("X", () => "Y")[language] ?? "",
  ];
  return {
    widget: textsByLanguage[language],
    company: companyTexts[language],
    printouts: getPrintTexts(language),
    contracts: getContractTexts(language),
    documents: getDocumentTexts(language),
    quotes: getQuoteTexts(language),
    messages: [false, true].flatMap((isTransfer) =>
      MESSAGE_TEMPLATES.map((template) => getDefaultMessageTemplate(template, language, { isTransfer })),
    ),
    payments: paymentTexts[language],
    links: paymentLinkTexts[language],
    contact: CONTACT_LINK_TEXTS[language],
    password: getPageTexts(language),
    own: getOwnBookingTexts(language),
    taxes: [
      getTaxName("US", "iva", language),
      ...(["S2", "N1", "E1"] as const).map((kind) => getTaxOperationText(kind, "iva", language)),
    ],
    types: listDocumentTypes(visitor).map(({ label }) => label),
    soldOut: toEngineFailure({ kind: "soldOut", resource: "category", code: "X" }, language).message,
    // English reasons are for developers, too.
    promotion: language === "en" ? [] : promotion,
    summaries: (["pending_confirmation", "confirmed", "in_progress", "done", "cancelled"] as const).map(
      (status) => toStatusSummaryMessage(createSummary(status), visitor, 0).summary_status,
    ),
    accounts: [
      getUserExistsText(language),
      getTooManyAttemptsText(language),
      ...(["username", "email", "name", "surname", "phonePrefix", "phone", "documentId"] as const).flatMap((field) => [
        translateSignUpProblem({ kind: "missing", field }, language),
        translateSignUpProblem({ kind: "invalid", code: "invalid", field }, language),
        translateSignUpProblem({ kind: "tooLong", field, longest: 9 }, language),
      ]),
      ...(["passwordMissing", "passwordTooShort", "passwordTooLong", "passwordBreached"] as const).map((problem) =>
        translateSignUpProblem(problem, language),
      ),
    ],
    mails: Object.fromEntries(
      composeEachMail(language).map(({ name, subject, text }) => [
        name,
        [subject, ...text.split("\n").filter(Boolean)],
      ]),
    ),
  };
}

/** A text that customers read, with its place in the tables. */
export interface CustomerText {
  readonly at: string;
  readonly text: string;
}

/** Lists the texts that customers read in a language. Placeholders of functions are 7. */
export function listCustomerTexts(language: PlatformLanguage): readonly CustomerText[] {
  return Object.entries(getTables(language)).flatMap(([area, table]) => flatten(area, table));
}

function flatten(at: string, value: unknown): readonly CustomerText[] {
  if (typeof value === "string") return [{ at, text: value }];
  if (typeof value === "function") return [{ at, text: String(value(7)) }];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => flatten(`${at}.${key}`, part));
}
