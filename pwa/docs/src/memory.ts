import type { Call } from "./call.ts";
import { LANGUAGES, type Language } from "./languages.ts";

/** The demo's own credentials, where the page is served by one. */
export interface Demo {
  readonly partnerKeys: readonly { readonly apiKey: string; readonly secret: string; readonly use: string }[];
  readonly users: readonly { readonly username: string; readonly password: string; readonly use: string }[];
}

/** What the reader has told this tab; it ends with the tab. */
export interface StoredCredentials {
  readonly key: string;
  readonly secret: string;
  /** Of the reader's own sign-in. */
  readonly token: string;
  /** Of the demo's people, by what they are. */
  readonly demoTokens: Readonly<Partial<Record<Call["as"], string>>>;
  /** Of the cart or booking that was tried last. */
  readonly freeAccessId: string;
}

const NAME = "docs-kept";
const LANGUAGE = "docs-language";
const NOTHING: StoredCredentials = { key: "", secret: "", token: "", demoTokens: {}, freeAccessId: "" };

export function readCredentials(): StoredCredentials {
  try {
    return { ...NOTHING, ...(JSON.parse(sessionStorage.getItem(NAME) ?? "{}") as Partial<StoredCredentials>) };
  } catch {
    return NOTHING;
  }
}

/** Keeps what is new, and tells the page. */
export function keep(more: Partial<StoredCredentials>): void {
  sessionStorage.setItem(NAME, JSON.stringify({ ...readCredentials(), ...more }));
  dispatchEvent(new Event("docs-kept"));
}

export function readLanguage(): Language {
  const storedLanguage = localStorage.getItem(LANGUAGE);
  return LANGUAGES.find((language) => language === storedLanguage) ?? "curl";
}

export function keepLanguage(language: Language): void {
  localStorage.setItem(LANGUAGE, language);
  dispatchEvent(new Event("docs-kept"));
}

/** What the demo has for a call, where the page is served by one and the reader gave nothing. */
export function demoKeyFor(demo: Demo | undefined, as: Call["as"]): { apiKey: string; secret: string } | undefined {
  return demo?.partnerKeys.find(({ use }) => (as === "ota" ? use === "agency" : use.includes(as)));
}
