import type { CivilDate, TimeText } from "#domain/dates.ts";
import type { SeriesLetters } from "#domain/documents/series.ts";
import type { BasisPoints, Cents } from "#domain/money.ts";
import type { TaxEnvironment } from "#domain/tax-records/qr.ts";
import type { TaxRecordMode, Territory } from "#domain/tax-records/territories.ts";
import type { Transfers } from "#domain/transfers/transfers.ts";
import type { Translations } from "./languages.ts";

/** What changes seldom and is read always, of one account. All of it belongs to one `version`. */
export interface Catalogue {
  readonly version: number;
  readonly settings: Settings;
  readonly places: ReadonlyMap<number, Place>;
  readonly branches: ReadonlyMap<string, Branch>;
  readonly salesChannels: ReadonlySet<string>;
  /** Those of them that anybody may name. */
  readonly publicChannels: ReadonlySet<string>;
  readonly categories: ReadonlyMap<string, Category>;
  readonly families: readonly Family[];
  readonly seasonPeriods: readonly SeasonPeriod[];
  readonly tariffs: readonly Tariff[];
  readonly offers: readonly Offer[];
  readonly promotionCodes: ReadonlyMap<string, PromotionCode>;
  readonly driverAgeRules: readonly DriverAgeRule[];
  readonly extras: ReadonlyMap<string, Extra>;
  readonly transfers: Transfers;
  readonly cancellationTerms: readonly CancellationTerm[];
  readonly repatriations: readonly Repatriation[];
  readonly sellingRules: readonly SellingRule[];
  readonly oneWayFees: readonly OneWayFee[];
  /** Whether any partner is told what happens. */
  readonly tellsPartners: boolean;
}

/**
 * What a return at one end costs for a pickup at the other, this way round: between places, branches or branch groups.
 */
export interface OneWayFee {
  readonly between: "place" | "branch" | "branchGroup";
  readonly from: number | string;
  readonly to: number | string;
  readonly priceCents: Cents;
}

/** When what is sold; what is absent says nothing. Weekdays from Monday = 1. */
export interface SellingRule {
  readonly categoryCode: string | undefined;
  readonly branchCode: string | undefined;
  /** Of the pickup's day. */
  readonly seasonId: number | undefined;
  readonly salesChannel: string | undefined;
  readonly minimumDays: number | undefined;
  readonly maximumDays: number | undefined;
  readonly minimumNoticeMinutes: number | undefined;
  readonly horizonDays: number | undefined;
  /** No rental that has a day of it, both ends included. */
  readonly stopSale: { readonly from: CivilDate; readonly to: CivilDate } | undefined;
  readonly noPickupWeekdays: readonly number[] | undefined;
  readonly noReturnWeekdays: readonly number[] | undefined;
  readonly noPickupDates: readonly string[] | undefined;
  readonly noReturnDates: readonly string[] | undefined;
}

/** What an extra does to each unit's deposit and guarantee: a share off (basis points), or down to an amount. */
export interface ExcessReduction {
  readonly type: "percentage" | "amount";
  readonly depositValue: number | undefined;
  readonly guaranteeValue: number | undefined;
}

/** The days until a unit that was left at another branch group is home again, instead of the account's own. */
export interface Repatriation {
  readonly branchGroupId: number;
  readonly returnBranchGroupId: number;
  readonly days: number;
}

