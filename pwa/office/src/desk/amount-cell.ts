import { isNothing, money } from "../account.ts";
import { t } from "../texts.ts";

/** An amount in a list, a dash where it is nothing. */
export const amountCell = (amount: string): string => (isNothing(amount) ? t("nothing") : money(amount));
