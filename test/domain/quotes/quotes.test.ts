import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { StorableDraft } from "#domain/bookings/draft.ts";
import type { ReservationRequest } from "#domain/contracts/requests.ts";
import { type CivilDate, type TimeText, toCivilMinute } from "#domain/dates.ts";
import { createQuotePrintout, formatQuoteContent } from "#domain/quotes/printout.ts";
import {
  changeQuoteRequest,
  decideQuoteAction,
  formatQuoteNumber,
  getQuoteStatus,
  listQuoteActions,
  needsNewPrices,
  QUOTE_ACTIONS,
  type QuoteState,
} from "#domain/quotes/quotes.ts";
import { getQuoteTexts } from "#domain/quotes/texts.ts";
import { createPrintContext } from "#support/printouts.ts";

const END = 1_000;
const steps = fc.array(
  fc.record({ action: fc.constantFrom(...QUOTE_ACTIONS), at: fc.integer({ min: 0, max: 2_000 }) }),
);

// Applies the actions that aren't refused, in the order of their times.
function runActions(actions: readonly { action: (typeof QUOTE_ACTIONS)[number]; at: number }[]) {
  const path: { before: QuoteState; action: string; at: number; isOk: boolean; after: QuoteState }[] = [];
  let state: QuoteState = { status: "draft", validUntil: END, pickupAt: END * 3 };
  for (const { action, at } of [...actions].sort((a, b) => a.at - b.at)) {
    const decided = decideQuoteAction(state, action, at);
    const after: QuoteState = decided.ok ? { ...state, status: decided.value } : state;
    path.push({ before: state, action, at, isOk: decided.ok, after });
    state = after;
  }
  return path;
}

describe("the life of a quote", () => {
  test("never changes the status of an accepted or declined quote, and accepts a quote at most once", () => {
    fc.assert(
      fc.property(steps, (actions) => {
        const path = runActions(actions);
        for (const { before, after } of path)
          if (before.status === "accepted" || before.status === "declined") expect(after.status).toBe(before.status);
        expect(path.filter(({ action, isOk }) => action === "accept" && isOk).length).toBeLessThanOrEqual(1);
      }),
    );
  });

  test("allows duplicating a quote at any time, but other actions only before it expires", () => {
    fc.assert(
      fc.property(steps, (actions) => {
        for (const { before, action, at, isOk } of runActions(actions)) {
          if (action === "duplicate") expect(isOk).toBe(true);
          else if (at >= END) expect(isOk).toBe(false);
          expect(isOk).toBe(listQuoteActions(before, at).some((allowed) => allowed === action));
        }
      }),
    );
  });

  test.each([
    ["draft", 1_000, 3_000, 999, "draft"],
    ["sent", 1_000, 3_000, 1_000, "expired"],
    ["sent", 3_000, 1_000, 999, "sent"],
    ["sent", 3_000, 1_000, 1_000, "expired"],
    ["accepted", 1_000, 3_000, 5_000, "accepted"],
    ["declined", 3_000, 1_000, 5_000, "declined"],
  ] as const)(
    "shows a quote that is %s, valid until %i and picked up at %i as it is at the time %i: %s",
    (status, validUntil, pickupAt, at, shownStatus) => {
      expect(getQuoteStatus({ status, validUntil, pickupAt }, at)).toBe(shownStatus);
    },
  );

  test("allows only duplicating a quote after its pickup, as its page shows it", () => {
    expect(listQuoteActions({ status: "sent", validUntil: 3_000, pickupAt: 1_000 }, 1_000)).toEqual(["duplicate"]);
  });

  test("returns the quote's status as the reason why an action is refused", () => {
    expect(decideQuoteAction({ status: "sent", validUntil: END, pickupAt: END * 3 }, "accept", END)).toEqual({
      ok: false,
      error: { kind: "quoteClosed", status: "expired" },
    });
  });
});

const REQUEST: ReservationRequest = {
  rental: {
    period: {
      dateFrom: "2030-06-10" as CivilDate,
      timeFrom: "10:00" as TimeText,
      dateTo: "2030-06-13" as CivilDate,
      timeTo: "10:00" as TimeText,
    },
    pickupPlaceId: 1,
    returnPlaceId: 1,
  },
  products: [{ code: "A", quantity: 1 }],
  extras: [],
  customer: { name: "Ana", surname: "Ruiz", email: "ana@example.com", phone: undefined, documentId: undefined },
  contractData: { customer_address_city: "Palma" },
  language: undefined,
  status: "confirmed",
  priceOverride: undefined,
  comments: undefined,
  ruleReason: undefined,
};

