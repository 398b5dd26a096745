import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Columns of migrations/0003_bookings.sql and 0014_operations.sql, which define the constraints and indexes. A test
// compares them.

export const bookings = sqliteTable("bookings", {
  id: integer("id").primaryKey(),
  freeAccessId: text("free_access_id").notNull(),
  status: text("status", { enum: ["pending_confirmation", "confirmed", "in_progress", "done", "cancelled"] }).notNull(),
  version: integer("version").notNull().default(1),
  createdBy: text("created_by", { enum: ["agency", "engine", "staff", "import"] }).notNull(),
  requestFingerprint: text("request_fingerprint"),
  cartId: text("cart_id"),
  /** Keyed hash of the visitor's network. */
  visitorNetwork: text("visitor_network"),
  madeByCustomerId: integer("made_by_customer_id"),
  expiresAt: integer("expires_at"),
  dateFrom: text("date_from").notNull(),
  timeFrom: text("time_from").notNull(),
  dateTo: text("date_to").notNull(),
  timeTo: text("time_to").notNull(),
  days: integer("days").notNull(),
  hours: integer("hours").notNull().default(0),
  minutes: integer("minutes").notNull().default(0),
  pickupPlaceId: integer("pickup_place_id"),
  returnPlaceId: integer("return_place_id"),
  pickupPlace: text("pickup_place").notNull(),
  returnPlace: text("return_place").notNull(),
  branchCode: text("branch_code").notNull(),
  returnBranchCode: text("return_branch_code").notNull(),
  branchGroupId: integer("branch_group_id").notNull(),
  salesChannelCode: text("sales_channel_code"),
  agencyId: integer("agency_id"),
  agencyReservationId: text("agency_reservation_id"),
  agentId: integer("agent_id"),
  agentCommissionCalculation: text("agent_commission_calculation", { enum: ["fixed_amount", "percentage"] }),
  agentCommissionFixedCents: integer("agent_commission_fixed_cents").notNull().default(0),
  agentCommissionBasisPoints: integer("agent_commission_basis_points").notNull().default(0),
  agentCommissionBaseCents: integer("agent_commission_base_cents").notNull().default(0),
  agentCommissionTotalCents: integer("agent_commission_total_cents").notNull().default(0),
  agentCommissionPrepaidCents: integer("agent_commission_prepaid_cents").notNull().default(0),
  agentCommissionPaid: integer("agent_commission_paid", { mode: "boolean" }).notNull().default(false),
  agentCommissionPaymentDate: text("agent_commission_payment_date"),
  customerId: integer("customer_id"),
  customerType: text("customer_type", { enum: ["individual", "legal_entity", "group_company", "internal_department"] })
    .notNull()
    .default("individual"),
  customerName: text("customer_name").notNull(),
  customerSurname: text("customer_surname").notNull().default(""),
  customerEmail: text("customer_email"),
  customerPhonePrefix: text("customer_phone_prefix"),
  customerPhone: text("customer_phone"),
  customerDocumentId: text("customer_document_id"),
  customerLanguage: text("customer_language").notNull(),
  contractData: text("contract_data").notNull().default("{}"),
  comments: text("comments"),
  driverAge: integer("driver_age"),
  driverAgeRuleId: integer("driver_age_rule_id"),
  promotionCode: text("promotion_code"),
  itemCents: integer("item_cents").notNull(),
  extrasCents: integer("extras_cents").notNull().default(0),
  timeFromCents: integer("time_from_cents").notNull().default(0),
  timeToCents: integer("time_to_cents").notNull().default(0),
  pickupPlaceCents: integer("pickup_place_cents").notNull().default(0),
  returnPlaceCents: integer("return_place_cents").notNull().default(0),
  driverAgeCents: integer("driver_age_cents").notNull().default(0),
  categorySupplement1Cents: integer("category_supplement_1_cents").notNull().default(0),
  categorySupplement2Cents: integer("category_supplement_2_cents").notNull().default(0),
  categorySupplement3Cents: integer("category_supplement_3_cents").notNull().default(0),
  supplement1Cents: integer("supplement_1_cents").notNull().default(0),
  supplement2Cents: integer("supplement_2_cents").notNull().default(0),
  supplement3Cents: integer("supplement_3_cents").notNull().default(0),
  totalCents: integer("total_cents").notNull(),
  bookingAmountCents: integer("booking_amount_cents").notNull().default(0),
  totalPaidCents: integer("total_paid_cents").notNull().default(0),
  productDepositCents: integer("product_deposit_cents").notNull().default(0),
  productGuaranteeCents: integer("product_guarantee_cents").notNull().default(0),
  productDepositReductionCents: integer("product_deposit_reduction_cents").notNull().default(0),
  productGuaranteeReductionCents: integer("product_guarantee_reduction_cents").notNull().default(0),
  driverAgeDepositCents: integer("driver_age_deposit_cents").notNull().default(0),
  totalDepositCents: integer("total_deposit_cents").notNull().default(0),
  paymentStatus: text("payment_status", { enum: ["none", "deposit", "total", "refunded"] })
    .notNull()
    .default("none"),
  createdAt: integer("created_at").notNull(),
  lastUpdate: integer("last_update").notNull(),
  cancelledAt: integer("cancelled_at"),
  paidAfterExpiry: integer("paid_after_expiry", { mode: "boolean" }).notNull().default(false),
  kind: text("kind", { enum: ["rental", "transfer"] })
    .notNull()
    .default("rental"),
  cancellationFeeCents: integer("cancellation_fee_cents").notNull().default(0),
  cancellationReason: text("cancellation_reason", { enum: ["cancelled", "no_show", "expired"] }),
  priceDifferenceCents: integer("price_difference_cents").notNull().default(0),
  priceReason: text("price_reason"),
  discount: text("discount"),
  discountCents: integer("discount_cents").notNull().default(0),
  reopenedAt: integer("reopened_at"),
  agreedVersion: integer("agreed_version").notNull().default(1),
  creditedCents: integer("credited_cents").notNull().default(0),
  agreedWithAgency: text("agreed_with_agency"),
  depositHeldCents: integer("deposit_held_cents").notNull().default(0),
});

