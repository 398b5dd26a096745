import {
  encodeCrLfRecords,
  type FixedWidthField,
  formatFixedWidthRecord,
  shortenDocumentNumber,
} from "./fixed-width.ts";
import type { Posting } from "./journal.ts";

/**
 * Record of type 0, a posting without tax data, of A3's file SUENLACE.DAT (format 4). Source: programs with published
 * source text that write or read it, which agree on these columns.
 */
export const A3_FIELDS: readonly FixedWidthField[] = [
  { name: "format", width: 1 },
  { name: "company", width: 5 },
  { name: "date", width: 8 },
  { name: "type", width: 1 },
  { name: "account", width: 12 },
  { name: "account_name", width: 30 },
  { name: "side", width: 1 },
  { name: "document", width: 10 },
  { name: "position", width: 1 },
  { name: "text", width: 30 },
  { name: "amount", width: 14 },
  { name: "reserved", width: 138 },
  { name: "analytics", width: 1 },
  { name: "currency", width: 1 },
  { name: "generated", width: 1 },
];

const DOCUMENT_WIDTH = 10;

/** Formats postings as A3's file SUENLACE.DAT for a company's number at A3. Amounts are in euros. */
export function toA3JournalFile(postings: readonly Posting[], company: number): Uint8Array<ArrayBuffer> {
  const lines = postings.flatMap((posting) => [
    { posting, side: "D", account: posting.debit },
    { posting, side: "H", account: posting.credit },
  ]);
  return encodeCrLfRecords(
    lines.map(({ posting, side, account }, index) =>
      formatFixedWidthRecord(A3_FIELDS, {
        ...{ format: "4", company: String(company).padStart(5, "0"), date: posting.date.replaceAll("-", "") },
        ...{ type: "0", account, side, document: shortenDocumentNumber(posting.document, DOCUMENT_WIDTH) },
        position: getPosition(posting.entry, lines[index - 1]?.posting.entry, lines[index + 1]?.posting.entry),
        ...{ text: posting.text, amount: `+${(posting.cents / 100).toFixed(2).padStart(13, "0")}` },
        ...{ currency: "E", generated: "N" },
      }),
    ),
  );
}

// Initial, middle or last (último) line of an entry.
function getPosition(entry: number, before: number | undefined, after: number | undefined): string {
  if (before !== entry) return "I";
  return after === entry ? "M" : "U";
}
