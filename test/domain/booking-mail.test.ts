import { describe, expect, test } from "vitest";
import { PLATFORM_LANGUAGES } from "#domain/catalogue/languages.ts";
import { type BookingMail, type PickupGuide, writeBookingMail } from "#worker/mail/booking-mail.ts";

const PAYMENT = "https://acme.example/pay/abc";
const PAGE = "https://acme.example/?lang=en&rb=reservation&rb-id=abc";

const createMail = (changes: Partial<BookingMail> = {}): BookingMail => ({
  ...{ company: "Acme", person: "Ana", reservation: 7, pickup: "Airport", return: "Airport", isTransfer: false },
  ...{ products: "Small car", total: "€28.10", paid: "€0.00", pending: "€13.10", fee: undefined, refund: undefined },
  ...{ paidToAgent: "€10.00", credited: "€5.00", holdUntil: undefined, isExpired: false, isPaidTooLate: false },
  ...{ page: PAGE, isOpen: true, isPayable: true, links: [], ...changes },
});

const GUIDE: PickupGuide = {
  pickupAt: { address: "Harbour 1, 07001 Palma", map: "https://map.example/1" },
  returnAt: { address: "Station 2", map: undefined },
  hours: [{ first: 1, last: 7, times: ["08:00–20:00"] }],
  ...{
    deposit: "€300.00",
    cancellation: [{ until: "1 May 10:00", fee: undefined }],
    levels: [],
    needsDocuments: true,
    hasCalendar: true,
  },
  branch: { name: "Palma", address: "Harbour 1, 07001 Palma", phone: "+34 971 000 000", email: "air@example.com" },
};

const CREDIT_NOTES = {
  es: /factura rectificativa/i,
  ca: /factura rectificativa/i,
  en: /credit note/i,
  de: /Rechnungskorrektur/,
  fr: /facture d'avoir/i,
  it: /nota di credito/i,
  pt: /nota de crédito/i,
  nl: /creditnota/i,
} as const;

const DOCUMENT_NAMES = {
  es: { invoice: "Factura", simplifiedInvoice: "Factura simplificada", advanceInvoice: "Factura de anticipo" },
  ca: { invoice: "Factura", simplifiedInvoice: "Factura simplificada", advanceInvoice: "Factura de bestreta" },
  en: { invoice: "Invoice", simplifiedInvoice: "Simplified invoice", advanceInvoice: "Advance payment invoice" },
  de: { invoice: "Rechnung", simplifiedInvoice: "Vereinfachte Rechnung", advanceInvoice: "Anzahlungsrechnung" },
  fr: { invoice: "Facture", simplifiedInvoice: "Facture simplifiée", advanceInvoice: "Facture d'acompte" },
  it: { invoice: "Fattura", simplifiedInvoice: "Fattura semplificata", advanceInvoice: "Fattura di acconto" },
  pt: { invoice: "Fatura", simplifiedInvoice: "Fatura simplificada", advanceInvoice: "Fatura de adiantamento" },
  nl: { invoice: "Factuur", simplifiedInvoice: "Vereenvoudigde factuur", advanceInvoice: "Aanbetalingsfactuur" },
} as const;

const MAIL_DOCUMENT = { number: "A/1", reservations: "", dueDate: undefined, total: "€-28.10", pending: undefined };

describe("the mail of a document", () => {
  test.each(PLATFORM_LANGUAGES)("names a credit note in subject, sentence, fact and link in %s", (language) => {
    const links = [{ kind: "creditNote" as const, name: "A/1", url: PAGE }];
    const mail = createMail({ documentKind: "creditNote", invoice: MAIL_DOCUMENT, links });
    const { subject, text } = writeBookingMail("invoiced", mail, language);
    const [, sentence = "", ...facts] = text.split("\n").filter((line) => line !== "");
    expect(subject).toMatch(CREDIT_NOTES[language]);
    expect(sentence).toMatch(CREDIT_NOTES[language]);
    const named = facts.filter((line) => CREDIT_NOTES[language].test(line));
    expect(named).toHaveLength(2);
    expect(named[0]).toMatch(/A\/1$/);
    expect(text).not.toMatch(/Gutschrift|note de crédit|creditfactuur/i);
  });

  test.each(PLATFORM_LANGUAGES)("names simplified and advance invoices as printed in %s", (language) => {
    for (const documentKind of ["invoice", "simplifiedInvoice", "advanceInvoice"] as const) {
      const links = [{ kind: documentKind, name: "A/1", url: PAGE }];
      const { subject, text } = writeBookingMail(
        "invoiced",
        createMail({ documentKind, invoice: MAIL_DOCUMENT, links }),
        language,
      );
      const lines = text.split("\n");
      const name = DOCUMENT_NAMES[language][documentKind];
      expect(lines.filter((line) => line.startsWith(name) && line.endsWith("A/1"))).toHaveLength(1);
      expect(lines.filter((line) => line.startsWith(`${name} A/1`) && line.endsWith(PAGE))).toHaveLength(1);
      expect(subject).not.toMatch(CREDIT_NOTES[language]);
    }
  });
});

