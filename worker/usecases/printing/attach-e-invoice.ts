import type { Tenant } from "#worker/tenancy/tenant.ts";
import type { MailAttachment } from "#worker/usecases/mails/send-mails.ts";
import { printDocument } from "./print-document.ts";
import { type EInvoiceFile, readEInvoice } from "./read-e-invoice.ts";

/**
 * Returns the electronic invoice of an issued document for its customer's mail, in the format of the customer
 * or the company, and its PDF if wanted. A file that can't be created is left out.
 */
export async function attachEInvoice(
  tenant: Tenant,
  documentId: number,
  { now, withPdf }: { readonly now: number; readonly withPdf: boolean },
): Promise<readonly MailAttachment[]> {
  const reader = { kind: "partner", tenant } as const;
  const files = await readFiles(tenant, async () => {
    const read = await readEInvoice(reader, documentId, { format: undefined, now });
    return read.ok ? [read.value.value] : [];
  });
  const hasPdf = files.some(({ contentType }) => contentType === "application/pdf");
  const pdf = await readFiles(tenant, async () => {
    if (!withPdf || hasPdf) return [];
    const printed = await printDocument(reader, documentId);
    return printed.ok ? [{ ...printed.value.value, contentType: "application/pdf" as const }] : [];
  });
  return [...files, ...pdf].map(({ name, body, contentType }) => ({
    name,
    base64: Buffer.from(body).toString("base64"),
    type: contentType,
  }));
}

async function readFiles(
  tenant: Tenant,
  read: () => Promise<readonly EInvoiceFile[]>,
): Promise<readonly EInvoiceFile[]> {
  try {
    return await read();
  } catch (error) {
    // A printer that doesn't answer must not keep the other mails back.
    const defect = error instanceof Error ? error.name : "unknown";
    console.log(JSON.stringify({ level: "error", account: tenant.name, operation: "attach_einvoice", defect }));
    return [];
  }
}
