import { route } from "./route.ts";

/**
 * The page's title is the window's too, and whoever comes to another page goes on from it: the link that was pressed
 * stays in the menu, or is gone with its page. Who has begun to do something there already is left alone.
 */
export function followTitle(office: string): () => void {
  let before: { place?: string; heading?: Element | null; text?: string | null | undefined } = {};
  let isAwaited = false;
  const updateTitle = () => {
    const heading = headingNow();
    const text = heading?.textContent;
    const title = text ? `${text} · ${office}` : office;
    if (document.title !== title) document.title = title;
    if (!heading || !isAwaited || (heading === before.heading && text === before.text)) return;
    isAwaited = false;
    if (isWithoutPlace(document.activeElement)) goToContent({ preventScroll: true });
  };
  const observer = new MutationObserver(updateTitle);
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  // Told at once too: who signed in has lost the form that they did it with. Another filter is the same place.
  const stop = route.subscribe((parts) => {
    const place = parts.join("/");
    if (place === before.place) return;
    isAwaited = true;
    before = { place, heading: headingNow(), text: headingNow()?.textContent };
  });
  updateTitle();
  return () => {
    observer.disconnect();
    stop();
    document.title = office;
  };
}

/** Goes past the menu, to the title of the page. */
export function goToContent(options?: FocusOptions): void {
  const heading = headingNow();
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus(options);
}

const headingNow = () => document.querySelector<HTMLElement>("main h1");

const isWithoutPlace = (element: Element | null) =>
  element === null || element === document.body || element.closest("nav, header.top, .skip") !== null;
