import { describe, expect, test } from "vitest";
import { getMailState } from "#domain/operations/correspondence.ts";

describe("a mail", () => {
  test("counts as sent once it went out, however late", () => {
    expect(getMailState({ sentAt: 5, uselessAt: 4 }, 10)).toBe("sent");
  });

  test("waits as long as it is tried, and is given up after that", () => {
    expect(getMailState({ sentAt: null, uselessAt: 10 }, 9)).toBe("waiting");
    expect(getMailState({ sentAt: null, uselessAt: 10 }, 10)).toBe("given_up");
  });

  test("counts as neither sent nor unsent if it was never tracked", () => {
    expect(getMailState({ sentAt: null, uselessAt: null }, 10)).toBe("unknown");
  });
});
