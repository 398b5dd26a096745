import { type CivilDate, parseCivilDate } from "#domain/dates.ts";
import { err, ok, type Result } from "#domain/result.ts";

/** Data of the machine-readable zone of a passport or identity card. */
export interface MachineReadableZone {
  readonly kind: "passport" | "card";
  readonly surname: string;
  readonly name: string;
  readonly documentId: string;
  readonly dateOfBirth: CivilDate | undefined;
  readonly expires: CivilDate | undefined;
}

export type MachineReadableZonePart = "document" | "birth" | "expiry" | "whole";

/** `none`: no such lines. `wrong`: a check digit shows a misreading. */
export type MachineReadableZoneRefusal =
  | { readonly kind: "none" }
  | { readonly kind: "wrong"; readonly parts: readonly [MachineReadableZonePart, ...MachineReadableZonePart[]] };

type Span = readonly [number, number];

/** Positions of the fields in the joined lines (ICAO 9303, parts 4 to 6). A check digit follows its field. */
interface Layout {
  readonly lines: number;
  readonly length: number;
  readonly names: Span;
  readonly document: Span;
  readonly birth: Span;
  readonly expiry: Span;
  readonly optional: Span;
  /** Ranges covered by the last check digit, and its position. */
  readonly whole: readonly Span[];
  readonly wholeCheck: number;
}

const LAYOUTS: readonly Layout[] = [
  {
    ...{ lines: 2, length: 44, names: [5, 44], document: [44, 53], birth: [57, 63], expiry: [65, 71] },
    ...{ optional: [72, 86], wholeCheck: 87 },
    whole: [
      [44, 54],
      [57, 64],
      [65, 87],
    ],
  },
  {
    ...{ lines: 2, length: 36, names: [5, 36], document: [36, 45], birth: [49, 55], expiry: [57, 63] },
    ...{ optional: [64, 71], wholeCheck: 71 },
    whole: [
      [36, 46],
      [49, 56],
      [57, 71],
    ],
  },
  {
    ...{ lines: 3, length: 30, names: [60, 90], document: [5, 14], birth: [30, 36], expiry: [38, 44] },
    ...{ optional: [15, 30], wholeCheck: 59 },
    whole: [
      [5, 30],
      [30, 37],
      [38, 45],
      [48, 59],
    ],
  },
];

/**
 * Parses the lines as typed or scanned. Ignores spaces and accepts other kinds of angle brackets. `today` is the limit
 * for birth dates.
 */
export function readMachineReadableZone(
  text: string,
  today: CivilDate,
): Result<MachineReadableZone, MachineReadableZoneRefusal> {
  const all = text
    .toUpperCase()
    .replace(/[«»]/g, "<<")
    .replace(/[‹›]/g, "<")
    .replace(/[^A-Z0-9<]/g, "");
  const layout = LAYOUTS.find(({ lines, length }) => all.length === lines * length && /^[PIAC]/.test(all));
  if (!layout) return err({ kind: "none" });
  const zone = withDigits(all, layout);
  const [first, ...others] = wrongParts(zone, layout);
  if (first) return err({ kind: "wrong", parts: [first, ...others] });
  const at = ([from, to]: Span) => zone.slice(from, to);
  const [surname = "", name = ""] = at(layout.names).split("<<");
  return ok({
    kind: zone.startsWith("P") ? "passport" : "card",
    ...{ surname: toPlainText(surname), name: toPlainText(name) },
    documentId: getDocumentNumber(zone, layout),
    dateOfBirth: parseBirthDate(at(layout.birth), today),
    expires: parseCivilDate(`20${dashed(at(layout.expiry))}`),
  });
}

const DIGITS: Readonly<Record<string, string>> = {
  O: "0",
  Q: "0",
  D: "0",
  I: "1",
  L: "1",
  Z: "2",
  S: "5",
  G: "6",
  B: "8",
};

/** Replaces letters that must be digits. */
function withDigits(all: string, { document, birth, expiry, wholeCheck }: Layout): string {
  const isDigit = (index: number) =>
    index === document[1] || index === wholeCheck || [birth, expiry].some(([from, to]) => index >= from && index <= to);
  return [...all].map((letter, index) => (isDigit(index) ? (DIGITS[letter] ?? letter) : letter)).join("");
}

function wrongParts(
  zone: string,
  { document, birth, expiry, whole, wholeCheck }: Layout,
): readonly MachineReadableZonePart[] {
  const isWrong = ([from, to]: Span) => checkDigit(zone.slice(from, to)) !== zone[to];
  const parts = { document, birth, expiry } as const;
  const failedParts = (["document", "birth", "expiry"] as const).filter(
    (part) => isWrong(parts[part]) && !isLong(zone, part),
  );
  if (failedParts.length > 0) return failedParts;
  const content = whole.map(([from, to]) => zone.slice(from, to)).join("");
  return checkDigit(content) === zone[wholeCheck] ? [] : ["whole"];
}

// A card number longer than nine characters continues in the optional data, with its check digit there.
const isLong = (zone: string, part: MachineReadableZonePart) =>
  part === "document" && zone.length === 90 && zone[14] === "<";

const WEIGHTS = [7, 3, 1] as const;

/** Calculates the check digit of a field from its digits, letters (A counts 10) and fillers. */
function checkDigit(content: string): string {
  const weighed = (letter: string) => (letter === "<" ? 0 : Number.parseInt(letter, 36));
  const sum = [...content].reduce((all, letter, index) => all + weighed(letter) * (WEIGHTS[index % 3] ?? 0), 0);
  return String(sum % 10);
}

/** A Spanish card contains the personal number in its optional data, and a separate card number. */
function getDocumentNumber(zone: string, { document, optional }: Layout): string {
  const extra = zone.slice(...optional).replace(/<.*/, "");
  const isPersonal = zone.slice(2, 5) === "ESP" && /^[XYZ\d]\d{7}[A-Z]$/.test(extra);
  if (isPersonal) return extra;
  const number = zone.slice(...document).replaceAll("<", "");
  return isLong(zone, "document") ? number + extra.slice(0, -1) : number;
}

const toPlainText = (text: string) => text.replace(/<+/g, " ").trim();

const dashed = (digits: string) => `${digits.slice(0, 2)}-${digits.slice(2, 4)}-${digits.slice(4)}`;

// A birth date can't be in the future, so it's in the previous century.
function parseBirthDate(digits: string, today: CivilDate): CivilDate | undefined {
  const late = parseCivilDate(`20${dashed(digits)}`);
  return late && late <= today ? late : parseCivilDate(`19${dashed(digits)}`);
}
