import { createTexts, LANGUAGES, type Language } from "#shared/i18n.ts";
import type { AuthoritiesTextKey } from "./i18n/authorities/en.ts";
import type { CompanyTextKey } from "./i18n/company/en.ts";
import type { DeskKey } from "./i18n/desk/en.ts";
import type { TextKey as OfficeKey } from "./i18n/en.ts";
import type { HelpKey } from "./i18n/help/en.ts";
import type { ListTextKey } from "./i18n/lists/en.ts";
import type { ProblemTextKey } from "./i18n/problems/en.ts";
import type { BackOfficeTextKey } from "./i18n/records/en.ts";
import type { SellingKey } from "./i18n/selling/en.ts";
import type { TaxKey } from "./i18n/tax/en.ts";

export type TextKey =
  | OfficeKey
  | DeskKey
  | BackOfficeTextKey
  | HelpKey
  | TaxKey
  | AuthoritiesTextKey
  | ProblemTextKey
  | ListTextKey
  | SellingKey
  | CompanyTextKey;

export const { t, tOr, loadTexts } = createTexts<TextKey>({
  es: () =>
    all([
      import("./i18n/es.ts"),
      import("./i18n/desk/es.ts"),
      import("./i18n/records/es.ts"),
      import("./i18n/help/es.ts"),
      import("./i18n/tax/es.ts"),
      import("./i18n/authorities/es.ts"),
      import("./i18n/problems/es.ts"),
      import("./i18n/lists/es.ts"),
      import("./i18n/selling/es.ts"),
      import("./i18n/company/es.ts"),
    ]),
  ca: () =>
    all([
      import("./i18n/ca.ts"),
      import("./i18n/desk/ca.ts"),
      import("./i18n/records/ca.ts"),
      import("./i18n/help/ca.ts"),
      import("./i18n/tax/ca.ts"),
      import("./i18n/authorities/ca.ts"),
      import("./i18n/problems/ca.ts"),
      import("./i18n/lists/ca.ts"),
      import("./i18n/selling/ca.ts"),
      import("./i18n/company/ca.ts"),
    ]),
  en: () =>
    all([
      import("./i18n/en.ts"),
      import("./i18n/desk/en.ts"),
      import("./i18n/records/en.ts"),
      import("./i18n/help/en.ts"),
      import("./i18n/tax/en.ts"),
      import("./i18n/authorities/en.ts"),
      import("./i18n/problems/en.ts"),
      import("./i18n/lists/en.ts"),
      import("./i18n/selling/en.ts"),
      import("./i18n/company/en.ts"),
    ]),
  de: () =>
    all([
      import("./i18n/de.ts"),
      import("./i18n/desk/de.ts"),
      import("./i18n/records/de.ts"),
      import("./i18n/help/de.ts"),
      import("./i18n/tax/de.ts"),
      import("./i18n/authorities/de.ts"),
      import("./i18n/problems/de.ts"),
      import("./i18n/lists/de.ts"),
      import("./i18n/selling/de.ts"),
      import("./i18n/company/de.ts"),
    ]),
});

type Table<Key extends string> = Promise<{ readonly default: Readonly<Record<Key, string>> }>;
type Tables = readonly [
  Table<OfficeKey>,
  Table<DeskKey>,
  Table<BackOfficeTextKey>,
  Table<HelpKey>,
  Table<TaxKey>,
  Table<AuthoritiesTextKey>,
  Table<ProblemTextKey>,
  Table<ListTextKey>,
  Table<SellingKey>,
  Table<CompanyTextKey>,
];

// Loads all text tables: office, desk, back office, help, tax, legal, problem, list, selling and company texts.
async function all(tables: Tables): Promise<{ readonly default: Readonly<Record<TextKey, string>> }> {
  const [office, desk, back, help, tax, law, problems, lists, selling, company] = await Promise.all(tables);
  return {
    default: {
      ...office.default,
      ...desk.default,
      ...back.default,
      ...help.default,
      ...tax.default,
      ...law.default,
      ...problems.default,
      ...lists.default,
      ...selling.default,
      ...company.default,
    },
  };
}

/** Returns the first supported language of the candidates. */
export function chooseLanguage(candidates: readonly (string | null | undefined)[]): Language {
  return (
    LANGUAGES.find((language) => language === candidates.find((other) => LANGUAGES.some((known) => known === other))) ??
    "en"
  );
}
