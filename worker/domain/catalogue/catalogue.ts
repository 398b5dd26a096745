import type { HandOverCheckModes } from "#domain/catalogue/hand-over-checks.ts";
import type { SeriesLetters } from "#domain/catalogue/series.ts";
import type { TaxEnvironment } from "#domain/catalogue/tax-environment.ts";
import type { TaxRecordMode, TaxTerritory } from "#domain/catalogue/tax-territories.ts";
import type { TransferCatalogue } from "#domain/catalogue/transfers.ts";
import type { CivilDate, TimeText } from "#domain/dates.ts";
import type { BasisPoints, Cents } from "#domain/money.ts";
import type { Translations } from "./languages.ts";
import type { LegalText } from "./legal-texts.ts";
import type { OpenTime } from "./special-hours.ts";

/** Rarely changed, often read data of one account. All of it belongs to one `version`. */
export interface Catalogue {
  readonly version: number;
  readonly settings: Settings;
  readonly places: ReadonlyMap<number, Place>;
  readonly branches: ReadonlyMap<string, Branch>;
  readonly salesChannels: ReadonlySet<string>;
  /** Channels that any client may name. */
  readonly publicChannels: ReadonlySet<string>;
  readonly categories: ReadonlyMap<string, Category>;
  readonly families: readonly Family[];
  readonly seasonPeriods: readonly SeasonPeriod[];
  readonly tariffs: readonly Tariff[];
  readonly offers: readonly Offer[];
  readonly promotionCodes: ReadonlyMap<string, PromotionCode>;
  readonly driverAgeRules: readonly DriverAgeRule[];
  readonly extras: ReadonlyMap<string, Extra>;
  readonly transfers: TransferCatalogue;
  readonly cancellationTerms: readonly CancellationTerm[];
  readonly repatriations: readonly Repatriation[];
  readonly sellingRules: readonly SellingRule[];
  readonly oneWayFees: readonly OneWayFee[];
  readonly legalTexts: readonly LegalText[];
  /** Colour and logo of the company's mails. */
  readonly brand: { readonly color: string | undefined; readonly hasLogo: boolean };
  /** Whether any partner receives webhooks. */
  readonly tellsPartners: boolean;
}

/**
 * Fee for a pickup at one end and return at the other, in this direction. The ends are places, branches or branch
 * groups.
 */
export interface OneWayFee {
  readonly between: "place" | "branch" | "branchGroup";
  readonly from: number | string;
  readonly to: number | string;
  readonly priceCents: Cents;
}

/** Limits on when a rental can be sold. Absent fields set no limit. Monday = 1. */
export interface SellingRule {
  readonly categoryCode: string | undefined;
  readonly branchCode: string | undefined;
  /** Season of the pickup day. */
  readonly seasonId: number | undefined;
  readonly salesChannel: string | undefined;
  readonly minimumDays: number | undefined;
  readonly maximumDays: number | undefined;
  readonly minimumNoticeMinutes: number | undefined;
  readonly horizonDays: number | undefined;
  /** Blocks rentals that include any day of this period, both ends included. */
  readonly stopSale: { readonly from: CivilDate; readonly to: CivilDate } | undefined;
  readonly noPickupWeekdays: readonly number[] | undefined;
  readonly noReturnWeekdays: readonly number[] | undefined;
  readonly noPickupDates: readonly string[] | undefined;
  readonly noReturnDates: readonly string[] | undefined;
}

/** Reduction of each unit's deposit and guarantee by an extra: a percentage in basis points, or down to an amount. */
export interface ExcessReduction {
  readonly type: "percentage" | "amount";
  readonly depositValue: number | undefined;
  readonly guaranteeValue: number | undefined;
}

/** Days until a unit left at another branch group is back home. Overrides the account's setting. */
export interface Repatriation {
  readonly branchGroupId: number;
  readonly returnBranchGroupId: number;
  readonly days: number;
}

