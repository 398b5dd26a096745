/** What kind of paper a document is; an advance is a full or a simplified invoice. */
export type DocumentForm = "full" | "simplified" | "credit_note" | "internal_bond";

/** The letters of each kind in the names of an account's series. */
export type SeriesLetters = Readonly<Record<DocumentForm | "advance", string>>;

/** How an account names its series. */
export interface SeriesTerms {
  readonly seriesPattern: string;
  readonly seriesLetters: SeriesLetters;
}

/** What names the serie of a document. */
export interface NumberedPaper {
  readonly form: DocumentForm;
  readonly isAdvance: boolean;
  readonly branchCode: string;
  readonly year: number;
}

/** The serie of a document by the account's pattern of kind, branch and year, such as `A-PMI-26`. */
export function getSeriesName(
  { seriesPattern, seriesLetters }: SeriesTerms,
  { form, isAdvance, branchCode, year }: NumberedPaper,
): string {
  const parts: Readonly<Record<string, string>> = {
    kind: form === "full" && isAdvance ? seriesLetters.advance : seriesLetters[form],
    branch: branchCode,
    year: String(year),
    yy: String(year).slice(-2),
  };
  return seriesPattern.replaceAll(/\{(kind|branch|year|yy)\}/g, (_, name: string) => parts[name] ?? "");
}
