import { useState } from "preact/hooks";
import { Refused } from "./api.ts";
import { firstLanguage, type Language, languages } from "./texts.ts";

/** What both shops have: a language with its texts, and work that is under way, with the problem it ended in. */
export function useShop() {
  const [language, setLanguage] = useState<Language>(firstLanguage);
  const [problem, setProblem] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const texts = languages[language];
  const doing = async (work: () => Promise<void>) => {
    setIsBusy(true);
    setProblem("");
    await work().catch((error: unknown) => setProblem(error instanceof Refused ? error.message : texts.offline));
    setIsBusy(false);
  };
  return { language, setLanguage, texts, problem, isBusy, doing };
}

/** A date of a form field as the interface reads it, dd/mm/yyyy. */
export function formDate(date: string): string {
  return date.split("-").reverse().join("/");
}
