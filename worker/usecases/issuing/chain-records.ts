import { toHex } from "#domain/bytes.ts";
import type { CivilDate } from "#domain/dates.ts";
import { createTextToHash, type InvoiceId, type TaxRecordContent } from "#domain/tax-records/records.ts";
import { getOffsetMinutes } from "#worker/tenancy/clock.ts";

/** Last record of a chain of tax records, as stored. */
export interface TaxChainEndRow {
  readonly chain: string;
  readonly position: number;
  readonly issuer: string;
  readonly number: string;
  readonly date: string;
  readonly hash: string;
  /** Time at which the record was created, epoch ms. */
  readonly generatedAt: number;
}

interface ChainEnd {
  readonly position: number;
  readonly previous: InvoiceId & { readonly hash: string };
  readonly generatedAt: number;
}

/** Chains of tax records of an account, while a batch extends them. */
export class TaxRecordChains {
  readonly #ends: Map<string, ChainEnd>;

  constructor(rows: readonly TaxChainEndRow[]) {
    this.#ends = new Map(
      rows.map(({ chain, position, generatedAt, date, ...previous }) => [
        chain,
        { position, generatedAt, previous: { ...previous, date: date as CivilDate } },
      ]),
    );
  }

  /**
   * Appends a record to a chain. `at` is in epoch ms and `timezone` is the branch's. Times in a chain never decrease.
   */
  async add(
    chain: string,
    content: TaxRecordContent,
    { at, timezone }: { readonly at: number; readonly timezone: string },
  ) {
    const end = this.#ends.get(chain);
    const generatedAt = Math.max(at, end?.generatedAt ?? 0);
    const position = (end?.position ?? 0) + 1;
    const moment = toMomentText(generatedAt, getOffsetMinutes(timezone, generatedAt));
    const hashed = createTextToHash({ content, previous: end?.previous, generatedAt: moment });
    const hash = await computeTaxAgencyHash(hashed);
    const { issuer, number, date } = content.id;
    this.#ends.set(chain, { position, generatedAt, previous: { issuer, number, date, hash } });
    return { chain, content, position, hashed, previousHash: end?.previous.hash ?? "", hash, generatedAt };
  }
}

/** Returns the name of a taxpayer's chain of tax records. */
export function createTaxChainName(issuer: string, installation: string, environment: string): string {
  return `${issuer}/${installation}/${environment}`;
}

/** Returns the agency's hash of a text: SHA-256 in uppercase hex. */
export async function computeTaxAgencyHash(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return toHex(new Uint8Array(digest)).toUpperCase();
}

// Formats an instant with its UTC offset, without fractions: `2024-01-01T19:20:30+01:00`.
function toMomentText(at: number, offset: number): string {
  const two = (value: number) => String(value).padStart(2, "0");
  const local = new Date(at + offset * 60_000).toISOString().slice(0, 19);
  const minutes = Math.abs(offset);
  return `${local}${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
