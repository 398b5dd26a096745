import "./page.ts";
import { expect, test, vi } from "vitest";
import { mailLink, messageLink, phoneLink } from "#shared/links.ts";

test("an e-mail address that a visitor typed is written to alone: no copies, no subject, no text", () => {
  expect(mailLink("o'neil+hire@example.com")).toBe("mailto:o'neil%2Bhire@example.com");
  const link = new URL(mailLink("boss%40company.example?bcc=thief&body=x@example.com"));
  expect([link.search, link.hash]).toEqual(["", ""]);
  expect(decodeURIComponent(link.pathname)).toBe("boss%40company.example?bcc=thief&body=x@example.com");
});

test("a telephone is called by its digits, whatever a visitor typed: no code of the network", () => {
  expect([phoneLink("+34 (600) 11-22"), messageLink("600 11;?body=Yes")]).toEqual(["tel:+346001122", "sms:60011"]);
  expect(phoneLink("*21*600000000#")).toBe("tel:21600000000");
});

test("an address whose escapes are broken opens what it can, and no empty page", async () => {
  Object.assign(location, { hash: "#/fleet/100%" });
  vi.resetModules();
  expect((await import("../../pwa/office/src/route.ts")).route.value).toEqual(["fleet", "100%"]);
  Object.assign(location, { hash: "#/fleet/100%" });
  expect((await import("#app/state/route.ts")).route.value).toEqual(["fleet", "100%"]);
});