/** Pending tasks that a user dismissed, because they needed only a review. */
export const dismissedTasks = sqliteTable("dismissed_tasks", {
  item: text("item").primaryKey(),
  userId: integer("user_id").notNull(),
  at: integer("at").notNull(),
});

/** Office requests by their idempotency key, which returns the same response for thirty days. */
export const officeRequests = sqliteTable("office_requests", {
  requestKey: text("request_key").primaryKey(),
  fingerprint: text("fingerprint").notNull(),
  resource: text("resource").notNull(),
  at: integer("at").notNull(),
});

export const bookingLines = sqliteTable("booking_lines", {
  id: integer("id").primaryKey(),
  bookingId: integer("booking_id").notNull(),
  itemId: text("category_code").notNull(),
  itemDescription: text("item_description").notNull(),
  quantity: integer("quantity").notNull(),
  itemUnitBaseCents: integer("item_unit_base_cents").notNull(),
  itemUnitCents: integer("item_unit_cents").notNull(),
  discountCents: integer("discount_cents").notNull().default(0),
  itemCents: integer("item_cents").notNull(),
  vatBasisPoints: integer("vat_basis_points").notNull(),
  categorySupplement1UnitCents: integer("category_supplement_1_unit_cents").notNull().default(0),
  categorySupplement2UnitCents: integer("category_supplement_2_unit_cents").notNull().default(0),
  categorySupplement3UnitCents: integer("category_supplement_3_unit_cents").notNull().default(0),
  productDepositUnitCents: integer("product_deposit_unit_cents").notNull().default(0),
  productGuaranteeUnitCents: integer("product_guarantee_unit_cents").notNull().default(0),
  offerId: integer("offer_id"),
  depositReductionUnitCents: integer("deposit_reduction_unit_cents").notNull().default(0),
  guaranteeReductionUnitCents: integer("guarantee_reduction_unit_cents").notNull().default(0),
});

/** Units of a booking's lines, with their vehicles once assigned. */
export const bookingUnits = sqliteTable("booking_units", {
  id: integer("id").primaryKey(),
  bookingLineId: integer("booking_line_id").notNull(),
  bookingId: integer("booking_id").notNull(),
  vehicleReference: text("vehicle_reference"),
  deliveredAt: integer("delivered_at"),
  collectedAt: integer("collected_at"),
  deliveryUsageUnits: integer("delivery_usage_units"),
  collectionUsageUnits: integer("collection_usage_units"),
  deliveryFuel: text("delivery_fuel"),
  collectionFuel: text("collection_fuel"),
  reopened: integer("reopened", { mode: "boolean" }).notNull().default(false),
});

