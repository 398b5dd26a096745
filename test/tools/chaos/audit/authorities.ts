import type { AccountName } from "#tools/platform/client.ts";
import type { Rows } from "#tools/platform/database-files.ts";
import { readSimulatedMinistryData, type SimulatedMinistryData } from "#worker/development/ses/ministry-simulator.ts";
import { listSimulatedChains, type SimulatedTaxRecordChain } from "#worker/development/tax-agency/simulated-records.ts";
import {
  ACCOUNTS,
  type AccountDatabases,
  CONFIRMED_RECORDS_EXIST,
  DOUBLE,
  reportIf,
  UNREQUESTED,
  type Violation,
} from "./violation.ts";

/** Records of the platform's accounts at the authorities. */
export interface AuthorityRecords {
  readonly chains: readonly SimulatedTaxRecordChain[];
  /** Reports received by the ministry, by lessor code. */
  readonly ministry: ReadonlyMap<string, SimulatedMinistryData>;
}

/** Reads the accounts' records from the authorities' servers. */
export async function readAuthorityRecords(files: R2Bucket, accounts: AccountDatabases): Promise<AuthorityRecords> {
  const lessors = [...new Set(Object.values(accounts).flatMap(listLessors))];
  const ministryRecords = await Promise.all(
    lessors.map(async (lessor) => [lessor, await readSimulatedMinistryData(files, lessor)] as const),
  );
  return { chains: await listSimulatedChains(files), ministry: new Map(ministryRecords) };
}

function listLessors(rows: Rows): readonly string[] {
  const [accountSettings] = rows<{ code: string | null }>("SELECT ses_lessor_code AS code FROM settings");
  return accountSettings?.code ? [accountSettings.code] : [];
}

/**
 * Checks that each accepted tax record is at the tax agency exactly once, in chain order and without errors, and
 * nothing else. The same for reports of rentals to the ministry.
 */
export function checkAuthorityRecords(
  accounts: AccountDatabases,
  authorityRecords: AuthorityRecords,
): readonly Violation[] {
  return ACCOUNTS.flatMap((account) => [
    ...checkTaxAgency(account, accounts[account], authorityRecords.chains),
    ...listLessors(accounts[account]).flatMap((lessor) =>
      checkMinistry(
        account,
        accounts[account],
        authorityRecords.ministry.get(lessor) ?? { ministryReports: [], lots: [] },
      ),
    ),
  ]);
}

interface StoredTaxRecord {
  readonly chain: string;
  readonly hash: string;
  readonly position: number;
  readonly state: string;
  readonly code: string | null;
}

/** Checks one account's chains at the tax agency. */
export function checkTaxAgency(
  account: AccountName,
  rows: Rows,
  chains: readonly SimulatedTaxRecordChain[],
): readonly Violation[] {
  const storedRecords = rows<StoredTaxRecord>(`SELECT chain, hash, position, state, code FROM tax_records
    JOIN tax_record_states ON record_id = tax_records.id ORDER BY chain, position`);
  return [...Map.groupBy(storedRecords, ({ chain }) => chain)].flatMap(([name, records]) => {
    const [issuer, installation] = name.split("/");
    const matchingChain = chains.find((chain) => chain.issuer === issuer && chain.installation === installation);
    return checkChain(`${account} ${name}`, records, matchingChain?.records ?? []);
  });
}

// Checks that records arrived in chain order from the first one, without gaps so far.
function checkChain(
  name: string,
  storedRecords: readonly StoredTaxRecord[],
  agencyRecords: SimulatedTaxRecordChain["records"],
): readonly Violation[] {
  const hashes = new Set(agencyRecords.map(({ hash }) => hash));
  const report = (isWrong: boolean, check: string, detail: object) => reportIf(isWrong, check, { name, ...detail });
  const firstOther = agencyRecords.findIndex(({ hash }, index) => storedRecords[index]?.hash !== hash);
  return [
    ...storedRecords.flatMap((record) => {
      const isAcknowledged = record.state === "accepted" || record.state === "accepted_with_errors";
      // Chaos writes only valid data, so no record may be rejected or reported as a duplicate.
      const isRejected = record.state === "refused" || record.state === "accepted_with_errors";
      return report((isAcknowledged && !hashes.has(record.hash)) || isRejected, CONFIRMED_RECORDS_EXIST, record);
    }),
    ...agencyRecords.flatMap((record) =>
      report(record.state === "AceptadoConErrores", "records are in chain order", record),
    ),
    ...report(hashes.size !== agencyRecords.length, DOUBLE, { held: agencyRecords.length, different: hashes.size }),
    ...report(firstOther >= 0, UNREQUESTED, {
      number: agencyRecords[firstOther]?.number,
      stored: storedRecords[firstOther],
    }),
  ];
}

interface StoredReport {
  readonly id: number;
  readonly booking: number;
  readonly state: string;
  readonly code: string | null;
  readonly lot: string | null;
  readonly error: string | null;
  readonly xml: string;
}

/** Checks one account's reports to the ministry. */
export function checkMinistry(
  account: AccountName,
  rows: Rows,
  ministryRecords: SimulatedMinistryData,
): readonly Violation[] {
  const storedRecords = rows<StoredReport>(
    "SELECT id, booking_id AS booking, state, code, lot, error, xml FROM ministry_reports ORDER BY id",
  );
  const byCode = new Map(
    ministryRecords.ministryReports.map((ministryReport) => [ministryReport.code, ministryReport]),
  );
  const texts = new Set(ministryRecords.lots.map(({ text }) => text));
  const bookings = new Set(storedRecords.map(({ booking }) => String(booking)));
  const report = (isWrong: boolean, check: string, detail: object) => reportIf(isWrong, check, { account, ...detail });
  return [
    ...storedRecords.flatMap(({ xml, ...stored }) => {
      const { state, code, lot, error } = stored;
      const heldReport = byCode.get(code ?? "");
      const isMissing = state === "accepted" && (code === null ? !texts.has(xml) : !heldReport);
      // A report that the ministry has must not be marked as rejected after a lost response.
      const isMarkedRejected = state === "refused" && lot === null && texts.has(xml) && error?.startsWith("10130");
      const isNotAnnulled = state === "annulled" && code !== null && heldReport?.isAnnulled !== true;
      return [
        ...report(isMissing || isMarkedRejected === true || isNotAnnulled, CONFIRMED_RECORDS_EXIST, stored),
        ...report(state === "accepted" && heldReport?.isAnnulled === true, UNREQUESTED, stored),
      ];
    }),
    ...ministryRecords.ministryReports.flatMap((held) =>
      report(!bookings.has(held.reference.split(/[-/]/)[0] ?? ""), UNREQUESTED, held),
    ),
    ...report(texts.size !== ministryRecords.lots.length, DOUBLE, {
      ...{ lots: ministryRecords.lots.length, different: texts.size },
    }),
  ];
}

/** Counts the tax records, reports to the ministry and withdrawn reports that the authorities have. */
export function countAuthorityRecords({ chains, ministry }: AuthorityRecords): Readonly<Record<string, number>> {
  const ministryReports = [...ministry.values()].flatMap((heldByMinistry) => heldByMinistry.ministryReports);
  return {
    "records at the tax agency": chains.reduce((sum, { records }) => sum + records.length, 0),
    "reports at the ministry": ministryReports.length,
    "taken back there": ministryReports.filter(({ isAnnulled }) => isAnnulled).length,
  };
}
