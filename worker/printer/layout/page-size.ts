/** Page size in points, with its text area. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
  /** Right edge of the text area. */
  readonly right: number;
  readonly contentWidth: number;
}

export const PAGE_MARGIN = 48;

const createPageSize = (width: number, height: number): PageSize => ({
  ...{ width, height },
  right: width - PAGE_MARGIN,
  contentWidth: width - 2 * PAGE_MARGIN,
});

const A4 = createPageSize(595.28, 841.89);
const LETTER = createPageSize(612, 792);

/** Countries that print on Letter (CLDR's measurement data). */
const LETTER_COUNTRIES: ReadonlySet<string> = new Set("BZ CA CL CO CR GT MX NI PA PH PR SV US VE".split(" "));

/** Returns the page size of a company's country. */
export const getPageSize = (country: string): PageSize => (LETTER_COUNTRIES.has(country) ? LETTER : A4);
