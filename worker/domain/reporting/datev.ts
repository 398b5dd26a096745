import type { LedgerAccounts } from "./accounts.ts";
import type { Posting } from "./journal.ts";

/** Numbers of the tax adviser and of the company at DATEV. */
export interface DatevClientNumbers {
  readonly consultant: number;
  readonly client: number;
}

/** Period of a DATEV export. */
export interface DatevPeriod {
  /** Days of one calendar year, because a posting names its day and month only. */
  readonly from: string;
  readonly to: string;
}

interface DatevFileOptions {
  readonly period: DatevPeriod;
  readonly client: DatevClientNumbers;
  readonly currency: string;
  readonly accountLength: number;
}

/**
 * Returns the number of digits of all general ledger accounts: four to eight. Accounts of customers may have one more.
 * Undefined if DATEV would read the accounts as others.
 */
export function getDatevAccountLength({ customers, ...general }: LedgerAccounts): number | undefined {
  const [length = 0, ...otherLengths] = new Set(Object.values(general).map((code) => code.length));
  const isReadable = otherLengths.length === 0 && length >= 4 && length <= 8;
  return isReadable && [length, length + 1].includes(customers.length) ? length : undefined;
}

const numbered = (count: number, names: readonly string[]) =>
  Array.from({ length: count }, (_, index) => names.map((name) => `${name} ${index + 1}`)).flat();

/** Column names of postings in format version 13. */
export const DATEV_COLUMNS: readonly string[] = [
  ...["Umsatz (ohne Soll/Haben-Kz)", "Soll/Haben-Kennzeichen", "WKZ Umsatz", "Kurs", "Basis-Umsatz"],
  ...["WKZ Basis-Umsatz", "Konto", "Gegenkonto (ohne BU-Schlüssel)", "BU-Schlüssel", "Belegdatum", "Belegfeld 1"],
  ...["Belegfeld 2", "Skonto", "Buchungstext", "Postensperre", "Diverse Adressnummer", "Geschäftspartnerbank"],
  ...["Sachverhalt", "Zinssperre", "Beleglink"],
  ...numbered(8, ["Beleginfo - Art", "Beleginfo - Inhalt"]),
  ...["KOST1 - Kostenstelle", "KOST2 - Kostenstelle", "Kost-Menge", "EU-Land u. UStID", "EU-Steuersatz"],
  ...["Abw. Versteuerungsart", "Sachverhalt L+L", "Funktionsergänzung L+L", "BU 49 Hauptfunktionstyp"],
  ...["BU 49 Hauptfunktionsnummer", "BU 49 Funktionsergänzung"],
  ...numbered(20, ["Zusatzinformation - Art", "Zusatzinformation- Inhalt"]),
  ...["Stück", "Gewicht", "Zahlweise", "Forderungsart", "Veranlagungsjahr", "Zugeordnete Fälligkeit", "Skontotyp"],
  ...["Auftragsnummer", "Buchungstyp", "USt-Schlüssel (Anzahlungen)", "EU-Land (Anzahlungen)"],
  ...["Sachverhalt L+L (Anzahlungen)", "EU-Steuersatz (Anzahlungen)", "Erlöskonto (Anzahlungen)", "Herkunft-Kz"],
  ...["Buchungs GUID", "KOST-Datum", "SEPA-Mandatsreferenz", "Skontosperre", "Gesellschaftername"],
  ...["Beteiligtennummer", "Identifikationsnummer", "Zeichnernummer", "Postensperre bis"],
  ...["Bezeichnung SoBil-Sachverhalt", "Kennzeichen SoBil-Buchung", "Festschreibung", "Leistungsdatum"],
  ...["Datum Zuord. Steuerperiode", "Fälligkeit", "Generalumkehr (GU)", "Steuersatz", "Land", "Abrechnungsreferenz"],
  ...["BVV-Position", "EU-Land u. UStID (Ursprung)", "EU-Steuersatz (Ursprung)", "Abw. Skontokonto"],
];

const MAX_TEXT_LENGTH = 60;
/** Maximum length of a document's number. DATEV matches payments by it, so it isn't cut. */
export const MAX_DATEV_DOCUMENT_LENGTH = 36;
const MAX_NOTE_LENGTH = 210;
const HEADER_LENGTH = 31;
/** First of 20 pairs of columns for more information: its name and its content. */
const FIRST_NOTE_COLUMN = DATEV_COLUMNS.indexOf("Zusatzinformation - Art 1");

