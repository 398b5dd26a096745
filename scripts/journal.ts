import { writeFile } from "node:fs/promises";
import { parseCivilDate } from "#domain/dates.ts";
import { JOURNAL_FORMATS } from "#domain/reporting/journal.ts";
import { requireOperatorAccess } from "./accounts/operator.ts";
import { withDatabase } from "./accounts/target.ts";
import { readCommandLine, readNumber, requireNamedAccount } from "./command-line.ts";
import { createAccountingJournal } from "./data/journal.ts";
import { reportFailure } from "./steps.ts";

// npm run journal -- <account> <file> --from 2026-01-01 --to 2026-12-31 [--format csv|datev|a3|contaplus]
// [--consultant 1001] [--client 1] [--company 1] [--remote] [--env <environment>]
// Exports the general journal of a period for the accounting.

const USAGE = "Say: npm run journal -- <account> <file> --from <date> --to <date> [--format csv|datev|a3|contaplus]";
const { values, positionals, target } = readCommandLine(
  ["from", "to", "format", "consultant", "client", "company"],
  [],
  {
    most: 2,
  },
);
const [name = "", file = ""] = positionals;

try {
  const account = requireNamedAccount(name, target, USAGE);
  const [dateFrom, dateTo] = [parseCivilDate(values.from ?? ""), parseCivilDate(values.to ?? "")];
  const format = JOURNAL_FORMATS.find((format) => format === (values.format ?? "csv"));
  if (!file || !dateFrom || !dateTo) throw new Error(USAGE);
  if (!format) throw new Error(`--format must be one of ${JOURNAL_FORMATS.join(" ")}`);
  const consultant = readNumber("consultant", values.consultant ?? "1001");
  const client = readNumber("client", values.client ?? "1");
  if (target.isRemote) requireOperatorAccess(target.operator);
  const companyId = values.company === undefined ? undefined : readNumber("company", values.company);
  const request = { format, dateFrom, dateTo, consultant, client, companyId };
  await writeFile(file, await withDatabase(account, target, (db) => createAccountingJournal(db, request)));
  console.log(`The journal of ${name} from ${dateFrom} to ${dateTo} is in ${file}.`);
} catch (error) {
  reportFailure(error);
}
