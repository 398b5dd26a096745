import { useEffect, useState } from "preact/hooks";

/** Width from which the menu is next to the page. */
export const WIDE_SCREEN = "(min-width: 900px)";

/** Width from which a list shows all its filters and tools. */
export const DESKTOP_SCREEN = "(min-width: 1200px)";

/** Returns whether the screen matches a media query, and follows its changes. */
export function useMediaQuery(text: string): boolean {
  const media = matchMedia(text);
  const [, setMatch] = useState(media.matches);
  useEffect(() => {
    const follow = () => setMatch(media.matches);
    media.addEventListener("change", follow);
    return () => media.removeEventListener("change", follow);
  }, [text]);
  return media.matches;
}
