import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type AttemptCount, findSecondsUntilRetry, toIpNetwork } from "#domain/access/attempts.ts";
import { findPasswordProblems } from "#domain/access/passwords.ts";
import {
  getMaxSessionIdleMs,
  isSessionValid,
  isTokenKeyGenerationAccepted,
  needsTokenRenewal,
  type Session,
} from "#domain/access/sessions.ts";
import { findSignUpProblems, normalizeSignUpForm, type SignUpForm } from "#domain/access/sign-up.ts";
import { pickPlatformLanguage } from "#domain/catalogue/languages.ts";

describe("a password", () => {
  test.each([
    ["Right-1!", []],
    ["", ["passwordMissing"]],
    ["Rig-1!a", ["passwordTooShort"]],
    ["áé", ["passwordTooShort"]],
    ["correct horse battery staple", []],
    ["contraseña de mi abuela", []],
    ["пароль моей бабушки", []],
    ["🐴🔋📎🐴🔋📎🐴", ["passwordTooShort"]],
    ["🐴🔋📎🐴🔋📎🐴✅", []],
    ["password", ["passwordBreached"]],
    ["PassWord1", ["passwordBreached"]],
    ["iloveyou", ["passwordBreached"]],
    ["aaaaaaaaaaaa", ["passwordBreached"]],
    [`Aa1!${"x".repeat(124)}`, []],
    [`Aa1!${"x".repeat(125)}`, ["passwordTooLong"]],
  ])("reports the broken rules of the password %s: %j", (password, problems) => {
    expect(findPasswordProblems(password)).toEqual(problems);
  });

  // Proves "customer-access.md: tokens and limits": Password rules of existing clients
  test("accepts passwords with lower and upper case, a digit and a sign, as existing clients do", () => {
    const accepted = fc
      .tuple(
        fc.stringMatching(/^[A-Za-z0-9=!\-@._*&]{4,100}$/),
        fc.shuffledSubarray(["a", "B", "3", "*"], { minLength: 4 }),
      )
      .map(([rest, needed]) => needed.join("") + rest);
    const problems = (password: string) =>
      findPasswordProblems(password).filter((passwordProblem) => passwordProblem !== "passwordBreached");
    fc.assert(fc.property(accepted, (password) => problems(password).length === 0));
  });

  test("rejects fewer than 40 of 20,000 passwords that aren't in the breached list", () => {
    let refusedCount = 0;
    for (let index = 0; index < 20_000; index++)
      refusedCount += findPasswordProblems(`sound-${index}-${index * 7919}`).length;
    expect(refusedCount).toBeLessThan(40);
  });
});

describe("a registration", () => {
  const eva: SignUpForm = {
    username: "",
    email: " eva@example.com ",
    password: "Right-1!",
    name: " Eva ",
    surname: "",
    phonePrefix: "",
    phone: "",
    documentId: "",
    language: "es",
  };

  test("uses the e-mail as user name of a registration without one, both trimmed", () => {
    expect(normalizeSignUpForm(eva)).toMatchObject({
      username: "eva@example.com",
      email: "eva@example.com",
      name: "Eva",
    });
    expect(findSignUpProblems(normalizeSignUpForm(eva))).toEqual([]);
  });

  test.each<[Partial<SignUpForm>, object]>([
    [{ email: "" }, { field: "email", kind: "missing" }],
    [{ name: " " }, { field: "name", kind: "missing" }],
    [{ email: "eva@example" }, { field: "email", kind: "invalid", code: "email" }],
    [{ email: "eva@exam ple.com" }, { field: "email", kind: "invalid", code: "email" }],
    [{ username: "ev" }, { field: "username", kind: "invalid", code: "invalid" }],
    [{ username: "boss@example.com" }, { field: "username", kind: "invalid", code: "invalid" }],
    [{ surname: "x".repeat(81) }, { field: "surname", kind: "tooLong", longest: 80 }],
    [{ phone: "call me" }, { field: "phone", kind: "invalid", code: "telephone" }],
    [{ name: "Eva\u0000" }, { field: "name", kind: "invalid", code: "plain" }],
  ])("rejects the registration %j, naming field and problem", (changes, problem) => {
    expect(findSignUpProblems(normalizeSignUpForm({ ...eva, username: "eva", ...changes }))).toEqual([problem]);
  });
});

