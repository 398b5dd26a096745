import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Columns of migrations/0002_access.sql and 0014_operations.sql, which define the constraints and indexes. A test
// compares them.

/** Generation of the key that signs the account's tokens. Only this one and the previous one are valid. */
export const tokenKeys = sqliteTable("token_keys", {
  id: integer("id").primaryKey(),
  generation: integer("generation").notNull(),
});

/** Encrypted secrets of the company, one for each use. Those of gateways are in `payment_gateways`. */
export const accountSecrets = sqliteTable("account_secrets", {
  name: text("name", { enum: ["turnstile", "work_seal", "calendar_links", "signing_certificate"] }).primaryKey(),
  sealed: text("sealed").notNull(),
  expiresAt: integer("expires_at"),
});

/** Security events for administrators, without addresses and typed names. Repetitions within an hour are counted. */
export const securityEvents = sqliteTable("security_events", {
  id: integer("id").primaryKey(),
  at: integer("at").notNull(),
  lastAt: integer("last_at").notNull(),
  kind: text("kind").notNull(),
  userId: integer("user_id"),
  networkHash: text("network_hash"),
  detail: text("detail").notNull().default("{}"),
  count: integer("count").notNull().default(1),
});

/** Rejected requests of partners and websites, counted by key, operation, reason and day. */
export const rejectedRequests = sqliteTable("rejected_requests", {
  id: integer("id").primaryKey(),
  day: text("day").notNull(),
  kind: text("kind", { enum: ["partner", "website"] }).notNull(),
  keyHash: text("key_hash").notNull(),
  keyName: text("key_name").notNull(),
  agencyId: integer("agency_id"),
  operation: text("operation").notNull(),
  code: text("code").notNull(),
  field: text("field").notNull(),
  kindOfMessage: text("kind_of_message").notNull(),
  count: integer("count").notNull(),
  firstAt: integer("first_at").notNull(),
  lastAt: integer("last_at").notNull(),
  lastMessage: text("last_message").notNull(),
  lastRequestId: text("last_request_id").notNull(),
});

export const signatureNonces = sqliteTable("signature_nonces", {
  nonceHash: text("nonce_hash").primaryKey(),
  expiresAt: integer("expires_at").notNull(),
});

export const secondFactors = sqliteTable("second_factors", {
  userId: integer("user_id").primaryKey(),
  sealed: text("sealed").notNull(),
  confirmedAt: integer("confirmed_at"),
  lastStep: integer("last_step").notNull().default(0),
});

export const recoveryCodes = sqliteTable(
  "recovery_codes",
  { userId: integer("user_id").notNull(), codeHash: text("code_hash").notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

export const passkeys = sqliteTable("passkeys", {
  id: text("id").primaryKey(),
  userId: integer("user_id").notNull(),
  name: text("name").notNull(),
  publicKey: text("public_key").notNull(),
  algorithm: integer("algorithm").$type<-7 | -8 | -257>().notNull(),
  signCount: integer("sign_count").notNull().default(0),
  createdAt: integer("created_at").notNull(),
  lastUsedAt: integer("last_used_at"),
});

export const passkeyChallenges = sqliteTable("passkey_challenges", {
  challenge: text("challenge").primaryKey(),
  userId: integer("user_id").notNull(),
  expiresAt: integer("expires_at").notNull(),
});

/** Recent sign-in attempts by user, unknown name or address. Names and addresses are keyed hashes. */
export const accessAttempts = sqliteTable(
  "access_attempts",
  {
    action: text("action", { enum: ["login", "sign_up", "check", "forgotten", "change"] }).notNull(),
    subject: text("subject").notNull(),
    count: integer("count").notNull(),
    windowEndsAt: integer("window_ends_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.action, table.subject] })],
);

/** Mails sent by a development build, for the page /dev/mailbox. */
export const developmentMails = sqliteTable("development_mails", {
  id: integer("id").primaryKey(),
  sentAt: integer("sent_at").notNull(),
  recipient: text("recipient").notNull(),
  subject: text("subject").notNull(),
  text: text("text").notNull(),
  html: text("html").notNull(),
});
