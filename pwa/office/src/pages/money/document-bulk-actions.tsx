import type { BulkProps } from "../../desk/bulk-part.tsx";
import { formatDocumentNumber, type MoneyDocument } from "./money.ts";
import { PrintableBulkActions } from "./printable-bulk-actions.tsx";

const nameRow = (document: MoneyDocument) => ({ id: document.id, name: formatDocumentNumber(document) });

/** Actions for the selected documents. */
export default function DocumentBulkActions(props: BulkProps<MoneyDocument>) {
  return <PrintableBulkActions {...props} path="/documents" nameRow={nameRow} />;
}
