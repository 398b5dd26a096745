/** Whose English has the month before the day. */
const MONTH_FIRST: ReadonlySet<string> = new Set("US AS GU MP PR UM VI CA PH".split(" "));

/** Whether a company's English is written as in the United States: `Nov 27, 2026`. */
export const isMonthFirst = (country: string): boolean => MONTH_FIRST.has(country);
