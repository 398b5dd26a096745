import { createTextToHash, parseHashedText, type TaxRecordContent } from "./records.ts";

/** Stored record with its document. `total` and `taxes` are in minor units. */
export interface AuditedRecord {
  readonly chain: string;
  readonly position: number;
  readonly kind: "registration" | "annulment";
  readonly issuer: string;
  readonly number: string;
  readonly date: string;
  readonly hashed: string;
  readonly previousHash: string;
  readonly hash: string;
  readonly content: TaxRecordContent;
  readonly generatedAt: number;
  readonly document: {
    readonly number: string | null;
    readonly date: string | null;
    readonly totalCents: number;
    readonly taxesCents: number;
  };
}

/** Stored end of a chain: its last record's position. Undefined if that record is missing. */
export interface StoredChainEnd {
  readonly chain: string;
  readonly position: number | null;
}

/** Document without the record that was required when it was issued. */
export interface UnrecordedDocument {
  readonly documentId: number;
  readonly number: string;
}

/**
 * Faults of a record, in order: a previous record is missing, the previous record's hash doesn't match, its hash
 * doesn't match the hashed text, its content differs from that text, its document differs, it's older than the previous
 * record, its document has no record, or its chain ends elsewhere.
 */
export const CHAIN_FAULT_KINDS = ["gap", "unchained", "hash", "changed", "document", "time", "missing", "end"] as const;
export type ChainFaultKind = (typeof CHAIN_FAULT_KINDS)[number];

/** Fault in a chain of records: the record at `position`, for the document `number`. */
export interface ChainFault {
  readonly fault: ChainFaultKind;
  readonly chain: string;
  readonly position: number | undefined;
  readonly number: string;
}

/** Audits records in chain order, page by page. `hashOf` is the agency's hash. */
export class ChainAudit {
  readonly faults: ChainFault[] = [];
  records = 0;
  readonly #hashOf: (text: string) => Promise<string>;
  readonly #ends = new Map<string, AuditedRecord>();

  constructor(computeHash: (text: string) => Promise<string>) {
    this.#hashOf = computeHash;
  }

  async add(records: readonly AuditedRecord[]): Promise<void> {
    for (const record of records) {
      this.records += 1;
      const { chain, position, number } = record;
      for (const fault of await this.#faultsOf(record)) this.faults.push({ fault, chain, position, number });
      this.#ends.set(chain, record);
    }
  }

  /** Adds the faults that can only be found after the last record. */
  end(chains: readonly StoredChainEnd[], unrecorded: readonly UnrecordedDocument[]): void {
    for (const { chain, position } of chains) {
      const last = this.#ends.get(chain);
      if (position !== last?.position)
        this.faults.push({ fault: "end", chain, position: last?.position, number: last?.number ?? "" });
    }
    for (const { number } of unrecorded) this.faults.push({ fault: "missing", chain: "", position: undefined, number });
  }

  async #faultsOf(record: AuditedRecord): Promise<ChainFaultKind[]> {
    const before = this.#ends.get(record.chain);
    const isNext = record.position === (before?.position ?? 0) + 1;
    const checks: readonly (readonly [ChainFaultKind, boolean])[] = [
      ["gap", !isNext],
      ["unchained", isNext && record.previousHash !== (before?.hash ?? "")],
      ["hash", (await this.#hashOf(record.hashed)) !== record.hash],
      ["changed", isChanged(record)],
      ["document", !matchesDocument(record)],
      ["time", before !== undefined && record.generatedAt < before.generatedAt],
    ];
    return checks.flatMap(([fault, isWrong]) => (isWrong ? [fault] : []));
  }
}

// Whether a record was changed: the text rebuilt from its data differs from the hashed text.
function isChanged({ content, previousHash, hashed, kind, issuer, number, date }: AuditedRecord): boolean {
  const { id } = content;
  const isSame = content.kind === kind && id.issuer === issuer && id.number === number && id.date === date;
  const previous = previousHash === "" ? undefined : { ...id, hash: previousHash };
  const generatedAt = parseHashedText(hashed)["FechaHoraHusoGenRegistro"] ?? "";
  return !isSame || createTextToHash({ content, previous, generatedAt }) !== hashed;
}

function matchesDocument({ content, number, date, document }: AuditedRecord): boolean {
  if (document.number !== number || document.date !== date) return false;
  if (content.kind === "annulment") return true;
  return toCents(content.total) === document.totalCents && toCents(content.taxTotal) === document.taxesCents;
}

function toCents(amount: string): number {
  return Math.round(Number(amount) * 100);
}

const SENTENCES: Readonly<Record<ChainFaultKind, string>> = {
  gap: "a record before it is missing",
  unchained: "its record does not name the hash of the one before",
  hash: "the hash of its record is not that of the text that was hashed",
  changed: "its record says something else than what was hashed",
  document: "its record does not say what the document says",
  time: "its record is older than the one before",
  missing: "it has no tax record",
  end: "its record is the last of the chain, which ends elsewhere",
};

/** Describes a fault in a sentence, for auditors. */
export function formatChainFault({ fault, chain, position, number }: ChainFault): string {
  const where = position === undefined ? "" : ` (record ${position} of ${chain})`;
  return `${number || chain}${where}: ${SENTENCES[fault]}`;
}
