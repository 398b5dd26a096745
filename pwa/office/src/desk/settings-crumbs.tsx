import type { ComponentChildren } from "preact";
import { linkTo } from "../route.ts";
import { t } from "../texts.ts";

/** Path from the settings to a page, with the levels between them. */
export const SettingsCrumbs = ({ children }: { readonly children?: ComponentChildren }) => (
  <p class="crumbs">
    <a href={linkTo("settings-index")}>{t("settingsPage")}</a>
    {children && " / "}
    {children}
  </p>
);
