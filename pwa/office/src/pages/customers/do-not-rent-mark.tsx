import { useState } from "preact/hooks";
import type { CustomerChangeRequest } from "#worker/api/office/customer-messages.ts";
import { hasUserRight } from "../../account.ts";
import { type OfficeResponse, sendOfficeRequest, toOfficePath } from "../../api.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import { RowAction } from "../../desk/row-action.tsx";
import { t } from "../../texts.ts";
import { type CustomerDetail, getCustomerName } from "./customer.ts";

interface MarkProps {
  readonly of: CustomerDetail["customer"];
  readonly onDone: (answer: OfficeResponse<CustomerDetail>, notice: string) => void;
  /** Called after the mark was removed. */
  readonly onRemoved: (notice: string) => void;
}

/** Do-not-rent mark of a customer with its reason. Managers set and remove the mark. */
export function DoNotRentMark({ of, onDone, onRemoved }: MarkProps) {
  const [isOpen, setOpen] = useState(false);
  const { id, version, do_not_rent: mark } = of;
  const path = toOfficePath(`/customers/${id}`);
  if (of.merged_into_id !== null || (!mark && !hasUserRight("manage"))) return null;
  return (
    <section class="panel" aria-labelledby="mark">
      <h2 id="mark">{t("doNotRent")}</h2>
      {mark ? <p class="notice refused">{t("markedCustomer", { reason: mark.reason })}</p> : <p>{t("notMarked")}</p>}
      {hasUserRight("manage") && (
        <p class="buttons">
          {mark ? (
            <RowAction<CustomerChangeRequest>
              key={version}
              label={t("removeMark")}
              method="PATCH"
              path={path}
              body={{ expected_version: version, do_not_rent: null }}
              onDone={() => onRemoved(t("markRemoved"))}
            />
          ) : (
            <button type="button" class="small" onClick={() => setOpen(true)}>
              {t("markCustomer")}
            </button>
          )}
        </p>
      )}
      {isOpen && (
        <FormSheet<CustomerDetail, NonNullable<CustomerChangeRequest["do_not_rent"]>>
          title={`${t("markCustomer")} · ${getCustomerName(of)}`}
          introduction={t("aboutMark")}
          draft={["customer-mark", String(id)]}
          fields={[{ name: "reason", kind: "long", label: "in.reason", required: true }]}
          submit={t("markCustomer")}
          isDanger
          send={({ reason }, key) =>
            sendOfficeRequest<CustomerDetail, CustomerChangeRequest>("PATCH", path, {
              body: { expected_version: version, do_not_rent: { reason } },
              key,
            })
          }
          onDone={(answer) => {
            setOpen(false);
            onDone(answer, t("customerMarked"));
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  );
}