const A_TRANSFER = {
  ...{ adults: 1, children: 2, infants: 1, bags: "3", largeItems: undefined },
  trips: [
    { origin: { address: "", flight: "IB1, 10:00" }, destination: { address: "Hotel Sol", flight: "" } },
    { origin: { address: "Hotel Mar", flight: "" }, destination: { address: "", flight: "IB2" } },
  ],
};

describe("the mail of a transfer", () => {
  test.each(PLATFORM_LANGUAGES)("lists passengers, flights and addresses of each trip in %s", (language) => {
    const mail = createMail({ isTransfer: true, trips: ["11:00 outward", "12:00 back"], transfer: A_TRANSFER });
    const { text, html } = writeBookingMail("reminder", mail, language);
    const lines = text.split("\n");
    const valuesOf = (...parts: readonly string[]) =>
      lines.filter((line) => parts.some((part) => line.includes(part))).map((line) => line.replace(/^[^:]*: /, ""));
    expect(valuesOf("outward", "back", "IB", "Hotel")).toEqual([
      ...["11:00 outward", "IB1, 10:00", "Hotel Sol"],
      ...["12:00 back", "Hotel Mar", "IB2"],
    ]);
    expect(lines.filter((line) => /: 1 \p{L}+, 2 \p{L}+, 1 \p{L}+$/u.test(line))).toHaveLength(1);
    expect(html).toContain("Hotel Mar");
  });

  test("names no address and flight of a transfer that won't take place", () => {
    const mail = createMail({ isTransfer: true, isOpen: false, transfer: A_TRANSFER });
    expect(writeBookingMail("cancelled", mail, "en").text).not.toMatch(/Hotel|IB\d/);
  });
});

