export const MESSAGE_TEMPLATES = ["pickup_details", "missing_documents", "thank_you"] as const;
export type MessageTemplate = (typeof MESSAGE_TEMPLATES)[number];

/** Subject and text of a message, with or without placeholders. */
export interface CustomerMessageText {
  readonly subject: string;
  readonly text: string;
}
