import type { ComponentType } from "preact";
import { type LazyLoadErrorProps, loadLazily } from "#shared/lazy.tsx";
import { t } from "../texts.ts";
import { LoadErrorMessage } from "./load-error.tsx";
import { Skeleton } from "./skeleton.tsx";

const MissingPart = ({ onRetry }: LazyLoadErrorProps) => (
  <LoadErrorMessage problem={t("notLoaded")} onRetry={onRetry} />
);

const MissingPage = ({ onRetry }: LazyLoadErrorProps) => (
  <main>
    <MissingPart onRetry={onRetry} />
  </main>
);

const Loading = () => (
  <main class="status">
    <Skeleton />
  </main>
);

/** Creates a page that loads on first use. Used within another page, whose file doesn't contain it. */
export const createLazyPage = <Props,>(load: () => Promise<ComponentType<Props>>) =>
  loadLazily<Props>(() => load().then((Page) => ({ default: Page })), <Loading />, MissingPage);

/** Creates a part of a page that loads on first use. Shows a load error in its place. */
export const createLazyPart = <Props,>(load: () => Promise<{ readonly default: ComponentType<Props> }>) =>
  loadLazily<Props>(load, null, MissingPart);
