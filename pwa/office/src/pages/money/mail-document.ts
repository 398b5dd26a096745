import type { CustomerMailMessage } from "#worker/api/office/message-messages.ts";
import { getSuccessfulContent, toOfficePath } from "../../api.ts";
import { describeRefusal, type RowOutcome } from "../../desk/bulk-actions.ts";
import { sendWithIdempotencyKey } from "../../desk/submit-once.ts";
import { t } from "../../texts.ts";

/** Queues the mail of a document to its payer, and returns the address or why it is refused. */
export async function mailDocument({ id }: { readonly id: number }): Promise<RowOutcome> {
  const path = toOfficePath(`/documents/${id}/mail`);
  const answer = await sendWithIdempotencyKey<CustomerMailMessage>("POST", path);
  const content = getSuccessfulContent(answer);
  if (!content) return describeRefusal(answer);
  return { isDone: true, text: t("documentMailed", { address: content.message.address ?? "" }) };
}
