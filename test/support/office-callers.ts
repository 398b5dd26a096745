import { env } from "cloudflare:workers";
import { emptyDatabase } from "#scripts/demo/empty-database.ts";
import { seedIfEmpty } from "#scripts/demo/seed.ts";
import { setUpCompany } from "./company.ts";
import { openTestTenant } from "./databases.ts";
import { STAFF_ROLES, type StaffRole } from "./office-rights.ts";
import { addTestUsers, createToken, PASSWORD_HASH } from "./test-users.ts";

const CONTRACTS = 300;
const FIRST_USER_ID = 9001;

/** Staff of each role at all branches, a manager of another branch, a customer, staff of another account, no user. */
export type OfficeCaller = StaffRole | "elsewhere" | "customer" | "otherAccount" | "anonymous";

/**
 * Fills the account with a small demo and a branch `FAR` in a branch group of its own, and creates the callers. Returns
 * their tokens, null for nobody. The manager `elsewhere` belongs to `FAR`.
 */
export async function createOfficeCallers(): Promise<ReadonlyMap<OfficeCaller, string | null>> {
  const db = env.TENANT_ACME;
  await emptyDatabase(db);
  const options = { now: new Date(), masterKey: env.MASTER_KEY, log: () => undefined, contracts: CONTRACTS };
  await seedIfEmpty("acme", db, options);
  const insertUser = (id: number, kind: string, name: OfficeCaller, role: string, customerId: number | null = null) =>
    db
      .prepare(`INSERT INTO users (id, kind, username, email, full_name, password_hash, role, customer_id, all_branches,
        created_at, last_update) VALUES (?1, ?2, ?3, ?3 || '@example.com', ?3, ?4, ?5, ?6, ?7, 1, 1)`)
      .bind(id, kind, name, PASSWORD_HASH, role, customerId, Number(kind === "staff" && name !== "elsewhere"));
  await db.batch([
    db.prepare(`INSERT INTO branch_groups (id, name, timezone, created_at, last_update)
      SELECT 990, 'Far', timezone, 1, 1 FROM branch_groups LIMIT 1`),
    db.prepare(`INSERT INTO branches (code, branch_group_id, name, place_type, timezone, currency, created_at, last_update)
      SELECT 'FAR', 990, 'Far', 'location', timezone, currency, 1, 1 FROM branches LIMIT 1`),
    ...STAFF_ROLES.map((role, index) => insertUser(FIRST_USER_ID + index, "staff", role, role)),
    insertUser(FIRST_USER_ID + 10, "staff", "elsewhere", "manager"),
    db.prepare(`INSERT INTO user_branches VALUES (${FIRST_USER_ID + 10}, 'FAR')`),
    db.prepare("DELETE FROM users WHERE kind = 'customer'"),
    insertUser(FIRST_USER_ID + 11, "customer", "customer", "customer", 1),
  ]);
  const tokens = new Map<OfficeCaller, string | null>([["anonymous", null]]);
  for (const name of [...STAFF_ROLES, "elsewhere", "customer"] as const) tokens.set(name, await createToken(name));
  await setUpCompany("globex");
  await addTestUsers("globex");
  for (const account of ["acme", "globex"]) await openTestTenant(env, account).freshSnapshot();
  return tokens.set("otherAccount", await createToken("boss", "globex"));
}
