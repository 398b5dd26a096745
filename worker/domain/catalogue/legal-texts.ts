/** Documents that customers read before they book. */
export const LEGAL_DOCUMENTS = ["terms", "privacy"] as const;
export type LegalDocument = (typeof LEGAL_DOCUMENTS)[number];

/** Maximum length of a legal text, in characters. */
export const MAX_LEGAL_TEXT_LENGTH = 60_000;

/** Terms or privacy notice in one language, without the text itself. */
export interface LegalText {
  readonly id: number;
  readonly document: LegalDocument;
  readonly language: string;
  /** Address of the text. Undefined if the company's page shows it. */
  readonly url: string | undefined;
  /** Increases with each change. The office's history has the earlier texts. */
  readonly version: number;
}

/** Picks a document in the first of the given languages that has it, otherwise in any language. */
export function pickLegalText<Text extends Pick<LegalText, "document" | "language">>(
  texts: readonly Text[],
  document: LegalDocument,
  languages: readonly string[],
): Text | undefined {
  const available = texts.filter((text) => text.document === document);
  const preferred = languages.map((language) => available.find((text) => text.language === language));
  return preferred.find((text) => text !== undefined) ?? available[0];
}

/** Returns the version that a visitor accepts: each document's id and version. Undefined without documents. */
export function getLegalTextsVersion(texts: readonly LegalText[], languages: readonly string[]): string | undefined {
  const picked = LEGAL_DOCUMENTS.flatMap((document) => pickLegalText(texts, document, languages) ?? []);
  return picked.length === 0 ? undefined : picked.map(({ id, version }) => `${id}.${version}`).join("+");
}

/** Whether a version consists of documents that the company has or had. */
export function isKnownLegalTextsVersion(
  texts: readonly Pick<LegalText, "id" | "version">[],
  accepted: string,
): boolean {
  return accepted.split("+").every((part) => {
    const [, id, version] = /^(\d{1,12})\.(\d{1,9})$/.exec(part) ?? [];
    const text = texts.find((item) => item.id === Number(id));
    return text !== undefined && Number(version) >= 1 && Number(version) <= text.version;
  });
}

// Countries whose law accepts a clear notice at the order button (in Germany § 305 BGB). Customers of other countries'
// companies tick a box, as in Spain (art. 5 Ley 7/1998) and Italy (art. 1341 Codice civile).
const NOTICE_COUNTRIES: ReadonlySet<string> = new Set(["DE", "AT", "CH", "NL", "BE", "LU", "GB", "IE"]);

/** Returns how customers of a country's company accept its terms. */
export function getTermsAcceptanceMethod(countryCode: string): "checkbox" | "notice" {
  return NOTICE_COUNTRIES.has(countryCode) ? "notice" : "checkbox";
}
