import type { BulkProps } from "../../desk/bulk-part.tsx";
import { t } from "../../texts.ts";
import type { MoneyCharge } from "./money.ts";
import { PapersBulk } from "./papers-bulk.tsx";

const nameRow = ({ id }: MoneyCharge) => ({ id, name: `${t("receipt")} ${id}` });

/** Actions for the selected payments. */
export default function Bulk(props: BulkProps<MoneyCharge>) {
  return <PapersBulk {...props} path="/charges" nameRow={nameRow} />;
}
