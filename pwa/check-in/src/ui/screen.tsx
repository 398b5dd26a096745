import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n/texts.ts";
import { getScrollPosition, route } from "../state/route.ts";
import { Banners } from "./banners.tsx";
import { Icon } from "./icon.tsx";
import { Navigation } from "./navigation.tsx";
import { StatusBar } from "./status-bar.tsx";

interface ScreenProps {
  readonly title: string;
  /** Small text above the title. */
  readonly eyebrow?: ComponentChildren;
  /** Target of the back button. Main screens have none. */
  readonly back?: string;
  readonly aside?: ComponentChildren;
  /** Main action, at the bottom within reach of the thumb. */
  readonly action?: ComponentChildren;
  /** Identifies the main action if it changes while the screen stays. */
  readonly actionKey?: string;
  readonly children: ComponentChildren;
}

// Whether the user has already moved the focus on the new screen.
const hasMovedFocus = (before: Element | null): boolean =>
  document.activeElement !== before && document.activeElement !== document.body;

/** Full screen with the status at the top and the main action or navigation at the bottom. */
export function Screen({ title, eyebrow, back, aside, action, actionKey, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
  }, [title]);
  // Focus the title, so that screen readers announce the new screen.
  useEffect(
    () =>
      route.subscribe(() => {
        const before = document.activeElement;
        requestAnimationFrame(() => {
          if (!hasMovedFocus(before)) heading.current?.focus({ preventScroll: true });
          scrollTo(0, getScrollPosition(route.peek()));
        });
      }),
    [],
  );
  return (
    <div class="screen">
      <header class="top">
        <StatusBar />
        <div class="title">
          {back && (
            <a class="round" href={back} aria-label={t("back")}>
              <Icon name="back" />
            </a>
          )}
          <div class="grow">
            {eyebrow && (
              <p class="eyebrow" dir="auto">
                {eyebrow}
              </p>
            )}
            <h1 ref={heading} tabIndex={-1}>
              {title}
            </h1>
          </div>
          {aside}
        </div>
      </header>
      <main>
        <Banners />
        {children}
      </main>
      {action ? (
        // The key recreates the footer with each action, so that it ignores taps meant for the previous one.
        <footer key={`${route.value.join("/")} ${actionKey}`} class="action">
          {action}
        </footer>
      ) : (
        <Navigation />
      )}
    </div>
  );
}
