/** Countries with the month before the day in English. */
const MONTH_FIRST: ReadonlySet<string> = new Set("US AS GU MP PR UM VI CA PH".split(" "));

/** Whether a company's English uses US dates: `Nov 27, 2026`. */
export const hasMonthFirstDates = (country: string): boolean => MONTH_FIRST.has(country);
