import { expect, test } from "vitest";
import { sanitizeNameForMail } from "#domain/bookings/booking-mails.ts";
import { isolateRightToLeft } from "#domain/text-direction.ts";
import { fillText } from "#shared/i18n.ts";

const RULES = { select: () => "other" as const };

test.each([
  ["אבי כהן", "\u2068אבי כהן\u2069"],
  ["محمد علي", "\u2068محمد علي\u2069"],
  ["Ana Ruiz", "Ana Ruiz"],
  ["山田 太郎", "山田 太郎"],
  ["", ""],
])("keeps the text around the name %j in its writing direction on screens and in mails", (name, isolatedName) => {
  expect(isolateRightToLeft(name)).toBe(isolatedName);
  expect(fillText("Hand over to {name} (12)?", { name }, RULES)).toBe(`Hand over to ${isolatedName} (12)?`);
  expect(sanitizeNameForMail(name)).toBe(isolatedName);
});
