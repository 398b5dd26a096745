import { useState } from "preact/hooks";
import type { ResourceAnswer } from "#domain/catalogue/resources/answer-types.ts";
import { formatDay, formatKilometres, formatMoney, getCompanyDateTime, hasUserRight } from "../../account.ts";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import { sumAmounts } from "../../desk/sum-amounts.ts";
import { useResource } from "../../desk/use-resource.tsx";
import { linkTo } from "../../route.ts";
import { t } from "../../texts.ts";
import { useExpenseConcepts } from "../expenses/expense-choices.ts";
import { ExpenseSheet } from "../expenses/expense-sheet.tsx";
import type { ResourceList, ResourceOptions, ResourceValues } from "../resources.ts";

type Service = ResourceAnswer<"vehicle-services">;
type Services = ResourceList<Service>;

interface VehicleServicesProps {
  readonly reference: string;
  readonly units: number;
  /** Called after a service was entered, because it changes when the vehicle's next service is due. */
  readonly onChange: () => unknown;
}

/** Maintenance history of a vehicle with its costs, and a form for the next entry. */
export function VehicleMaintenanceHistory({ reference, units, onChange }: VehicleServicesProps) {
  const [isOpen, setOpen] = useState(false);
  const [notice, setNotice] = useState("");
  const [spent, setSpent] = useState<Service>();
  const concepts = useExpenseConcepts();
  const query = new URLSearchParams({ vehicle_reference: reference, options: "true", page_size: "200" });
  const { whole, problem, read, retry } = useResource<Services>(toOfficePath(`/vehicle-services?${query}`));
  const services = (whole?.data ?? []).toSorted((service, other) => other.date.localeCompare(service.date));
  const plans = ((whole?.options as ResourceOptions | undefined)?.["service_plan_id"] ?? []).map(
    ({ id, name }) => [String(id), name] as const,
  );
  return (
    <section class="panel" aria-labelledby="services">
      <h2 id="services">{t("list.vehicle-services")}</h2>
      <LoadErrorMessage problem={problem} onRetry={retry} />
      {whole && services.length === 0 && <p class="soft">{t("noServices")}</p>}
      {services.length > 0 && (
        <dl class="facts">
          <div>
            <dt>{t("servicesCost")}</dt>
            <dd>
              <strong>{formatMoney(sumAmounts(services.map(({ cost }) => cost)))}</strong>
            </dd>
          </div>
          {services.map((service) => (
            <div key={service.id}>
              <dt>{formatDay(service.date)}</dt>
              <dd>
                <a href={linkTo("list", "vehicle-services", service.id)}>{service.work}</a> ·{" "}
                {formatKilometres(service.usage_units)} · {formatMoney(service.cost)}
                {service.expense_id !== null && (
                  <>
                    {" · "}
                    <a href={linkTo("expenses", service.expense_id)}>{t("serviceExpense")}</a>
                  </>
                )}
                {service.note && <p class="soft">{service.note}</p>}
                {hasUserRight("manage") && !service.in_expenses && Number(service.cost) > 0 && (
                  <p>
                    <button
                      type="button"
                      class="small"
                      data-expense-of={service.id}
                      aria-label={`${t("recordServiceExpense")}: ${service.work}`}
                      onClick={() => setSpent(service)}
                    >
                      {t("recordServiceExpense")}
                    </button>
                  </p>
                )}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <p class="done" role="status">
        {notice}
      </p>
      {hasUserRight("manage") && (
        <div class="buttons">
          <button type="button" onClick={() => setOpen(true)}>
            {t("recordService")}
          </button>
        </div>
      )}
      {isOpen && (
        <FormSheet<object, ResourceValues>
          title={`${t("recordService")} · ${reference}`}
          draft={["vehicle-services", reference]}
          fields={[
            { name: "date", kind: "date", label: "field.date", required: true },
            { name: "usage_units", kind: "whole", label: "field.usage_units", required: true },
            { name: "work", kind: "text", label: "field.work", required: true, isWide: true },
            { name: "service_plan_id", kind: "choice", label: "field.service_plan_id", choices: plans },
            { name: "cost", kind: "money", label: "field.cost" },
            { name: "in_expenses", kind: "flag", label: "field.in_expenses" },
            { name: "note", kind: "long", label: "field.note", isWide: true },
          ]}
          begin={{ date: getCompanyDateTime().date, usage_units: units }}
          submit={t("recordService")}
          send={({ service_plan_id: plan, ...body }, key) => {
            const own = {
              ...body,
              vehicle_reference: reference,
              ...(plan !== undefined && { service_plan_id: Number(plan) }),
            };
            return sendOfficeRequest<object, ResourceValues>("POST", toOfficePath("/vehicle-services"), {
              body: own,
              key,
            });
          }}
          onDone={() => {
            setOpen(false);
            setNotice(t("serviceRecorded"));
            void read();
            onChange();
          }}
          onClose={() => setOpen(false)}
        />
      )}
      {spent && (
        <ExpenseSheet
          concepts={concepts}
          vehicle={reference}
          service={spent}
          onDone={() => {
            setSpent(undefined);
            setNotice(t("serviceExpenseRecorded"));
            void read();
          }}
          onClose={() => setSpent(undefined)}
        />
      )}
    </section>
  );
}
