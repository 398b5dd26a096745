import type { CustomerMergePreviewMessage } from "#worker/api/office/customer-messages.ts";
import { toOfficePath } from "../../api.ts";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import { useResource } from "../../desk/use-resource.tsx";
import { t } from "../../texts.ts";
import { type Customer, getCustomerName } from "./customer.ts";

const MOVED: readonly (readonly [keyof CustomerMergePreviewMessage, () => string])[] = [
  ["reservations", () => t("reservations")],
  ["paid_reservations", () => t("mergePays")],
  ["quotes", () => t("quotes")],
  ["draft_documents", () => t("drafts")],
  ["notes", () => t("in.notes")],
  ["tasks", () => t("allTasks")],
  ["files", () => t("customerFiles")],
  ["users", () => t("mergeSignIn")],
];

interface MergePreviewProps {
  readonly source: Customer;
  readonly target: Customer;
}

/** Shows what a merge moves to the remaining customer, and what stays as it is. */
export function MergePreview({ source, target }: MergePreviewProps) {
  const { whole, problem, read } = useResource<CustomerMergePreviewMessage>(
    toOfficePath(`/customers/${source.id}/merge`),
  );
  const movedKinds = whole ? MOVED.filter(([name]) => whole[name] > 0) : [];
  return (
    <section class="wide merge-moves" aria-live="polite">
      <h3>{t("mergeMoves", { who: getCustomerName(target) })}</h3>
      <LoadErrorMessage problem={problem} onRetry={() => void read()} />
      {whole && movedKinds.length === 0 && <p class="soft">{t("mergeNone")}</p>}
      {whole && movedKinds.length > 0 && (
        <dl class="totals">
          {movedKinds.map(([name, text]) => (
            <div key={name}>
              <dt>{text()}</dt>
              <dd class="number">{whole[name]}</dd>
            </div>
          ))}
        </dl>
      )}
      {whole && whole.issued_documents > 0 && <p class="soft">{t("mergeKeeps", { n: whole.issued_documents })}</p>}
    </section>
  );
}
