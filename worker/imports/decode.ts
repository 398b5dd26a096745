import type { Encoding } from "#domain/operations/imports.ts";

export interface Decoded {
  readonly text: string;
  readonly encoding: Encoding;
}

/**
 * The text of a file: by its byte order mark, else UTF-8 where every byte is, else as a western Windows or spreadsheet
 * wrote it.
 */
export function decode(bytes: Uint8Array, known?: Encoding): Decoded {
  const encoding = known ?? encodingOf(bytes);
  return { text: new TextDecoder(encoding).decode(bytes), encoding };
}

function encodingOf(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  try {
    new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
    return "utf-8";
  } catch {
    return "windows-1252";
  }
}

/** Why a text cannot be what was written: signs that were lost, or read by the wrong encoding, before it came here. */
export function findGarbled(text: string): string | undefined {
  if (text.includes("\uFFFD")) return "has letters that were lost when the file was saved";
  if (/[^\P{Cc}\t\n\r]/u.test(text)) return "has letters that were lost: signs that cannot be printed";
  return /Ã[\u0080-\u00BF\u2018-\u2030]|Â[\u00A0-\u00BF]/.test(text)
    ? "has letters that were read by the wrong encoding before the file was saved"
    : undefined;
}
