import { z } from "@hono/zod-openapi";

const failure = z.object({
  error: z.string(),
  code: z.string(),
  detail: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
});

/** A failure as every interface but the agencies' writes it. */
export function failureBody(description: string) {
  return { description, content: { "application/json": { schema: failure } } };
}
