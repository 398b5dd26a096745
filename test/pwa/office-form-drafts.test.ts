import "./page.ts";
import { expect, test } from "vitest";
import { bindFormDraftsToUser, readFormDraft, saveFormDraft } from "../../pwa/office/src/pages/form-drafts.ts";

test("keeps drafts for the user with the same id, and deletes them for another user", () => {
  bindFormDraftsToUser(7);
  saveFormDraft("agents", undefined, { name: "Hotel Sol" });
  bindFormDraftsToUser(7);
  expect(readFormDraft("agents", undefined)).toEqual({ name: "Hotel Sol" });
  bindFormDraftsToUser(8);
  expect(readFormDraft("agents", undefined)).toEqual({});
});