/** Website settings of an account, by API name. A null text uses the default. */
export interface WebsiteSettings {
  readonly engineCustomerAccess: boolean;
  readonly frontendDateFormat: "DD/MM/YYYY" | "MM/DD/YYYY" | "YYYY-MM-DD" | "DD.MM.YYYY";
  readonly defaultTimeStart: string;
  readonly defaultTimeEnd: string;
  readonly samePickupReturnTime: boolean;
  readonly prefillSelector: boolean;
  readonly selectorDateToDays: number;
  readonly pickupReturnPlacesSameRentalLocation: boolean;
  readonly rentDatesSelector: "date_from_date_to" | "date_from_duration";
  readonly multipleProductsSelection: boolean;
  readonly selectFamily: boolean;
  readonly selectorRentalLocation: boolean;
  readonly calendarShowAvailabilityNotSelectable: boolean;
  readonly rentingFormFillDataAddress: boolean;
  readonly rentingFormFillDataDriverDetail: boolean;
  readonly rentingFormFillDataFlight: boolean;
  readonly rentingFormFillDataAdditionalDriver1: boolean;
  readonly rentingFormFillDataAdditionalDriver2: boolean;
  readonly hidePriceIfZero: boolean;
  readonly hidePriceIfNotAvailable: boolean;
  readonly literalDepositFranchise: "deposit" | "franchise";
  readonly depositLiteral: string | null;
  readonly depositReductionLiteral: string | null;
  readonly guaranteeLiteral: string | null;
  readonly guaranteeReductionLiteral: string | null;
  readonly driverDepositLiteral: string | null;
  readonly depositTotalLiteral: string | null;
  readonly transferAllowSelectReturnOriginDestination: boolean;
  readonly transferOriginDestinationDetailedInfoMode: "trip" | "only_address" | "flight_address";
  readonly transferFormFillBillingAddress: boolean;
}

export interface Settings extends WebsiteSettings {
  readonly accountName: string;
  readonly productType: string;
  readonly countryCode: string;
  readonly currency: string;
  readonly currencyDecimals: number;
  /** IANA name. All civil times of the account are in this zone. */
  readonly timezone: string;
  readonly languages: readonly string[];
  readonly defaultLanguage: string;
  readonly graceMinutes: number;
  readonly preparationMinutes: number;
  readonly holdMinutes: number;
  /** Minutes for which a visitor's units are held during payment. */
  readonly paymentHoldMinutes: number;
  /** Minutes after now at which an overdue vehicle is expected back. */
  readonly overdueMinutes: number;
  /** Location of a unit after a rental to another branch group. */
  readonly oneWayMode: "returns_home" | "stays";
  readonly repatriationDays: number;
  readonly minimumDays: number;
  readonly maximumDays: number;
  /** Booking window for all channels if no rule sets one. */
  readonly minimumNoticeMinutes: number;
  readonly horizonDays: number;
  readonly outOfHoursAllowed: boolean;
  readonly outOfHoursPickupCents: Cents;
  readonly outOfHoursReturnCents: Cents;
  readonly depositShare: BasisPoints;
  /** Confirms new website bookings at once, without payment. */
  readonly automaticConfirmation: boolean;
  /** Websites may book without paying. */
  readonly requestAllowed: boolean;
  readonly engineRequiresApiKey: boolean;
  /** Origins that may call the engines from a browser without a key. `*` allows any. */
  readonly engineOrigins: readonly string[];
  readonly cartIdleMinutes: number;
  /** Maximum number of vehicles in one website cart. */
  readonly visitorUnits: number;
  /** If set, website checkouts verify that the visitor is human. */
  readonly turnstileSiteKey: string | undefined;
  /** Amounts that can be paid online when booking: `deposit`, `total`. */
  readonly paymentOptions: readonly string[];
  /** Online payment methods offered: `tpvA256`, `tpvB`, `tpvC`, `wallet_standard`, `stripe`. */
  readonly paymentMethods: readonly string[];
  /** Base of the account's links in mails and gateways. Never taken from a request. */
  readonly baseUrl: string | undefined;
  /** Maximum amount that agents can give as a discount, waive or refund without a manager. */
  readonly agentLimitCents: Cents;
  readonly handOverChecks: HandOverCheckModes;
  /** Maximum discount of agents, as a rate of products and extras. */
  readonly agentDiscountBasisPoints: BasisPoints;
  /** Kilometres per rental day above which a reading is implausible. */
  readonly kilometresADay: number;
  /** Kilometre or fuel costs above this limit are invoiced only after an office check. */
  readonly closingChargeLimitCents: Cents;
  /** Refund for a vehicle that returns early. */
  readonly earlyReturnRefund: "none" | "unused_days";
  /** Minutes after the pickup time at which a contract without pickup is shown as a no-show. */
  readonly noShowMinutes: number;
  /** Booking mails that the account doesn't send. */
  readonly mailsOff: readonly string[];
  /** Hours before the pickup at which the customer gets a reminder. 0 disables it. */
  readonly reminderHours: number;
  /** Minutes before a hold ends at which the customer gets a reminder. 0 disables it. */
  readonly holdReminderMinutes: number;
  /** Whether customers can cancel and change their own bookings. */
  readonly customerChangesAllowed: boolean;
  /** Pattern of document numbers, with the placeholders `{kind}`, `{branch}`, `{year}` and `{yy}`. */
  readonly seriesPattern: string;
  readonly seriesLetters: SeriesLetters;
  /** Up to this amount, a customer without tax id or address gets a simplified invoice. */
  readonly simplifiedLimitCents: Cents;
  /** A refund above this amount needs approval by another manager. */
  readonly refundApprovalCents: Cents;
  /** Law on invoicing software that applies to the account, by tax territory. */
  readonly taxRecords: Readonly<Record<TaxTerritory, TaxRecordMode>>;
  /** Format of electronic invoices, unless the customer has another. */
  readonly einvoiceFormat: "none" | "ubl" | "xrechnung" | "cii" | "facturx" | "facturae";
  /** Bank account that electronic invoices name for transfers. */
  readonly iban: string | undefined;
  /** Ledger accounts by purpose that differ from the defaults. */
  readonly accounts: Readonly<Record<string, string>>;
  /** Conversion of a simplified invoice to a full one: a credit note and a new invoice, or a replacement invoice. */
  readonly simplifiedExchange: "credit_note" | "replacement";
  /** Tax agency service that receives its records. */
  readonly taxEnvironment: TaxEnvironment;
  /** Tax agency codes of rates that its law doesn't define, by percentage: `{"0.00": "E5"}`. */
  readonly taxRateCodes: Readonly<Record<string, string>>;
  /** Day on which the company signed the authorization to send its records. */
  readonly taxRepresentationDate: string | undefined;
  /** Whether rentals are reported to SES.HOSPEDAJES. `dry_run` creates and stores the reports without sending them. */
  readonly sesMode: "none" | "dry_run" | "ses";
  readonly sesEnvironment: "test" | "production";
  readonly sesLessorCode: string | undefined;
  readonly sesUser: string | undefined;
  readonly sesPasswordSealed: string | undefined;
  /** The ministry's codes by fleet value: `brand:Seat`, `brand:*`, `color:Blanco`. */
  readonly sesCodes: Readonly<Record<string, string>>;
}

