import { hasUserRight, usesTaxRecords } from "../../account.ts";
import { linkTo } from "../../route.ts";
import { t } from "../../texts.ts";

const MONEY_TABS = [
  "documents",
  "charges",
  "deposits",
  "register",
  "refunds",
  "commissions",
  "agencyStatement",
  "taxRecords",
  "expenses",
] as const;

/** Whether the user may see a page of money. Only administrators see tax records. */
export const mayOpenMoneyPage = (tab: string): boolean => tab !== "taxRecords" || hasUserRight("administer");

const isShown = (tab: string) => mayOpenMoneyPage(tab) && (tab !== "taxRecords" || usesTaxRecords());

/** Links between the pages of documents, payments and expenses. */
export function MoneyTabs({ open }: { readonly open: string }) {
  return (
    <nav class="chips tabs" aria-label={t("documentsAndMoney")}>
      {MONEY_TABS.filter(isShown).map((tab) => (
        <a
          key={tab}
          class="button"
          href={tab === "expenses" ? linkTo(tab) : linkTo("money", tab)}
          aria-current={tab === open ? "page" : undefined}
        >
          {t(tab)}
        </a>
      ))}
    </nav>
  );
}
