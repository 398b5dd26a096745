import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createStartMessageLines } from "#scripts/start-addresses.ts";
import { describeAccountError, reportNoAccounts } from "#scripts/steps.ts";

let printed: string[] = [];
beforeEach(() => {
  printed = [];
  vi.spyOn(console, "log").mockImplementation((line: string) => printed.push(line));
});
afterEach(() => vi.restoreAllMocks());

test("prints URLs and credentials only of companies that exist", () => {
  const both = createStartMessageLines(["acme", "globex"], 8787).join("\n");
  expect(both).toContain("acme-agency");
  expect(both).toContain("http://globex.localhost:8787");
  const own = createStartMessageLines(["blue-boats"], 8787);
  expect(own).toEqual(["Ready at http://localhost:8787", "  http://blue-boats.localhost:8787"]);
  const addressText = createStartMessageLines(["globex", "blue-boats"], 8787).join("\n");
  expect(addressText).toContain("globex (");
  expect(addressText).not.toContain("acme");
  expect(createStartMessageLines([], 8787).join("\n")).toContain("no company is bound: npm run account -- add");
});

test("reports that no account is bound instead of printing nothing", () => {
  expect(reportNoAccounts([], "production")).toBe(true);
  expect(reportNoAccounts(["acme"], undefined)).toBe(false);
  expect(printed).toEqual([
    "Nothing to do: [env.production] of wrangler.toml binds no account. npm run account -- add <name> adds one.",
  ]);
});

test.each(["ENOSPC: no space left on device, write", "D1_ERROR: database or disk is full: SQLITE_FULL"])(
  "explains to the operator that the disk is full: %s",
  (message) => {
    expect(describeAccountError(new Error(message))).toContain("The disk is full");
    expect(describeAccountError(new Error("failed", { cause: new Error(message) }))).toContain("The disk is full");
  },
);
