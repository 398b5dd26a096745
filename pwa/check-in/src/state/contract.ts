import { type PlatformLanguage, pickPlatformLanguage } from "#domain/catalogue/languages.ts";
import type { CivilDate, TimeText } from "#domain/dates.ts";
import { formatVehicleName, summarizeCategoryCounts } from "#domain/printing/contract-facts.ts";
import {
  type ContractDamage,
  type ContractTextData,
  writeContractText,
  writeReturnRecord,
} from "#domain/printing/contract-text.ts";
import type { Booking, Extras, RentalUnit, Settings, Vehicle } from "../api/messages.ts";
import { hashSha256 } from "../offline/ids.ts";
import type { WorkDraft } from "../offline/items.ts";
import { getDepositCentsAfterExtras } from "./booking-settlement.ts";
import { toCivilTime } from "./civil-time.ts";
import { listPricedDamage } from "./damage-prices.ts";
import { mergeScannedDriver } from "./driver-documents.ts";
import { calculateUpgradeCents, pickPhotosAndDamages } from "./exchange.ts";
import { isElectric } from "./fuel.ts";
import { toCents } from "./money.ts";
import { getExtraName, localizeBooking } from "./names.ts";
import { getReturnTime } from "./return-time.ts";
import { getBranchName } from "./settings.ts";

/** Contract text to sign, with its hash. */
export interface ContractText {
  readonly text: string;
  readonly language: PlatformLanguage;
  readonly hash: string;
  /** Creation time in ms of the device's clock. For a return, the return time. */
  readonly writtenAt: number;
}

/** Data on the device used to write a contract. */
export interface ContractSources {
  readonly draft: WorkDraft;
  readonly booking: Booking;
  readonly unit: RentalUnit;
  readonly vehicle: Vehicle | undefined;
  readonly settings: Settings;
  readonly extras: Extras | undefined;
  readonly closing:
    | { readonly extraDaysCents: number; readonly fuelCents: number; readonly kilometresCents: number }
    | undefined;
  /** Creation time in ms of the device's clock, and the offset to the server's clock. */
  readonly now: number;
  readonly clockOffsetMs: number;
}

/** Work with a contract to sign. An exchange is a hand-over of its replacement. */
const SIGNED_KINDS: readonly WorkDraft["kind"][] = ["delivery", "exchange", "collection"];

/** Returns the language of a contract. Defaults to the customer's language. */
export function pickContractLanguage({ draft, booking, settings }: ContractSources): PlatformLanguage {
  return pickPlatformLanguage(draft.contract_language, booking.customer.language, settings.default_language);
}

/**
 * Creates the hand-over or return contract by the server's rules. Returns undefined if the cached data comes from a
 * server without contract support.
 */
export async function buildContractText(sources: ContractSources): Promise<ContractText | undefined> {
  const { draft, settings } = sources;
  const contracts = (settings as Partial<Settings>).contracts;
  const lessor = contracts?.lessors[sources.booking.rental_location_code];
  if (!contracts || !lessor || !SIGNED_KINDS.includes(draft.kind)) return undefined;
  const language = pickContractLanguage(sources);
  const terms = contracts.terms[language] ?? contracts.terms[settings.default_language] ?? "";
  const localizedSources = { ...sources, booking: localizeBooking(sources.booking, settings, language) };
  const facts = toContractFacts(localizedSources, language, terms, {
    name: lessor.name,
    taxId: lessor.tax_id ?? undefined,
    address: lessor.address ?? undefined,
    phone: lessor.phone ?? undefined,
    email: lessor.email ?? undefined,
  });
  const text =
    draft.kind === "collection" ? writeReturnRecord(toContractReturn(sources, facts)) : writeContractText(facts);
  const bytes = new TextEncoder().encode(text);
  return { text, language, hash: await hashSha256(bytes.slice().buffer), writtenAt: getReturnTime(draft, sources.now) };
}

function toContractFacts(
  sources: ContractSources,
  language: PlatformLanguage,
  terms: string,
  lessor: ContractTextData["lessor"],
): ContractTextData {
  const { draft, booking, unit, vehicle, settings } = sources;
  const { customer, rates } = { ...booking, ...unit };
  const isExchange = draft.kind === "exchange";
  return {
    bookingId: booking.booking_id,
    language,
    // Settings cached from an older server lack the country.
    country: (settings as Partial<Settings>).country_code ?? "",
    money: { currency: settings.currency, decimals: settings.currency_decimals },
    lessor,
    customerName: customer.full_name,
    vehicle: vehicle && {
      ...{ name: getVehicleName(vehicle), plate: vehicle.stock_plate ?? vehicle.reference },
      isElectric: isElectric(vehicle),
    },
    categoryName: summarizeCategoryCounts(booking.resources.map(({ category_name }) => category_name)),
    damages: listContractDamages(isExchange ? pickPhotosAndDamages(draft, "replacement") : draft, vehicle),
    customer: {
      documentId: customer.document_id ?? undefined,
      phone: customer.phone ?? undefined,
      email: customer.email ?? undefined,
      // Responses cached from an older server lack the address.
      address: (customer as Partial<typeof customer>).address ?? undefined,
    },
    drivers: mergeScannedDriver(booking, draft.driver).map((driver) => ({
      name: driver.full_name,
      documentId: driver.document_id ?? undefined,
      licence: driver.driving_license_number ?? undefined,
      licenceExpires: driver.driving_license_expiration_date ?? undefined,
      born: driver.date_of_birth ?? undefined,
    })),
    // The dates and times are unchanged from the server's booking.
    period: {
      dateFrom: booking.date_from as CivilDate,
      timeFrom: booking.time_from as TimeText,
      dateTo: booking.date_to as CivilDate,
      timeTo: booking.time_to as TimeText,
    },
    days: booking.days,
    pickupPlace: booking.pickup_place,
    returnPlace: booking.return_place,
    prices: toContractPrices(sources, language),
    rates: {
      kilometresIncluded: rates.kilometres_included ?? undefined,
      extraKilometreCents: cents(rates.extra_kilometre),
      fuelEighthCents: cents(rates.fuel_eighth),
      extraDayCents: cents(rates.extra_day),
    },
    out: toReading((isExchange && draft.exchange) || draft),
    terms,
  };
}

