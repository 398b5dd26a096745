import type { BulkProps } from "../../desk/bulk-part.tsx";
import { formatDocumentNumber, type MoneyDocument } from "./money.ts";
import { PapersBulk } from "./papers-bulk.tsx";

const nameRow = (document: MoneyDocument) => ({ id: document.id, name: formatDocumentNumber(document) });

/** Actions for the selected documents. */
export default function Bulk(props: BulkProps<MoneyDocument>) {
  return <PapersBulk {...props} path="/documents" nameRow={nameRow} />;
}
