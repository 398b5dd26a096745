/** What the operations of both booking engines are about. */
export const engineTags = {
  "Shopping cart": "What a visitor chooses, priced anew whenever it is read. It is kept by its own unguessable id.",
  Checkout: "A cart becomes a booking, exactly once.",
} as const;
