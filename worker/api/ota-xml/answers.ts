import type { z } from "zod";
import type { Catalogue, DriverAgeRule } from "#domain/catalogue/catalogue.ts";
import { isRuleForOldDrivers } from "#domain/catalogue/driver-age-rules.ts";
import { parseAmount, sumCents, toAmount } from "#domain/money.ts";
import type { agencyAvailabilityAnswer } from "#worker/api/ota/availability-messages.ts";
import type { agencyBookingAnswer } from "#worker/api/ota/booking-messages.ts";
import type { agencyPlacesAnswer } from "#worker/api/ota/messages.ts";
import { escapeXml, writeXmlElement, type XmlNode } from "#worker/api/xml-text.ts";
import { getEquipmentType, toCoverage } from "./extras.ts";
import { toOtaVehicleXml } from "./vehicles.ts";

type Availability = z.output<typeof agencyAvailabilityAnswer>["response"];
type Product = Availability["products"][number];
type AgencyPlace = z.output<typeof agencyPlacesAnswer>["response"][number];
type Booking = z.output<typeof agencyBookingAnswer>["response"];

/** Account's name, currency and catalogue, and the rule that applies to the driver's age. */
export interface SellingAccount {
  readonly accountName: string;
  readonly currency: string;
  readonly currencyDecimals: number;
  readonly driverAgeRule?: Pick<DriverAgeRule, "ageFrom"> | undefined;
  readonly categories: Catalogue["categories"];
  readonly extras: Catalogue["extras"];
}

/** Charge purposes of OpenTravel list VCP. */
const RENTAL = 1;
const SURCHARGE = 5;
const YOUNG_DRIVER = 13;
const SENIOR_DRIVER = 15;
const FEE = 6;
const PICKUP = 16;
const RETURN = 17;
const COVERAGE = 4;
const EQUIPMENT = 21;
const CLOSED_HOURS_FEE = 82;

interface Period {
  readonly date_from: string;
  readonly time_from: string;
  readonly date_to: string;
  readonly time_to: string;
  readonly pickup_place_id: number | null;
  readonly pickup_place: string;
  readonly return_place_id: number | null;
  readonly return_place: string;
}

function rentalCore(period: Period): string {
  const place = (name: string, id: number | null, text: string) =>
    writeXmlElement(name, { LocationCode: id ?? undefined, CodeContext: "internal code" }, escapeXml(text));
  return writeXmlElement(
    "VehRentalCore",
    {
      PickUpDateTime: `${period.date_from}T${period.time_from}:00`,
      ReturnDateTime: `${period.date_to}T${period.time_to}:00`,
    },
    place("PickUpLocation", period.pickup_place_id, period.pickup_place),
    place("ReturnLocation", period.return_place_id, period.return_place),
  );
}

function vehicle(product: Product): string {
  const { doors, seats, suitcases } = product.key_characteristics;
  const { category, size, drive, hasAirCondition, transmission, fuel } = toOtaVehicleXml(product);
  return writeXmlElement(
    "Vehicle",
    {
      AirConditionInd: hasAirCondition,
      TransmissionType: transmission,
      FuelType: fuel,
      DriveType: drive,
      PassengerQuantity: seats ?? undefined,
      BaggageQuantity: suitcases ?? undefined,
      Code: product.acriss_code ?? product.code,
      CodeContext: product.acriss_code ? "ACRISS" : "internal code",
      VendorCarType: product.code,
    },
    writeXmlElement("VehType", { VehicleCategory: category, DoorCount: doors ?? undefined }),
    size === undefined ? undefined : writeXmlElement("VehClass", { Size: size }),
    writeXmlElement("VehMakeModel", { Name: product.name, Code: product.code }),
    product.photos[0] && writeXmlElement("PictureURL", {}, escapeXml(product.photos[0].photo_path)),
  );
}

function charge(
  purpose: number,
  amount: string,
  description: string,
  { currency }: SellingAccount,
  isIncluded = false,
): string {
  return writeXmlElement("VehicleCharge", {
    Purpose: purpose,
    Amount: amount,
    CurrencyCode: currency,
    TaxInclusive: true,
    IncludedInRate: isIncluded,
    IncludedInEstTotalInd: true,
    RequiredInd: true,
    Description: description,
  });
}