export interface Branch {
  readonly code: string;
  readonly name: string;
  readonly names?: Translations | undefined;
  readonly branchGroupId: number;
  /** Tax number printed on the branch's documents. */
  readonly documentId?: string | null | undefined;
  /** Empty if always open. Monday = 1. The branch is still open at `closes`. */
  readonly openingHours: readonly { readonly weekday: number; readonly opens: TimeText; readonly closes: TimeText }[];
  readonly closedDates: ReadonlySet<string>;
  /** Closed days on which out-of-hours deliveries and collections are still accepted. */
  readonly workedDates?: ReadonlySet<string>;
  /** Hours that replace those of the weekday, by date. Without times, the branch is closed on the date. */
  readonly specialHours?: ReadonlyMap<string, readonly OpenTime[]>;
}

/** Address and position of a place, as far as the company entered them. */
export interface PlaceLocation {
  readonly street: string | null;
  readonly zip: string | null;
  readonly city: string | null;
  readonly state: string | null;
  readonly country: string | null;
  readonly latitude: number | null;
  readonly longitude: number | null;
}

export interface Place {
  readonly id: number;
  readonly name: string;
  readonly names: Translations;
  readonly branchCode: string;
  readonly placeType: string;
  /** IATA code of the airport or city. */
  readonly iata?: string | undefined;
  readonly location?: PlaceLocation | undefined;
  readonly isPickup: boolean;
  readonly isReturn: boolean;
  readonly webPublic: boolean;
  readonly priceCents: Cents;
  /** Valid return places for a pickup here. Empty allows every return place. */
  readonly returnPlaceIds: ReadonlySet<number>;
}

export interface Family {
  readonly id: number;
  readonly parentId: number | undefined;
  readonly name: string;
  readonly names: Translations;
}

export interface Photo {
  readonly photoPath: string;
  readonly fullPhotoPath: string;
}

