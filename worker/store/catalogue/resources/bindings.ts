import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { ResourceName } from "#domain/catalogue/resources/names.ts";
import * as bookings from "#worker/store/schema/bookings.ts";
import * as calendars from "#worker/store/schema/calendars.ts";
import * as documents from "#worker/store/schema/documents.ts";
import * as organization from "#worker/store/schema/organization.ts";
import * as payments from "#worker/store/schema/payments.ts";
import * as people from "#worker/store/schema/people.ts";
import * as prices from "#worker/store/schema/prices.ts";
import * as quotes from "#worker/store/schema/quotes.ts";
import * as transfers from "#worker/store/schema/transfers.ts";
import * as vehicles from "#worker/store/schema/vehicles.ts";
import * as webhooks from "#worker/store/schema/webhooks.ts";

/** Storage of a list within a resource. Its rows reference the resource in `parent`. */
export interface ResourceListBinding {
  readonly table: SQLiteTable;
  readonly referencingColumn: string;
  /** Column of the resource that the rows reference. */
  readonly referencedColumn: string;
}

/** Rows of other tables that reference a resource, with their display name. */
export interface ResourceReference {
  readonly displayName: string;
  readonly table: SQLiteTable;
  readonly column: string;
  /** Condition for the counted rows. Absent for all. */
  readonly where?: SQL;
  /** Condition that the column's value contains the key. Absent if the value is the key itself. */
  readonly names?: (key: SQL) => SQL;
}

/** Table, key and lists in which an office resource is stored. */
export interface ResourceBinding {
  readonly table: SQLiteTable;
  /** Key columns, as named in the code. */
  readonly key: readonly string[];
  readonly lists?: Readonly<Record<string, ResourceListBinding>>;
  /** Entity of its translations. */
  readonly entity?: (typeof organization.translations.$inferInsert)["entity"];
  /** Key of its translations, if not the id. */
  readonly entityKey?: string;
  /** Condition for the rows of the table that are resources of this kind. Absent if all rows are. */
  readonly only?: { readonly column: string; readonly is: string };
  readonly uses?: readonly ResourceReference[];
  /** References that prevent changing a field, by field name. */
  readonly blockingReferences?: Readonly<Record<string, readonly ResourceReference[]>>;
  /** Account secret that signs the resource's links. */
  readonly signedBy?: "calendar_links";
}

const use = (displayName: string, table: SQLiteTable, column: string): ResourceReference => ({
  displayName,
  table,
  column,
});
const open = (column: string): ResourceReference => ({
  ...use("reservations", bookings.bookings, column),
  where: sql`${bookings.bookings.status} NOT IN ('done', 'cancelled')`,
});

// Open quotes. A quote counts as open until its expiry is recorded, soon after its validity ends.
const IS_QUOTE_OPEN = sql`quotes.status IN ('draft', 'sent') AND NOT EXISTS (SELECT 1 FROM quote_history AS entry
  WHERE entry.quote_id = quotes.id AND entry.event = 'expired' AND entry.at >= min(quotes.valid_until, quotes.pickup_at))`;

