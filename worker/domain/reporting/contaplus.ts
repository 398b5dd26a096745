import {
  encodeCrLfRecords,
  type FixedWidthField,
  formatFixedWidthRecord,
  shortenDocumentNumber,
} from "./fixed-width.ts";
import type { Posting } from "./journal.ts";

const text = (name: string, width: number): FixedWidthField => ({ name, width });
const number = (name: string, width: number): FixedWidthField => ({ name, width, align: "right" });

/**
 * Record of ContaPlus' journal file (XDIARIO.TXT, 297 columns). Source: programs with published source text that write
 * and read it. Newer versions append columns.
 */
export const CONTAPLUS_FIELDS: readonly FixedWidthField[] = [
  ...[number("ASIEN", 6), text("FECHA", 8), text("SUBCTA", 12), text("CONTRA", 12), number("PTADEBE", 16)],
  ...[text("CONCEPTO", 25), number("PTAHABER", 16), number("FACTURA", 8), number("BASEIMPO", 16), number("IVA", 5)],
  ...[number("RECEQUIV", 5), text("DOCUMENTO", 10), text("DEPARTA", 3), text("CLAVE", 6), text("ESTADO", 1)],
  ...[number("NCASADO", 6), number("TCASADO", 1), number("TRANS", 6), number("CAMBIO", 16), number("DEBEME", 16)],
  ...[number("HABERME", 16), text("AUXILIAR", 1), text("SERIE", 1), text("SUCURSAL", 4), text("CODDIVISA", 5)],
  ...[number("IMPAUXME", 16), text("MONEDAUSO", 1), number("EURODEBE", 16), number("EUROHABER", 16)],
  ...[number("BASEEURO", 16), text("NOCONV", 1), text("NUMEROINV", 10)],
];

const DOCUMENT_WIDTH = 10;
const MAX_ENTRY = 999_999;
const NOTHING = "0.00";

/** Formats postings as a ContaPlus journal file. Amounts are in euros. Throws above 999,999 entries. */
export function toContaplusJournalFile(postings: readonly Posting[]): Uint8Array<ArrayBuffer> {
  if (postings.some(({ entry }) => entry > MAX_ENTRY))
    throw new RangeError("ContaPlus numbers at most 999999 entries. Choose a shorter period.");
  return encodeCrLfRecords(
    postings.flatMap((posting) => {
      const amount = (posting.cents / 100).toFixed(2);
      return [
        toLine(posting, { SUBCTA: posting.debit, CONTRA: posting.credit, EURODEBE: amount }),
        toLine(posting, { SUBCTA: posting.credit, CONTRA: posting.debit, EUROHABER: amount }),
      ];
    }),
  );
}

// Amounts in pesetas and in other currencies stay zero. The currency in use 2 is the euro.
function toLine({ entry, date, document, text }: Posting, values: Readonly<Record<string, string>>): string {
  return formatFixedWidthRecord(CONTAPLUS_FIELDS, {
    ...{ ASIEN: String(entry), FECHA: date.replaceAll("-", ""), CONCEPTO: `${document} ${text}` },
    ...{ DOCUMENTO: shortenDocumentNumber(document, DOCUMENT_WIDTH), MONEDAUSO: "2", NOCONV: "F" },
    ...{ PTADEBE: NOTHING, PTAHABER: NOTHING, DEBEME: NOTHING, HABERME: NOTHING },
    ...{ EURODEBE: NOTHING, EUROHABER: NOTHING, BASEEURO: NOTHING },
    ...values,
  });
}
