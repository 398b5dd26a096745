import "./page.ts";
import { expect, test, vi } from "vitest";
import { toMailLink, toPhoneLink, toSmsLink } from "#shared/links.ts";

// Proves "security.md": A11
test("escapes typed e-mail addresses in mailto links, so they can't add copies, subject or body", () => {
  expect(toMailLink("o'neil+hire@example.com")).toBe("mailto:o'neil%2Bhire@example.com");
  const link = new URL(toMailLink("boss%40company.example?bcc=thief&body=x@example.com"));
  expect([link.search, link.hash]).toEqual(["", ""]);
  expect(decodeURIComponent(link.pathname)).toBe("boss%40company.example?bcc=thief&body=x@example.com");
});

// Proves "security.md": A11
test("links only the digits of a typed telephone number, so it can't contain a network code", () => {
  expect([toPhoneLink("+34 (600) 11-22"), toSmsLink("600 11;?body=Yes")]).toEqual(["tel:+346001122", "sms:60011"]);
  expect(toPhoneLink("*21*600000000#")).toBe("tel:21600000000");
});

test("opens a page for a URL with broken escapes instead of an empty page", async () => {
  Object.assign(location, { hash: "#/fleet/100%" });
  vi.resetModules();
  expect((await import("../../pwa/office/src/route.ts")).route.value).toEqual(["fleet", "100%"]);
  Object.assign(location, { hash: "#/fleet/100%" });
  expect((await import("#app/state/route.ts")).route.value).toEqual(["fleet", "100%"]);
});
