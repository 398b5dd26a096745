import type { BulkActionsProps } from "../../desk/bulk-part.tsx";
import { formatDocumentNumber, type ListedDocument } from "./money.ts";
import { PrintableBulkActions } from "./printable-bulk-actions.tsx";

const nameRow = (document: ListedDocument) => ({ id: document.id, name: formatDocumentNumber(document) });

/** Actions for the selected documents. */
export default function DocumentBulkActions(props: BulkActionsProps<ListedDocument>) {
  return <PrintableBulkActions {...props} path="/documents" nameRow={nameRow} />;
}
