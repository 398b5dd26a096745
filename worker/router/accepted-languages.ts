import { type PlatformLanguage, pickPlatformLanguage } from "#domain/catalogue/languages.ts";

/** Chooses the first supported language of the given tags, such as `de-AT`, or English. */
export function chooseLanguageByTags(tags: readonly (string | undefined)[]): PlatformLanguage {
  return pickPlatformLanguage(...tags.map((tag) => tag?.trim().slice(0, 2).toLowerCase()));
}

/** Returns the tags of an Accept-Language header. */
export function listAcceptedLanguages(header: string | null | undefined): readonly string[] {
  return (header ?? "").slice(0, 200).split(",");
}
