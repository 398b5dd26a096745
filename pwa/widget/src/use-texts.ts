import { useEffect, useState } from "preact/hooks";
import { findTexts, loadTexts, type Texts, type WidgetLanguage } from "./texts.ts";

/** Returns the texts of a language. Undefined until the first ones are loaded. */
export function useTexts(origins: readonly string[], language: WidgetLanguage): Texts | undefined {
  const addresses = origins.join(" ");
  const [texts, setTexts] = useState(() => findTexts(language));
  useEffect(() => {
    let isCurrent = true;
    void loadTexts(addresses.split(" "), language).then((loadedTexts) => {
      if (isCurrent) setTexts(loadedTexts);
    });
    return () => {
      isCurrent = false;
    };
  }, [addresses, language]);
  return texts;
}
