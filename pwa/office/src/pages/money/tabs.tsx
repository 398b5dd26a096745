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

/** Lists the pages of money that the user may see. */
export const listMoneyTabs = () =>
  MONEY_TABS.filter((tab) => mayOpenMoneyPage(tab) && (tab !== "taxRecords" || usesTaxRecords()));

export const linkToMoneyTab = (tab: string) => (tab === "expenses" ? linkTo(tab) : linkTo("money", tab));

/** Links between the pages of documents, payments and expenses. */
export function MoneyTabs({ open }: { readonly open: string }) {
  return (
    <nav class="chips tabs" aria-label={t("documentsAndMoney")}>
      {listMoneyTabs().map((tab) => (
        <a key={tab} class="button" href={linkToMoneyTab(tab)} aria-current={tab === open ? "page" : undefined}>
          {t(tab)}
        </a>
      ))}
    </nav>
  );
}
