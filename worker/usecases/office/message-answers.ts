import { getMessageStatus, type MessageStatus } from "#domain/operations/messages.ts";
import type { CustomerMailRow } from "#worker/store/contracts/messages.ts";

/** Mail to a customer, with its delivery status. */
export type MessageAnswer = CustomerMailRow & { readonly status: MessageStatus };

/** Returns a mail with its status at `now`, epoch ms. */
export function toMessageAnswer(message: CustomerMailRow, now: number): MessageAnswer {
  return { ...message, status: getMessageStatus(message, now) };
}
