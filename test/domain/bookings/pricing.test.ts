import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { draftBooking } from "#domain/bookings/draft.ts";
import { findBookedDiscounts, isDiscountValidFor, priceExtra, priceProduct } from "#domain/bookings/pricing.ts";
import type { Bracket, Catalogue, SeasonPeriod } from "#domain/catalogue/catalogue.ts";
import { addDays, type CivilDate } from "#domain/dates.ts";
import { sumCents } from "#domain/money.ts";
import {
  createCatalogue,
  createCategory,
  createExtra,
  createOffer,
  createPeriod,
  createPlace,
  createPromotionCode,
  createResolvedRentalTerms,
  createSettings,
  createTariff,
} from "#support/catalogue.ts";

const PICKUP = "2026-06-01" as CivilDate;

function unitPrice(
  catalogue: Catalogue,
  days: number,
  changes: Parameters<typeof createResolvedRentalTerms>[2] = {},
  from = PICKUP,
) {
  const terms = createResolvedRentalTerms(catalogue, createPeriod(from, addDays(from, days)), changes);
  return priceProduct(catalogue, terms, createCategory());
}

function perDay(fromDays: number, toDays: number | undefined, priceCents: number): Bracket {
  return { fromDays, toDays, pricePer: "day", priceCents };
}

function inSeason(seasonId: number, dateFrom: string, dateTo: string): SeasonPeriod {
  return { seasonId, dateFrom: dateFrom as CivilDate, dateTo: dateTo as CivilDate };
}

describe("tariffs", () => {
  const brackets = [perDay(1, 2, 4000), perDay(3, 6, 3000), perDay(7, undefined, 2500)];
  const catalogue = createCatalogue({ tariffs: [createTariff(0, { brackets })] });

  test.each([
    [1, 4000],
    [2, 8000],
    [3, 9000],
    [6, 18_000],
    [7, 17_500],
    [30, 75_000],
  ])("charges each of %i days by the bracket of the full length", (days, cents) => {
    expect(unitPrice(catalogue, days)?.unitBaseCents).toBe(cents);
    const upsideDown = createCatalogue({ tariffs: [createTariff(0, { brackets: brackets.toReversed() })] });
    expect(unitPrice(upsideDown, days)?.unitBaseCents).toBe(cents);
  });

  // Proves "rules.md: quotes, counts and agreements": A price for the whole rental, whatever its days
  test("charges a bracket's fixed price once for the whole rental", () => {
    const weekend = createTariff(0, { brackets: [{ fromDays: 2, toDays: 4, pricePer: "bracket", priceCents: 9999 }] });
    for (const days of [2, 3, 4])
      expect(unitPrice(createCatalogue({ tariffs: [weekend] }), days)?.unitBaseCents).toBe(9999);
  });

  test("returns no price for a length that no bracket covers", () => {
    const short = createTariff(0, { brackets: [perDay(1, 5, 4000)] });
    expect(unitPrice(createCatalogue({ tariffs: [short] }), 6)).toBeUndefined();
  });

  // Proves "rules.md and conventions.md: the agency interface": Tariffs per category, season, channel, brackets
  test("charges each day of a rental across seasons at its season's price", () => {
    const seasons = createCatalogue({
      seasonPeriods: [inSeason(1, "2026-05-01", "2026-06-02"), inSeason(2, "2026-06-03", "2026-06-30")],
      tariffs: [createTariff(1000, { seasonId: 1 }), createTariff(3000, { seasonId: 2 }), createTariff(500)],
    });
    expect(unitPrice(seasons, 5)?.unitBaseCents).toBe(2 * 1000 + 3 * 3000);
    expect(unitPrice(seasons, 2, {}, "2026-07-01" as CivilDate)?.unitBaseCents).toBe(2 * 500);
    expect(unitPrice(seasons, 2, {}, "2026-04-29" as CivilDate)?.unitBaseCents).toBe(2 * 500);
  });

  test("returns no price if one day's season has no tariff", () => {
    const seasons = createCatalogue({
      seasonPeriods: [inSeason(1, "2026-05-01", "2026-06-02"), inSeason(2, "2026-06-03", "2026-06-30")],
      tariffs: [createTariff(1000, { seasonId: 1 })],
    });
    expect(unitPrice(seasons, 2)?.unitBaseCents).toBe(2000);
    expect(unitPrice(seasons, 3)).toBeUndefined();
  });

  test("splits a fixed rental price over the days of its seasons without losing a cent", () => {
    const brackets = [{ fromDays: 1, toDays: undefined, pricePer: "bracket" as const, priceCents: 10_001 }];
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 0, max: 59 }), (days, first) => {
        const seasons = createCatalogue({
          seasonPeriods: [inSeason(1, "2026-01-01", addDays(PICKUP, first))],
          tariffs: [createTariff(0, { seasonId: 1, brackets }), createTariff(0, { brackets })],
        });
        expect(unitPrice(seasons, days)?.unitBaseCents).toBe(10_001);
      }),
    );
  });

  test("prefers the sales channel's own tariff over the general one", () => {
    const channels = createCatalogue({ tariffs: [createTariff(5000), createTariff(4000, { salesChannel: "AGENCY" })] });
    expect(unitPrice(channels, 1, { salesChannel: "AGENCY" })?.unitBaseCents).toBe(4000);
    expect(unitPrice(channels, 1, { salesChannel: "WEB" })?.unitBaseCents).toBe(5000);
    expect(unitPrice(channels, 1)?.unitBaseCents).toBe(5000);
  });

  test("charges at least as much for a longer rental in a season, unless its brackets specify otherwise", () => {
    const dayPrices = fc.array(fc.integer({ min: 100, max: 20_000 }), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(dayPrices, fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 30 }), (prices, days, more) => {
        const bracketsUpwards = prices
          .sort((a, b) => a - b)
          .map((price, index) =>
            perDay(1 + 5 * index, index === prices.length - 1 ? undefined : 5 * (index + 1), price),
          );
        const upwards = createCatalogue({
          tariffs: [createTariff(0, { brackets: bracketsUpwards })],
          offers: [createOffer()],
        });
        const shorter = unitPrice(upwards, days)?.unitCents ?? Number.NaN;
        const longer = unitPrice(upwards, days + more)?.unitCents ?? Number.NaN;
        expect(longer).toBeGreaterThanOrEqual(shorter);
      }),
    );
  });
});

