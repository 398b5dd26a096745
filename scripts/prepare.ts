import { seedIfEmpty } from "./demo/seed.ts";
import { seedTaxAgencySimulator } from "./demo/tax-agency-records.ts";
import { withDatabases } from "./local-runtime.ts";
import { migrateLocalDatabases } from "./migrations.ts";
import type { DevelopmentSecrets } from "./state-folder.ts";
import { runStep } from "./steps.ts";

const demoAccounts = ["acme", "globex"] as const;

/** Migrates the local databases and fills empty demo accounts. */
export async function prepareDatabases(stateDir: string, secrets: DevelopmentSecrets): Promise<void> {
  await runStep(
    "Migrations",
    () => migrateLocalDatabases(stateDir),
    (names) => (names.length === 0 ? "none waiting" : `applied to ${names.join(" and ")}`),
  );
  await runStep(
    "Demo accounts",
    () => fillDemoAccounts(stateDir, secrets, console.log),
    (names) => (names.length === 0 ? "already there" : `filled ${names.join(" and ")}`),
  );
}

/** Fills empty demo accounts. Returns their names. */
export function fillDemoAccounts(
  stateDir: string,
  { MASTER_KEY: masterKey }: DevelopmentSecrets,
  log: (line: string) => void = () => undefined,
): Promise<readonly string[]> {
  return withDatabases(stateDir, async ({ databases, openFiles }) => {
    const filled: string[] = [];
    for (const account of demoAccounts) {
      const db = databases.get(account);
      if (!db || !(await seedIfEmpty(account, db, { now: new Date(), masterKey, log }))) continue;
      await seedTaxAgencySimulator(await openFiles(), db);
      filled.push(account);
    }
    return filled;
  });
}