/**
 * Formats postings as a DATEV file (EXTF 700, category 21) in Windows-1252. Accounts need no automatic tax, because
 * sales and taxes are posted apart. The time of creation is the period's end, so that the same period gives the same
 * bytes.
 */
export function toDatevJournalFile(
  postings: readonly Posting[],
  { period, client, currency, accountLength }: DatevFileOptions,
): Uint8Array<ArrayBuffer> {
  const lines = [
    createHeader({ period, client, currency, accountLength }),
    DATEV_COLUMNS.map((name) => name).join(";"),
    ...postings.map((posting) => toLine(posting, currency)),
  ];
  return toWindows1252(`${lines.join("\r\n")}\r\n`);
}

function createHeader({
  period: { from, to },
  client: { consultant, client },
  currency,
  accountLength,
}: DatevFileOptions): string {
  const day = (date: string) => date.replaceAll("-", "");
  const fields: (string | number)[] = Array.from({ length: HEADER_LENGTH }, () => "");
  fields.splice(0, 6, quote("EXTF"), 700, 21, quote("Buchungsstapel"), 13, `${day(to)}235959000`);
  fields.splice(7, 1, quote("RE"));
  fields.splice(10, 6, consultant, client, `${from.slice(0, 4)}0101`, accountLength, day(from), day(to));
  // Booking type 1: financial accounting. Not final, so that the accountant can correct it.
  fields.splice(16, 6, quote("Buchungen"), "", 1, 0, 0, quote(currency));
  return fields.join(";");
}

// A spreadsheet would calculate such a name. DATEV would show the apostrophe that other exports write before it.
const FORMULA_SIGNS = /^[^\p{L}\p{N}]*[=+\-@\t\r\n][^\p{L}\p{N}]*/u;

function toLine({ date, debit, credit, cents, document, text }: Posting, currency: string): string {
  const fields: string[] = DATEV_COLUMNS.map(() => "");
  const [, month = "", day = ""] = date.split("-");
  fields.splice(0, 3, (cents / 100).toFixed(2).replace(".", ","), quote("S"), quote(currency));
  fields.splice(6, 2, debit, credit);
  const [number, name] = [document.replace(FORMULA_SIGNS, ""), text.replace(FORMULA_SIGNS, "")];
  const shortName = shorten(name, MAX_TEXT_LENGTH);
  fields.splice(9, 2, `${day}${month}`, quote(cleanDocument(number)));
  fields[13] = quote(shortName);
  // Texts that don't fit their own fields unchanged. DATEV shows them next to the posting.
  const notes = [
    ...(cleanDocument(number) === number ? [] : [["Belegnummer", number]]),
    ...(shortName === name ? [] : [["Buchungstext", name]]),
  ].flatMap(([kind = "", content = ""]) => [quote(kind), quote(shorten(content, MAX_NOTE_LENGTH))]);
  fields.splice(FIRST_NOTE_COLUMN, notes.length, ...notes);
  return fields.join(";");
}

/** Whether DATEV's field can contain the number of a document. */
export function fitsDatevDocumentField(document: string): boolean {
  return cleanDocument(document).length <= MAX_DATEV_DOCUMENT_LENGTH;
}

const quote = (text: string): string => `"${text.replaceAll(/[\r\n]/g, " ").replaceAll('"', '""')}"`;
const shorten = (text: string, length: number) => [...text].slice(0, length).join("");

// DATEV allows letters, digits and $ & % * + - / in a document's number.
const cleanDocument = (text: string) => text.replaceAll(/[^A-Za-z0-9$&%*+\-/]/g, "");

// Letters of Windows-1252 from 0x80 on. Those after 0x9f have the code of Unicode.
const WINDOWS = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ";

function toWindows1252(text: string): Uint8Array<ArrayBuffer> {
  const composed = text.normalize("NFC");
  return Uint8Array.from(composed, (letter) => {
    const at = WINDOWS.indexOf(letter);
    const code = at >= 0 ? 0x80 + at : (letter.codePointAt(0) ?? 0);
    return code < 0x100 ? code : "?".charCodeAt(0);
  });
}
