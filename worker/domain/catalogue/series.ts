/** Document types. An advance is a full or simplified invoice. */
export type DocumentForm = "full" | "simplified" | "credit_note" | "internal_bond";

/** Letters for document types in series names. */
export type SeriesLetters = Readonly<Record<DocumentForm | "advance", string>>;

/** Account's naming of series. */
export interface SeriesNaming {
  readonly seriesPattern: string;
  readonly seriesLetters: SeriesLetters;
}

/** Document fields that decide its series. */
export interface DocumentForSeries {
  readonly form: DocumentForm;
  readonly isAdvance: boolean;
  readonly branchCode: string;
  readonly year: number;
}

/** Returns a document's series from the account's pattern of type, branch and year, such as `A-PMI-26`. */
export function getSeriesName(
  { seriesPattern, seriesLetters }: SeriesNaming,
  { form, isAdvance, branchCode, year }: DocumentForSeries,
): string {
  const parts: Readonly<Record<string, string>> = {
    kind: form === "full" && isAdvance ? seriesLetters.advance : seriesLetters[form],
    branch: branchCode,
    year: String(year),
    yy: String(year).slice(-2),
  };
  return seriesPattern.replaceAll(/\{(kind|branch|year|yy)\}/g, (_, name: string) => parts[name] ?? "");
}
