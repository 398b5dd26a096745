import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { type BookingMail, type PickupGuide, writeBookingMail } from "#worker/mail/booking-mail.ts";
import { writeInvitationMail } from "#worker/mail/invitation-mail.ts";
import { writeSecurityNoticeMail } from "#worker/mail/notice-mail.ts";
import { writeQuoteMail } from "#worker/mail/quote-mail.ts";
import { writeReservationLinkMail } from "#worker/mail/reservation-link-mail.ts";
import { writePasswordResetMail } from "#worker/mail/reset-mail.ts";
import { writeVerificationMail } from "#worker/mail/verification-mail.ts";
import type { WrittenMail } from "#worker/mail/written-mail.ts";

/** Kinds of mails in a booking's life. */
const BOOKING_MAILS = [
  ...(["request_received", "hold_ending", "confirmed", "changed", "payment_link", "payment_received"] as const),
  ...(["reminder", "delivered", "collected", "invoiced", "cancelled"] as const),
];
const LINK = "https://acme.example/1";

const GUIDE: PickupGuide = {
  ...{ pickupAt: { address: "15", map: LINK }, returnAt: { address: "16", map: undefined }, deposit: "17" },
  hours: [
    { first: 1, last: 6, times: ["08:00–20:00"] },
    { first: 7, last: 7, times: [] },
  ],
  ...{ cancellation: [{ until: "18", fee: undefined }], levels: ["fuel"], needsDocuments: true, hasCalendar: true },
  branch: { name: "Acme", address: "20", phone: "21", email: "22" },
};

/** Creates the content of a booking mail without words of a language. */
const createBookingMail = (changes: Partial<BookingMail> = {}): BookingMail => ({
  ...{ company: "Acme", person: "Zoe", reservation: 7, pickup: "1", return: "2", isTransfer: false, products: "3" },
  ...{ total: "4", paid: "5", pending: "6", fee: "7", refund: "8", paidToAgent: "9", credited: "10" },
  ...{ kilometres: { label: "21", value: "25" }, extras: "23", color: "#ffcc00", guide: GUIDE },
  ...{ holdUntil: "11", isExpired: false, isPaidTooLate: false, page: LINK, isOpen: true, isPayable: true },
  links: (["contract", "invoice", "simplifiedInvoice", "advanceInvoice", "creditNote", "payment"] as const).map(
    (kind) => ({
      kind,
      name: "12",
      url: LINK,
    }),
  ),
  ...changes,
});

const A_TRANSFER = {
  ...{ adults: 1, children: 2, infants: 2, bags: "3", largeItems: undefined },
  trips: [{ origin: { address: "26", flight: "27" }, destination: { address: "28", flight: "29" } }],
};
const PAYMENT_LINK = { amount: "25", isHold: false };
const TO_BRANCH = { customer: "Zoe", page: undefined, guide: undefined };

/** Writes each mail that a customer or a branch receives in a language. */
export function composeEachMail(language: PlatformLanguage): readonly (WrittenMail & { readonly name: string })[] {
  const name = (label: string, mail: WrittenMail) => ({ ...mail, name: label });
  const account = { company: "Acme", at: "13", page: LINK };
  const invitation = { company: "Acme", username: "zoe", link: LINK, office: LINK, days: 7 };
  const reset = { company: "Acme", link: LINK, minutes: 30 };
  const quote = { company: "Acme", number: "14", facts: [], link: LINK, pdfLink: LINK };
  return [
    ...BOOKING_MAILS.map((kind) => {
      const paymentLink = kind === "payment_link" ? PAYMENT_LINK : undefined;
      return name(kind, writeBookingMail(kind, createBookingMail({ paymentLink }), language));
    }),
    name(
      "hold",
      writeBookingMail("payment_link", createBookingMail({ paymentLink: { ...PAYMENT_LINK, isHold: true } }), language),
    ),
    name("credited", writeBookingMail("invoiced", createBookingMail({ documentKind: "creditNote" }), language)),
    name(
      "transfer",
      writeBookingMail(
        "confirmed",
        createBookingMail({ isTransfer: true, person: "", transfer: A_TRANSFER }),
        language,
      ),
    ),
    name(
      "round trip",
      writeBookingMail("confirmed", createBookingMail({ isTransfer: true, trips: ["1", "2"] }), language),
    ),
    name(
      "fee",
      writeBookingMail(
        "confirmed",
        createBookingMail({
          guide: { ...GUIDE, hours: [], cancellation: [{ until: "18", fee: "24" }], levels: ["charge"] },
        }),
        language,
      ),
    ),
    name("expired", writeBookingMail("cancelled", createBookingMail({ isExpired: true }), language)),
    ...(["tpvA_256", "wallet_standard", "bank_transfer", "cash"] as const).map((method) =>
      name(
        `refunded ${method}`,
        writeBookingMail("refunded", createBookingMail({ refunded: { amount: "8", method } }), language),
      ),
    ),
    name("late", writeBookingMail("payment_received", createBookingMail({ isPaidTooLate: true }), language)),
    ...(["request_received", "confirmed", "changed", "cancelled", "payment_received"] as const).map((kind) =>
      name(`branch ${kind}`, writeBookingMail(kind, createBookingMail(TO_BRANCH), language)),
    ),
    ...(["new_device", "password_changed", "second_factor_changed"] as const).map((notice) =>
      name(notice, writeSecurityNoticeMail(notice, account, language)),
    ),
    name("verify", writeVerificationMail({ company: "Acme", link: LINK }, language)),
    name("link", writeReservationLinkMail({ company: "Acme", person: "Zoe", reservation: 7, link: LINK }, language)),
    name("reset", writePasswordResetMail({ ...reset, person: "Zoe" }, language)),
    name("invitation", writeInvitationMail({ ...invitation, person: "Zoe" }, language)),
    name("invitation anonymous", writeInvitationMail({ ...invitation, person: "" }, language)),
    name("reset anonymous", writePasswordResetMail({ ...reset, person: "" }, language)),
    name("quote", writeQuoteMail({ ...quote, person: "Zoe" }, language)),
  ];
}