describe("discounts", () => {
  // Proves "rules.md: quotes, counts and agreements": An offer lowers a tariff's price by a share
  test("deducts an offer's percentage from the tariff's price", () => {
    const price = unitPrice(createCatalogue({ offers: [createOffer({ value: 1500 })] }), 3);
    expect(price).toMatchObject({ unitBaseCents: 15_000, unitCents: 12_750, offer: { id: 1 } });
  });

  // Proves "rules.md: quotes, counts and agreements": An offer of an amount never makes it negative
  test("never makes a price negative by an offer's fixed amount", () => {
    const gift = createOffer({ discountType: "amount", value: 999_999 });
    expect(unitPrice(createCatalogue({ offers: [gift] }), 3)?.unitCents).toBe(0);
  });

  test("applies only the offer that saves most", () => {
    const offers = [
      createOffer({ id: 1, value: 500 }),
      createOffer({ id: 2, value: 2000 }),
      createOffer({ id: 3, value: 2000 }),
    ];
    for (const inAnyOrder of [offers, offers.toReversed()])
      expect(unitPrice(createCatalogue({ offers: inAnyOrder }), 2)).toMatchObject({
        unitCents: 8000,
        offer: { id: 2 },
      });
  });

  test.each([
    ["booked on the offer's first day", { bookingFrom: "2026-01-10" as CivilDate }],
    ["booked on the offer's last day", { bookingTo: "2026-01-10" as CivilDate }],
    ["picked up on the offer's first day", { rentalFrom: "2026-06-01" as CivilDate }],
    ["picked up on the offer's last day", { rentalTo: "2026-06-01" as CivilDate }],
    ["that is just long enough", { minimumDays: 3 }],
    ["of the offer's category", { categoryCode: "A" }],
    ["sold on the offer's channel", { salesChannel: "WEB" }],
  ])("applies an offer to a rental %s", (_, changes) => {
    const catalogue = createCatalogue({ offers: [createOffer(changes)] });
    expect(unitPrice(catalogue, 3, { salesChannel: "WEB" })?.offer?.id).toBe(1);
  });

  test("applies an offer for all channels on each of them", () => {
    expect(unitPrice(createCatalogue({ offers: [createOffer()] }), 3, { salesChannel: "AGENCY" })?.offer?.id).toBe(1);
  });

  test.each([
    ["booked before the offer begins", { bookingFrom: "2026-01-11" as CivilDate }],
    ["booked after the offer ends", { bookingTo: "2026-01-09" as CivilDate }],
    ["picked up before the offer begins", { rentalFrom: "2026-06-02" as CivilDate }],
    ["picked up after the offer ends", { rentalTo: "2026-05-31" as CivilDate }],
    ["too short", { minimumDays: 4 }],
    ["of another category", { categoryCode: "B" }],
    ["sold on another channel", { salesChannel: "AGENCY" }],
  ])("doesn't apply an offer to a rental %s", (_, changes) => {
    expect(unitPrice(createCatalogue({ offers: [createOffer(changes)] }), 3)?.offer).toBeUndefined();
  });

  // Proves "rules.md and conventions.md: the agency interface": Offers, then a promotion code
  test("deducts a promotion code from the price after offers, in any letter case", () => {
    const catalogue = createCatalogue({
      offers: [createOffer({ value: 1000 })],
      promotionCodes: [createPromotionCode()],
    });
    expect(unitPrice(catalogue, 1, { promotionCode: "welcome10" })?.unitCents).toBe(4050);
    expect(unitPrice(catalogue, 1, { promotionCode: "NOSUCH" })?.unitCents).toBe(4500);
  });

  test("ignores a promotion code if its terms don't match", () => {
    const catalogue = createCatalogue({ promotionCodes: [createPromotionCode({ minimumDays: 4 })] });
    expect(unitPrice(catalogue, 3, { promotionCode: "WELCOME10" })?.promotionCode).toBeUndefined();
    expect(unitPrice(catalogue, 4, { promotionCode: "WELCOME10" })?.promotionCode?.code).toBe("WELCOME10");
  });

  test("applies a discount if the rental's dates or length aren't known yet", () => {
    const terms = createOffer({ minimumDays: 7, rentalFrom: "2026-06-01" as CivilDate });
    const bookedOn = "2026-01-10" as CivilDate;
    const rental = { bookedOn, dateFrom: undefined, days: undefined };
    expect(isDiscountValidFor(terms, rental)).toBe(true);
    expect(isDiscountValidFor(terms, { ...rental, days: 6 })).toBe(false);
    expect(isDiscountValidFor(terms, { ...rental, dateFrom: "2026-05-31" as CivilDate })).toBe(false);
  });

  test.each([
    ["another offer applies now", { offers: [createOffer({ id: 2 })] }, { offerId: 1 }],
    ["its offer has another value now", { offers: [createOffer({ value: 3000 })] }, { offerId: 1 }],
    [
      "its promotion code has another value now",
      { promotionCodes: [createPromotionCode({ value: 3000 })] },
      { offerId: undefined },
    ],
    [
      "it was booked without a discount",
      { offers: [createOffer()], promotionCodes: [createPromotionCode()] },
      { offerId: undefined, unitCents: 9000 },
    ],
  ])("returns no discount for a booked line if %s", (_, parts, changes) => {
    const line = { unitBaseCents: 9000, unitCents: 8100, ...changes };
    expect(findBookedDiscounts(createCatalogue(parts), line, "WELCOME10")).toEqual({
      offer: undefined,
      promotionCode: undefined,
    });
  });

  test("finds the discounts that a line was booked with", () => {
    const kinds = fc.constantFrom<"percentage" | "amount">("percentage", "amount");
    const discount = fc.record({ discountType: kinds, value: fc.integer({ min: 1, max: 10_000 }) });
    const oneOrNone = fc.array(discount, { maxLength: 1 });
    const { code } = createPromotionCode();
    fc.assert(
      fc.property(oneOrNone, oneOrNone, (offers, codes) => {
        const catalogue = createCatalogue({
          offers: offers.map(createOffer),
          promotionCodes: codes.map(createPromotionCode),
        });
        const price = unitPrice(catalogue, 3, { promotionCode: code });
        if (!price) throw new Error("the catalogue has no price");
        const { unitBaseCents, unitCents, offer, promotionCode } = price;
        const discounts = findBookedDiscounts(catalogue, { unitBaseCents, unitCents, offerId: offer?.id }, code);
        expect(discounts).toEqual({ offer, promotionCode });
      }),
    );
  });
});

