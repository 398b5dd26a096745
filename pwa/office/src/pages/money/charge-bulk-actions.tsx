import type { BulkActionsProps } from "../../desk/bulk-part.tsx";
import { t } from "../../texts.ts";
import type { ListedCharge } from "./money.ts";
import { PrintableBulkActions } from "./printable-bulk-actions.tsx";

const nameRow = ({ id }: ListedCharge) => ({ id, name: `${t("receipt")} ${id}` });

/** Actions for the selected payments. */
export default function ChargeBulkActions(props: BulkActionsProps<ListedCharge>) {
  return <PrintableBulkActions {...props} path="/charges" nameRow={nameRow} />;
}