/** Storage of each resource, and its possible references. */
export const RESOURCE_BINDINGS: Readonly<Record<ResourceName, ResourceBinding>> = {
  "branch-groups": {
    table: organization.branchGroups,
    key: ["id"],
    uses: [
      use("branches", organization.branches, "branchGroupId"),
      use("vehicles", vehicles.vehicles, "branchGroupId"),
      use("vehicles", vehicles.vehicles, "ownerBranchGroupId"),
      use("extras", prices.extraStocks, "branchGroupId"),
      use("quotes", quotes.quotes, "branchGroupId"),
      use("one-way-fees", prices.oneWayFees, "branchGroupId"),
      use("one-way-fees", prices.oneWayFees, "returnBranchGroupId"),
      use("repatriations", organization.repatriations, "branchGroupId"),
      use("repatriations", organization.repatriations, "returnBranchGroupId"),
      use("reservations", bookings.bookings, "branchGroupId"),
      use("expenses", documents.expenses, "branchGroupId"),
    ],
  },
  branches: {
    table: organization.branches,
    key: ["code"],
    entity: "branch",
    uses: [
      use("places", organization.pickupPlaces, "branchCode"),
      use("opening-hours", organization.openingHours, "branchCode"),
      use("quotes", quotes.quotes, "branchCode"),
      use("quotes", quotes.quotes, "returnBranchCode"),
      use("closed-dates", organization.closedDates, "branchCode"),
      use("special-hours", organization.specialDates, "branchCode"),
      use("vehicles", vehicles.vehicles, "branchCode"),
      use("users", people.userBranches, "branchCode"),
      use("customers", people.customers, "branchCode"),
      use("transfer-vehicles", transfers.transferVehicles, "branchCode"),
      use("selling-rules", prices.sellingRules, "branchCode"),
      use("one-way-fees", prices.oneWayFees, "branchCode"),
      use("one-way-fees", prices.oneWayFees, "returnBranchCode"),
      use("reservations", bookings.bookings, "branchCode"),
      use("reservations", bookings.bookings, "returnBranchCode"),
      use("documents", documents.documents, "branchCode"),
      use("documents", documents.documentSeries, "branchCode"),
      use("charges", documents.charges, "branchCode"),
      use("charges", documents.cashClosings, "branchCode"),
      use("expenses", documents.expenses, "branchCode"),
    ],
    blockingReferences: {
      rental_storage_id: [
        use("vehicles", vehicles.vehicles, "branchCode"),
        open("branchCode"),
        open("returnBranchCode"),
      ],
    },
  },
  "opening-hours": { table: organization.openingHours, key: ["branchCode", "weekday", "opens"] },
  "closed-dates": { table: organization.closedDates, key: ["branchCode", "date"] },
  "special-hours": {
    table: organization.specialDates,
    key: ["id"],
    lists: {
      times: { table: organization.specialDateHours, referencingColumn: "specialDateId", referencedColumn: "id" },
    },
  },
  places: {
    table: organization.pickupPlaces,
    key: ["id"],
    entity: "pickup_place",
    lists: {
      return_place_ids: {
        table: organization.returnPlaces,
        referencingColumn: "pickupPlaceId",
        referencedColumn: "id",
      },
    },
    uses: [
      use("places", organization.returnPlaces, "returnPlaceId"),
      use("one-way-fees", prices.oneWayFees, "pickupPlaceId"),
      use("one-way-fees", prices.oneWayFees, "returnPlaceId"),
      use("reservations", bookings.bookings, "pickupPlaceId"),
      use("quotes", quotes.quotes, "pickupPlaceId"),
      use("quotes", quotes.quotes, "returnPlaceId"),
      use("reservations", bookings.bookings, "returnPlaceId"),
    ],
  },
  "sales-channels": {
    table: organization.salesChannels,
    key: ["code"],
    uses: [
      use("prices", prices.tariffs, "salesChannelCode"),
      use("offers", prices.offers, "salesChannelCode"),
      use("promotion-codes", prices.promotionCodes, "salesChannelCode"),
      use("selling-rules", prices.sellingRules, "salesChannelCode"),
      use("cancellation-terms", prices.cancellationTerms, "salesChannelCode"),
      use("agencies", people.agencies, "salesChannelCode"),
      use("engine-keys", people.engineKeys, "salesChannelCode"),
      use("customers", people.customers, "salesChannelCode"),
      use("reservations", bookings.bookings, "salesChannelCode"),
      use("documents", documents.documents, "salesChannelCode"),
      use("charges", documents.charges, "salesChannelCode"),
    ],
  },
  families: {
    table: vehicles.families,
    key: ["id"],
    entity: "family",
    uses: [use("categories", vehicles.categories, "familyId"), use("families", vehicles.families, "parentId")],
  },
  categories: {
    table: vehicles.categories,
    key: ["code"],
    entity: "booking_category",
    lists: { photos: { table: vehicles.categoryPhotos, referencingColumn: "categoryCode", referencedColumn: "code" } },
    uses: [
      use("vehicles", vehicles.vehicles, "categoryCode"),
      use("quotes", quotes.quotes, "categoryCode"),
      use("prices", prices.tariffs, "categoryCode"),
      use("offers", prices.offers, "categoryCode"),
      use("promotion-codes", prices.promotionCodes, "categoryCode"),
      use("selling-rules", prices.sellingRules, "categoryCode"),
      use("reservations", bookings.bookingLines, "itemId"),
      use("calendars", calendars.calendars, "categoryCode"),
      use("service-plans", vehicles.servicePlans, "categoryCode"),
    ],
  },
  extras: {
    table: prices.extras,
    key: ["id"],
    entity: "extra",
    entityKey: "code",
    lists: { stocks: { table: prices.extraStocks, referencingColumn: "extraCode", referencedColumn: "code" } },
    uses: [
      { displayName: "reservations", table: bookings.bookingExtras, column: "extraId" },
      { displayName: "reservations", table: bookings.surcharges, column: "extraId" },
      {
        ...use("quotes", quotes.quotes, "offer"),
        where: IS_QUOTE_OPEN,
        names: (code) =>
          sql`EXISTS (SELECT 1 FROM json_each(${quotes.quotes.offer}, '$.extras') WHERE value ->> '$.extra.code' = ${code})`,
      },
    ],
  },
  seasons: {
    table: prices.seasons,
    key: ["id"],
    lists: { periods: { table: prices.seasonPeriods, referencingColumn: "seasonId", referencedColumn: "id" } },
    uses: [use("prices", prices.tariffs, "seasonId"), use("selling-rules", prices.sellingRules, "seasonId")],
  },
  prices: {
    table: prices.tariffs,
    key: ["id"],
    lists: { brackets: { table: prices.tariffBrackets, referencingColumn: "tariffId", referencedColumn: "id" } },
  },
  offers: {
    table: prices.offers,
    key: ["id"],
    entity: "offer",
    uses: [use("reservations", bookings.bookingLines, "offerId")],
  },
  "promotion-codes": {
    table: prices.promotionCodes,
    key: ["code"],
    uses: [use("reservations", bookings.bookings, "promotionCode")],
  },
  "driver-age-rules": {
    table: prices.driverAgeRules,
    key: ["id"],
    entity: "driver_age_rule",
    uses: [use("reservations", bookings.bookings, "driverAgeRuleId")],
  },
  "one-way-fees": { table: prices.oneWayFees, key: ["id"] },
  "selling-rules": { table: prices.sellingRules, key: ["id"] },
  "legal-texts": { table: organization.legalTexts, key: ["id"] },
  "cancellation-terms": { table: prices.cancellationTerms, key: ["id"] },
  repatriations: { table: organization.repatriations, key: ["branchGroupId", "returnBranchGroupId"] },
  "transfer-zones": {
    table: transfers.transferZones,
    key: ["id"],
    uses: [
      use("transfer-points", transfers.transferPoints, "zoneId"),
      use("transfer-prices", transfers.transferPrices, "fromZoneId"),
      use("transfer-prices", transfers.transferPrices, "toZoneId"),
    ],
  },
  "transfer-points": {
    table: transfers.transferPoints,
    key: ["id"],
    entity: "transfer_point",
    uses: [
      use("transfer-prices", transfers.transferPrices, "fromPointId"),
      use("transfer-prices", transfers.transferPrices, "toPointId"),
      use("supplements", transfers.transferSupplements, "transferPointId"),
      use("reservations", transfers.transferTrips, "originPointId"),
      use("reservations", transfers.transferTrips, "destinationPointId"),
    ],
  },
  "transfer-vehicles": {
    table: transfers.transferVehicles,
    key: ["id"],
    entity: "transfer_vehicle",
    uses: [
      use("transfer-prices", transfers.transferPrices, "transferVehicleId"),
      use("reservations", transfers.transferBookings, "transferVehicleId"),
    ],
  },
  "transfer-prices": { table: transfers.transferPrices, key: ["id"] },
  "transfer-extras": {
    table: transfers.transferExtras,
    key: ["id"],
    entity: "transfer_extra",
    uses: [use("reservations", transfers.transferBookingExtras, "transferExtraId")],
  },
  supplements: {
    table: transfers.transferSupplements,
    key: ["id"],
    entity: "supplement",
    uses: [use("reservations", transfers.transferBookingSupplements, "transferSupplementId")],
  },
  agencies: {
    table: people.agencies,
    key: ["id"],
    uses: [
      use("partner-keys", people.partnerKeys, "agencyId"),
      use("webhooks", webhooks.webhooks, "agencyId"),
      use("reservations", bookings.bookings, "agencyId"),
    ],
  },
  agents: { table: people.agents, key: ["id"], uses: [use("reservations", bookings.bookings, "agentId")] },
  users: {
    table: people.users,
    key: ["id"],
    only: { column: "kind", is: "staff" },
    lists: { branch_codes: { table: people.userBranches, referencingColumn: "userId", referencedColumn: "id" } },
  },
  "partner-keys": { table: people.partnerKeys, key: ["apiKey"] },
  "engine-keys": { table: people.engineKeys, key: ["apiKey"] },
  gateways: {
    table: payments.paymentGateways,
    key: ["method"],
    uses: [use("payments", payments.paymentIntents, "method")],
  },
  "document-series": {
    table: documents.numberSeries,
    key: ["serie", "companyId"],
    uses: [use("documents", documents.documents, "serie")],
  },
  webhooks: { table: webhooks.webhooks, key: ["id"] },
  calendars: { table: calendars.calendars, key: ["id"], signedBy: "calendar_links" },
  "service-plans": {
    table: vehicles.servicePlans,
    key: ["id"],
    uses: [use("vehicle-services", vehicles.vehicleServices, "servicePlanId")],
  },
  "vehicle-services": { table: vehicles.vehicleServices, key: ["id"] },
  "expense-accounts": {
    table: documents.expenseAccounts,
    key: ["id"],
    uses: [use("expense-concepts", documents.expenseConcepts, "expenseAccountId")],
  },
  "expense-concepts": {
    table: documents.expenseConcepts,
    key: ["id"],
    uses: [use("expenses", documents.expenses, "expenseConceptId")],
  },
  settings: { table: organization.settings, key: ["id"] },
};
