import { PLATFORM_LANGUAGES, type PlatformLanguage } from "#domain/catalogue/languages.ts";
import { normalizePhone } from "#domain/identity.ts";
import { createProblem, type Problem } from "#domain/problems.ts";
import { type CustomerMessageText, MESSAGE_TEMPLATES, type MessageTemplate } from "./message-text.ts";
import { getDefaultMessageTemplate, type MessagePlaceholderValues } from "./messages.ts";

/** Text of a template in a language: the company's own, or ours. */
export interface TemplateText extends CustomerMessageText {
  readonly id: MessageTemplate;
  readonly language: PlatformLanguage;
  readonly isOwn: boolean;
}

interface OwnText extends CustomerMessageText {
  readonly template: string;
  readonly language: string;
}

/** Returns a template's text in a language: the company's own, otherwise ours for rentals or transfers. */
export function getCustomOrDefaultTemplate(
  id: MessageTemplate,
  language: PlatformLanguage,
  customTexts: readonly OwnText[],
  { isTransfer = false } = {},
): TemplateText {
  const row = customTexts.find((text) => text.template === id && text.language === language);
  const { subject, text } = row ?? getDefaultMessageTemplate(id, language, { isTransfer });
  return { id, language, subject, text, isOwn: row !== undefined };
}

/** Lists the texts of all templates in all languages. */
export function listMessageTemplates(customTexts: readonly OwnText[]): readonly TemplateText[] {
  return MESSAGE_TEMPLATES.flatMap((id) =>
    PLATFORM_LANGUAGES.map((language) => getCustomOrDefaultTemplate(id, language, customTexts)),
  );
}

/** Facts that a preview shows if no reservation is chosen. */
export const EXAMPLE_MESSAGE_PLACEHOLDER_VALUES: Omit<MessagePlaceholderValues, "company"> = {
  ...{ name: "Ana", number: "1024", vehicle: "Opel Corsa" },
  ...{ pickup: "10/06/2030 10:00, Palma", return: "17/06/2030 10:00, Palma" },
};

/** Names of the placeholders. */
export const MESSAGE_PLACEHOLDERS = [...Object.keys(EXAMPLE_MESSAGE_PLACEHOLDER_VALUES), "company"] as const;

const write = (name: string) => `{${name}}`;

/** Returns the first placeholder of a template that doesn't exist, as a problem of its field. */
export function findUnknownPlaceholder({ subject, text }: CustomerMessageText): Problem | undefined {
  for (const [field, content] of [
    ["subject", subject],
    ["text", text],
  ] as const) {
    const unknown = [...content.matchAll(/\{([^{}\s]*)\}/g)].find(
      ([, name = ""]) => !MESSAGE_PLACEHOLDERS.includes(name),
    );
    if (unknown) return createProblem(field, "placeholder", unknown[0], MESSAGE_PLACEHOLDERS.map(write).join(", "));
  }
  return undefined;
}

/** Links that open a message with its text on a phone. Undefined if no message can reach the number. */
export interface MessageLinks {
  readonly whatsapp: string | undefined;
  readonly sms: string | undefined;
}

// WhatsApp needs the country's prefix and at most 15 digits (ITU-T E.164).
const MIN_INTERNATIONAL_DIGITS = 7;
const MAX_INTERNATIONAL_DIGITS = 15;

/** Returns the links that open WhatsApp or the messages of a phone with a text filled in. */
export function createMessageLinks(prefix: string | null, phone: string | null, text: string): MessageLinks {
  const number = normalizePhone(phone ?? "");
  if (number === undefined) return { whatsapp: undefined, sms: undefined };
  // The trunk zero in brackets is only dialled within a country. An extension can't receive messages.
  const main = number.replace(/\(0\)/, "").replace(/ ?(?:ext\.?|x|#).*$/i, "");
  const digits = main.replaceAll(/\D/g, "");
  const country = (prefix ?? "").replaceAll(/\D/g, "").replace(/^0+/, "");
  const internationalNumber = /^(\+|00)/.test(main)
    ? digits.replace(/^00/, "")
    : country && country + digits.replace(/^0/, "");
  const isWhole =
    internationalNumber.length >= MIN_INTERNATIONAL_DIGITS && internationalNumber.length <= MAX_INTERNATIONAL_DIGITS;
  const content = encodeURIComponent(text);
  // iOS reads the text after "&", Android after "?".
  return {
    whatsapp: isWhole ? `https://wa.me/${internationalNumber}?text=${content}` : undefined,
    sms: `sms:${isWhole ? `+${internationalNumber}` : digits}?&body=${content}`,
  };
}
