/** Operation groups of both booking engines. */
export const engineTags = {
  "Shopping cart": "Choice of a visitor, stored under a secret id. Each response contains current prices.",
  Checkout: "A cart becomes a booking, exactly once.",
} as const;
