import { sql } from "drizzle-orm";
import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { CONSENT_SOURCES } from "#domain/access/consent.ts";
import { EINVOICE_FORMATS } from "#domain/e-invoices/formats.ts";

// Columns of migrations/0001_catalogue.sql and 0002_access.sql, which define the constraints and indexes. A test
// compares them.

export const customers = sqliteTable("customers", {
  id: integer("id").primaryKey(),
  customerType: text("customer_type", { enum: ["individual", "legal_entity", "group_company", "internal_department"] })
    .notNull()
    .default("individual"),
  name: text("name").notNull(),
  surname: text("surname").notNull().default(""),
  fullName: text("full_name").generatedAlwaysAs(sql`(trim(name || ' ' || surname))`, { mode: "stored" }),
  documentId: text("document_id"),
  documentIdDate: text("document_id_date"),
  documentIdExpirationDate: text("document_id_expiration_date"),
  originCountry: text("origin_country"),
  dateOfBirth: text("date_of_birth"),
  branchCode: text("branch_code"),
  salesChannelCode: text("sales_channel_code"),
  language: text("language"),
  email: text("email"),
  phoneNumberPrefix: text("phone_number_prefix"),
  phoneNumber: text("phone_number"),
  mobilePhonePrefix: text("mobile_phone_prefix"),
  mobilePhone: text("mobile_phone"),
  addressStreet: text("address_street"),
  addressNumber: text("address_number"),
  addressComplement: text("address_complement"),
  addressCity: text("address_city"),
  addressState: text("address_state"),
  addressCountry: text("address_country"),
  addressZip: text("address_zip"),
  createdAt: integer("created_at").notNull(),
  lastUpdate: integer("last_update").notNull(),
  version: integer("version").notNull().default(1),
  marketingConsentAt: integer("marketing_consent_at"),
  marketingConsentDoor: text("marketing_consent_door", { enum: CONSENT_SOURCES }),
  marketingWithdrawnAt: integer("marketing_withdrawn_at"),
  marketingWithdrawnDoor: text("marketing_withdrawn_door", { enum: CONSENT_SOURCES }),
  erasedAt: integer("erased_at"),
  paymentTermsDays: integer("payment_terms_days").notNull().default(0),
  discountBasisPoints: integer("discount_basis_points").notNull().default(0),
  doNotRentReason: text("do_not_rent_reason"),
  mergedIntoId: integer("merged_into_id"),
  einvoiceFormat: text("einvoice_format", { enum: ["none", ...EINVOICE_FORMATS] }),
  buyerReference: text("buyer_reference"),
  einvoiceEndpoint: text("einvoice_endpoint"),
  dir3AccountingOffice: text("dir3_accounting_office"),
  dir3ManagingBody: text("dir3_managing_body"),
  dir3ProcessingUnit: text("dir3_processing_unit"),
  createdByBooking: integer("created_by_booking", { mode: "boolean" }).notNull().default(false),
});

export const customerFiles = sqliteTable("customer_files", {
  key: text("file_key").primaryKey(),
  customerId: integer("customer_id").notNull(),
  name: text("name").notNull(),
  contentType: text("content_type", { enum: ["application/pdf", "image/jpeg", "image/png"] }).notNull(),
  sizeBytes: integer("bytes").notNull(),
  createdBy: text("created_by").notNull(),
  createdAt: integer("created_at").notNull(),
});

export const customerHistory = sqliteTable("customer_history", {
  id: integer("id").primaryKey(),
  customerId: integer("customer_id").notNull(),
  at: integer("at").notNull(),
  actor: text("actor").notNull(),
  event: text("event", { enum: ["created", "changed", "merged"] }).notNull(),
  detail: text("detail").notNull().default("{}"),
});

/** Version of a customer on which a batch was decided. A trigger aborts the batch if it changed. Stores no rows. */
export const customerVersionGuards = sqliteTable("customer_version_guards", {
  customerId: integer("customer_id").notNull(),
  version: integer("version").notNull(),
});

export const agencies = sqliteTable("agencies", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
  salesChannelCode: text("sales_channel_code"),
  active: integer("active", { mode: "boolean" }).notNull().default(true),
  commissionBasisPoints: integer("commission_basis_points").notNull().default(0),
});

