import { z } from "zod";
import { SETUP_STEPS, type SetupStep } from "#domain/catalogue/setup.ts";
import {
  GATEWAY_TEST_CODES,
  GATEWAY_TEST_MESSAGES,
  type GatewayConfigurationTest,
} from "#domain/payments/gateway-test.ts";
import { fillMessage } from "#domain/problem-messages.ts";

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
  reasons: z
    .array(
      z.object({
        code: z
          .enum(GATEWAY_TEST_CODES)
          .meta({ description: "What is missing or wrong. Translate it by `code` and `params`" }),
        params: z.record(z.string(), z.string()).meta({ description: "Values for the text of `code`, by name" }),
        message: z.string().meta({ description: "Text for developers" }),
      }),
    )
    .meta({ description: "Why the gateway isn't ready" }),
  address: z.string().nullable().meta({ description: "Address to which the visitor's form would go. Nothing is sent" }),
});
export type GatewayTestMessage = z.output<typeof gatewayTestAnswer>;

/** Converts the result of a gateway's test. */
export function toGatewayTestMessage({ isReady, problems, address }: GatewayConfigurationTest): GatewayTestMessage {
  const reasons = problems.map(({ code, params }) => {
    const message = fillMessage(GATEWAY_TEST_MESSAGES[code], params);
    return { code, params: { ...params }, message };
  });
  return { ready: isReady, reasons, address: address ?? null };
}

export const gatewayTestParams = z.object({
  method: z.enum(["tpvA256", "tpvB", "tpvC", "wallet_standard", "stripe"]).meta({ example: "tpvA256" }),
});
