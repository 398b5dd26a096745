/** Type of a file on a customer's card. */
export type CustomerFileType = "application/pdf" | "image/jpeg" | "image/png";

export const MAX_CUSTOMER_FILE_MB = 5;
export const MAX_FILES_PER_CUSTOMER = 100;
export const MAX_FILE_NAME_LENGTH = 120;

const BYTES_PER_MB = 1_000_000;
/** Readers look for the end of a PDF in this many last bytes. */
const PDF_END_BYTES = 1024;

/** Whether a file is within the size limit. */
export function isCustomerFileSizeAllowed(bytes: Uint8Array): boolean {
  return bytes.byteLength > 0 && bytes.byteLength <= MAX_CUSTOMER_FILE_MB * BYTES_PER_MB;
}

/** Whether the bytes are a complete PDF: its header first, and its end marker near the end. */
export function isPdf(bytes: Uint8Array): boolean {
  const toText = (part: Uint8Array) => String.fromCharCode(...part);
  return (
    /^%PDF-[12]\.\d/.test(toText(bytes.subarray(0, 8))) && toText(bytes.subarray(-PDF_END_BYTES)).includes("%%EOF")
  );
}

const ENDINGS: Readonly<Record<CustomerFileType, RegExp>> = {
  "application/pdf": /\.pdf$/i,
  "image/jpeg": /\.jpe?g$/i,
  "image/png": /\.png$/i,
};
const ENDING: Readonly<Record<CustomerFileType, string>> = {
  "application/pdf": ".pdf",
  "image/jpeg": ".jpg",
  "image/png": ".png",
};

/** Returns the name without folders, with the ending of its real type, because programs open a file by its ending. */
export function toCustomerFileName(name: string, type: CustomerFileType): string {
  const base = (name.split(/[\\/]/).at(-1) ?? "").trim();
  // Splits by code point, because half of a surrogate pair can't be encoded in a URL.
  const letters = [...base];
  if (ENDINGS[type].test(base)) return letters.slice(-MAX_FILE_NAME_LENGTH).join("");
  return `${letters.slice(0, MAX_FILE_NAME_LENGTH - ENDING[type].length).join("") || "file"}${ENDING[type]}`;
}