export const agents = sqliteTable("agents", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
  commissionCalculation: text("commission_calculation", { enum: ["fixed_amount", "percentage"] })
    .notNull()
    .default("percentage"),
  commissionFixedCents: integer("commission_fixed_cents").notNull().default(0),
  commissionBasisPoints: integer("commission_basis_points").notNull().default(0),
});

export const partnerKeys = sqliteTable("partner_keys", {
  apiKey: text("api_key").primaryKey(),
  name: text("name").notNull(),
  secretSealed: text("secret_sealed").notNull(),
  previousSecretSealed: text("previous_secret_sealed"),
  previousValidUntil: integer("previous_valid_until"),
  agencyId: integer("agency_id"),
  scopeOta: integer("scope_ota", { mode: "boolean" }).notNull().default(false),
  scopeIntegration: integer("scope_integration", { mode: "boolean" }).notNull().default(false),
  scopeAnalytics: integer("scope_analytics", { mode: "boolean" }).notNull().default(false),
  keyOnly: integer("key_only", { mode: "boolean" }).notNull().default(false),
  active: integer("active", { mode: "boolean" }).notNull().default(true),
  createdAt: integer("created_at").notNull(),
  hashed: integer("hashed", { mode: "boolean" }).notNull().default(false),
  signatures: text("signatures", { enum: ["v1", "both", "v2"] })
    .notNull()
    .default("v1"),
  publicKey: text("public_key"),
  networks: text("networks", { mode: "json" }).$type<readonly string[]>().notNull().default([]),
});

export const engineKeys = sqliteTable("engine_keys", {
  apiKey: text("api_key").primaryKey(),
  name: text("name").notNull(),
  allowedOrigins: text("allowed_origins", { mode: "json" }).$type<readonly string[]>().notNull().default([]),
  salesChannelCode: text("sales_channel_code"),
  active: integer("active", { mode: "boolean" }).notNull().default(true),
  createdAt: integer("created_at").notNull(),
});

export const users = sqliteTable("users", {
  id: integer("id").primaryKey(),
  kind: text("kind", { enum: ["staff", "customer"] }).notNull(),
  username: text("username").notNull(),
  email: text("email").notNull(),
  fullName: text("full_name").notNull(),
  passwordHash: text("password_hash").notNull(),
  role: text("role", { enum: ["customer", "operator", "agent", "manager", "administrator"] }).notNull(),
  customerId: integer("customer_id"),
  allBranches: integer("all_branches", { mode: "boolean" }).notNull().default(false),
  language: text("language"),
  theme: text("theme", { enum: ["light", "dark"] }),
  active: integer("active", { mode: "boolean" }).notNull().default(true),
  tokensValidFrom: integer("tokens_valid_from").notNull().default(0),
  createdAt: integer("created_at").notNull(),
  lastUpdate: integer("last_update").notNull(),
  unverifiedSince: integer("unverified_since"),
  grantedRights: text("granted_rights", { mode: "json" }).$type<readonly string[]>().notNull().default([]),
  withdrawnRights: text("withdrawn_rights", { mode: "json" }).$type<readonly string[]>().notNull().default([]),
});

/** Networks from which a user has signed in. Failed sign-ins of other people don't lock the user out there. */
export const userNetworks = sqliteTable(
  "user_networks",
  {
    userId: integer("user_id").notNull(),
    networkHash: text("network_hash").notNull(),
    lastAt: integer("last_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.networkHash] })],
);

export const emailVerifications = sqliteTable("email_verifications", {
  tokenHash: text("token_hash").primaryKey(),
  userId: integer("user_id").notNull(),
  expiresAt: integer("expires_at").notNull(),
});

export const userBranches = sqliteTable(
  "user_branches",
  {
    userId: integer("user_id").notNull(),
    branchCode: text("branch_code").notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.branchCode] })],
);

export const userSessions = sqliteTable("user_sessions", {
  id: text("id").primaryKey(),
  userId: integer("user_id").notNull(),
  createdAt: integer("created_at").notNull(),
  expiresAt: integer("expires_at").notNull(),
  revokedAt: integer("revoked_at"),
  device: text("device"),
  networkHash: text("network_hash"),
  lastUsedAt: integer("last_used_at"),
  forgetAt: integer("erase_at"),
  secondFactorAt: integer("second_factor_at"),
});

export const passwordResets = sqliteTable("password_resets", {
  tokenHash: text("token_hash").primaryKey(),
  userId: integer("user_id").notNull(),
  expiresAt: integer("expires_at").notNull(),
  usedAt: integer("used_at"),
});
