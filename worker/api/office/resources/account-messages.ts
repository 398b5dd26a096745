import { z } from "zod";

export const dryRunAnswer = z.object({
  data: z.array(
    z.object({
      keeps_from: z.enum(["selling", "paying", "invoicing", "communicating"]),
      code: z.string(),
      why: z.string(),
      page: z.string().meta({ description: "The list that mends it" }),
    }),
  ),
});

export const gatewayTestAnswer = z.object({
  ready: z.boolean(),
  reasons: z.array(z.string()).meta({ description: "Why it is not" }),
  address: z.string().nullable().meta({ description: "Where a visitor's form would go; nothing was sent there" }),
});

export const gatewayParams = z.object({
  method: z.enum(["tpvA256", "tpvB", "tpvC", "wallet_standard"]).meta({ example: "tpvA256" }),
});
