import type { ComponentType } from "preact";
import { reportsToAuthorities } from "../account.ts";
import { SettingsCrumbs } from "../desk/settings-crumbs.tsx";
import { linkTo } from "../route.ts";
import { type TextKey, t } from "../texts.ts";
import { AuthorityReports } from "./ministry-reports/authority-reports.tsx";
import { OfficialCodeMapping } from "./ministry-reports/codes.tsx";
import { DataRetention } from "./ministry-reports/retention.tsx";
import { MinistryServiceStatus } from "./ministry-reports/service.tsx";

const VIEWS = {
  reported: AuthorityReports,
  codes: OfficialCodeMapping,
  service: MinistryServiceStatus,
  retention: DataRetention,
} as const satisfies Readonly<Partial<Record<TextKey, ComponentType>>>;
type View = keyof typeof VIEWS;
const NAMES = Object.keys(VIEWS) as View[];

/**
 * Reports to the authorities, code mapping, service status and data retention. Only the latter if the company doesn't
 * report.
 */
export default function MinistryReports({ path }: { readonly path: readonly string[] }) {
  const hasAuthorities = reportsToAuthorities();
  const activeView = NAMES.find((name) => name === path[0]) ?? "reported";
  const name = hasAuthorities ? activeView : "retention";
  const ActiveView = VIEWS[name];
  const title = t(hasAuthorities ? "authorities" : "retention");
  return (
    <main>
      <SettingsCrumbs />
      <h1>{title}</h1>
      {hasAuthorities && (
        <nav class="chips tabs" aria-label={title}>
          {NAMES.map((item) => (
            <a
              key={item}
              class="button"
              href={linkTo("ministry-reports", item)}
              aria-current={item === name ? "page" : undefined}
            >
              {t(item)}
            </a>
          ))}
        </nav>
      )}
      <ActiveView key={name} />
    </main>
  );
}
