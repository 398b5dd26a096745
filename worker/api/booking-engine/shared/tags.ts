/** Operation groups of both booking engines. */
export const engineTags = {
  "Shopping cart": "What a visitor chooses, priced anew whenever it is read. It is kept by its own unguessable id.",
  Checkout: "A cart becomes a booking, exactly once.",
} as const;
