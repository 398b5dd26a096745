import { useState } from "preact/hooks";
import type { ReservationChangeRequest } from "#worker/api/office/request-messages.ts";
import { hasUserRight } from "../../account.ts";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import { FormInput } from "../../desk/form-field.tsx";
import { toRefusalTexts } from "../../desk/refusals.ts";
import type { Reservation } from "../../desk/reservation.ts";
import { Sheet } from "../../desk/sheet.tsx";
import { useSubmitOnce } from "../../desk/submit-once.ts";
import { linkTo, linkToWithQuery } from "../../route.ts";
import { t } from "../../texts.ts";
import { getCustomerName } from "../customers/customer.ts";
import { CustomerFinder } from "./customer-choice.tsx";

interface BillingProps {
  readonly of: Reservation;
  readonly onDone: (notice: string) => void;
}

/** Who pays and is invoiced, and whether monthly, with a form to change it. */
export default function ReservationBilling({ of, onDone }: BillingProps) {
  const [isOpen, setOpen] = useState(false);
  const { billing_customer_id: payer, billing_customer_name: name } = of;
  const canChange = hasUserRight("sell") && of.status !== "cancelled";
  if (payer === null && of.billing_period === null && !canChange) return null;
  return (
    <section class="panel" aria-labelledby="billing">
      <h2 id="billing">{t("billing")}</h2>
      <p>{payer === null ? t("customerPays") : <a href={linkTo("customers", payer)}>{name}</a>}</p>
      {of.billing_period === "month" && <p class="soft">{t("billedMonthly")}</p>}
      <p class="buttons">
        {canChange && (
          <button type="button" class="small" onClick={() => setOpen(true)}>
            {t("changeBilling")}
          </button>
        )}
        {payer !== null && hasUserRight("sell") && (
          <a class="button small" href={linkToWithQuery({ customer_id: payer }, "money", "collectiveInvoice")}>
            {t("collectiveInvoice")}
          </a>
        )}
      </p>
      {isOpen && (
        <BillingSheet
          of={of}
          onDone={() => {
            setOpen(false);
            onDone(t("billingChanged"));
          }}
          onClose={() => setOpen(false)}
        />
      )}
    </section>
  );
}

function BillingSheet({ of, onDone, onClose }: { readonly of: Reservation } & Closing) {
  const [payer, setPayer] = useState({ id: of.billing_customer_id, name: of.billing_customer_name ?? "" });
  const [isMonthly, setMonthly] = useState(of.billing_period === "month");
  const [problem, setProblem] = useState("");
  const title = `${t("changeBilling")} · ${t("reservationNo", { id: of.id })}`;
  const { isBusy, send } = useSubmitOnce({
    draft: ["billing", String(of.id)],
    title,
    take: (answer) => {
      if (answer && answer.status < 300) return onDone();
      const { fields, notice } = answer ? toRefusalTexts(answer) : { fields: {}, notice: t("notSent") };
      setProblem([notice, ...Object.values(fields)].join(" "));
    },
  });
  const body: ReservationChangeRequest = {
    expected_version: of.version,
    billing_customer_id: payer.id,
    billing_period: of.kind === "rental" ? (isMonthly ? "month" : null) : undefined,
  };
  return (
    <Sheet title={title} onClose={onClose}>
      <p class="lead">{t("aboutBilling")}</p>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void send(body, (key) =>
            sendOfficeRequest<object, ReservationChangeRequest>("PATCH", toOfficePath(`/reservations/${of.id}`), {
              body,
              key,
            }),
          );
        }}
      >
        <div class="wide">
          {payer.id === null ? (
            <CustomerFinder
              label="payer"
              onChoose={(customer) => setPayer({ id: customer.id, name: getCustomerName(customer) })}
            />
          ) : (
            <div class="chosen">
              <p>
                {t("payer")}: <span class="strong">{payer.name}</span>
              </p>
              <button type="button" onClick={() => setPayer({ id: null, name: "" })}>
                {t("removePayer")}
              </button>
            </div>
          )}
        </div>
        {of.kind === "rental" && (
          <FormInput
            field={{ name: "billing_period", kind: "flag", label: "billedMonthly" }}
            value={isMonthly}
            problem={undefined}
            onChange={(value) => setMonthly(value === true)}
          />
        )}
        <div class="foot">
          <p role="alert">{problem}</p>
          <button type="button" onClick={onClose}>
            {t("leave")}
          </button>
          <button type="submit" class="main" disabled={isBusy}>
            {t("save")}
          </button>
        </div>
      </form>
    </Sheet>
  );
}

interface Closing {
  readonly onDone: () => void;
  readonly onClose: () => void;
}
