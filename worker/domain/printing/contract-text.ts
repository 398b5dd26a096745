import type { ExchangedVehiclesUse } from "#domain/bookings/closing.ts";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { formatFuelLevel } from "#domain/check-in/fuel.ts";
import type { Damage } from "#domain/contracts/damage.ts";
import type { CivilDate, Period } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import { formatCount, formatDate, formatMoney, type MoneyNotation } from "#domain/money-notation.ts";
import { type ContractTexts, getContractTexts } from "./contract-texts/index.ts";

// Format of the text that a customer signs, generated identically by the device and the Worker. A line is a title (`#
// `), a heading (`## `), a fact (two cells separated by a tab), a price, a sum (`=`) or a damage (`(1)`, new: `[1]`,
// none: `()`) of three cells, or a paragraph.

/** Rental company as named in the printed contract. */
export interface Lessor {
  readonly name: string;
  readonly taxId: string | undefined;
  readonly address: string | undefined;
  readonly phone: string | undefined;
  readonly email: string | undefined;
}

export interface ContractDriver {
  readonly name: string;
  readonly documentId: string | undefined;
  readonly licence: string | undefined;
  readonly licenceExpires: string | undefined;
  readonly born: string | undefined;
}

export interface ContractVehicle {
  readonly name: string;
  readonly plate: string | undefined;
  /** Whether its battery level is written in percent. */
  readonly isElectric?: boolean;
}

/** Odometer and fuel level of a vehicle in a contract's text. */
export interface ContractReading {
  readonly kilometres: number | undefined;
  readonly fuelEighths: number | undefined;
}

export type ContractDamage = Pick<Damage, "part" | "kind" | "severity" | "x" | "y" | "note"> & {
  readonly isNew: boolean;
};

/** Data of a rental and its unit that doesn't depend on later events. */
interface UnitFacts {
  readonly bookingId: number;
  readonly language: PlatformLanguage;
  /** Country of the company. It selects the English variant. */
  readonly country: string;
  readonly money: Omit<MoneyNotation, "language">;
  readonly lessor: Lessor;
  readonly customerName: string;
  readonly vehicle: ContractVehicle | undefined;
  readonly categoryName: string;
  readonly damages: readonly ContractDamage[];
}

/** All data of a rental contract. */
export interface ContractTextData extends UnitFacts {
  readonly customer: {
    readonly documentId: string | undefined;
    readonly phone: string | undefined;
    readonly email: string | undefined;
    readonly address: string | undefined;
  };
  readonly drivers: readonly ContractDriver[];
  readonly period: Period;
  readonly days: number;
  readonly pickupPlace: string;
  readonly returnPlace: string;
  readonly prices: {
    readonly itemCents: Cents;
    readonly discountCents?: Cents | undefined;
    readonly extras: readonly { readonly name: string; readonly quantity: number; readonly cents: Cents }[];
    readonly supplementsCents: Cents;
    readonly totalCents: Cents;
    readonly paidCents: Cents;
    /** Amount credited from the total. */
    readonly creditedCents: Cents;
    readonly depositCents: Cents;
  };
  readonly rates: {
    readonly kilometresIncluded: number | undefined;
    readonly extraKilometreCents: Cents;
    readonly fuelEighthCents: Cents;
    readonly extraDayCents: Cents;
  };
  readonly out: ContractReading | undefined;
  /** General conditions of the account in the language. Empty if not set. */
  readonly terms: string;
}

/** All data of a return record. */
export interface ReturnRecordData extends UnitFacts {
  /** Agreed return, and actual return with its place, in the account's time zone. */
  readonly agreed: Pick<Period, "dateTo" | "timeTo">;
  readonly returned: { readonly date: CivilDate; readonly time: string; readonly place: string };
  readonly out: ContractReading | undefined;
  readonly back: ContractReading;
  /** Kilometres and missing fuel of vehicles exchanged for this one, which the closing costs include. */
  readonly earlier: ExchangedVehiclesUse;
  readonly closing: { readonly extraDaysCents: Cents; readonly fuelCents: Cents; readonly kilometresCents: Cents };
  readonly rates: Pick<ContractTextData["rates"], "extraDayCents" | "fuelEighthCents" | "extraKilometreCents">;
  /** Costs charged with the return, such as damage. */
  readonly surcharges?: readonly { readonly name: string; readonly quantity: number; readonly cents: Cents }[];
}

