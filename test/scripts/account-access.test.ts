import { beforeEach, describe, expect, test } from "vitest";
import {
  addEngineKey,
  findGatewayProblems,
  removeSigningCertificate,
  setGateway,
  setSigningCertificate,
} from "#scripts/accounts/account-access.ts";
import { getMigrationJournalPath } from "#scripts/accounts/account-migrations.ts";
import { findNewCompanyProblems, storeNewCompanySettings, toNewCompanySettings } from "#scripts/accounts/add.ts";
import { addBusyRetry } from "#scripts/accounts/busy-retry.ts";
import { addUser, resetPassword, resetSecondFactors, setUserActive } from "#scripts/accounts/credentials.ts";
import { parseTarget } from "#scripts/accounts/target.ts";
import { stateFolderEntries } from "#scripts/state-folder.ts";
import { DEMO_MASTER_KEY, openCopiedDemo } from "#support/demo-data.ts";
import { COMPANY_CERTIFICATE, COMPANY_KEY, COMPANY_PEM } from "#support/signing-certificate.ts";
import { createSqliteD1, type SqliteD1 } from "#support/sqlite-d1.ts";
import { decryptSecret } from "#worker/auth/secret-encryption.ts";

const acme = { name: "acme", masterKey: DEMO_MASTER_KEY, secondMasterKey: undefined };
let account: SqliteD1;
beforeEach(() => {
  account = createSqliteD1();
});

const tpv = {
  account: "acme",
  masterKey: DEMO_MASTER_KEY,
  method: "tpvA256",
  environment: "test",
  merchant: '{"merchantCode":"999008881","terminal":"1"}',
  secret: "first-secret-of-the-bank",
  now: 5,
};

describe("account access for others", () => {
  // Proves "security, privacy and operation": npm run account makes engine keys
  test("creates a website's API key with its allowed origins and sales channel", async () => {
    const terms = {
      account: "acme",
      label: "Web",
      origins: ["https://www.example.com"],
      salesChannel: undefined,
      now: 5,
    };
    const key = await addEngineKey(account.db, terms);
    expect(account.rows("SELECT api_key, allowed_origins FROM engine_keys")).toEqual([
      { api_key: key, allowed_origins: '["https://www.example.com"]' },
    ]);
    await expect(addEngineKey(account.db, { ...terms, origins: ["www.example.com/shop"] })).rejects.toThrow(
      "--origins",
    );
    await expect(addEngineKey(account.db, { ...terms, salesChannel: "WEB" })).rejects.toThrow("--channel: WEB is none");
  });

  // Proves "security, privacy and operation": npm run account binds gateways
  test("stores a gateway's secret encrypted, and keeps the previous secret after a change", async () => {
    expect([...findGatewayProblems(tpv)]).toEqual([]);
    await setGateway(account.db, tpv);
    await setGateway(account.db, { ...tpv, secret: "second-secret-of-the-bank", now: 6 });
    const [row] = account.rows("SELECT secret_sealed, previous_secret_sealed FROM payment_gateways");
    expect(await decryptSecret(acme, String(row?.["secret_sealed"]))).toBe("second-secret-of-the-bank");
    expect(await decryptSecret(acme, String(row?.["previous_secret_sealed"]))).toBe("first-secret-of-the-bank");
  });

  // Proves "office.md: the vehicles of a contract": Command signing-certificate: only certificates of a branch
  test("stores the certificate that signs for tax numbers of branches encrypted, replaces and removes it", async () => {
    const terms = { account: "acme", masterKey: DEMO_MASTER_KEY, pem: COMPANY_PEM, now: Date.UTC(2026, 11, 1) };
    const { db, rows } = await openCopiedDemo("acme");
    const stored = () => rows("SELECT sealed FROM account_secrets WHERE name = 'signing_certificate'");
    await expect(setSigningCertificate(db, terms)).rejects.toThrow("names no tax number of the branches");
    rows("UPDATE branches SET document_id = 'B12345674' WHERE code = 'PMI'");
    expect(await setSigningCertificate(db, terms)).toEqual(["B12345674"]);
    const other = `${COMPANY_KEY}${COMPANY_CERTIFICATE}`;
    await setSigningCertificate(db, { ...terms, pem: other });
    expect(await Promise.all(stored().map(({ sealed }) => decryptSecret(acme, String(sealed))))).toEqual([other]);
    const expired = { ...terms, now: Date.UTC(2121, 0, 1) };
    await expect(setSigningCertificate(db, expired)).rejects.toThrow("has expired");
    await expect(setSigningCertificate(db, { ...terms, pem: COMPANY_KEY })).rejects.toThrow("no certificate");
    await removeSigningCertificate(db);
    expect(stored()).toEqual([]);
  });

  test("reports all invalid options of a payment gateway at once", () => {
    const invalidOptions = { ...tpv, method: "tpvZ", environment: "somewhere", merchant: "[1]", secret: undefined };
    expect([...findGatewayProblems(invalidOptions)].map((problem) => problem.split(" ")[0])).toEqual([
      "--method",
      "--environment",
      "--merchant",
      "the",
    ]);
  });

  test("names an unknown branch or an existing user in the error when a user is added", async () => {
    const user = { email: "a@b.example", fullName: "Ana", role: "operator", branches: ["NOPE"], now: 5 } as const;
    await expect(addUser(account.db, user)).rejects.toThrow("--branches: NOPE is none of the account's branches");
    await addUser(account.db, { ...user, branches: undefined });
    await expect(addUser(account.db, { ...user, branches: undefined })).rejects.toThrow(
      "There is a user a@b.example already",
    );
  });
});

