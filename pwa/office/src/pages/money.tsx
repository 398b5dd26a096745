import type { ComponentType } from "preact";
import { knowsTaxRecords, may } from "../account.ts";
import { linkTo } from "../route.ts";
import { type TextKey, t } from "../texts.ts";
import { Charges } from "./money/charges.tsx";
import { Commissions } from "./money/commissions.tsx";
import { DeclarationView } from "./money/declaration.tsx";
import { Deposits } from "./money/deposits.tsx";
import { Documents } from "./money/documents.tsx";
import { Refunds } from "./money/refunds.tsx";
import { DayRegister } from "./money/register.tsx";
import { TaxRecords } from "./money/tax-records.tsx";

const VIEWS = {
  documents: Documents,
  charges: Charges,
  deposits: Deposits,
  register: DayRegister,
  refunds: Refunds,
  commissions: Commissions,
  taxRecords: TaxRecords,
  declaration: DeclarationView,
} as const satisfies Readonly<Partial<Record<TextKey, ComponentType>>>;
type View = keyof typeof VIEWS;
const NAMES = Object.keys(VIEWS) as View[];
/** Who administers alone sees what the tax agency is told, where it is; the declaration is reached from there. */
const isTab = (view: View) => (view === "taxRecords" ? may("administer") && knowsTaxRecords() : view !== "declaration");

/**
 * Papers and money: documents, what was paid, deposits that are held, the register of the day, refunds that wait, what
 * agents earn, what the tax agency knows.
 */
export default function Money({ path }: { readonly path: readonly string[] }) {
  const name = NAMES.find((name) => name === path[0]) ?? "documents";
  const open = name === "declaration" ? "taxRecords" : name;
  const ActiveView = VIEWS[name];
  return (
    <main>
      <h1>{t("documentsAndMoney")}</h1>
      <nav class="chips tabs" aria-label={t("documentsAndMoney")}>
        {NAMES.filter(isTab).map((name) => (
          <a key={name} class="button" href={linkTo("money", name)} aria-current={name === open ? "page" : undefined}>
            {t(name)}
          </a>
        ))}
      </nav>
      <ActiveView key={name} />
    </main>
  );
}
