import {
  DEFAULT_WAVE_SIZE,
  getMigrationJournalPath,
  listPendingMigrations,
  type PendingMigrations,
  readMigrationJournal,
  rollOutMigrations,
} from "./accounts/account-migrations.ts";
import { readCommandLine } from "./command-line.ts";
import { describeOlderCode } from "./migrations.ts";
import { reportFailure, reportNoAccounts } from "./steps.ts";
import { readAccounts } from "./wrangler-toml.ts";

// npm run migrate shows the pending migrations of each account
// npm run migrate -- --apply applies them: a canary first, then in waves; stops at the first failure, and the
// next run resumes with the failed account last
// --canary <account> --wave <accounts at a time> --remote --env <environment>

const { values, target } = readCommandLine(["canary", "wave", "journal"], ["apply"], { most: 0 });

function formatState({ pending: waiting, unknown, problem }: PendingMigrations): string {
  const pending = waiting.length > 0 ? [`${waiting.length} waiting: ${waiting.join(", ")}`] : [];
  const older = unknown.length > 0 ? [describeOlderCode(unknown)] : [];
  return problem ?? ([...older, ...pending].join("; ") || "up to date");
}

async function show(journal: string): Promise<void> {
  if (reportNoAccounts(readAccounts(target.environment), target.environment)) return;
  const states = await readMigrationJournal(journal);
  for (const pending of await listPendingMigrations(target)) {
    const { account, unknown, problem } = pending;
    const last = states.get(account.name);
    if (problem !== undefined || unknown.length > 0) process.exitCode = 1;
    const before = last ? `  (${last.state} ${last.at}${last.bookmark ? `, bookmark ${last.bookmark}` : ""})` : "";
    console.log(`${account.name.padEnd(20)} ${formatState(pending)}${before}`);
  }
}

try {
  const waveSize = Number(values.wave ?? DEFAULT_WAVE_SIZE);
  if (!Number.isInteger(waveSize) || waveSize < 1) throw new Error("--wave must be a whole number, at least 1");
  const journal = values.journal ?? getMigrationJournalPath(target);
  if (!values.apply) await show(journal);
  else if (!(await rollOutMigrations(target, { canary: values.canary, waveSize, journal }))) process.exitCode = 1;
} catch (error) {
  reportFailure(error);
}
