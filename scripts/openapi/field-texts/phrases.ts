/** Describes an amount of money. */
export const describeMoney = (text: string) => `${text}. Decimal text in the company's currency`;

/** Describes a date. */
export const describeDate = (text: string) => `${text}. \`yyyy-mm-dd\` in the company's time zone`;

/** Describes a time of day. */
export const describeTime = (text: string) => `${text}. \`hh:mm\` in the company's time zone`;

/** Describes an instant with milliseconds and offset. */
export const describeTimestamp = (text: string) => `${text}. \`yyyy-mm-dd hh:mm:ss.mmm+hh:mm\``;

/** Describes an instant in UTC. */
export const describeInstant = (text: string) => `${text}. ISO 8601, UTC`;

/** Describes a percentage. */
export const describePercentage = (text: string) => `${text}. Percentage as decimal text`;

/** Creates the texts of fields with the same prefix. */
export const addFieldNamePrefix = (prefix: string, texts: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${prefix}${name}`, text]));

/** Creates the texts of numbered fields. */
export const createNumberedFieldTexts = (
  numbers: readonly number[],
  getText: (number: number) => readonly [key: string, text: string],
): Readonly<Record<string, string>> => Object.fromEntries(numbers.map(getText));
