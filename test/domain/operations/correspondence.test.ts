import { describe, expect, test } from "vitest";
import { getMailState } from "#domain/operations/correspondence.ts";

describe("a mail", () => {
  test("counts a mail as sent once it was sent, however late", () => {
    expect(getMailState({ sentAt: 5, uselessAt: 4 }, 10)).toBe("sent");
  });

  test("counts a mail as waiting while it is retried, and as failed after that", () => {
    expect(getMailState({ sentAt: null, uselessAt: 10 }, 9)).toBe("waiting");
    expect(getMailState({ sentAt: null, uselessAt: 10 }, 10)).toBe("given_up");
  });

  test("returns an unknown state for a mail whose sending wasn't recorded", () => {
    expect(getMailState({ sentAt: null, uselessAt: null }, 10)).toBe("unknown");
  });
});