/** What a website shows of an account, by the words of the interface; a text that is null is the usual one. */
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
  /** IANA name; every civil time of the account is on this clock. */
  readonly timezone: string;
  readonly languages: readonly string[];
  readonly defaultLanguage: string;
  readonly graceMinutes: number;
  readonly preparationMinutes: number;
  readonly holdMinutes: number;
  /** How long what a visitor is about to pay is held. */
  readonly paymentHoldMinutes: number;
  /** A vehicle that is out after its return is seen back so long after now. */
  readonly overdueMinutes: number;
  /** What a rental to another branch group does with its unit. */
  readonly oneWayMode: "returns_home" | "stays";
  readonly repatriationDays: number;
  readonly minimumDays: number;
  readonly maximumDays: number;
  /** How soon and how far ahead anybody books, where no rule says otherwise. */
  readonly minimumNoticeMinutes: number;
  readonly horizonDays: number;
  readonly outOfHoursAllowed: boolean;
  readonly outOfHoursPickupCents: Cents;
  readonly outOfHoursReturnCents: Cents;
  readonly depositShare: BasisPoints;
  /** A new booking of a website is confirmed at once, without payment. */
  readonly automaticConfirmation: boolean;
  /** Websites may book without paying. */
  readonly requestAllowed: boolean;
  readonly engineRequiresApiKey: boolean;
  /** Origins that may call the engines from a browser without a key; `*`: any. */
  readonly engineOrigins: readonly string[];
  readonly cartIdleMinutes: number;
  /** The most vehicles that one cart of a website holds. */
  readonly visitorUnits: number;
  /** With it, a website's checkout proves that a person is at it. */
  readonly turnstileSiteKey: string | undefined;
  /** What may be paid online when booking: `deposit`, `total`. */
  readonly paymentOptions: readonly string[];
  /** The online payment methods offered: `tpvA256`, `tpvB`, `tpvC`, `wallet_standard`. */
  readonly paymentMethods: readonly string[];
  /** Where the account's links lead, for mails and gateways: never taken from a request. */
  readonly baseUrl: string | undefined;
  /** What the desk may give away by itself. */
  readonly agentLimitCents: Cents;
  /** More than these for each day out are improbable. */
  readonly kilometresADay: number;
  /** A charge for kilometres or fuel above it is invoiced once the office has looked at it. */
  readonly closingChargeLimitCents: Cents;
  /** What a vehicle that comes back before its time gives back. */
  readonly earlyReturnRefund: "none" | "unused_days";
  /** So long after its pickup time a contract that nobody came for is shown as a no-show. */
  readonly noShowMinutes: number;
  /** The mails of a booking's life that the account does not send. */
  readonly mailsOff: readonly string[];
  /** So long before the pickup its customer is reminded; 0: never. */
  readonly reminderHours: number;
  /** So long before its end the customer is told that a hold ends; 0: never. */
  readonly holdReminderMinutes: number;
  /** Whether customers cancel and change their own bookings. */
  readonly customerChangesAllowed: boolean;
  /** How documents are numbered: `{kind}`, `{branch}`, `{year}` and `{yy}` stand for what they say. */
  readonly seriesPattern: string;
  readonly seriesLetters: SeriesLetters;
  /** Up to so much a customer without tax id or address gets a simplified invoice. */
  readonly simplifiedLimitCents: Cents;
  /** A refund above it waits for another manager. */
  readonly refundApprovalCents: Cents;
  /** Which law on invoicing software the account answers to, by tax territory. */
  readonly taxRecords: Readonly<Record<Territory, TaxRecordMode>>;
  /** The tax agency's service that its records are for. */
  /** How a simplified invoice becomes a full one: a credit note and a new one, or a full one in its place. */
  readonly simplifiedExchange: "credit_note" | "replacement";
  readonly taxEnvironment: TaxEnvironment;
  /** What rates are to the tax agency where its law does not say so, by percentage: `{"0.00": "E5"}`. */
  readonly taxRateCodes: Readonly<Record<string, string>>;
  /** The day on which the company signed that its records are sent for it. */
  readonly taxRepresentationDate: string | undefined;
  /** Whether rentals are communicated to SES.HOSPEDAJES; `dry_run`: made and kept, not sent. */
  readonly sesMode: "none" | "dry_run" | "ses";
  readonly sesEnvironment: "test" | "production";
  readonly sesLessorCode: string | undefined;
  readonly sesUser: string | undefined;
  readonly sesPasswordSealed: string | undefined;
  /** The ministry's codes by the fleet's words: `brand:Seat`, `brand:*`, `color:Blanco`. */
  readonly sesCodes: Readonly<Record<string, string>>;
}