describe("a change of a quote", () => {
  test("keeps unspecified fields when a quote changes", () => {
    const changed = changeQuoteRequest(REQUEST, {
      period: { dateTo: "2030-06-14" as CivilDate },
      quantity: 2,
      customer: { phone: "+34600111222" },
    });
    expect(changed).toEqual({
      ...REQUEST,
      customerId: undefined,
      rental: { ...REQUEST.rental, period: { ...REQUEST.rental.period, dateTo: "2030-06-14" } },
      products: [{ code: "A", quantity: 2 }],
      customer: { ...REQUEST.customer, phone: "+34600111222" },
    });
  });

  test("drops the first customer's data when a quote's customer changes", () => {
    expect(changeQuoteRequest(REQUEST, { customer: { id: 7 } })).toMatchObject({
      customerId: 7,
      customer: { id: 7, name: "", email: undefined },
    });
  });

  test.each([
    [{ sale: { comments: "By ferry" } }, false],
    [{ customer: { phone: "+34600111222" } }, false],
    [{ customer: { id: 7 } }, true],
    [{ quantity: 2 }, true],
    [{ sale: { discount: null } }, true],
  ])("decides whether the quote change %o needs new prices: %s", (change, expected) => {
    expect(needsNewPrices(change)).toBe(expected);
  });
});

test("numbers a quote with its year and at least four digits", () => {
  expect(formatQuoteNumber({ year: 2026, sequence: 42 })).toBe("Q2026-0042");
  expect(formatQuoteNumber({ year: 2026, sequence: 12_345 })).toBe("Q2026-12345");
});

describe("the content of a quote", () => {
  const period = { dateFrom: "2026-07-03", timeFrom: "10:00", dateTo: "2026-07-06", timeTo: "10:00" };
  const place = { id: 1, name: "Airport" };
  const offer = {
    terms: { period, days: 3, pickupPlace: place, returnPlace: place },
    ...{ lines: [], extras: [], discount: undefined },
    totals: {},
  } as unknown as StorableDraft;
  const quote = {
    ...{ number: "Q1", customer: { name: "Ana", documentId: undefined }, validUntil: "2026-07-01 10:00", offer, at: 0 },
    ...{ kilometresPerDay: 250, freeCancellationEnd: toCivilMinute("2026-07-01" as CivilDate, "10:00" as TimeText) },
    terms: { language: "en" as const, text: "## 1. Use\nWith care.\n" },
  };
  const same = (_: unknown, name: string) => name;
  const names = { place: same, category: same, extra: same };

  test("prints headings of the conditions in a quote's PDF as headings, like in a contract", () => {
    const { blocks } = createQuotePrintout(quote, createPrintContext(), names);
    expect(blocks.slice(-2)).toEqual([
      { kind: "heading", text: "1. Use", isSmall: true },
      { kind: "paragraph", text: "With care.", isSmall: true },
    ]);
  });

  // Proves "office.md: the vehicles of a contract": quote: its discount is a line of its own, and the sums add up
  test("shows list prices and the discount of a quote as a line of its own on its page and PDF", () => {
    const discounted = {
      ...offer,
      lines: [{ category: { code: "A", name: "Small" }, quantity: 2, unitCents: 5000 }],
      extras: [{ extra: { code: "GPS", name: "Navigator" }, quantity: 1, unitCents: 2000 }],
      discount: { kind: "percentage", value: 1000, reason: "Fair", by: "staff:1", amountCents: 1200 },
      totals: { itemCents: 8800, extrasCents: 2000, totalCents: 11_300, totalDepositCents: 0 },
    } as unknown as StorableDraft;
    const notation = { language: "en", country: "GB", money: { currency: "EUR", decimals: 2 }, names } as const;
    const { rows, total } = formatQuoteContent({ ...quote, offer: discounted }, notation);
    expect([...rows.map(({ name, amount }) => `${name} ${amount}`), total]).toEqual([
      ...["Small €100.00", "Navigator €20.00", "Supplements €5.00", "Discount -€12.00"],
      "€113.00",
    ]);
    const printed = JSON.stringify(createQuotePrintout({ ...quote, offer: discounted }, createPrintContext(), names));
    expect(printed).toContain(getQuoteTexts("es").discount);
  });

  test("names the language of the conditions if they aren't in the customer's", () => {
    const terms = { language: "es", text: "Con cuidado." } as const;
    const readHeading = (language: "fr" | "es") =>
      createQuotePrintout({ ...quote, terms }, { ...createPrintContext(), language }, names).blocks.find(
        ({ kind }) => kind === "heading",
      );
    expect(readHeading("fr")).toMatchObject({ text: "Conditions générales (espagnol)" });
    expect(readHeading("es")).toMatchObject({ text: getQuoteTexts("es").terms });
  });

  test.each([
    [{}, ["Kilometres included: 750 km", "Free cancellation until: 1 Jul 2026 10:00"]],
    [{ kilometresPerDay: undefined, freeCancellationEnd: undefined }, []],
  ])("states kilometres and the end of the free cancellation, if there is one: %o", (changes, expected) => {
    const notation = { language: "en", country: "GB", money: { currency: "EUR", decimals: 2 }, names } as const;
    const { facts } = formatQuoteContent({ ...quote, ...changes }, notation);
    const stated = facts.map(({ label, value }) => `${label}: ${value}`);
    expect(stated.filter((text) => /^(Kilometres|Free)/.test(text))).toEqual(expected);
  });
});
