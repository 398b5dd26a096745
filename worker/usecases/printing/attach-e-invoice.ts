import type { Tenant } from "#worker/tenancy/tenant.ts";
import type { MailAttachment } from "#worker/usecases/mails/send-mails.ts";
import { readEInvoice } from "./read-e-invoice.ts";

/**
 * Returns the electronic invoice of an issued document for the customer's mail, in the format of its customer or the
 * company. Empty without a format, or if it can't be written. The mail has a link to the document anyway.
 */
export async function attachEInvoice(
  tenant: Tenant,
  documentId: number,
  now: number,
): Promise<readonly MailAttachment[]> {
  try {
    const read = await readEInvoice({ kind: "partner", tenant }, documentId, { format: undefined, now });
    if (!read.ok) return [];
    const { name, body, contentType } = read.value.value;
    return [{ name, base64: Buffer.from(body).toString("base64"), type: contentType }];
  } catch (error) {
    // A printer that doesn't answer must not keep the other mails back.
    const defect = error instanceof Error ? error.name : "unknown";
    console.log(JSON.stringify({ level: "error", account: tenant.name, operation: "attach_einvoice", defect }));
    return [];
  }
}
