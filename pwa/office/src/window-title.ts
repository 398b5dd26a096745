import { route } from "./route.ts";

/**
 * Keeps the window title in sync with the page title and moves the focus to it on navigation, because the clicked link
 * may be gone. Doesn't move the focus if the user has already started something.
 */
export function syncWindowTitle(accountName: string): () => void {
  let before: { place?: string; heading?: Element | null; text?: string | null | undefined } = {};
  let isAwaited = false;
  const updateTitle = () => {
    const heading = headingNow();
    const text = heading?.textContent;
    const title = text ? `${text} · ${accountName}` : accountName;
    if (document.title !== title) document.title = title;
    if (!heading || !isAwaited || (heading === before.heading && text === before.text)) return;
    isAwaited = false;
    document.querySelector(".tabs [aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (isWithoutPlace(document.activeElement)) focusPageTitle({ preventScroll: true });
  };
  const observer = new MutationObserver(updateTitle);
  observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  // The callback also runs at once, which handles the first page after the sign-in form. A changed filter isn't a new
  // page.
  const stop = route.subscribe((parts) => {
    const place = parts.join("/");
    if (place === before.place) return;
    isAwaited = true;
    before = { place, heading: headingNow(), text: headingNow()?.textContent };
  });
  const stopKeyboard = markKeyboardUse();
  updateTitle();
  return () => {
    observer.disconnect();
    stopKeyboard();
    stop();
    document.title = accountName;
  };
}

// Marks the document during keyboard use, because browsers also show a focus ring after a script's focus
// call.
function markKeyboardUse(): () => void {
  const mark = (isKeyboard: boolean) => document.documentElement.toggleAttribute("data-has-keyboard", isKeyboard);
  const onKey = ({ key, target }: KeyboardEvent) => {
    if (key === "Tab" || !(target as HTMLElement).matches("input, textarea")) mark(true);
  };
  const onPointer = () => mark(false);
  addEventListener("keydown", onKey, true);
  addEventListener("pointerdown", onPointer, true);
  return () => {
    removeEventListener("keydown", onKey, true);
    removeEventListener("pointerdown", onPointer, true);
  };
}

/** Skips the menu and focuses the page title. */
export function focusPageTitle(options?: FocusOptions): void {
  const heading = headingNow();
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus(options);
}

const headingNow = () => document.querySelector<HTMLElement>("main h1");

const isWithoutPlace = (element: Element | null) =>
  element === null || element === document.body || element.closest("nav, header.top, .skip") !== null;