describe("a booking mail", () => {
  test("shows all parts of the total in a booking mail: credited, paid to the agent, paid and still to pay", () => {
    const { text } = writeBookingMail("reminder", createMail(), "en");
    const amounts = [...text.matchAll(/: €([\d.]+)/g)].map(([, amount]) => Number(amount));
    const [total = 0, ...parts] = amounts;
    expect(amounts).toHaveLength(5);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(total, 2);
  });

  test.each(PLATFORM_LANGUAGES)("links to the reservation in a mail in %s, in text and as a button", (language) => {
    const { text, html } = writeBookingMail("confirmed", createMail(), language);
    expect(text).toContain(PAGE);
    expect(html).toContain(`href="${PAGE.replaceAll("&", "&amp;")}"`);
    const closed = writeBookingMail("collected", createMail({ isOpen: false }), language);
    expect(closed.text).toContain(PAGE);
    expect(closed.text.split("\n").length).toBeLessThan(text.split("\n").length);
  });

  test.each(PLATFORM_LANGUAGES)(
    "shows a payment button instead of the reservation's in mails that ask for a payment, in %s",
    (language) => {
      const links = [{ kind: "payment" as const, name: "", url: PAYMENT }];
      const readButton = (kind: "hold_ending" | "confirmed" | "payment_link", changes: Partial<BookingMail> = {}) =>
        /padding: 12px 20px[^>]*>([^<]+)</.exec(writeBookingMail(kind, createMail(changes), language).html)?.[1];
      const view = readButton("confirmed");
      expect(readButton("hold_ending")).not.toBe(view);
      expect(readButton("hold_ending", { isPayable: false })).toBe(view);
      expect(readButton("payment_link", { links })).not.toBe(view);
      const { text, html } = writeBookingMail("payment_link", createMail({ links }), language);
      expect(html.indexOf(PAYMENT)).toBeLessThan(html.indexOf("rb-id=abc"));
      expect(text.indexOf(PAYMENT)).toBeLessThan(text.indexOf(PAGE));
      expect(html.match(/href="https:\/\/acme/g)).toHaveLength(2);
    },
  );

  test.each(PLATFORM_LANGUAGES)("mentions no further payment in the mail about a late payment, in %s", (language) => {
    const late = writeBookingMail("payment_received", createMail({ isPaidTooLate: true, isPayable: false }), language);
    const paid = writeBookingMail("payment_received", createMail(), language);
    expect(late.text.split(PAGE)[1]?.split("\n\n")[0]).toBe("");
    expect(paid.text.split(PAGE)[1]?.split("\n\n")[0]).not.toBe("");
  });

  test.each(PLATFORM_LANGUAGES)(
    "states amount and purpose of a payment link, and prepares no pickup after a late payment, in %s",
    (language) => {
      const write = (isHold: boolean) =>
        writeBookingMail("payment_link", createMail({ paymentLink: { amount: "€5.00", isHold } }), language).text;
      expect(write(false)).toContain("€5.00");
      expect(write(true)).toMatch(/€5\.00[^.]*\. \S/);
      expect(write(true)).not.toBe(write(false));
      const late = writeBookingMail("payment_received", createMail({ isPaidTooLate: true, guide: GUIDE }), language);
      expect(late.text).not.toMatch(/1 May 10:00|€300\.00|\n- /);
    },
  );

  test("keeps dates and opening times in a mail on one line", () => {
    const { html } = writeBookingMail(
      "confirmed",
      createMail({ pickup: "05-12-2026 10:00, Palma", guide: GUIDE }),
      "nl",
    );
    expect(html).toContain('<span style="white-space: nowrap">05-12-2026</span> 10:00');
    expect(html).toContain('<span style="white-space: nowrap">08:00–20:00</span>');
  });

  test.each([
    ["it", "Partenza", "Ritiro"],
    ["pt", "Partida", "Levantamento"],
  ] as const)("names a transfer's start in %s differently from the pickup of a vehicle", (language, start, pickup) => {
    expect(writeBookingMail("confirmed", createMail({ isTransfer: true }), language).text).toContain(
      `${start}: Airport`,
    );
    expect(writeBookingMail("confirmed", createMail(), language).text).toContain(`${pickup}: Airport`);
  });

  test("shows the luggage of a transfer, if it is known", () => {
    const { text, html } = writeBookingMail("confirmed", createMail({ isTransfer: true, transfer: A_TRANSFER }), "de");
    expect(text).toContain("Gepäckstücke: 3");
    expect(html).toContain("Gepäckstücke");
    expect(text).not.toContain("Sperrige");
    expect(writeBookingMail("confirmed", createMail(), "de").text).not.toContain("Gepäck");
  });

  test("shows the special hours of the day of the pickup instead of the week's", () => {
    const specialHours = { date: "24 December", times: ["09:00–13:00"] };
    const { text } = writeBookingMail("confirmed", createMail({ guide: { ...GUIDE, specialHours } }), "en");
    expect(text).toContain("24 December: 09:00–13:00");
    expect(text).not.toContain("08:00–20:00");
  });

  test.each(PLATFORM_LANGUAGES)(
    "describes place, times, extras and deposit of the pickup in a mail in %s, in text and HTML, below 60 kB",
    (language) => {
      const { text, html } = writeBookingMail(
        "confirmed",
        createMail({ extras: "2 × Child seat", guide: GUIDE }),
        language,
      );
      const facts = [
        "2 × Child seat",
        "Harbour 1, 07001 Palma",
        "Station 2",
        "€300.00",
        "1 May 10:00",
        "+34 971 000 000",
      ];
      for (const fact of [...facts, "08:00–20:00", "Acme · Palma", "air@example.com"]) {
        expect(text).toContain(fact);
        expect(html).toContain(fact);
      }
      expect(text).toContain("https://map.example/1");
      expect(html).toContain('href="https://map.example/1"');
      expect(text.match(/^- /gm)).toHaveLength(3);
      expect(html.match(/<li>/g)).toHaveLength(3);
      expect(Buffer.byteLength(html)).toBeLessThan(60_000);
    },
  );

  test("shows only the contact instead of pickup advice in a mail once the rental has begun", () => {
    const { text } = writeBookingMail("collected", createMail({ guide: GUIDE, isOpen: false }), "en");
    expect(text).toContain("Phone: +34 971 000 000");
    expect(text).not.toMatch(/Station 2|deposit|free of charge|bring/);
  });

  test("names the deposit in the subject of a card hold's mail, and the payment in that of a payment link", () => {
    const getSubject = (isHold: boolean) =>
      writeBookingMail("payment_link", createMail({ paymentLink: { amount: "200,00 €", isHold } }), "fr").subject;
    expect(getSubject(true)).toBe("Acme\u00a0: Dépôt de garantie (7)");
    expect(getSubject(false)).toBe("Acme\u00a0: lien de paiement (7)");
  });

  test("shows in the mail after the hand-over where to return the vehicle, also if that is the pickup place", () => {
    const write = (changes: Partial<BookingMail>) =>
      writeBookingMail("delivered", createMail({ isOpen: false, ...changes }), "en").text;
    expect(write({ guide: GUIDE })).toContain("Return address: Station 2\n");
    expect(write({ guide: { ...GUIDE, returnAt: undefined } })).toContain("Return address: Harbour 1, 07001 Palma\n");
    expect(write({ guide: GUIDE })).not.toMatch(/deposit|free of charge|bring/);
    expect(write({ guide: GUIDE, isTransfer: true })).not.toContain("Return address");
  });

  test.each([
    ["it", "08/01/2027 10:00", "fino all'08/01/2027 10:00"],
    ["it", "11/01/2027 10:00", "fino all'11/01/2027 10:00"],
    ["it", "18/01/2027 10:00", "fino al 18/01/2027 10:00"],
    ["ca", "1/1/2027 10:00", "fins a l'1/1/2027 10:00"],
    ["ca", "11/1/2027 10:00", "fins a l'11/1/2027 10:00"],
    ["ca", "21/1/2027 10:00", "fins al 21/1/2027 10:00"],
  ] as const)("elides the article before a date in %s: %s", (language, moment, written) => {
    const guide: PickupGuide = { ...GUIDE, cancellation: [{ until: moment, fee: undefined }] };
    const { text } = writeBookingMail("request_received", createMail({ holdUntil: moment, guide }), language);
    expect(text.split(written)).toHaveLength(3);
  });

  test("lists the fees of a cancellation until the pickup, and one fee as a sentence", () => {
    const free = { until: "1 May 10:00", fee: undefined };
    const costly = { until: "3 May 10:00", fee: "€20.00" };
    const write = (cancellation: PickupGuide["cancellation"]) =>
      writeBookingMail("reminder", createMail({ guide: { ...GUIDE, cancellation } }), "en");
    const [freeText, feeText] = [
      "You can cancel free of charge until 1 May 10:00.",
      "If you cancel until 3 May 10:00, the fee is €20.00.",
    ];
    const { text, html } = write([free, costly]);
    expect(text).toContain(`- ${freeText}\n- ${feeText}\n`);
    expect(html).toContain(`<li>${freeText}</li><li>${feeText}</li>`);
    expect(write([costly]).text).toContain(`\n\n${feeText}\n`);
    expect(write([]).text).not.toMatch(/free of charge|If you cancel/);
  });

  test.each([
    [["fuel"], ["same fuel level"]],
    [["charge"], ["same charge level"]],
    [
      ["fuel", "charge"],
      ["same fuel level", "same charge level"],
    ],
    [[], []],
  ] as const)("states the levels at the return in a confirmation: %j", (levels, stated) => {
    const { text } = writeBookingMail("confirmed", createMail({ guide: { ...GUIDE, levels } }), "en");
    expect(text.match(/same \w+ level/g) ?? []).toEqual(stated);
  });

  test("shows the company's logo with its name as text, on white", () => {
    const { html } = writeBookingMail("confirmed", createMail({ logo: 'https://a.test/logo?"' }), "en");
    expect(html).toContain('<img src="https://a.test/logo?&quot;" alt="');
    expect(html).toContain("background: #ffffff; color: #1b1f23; font-size: 20px");
    expect(writeBookingMail("confirmed", createMail({}), "en").html).not.toContain("<img");
  });

  test("writes a mail in the company's color with readable text, and in a safe color instead of an invalid one", () => {
    const head = (color: string) =>
      /background: (#\w+); color: (#\w+); font-size: 20px/.exec(
        writeBookingMail("confirmed", createMail({ color }), "en").html,
      );
    expect(head("#ffcc00")?.slice(1)).toEqual(["#ffcc00", "#1b1f23"]);
    expect(head("#003366")?.slice(1)).toEqual(["#003366", "#ffffff"]);
    expect(head("red;}")?.slice(1)).toEqual(["#1f4e79", "#ffffff"]);
  });

  test("adds no reservation link to a mail to a branch", () => {
    expect(
      writeBookingMail("confirmed", createMail({ customer: "Ana Ruiz", page: undefined }), "en").html,
    ).not.toContain("<a ");
  });
});
