/** Language that the platform supports. */
export const PLATFORM_LANGUAGES = ["es", "ca", "en", "de", "fr", "it", "pt", "nl"] as const;
export type PlatformLanguage = (typeof PLATFORM_LANGUAGES)[number];

/** Returns the first preference that the platform supports, otherwise English. */
export function pickPlatformLanguage(...preferences: readonly (string | undefined)[]): PlatformLanguage {
  const supported = preferences.map((preference) => PLATFORM_LANGUAGES.find((language) => language === preference));
  return supported.find((language) => language !== undefined) ?? "en";
}

/** Returns a visitor's first supported language: of the address, of an Accept-Language header, then the fallback. */
export function chooseVisitorLanguage(
  asked: string | undefined,
  acceptLanguage: string | null | undefined,
  fallback?: string,
): PlatformLanguage {
  const tags = [asked, ...(acceptLanguage ?? "").slice(0, 200).split(","), fallback];
  return pickPlatformLanguage(...tags.map((tag) => tag?.trim().slice(0, 2).toLowerCase()));
}

// ISO 639-1 codes, each between two spaces.
const CODES =
  " aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa ff fi fj " +
  "fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg " +
  "li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg " +
  "si sk sl sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu ";

/** Whether two lower-case letters are an ISO 639-1 language code. */
export function isLanguageCode(code: unknown): code is string {
  return typeof code === "string" && /^[a-z]{2}$/.test(code) && CODES.includes(` ${code} `);
}

/** Texts by language. The text in the account's default language may be stored separately, as `name`. */
export type Translations = Readonly<Record<string, string>>;

/**
 * Adds the English text for the platform's languages without a text, except for the account's own language, and except
 * for Catalan in a Spanish account, because its readers also read Spanish.
 */
export function addEnglishToMissingLanguages(texts: Translations, accountLanguage: string): Translations {
  const { en } = texts;
  if (en === undefined) return texts;
  const missing = PLATFORM_LANGUAGES.filter(
    (language) =>
      texts[language] === undefined && language !== accountLanguage && !(language === "ca" && accountLanguage === "es"),
  );
  // A complete entry isn't copied, because a catalogue has thousands.
  if (missing.length === 0) return texts;
  return { ...texts, ...Object.fromEntries(missing.map((language) => [language, en])) };
}
