import "./page.ts";
import { beforeAll, expect, test } from "vitest";
import { getLetterheadDraftNotice, toStoredDraft } from "../../pwa/office/src/pages/letterhead.tsx";
import { loadTexts } from "../../pwa/office/src/texts.ts";

beforeAll(() => loadTexts("en"));

test("stores a draft with the removed logo but without a chosen image, and asks to choose the image again", () => {
  expect(toStoredDraft({ foot: "Palma", version: 3 })).toEqual({ foot: "Palma", version: 3 });
  const removed = toStoredDraft({ logo: null, version: 3 });
  expect([removed, getLetterheadDraftNotice(removed)]).toEqual([
    { logo: null, version: 3, hasChosenLogo: false },
    "We restored your unsaved changes.",
  ]);
  const chosen = toStoredDraft({ logo: "iVBOR", version: 3 });
  expect([chosen, getLetterheadDraftNotice(chosen)]).toEqual([
    { version: 3, hasChosenLogo: true },
    "We restored your unsaved changes. Choose the logo again.",
  ]);
  expect(getLetterheadDraftNotice({})).toBe("");
});
