import type { Right } from "#domain/access/rights.ts";
import type { ResourceName } from "#domain/catalogue/resources/names.ts";
import { hasUserRight, reportsToAuthorities } from "./account.ts";
import { linkTo, linkToWithQuery } from "./route.ts";
import { type TextKey, t, tOr } from "./texts.ts";

/** Page of the settings: a list of the catalogue or another page. */
export type SettingsPageName =
  | ResourceName
  | "prices-table"
  | "opening-week"
  | "letterhead"
  | "signing-certificate"
  | "ministry-reports"
  | "security"
  | "security-log"
  | "rejected-requests"
  | "changes"
  | "start"
  | "imports"
  | "message-templates";

/** Groups of the settings. Only names: resource declarations load when a list is opened. */
export const SETTINGS_PAGE_GROUPS: readonly (readonly [TextKey, readonly SettingsPageName[]])[] = [
  ["groupPrices", ["prices-table", "categories", "seasons", "prices", "extras", "offers", "promotion-codes"]],
  [
    "groupCompany",
    [
      "settings",
      "letterhead",
      "signing-certificate",
      "legal-texts",
      "branches",
      "opening-week",
      "special-hours",
      "closed-dates",
      "places",
      "branch-groups",
      "families",
      "sales-channels",
      "agencies",
      "agents",
      "service-plans",
      "vehicle-services",
      "expense-accounts",
      "expense-concepts",
      "document-series",
    ],
  ],
  ["groupRules", ["selling-rules", "driver-age-rules", "cancellation-terms", "one-way-fees", "repatriations"]],
  [
    "groupTransfers",
    ["transfer-points", "transfer-zones", "transfer-vehicles", "transfer-prices", "transfer-extras", "supplements"],
  ],
  [
    "groupAccess",
    [
      "users",
      "security",
      "security-log",
      "rejected-requests",
      "partner-keys",
      "engine-keys",
      "gateways",
      "webhooks",
      "calendars",
    ],
  ],
  ["groupSettings", ["start", "ministry-reports", "message-templates", "imports", "changes"]],
];

const OWN_PAGES: Readonly<Partial<Record<SettingsPageName, TextKey>>> = {
  "prices-table": "priceTable",
  "opening-week": "openingWeek",
  letterhead: "letterhead",
  "signing-certificate": "signingCertificate",
  security: "security",
  "security-log": "securityLog",
  "rejected-requests": "rejectedRequests",
  changes: "changesPage",
  start: "firstSteps",
  imports: "imports",
  "message-templates": "messageTemplates",
};

/** Rights to open a page of the settings. All staff may open the others. */
const PAGE_RIGHTS: Readonly<Partial<Record<string, Right>>> = {
  start: "administer",
  imports: "administer",
  "security-log": "administer",
  "signing-certificate": "administer",
  users: "administer",
  "partner-keys": "administer",
  "engine-keys": "administer",
  gateways: "administer",
  webhooks: "administer",
  changes: "manage",
  "rejected-requests": "manage",
  "message-templates": "manage",
  calendars: "manage",
} satisfies Partial<Record<SettingsPageName, Right>>;

/** Form for a new record. */
interface NewPage {
  readonly text: TextKey;
  readonly page: string;
  readonly href: string;
  readonly right: Right;
}

export const NEW_RECORD_PAGES: readonly NewPage[] = [
  { text: "newReservation", page: "reservations", href: linkTo("reservations", "new"), right: "sell" },
  { text: "newQuote", page: "quotes", href: linkToWithQuery({ quote: "true" }, "reservations", "new"), right: "sell" },
  { text: "newTransfer", page: "transfers", href: linkTo("transfers", "new"), right: "sell" },
  { text: "newCustomer", page: "customers", href: linkTo("customers", "new"), right: "sell" },
  { text: "newVehicle", page: "fleet", href: linkTo("fleet", "new"), right: "manage" },
  { text: "newExpense", page: "expenses", href: linkTo("expenses", "new"), right: "manage" },
];

/** Link to a page of the settings. */
export interface SettingsMenuItem {
  readonly name: SettingsPageName;
  readonly text: string;
  /** Purpose of the page. Empty if the name is enough. */
  readonly about: string;
  readonly href: string;
}

/** Returns a page of the settings, or undefined if the user may not open it. */
export function findSettingsPage(name: SettingsPageName): SettingsMenuItem | undefined {
  const right = PAGE_RIGHTS[name];
  if (right && !hasUserRight(right)) return undefined;
  const about = tOr(`about.${name}`, "");
  if (name === "ministry-reports") {
    const text = t(reportsToAuthorities() ? "authorities" : "retention");
    return { name, text, about, href: linkTo(name) };
  }
  return { name, text: getPageTitle(name), about, href: OWN_PAGES[name] ? linkTo(name) : linkTo("list", name) };
}

function getPageTitle(name: SettingsPageName): string {
  const own = OWN_PAGES[name];
  return own ? t(own) : tOr(`list.${name}`, name);
}

/** Page that the user may not open, with the right that it needs. */
interface RefusedPage {
  readonly title: string;
  readonly right: Right;
}

/** Returns the refusal of a page, or undefined if the user may open it. */
export function findPageRefusal(name: string, [record = ""]: readonly string[]): RefusedPage | undefined {
  const created = record === "new" ? NEW_RECORD_PAGES.find(({ page }) => page === name) : undefined;
  if (created) return hasUserRight(created.right) ? undefined : { title: t(created.text), right: created.right };
  const page = name === "list" ? record : name;
  const right = PAGE_RIGHTS[page];
  return !right || hasUserRight(right) ? undefined : { title: getPageTitle(page as SettingsPageName), right };
}
