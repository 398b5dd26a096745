import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { t } from "../i18n/texts.ts";
import { route, scrolledTo } from "../state/route.ts";
import { Banners } from "./banners.tsx";
import { Icon } from "./icon.tsx";
import { Navigation } from "./navigation.tsx";
import { StatusBar } from "./status-bar.tsx";

interface ScreenProps {
  readonly title: string;
  /** Above the title, small. */
  readonly eyebrow?: ComponentChildren;
  /** Where "back" leads; without it the screen is one of the main ones. */
  readonly back?: string;
  readonly aside?: ComponentChildren;
  /** The main action, at the bottom where the thumb is. */
  readonly action?: ComponentChildren;
  /** Names what the main action does where that changes while the screen stays. */
  readonly actionKey?: string;
  readonly children: ComponentChildren;
}

/** A whole screen: what has arrived at the top, the main action or the main places at the bottom. */
export function Screen({ title, eyebrow, back, aside, action, actionKey, children }: ScreenProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title;
  }, [title]);
  // Who cannot see the screen change hears it, and goes on from its title.
  useEffect(
    () =>
      route.subscribe(() => {
        requestAnimationFrame(() => {
          heading.current?.focus({ preventScroll: true });
          scrollTo(0, scrolledTo(route.peek()));
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
        // Made anew with what it does: for a moment it takes no touch that was meant for what was there before.
        <footer key={`${route.value.join("/")} ${actionKey}`} class="action">
          {action}
        </footer>
      ) : (
        <Navigation />
      )}
    </div>
  );
}