export interface Category {
  readonly code: string;
  readonly name: string;
  readonly names: Translations;
  readonly shortDescription: string;
  readonly shortDescriptions: Translations;
  readonly description: string;
  readonly descriptions: Translations;
  readonly familyId: number | undefined;
  readonly webPublic: boolean;
  readonly vat: BasisPoints;
  readonly depositCents: Cents;
  readonly guaranteeCents: Cents;
  /** Supplements 1 (fuel) to 3, each charged once per unit and rental. */
  readonly supplementCents: readonly [Cents, Cents, Cents];
  readonly doors: number | undefined;
  readonly seats: number | undefined;
  readonly suitcases: number | undefined;
  readonly transmission: string | undefined;
  readonly fuel: string | undefined;
  readonly airConditioner: boolean;
  /** Four-letter ACRISS code of the category. */
  readonly acrissCode?: string | undefined;
  /** Kilometres included in the price of a day. Unlimited if absent. */
  readonly kilometresPerDay?: number | undefined;
  readonly photos: readonly Photo[];
}

/** The season includes both dates. */
export interface SeasonPeriod {
  readonly seasonId: number;
  readonly dateFrom: CivilDate;
  readonly dateTo: CivilDate;
}

export interface Tariff {
  readonly categoryCode: string;
  /** If absent, applies to days of seasons without a separate tariff. */
  readonly seasonId: number | undefined;
  /** If absent, applies to channels without a separate tariff. */
  readonly salesChannel: string | undefined;
  readonly brackets: readonly Bracket[];
}

export interface Bracket {
  readonly fromDays: number;
  /** Last number of days of the bracket. Unlimited if absent. */
  readonly toDays: number | undefined;
  /** `day` is a price per day. `bracket` is one price for the rental, split over its days. */
  readonly pricePer: "day" | "bracket";
  readonly priceCents: Cents;
}

/** `value` is in basis points for a percentage, and in minor units per unit for an amount. */
export interface CatalogueDiscount {
  readonly discountType: "percentage" | "amount";
  readonly value: number;
}

/** Conditions of a discount. Dates are inclusive, and absent ones set no limit. The rental's pickup date counts. */
export interface DiscountConditions {
  readonly categoryCode: string | undefined;
  readonly bookingFrom: CivilDate | undefined;
  readonly bookingTo: CivilDate | undefined;
  readonly rentalFrom: CivilDate | undefined;
  readonly rentalTo: CivilDate | undefined;
  readonly minimumDays: number;
}

export interface Offer extends CatalogueDiscount, DiscountConditions {
  readonly id: number;
  readonly name: string;
  readonly names: Translations;
  readonly salesChannel: string | undefined;
}

export interface PromotionCode extends CatalogueDiscount, DiscountConditions {
  readonly code: string;
  /** Limits the discount to one channel. */
  readonly salesChannel?: string | undefined;
}

/** Ages in full years, both ends inclusive. */
export interface DriverAgeRule {
  readonly id: number;
  readonly description: string;
  readonly descriptions: Translations;
  readonly ageFrom: number;
  readonly ageTo: number;
  readonly allowed: boolean;
  readonly costPer: "day" | "rental";
  readonly costCents: Cents;
  readonly depositCents: Cents;
}

export interface Extra {
  readonly id: number;
  readonly code: string;
  readonly name: string;
  readonly names: Translations;
  readonly description: string;
  readonly descriptions: Translations;
  readonly photoPath: string | undefined;
  readonly photoFullPath: string | undefined;
  readonly pricePer: "day" | "rental";
  readonly priceCents: Cents;
  /** Maximum price of a unit, for any number of days. */
  readonly maximumPriceCents: Cents | undefined;
  readonly maxQuantity: number;
  /** Whether `maxQuantity` applies to a booking or to each of its vehicles. */
  readonly limitPer: "booking" | "vehicle";
  readonly excessReduction: ExcessReduction | undefined;
  /** Code of OpenTravel list EQP. */
  readonly opentravelCode?: number | undefined;
  readonly vat: BasisPoints;
  /** Units by branch group. Unlimited if absent. A branch group without an entry has none. */
  readonly stockByStorage: ReadonlyMap<number, number> | undefined;
}

/**
 * Cost of a cancellation less than `hoursBefore` hours before the pickup, or of a no-show. `feeType` decides
 * whether `feeValue` is basis points of the total, days, or minor units.
 */
export interface CancellationTerm {
  readonly occasion: "cancellation" | "no_show";
  /** If absent, applies to channels without a separate term. */
  readonly salesChannel: string | undefined;
  readonly hoursBefore: number | undefined;
  readonly feeType: "percentage" | "days" | "amount";
  readonly feeValue: number;
}