interface Supplements {
  readonly time_from_cost: string;
  readonly time_to_cost: string;
  readonly pickup_place_cost: string;
  readonly return_place_cost: string;
  readonly driver_age_cost: string;
}

const SUPPLEMENT_FEES: readonly (readonly [keyof Supplements, number, string])[] = [
  ["pickup_place_cost", PICKUP, "Pickup place"],
  ["return_place_cost", RETURN, "Return place"],
  ["time_from_cost", CLOSED_HOURS_FEE, "Out-of-hours pickup"],
  ["time_to_cost", CLOSED_HOURS_FEE, "Out-of-hours return"],
  ["driver_age_cost", YOUNG_DRIVER, "Driver's age"],
];

function formatSupplements(period: Supplements, seller: SellingAccount): readonly string[] {
  return SUPPLEMENT_FEES.filter(([name]) => Number(period[name]) !== 0).map(([name, purpose, text]) =>
    charge(isSeniorFee(name, seller) ? SENIOR_DRIVER : purpose, period[name], text, seller),
  );
}

const isSeniorFee = (name: keyof Supplements, { driverAgeRule }: SellingAccount) =>
  name === "driver_age_cost" && driverAgeRule !== undefined && isRuleForOldDrivers(driverAgeRule);

function total(amounts: readonly string[], { currency, currencyDecimals }: SellingAccount): string {
  const cents = amounts.map((amount) => parseAmount(amount, currencyDecimals) ?? 0);
  const amount = toAmount(sumCents(cents), currencyDecimals);
  return writeXmlElement("TotalCharge", {
    RateTotalAmount: amount,
    EstimatedTotalAmount: amount,
    CurrencyCode: currency,
  });
}

/** Returns the kilometres included in a category's daily price, or undefined if unlimited. */
type KilometresPerDay = (categoryCode: string) => number | undefined;

function distance(perDay: number | undefined, days: number): string {
  const quantity = perDay === undefined ? undefined : perDay * days;
  const unit = { DistUnitName: "Km", VehiclePeriodUnitName: "RentalPeriod" };
  return writeXmlElement("RateDistance", { Unlimited: quantity === undefined, Quantity: quantity, ...unit });
}

/** Converts the available rentals with all price parts and their total. */
export function toAvailabilityXml(
  period: Availability,
  seller: SellingAccount,
  kilometresPerDay: KilometresPerDay,
): XmlNode {
  const avails = period.products.map((product) =>
    writeXmlElement(
      "VehAvail",
      {},
      writeXmlElement(
        "VehAvailCore",
        { Status: product.available ? "Available" : "Unavailable" },
        ...toRate(period, product, seller, kilometresPerDay(product.code)),
        equipment(period, seller),
      ),
      ...wrapPresent("VehAvailInfo", coverages(period, product, seller)),
    ),
  );
  const vendor = writeXmlElement("Vendor", { Code: seller.accountName.slice(0, 16) }, escapeXml(seller.accountName));
  const vendors = writeXmlElement(
    "VehVendorAvails",
    {},
    writeXmlElement("VehVendorAvail", {}, vendor, writeXmlElement("VehAvails", {}, ...avails)),
  );
  return writeXmlElement("VehAvailRSCore", {}, rentalCore(period), vendors);
}

// Vehicle, rate with all price parts, and total of a product.
function toRate(
  period: Availability,
  product: Product,
  seller: SellingAccount,
  kilometres: number | undefined,
): readonly string[] {
  const listedNames = SUPPLEMENT_FEES.map(([name]) => period[name]);
  return [
    vehicle(product),
    writeXmlElement(
      "RentalRate",
      {},
      distance(kilometres, period.days),
      writeXmlElement(
        "VehicleCharges",
        {},
        charge(RENTAL, product.price, `${period.days} days`, seller, true),
        ...formatSupplements(period, seller),
      ),
      writeXmlElement("RateQualifier", {
        PromotionCode: product.promotion_code ?? undefined,
        RateQualifier: product.code,
      }),
    ),
    total([product.price, ...listedNames], seller),
  ];
}

