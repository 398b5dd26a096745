import type { ExampleCall } from "./call.ts";
import { LANGUAGES, type Language } from "./languages.ts";

/** The demo's credentials, if the demo serves the page. */
export interface DemoCredentials {
  readonly partnerKeys: readonly { readonly apiKey: string; readonly secret: string; readonly use: string }[];
  readonly users: readonly { readonly username: string; readonly password: string; readonly use: string }[];
}

/** Values that the reader entered, stored until the tab is closed. */
export interface StoredCredentials {
  readonly key: string;
  readonly secret: string;
  /** Token of the reader's own sign-in. */
  readonly token: string;
  /** Tokens of the demo users by role. */
  readonly demoTokens: Readonly<Partial<Record<ExampleCall["as"], string>>>;
  /** Id of the cart or booking tried last. */
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

/** Saves changed values and notifies the page. */
export function saveStoredCredentials(changes: Partial<StoredCredentials>): void {
  sessionStorage.setItem(NAME, JSON.stringify({ ...readCredentials(), ...changes }));
  dispatchEvent(new Event("docs-kept"));
}

export function readLanguage(): Language {
  const storedLanguage = localStorage.getItem(LANGUAGE);
  return LANGUAGES.find((language) => language === storedLanguage) ?? "curl";
}

export function saveLanguage(language: Language): void {
  localStorage.setItem(LANGUAGE, language);
  dispatchEvent(new Event("docs-kept"));
}

/** Returns the demo's key for a call. Used if the demo serves the page and the reader entered none. */
export function findDemoKey(
  demo: DemoCredentials | undefined,
  as: ExampleCall["as"],
): { apiKey: string; secret: string } | undefined {
  return demo?.partnerKeys.find(({ use }) => (as === "ota" ? use === "agency" : use.includes(as)));
}
