import type { TextKey } from "../i18n/texts.ts";
import { t } from "../i18n/texts.ts";
import { hasOfficeRole } from "../state/device-session.ts";
import { unsentItemCount } from "../state/outbox.ts";
import { route, toHref } from "../state/route.ts";
import { Icon, type IconName } from "./icon.tsx";

interface Place {
  readonly name: string;
  readonly icon: IconName;
  readonly text: TextKey;
}

const PLACES: readonly Place[] = [
  { name: "day", icon: "day", text: "navDay" },
  { name: "outbox", icon: "outbox", text: "navOutbox" },
  { name: "more", icon: "more", text: "navMore" },
];
const OFFICE: Place = { name: "office", icon: "office", text: "navOffice" };

export function Navigation() {
  const places = hasOfficeRole.value ? [...PLACES.slice(0, 2), OFFICE, ...PLACES.slice(2)] : PLACES;
  return (
    <nav class="places" aria-label={t("navLabel")}>
      {places.map(({ name, icon, text }) => (
        <a key={name} href={toHref(name)} aria-current={route.value[0] === name ? "page" : undefined}>
          <span class="place-icon">
            <Icon name={icon} />
            {name === "outbox" && unsentItemCount.value > 0 && <b class="badge">{unsentItemCount.value}</b>}
          </span>
          {t(text)}
        </a>
      ))}
    </nav>
  );
}
