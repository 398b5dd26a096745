import { LANGUAGES, type Language, t } from "../../i18n/texts.ts";
import { chooseLanguage, language } from "../../state/preferences.ts";
import { Choice } from "../../ui/parts.tsx";

const NAMES: Readonly<Record<Language, string>> = { es: "Español", ca: "Català", en: "English", de: "Deutsch" };

export function LanguageChoice() {
  const options = LANGUAGES.map((language) => [language, NAMES[language]] as const);
  return (
    <Choice
      legend={t("language")}
      name="language"
      options={options}
      value={language.value}
      onChange={(next) => void chooseLanguage(next)}
    />
  );
}
