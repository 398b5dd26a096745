import type { CustomerMailMessage } from "#worker/api/office/message-messages.ts";
import { getSuccessfulContent, toOfficePath } from "../../api.ts";
import { describeRefusal, type RowOutcome } from "../../desk/bulk-actions.ts";
import { sendUnderOneKey } from "../../desk/submit-once.ts";
import { t } from "../../texts.ts";

/** Queues the mail of a document to its payer, and returns the address or why it is refused. */
export async function mailDocument({ id }: { readonly id: number }): Promise<RowOutcome> {
  const path = toOfficePath(`/documents/${id}/mail`);
  const answer = await sendUnderOneKey<CustomerMailMessage>("POST", path);
  const content = getSuccessfulContent(answer);
  if (!content) return describeRefusal(answer);
  return { isDone: true, text: t("documentMailed", { address: content.message.address ?? "" }) };
}
