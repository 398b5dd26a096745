/** Last date of date inputs. Without a limit, browsers accept years of six digits. */
export const MAX_DATE = "9999-12-31";
export const MAX_DATE_TIME = `${MAX_DATE}T23:59`;
