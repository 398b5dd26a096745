import { z } from "zod";
import { MAX_PASSWORD_LENGTH } from "#domain/access/password-length.ts";
import { isShortPhone, shortenPhone } from "#domain/identity.ts";
import {
  createRefineOptions,
  documentNumber,
  emailAddressSchema,
  languageCode,
  personName,
  phoneNumber,
  phonePrefix,
  textLineSchema,
} from "#worker/api/primitives.ts";
import { booleanOrText, expectedCartVersionSchema } from "./messages.ts";

/** Email address entered on a website. */
export const websiteEmailSchema = emailAddressSchema();

/** Phone number as typed. If it's too long because of separators, they're removed. */
export const websitePhoneSchema = phoneNumber(40)
  .transform(shortenPhone)
  .refine(isShortPhone, "must have at most 15 characters, spaces aside");

/** Customer data from websites. */
export const customerFields = {
  customer_name: personName(40).optional(),
  customer_surname: personName(40).optional(),
  customer_email: websiteEmailSchema.optional(),
  customer_phone_prefix: phonePrefix(6).optional(),
  customer_phone: websitePhoneSchema.optional(),
  customer_document_id: documentNumber(50).optional(),
};

const MAX_COMMENTS_LENGTH = 2000;
// Control characters except tab and line break, which XML and PDF can't contain, and marks of direction.
const CONTROLS = /[\u202a-\u202e\u2066-\u2069]|(?![\t\r\n])\p{Cc}/gu;

/** Comments of a customer on a reservation. */
export const customerComments = z
  .string()
  .transform((text) => text.replaceAll(CONTROLS, ""))
  .refine((text) => text.length <= MAX_COMMENTS_LENGTH, createRefineOptions("too_long", MAX_COMMENTS_LENGTH))
  .meta({ type: "string", maxLength: MAX_COMMENTS_LENGTH })
  .optional();

/** Page of a website that shows reservations. */
export const websitePageSchema = z
  .string("must be text")
  .max(500, "must have at most 500 characters")
  .refine((page) => URL.canParse(page), "must be the address of a page");

/** Checkout fields of both engines: customer, payment, and the displayed total. */
export const checkoutFieldsSchema = z.object({
  ...customerFields,
  customer_language: languageCode.optional(),
  comments: customerComments,
  payment: textLineSchema(40).optional(),
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
    .refine((text) => /^\d{1,12}(\.\d{1,6})?$/.test(text), createRefineOptions("money"))
    .optional(),
  expected_version: expectedCartVersionSchema,
  accepted_terms: textLineSchema(60).optional().meta({
    description: "Addition: `terms_version` that the customer accepted, stored with the booking",
  }),
  // Visitors can't correct it, so a wrong one is ignored instead of rejecting the booking.
  page: websitePageSchema
    .optional()
    .catch(undefined)
    .meta({
      ...{ type: "string", maxLength: 500 },
      description:
        "Addition: page of the website that shows reservations with the widget. Mails link to it, without its query, if the company requires an engine key and lists the page's origin",
    }),
  create_customer_account: booleanOrText.optional(),
  // A character is one code point, at most two UTF-16 units.
  account_password: z
    .string("must be text")
    .max(2 * MAX_PASSWORD_LENGTH, `must have at most ${MAX_PASSWORD_LENGTH} characters`)
    .optional(),
  "cf-turnstile-response": z
    .string()
    .max(2048)
    .optional()
    .meta({ description: "Turnstile token, if the account requires one" }),
});

export type CheckoutBody = z.output<typeof checkoutFieldsSchema>;
