import { getMessageStatus, type MessageStatus } from "#domain/operations/messages.ts";
import type { MessageRow } from "#worker/store/contracts/messages.ts";

/** Mail to a customer, with its delivery status. */
export type MessageAnswer = MessageRow & { readonly status: MessageStatus };

/** Returns a mail with its status at `now`, epoch ms. */
export function toMessageAnswer(message: MessageRow, now: number): MessageAnswer {
  return { ...message, status: getMessageStatus(message, now) };
}
