import { describe, expect, test } from "vitest";
import { PLATFORM_LANGUAGES } from "#domain/catalogue/languages.ts";
import { type BookingMail, writeBookingMail } from "#worker/mail/booking-mail.ts";

const PAGE = "https://acme.example/?lang=en&rb=reservation&rb-id=abc";

const aMail = (changes: Partial<BookingMail> = {}): BookingMail => ({
  ...{ company: "Acme", person: "Ana", reservation: 7, pickup: "Airport", return: "Airport", isTransfer: false },
  ...{ products: "Small car", total: "€28.10", paid: "€0.00", pending: "€13.10", fee: undefined, refund: undefined },
  ...{ paidToAgent: "€10.00", credited: "€5.00", holdUntil: undefined, isExpired: false, isPaidTooLate: false },
  ...{ page: PAGE, isOpen: true, papers: [], ...changes },
});

describe("a booking mail", () => {
  test("shows all parts of the total: credited, paid to the agent, paid and still to pay", () => {
    const { text } = writeBookingMail("reminder", aMail(), "en");
    const amounts = [...text.matchAll(/: €([\d.]+)/g)].map(([, amount]) => Number(amount));
    const [total = 0, ...parts] = amounts;
    expect(amounts).toHaveLength(5);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(total, 2);
  });

  test.each(PLATFORM_LANGUAGES)("leads to the reservation in %s, in text and as a button", (language) => {
    const { text, html } = writeBookingMail("confirmed", aMail(), language);
    expect(text).toContain(PAGE);
    expect(html).toContain(`href="${PAGE.replaceAll("&", "&amp;")}"`);
    const closed = writeBookingMail("collected", aMail({ isOpen: false }), language);
    expect(closed.text).toContain(PAGE);
    expect(closed.text.split("\n").length).toBeLessThan(text.split("\n").length);
  });

  test("to a branch has no link", () => {
    expect(writeBookingMail("confirmed", aMail({ customer: "Ana Ruiz", page: undefined }), "en").html).not.toContain(
      "<a ",
    );
  });
});
