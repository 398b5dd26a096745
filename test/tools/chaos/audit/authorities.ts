import type { AccountName } from "#tools/platform/client.ts";
import type { Rows } from "#tools/platform/database-files.ts";
import { type HeldByMinistry, readMinistry } from "#worker/development/ses/stand-in.ts";
import { type HeldChain, listChains } from "#worker/development/tax-agency/held.ts";
import type { Accounts, Violation } from "./violation.ts";

const LOST = "everything acknowledged is there";
const DOUBLE = "nothing is double";
const UNREQUESTED = "nothing is there that nobody asked for";

/** What the authorities hold of the platform's accounts. */
export interface HeldByAuthorities {
  readonly chains: readonly HeldChain[];
  /** By the lessor's code. */
  readonly ministry: ReadonlyMap<string, HeldByMinistry>;
}

/** Reads what the authorities' servers keep of the accounts. */
export async function readAuthorities(files: R2Bucket, accounts: Accounts): Promise<HeldByAuthorities> {
  const lessors = [...new Set(Object.values(accounts).flatMap(lessorOf))];
  const held = await Promise.all(lessors.map(async (lessor) => [lessor, await readMinistry(files, lessor)] as const));
  return { chains: await listChains(files), ministry: new Map(held) };
}

function lessorOf(rows: Rows): readonly string[] {
  const [found] = rows<{ code: string | null }>("SELECT ses_lessor_code AS code FROM settings");
  return found?.code ? [found.code] : [];
}

/**
 * Each tax record that is said to be accepted is at the tax agency, once, in the order of its chain and without a flaw,
 * and nothing else is; so is each communication of a rental at the ministry.
 */
export function checkAuthorities(accounts: Accounts, held: HeldByAuthorities): readonly Violation[] {
  return (["acme", "globex"] as const).flatMap((account) => [
    ...checkTaxAgency(account, accounts[account], held.chains),
    ...lessorOf(accounts[account]).flatMap((lessor) =>
      checkMinistry(account, accounts[account], held.ministry.get(lessor) ?? { communications: [], lots: [] }),
    ),
  ]);
}

interface KeptRecord {
  readonly chain: string;
  readonly hash: string;
  readonly position: number;
  readonly state: string;
  readonly code: string | null;
}

/** The same of one account's chains. */
export function checkTaxAgency(account: AccountName, rows: Rows, chains: readonly HeldChain[]): readonly Violation[] {
  const kept = rows<KeptRecord>(`SELECT chain, hash, position, state, code FROM tax_records
    JOIN tax_record_states ON record_id = tax_records.id ORDER BY chain, position`);
  return [...Map.groupBy(kept, ({ chain }) => chain)].flatMap(([name, records]) => {
    const [issuer, installation] = name.split("/");
    const found = chains.find((one) => one.issuer === issuer && one.installation === installation);
    return checkChain(`${account} ${name}`, records, found?.records ?? []);
  });
}

// They come in the order of the chain from its first one on: what is held is as the chain begins, as far as it came.
function checkChain(name: string, kept: readonly KeptRecord[], held: HeldChain["records"]): readonly Violation[] {
  const hashes = new Set(held.map(({ hash }) => hash));
  const isSaid = ({ state }: KeptRecord) => state === "accepted" || state === "accepted_with_errors";
  const told = (check: string, detail: object) => ({ check, detail: `${name} ${JSON.stringify(detail)}` });
  return [
    ...kept.filter((one) => isSaid(one) && !hashes.has(one.hash)).map((one) => told(LOST, one)),
    // Nothing that chaos writes is wrong, and no record is told as one that the agency has already.
    ...kept
      .filter(({ state }) => state === "refused" || state === "accepted_with_errors")
      .map((one) => told(LOST, one)),
    ...held
      .filter(({ state }) => state === "AceptadoConErrores")
      .map((one) => told("records come in their order", one)),
    ...(hashes.size === held.length ? [] : [told(DOUBLE, { held: held.length, different: hashes.size })]),
    ...held
      .flatMap(({ hash, number }, index) =>
        kept[index]?.hash === hash ? [] : [told(UNREQUESTED, { number, index, kept: kept[index] })],
      )
      .slice(0, 1),
  ];
}

interface KeptCommunication {
  readonly id: number;
  readonly booking: number;
  readonly state: string;
  readonly code: string | null;
  readonly lot: string | null;
  readonly error: string | null;
  readonly xml: string;
}

/** The same of what one account told the ministry. */
export function checkMinistry(account: AccountName, rows: Rows, held: HeldByMinistry): readonly Violation[] {
  const kept = rows<KeptCommunication>(
    "SELECT id, booking_id AS booking, state, code, lot, error, xml FROM communications ORDER BY id",
  );
  const byCode = new Map(held.communications.map((one) => [one.code, one]));
  const texts = new Set(held.lots.map(({ text }) => text));
  const bookings = new Set(kept.map(({ booking }) => String(booking)));
  const told = (check: string, detail: object) => ({ check, detail: `${account} ${JSON.stringify(detail)}` });
  const shown = ({ xml: _, ...one }: KeptCommunication) => one;
  const isThere = ({ code, xml }: KeptCommunication) => (code === null ? texts.has(xml) : byCode.has(code));
  return [
    ...kept.filter((one) => one.state === "accepted" && !isThere(one)).map((one) => told(LOST, shown(one))),
    // What the ministry has is not said to be refused because its first answer was lost.
    ...kept
      .filter(
        (one) => one.state === "refused" && one.lot === null && texts.has(one.xml) && one.error?.startsWith("10130"),
      )
      .map((one) => told(LOST, shown(one))),
    ...kept
      .filter((one) => one.state === "annulled" && one.code !== null && byCode.get(one.code)?.isAnnulled !== true)
      .map((one) => told(LOST, shown(one))),
    ...kept
      .filter((one) => one.state === "accepted" && one.code !== null && byCode.get(one.code)?.isAnnulled === true)
      .map((one) => told(UNREQUESTED, shown(one))),
    ...held.communications
      .filter(({ reference }) => !bookings.has(reference.split(/[-/]/)[0] ?? ""))
      .map((one) => told(UNREQUESTED, one)),
    ...(texts.size === held.lots.length ? [] : [told(DOUBLE, { lots: held.lots.length, different: texts.size })]),
  ];
}

/** How much the authorities took since they knew so many records. */
export function countHeld({ chains, ministry }: HeldByAuthorities): Readonly<Record<string, number>> {
  const communications = [...ministry.values()].flatMap((one) => one.communications);
  return {
    "records at the tax agency": chains.reduce((sum, { records }) => sum + records.length, 0),
    "communications at the ministry": communications.length,
    "taken back there": communications.filter(({ isAnnulled }) => isAnnulled).length,
  };
}