/** Converts the rate rules of one product: its price, cancellation terms, deposits and extras. */
export function toRateRulesXml(
  period: Availability,
  product: Product,
  seller: SellingAccount,
  kilometres: number | undefined,
): readonly XmlNode[] {
  const fee = (amount: string, description: string) =>
    Number(amount) === 0
      ? undefined
      : writeXmlElement("Fee", {
          ...{ Purpose: FEE, Amount: amount, CurrencyCode: seller.currency, RequiredInd: true },
          ...{ IncludedInEstTotalInd: false, Description: description },
        });
  const fees = [
    fee(product.product_deposit_unit_cost, "Excess"),
    fee(product.product_guarantee_unit_cost, "Deposit"),
    fee(period.driver_age_deposit, "Deposit for the driver's age"),
  ].filter((item) => item !== undefined);
  return [
    rentalCore(period),
    ...toRate(period, product, seller, kilometres),
    writeXmlElement("RateRules", {}, ...period.cancellation_terms.map((term) => toPenalty(term, seller))),
    equipment(period, seller),
    fees.length > 0 ? writeXmlElement("Fees", {}, ...fees) : undefined,
    coverages(period, product, seller),
  ];
}

function toPenalty(term: Availability["cancellation_terms"][number], { currency }: SellingAccount): string {
  const { occasion, hours_before: hours, fee_type: type, fee } = term;
  const offset = hours === null ? undefined : { OffsetUnitMultiplier: hours, OffsetDropTime: "BeforeArrival" };
  const amounts = { percentage: { Percent: fee }, amount: { Amount: fee, CurrencyCode: currency }, days: {} };
  return writeXmlElement(
    "CancelPenaltyInfo",
    { CancelPolicyInd: occasion === "cancellation", NoShowInd: occasion === "no_show" },
    offset && writeXmlElement("Deadline", { OffsetTimeUnit: "Hour", ...offset }),
    writeXmlElement("PenaltyFee", { ...amounts[type], ...(type === "days" && { Description: `${fee} days` }) }),
  );
}

const DAYS = ["Mon", "Tue", "Weds", "Thur", "Fri", "Sat", "Sun"];

/** Converts places with address, hours and position. */
export function toLocationsXml(places: readonly AgencyPlace[]): string {
  return writeXmlElement(
    "VehMatchedLocs",
    {},
    ...places.map((place) => writeXmlElement("VehMatchedLoc", {}, toLocation(place))),
  );
}

function toLocation({ id, name, iata, place_type: type, address, ...place }: AgencyPlace): string {
  const { latitude, longitude, opening_hours: hours } = place;
  const part = (element: string, text: string | null) =>
    text ? writeXmlElement(element, {}, escapeXml(text)) : undefined;
  const position = latitude !== null && longitude !== null ? `${latitude},${longitude}` : null;
  const times = hours.map(({ weekday, opens, closes }) =>
    writeXmlElement("OperationTime", { [DAYS[weekday - 1] ?? "Mon"]: true, Start: opens, End: closes }),
  );
  const info =
    position &&
    writeXmlElement(
      "VehRentLocInfo",
      { Title: "Position" },
      writeXmlElement("SubSection", {}, writeXmlElement("Paragraph", {}, part("Text", position))),
    );
  return writeXmlElement(
    "LocationDetail",
    {
      AtAirport: type === "airport",
      Code: id,
      CodeContext: "internal code",
      Name: name,
      AssocAirportLocList: iata ?? undefined,
    },
    writeXmlElement(
      "Address",
      {},
      part("AddressLine", address.street),
      part("CityName", address.city),
      part("PostalCode", address.zip),
      part("StateProv", address.state),
      address.country ? writeXmlElement("CountryName", { Code: address.country }) : undefined,
    ),
    writeXmlElement(
      "AdditionalInfo",
      {},
      info ? writeXmlElement("VehRentLocInfos", {}, info) : undefined,
      times.length > 0
        ? writeXmlElement(
            "OperationSchedules",
            {},
            writeXmlElement("OperationSchedule", {}, writeXmlElement("OperationTimes", {}, ...times)),
          )
        : undefined,
    ),
  );
}

const wrapPresent = (name: string, content: string | undefined): readonly string[] =>
  content === undefined ? [] : [writeXmlElement(name, {}, content)];

