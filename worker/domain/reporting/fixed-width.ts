/** Field of a record with fixed columns: its name, its width and how it's filled. */
export interface FixedWidthField {
  readonly name: string;
  readonly width: number;
  /** Right for numbers, otherwise left. */
  readonly align?: "right";
}

/**
 * Writes a record of fixed columns. Missing values are blank, longer ones are cut. Every character takes one byte,
 * because letters lose their accents and others become question marks.
 */
export function formatFixedWidthRecord(
  fields: readonly FixedWidthField[],
  values: Readonly<Partial<Record<string, string>>>,
): string {
  return fields
    .map(({ name, width, align }) => {
      const text = toAscii(values[name] ?? "").slice(0, width);
      return align === "right" ? text.padStart(width) : text.padEnd(width);
    })
    .join("");
}

const toAscii = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/\p{Cc}/gu, " ")
    .replaceAll(/[^ -~]/gu, "?");

/** Returns a document's number as it fits a field: its end, which differs from that of other documents. */
export const shortenDocumentNumber = (document: string, width: number): string => {
  const bare = document.length > width ? document.replaceAll(/[^A-Za-z0-9]/g, "") : document;
  return bare.slice(-width);
};

/** Encodes records, each on a line. */
export const encodeCrLfRecords = (records: readonly string[]): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(records.map((record) => `${record}\r\n`).join(""), (letter) => letter.charCodeAt(0));
