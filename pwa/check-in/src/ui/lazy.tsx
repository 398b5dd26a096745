import type { ComponentType, JSX } from "preact";
import { type LazyLoadErrorProps, loadLazily } from "#shared/lazy.tsx";
import { t } from "../i18n/texts.ts";
import { toHref } from "../state/route.ts";
import { Screen } from "./screen.tsx";

/**
 * Creates a component that loads on first use. The service worker provides it offline. If the network failed before it
 * was cached, a notice appears, and the component loads with the next connection or on request.
 */
export const createLazyComponent = <Props,>(
  load: () => Promise<{ readonly default: ComponentType<Props> }>,
  placeholder: JSX.Element | null = null,
) => loadLazily(load, placeholder, MissingPart);

/** Notice that a part of the screen couldn't be loaded, with a retry button. */
export const MissingPart = ({ onRetry }: LazyLoadErrorProps) => (
  <div class="card" role="alert">
    <p>{t("partMissingWhy")}</p>
    <button type="button" class="other" onClick={onRetry}>
      {t("retry")}
    </button>
  </div>
);

const MissingScreen = ({ onRetry }: LazyLoadErrorProps) => (
  <Screen title={t("partMissing")} back={toHref("day")}>
    <MissingPart onRetry={onRetry} />
  </Screen>
);

/** Creates a screen that loads on first use. */
export const lazy = (load: () => Promise<{ readonly default: ComponentType }>): ComponentType =>
  loadLazily<object>(load, <div class="screen" aria-busy="true" />, MissingScreen) as ComponentType;
