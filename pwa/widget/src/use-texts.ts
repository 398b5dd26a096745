import { useState } from "preact/hooks";
import { findTexts, loadTexts, type Texts, type WidgetLanguage } from "./texts.ts";
import { useLatestLoad } from "./use-latest.ts";

/** Returns the texts of a language. Undefined until the first ones are loaded. */
export function useTexts(origins: readonly string[], language: WidgetLanguage): Texts | undefined {
  const addresses = origins.join(" ");
  const [texts, setTexts] = useState(() => findTexts(language));
  useLatestLoad([addresses, language], (isCurrent) => {
    void loadTexts(addresses.split(" "), language).then((loadedTexts) => {
      if (isCurrent()) setTexts(loadedTexts);
    });
  });
  return texts;
}
