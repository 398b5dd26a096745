import type { AccountName } from "#tools/platform/client.ts";
import type { Rows } from "#tools/platform/database-files.ts";
import { type HeldByMinistry, readMinistry } from "#worker/development/ses/stand-in.ts";
import { type HeldChain, listChains } from "#worker/development/tax-agency/held.ts";
import type { Accounts, Violation } from "./violation.ts";

const LOST = "everything acknowledged is there";
const DOUBLE = "nothing is double";
const UNREQUESTED = "nothing is there that nobody asked for";

/** Records of the platform's accounts at the authorities. */
export interface AuthorityRecords {
  readonly chains: readonly HeldChain[];
  /** By lessor code. */
  readonly ministry: ReadonlyMap<string, HeldByMinistry>;
}

/** Reads the accounts' records from the authorities' servers. */
export async function readAuthorities(files: R2Bucket, accounts: Accounts): Promise<AuthorityRecords> {
  const lessors = [...new Set(Object.values(accounts).flatMap(listLessors))];
  const ministryRecords = await Promise.all(
    lessors.map(async (lessor) => [lessor, await readMinistry(files, lessor)] as const),
  );
  return { chains: await listChains(files), ministry: new Map(ministryRecords) };
}

function listLessors(rows: Rows): readonly string[] {
  const [matchingChain] = rows<{ code: string | null }>("SELECT ses_lessor_code AS code FROM settings");
  return matchingChain?.code ? [matchingChain.code] : [];
}

/**
 * Checks that each accepted tax record is at the tax agency exactly once, in chain order and without errors, and
 * nothing else. The same for reports of rentals to the ministry.
 */
export function checkAuthorities(accounts: Accounts, ministryRecords: AuthorityRecords): readonly Violation[] {
  return (["acme", "globex"] as const).flatMap((account) => [
    ...checkTaxAgency(account, accounts[account], ministryRecords.chains),
    ...listLessors(accounts[account]).flatMap((lessor) =>
      checkMinistry(
        account,
        accounts[account],
        ministryRecords.ministry.get(lessor) ?? { communications: [], lots: [] },
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
export function checkTaxAgency(account: AccountName, rows: Rows, chains: readonly HeldChain[]): readonly Violation[] {
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
  ministryRecords: HeldChain["records"],
): readonly Violation[] {
  const hashes = new Set(ministryRecords.map(({ hash }) => hash));
  const isAcknowledged = ({ state }: StoredTaxRecord) => state === "accepted" || state === "accepted_with_errors";
  const createViolation = (check: string, detail: object) => ({ check, detail: `${name} ${JSON.stringify(detail)}` });
  return [
    ...storedRecords
      .filter((keptRecord) => isAcknowledged(keptRecord) && !hashes.has(keptRecord.hash))
      .map((keptRecord) => createViolation(LOST, keptRecord)),
    // Chaos writes only valid data, so no record may be rejected or reported as a duplicate.
    ...storedRecords
      .filter(({ state }) => state === "refused" || state === "accepted_with_errors")
      .map((keptRecord) => createViolation(LOST, keptRecord)),
    ...ministryRecords
      .filter(({ state }) => state === "AceptadoConErrores")
      .map((heldRecord) => createViolation("records come in their order", heldRecord)),
    ...(hashes.size === ministryRecords.length
      ? []
      : [createViolation(DOUBLE, { held: ministryRecords.length, different: hashes.size })]),
    ...ministryRecords
      .flatMap(({ hash, number }, index) =>
        storedRecords[index]?.hash === hash
          ? []
          : [createViolation(UNREQUESTED, { number, index, kept: storedRecords[index] })],
      )
      .slice(0, 1),
  ];
}

interface StoredCommunication {
  readonly id: number;
  readonly booking: number;
  readonly state: string;
  readonly code: string | null;
  readonly lot: string | null;
  readonly error: string | null;
  readonly xml: string;
}

/** Checks one account's reports to the ministry. */
export function checkMinistry(account: AccountName, rows: Rows, ministryRecords: HeldByMinistry): readonly Violation[] {
  const storedRecords = rows<StoredCommunication>(
    "SELECT id, booking_id AS booking, state, code, lot, error, xml FROM communications ORDER BY id",
  );
  const byCode = new Map(ministryRecords.communications.map((communication) => [communication.code, communication]));
  const texts = new Set(ministryRecords.lots.map(({ text }) => text));
  const bookings = new Set(storedRecords.map(({ booking }) => String(booking)));
  const createViolation = (check: string, detail: object) => ({
    check,
    detail: `${account} ${JSON.stringify(detail)}`,
  });
  const omitXml = ({ xml: _, ...one }: StoredCommunication) => one;
  const isThere = ({ code, xml }: StoredCommunication) => (code === null ? texts.has(xml) : byCode.has(code));
  return [
    ...storedRecords
      .filter((keptCommunication) => keptCommunication.state === "accepted" && !isThere(keptCommunication))
      .map((keptCommunication) => createViolation(LOST, omitXml(keptCommunication))),
    // A report that the ministry has must not be marked as rejected after a lost response.
    ...storedRecords
      .filter(
        (keptCommunication) =>
          keptCommunication.state === "refused" &&
          keptCommunication.lot === null &&
          texts.has(keptCommunication.xml) &&
          keptCommunication.error?.startsWith("10130"),
      )
      .map((keptCommunication) => createViolation(LOST, omitXml(keptCommunication))),
    ...storedRecords
      .filter(
        (keptCommunication) =>
          keptCommunication.state === "annulled" &&
          keptCommunication.code !== null &&
          byCode.get(keptCommunication.code)?.isAnnulled !== true,
      )
      .map((keptCommunication) => createViolation(LOST, omitXml(keptCommunication))),
    ...storedRecords
      .filter(
        (keptCommunication) =>
          keptCommunication.state === "accepted" &&
          keptCommunication.code !== null &&
          byCode.get(keptCommunication.code)?.isAnnulled === true,
      )
      .map((keptCommunication) => createViolation(UNREQUESTED, omitXml(keptCommunication))),
    ...ministryRecords.communications
      .filter(({ reference }) => !bookings.has(reference.split(/[-/]/)[0] ?? ""))
      .map((communication) => createViolation(UNREQUESTED, communication)),
    ...(texts.size === ministryRecords.lots.length
      ? []
      : [createViolation(DOUBLE, { lots: ministryRecords.lots.length, different: texts.size })]),
  ];
}

/** Counts records received by the authorities since they had this many. */
export function countAuthorityRecords({ chains, ministry }: AuthorityRecords): Readonly<Record<string, number>> {
  const communications = [...ministry.values()].flatMap((heldByMinistry) => heldByMinistry.communications);
  return {
    "records at the tax agency": chains.reduce((sum, { records }) => sum + records.length, 0),
    "communications at the ministry": communications.length,
    "taken back there": communications.filter(({ isAnnulled }) => isAnnulled).length,
  };
}
