import type { ImportProblem } from "#domain/operations/import-problems.ts";
import type { ImportEncoding } from "#domain/operations/imports.ts";
import { decodeAs, type EncodingGuess, guessEncoding } from "./guess-encoding.ts";

/** Text of a file with the encoding that was detected. */
export interface DecodedText extends EncodingGuess {
  readonly text: string;
}

/**
 * Decodes a file: by its byte order mark, as UTF-8 if valid, or in the most plausible western Windows, DOS or Macintosh
 * encoding.
 */
export function decodeImportFile(bytes: Uint8Array, known?: ImportEncoding): DecodedText {
  if (known) return decodeGuess(bytes, { encoding: known, doubts: [] });
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decodeGuess(bytes, { encoding: "utf-16le", doubts: [] });
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decodeGuess(bytes, { encoding: "utf-16be", doubts: [] });
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: false }).decode(bytes);
    return { encoding: "utf-8", doubts: [], text };
  } catch {
    return decodeGuess(bytes, guessEncoding(bytes));
  }
}

function decodeGuess(bytes: Uint8Array, guess: EncodingGuess): DecodedText {
  return { ...guess, text: decodeAs(bytes, guess.encoding) };
}

/** Finds letters that were lost or decoded in a wrong encoding before the file was imported. */
export function findGarbledLetters(text: string): ImportProblem | undefined {
  const remedy = { code: "save_as_utf8" } as const;
  if (text.includes("\uFFFD")) return { code: "letters_lost", remedy };
  if (/[^\P{Cc}\t\n\r]/u.test(text)) return { code: "control_characters", remedy };
  return /Ã[\u0080-\u00BF\u2018-\u2030]|Â[\u00A0-\u00BF]/.test(text) ? { code: "encoding_mixed", remedy } : undefined;
}
