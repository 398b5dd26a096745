import { expect, test } from "vitest";
import { PLATFORM_LANGUAGES, type PlatformLanguage } from "#domain/catalogue/languages.ts";
import { type BookingMail, writeBookingMail } from "#worker/mail/booking-mail.ts";
import { writeInvitationMail } from "#worker/mail/invitation-mail.ts";
import { writeCustomerMessageMail } from "#worker/mail/message-mail.ts";
import { writeSecurityNoticeMail } from "#worker/mail/notice-mail.ts";
import { writeQuoteMail } from "#worker/mail/quote-mail.ts";
import { writeReservationLinkMail } from "#worker/mail/reservation-link-mail.ts";
import { writePasswordResetMail } from "#worker/mail/reset-mail.ts";
import { writeVerificationMail } from "#worker/mail/verification-mail.ts";
import type { WrittenMail } from "#worker/mail/written-mail.ts";

const HOSTILE = [
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "'><svg/onload=alert(1)>",
  "</title></p><style>*{display:none}</style>",
  "<!--",
] as const;
const KINDS = ["request_received", "confirmed", "changed", "cancelled", "payment_received", "reminder"] as const;

const createMail = (text: string): BookingMail => ({
  ...{ company: text, person: text, customer: text, reservation: 7, pickup: text, return: text, isTransfer: false },
  ...{ products: text, total: text, paid: text, pending: text, fee: text, refund: text, holdUntil: text },
  ...{ extras: text, color: text },
  guide: {
    ...{ pickupAt: { address: text, map: `https://a.test/?${text}` }, returnAt: { address: text, map: undefined } },
    hours: [{ first: 1, last: 7, times: [text] }],
    ...{
      deposit: text,
      cancellation: [
        { until: text, fee: undefined },
        { until: text, fee: text },
      ],
      levels: [],
      needsDocuments: true,
      hasCalendar: true,
    },
    branch: { name: text, address: text, phone: text, email: text },
  },
  ...{
    isExpired: true,
    isPaidTooLate: true,
    ...{ paidToAgent: text, credited: text, page: "https://acme.example/?rb-id=1", isOpen: true, isPayable: true },
    links: [{ kind: "contract", name: text, url: `https://a.test/?${text}` }],
  },
});

/** Writes the mails about quotes, messages, invitations and accounts, with a text in each place. */
function writeOtherMails(text: string, language: PlatformLanguage): readonly WrittenMail[] {
  const [link, branch] = [`https://a.test/?${text}`, { name: text, address: text, phone: text, email: text }];
  return [
    writeQuoteMail(
      { company: text, person: text, number: text, facts: [{ label: text, value: text }], link, pdfLink: link, branch },
      language,
    ),
    writeCustomerMessageMail({ subject: text, text, branch }, { company: text }, language),
    writeInvitationMail({ company: text, person: text, username: text, office: link, link, days: 7 }, language),
    writeSecurityNoticeMail("new_device", { company: text, at: text, page: link }, language),
    writeVerificationMail({ company: text, link }, language),
  ];
}

function listTags({ html }: WrittenMail): readonly string[] {
  return [...html.matchAll(/<\/?([a-zA-Z!-]+)/g)].map(([, tag = ""]) => tag.toLowerCase());
}

// Proves "security.md": A13
test.each(HOSTILE)("adds no HTML elements to any mail by the text %j", (text) => {
  for (const language of PLATFORM_LANGUAGES) {
    const reset = { company: text, person: text, link: `https://a.test/?${text}`, minutes: 60 };
    const mails = [
      ...KINDS.map((kind) => writeBookingMail(kind, createMail(text), language)),
      writePasswordResetMail(reset, language),
      writeReservationLinkMail({ ...reset, reservation: 7 }, language),
      ...writeOtherMails(text, language),
    ];
    const plain = [
      ...KINDS.map((kind) => writeBookingMail(kind, createMail("Ana"), language)),
      writePasswordResetMail({ ...reset, company: "Ana", person: "Ana", link: "https://a.test/" }, language),
      writeReservationLinkMail({ company: "Ana", person: "Ana", reservation: 7, link: "https://a.test/" }, language),
      ...writeOtherMails("Ana", language),
    ];
    expect(mails.map(listTags)).toEqual(plain.map(listTags));
    for (const { html } of mails) expect(html.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\son\w+=|<!--/);
  }
});