describe("extras", () => {
  // Proves "rules.md: quotes, counts and agreements": Extras by the day, up to their maximum
  test("charges extras per day, up to their maximum", () => {
    const catalogue = createCatalogue();
    const extra = createExtra({ priceCents: 400, maximumPriceCents: 2000 });
    expect(
      priceExtra(createResolvedRentalTerms(catalogue, createPeriod("2026-06-01", "2026-06-04")), extra).unitCents,
    ).toBe(1200);
    expect(
      priceExtra(createResolvedRentalTerms(catalogue, createPeriod("2026-06-01", "2026-06-21")), extra).unitCents,
    ).toBe(2000);
  });

  // Proves "rules.md: quotes, counts and agreements": Extras once for the rental
  test("charges extras once per rental if configured so", () => {
    const terms = createResolvedRentalTerms(createCatalogue(), createPeriod("2026-06-01", "2026-06-21"));
    expect(priceExtra(terms, createExtra({ pricePer: "rental", priceCents: 1500 })).unitCents).toBe(1500);
  });
});

describe("a draft", () => {
  const amounts = fc.integer({ min: 0, max: 500_000 });
  const catalogues = fc
    .record({
      day: amounts,
      deposit: amounts,
      guarantee: amounts,
      s1: amounts,
      s2: amounts,
      s3: amounts,
      place: amounts,
      extra: amounts,
    })
    .map((cents) =>
      createCatalogue({
        settings: createSettings({ depositShare: 3333 }),
        places: [createPlace({ priceCents: cents.place })],
        categories: [
          createCategory({
            depositCents: cents.deposit,
            guaranteeCents: cents.guarantee,
            supplementCents: [cents.s1, cents.s2, cents.s3],
          }),
          createCategory({ code: "B" }),
        ],
        tariffs: [createTariff(cents.day), createTariff(cents.day, { categoryCode: "B" })],
        extras: [createExtra({ priceCents: cents.extra })],
        driverAgeRules: [
          {
            id: 1,
            description: "",
            descriptions: {},
            ageFrom: 21,
            ageTo: 24,
            allowed: true,
            costPer: "day",
            costCents: cents.s1,
            depositCents: cents.s2,
          },
        ],
        offers: [createOffer({ value: 777 })],
      }),
    );

  // Proves "rules.md and conventions.md: the agency interface": total_cost is the sum of its parts
  test("calculates every total of a booking as the sum of its parts", () => {
    fc.assert(
      fc.property(
        catalogues,
        fc.integer({ min: 1, max: 40 }),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 0, max: 3 }),
        (catalogue, days, cars, seats) => {
          const terms = createResolvedRentalTerms(catalogue, createPeriod(PICKUP, addDays(PICKUP, days)), {
            driverAge: 22,
          });
          const products = [
            { code: "A", quantity: cars },
            { code: "B", quantity: 1 },
          ];
          const drafted = draftBooking(catalogue, terms, products, seats ? [{ code: "SEAT", quantity: seats }] : []);
          if (!drafted.ok) throw new Error(drafted.error.kind);
          const { lines, extras, totals } = drafted.value;
          for (const line of lines) expect(line.itemCents).toBe(line.unitCents * line.quantity);
          expect(totals.itemCents).toBe(sumCents(lines.map((line) => line.itemCents)));
          expect(totals.extrasCents).toBe(sumCents(extras.map((extra) => extra.extraCents)));
          expect(totals.totalCents).toBe(
            totals.itemCents +
              totals.extrasCents +
              totals.timeFromCents +
              totals.timeToCents +
              totals.pickupPlaceCents +
              totals.returnPlaceCents +
              totals.driverAgeCents +
              sumCents(totals.categorySupplementCents),
          );
          expect(totals.totalDepositCents).toBe(
            totals.productDepositCents + totals.productGuaranteeCents + totals.driverAgeDepositCents,
          );
          expect(Math.abs(totals.bookingAmountCents - (totals.totalCents * 3333) / 10_000)).toBeLessThanOrEqual(0.5);
          expect(
            Object.values(totals)
              .flat()
              .every((cents) => Number.isSafeInteger(cents) && cents >= 0),
          ).toBe(true);
        },
      ),
    );
  });

  test("combines the same product requested twice in one line", () => {
    const catalogue = createCatalogue();
    const terms = createResolvedRentalTerms(catalogue, createPeriod("2026-06-01", "2026-06-02"));
    const drafted = draftBooking(
      catalogue,
      terms,
      [
        { code: "A", quantity: 1 },
        { code: "A", quantity: 2 },
      ],
      [],
    );
    expect(drafted.ok && drafted.value.lines).toMatchObject([{ quantity: 3, itemCents: 15_000 }]);
  });

  test.each([
    ["an unknown product", [{ code: "Z", quantity: 1 }], [], "product"],
    ["a product that is not sold in public", [{ code: "HIDDEN", quantity: 1 }], [], "product"],
    ["a product without a price", [{ code: "B", quantity: 1 }], [], "product"],
    ["an unknown extra", [{ code: "A", quantity: 1 }], [{ code: "Z", quantity: 1 }], "extra"],
    [
      "more of an extra than its maximum quantity",
      [{ code: "A", quantity: 1 }],
      [{ code: "SEAT", quantity: 4 }],
      "quantity",
    ],
  ])("rejects a booking of %s, naming the field", (_, products, extras, field) => {
    const categories = [
      createCategory(),
      createCategory({ code: "B" }),
      createCategory({ code: "HIDDEN", webPublic: false }),
    ];
    const catalogue = createCatalogue({ categories });
    const terms = createResolvedRentalTerms(catalogue, createPeriod("2026-06-01", "2026-06-02"));
    expect(draftBooking(catalogue, terms, products, extras)).toMatchObject({
      ok: false,
      error: { kind: "invalid", field },
    });
  });
});
