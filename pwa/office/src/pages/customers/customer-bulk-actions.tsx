import { useState } from "preact/hooks";
import type { CustomerChangeRequest } from "#worker/api/office/customer-messages.ts";
import { hasUserRight } from "../../account.ts";
import { toOfficePath } from "../../api.ts";
import { BULK_ACTION_STARTED_RESPONSE, toRowOutcome, useBulkAction } from "../../desk/bulk-actions.ts";
import { BulkBar } from "../../desk/bulk-bar.tsx";
import type { BulkActionsProps } from "../../desk/bulk-part.tsx";
import { FormSheet } from "../../desk/form-sheet.tsx";
import { ListDownload } from "../../desk/list-download.tsx";
import { sendWithIdempotencyKey } from "../../desk/submit-once.ts";
import { goToPage, linkTo } from "../../route.ts";
import { t } from "../../texts.ts";
import { type Customer, getCustomerName } from "./customer.ts";
import { MergeSheet } from "./merge.tsx";

const nameRow = (customer: Customer) => ({
  id: customer.id,
  name: getCustomerName(customer),
  href: linkTo("customers", customer.id),
});

type CustomerMark = NonNullable<CustomerChangeRequest["do_not_rent"]>;

/** Sets or replaces the reason why the company doesn't rent to a customer. */
async function setMark({ id, version }: Customer, mark: CustomerMark) {
  const body = { expected_version: version, do_not_rent: mark };
  const path = toOfficePath(`/customers/${id}`);
  const answer = await sendWithIdempotencyKey<object, CustomerChangeRequest>("PATCH", path, body);
  return toRowOutcome(answer, t("customerMarked"));
}

/** Actions for the selected customers, with the result of each. */
export default function CustomerBulkActions({ rows, onDone, onClear, onAll }: BulkActionsProps<Customer>) {
  const { results, isBusy, start } = useBulkAction({ rows, nameRow, onDone });
  const [open, setOpen] = useState<"mark" | "merge">();
  const close = () => setOpen(undefined);
  const [first, second] = rows;
  return (
    <>
      <BulkBar {...{ isBusy, results, onAll, onClear }} count={rows.length}>
        {hasUserRight("manage") && (
          <button type="button" class="small" disabled={isBusy} onClick={() => setOpen("mark")}>
            {t("markCustomer")}
          </button>
        )}
        {hasUserRight("manage") && rows.length === 2 && (
          <button type="button" class="small" disabled={isBusy} onClick={() => setOpen("merge")}>
            {t("mergeCustomer")}
          </button>
        )}
        <ListDownload path="/customers" names={[]} also={{ ids: rows.map(({ id }) => id).join(",") }} />
      </BulkBar>
      {open === "mark" && (
        <FormSheet<object, CustomerMark>
          title={`${t("markCustomer")} · ${t("selectedCount", { n: rows.length })}`}
          introduction={t("aboutMark")}
          draft={["customer-mark", "selection"]}
          fields={[{ name: "reason", kind: "long", label: "in.reason", required: true }]}
          submit={t("markCustomer")}
          isDanger
          send={async (mark) => {
            void start((row) => setMark(row, mark));
            return BULK_ACTION_STARTED_RESPONSE;
          }}
          onDone={close}
          onClose={close}
        />
      )}
      {open === "merge" && first && second && (
        <MergeSheet of={first} with={second} onDone={(target) => goToPage("customers", target)} onClose={close} />
      )}
    </>
  );
}