export const exchangedVehicles = sqliteTable("exchanged_vehicles", {
  id: integer("id").primaryKey(),
  bookingId: integer("booking_id").notNull(),
  unitId: integer("unit_id").notNull(),
  vehicleReference: text("vehicle_reference").notNull(),
  deliveredAt: integer("delivered_at").notNull(),
  returnedAt: integer("returned_at").notNull(),
  deliveryUsageUnits: integer("delivery_usage_units"),
  returnUsageUnits: integer("return_usage_units"),
  deliveryFuel: text("delivery_fuel"),
  returnFuel: text("return_fuel"),
});

// Columns shared by agreed extras and surcharges.
const extraColumns = () => ({
  id: integer("id").primaryKey(),
  bookingId: integer("booking_id").notNull(),
  extraId: text("extra_code").notNull(),
  extraDescription: text("extra_description").notNull(),
  quantity: integer("quantity").notNull(),
  extraUnitCents: integer("extra_unit_cents").notNull(),
  extraCents: integer("extra_cents").notNull(),
  vatBasisPoints: integer("vat_basis_points").notNull(),
});

export const bookingExtras = sqliteTable("booking_extras", {
  ...extraColumns(),
  discountCents: integer("discount_cents").notNull().default(0),
});

/** Surcharges found after a contract was completed. */
export const surcharges = sqliteTable("surcharges", {
  ...extraColumns(),
  chargedOn: text("charged_on").notNull(),
  damageId: text("damage_id"),
});

export const bookingHistory = sqliteTable("booking_history", {
  id: integer("id").primaryKey(),
  bookingId: integer("booking_id").notNull(),
  at: integer("at").notNull(),
  actor: text("actor").notNull(),
  event: text("event", {
    enum: [
      "created",
      "confirmed",
      "changed",
      "extended",
      "early_return",
      "exchanged",
      "assigned",
      "unassigned",
      "delivered",
      "collected",
      "cancelled",
      "no_show",
      "expired",
      "revived",
      "reopened",
      "paid",
      "refunded",
    ],
  }).notNull(),
  detail: text("detail").notNull().default("{}"),
});

export const stockAllocations = sqliteTable("stock_allocations", {
  id: integer("id").primaryKey(),
  bookingId: integer("booking_id"),
  quoteId: integer("quote_id"),
  kind: text("kind", { enum: ["category", "extra", "transfer"] }).notNull(),
  code: text("code").notNull(),
  branchGroupId: integer("branch_group_id").notNull(),
  startsAt: integer("starts_at").notNull(),
  endsAt: integer("ends_at").notNull(),
  preparationMinutes: integer("preparation_minutes").notNull().default(0),
  returnsAt: integer("returns_at"),
  isOut: integer("is_out", { mode: "boolean" }).notNull().default(false),
  quantity: integer("quantity").notNull(),
  originPointId: integer("origin_point_id"),
  destinationPointId: integer("destination_point_id"),
  expiresAt: integer("expires_at"),
  allocatedAt: integer("allocated_at").notNull(),
  isSubstitute: integer("substitute", { mode: "boolean" }).notNull().default(false),
});

/** Version of a booking on which a batch was decided. A trigger aborts the batch if it changed. Stores no rows. */
export const versionGuards = sqliteTable("version_guards", {
  bookingId: integer("booking_id").notNull(),
  version: integer("version").notNull(),
});

/** Booking whose units a trigger allocates again when it is inserted here. Stores no rows. */
export const allocationChanges = sqliteTable("reallocations", {
  bookingId: integer("booking_id").notNull(),
  at: integer("at").notNull(),
});

/** Payer and invoicing period of a booking. */
export const bookingBilling = sqliteTable("booking_billing", {
  bookingId: integer("booking_id").primaryKey(),
  customerId: integer("customer_id"),
  period: text("period", { enum: ["month"] }),
  invoicedMonths: integer("invoiced_months").notNull().default(0),
});

/** Managers' decisions to rent out more than the stock contains. */
export const acceptedShortages = sqliteTable("accepted_shortages", {
  id: integer("id").primaryKey(),
  bookingId: integer("booking_id").notNull(),
  at: integer("at").notNull(),
  actor: text("actor").notNull(),
  reason: text("reason").notNull(),
  isOpen: integer("is_open", { mode: "boolean" }).notNull().default(false),
});

/** Commission of an agency's booking: the agreed rate and the paid amount. */
export const agencyCommissions = sqliteTable("agency_commissions", {
  bookingId: integer("booking_id").primaryKey(),
  basisPoints: integer("basis_points").notNull(),
  paidCents: integer("paid_cents").notNull().default(0),
  paidOn: text("paid_on"),
});
