import type { ComponentType } from "preact";
import { createLazyPart } from "../desk/lazy-page.tsx";
import { formatMissingRight } from "../desk/refusals.ts";
import { type TextKey, t } from "../texts.ts";
import { ChargeListPage } from "./money/charges.tsx";
import { Commissions } from "./money/commissions.tsx";
import { DayRegister } from "./money/day-register.tsx";
import { Deposits } from "./money/deposits.tsx";
import { DocumentListPage } from "./money/documents.tsx";
import { ProducerDeclarationView } from "./money/producer-declaration.tsx";
import { Refunds } from "./money/refunds.tsx";
import { MoneyTabs, mayOpenMoneyPage } from "./money/tabs.tsx";
import { TaxRecords } from "./money/tax-records.tsx";

const Collective = createLazyPart<object>(() => import("./money/collective-invoices.tsx"));

const AgencyStatement = createLazyPart<object>(() => import("./money/agency-statement.tsx"));

const VIEWS = {
  documents: DocumentListPage,
  charges: ChargeListPage,
  deposits: Deposits,
  register: DayRegister,
  refunds: Refunds,
  commissions: Commissions,
  agencyStatement: AgencyStatement,
  taxRecords: TaxRecords,
  declaration: ProducerDeclarationView,
  collectiveInvoice: Collective,
} as const satisfies Readonly<Partial<Record<TextKey, ComponentType>>>;
type View = keyof typeof VIEWS;
const NAMES = Object.keys(VIEWS) as View[];
/** Views without a tab, and the tab that links to them. */
const PARENTS: Partial<Readonly<Record<View, View>>> = { declaration: "taxRecords", collectiveInvoice: "documents" };

/**
 * Documents and money: documents, payments, held deposits, daily register, pending refunds, commissions and tax
 * records.
 */
export default function Money({ path }: { readonly path: readonly string[] }) {
  const name = NAMES.find((name) => name === path[0]) ?? "documents";
  const tab = PARENTS[name] ?? name;
  const ActiveView = VIEWS[name];
  return (
    <main>
      <h1>{t("documentsAndMoney")}</h1>
      <MoneyTabs open={tab} />
      {mayOpenMoneyPage(tab) ? (
        <ActiveView key={name} />
      ) : (
        <p class="notice refused">{formatMissingRight("administer")}</p>
      )}
    </main>
  );
}