describe("a session", () => {
  const alive: Session = {
    role: "customer",
    createdAt: 100,
    expiresAt: 200,
    isRevoked: false,
    isUserActive: true,
    tokensValidFrom: 100,
  };

  test.each<[string, Partial<Session>, number, boolean]>([
    ["is alive from its beginning", {}, 100, true],
    ["is over at its end", {}, 200, false],
    ["is over when revoked", { isRevoked: true }, 150, false],
    ["is over when its user is disabled", { isUserActive: false }, 150, false],
    ["is over when the password changed after it began", { tokensValidFrom: 101 }, 150, false],
  ])(
    "accepts a session until it ends, is revoked, its user is disabled or the password changes: %s",
    (_, changes, now, expected) => {
      expect(isSessionValid({ ...alive, ...changes }, now)).toBe(expected);
    },
  );

  // Proves "security, privacy and operation": A session ends after 16 hours (staff) or 90 days, however often it is
  //   used
  // Proves "security.md": V10
  test("ends a session 16 hours after staff signed in, and 90 days after a customer did, however often it is used", () => {
    const used = { ...alive, createdAt: 0, tokensValidFrom: 0, expiresAt: Number.MAX_SAFE_INTEGER };
    const hours = (count: number) => count * 3_600_000;
    expect([
      isSessionValid({ ...used, role: "operator" }, hours(16) - 1),
      isSessionValid({ ...used, role: "operator" }, hours(16)),
    ]).toEqual([true, false]);
    expect([isSessionValid(used, hours(90 * 24) - 1), isSessionValid(used, hours(90 * 24))]).toEqual([true, false]);
  });

  test("issues tokens for 30 days to customers and 14 hours to staff", () => {
    expect(getMaxSessionIdleMs("customer")).toBe(30 * 86_400_000);
    for (const role of ["operator", "agent", "manager", "administrator"] as const) {
      expect(getMaxSessionIdleMs(role)).toBe(14 * 3_600_000);
    }
  });

  test("renews a session's token after half of its lifetime", () => {
    expect(needsTokenRenewal({ issuedAt: 0, expiresAt: 100 }, 50)).toBe(false);
    expect(needsTokenRenewal({ issuedAt: 0, expiresAt: 100 }, 51)).toBe(true);
  });

  test("accepts session tokens of the current and the previous key", () => {
    expect([1, 2, 3, 4].map((generation) => isTokenKeyGenerationAccepted(generation, 3))).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});

describe("attempts", () => {
  const tried = (kind: AttemptCount["kind"], count: number): AttemptCount => ({ kind, count, windowEndsAt: 61_000 });

  test("allows attempts up to the limit, and then returns the seconds until the window ends", () => {
    expect(findSecondsUntilRetry("login", [tried("person", 10), tried("address", 100)], 1000)).toBeUndefined();
    expect(findSecondsUntilRetry("login", [tried("person", 11)], 1000)).toBe(60);
    expect(findSecondsUntilRetry("login", [tried("person", 1), tried("address", 101)], 1000)).toBe(60);
    expect(findSecondsUntilRetry("login", [tried("person", 11)], 60_999)).toBe(1);
    expect(findSecondsUntilRetry("login", [], 1000)).toBeUndefined();
  });

  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["2001:db8::1", "2001:db8:0:0"],
    ["2001:0DB8:0000:0001:ffff::", "2001:db8:0:1"],
    ["::1", "0:0:0:0"],
  ])("counts failed attempts from the IP address %s for the network %s", (address, network) => {
    expect(toIpNetwork(address)).toBe(network);
  });
});

test("chooses the first preferred language that the platform supports, otherwise English", () => {
  expect(pickPlatformLanguage(undefined, "sv", "de", "es")).toBe("de");
  expect(pickPlatformLanguage("pt")).toBe("pt");
  expect(pickPlatformLanguage("sv")).toBe("en");
});