test("finds a user by user name or email address in any case, and by no other name", async () => {
  const ana = { email: "ana@b.example", fullName: "Ana", role: "operator", branches: undefined, now: 5 } as const;
  await addUser(account.db, ana);
  account.rows("UPDATE users SET username = 'ana' WHERE email = 'ana@b.example'");
  await expect(addUser(account.db, ana)).rejects.toThrow("There is a user ana@b.example already");
  await setUserActive(account.db, "Ana@B.example", false, 6);
  await resetPassword(account.db, "ANA", 7);
  expect(account.rows("SELECT active, tokens_valid_from FROM users WHERE username = 'ana'")).toEqual([
    { active: 0, tokens_valid_from: 7 },
  ]);
  await expect(resetPassword(account.db, "anna", 8)).rejects.toThrow("no member of staff anna");
});

test("removes all second factors of a user who lost them, and of no other user", async () => {
  for (const email of ["ana@b.example", "leo@b.example"]) {
    await addUser(account.db, { email, fullName: email, role: "manager", branches: undefined, now: 5 });
    const user = `(SELECT id FROM users WHERE email = '${email}')`;
    account.rows(`INSERT INTO second_factors (user_id, sealed, confirmed_at) VALUES (${user}, 'x', 5)`);
    account.rows(`INSERT INTO recovery_codes (user_id, code_hash) VALUES (${user}, '${email}')`);
  }
  await resetSecondFactors(account.db, "ana@b.example", 6);
  expect(
    account.rows(`SELECT email, tokens_valid_from AS ended, (SELECT count(*) FROM second_factors WHERE user_id = users.id)
      + (SELECT count(*) FROM recovery_codes WHERE user_id = users.id) AS factors FROM users WHERE email LIKE '%@b.example' ORDER BY email`),
  ).toEqual([
    { email: "ana@b.example", ended: 6, factors: 0 },
    { email: "leo@b.example", ended: 0, factors: 2 },
  ]);
});

test("stores local migration state with the databases, and drops it with them", () => {
  const target = { isRemote: false, environment: undefined, stateDir: "/somewhere/state" };
  expect(getMigrationJournalPath(target)).toBe("/somewhere/state/migrations/default.json");
  expect(stateFolderEntries).toContain("migrations");
});

// Proves "security, privacy and operation": Commands wait for a running platform
test.each([
  ["D1_ERROR: database is locked: SQLITE_BUSY"],
  ["D1_ERROR: Failed to parse body as JSON, got: Error: internal error; reference = bh9lkncelnpij3gfiic5kgv3"],
])("retries a command while the running platform is busy, and reports other errors at once (%s)", async (message) => {
  let busy = 2;
  const { db } = account;
  const shared = {
    prepare: db.prepare.bind(db),
    batch: (statements: D1PreparedStatement[]) =>
      busy-- > 0 ? Promise.reject(new Error(message)) : db.batch(statements),
  } as unknown as D1Database;
  const retryingDatabase = addBusyRetry(shared);
  await retryingDatabase.batch([retryingDatabase.prepare("INSERT INTO seasons (name) VALUES (?)").bind("High")]);
  expect(await retryingDatabase.prepare("SELECT name FROM seasons").first("name")).toBe("High");
  await expect(
    retryingDatabase.batch([retryingDatabase.prepare("INSERT INTO seasons (name) VALUES ('High')")]),
  ).rejects.toThrow("UNIQUE");
});

test.each([
  ["EUR", 2, 40_000],
  ["KWD", 3, 400_000],
])(
  "stores the settings of a new company in %s with its limits in the currency's decimals",
  async (currency, decimals, simplified) => {
    account.rows("DELETE FROM settings");
    const terms = { account: "new", company: "New", country: "KW", currency, timezone: "Asia/Kuwait" };
    // Storing the settings a second time changes nothing.
    for (const _ of [1, 2])
      await storeNewCompanySettings(
        account.db,
        toNewCompanySettings({ ...terms, languages: "en", email: "a@new.example" }),
      );
    expect(
      account.rows(
        "SELECT currency_decimals, simplified_limit_cents, simplified_limit_cents * 5 / 4 = refund_approval_cents AS fits FROM settings",
      ),
    ).toEqual([{ currency_decimals: decimals, simplified_limit_cents: simplified, fits: 1 }]);
  },
);

test("requires a known country, currency, time zone and languages for a new company", () => {
  const terms = { account: "new", company: "New", currency: "EUR", timezone: "Europe/Berlin", email: "a@new.example" };
  const getProblems = (changes: object) => [
    ...findNewCompanyProblems(toNewCompanySettings({ ...terms, ...changes }), parseTarget({})),
  ];
  expect(getProblems({ country: "DE", languages: "de,en" })).toEqual([]);
  expect(getProblems({ country: "ZZ", currency: "EUX", timezone: "Mars/Olympus", languages: "de,xx" })).toEqual([
    "--country must be an ISO code of two letters, ES",
    "--currency must be an ISO code of three letters, EUR",
    "--timezone must be a time zone, Europe/Madrid",
    "--languages must be codes of two letters, es,en: the first is the account's own",
  ]);
});
