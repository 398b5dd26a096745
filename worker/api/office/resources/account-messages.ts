import { z } from "zod";
import { SETUP_STEPS, type SetupStep } from "#domain/catalogue/setup.ts";

export const accountSetupAnswer = z.object({
  data: z.array(
    z.object({
      keeps_from: z.enum(["selling", "paying", "invoicing", "reporting"]),
      code: z.string(),
      why: z.string(),
      page: z.string().meta({ description: "List to open" }),
    }),
  ),
  steps: z
    .array(
      z.object({
        name: z.enum(SETUP_STEPS),
        done: z.boolean(),
        blocks: z.boolean().meta({ description: "Nothing at all can be booked and paid online without it" }),
        missing: z
          .array(z.string())
          .meta({ description: "Entries that block the step, such as branches without hours" }),
      }),
    )
    .meta({ description: "Setup steps of a new company in order" }),
});
export type AccountSetupMessage = z.output<typeof accountSetupAnswer>;

/** Converts a setup step. */
export function toSetupStepMessage({ name, isDone, isBlocking, missing }: SetupStep) {
  return { name, done: isDone, blocks: isBlocking, missing: [...missing] };
}

export const gatewayTestAnswer = z.object({
  ready: z.boolean(),
  reasons: z.array(z.string()).meta({ description: "Why it is not" }),
  address: z.string().nullable().meta({ description: "Address to which the visitor's form would go. Nothing is sent" }),
});
export type GatewayTestMessage = z.output<typeof gatewayTestAnswer>;

export const gatewayTestParams = z.object({
  method: z.enum(["tpvA256", "tpvB", "tpvC", "wallet_standard", "stripe"]).meta({ example: "tpvA256" }),
});