const extraCharge = (purpose: number, amount: string, { currency }: SellingAccount): string =>
  writeXmlElement("Charge", { Purpose: purpose, Amount: amount, CurrencyCode: currency, TaxInclusive: true });

// Extras that lower the excess of damage are coverages, whose deductible depends on the category.
const isCoverage = ({ code }: Availability["extras"][number], { extras }: SellingAccount): boolean =>
  extras.get(code)?.excessReduction?.depositValue !== undefined;

function equipment({ extras }: Availability, seller: SellingAccount): string | undefined {
  const offered = extras.filter((item) => item.available && !isCoverage(item, seller));
  if (offered.length === 0) return undefined;
  const priced = offered.map((item) => {
    const extra = seller.extras.get(item.code);
    return writeXmlElement(
      "PricedEquip",
      {},
      writeXmlElement(
        "Equipment",
        { EquipType: extra ? getEquipmentType(extra, seller.extras) : item.code, Quantity: 1 },
        writeXmlElement("Description", {}, escapeXml(item.name)),
      ),
      extraCharge(EQUIPMENT, item.unit_price, seller),
    );
  });
  return writeXmlElement("PricedEquips", {}, ...priced);
}

function coverages({ extras }: Availability, { code }: Product, seller: SellingAccount): string | undefined {
  const category = seller.categories.get(code);
  const priced = extras.flatMap((item) => {
    const extra = seller.extras.get(item.code);
    const coverage = extra && category && item.available ? toCoverage(extra, category) : undefined;
    if (!coverage) return [];
    const deductible = toAmount(coverage.deductibleCents, seller.currencyDecimals);
    return writeXmlElement(
      "PricedCoverage",
      { Required: false },
      writeXmlElement(
        "Coverage",
        { CoverageType: coverage.type, Code: item.code },
        writeXmlElement("Details", { CoverageTextType: "Description" }, escapeXml(item.name)),
      ),
      extraCharge(COVERAGE, item.unit_price, seller),
      writeXmlElement("Deductible", { Amount: deductible, CurrencyCode: seller.currency }),
    );
  });
  return priced.length > 0 ? writeXmlElement("PricedCoverages", {}, ...priced) : undefined;
}

/** Converts a reservation to the agency's view. */
export function toAgencyReservationXml({ status, reservation: period }: Booking, seller: SellingAccount): string {
  const isCancelled = status === "canceled";
  const lines = period.products.map((line) => charge(RENTAL, line.item_cost, line.item_description, seller, true));
  const extras = Number(period.extras_cost) === 0 ? [] : [charge(EQUIPMENT, period.extras_cost, "Extras", seller)];
  const fuel = [period.category_supplement_1_cost, period.category_supplement_2_cost, period.category_supplement_3_cost]
    .filter((amount) => Number(amount) !== 0)
    .map((amount) => charge(SURCHARGE, amount, "Supplement of the category", seller));
  const [first] = period.products;
  return writeXmlElement(
    "VehReservation",
    { ReservationStatus: isCancelled ? "Cancelled" : "Reserved" },
    writeXmlElement(
      "VehSegmentCore",
      {},
      writeXmlElement("ConfID", { Type: 14, ID: period.id }),
      writeXmlElement("ConfID", { Type: 16, ID: period.agency_reservation_id }),
      writeXmlElement("Vendor", { Code: seller.accountName.slice(0, 16) }, escapeXml(seller.accountName)),
      rentalCore(period),
      first &&
        writeXmlElement(
          "Vehicle",
          {
            Code: first.acriss_code ?? first.item_id,
            CodeContext: first.acriss_code ? "ACRISS" : "internal code",
            VendorCarType: first.item_id,
          },
          writeXmlElement("VehMakeModel", { Name: first.item_description, Code: first.item_id }),
        ),
      writeXmlElement(
        "RentalRate",
        {},
        writeXmlElement("VehicleCharges", {}, ...lines, ...extras, ...fuel, ...formatSupplements(period, seller)),
        period.promotion_code === null
          ? undefined
          : writeXmlElement("RateQualifier", { PromotionCode: period.promotion_code }),
      ),
      total([period.total_cost], seller),
    ),
  );
}
