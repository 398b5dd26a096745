import { z } from "zod";

/** Form fields of a booking website (docs/interfaces/payments.md#payment-form). Empty text means missing. */
export const paymentForm = z
  .object({
    id: z
      .string("is required")
      .min(1, "is required")
      .max(64, "is too long")
      .meta({ description: "The booking's own id" }),
    payment: z
      .enum(["deposit", "total", "pending"], "must be deposit, total or pending")
      .meta({ description: "Part of the booking to pay. The amount is the booking's" }),
    payment_method: methodId("As some websites name it"),
    payment_method_id: methodId("As existing websites name it"),
    summary_url: z
      .string()
      .max(2000, "is too long")
      .optional()
      .meta({ description: "Page to return to. Ignored unless the company allows its website" }),
  })
  .refine((form) => (form.payment_method_id || form.payment_method) !== undefined, {
    path: ["payment_method_id"],
    message: "is required",
  })
  .refine(({ payment_method: text, payment_method_id: other }) => !text || !other || text === other, {
    path: ["payment_method"],
    message: "is not the same as payment_method_id",
  })
  .meta({ description: "A form as a browser sends it" });

function methodId(description: string) {
  return z
    .string()
    .max(40, "is too long")
    .optional()
    .transform((text) => text || undefined)
    .meta({ type: "string", example: "tpvA256", description });
}

/** Query of the return from a gateway. It proves nothing about the payment. */
export const gatewayReturnQuery = z.object({
  payment: z.string().optional().meta({ description: "Secret id of the payment" }),
  look: z.string().optional().meta({ description: "How often the page has checked the payment" }),
});

export const gatewayNotificationParams = z.object({
  gateway: z.string().meta({ example: "tpvA256", description: "The online payment method" }),
});

export const paymentLinkPageParams = z.object({
  token: z
    .string()
    .max(64)
    .meta({ example: "9f0c2d1e4b5a69788796a5b4c3d2e1f0", description: "Unguessable part of a link's address" }),
});

export const paymentLinkForm = z
  .object({ payment_method_id: z.string("is required").max(40, "is too long").meta({ example: "tpvA256" }) })
  .meta({ description: "The form of a link's page" });
