import { expect, test } from "vitest";
import { nameForMail } from "#domain/bookings/booking-mails.ts";
import { isolated } from "#domain/direction.ts";
import { fillText } from "#shared/i18n.ts";

const RULES = { select: () => "other" as const };

test.each([
  ["אבי כהן", "\u2068אבי כהן\u2069"],
  ["محمد علي", "\u2068محمد علي\u2069"],
  ["Ana Ruiz", "Ana Ruiz"],
  ["山田 太郎", "山田 太郎"],
  ["", ""],
])("the name %j turns nothing around it in a sentence of a screen or a mail", (name, written) => {
  expect(isolated(name)).toBe(written);
  expect(fillText("Hand over to {name} (12)?", { name }, RULES)).toBe(`Hand over to ${written} (12)?`);
  expect(nameForMail(name)).toBe(written);
});
