// Font files of scripts that the document font lacks.
const OTHER_FONTS = [
  "noto-sans-georgian",
  "noto-sans-armenian",
  "noto-sans-hebrew",
  "ibm-plex-sans-arabic",
  "noto-sans-devanagari",
  "noto-sans-thai",
  "noto-sans-jp",
  "noto-sans-kr",
  "noto-sans-sc",
] as const;
export type ScriptFontName = (typeof OTHER_FONTS)[number];

const SCRIPTS: readonly (readonly [RegExp, ScriptFontName])[] = [
  [/\p{scx=Geor}/u, "noto-sans-georgian"],
  [/\p{scx=Armn}/u, "noto-sans-armenian"],
  [/\p{scx=Hebr}/u, "noto-sans-hebrew"],
  [/\p{scx=Arab}/u, "ibm-plex-sans-arabic"],
  [/\p{scx=Deva}/u, "noto-sans-devanagari"],
  [/\p{scx=Thai}/u, "noto-sans-thai"],
];

// Includes punctuation and full-width letters: 、「」（）！.
const EAST_ASIAN = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}\u3000-\u303f\uff00-\uffef]/u;
const HANGUL = /\p{Script=Hangul}/u;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** Scripts of a page that decide the form of shared Chinese characters. */
export interface PageScripts {
  readonly hasKana: boolean;
  readonly hasHangul: boolean;
}

/** Returns the scripts that occur among the letters of a page. */
export function findPageScripts(letters: Iterable<string>): PageScripts {
  let [hasKana, hasHangul] = [false, false];
  for (const letter of letters) {
    hasKana ||= KANA.test(letter);
    hasHangul ||= HANGUL.test(letter);
  }
  return { hasKana, hasHangul };
}

/**
 * Returns the fonts that may contain a letter, likeliest first. Empty if none does. A Chinese character has several
 * forms: Japanese for text with kana or a Japanese company, Korean likewise, otherwise Chinese.
 */
export function listScriptFontNames(letter: string, page: PageScripts, country: string): readonly ScriptFontName[] {
  if (EAST_ASIAN.test(letter)) {
    if (HANGUL.test(letter)) return ["noto-sans-kr"];
    if (country === "JP" || page.hasKana) return ["noto-sans-jp", "noto-sans-sc", "noto-sans-kr"];
    if (country === "KR" || page.hasHangul) return ["noto-sans-kr", "noto-sans-sc", "noto-sans-jp"];
    return ["noto-sans-sc", "noto-sans-jp", "noto-sans-kr"];
  }
  return SCRIPTS.flatMap(([script, font]) => (script.test(letter) ? [font] : []));
}
