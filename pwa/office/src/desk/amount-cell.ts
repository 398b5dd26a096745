import { formatMoney, isZeroAmount } from "../account.ts";
import { t } from "../texts.ts";

/** Formats an amount in a list. Zero is a dash. */
export const formatAmountCell = (amount: string): string => (isZeroAmount(amount) ? t("nothing") : formatMoney(amount));
