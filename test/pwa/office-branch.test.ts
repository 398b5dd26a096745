import "./page.ts";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { setAccount } from "../../pwa/office/src/account.ts";
import {
  chooseBranch,
  chosenBranchCode,
  readFilterValue,
  restoreBranch,
} from "../../pwa/office/src/desk/chosen-branch.ts";

const sign = (name: string, codes: readonly string[] = ["PMI", "IBZ"]) =>
  setAccount({
    rental_locations: codes.map((code) => ({ code, name: code })),
    user: { full_name: name },
  } as unknown as Parameters<typeof setAccount>[0]);

// The storage of a tab and of the browser.
const createStorage = () => {
  const stored = new Map<string, string>();
  return {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    clear: () => stored.clear(),
  };
};

beforeEach(() => {
  vi.stubGlobal("sessionStorage", createStorage());
  vi.stubGlobal("localStorage", createStorage());
  sign("Ana");
  restoreBranch();
});

afterEach(() => vi.unstubAllGlobals());

describe("the branch of the header", () => {
  test("filters lists by the branch chosen in the header, unless the URL names another branch", () => {
    chooseBranch("PMI");
    expect(readFilterValue(new URLSearchParams(), "rental_location_code")).toBe("PMI");
    expect(readFilterValue(new URLSearchParams(), "q")).toBe("");
    expect(readFilterValue(new URLSearchParams({ rental_location_code: "IBZ" }), "rental_location_code")).toBe("IBZ");
  });

  test("keeps the selected branch for each tab, and starts a new tab with the user's last one", () => {
    chooseBranch("PMI");
    restoreBranch();
    expect(chosenBranchCode.value).toBe("PMI");
    sessionStorage.clear();
    restoreBranch();
    expect(chosenBranchCode.value).toBe("PMI");
    sessionStorage.clear();
    sign("Bea");
    restoreBranch();
    expect(chosenBranchCode.value).toBe("");
  });

  test("drops the selected branch if the user can't access it any more", () => {
    chooseBranch("PMI");
    sign("Ana", ["IBZ"]);
    restoreBranch();
    expect(chosenBranchCode.value).toBe("");
  });
});
