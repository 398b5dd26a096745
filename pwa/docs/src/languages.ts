export const LANGUAGES = ["curl", "node", "python", "php"] as const;
export type Language = (typeof LANGUAGES)[number];

export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  curl: "curl",
  node: "Node",
  python: "Python",
  php: "PHP",
};