/** Writes the text of a rental contract. */
export function writeContractText(facts: ContractTextData): string {
  const texts = getContractTexts(facts.language);
  return toText([
    `# ${texts.title} ${facts.bookingId}`,
    ...lessorLines(facts.lessor, texts),
    ...customerLines(facts, texts),
    ...driverLines(facts, texts),
    ...rentalLines(facts, texts),
    ...priceLines(facts, texts),
    ...vehicleLines(facts, texts),
    `## ${texts.readingsOut}`,
    ...readingLines(facts.out, texts, facts),
    ...damageLines(facts.damages, texts),
    ...(facts.terms.trim() ? [`## ${texts.conditions}`, ...facts.terms.split("\n").map(termLine)] : []),
  ]);
}

/** Writes the text of a return record. */
export function writeReturnRecord(facts: ReturnRecordData): string {
  const texts = getContractTexts(facts.language);
  const { closing, rates, out, back, earlier, language, surcharges = [] } = facts;
  const money = { ...facts.money, language };
  const driven =
    out?.kilometres === undefined || back.kilometres === undefined ? undefined : back.kilometres - out.kilometres;
  const charged = [
    [texts.extraDays, closing.extraDaysCents, rates.extraDayCents],
    [facts.vehicle?.isElectric ? texts.chargeCost : texts.fuelCharge, closing.fuelCents, rates.fuelEighthCents],
    [texts.kilometresCharge, closing.kilometresCents, rates.extraKilometreCents],
  ] as const;
  const prices = [
    ...charged
      .filter(([, cents]) => cents > 0)
      .map(([name, cents, rate]) => ({ name, quantity: getUnitCount(cents, rate), cents })),
    ...surcharges,
  ];
  const sum = prices.reduce((total, { cents }) => total + cents, 0);
  return toText([
    `# ${texts.returnTitle} ${facts.bookingId}`,
    ...lessorLines(facts.lessor, texts),
    `## ${texts.customer}`,
    nameLine(facts.customerName),
    ...returnedLines(facts, texts),
    ...vehicleLines(facts, texts),
    `## ${texts.readingsOut}`,
    ...readingLines(out, texts, facts),
    `## ${texts.readingsIn}`,
    ...readingLines(back, texts, facts),
    ...(driven === undefined || driven < 0 ? [] : [fact(texts.driven, formatCount(driven, language))]),
    ...earlierLines(earlier, texts, language),
    ...damageLines(facts.damages, texts),
    ...(sum > 0
      ? [
          `## ${texts.prices}`,
          ...prices.map(({ name, quantity, cents }) => price(name, quantity, formatMoney(cents, money))),
          sumLine(texts.total, formatMoney(sum, money)),
        ]
      : []),
  ]);
}

// Returns the number of days, eighths or kilometres of a cost, or one if it combines several rates.
function getUnitCount(cents: Cents, rate: Cents): number {
  return rate > 0 && cents % rate === 0 ? cents / rate : 1;
}

function returnedLines({ agreed, returned, language, country }: ReturnRecordData, texts: ContractTexts): string[] {
  return [
    `## ${texts.return}`,
    fact(texts.agreedReturn, `${formatDate(agreed.dateTo, language, country)} ${agreed.timeTo}`),
    fact(texts.returned, `${formatDate(returned.date, language, country)} ${returned.time}, ${returned.place}`),
  ];
}

// Exchanged vehicles may differ from the current one: with fuel or with a battery.
function earlierLines(
  { kilometres, missingEighths }: ExchangedVehiclesUse,
  texts: ContractTexts,
  language: UnitFacts["language"],
): string[] {
  return facts([
    [texts.drivenBefore, kilometres > 0 ? formatCount(kilometres, language) : undefined],
    [texts.missingBefore, missingEighths > 0 ? formatFuelLevel(missingEighths, false, language) : undefined],
  ]);
}

function toText(lines: readonly string[]): string {
  return `${lines.join("\n")}\n`;
}

// User input is always one cell. Its tabs and line breaks are replaced.
function line(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, " ").trim();
}