const cents = (amount: string) => (amount.startsWith("-") ? -(toCents(amount.slice(1)) ?? 0) : (toCents(amount) ?? 0));

function getVehicleName({ stock_brand: brand, stock_model: model, name }: Vehicle): string {
  return formatVehicleName({ brand, model, name });
}

function toReading({ kilometres, fuel_eighths }: Pick<WorkDraft, "kilometres" | "fuel_eighths">) {
  return { kilometres: kilometres === "" ? undefined : Number(kilometres), fuelEighths: fuel_eighths ?? undefined };
}

// Lists earlier damage, then new damage.
function listContractDamages(draft: WorkDraft, vehicle: Vehicle | undefined): readonly ContractDamage[] {
  const newDamageIds = new Set(draft.damages.map(({ damage_id }) => damage_id));
  const known = (vehicle?.damages ?? []).filter(({ damage_id }) => !newDamageIds.has(damage_id));
  return [
    ...known.map(({ part, kind, severity, x, y, note }) => ({
      ...({ part, kind, severity } as Pick<ContractDamage, "part" | "kind" | "severity">),
      ...{ x, y, note: note ?? undefined, isNew: false },
    })),
    ...draft.damages.map(({ part, kind, severity, x, y, note }) => ({
      ...{ part, kind, severity, x, y, note: note || undefined, isNew: true },
    })),
  ];
}

// Returns the prices, including extras sold and payments made at this hand-over.
function toContractPrices(
  { draft, booking, extras, settings }: ContractSources,
  language: PlatformLanguage,
): ContractTextData["prices"] {
  const { amounts, deposit } = booking;
  const soldExtras = draft.extras.flatMap(({ extra_code, quantity }) => {
    const extra = extras?.data.find((item) => item.extra_code === extra_code);
    if (!extra || quantity <= 0) return [];
    const name = getExtraName(extra, settings, language);
    return [{ name, quantity, cents: cents(extra.unit_price) * quantity }];
  });
  const soldCents = soldExtras.reduce((sum, item) => sum + item.cents, 0);
  const creditedCents = sumCreditedCents(booking);
  const paidCents = draft.charges
    .filter(({ kind }) => kind === "payment")
    .reduce(
      (sum, { amount }) => sum + (toCents(amount) ?? 0),
      cents(amounts.total_cost) - cents(amounts.total_pending) - creditedCents,
    );
  return {
    itemCents: cents(amounts.item_cost) + calculateUpgradeCents(draft),
    extras: [
      ...booking.extras.map(({ name, quantity, cost }) => ({ name, quantity, cents: cents(cost) })),
      ...soldExtras,
    ],
    supplementsCents: cents(amounts.supplements_cost),
    totalCents: cents(amounts.total_cost) + soldCents + calculateUpgradeCents(draft),
    paidCents,
    creditedCents,
    depositCents: Math.min(cents(deposit.total), getDepositCentsAfterExtras(draft) ?? Number.POSITIVE_INFINITY),
  };
}

// Returns the credited amount. Days cached from older servers lack it.
function sumCreditedCents({ amounts }: Booking): number {
  const { total_credited: credited }: Partial<typeof amounts> = amounts;
  return credited === undefined ? 0 : cents(credited);
}

function toContractReturn(sources: ContractSources, facts: ContractTextData) {
  const { draft, unit, closing, settings } = sources;
  const { kilometres, fuel_eighths } = unit.delivery ?? {};
  const { return_rental_location_code: elsewhere } = draft;
  const place = elsewhere === undefined ? facts.returnPlace : getBranchName(elsewhere);
  const { earlier }: Partial<Pick<typeof unit, "earlier">> = unit;
  return {
    ...facts,
    agreed: facts.period,
    returned: { ...toCivilTime(getReturnTime(draft, sources.now) + sources.clockOffsetMs, settings.timezone), place },
    out: { kilometres: kilometres ?? undefined, fuelEighths: fuel_eighths ?? undefined },
    back: toReading(draft),
    earlier: { kilometres: earlier?.kilometres ?? 0, missingEighths: earlier?.missing_eighths ?? 0 },
    surcharges: listPricedDamage(draft, facts.language),
    closing: closing ?? { extraDaysCents: 0, fuelCents: 0, kilometresCents: 0 },
  };
}
