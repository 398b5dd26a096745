import type { ComponentType, JSX } from "preact";
import { lazyPart, type MissingProps } from "#shared/lazy.tsx";
import { t } from "../i18n/texts.ts";
import { toHref } from "../state/route.ts";
import { Screen } from "./screen.tsx";

/**
 * A part of a screen that is loaded when it is first shown. The service worker has it: no network is needed. On a first
 * visit whose network went before it had all, the part says so, and comes with the next network or when asked for.
 */
export const lazyWith = <Props,>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  placeholder: JSX.Element | null = null,
) => lazyPart(load, placeholder, MissingPart);

/** Says that a part of a screen is not on the phone, and what it comes with. */
export const MissingPart = ({ onRetry }: MissingProps) => (
  <div class="card" role="alert">
    <p>{t("partMissingWhy")}</p>
    <button type="button" class="other" onClick={onRetry}>
      {t("retry")}
    </button>
  </div>
);

const MissingScreen = ({ onRetry }: MissingProps) => (
  <Screen title={t("partMissing")} back={toHref("day")}>
    <MissingPart onRetry={onRetry} />
  </Screen>
);

/** A screen that is loaded when it is first opened. */
export const lazy = (load: () => Promise<{ readonly default: ComponentType }>): ComponentType =>
  lazyPart<object>(load, <div class="screen" aria-busy="true" />, MissingScreen) as ComponentType;