export interface Branch {
  readonly code: string;
  readonly name: string;
  readonly branchGroupId: number;
  /** The tax number on its papers. */
  readonly documentId?: string | null | undefined;
  /** No hours at all: open at any time. Weekdays from Monday = 1; `closes` is still open. */
  readonly openingHours: readonly { readonly weekday: number; readonly opens: TimeText; readonly closes: TimeText }[];
  readonly closedDates: ReadonlySet<string>;
  /** Closed days on which out-of-hours work is taken all the same. */
  readonly workedDates?: ReadonlySet<string>;
}

export interface Place {
  readonly id: number;
  readonly name: string;
  readonly names: Translations;
  readonly branchCode: string;
  readonly placeType: string;
  readonly isPickup: boolean;
  readonly isReturn: boolean;
  readonly webPublic: boolean;
  readonly priceCents: Cents;
  /** Return places valid for a pickup here; empty: every return place. */
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
  /** Supplements 1 (fuel) to 3, each once for a unit and rental. */
  readonly supplementCents: readonly [Cents, Cents, Cents];
  readonly doors: number | undefined;
  readonly seats: number | undefined;
  readonly suitcases: number | undefined;
  readonly transmission: string | undefined;
  readonly fuel: string | undefined;
  readonly airConditioner: boolean;
  /** What it is by the four letters of ACRISS. */
  readonly acrissCode?: string | undefined;
  /** So many are in the price of a day; absent: however many. */
  readonly kilometresPerDay?: number | undefined;
  readonly photos: readonly Photo[];
}

/** Both dates are part of the season. */
export interface SeasonPeriod {
  readonly seasonId: number;
  readonly dateFrom: CivilDate;
  readonly dateTo: CivilDate;
}

export interface Tariff {
  readonly categoryCode: string;
  /** Absent: the days whose season has no tariff of its own. */
  readonly seasonId: number | undefined;
  /** Absent: the channels that have no tariff of their own. */
  readonly salesChannel: string | undefined;
  readonly brackets: readonly Bracket[];
}

export interface Bracket {
  readonly fromDays: number;
  /** Absent: no upper end. */
  readonly toDays: number | undefined;
  /** `day`: a price for each day; `bracket`: one for the whole rental, shared out over its days. */
  readonly pricePer: "day" | "bracket";
  readonly priceCents: Cents;
}

/** `value` in basis points for a percentage, in minor units off one unit for an amount. */
export interface Discount {
  readonly discountType: "percentage" | "amount";
  readonly value: number;
}

/** When a discount holds. All dates inclusive, absent ones without limit; a rental counts by its pickup date. */
export interface DiscountTerms {
  readonly categoryCode: string | undefined;
  readonly bookingFrom: CivilDate | undefined;
  readonly bookingTo: CivilDate | undefined;
  readonly rentalFrom: CivilDate | undefined;
  readonly rentalTo: CivilDate | undefined;
  readonly minimumDays: number;
}

export interface Offer extends Discount, DiscountTerms {
  readonly id: number;
  readonly name: string;
  readonly names: Translations;
  readonly salesChannel: string | undefined;
}

export interface PromotionCode extends Discount, DiscountTerms {
  readonly code: string;
  /** Where it is of one channel alone. */
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
  /** The most a unit costs, however many days. */
  readonly maximumPriceCents: Cents | undefined;
  readonly maxQuantity: number;
  /** Of what `maxQuantity` is the most: a booking, or each of its vehicles. */
  readonly limitPer: "booking" | "vehicle";
  readonly excessReduction: ExcessReduction | undefined;
  readonly vat: BasisPoints;
  /** Units by branch group; absent: never short. A branch group without an entry has none. */
  readonly stockByStorage: ReadonlyMap<number, number> | undefined;
}

/**
 * What cancelling costs from so many hours before the pickup on; a no-show has no hours. `feeValue` is basis points of
 * the total, days, or minor units.
 */
export interface CancellationTerm {
  readonly occasion: "cancellation" | "no_show";
  /** Absent: the channels that have no term of their own. */
  readonly salesChannel: string | undefined;
  readonly hoursBefore: number | undefined;
  readonly feeType: "percentage" | "days" | "amount";
  readonly feeValue: number;
}
