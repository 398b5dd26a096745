import { describe, expect, test } from "vitest";
import {
  getLegalTextsVersion,
  getTermsAcceptanceMethod,
  isKnownLegalTextsVersion,
  pickLegalText,
} from "#domain/catalogue/legal-texts.ts";

const TEXTS = [
  { id: 1, document: "terms", language: "es", url: undefined, version: 3 },
  { id: 2, document: "terms", language: "de", url: undefined, version: 1 },
  { id: 7, document: "privacy", language: "es", url: "https://example.com/privacidad", version: 2 },
] as const;

describe("legal texts", () => {
  test("shows legal texts in the visitor's language, else in the company's, else in any", () => {
    expect(pickLegalText(TEXTS, "terms", ["de", "es"])?.id).toBe(2);
    expect(pickLegalText(TEXTS, "terms", ["fr", "es"])?.id).toBe(1);
    expect(pickLegalText(TEXTS, "privacy", ["fr", "en"])?.id).toBe(7);
    expect(pickLegalText(TEXTS.slice(0, 2), "privacy", ["es"])).toBeUndefined();
  });

  test("combines the versions of all legal texts that a visitor reads to one version", () => {
    expect(getLegalTextsVersion(TEXTS, ["de", "es"])).toBe("2.1+7.2");
    expect(getLegalTextsVersion(TEXTS, ["es"])).toBe("1.3+7.2");
    expect(getLegalTextsVersion([], ["es"])).toBeUndefined();
  });

  test.each([
    ["1.3+7.2", true],
    ["1.1", true],
    ["1.4", false],
    ["1.0", false],
    ["9.1", false],
    ["1.3+", false],
    ["", false],
    ["yes", false],
  ])("reports whether the version %j is accepted: %s", (version, isKnown) => {
    expect(isKnownLegalTextsVersion(TEXTS, version)).toBe(isKnown);
  });

  test("requires a checkbox or only a notice to accept legal texts, by the company's country", () => {
    expect(["ES", "IT", "US", "DE", "NL"].map(getTermsAcceptanceMethod)).toEqual([
      ...["checkbox", "checkbox", "checkbox", "notice", "notice"],
    ]);
  });
});
