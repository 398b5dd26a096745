import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import type { CheckInDayBooking, CheckInDayUnit, KnownDamage } from "#domain/check-in/day.ts";
import type { Damage } from "#domain/contracts/damage.ts";
import type { Cents } from "#domain/money.ts";
import type { MoneyNotation } from "#domain/money-notation.ts";
import type { ContractDamage, ContractDriver, ContractTextData, Lessor, ReturnRecordData } from "./contract-text.ts";

/** Contract data that isn't part of its booking. */
export interface ContractTextSettings {
  readonly language: PlatformLanguage;
  readonly country: string;
  readonly money: Omit<MoneyNotation, "language">;
  readonly lessor: Lessor;
  readonly terms: string;
}

/** Returns the contract data of one unit, for a booking in its current state. */
export function collectContractTextData(
  entry: CheckInDayBooking,
  unit: CheckInDayUnit,
  context: ContractTextSettings,
): ContractTextData {
  const { extraDayCents, fuelEighthCents, kilometresIncluded, extraKilometreCents } = unit.rates;
  return {
    ...unitFacts(entry, unit, context),
    // Damage found at delivery is marked as new. Later damage belongs to the return.
    damages: getKnownDamages(unit)
      .filter((damage) => !isFoundLater(entry, damage))
      .map((damage) => toDamage(damage, damage.bookingId === entry.id)),
    customer: {
      documentId: entry.customer.documentId ?? undefined,
      phone: entry.customer.phone ?? undefined,
      email: entry.customer.email ?? undefined,
      address: formatCustomerAddress(entry.contractData),
    },
    drivers: driversIn(entry.contractData),
    period: entry.period,
    days: entry.days,
    pickupPlace: entry.pickupPlace,
    returnPlace: entry.returnPlace,
    prices: {
      // List prices. The discount has its own line.
      itemCents: entry.itemCents + entry.discountCents - extrasDiscountCents(entry),
      extras: entry.extras.map((extra) => ({ ...extra, cents: extra.unitCents * extra.quantity })),
      discountCents: entry.discountCents,
      supplementsCents: entry.totalCents - entry.itemCents - entry.extrasCents,
      totalCents: entry.totalCents,
      // Includes the amount that the customer paid to an agent.
      paidCents: entry.totalPaidCents + entry.notOwedCents - entry.creditedCents,
      creditedCents: entry.creditedCents,
      depositCents: entry.totalDepositCents,
    },
    rates: { extraDayCents, fuelEighthCents, kilometresIncluded, extraKilometreCents },
    out: unit.delivery,
    terms: context.terms,
  };
}

/**
 * Returns the data of a unit's return record. Undefined while it's out. `item` contains the return and its costs.
 */
export function collectReturnRecordData(
  entry: CheckInDayBooking,
  unit: CheckInDayUnit,
  context: ContractTextSettings,
  item: Pick<ReturnRecordData, "returned" | "closing">,
): ReturnRecordData | undefined {
  if (!unit.collection) return undefined;
  const damages = getKnownDamages(unit).map((damage) => toDamage(damage, isFoundLater(entry, damage)));
  const { delivery: out, collection: back, earlier, rates } = unit;
  return { ...unitFacts(entry, unit, context), ...item, agreed: entry.period, rates, damages, out, back, earlier };
}

function unitFacts(
  entry: CheckInDayBooking,
  { vehicle }: CheckInDayUnit,
  { language, country, money, lessor }: ContractTextSettings,
) {
  return {
    bookingId: entry.id,
    ...{ language, country, money, lessor },
    customerName: `${entry.customer.name} ${entry.customer.surname}`.trim(),
    vehicle: vehicle && {
      ...{ name: formatVehicleName(vehicle), plate: vehicle.plate ?? vehicle.reference },
      isElectric: vehicle.fuel === "electric",
    },
    categoryName: summarizeCategoryCounts(entry.units.map((unit) => unit.categoryName)),
  };
}

/** Returns the make and model of a vehicle, or its name. */
export function formatVehicleName({
  brand,
  model,
  name,
}: {
  readonly brand: string | null;
  readonly model: string | null;
  readonly name: string;
}): string {
  return [brand, model].filter(Boolean).join(" ") || name;
}

/** Returns the rented categories with their number of units. */
export function summarizeCategoryCounts(names: readonly string[]): string {
  return [...Map.groupBy(names, (name) => name)]
    .map(([name, { length }]) => (length > 1 ? `${length} × ${name}` : name))
    .join(", ");
}

const getKnownDamages = ({ vehicle }: CheckInDayUnit): readonly KnownDamage[] => vehicle?.damages ?? [];

function isFoundLater({ id, operations }: CheckInDayBooking, { bookingId, opId }: KnownDamage): boolean {
  return bookingId === id && operations.find((operation) => operation.opId === opId)?.kind !== "delivery";
}

// Terms of the damage diagram come from the Worker. Terms of older versions are shown unchanged.
function toDamage({ part, kind, severity, x, y, note }: KnownDamage, isNew: boolean): ContractDamage {
  return {
    ...({ part, kind, severity } as Pick<Damage, "part" | "kind" | "severity">),
    ...{ x, y, note: note ?? undefined },
    isNew,
  };
}

const DRIVERS = ["driver", "additional_driver_1", "additional_driver_2"] as const;

function driversIn(data: CheckInDayBooking["contractData"]): readonly ContractDriver[] {
  return DRIVERS.map((driver) => {
    const getDriverField = (field: string) => data[`${driver}_${field}`] || undefined;
    return {
      name: [getDriverField("name"), getDriverField("surname")].filter(Boolean).join(" "),
      documentId: getDriverField("document_id"),
      licence: getDriverField("driving_license_number"),
      licenceExpires: getDriverField("driving_license_expiration_date"),
      born: getDriverField("date_of_birth"),
    };
  }).filter((driver) => Object.values(driver).some(Boolean));
}

/** Returns the customer's address from the contract data as one line. The driver's address fills missing parts. */
export function formatCustomerAddress(data: CheckInDayBooking["contractData"]): string | undefined {
  const getAddressPart = (part: string) => data[`customer_address_${part}`] || data[`driver_address_${part}`] || "";
  const street = [getAddressPart("street"), getAddressPart("number"), getAddressPart("complement")]
    .filter(Boolean)
    .join(" ");
  const city = [getAddressPart("zip"), getAddressPart("city")].filter(Boolean).join(" ");
  return [street, city, getAddressPart("state"), getAddressPart("country")].filter(Boolean).join(", ") || undefined;
}

// Part of the discount that is taken from extras.
function extrasDiscountCents({ extras }: Pick<CheckInDayBooking, "extras">): Cents {
  return extras.reduce((sum, { unitCents, quantity, cents }) => sum + unitCents * quantity - cents, 0);
}
