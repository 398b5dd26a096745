import type { ResourceName } from "#domain/catalogue/resources/names.ts";
import { may, reportsToAuthorities } from "./account.ts";
import { linkTo } from "./route.ts";
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
  | "refused-calls"
  | "changes"
  | "start"
  | "imports"
  | "message-templates";

/** Groups of the settings. Only names: resource declarations load when a list is opened. */
export const SETTING_GROUPS: readonly (readonly [TextKey, readonly SettingsPageName[]])[] = [
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
      "refused-calls",
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
  "refused-calls": "refusedCalls",
  changes: "changesPage",
  start: "firstSteps",
  imports: "imports",
  "message-templates": "messageTemplates",
};

const ADMINISTERED: ReadonlySet<SettingsPageName> = new Set([
  "start",
  "imports",
  "security-log",
  "signing-certificate",
  "users",
  "partner-keys",
  "engine-keys",
  "gateways",
  "webhooks",
]);

const MANAGED: ReadonlySet<SettingsPageName> = new Set(["changes", "refused-calls", "message-templates"]);

/** Link to a page of the settings. */
export interface MenuItem {
  readonly name: SettingsPageName;
  readonly text: string;
  /** Purpose of the page. Empty if the name is enough. */
  readonly about: string;
  readonly href: string;
}

/** Returns a page of the settings, or undefined if the user may not open it. */
export function findSettingsPage(name: SettingsPageName): MenuItem | undefined {
  if (ADMINISTERED.has(name) && !may("administer")) return undefined;
  if (MANAGED.has(name) && !may("manage")) return undefined;
  const about = tOr(`about.${name}`, "");
  if (name === "ministry-reports") {
    const text = t(reportsToAuthorities() ? "authorities" : "retention");
    return { name, text, about, href: linkTo(name) };
  }
  const own = OWN_PAGES[name];
  const text = own ? t(own) : tOr(`list.${name}`, name);
  return { name, text, about, href: own ? linkTo(name) : linkTo("list", name) };
}
