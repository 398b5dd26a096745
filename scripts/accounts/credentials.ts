import { randomBytes, randomInt } from "node:crypto";
import { hashPassword } from "#worker/auth/passwords.ts";
import { seal } from "#worker/auth/sealing.ts";
import { mustBeThere } from "./openings.ts";

/** What is shown once and kept nowhere in the clear. */
export interface NewKey {
  readonly apiKey: string;
  readonly secret: string;
}

export interface NewUser {
  readonly username: string;
  readonly password: string;
}

export const SCOPES = ["ota", "integration", "analytics"] as const;
export type Scope = (typeof SCOPES)[number];

export interface KeyTerms {
  readonly account: string;
  readonly masterKey: string;
  readonly label: string;
  readonly scopes: readonly Scope[];
  /** The agency of an OTA key: made where there is none of this name. */
  readonly agency: string | undefined;
  /** Whether invoices, bonds and charges need no signature of it. */
  readonly keyOnly?: boolean;
  readonly now: number;
}

/** Makes a partner key. */
export async function addPartnerKey(db: D1Database, terms: KeyTerms): Promise<NewKey> {
  const { account, masterKey, label, scopes, agency, keyOnly = false, now } = terms;
  const apiKey = `${account}-${randomBytes(6).toString("hex")}`;
  const secret = randomBytes(24).toString("base64url");
  const sealed = await seal(masterKey, account, secret);
  const has = (scope: Scope) => (scopes.includes(scope) ? 1 : 0);
  await db.batch([
    ...(agency === undefined
      ? []
      : [
          db
            .prepare("INSERT INTO agencies (name) SELECT ?1 WHERE NOT EXISTS (SELECT 1 FROM agencies WHERE name = ?1)")
            .bind(agency),
        ]),
    db
      .prepare(`INSERT INTO partner_keys (api_key, name, secret_sealed, agency_id, scope_ota, scope_integration, scope_analytics, key_only, created_at)
        VALUES (?1, ?2, ?3, (SELECT id FROM agencies WHERE name = ?4), ?5, ?6, ?7, ?8, ?9)`)
      .bind(
        apiKey,
        label,
        sealed,
        agency ?? null,
        has("ota"),
        has("integration"),
        has("analytics"),
        keyOnly ? 1 : 0,
        now,
      ),
  ]);
  return { apiKey, secret };
}

const OVERLAP_MILLISECONDS = 7 * 24 * 3_600_000;

/** Gives a partner key a new secret; the one before stays good for a week, so that nobody is shut out. */
export async function rotatePartnerKey(
  db: D1Database,
  {
    account,
    masterKey,
    apiKey,
    now,
  }: { readonly account: string; readonly masterKey: string; readonly apiKey: string; readonly now: number },
): Promise<NewKey> {
  const known = await db.prepare("SELECT 1 AS found FROM partner_keys WHERE api_key = ?").bind(apiKey).first();
  if (!known) throw new Error(`${account} has no key ${apiKey}.`);
  const secret = randomBytes(24).toString("base64url");
  await db.batch([
    db
      .prepare(
        `UPDATE partner_keys SET previous_secret_sealed = secret_sealed, previous_valid_until = ?1, secret_sealed = ?2 WHERE api_key = ?3`,
      )
      .bind(now + OVERLAP_MILLISECONDS, await seal(masterKey, account, secret), apiKey),
  ]);
  return { apiKey, secret };
}

export const ROLES = ["operator", "agent", "manager", "administrator"] as const;
export type StaffRole = (typeof ROLES)[number];

export interface UserTerms {
  readonly email: string;
  readonly fullName: string;
  readonly role: StaffRole;
  /** Codes; undefined: all branches. */
  readonly branches: readonly string[] | undefined;
  readonly now: number;
}

/** Makes a member of staff with a password of their own. */
export async function addUser(db: D1Database, { email, fullName, role, branches, now }: UserTerms): Promise<NewUser> {
  for (const code of branches ?? []) await mustBeThere(db, "branches", code, "--branches");
  const known = await db.prepare("SELECT 1 AS found FROM users WHERE username = ?1").bind(email).first();
  if (known) throw new Error(`There is a user ${email} already. --reset gives a new password.`);
  const password = newPassword();
  const hash = await hashPassword(password);
  await db.batch([
    db
      .prepare(`INSERT INTO users (kind, username, email, full_name, password_hash, role, all_branches, created_at, last_update)
        VALUES ('staff', ?1, ?1, ?2, ?3, ?4, ?5, ?6, ?6)`)
      .bind(email, fullName, hash, role, branches === undefined ? 1 : 0, now),
    ...(branches ?? []).map((code) =>
      db
        .prepare("INSERT INTO user_branches (user_id, branch_code) SELECT id, ?2 FROM users WHERE username = ?1")
        .bind(email, code),
    ),
  ]);
  return { username: email, password };
}

/** Gives a user a new password and ends their sessions. */
export async function resetPassword(db: D1Database, username: string, now: number): Promise<NewUser> {
  const password = newPassword();
  await changeUser(db, username, "password_hash = ?2, tokens_valid_from = ?3, last_update = ?3", [
    await hashPassword(password),
    now,
  ]);
  return { username, password };
}

/** Lets a user in no more, at once; or again. */
export async function setUserActive(db: D1Database, username: string, isActive: boolean, now: number): Promise<void> {
  await changeUser(db, username, "active = ?2, tokens_valid_from = ?3, last_update = ?3", [isActive ? 1 : 0, now]);
}

async function changeUser(
  db: D1Database,
  username: string,
  change: string,
  values: readonly (string | number)[],
): Promise<void> {
  const known = await db
    .prepare("SELECT 1 AS found FROM users WHERE username = ? AND kind = 'staff'")
    .bind(username)
    .first();
  if (!known) throw new Error(`There is no member of staff ${username}.`);
  await db.batch([db.prepare(`UPDATE users SET ${change} WHERE username = ?1`).bind(username, ...values)]);
}

const LOWER = "abcdefghijkmnpqrstuvwxyz";
const PARTS = [LOWER, LOWER.toUpperCase(), "23456789", "=!-@._*&", LOWER, LOWER, "23456789"];

/** Sixteen characters by the rules of the platform, none that is mistaken for another. */
export function newPassword(): string {
  const pick = (letters: string) => letters.charAt(randomInt(letters.length));
  const letters = [
    ...PARTS.map(pick),
    ...Array.from({ length: 16 - PARTS.length }, () => pick(LOWER + LOWER.toUpperCase())),
  ];
  for (let index = letters.length - 1; index > 0; index--) {
    const other = randomInt(index + 1);
    [letters[index], letters[other]] = [letters[other] ?? "", letters[index] ?? ""];
  }
  return letters.join("");
}
