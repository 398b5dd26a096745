/** Returns `al 9/1` or `all'8/1`: Italian elides the article before otto and undici. Dates begin with the day. */
export const addItalianToArticle = (date: string): string => `${/^(0?8|11)\b/.test(date) ? "all'" : "al "}${date}`;

/** Returns `al 2/1` or `a l'1/1`: Catalan elides the article before u and onze. Dates begin with the day. */
export const addCatalanToArticle = (date: string): string => `${/^(0?1|11)\b/.test(date) ? "a l'" : "al "}${date}`;
