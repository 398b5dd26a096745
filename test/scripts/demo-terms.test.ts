import { expect, test } from "vitest";
import { PLATFORM_LANGUAGES } from "#domain/catalogue/languages.ts";
import contractTerms from "#scripts/demo/contract-terms.json" with { type: "json" };
import legalTexts from "#scripts/demo/legal-texts.json" with { type: "json" };

const countSections = (text: string | undefined) => text?.match(/^## /gm)?.length;

test.each(PLATFORM_LANGUAGES)(
  "has the demo company's conditions in %s, and its privacy notice except in Dutch",
  (language) => {
    const findText = (document: string) =>
      legalTexts.find((text) => text.document === document && text.language === language)?.text;
    const conditions = contractTerms.find((text) => text.language === language)?.terms;
    const privacySections = language === "nl" ? undefined : 6;
    expect([countSections(conditions), countSections(findText("terms")), countSections(findText("privacy"))]).toEqual([
      5,
      7,
      privacySections,
    ]);
  },
);
