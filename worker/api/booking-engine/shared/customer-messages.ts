import { z } from "zod";
import { MAX_PASSWORD_LENGTH } from "#domain/access/password-length.ts";
import { emailAddress, language, personName, textLine } from "#worker/api/primitives.ts";
import { expectedVersion, flag } from "./messages.ts";

/** An address that a customer gives on a website. */
export const email = emailAddress(40);

const MAX_PHONE_LENGTH = 15;
/** A telephone number as people write it: one that is too long for its spaces alone is kept without them. */
export const phone = textLine(40)
  .refine((text) => /^[+(\d][\d ()./-]*$/.test(text), "must be a telephone number")
  .transform((text) => (text.length > MAX_PHONE_LENGTH ? withoutSpaces(text) : text))
  .refine((text) => text.length <= MAX_PHONE_LENGTH, `must have at most ${MAX_PHONE_LENGTH} characters, spaces aside`);

// The zero in brackets is dialled inside the country alone: +49 (0)170 …
function withoutSpaces(text: string): string {
  return text.replace(/^(\+.*?)\(0\)/, "$1").replaceAll(/[ ()./-]/g, "");
}

/** What websites say of a customer. */
export const customerFields = {
  customer_name: personName(40).optional(),
  customer_surname: personName(40).optional(),
  customer_email: email.optional(),
  customer_phone_prefix: textLine(6).optional(),
  customer_phone: phone.optional(),
  customer_document_id: textLine(50).optional(),
};

/** What a checkout says in both engines: who, how it is paid, the total that was seen. */
export const checkoutFields = z.object({
  ...customerFields,
  customer_language: language.optional(),
  comments: z.string().max(2000, "must have at most 2000 characters").optional(),
  payment: textLine(40).optional(),
  complete_action: z
    .enum(
      ["request_reservation", "pay_on_delivery", "pay_now"],
      "must be request_reservation, pay_on_delivery or pay_now",
    )
    .optional(),
  payment_amount_override: z.enum(["deposit", "total"], "must be deposit or total").optional(),
  total_cost: z
    .union([z.number(), z.string()], "must be an amount, such as 151.00")
    .transform(String)
    .refine((text) => /^\d{1,12}(\.\d{1,6})?$/.test(text), "must be an amount, such as 151.00")
    .optional(),
  expected_version: expectedVersion,
  create_customer_account: flag.optional(),
  // A character is one code point, of two UTF-16 units at most.
  account_password: z
    .string("must be text")
    .max(2 * MAX_PASSWORD_LENGTH, `must have at most ${MAX_PASSWORD_LENGTH} characters`)
    .optional(),
  "cf-turnstile-response": z
    .string()
    .max(2048)
    .optional()
    .meta({ description: "What Turnstile's widget gave, where the account asks for it" }),
});

export type CheckoutBody = z.output<typeof checkoutFields>;
