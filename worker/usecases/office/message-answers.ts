import { getMessageStatus, type MessageStatus } from "#domain/operations/messages.ts";
import type { CustomerMailRow } from "#worker/store/contracts/messages.ts";

/** Mail to a customer, with its delivery status. */
export type CustomerMailAnswer = CustomerMailRow & { readonly status: MessageStatus };

/** Returns a mail with its status at `now`, epoch ms. */
export function toCustomerMailAnswer(message: CustomerMailRow, now: number): CustomerMailAnswer {
  return { ...message, status: getMessageStatus(message, now) };
}