// User input can't create a heading.
function nameLine(text: string): string {
  return line(text).replace(/^[#\s]+/, "");
}

// Conditions may contain headings.
function termLine(text: string): string {
  return line(text);
}

function fact(label: string, value: string): string {
  return `${label}\t${line(value)}`;
}

const facts = (rows: readonly (readonly [string, string | undefined])[]) =>
  rows.flatMap(([label, value]) => (value ? [fact(label, value)] : []));

function price(label: string, quantity: number, amount: string): string {
  return `${line(label)}\t${quantity}\t${amount}`;
}

function sumLine(label: string, amount: string): string {
  return `=\t${label}\t${amount}`;
}

function lessorLines({ name, taxId, address, phone, email }: Lessor, texts: ContractTexts): string[] {
  const contact = [phone, email].filter(Boolean).join(" · ");
  const parts = [name, taxId && `${texts.taxId} ${taxId}`, address, contact];
  return [`## ${texts.lessor}`, nameLine(parts.filter(Boolean).join(" · "))];
}

function customerLines({ customer, customerName }: ContractTextData, texts: ContractTexts): string[] {
  const rows = [
    [texts.document, customer.documentId],
    [texts.phone, customer.phone],
    [texts.email, customer.email],
    [texts.address, customer.address],
  ] as const;
  return [`## ${texts.customer}`, nameLine(customerName), ...facts(rows)];
}

function driverLines({ drivers, language, country }: ContractTextData, texts: ContractTexts): string[] {
  const lines = drivers.flatMap(({ name, documentId, licence, licenceExpires, born }) => [
    nameLine(name),
    ...facts([
      [texts.document, documentId],
      [texts.born, born && formatDate(born, language, country)],
      [texts.licence, licence],
      [texts.licenceExpires, licenceExpires && formatDate(licenceExpires, language, country)],
    ]),
  ]);
  return lines.length === 0 ? [] : [`## ${texts.drivers}`, ...lines.filter(Boolean)];
}

function rentalLines(
  { period, pickupPlace, returnPlace, days, language, country }: ContractTextData,
  texts: ContractTexts,
): string[] {
  return [
    `## ${texts.rental}`,
    fact(texts.pickup, `${formatDate(period.dateFrom, language, country)} ${period.timeFrom}, ${pickupPlace}`),
    fact(texts.return, `${formatDate(period.dateTo, language, country)} ${period.timeTo}, ${returnPlace}`),
    fact(texts.days, String(days)),
  ];
}

function priceLines({ prices, rates, categoryName, ...rest }: ContractTextData, texts: ContractTexts): string[] {
  const { language } = rest;
  const amount = (cents: Cents) => formatMoney(cents, { ...rest.money, language });
  const { kilometresIncluded } = rates;
  return [
    `## ${texts.prices}`,
    price(`${texts.rentalOf} ${categoryName}`, 1, amount(prices.itemCents)),
    ...prices.extras.map(({ name, quantity, cents }) => price(name, quantity, amount(cents))),
    ...(prices.discountCents ? [price(texts.discount, 1, amount(-prices.discountCents))] : []),
    ...(prices.supplementsCents === 0 ? [] : [price(texts.supplements, 1, amount(prices.supplementsCents))]),
    sumLine(texts.total, amount(prices.totalCents)),
    sumLine(texts.paid, amount(prices.paidCents)),
    ...(prices.creditedCents === 0 ? [] : [sumLine(texts.credited, amount(prices.creditedCents))]),
    sumLine(texts.pending, amount(prices.totalCents - prices.paidCents - prices.creditedCents)),
    sumLine(texts.deposit, amount(prices.depositCents)),
    fact(texts.extraDay, amount(rates.extraDayCents)),
    fact(rest.vehicle?.isElectric ? texts.missingCharge : texts.missingFuel, amount(rates.fuelEighthCents)),
    fact(
      texts.kilometresIncluded,
      kilometresIncluded === undefined ? texts.unlimited : formatCount(kilometresIncluded, language),
    ),
    ...(kilometresIncluded === undefined ? [] : [fact(texts.extraKilometre, amount(rates.extraKilometreCents))]),
  ];
}

function vehicleLines({ vehicle, categoryName }: UnitFacts, texts: ContractTexts): string[] {
  return [
    `## ${texts.vehicle}`,
    ...facts([
      [texts.plate, vehicle?.plate],
      [texts.model, vehicle?.name],
      [texts.category, categoryName],
    ]),
  ];
}

function readingLines(
  reading: ContractReading | undefined,
  texts: ContractTexts,
  { language, vehicle }: Pick<UnitFacts, "language" | "vehicle">,
): string[] {
  const { kilometres, fuelEighths } = reading ?? {};
  return facts([
    [texts.kilometres, kilometres === undefined ? "–" : formatCount(kilometres, language)],
    [
      vehicle?.isElectric ? texts.charge : texts.fuel,
      fuelEighths === undefined ? "–" : formatFuelLevel(fuelEighths, vehicle?.isElectric === true, language),
    ],
  ]);
}

function damageLines(damages: readonly ContractDamage[], texts: ContractTexts): string[] {
  const lines = damages.map(({ part, kind, severity, x, y, note, isNew }, index) => {
    const damageParts = [texts.kinds[kind], texts.parts[part], texts.severities[severity], note && line(note)];
    const number = isNew ? `[${index + 1}]` : `(${index + 1})`;
    return `${number}\t${damageParts.filter(Boolean).join(", ")}${isNew ? ` (${texts.isNew})` : ""}\t${x},${y}`;
  });
  return [`## ${texts.damages}`, ...(lines.length === 0 ? [`()\t${texts.noDamage}\t-`] : lines)];
}
