import { randomBytes, randomInt } from "node:crypto";
import type { PartnerKeyScope } from "#domain/access/credentials.ts";
import { findPasswordProblems } from "#domain/access/passwords.ts";
import type { STAFF_ROLES } from "#domain/access/sessions.ts";
import { hashPassword } from "#worker/auth/passwords.ts";
import { encryptSecret } from "#worker/auth/secret-encryption.ts";
import { requireExistingCode } from "./account-access.ts";

/** New credentials, shown once and never stored in plain text. */
export interface NewPartnerKey {
  readonly apiKey: string;
  readonly secret: string;
}

export const PARTNER_KEY_SCOPES = ["ota", "integration", "analytics"] as const satisfies readonly PartnerKeyScope[];

const newSecret = () => randomBytes(24).toString("base64url");

interface KeyTerms {
  readonly account: string;
  readonly masterKey: string;
  readonly label: string;
  readonly scopes: readonly PartnerKeyScope[];
  /** Agency of an OTA key, created if missing. */
  readonly agency: string | undefined;
  /** Whether invoices, bonds and charges accept the key without a signature. */
  readonly keyOnly?: boolean;
  readonly now: number;
}

/** Makes a partner key. */
export async function addPartnerKey(db: D1Database, terms: KeyTerms): Promise<NewPartnerKey> {
  const { account, masterKey, label, scopes, agency = null, keyOnly = false, now } = terms;
  const apiKey = `${account}-${randomBytes(6).toString("hex")}`;
  const secret = newSecret();
  const sealed = await encryptSecret(masterKey, account, secret);
  const flags = [...PARTNER_KEY_SCOPES.map((scope) => scopes.includes(scope)), keyOnly];
  await db.batch([
    db
      .prepare(`INSERT INTO agencies (name)
        SELECT ?1 WHERE ?1 IS NOT NULL AND NOT EXISTS (SELECT 1 FROM agencies WHERE name = ?1)`)
      .bind(agency),
    db
      .prepare(`INSERT INTO partner_keys
          (api_key, name, secret_sealed, agency_id, scope_ota, scope_integration, scope_analytics, key_only, created_at)
        VALUES (?1, ?2, ?3, (SELECT id FROM agencies WHERE name = ?4), ?5, ?6, ?7, ?8, ?9)`)
      .bind(apiKey, label, sealed, agency, ...flags.map(Number), now),
  ]);
  return { apiKey, secret };
}

const OVERLAP_MILLISECONDS = 7 * 24 * 3_600_000;

/** Creates a new secret for a partner key. The old one stays valid for a week to avoid interruptions. */
export async function rotatePartnerKey(
  db: D1Database,
  { account, masterKey, apiKey, now }: Pick<KeyTerms, "account" | "masterKey" | "now"> & Pick<NewPartnerKey, "apiKey">,
): Promise<NewPartnerKey> {
  const secret = newSecret();
  const known = await db
    .prepare(`UPDATE partner_keys SET previous_secret_sealed = secret_sealed, previous_valid_until = ?1, secret_sealed = ?2
      WHERE api_key = ?3 RETURNING api_key`)
    .bind(now + OVERLAP_MILLISECONDS, await encryptSecret(masterKey, account, secret), apiKey)
    .first();
  if (!known) throw new Error(`${account} has no key ${apiKey}.`);
  return { apiKey, secret };
}

interface UserTerms {
  readonly email: string;
  readonly fullName: string;
  readonly role: (typeof STAFF_ROLES)[number];
  /** Codes of the branches that the user can access. Undefined for all. */
  readonly branches: readonly string[] | undefined;
  readonly now: number;
}

/** Creates a staff user and returns the password. */
export async function addUser(db: D1Database, { email, fullName, role, branches, now }: UserTerms): Promise<string> {
  for (const code of branches ?? []) await requireExistingCode(db, "branches", code, "--branches");
  const known = await db.prepare("SELECT 1 AS found FROM users WHERE username = ?1 OR email = ?1").bind(email).first();
  if (known) throw new Error(`There is a user ${email} already. --reset gives a new password.`);
  const password = createPassword();
  await db.batch([
    db
      .prepare(`INSERT INTO users (kind, username, email, full_name, password_hash, role, all_branches, created_at, last_update)
        VALUES ('staff', ?1, ?1, ?2, ?3, ?4, ?5, ?6, ?6)`)
      .bind(email, fullName, await hashPassword(password), role, branches === undefined ? 1 : 0, now),
    ...(branches ?? []).map((code) =>
      db
        .prepare("INSERT INTO user_branches (user_id, branch_code) SELECT id, ?2 FROM users WHERE username = ?1")
        .bind(email, code),
    ),
  ]);
  return password;
}

/** Sets a new password for a staff user, ends their sessions and returns the password. */
export async function resetPassword(db: D1Database, name: string, now: number): Promise<string> {
  const password = createPassword();
  await changeUser(db, name, "password_hash", await hashPassword(password), now);
  return password;
}

/**
 * Removes all second factors of a staff user who lost them, and ends their sessions. Otherwise they could never sign in
 * again.
 */
export async function resetSecondFactors(db: D1Database, name: string, now: number): Promise<void> {
  const id = await staffCalled(db, name);
  await db.batch([
    ...["passkeys", "second_factors", "recovery_codes"].map((table) =>
      db.prepare(`DELETE FROM ${table} WHERE user_id = ?1`).bind(id),
    ),
    db.prepare("UPDATE users SET tokens_valid_from = ?2, last_update = ?2 WHERE id = ?1").bind(id, now),
  ]);
}

/** Disables or enables a user immediately. */
export function setUserActive(db: D1Database, name: string, isActive: boolean, now: number): Promise<void> {
  return changeUser(db, name, "active", isActive ? 1 : 0, now);
}

async function changeUser(
  db: D1Database,
  name: string,
  column: "password_hash" | "active",
  value: string | number,
  now: number,
): Promise<void> {
  await db
    .prepare(`UPDATE users SET ${column} = ?2, tokens_valid_from = ?3, last_update = ?3 WHERE id = ?1`)
    .bind(await staffCalled(db, name), value, now)
    .run();
}

/** Finds a staff user by user name or email address. */
async function staffCalled(db: D1Database, name: string): Promise<number> {
  const userRow = await db
    .prepare("SELECT id FROM users WHERE (username = ?1 OR email = ?1) AND kind = 'staff' ORDER BY username = ?1 DESC")
    .bind(name)
    .first<{ readonly id: number }>();
  if (!userRow) throw new Error(`There is no member of staff ${name}.`);
  return userRow.id;
}

/** Letters and digits without those that look alike. */
const LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789=!-@._*&";

/** Creates a 16-character password that satisfies the platform's rules, including the breach filter. */
export function createPassword(): string {
  const password = Array.from({ length: 16 }, () => LETTERS.charAt(randomInt(LETTERS.length))).join("");
  return findPasswordProblems(password).length === 0 ? password : createPassword();
}
