import { resolve } from "node:path";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { backUpAccountInOneRun, getBackupPath } from "#worker/usecases/operations/back-up.ts";
import { requireOperatorAccess } from "./accounts/operator.ts";
import { withDatabase } from "./accounts/target.ts";
import { readCommandLine, requireNamedAccount } from "./command-line.ts";
import { getLocalBackupPath } from "./data/last-backup.ts";
import { openBackupFile } from "./data/restore.ts";
import { writeAtomically } from "./files.ts";
import { reportFailure } from "./steps.ts";

// npm run backup -- <account> [--to <folder>] [--remote] [--env <environment>]: saves the account's rows to a local
// file in the format of the nightly backup. npm run restore -- <account> finds it. --remote needs the variable
// OPERATOR_KEY (docs/production.md).

const { values, positionals, target } = readCommandLine(["to"], [], { most: 1 });
const [name = ""] = positionals;

/** Backup bucket replaced by a file, which appears only once complete. */
const createBackupStore = (file: string) => ({
  rows: {
    putStream: (_: string, stream: ReadableStream<Uint8Array>) => writeAtomically(file, stream),
    get: async () => openBackupFile(file),
  },
});

try {
  const account = requireNamedAccount(name, target, "Say: npm run backup -- <account> [--to <folder>]");
  if (target.isRemote) requireOperatorAccess(target.operator);
  const now = Date.now();
  const file = values.to
    ? resolve(values.to, getBackupPath(now))
    : getLocalBackupPath(target, name, getBackupPath(now));
  const rows = await withDatabase(account, target, (db) =>
    backUpAccountInOneRun(
      { name, db: openDatabase(db, createUsageMeter()), copies: createBackupStore(file) } as unknown as Tenant,
      now,
    ),
  );
  console.log(`${name}: ${rows} rows are in ${file}\nnpm run restore -- ${name} tries it out.`);
} catch (error) {
  reportFailure(error);
}
