import { useRef, useState } from "preact/hooks";
import { toAmount } from "#domain/amount-text.ts";
import type { ResourceAnswer } from "#domain/catalogue/resources/answer-types.ts";
import type { ExpenseDetailMessage } from "#worker/api/office/expense-messages.ts";
import { account, formatMoney, getCompanyDateTime } from "../../account.ts";
import { type OfficeResponse, sendOfficeRequest, toOfficePath } from "../../api.ts";
import type { FormField, FormValues } from "../../desk/fields.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import { getTaxNumberWarning } from "../../desk/tax-number-warning.ts";
import { t } from "../../texts.ts";
import { calculateExpenseAmounts, type Expense, type ExpenseForm, toExpenseChange, toExpenseForm } from "./expense.ts";
import { type ExpenseConcepts, useExpenseVehicles } from "./expense-choices.ts";
import { findVehicleReference, type VehicleOption } from "./find-vehicle-reference.ts";

interface ExpenseSheetProps {
  readonly concepts: ExpenseConcepts;
  /** The expense to change. Not set for a new one. */
  readonly of?: Expense;
  /** Preselected vehicle of a new expense. */
  readonly vehicle?: string;
  /** Maintenance whose cost a new expense is. */
  readonly service?: Pick<ResourceAnswer<"vehicle-services">, "id" | "date" | "work" | "cost">;
  readonly onDone: (expense: Expense) => void;
  readonly onClose: () => void;
}

// Consecutive expenses often have the same rate.
let lastRate = "";

/** Expense form that shows the calculated amounts before submitting. */
export function ExpenseSheet({ concepts, of, vehicle, service, onDone, onClose }: ExpenseSheetProps) {
  const vehicles = useExpenseVehicles();
  const [isKnown, setKnown] = useState(false);
  const now = useRef(of);
  const send = async (values: ExpenseForm, key: string): Promise<OfficeResponse<ExpenseDetailMessage>> => {
    const expenseFields = toApiExpense(now.current ? toExpenseChange(values, now.current) : values, vehicles);
    const body = service ? { ...expenseFields, vehicle_service_id: service.id } : expenseFields;
    const answer = of
      ? await sendOfficeRequest<ExpenseDetailMessage, ExpenseForm>("PATCH", toOfficePath(`/expenses/${of.id}`), {
          body,
          key,
        })
      : await sendOfficeRequest<ExpenseDetailMessage, ExpenseForm>("POST", toOfficePath("/expenses"), { body, key });
    if (answer.body.code === "expense_known") setKnown(true);
    if (answer.status < 300 && typeof body["tax_percent"] === "string") lastRate = body["tax_percent"];
    return answer;
  };
  return (
    <FormSheet<ExpenseDetailMessage, ExpenseForm>
      title={of ? `${t("changeExpense")} · ${of.stock_plate ?? of.booking_item_reference}` : t("newExpense")}
      introduction={t("aboutExpense")}
      draft={["expense", String(of?.id ?? `new ${service ? `service ${service.id}` : (vehicle ?? "")}`)]}
      fields={(values) => [
        ...listExpenseFields(concepts, vehicles, of !== undefined, values),
        ...(isKnown ? [CONFIRMED] : []),
      ]}
      originalValues={of && toExpenseForm(of)}
      isChange={of !== undefined}
      begin={
        of
          ? {}
          : {
              date: service?.date ?? getCompanyDateTime().date,
              booking_item_reference: vehicle ?? "",
              tax_percent: lastRate,
              ...(service && { description: service.work, total_without_taxes: service.cost }),
            }
      }
      submit={t(of ? "save" : "newExpense")}
      send={send}
      thingOf={({ expense: currentExpense }) => {
        if (currentExpense) now.current = currentExpense;
        return currentExpense && toExpenseForm(currentExpense);
      }}
      outcome={(values) => <Outcome formValues={values} />}
      onDone={({ body }) => body.expense && onDone(body.expense)}
      onClose={onClose}
    />
  );
}

const CONFIRMED: FormField<"duplicate_confirmed"> = {
  name: "duplicate_confirmed",
  kind: "flag",
  label: "expense.confirmed",
  isWide: true,
};

// Converts typed values for the API: the minus sign of lists becomes a hyphen, and a plate the vehicle's reference.
function toApiExpense(body: ExpenseForm, vehicles: readonly VehicleOption[]): ExpenseForm {
  const { booking_item_reference: typedVehicle, concept_id: concept, ...rest } = body;
  const values = Object.entries(rest).map(([name, value]) => [
    name,
    typeof value === "string" && name.startsWith("total") ? value.replace(/^−/, "-") : value,
  ]);
  return {
    ...Object.fromEntries(values),
    ...(typedVehicle !== undefined && { booking_item_reference: findVehicleReference(typedVehicle, vehicles) }),
    ...(concept !== undefined && { concept_id: Number(concept) }),
  };
}

function listExpenseFields(
  { concepts, accounts }: ExpenseConcepts,
  vehicles: readonly VehicleOption[],
  isChange: boolean,
  values: FormValues,
): readonly FormField<keyof ExpenseForm>[] {
  const accountName = (id: number) => accounts.find((account) => account.id === id)?.name ?? "";
  const branches = account.value.rental_locations.map(({ code, name }) => [code, name] as const);
  return [
    {
      name: "booking_item_reference",
      kind: "text",
      required: true,
      label: "expense.vehicle",
      hint: "expense.vehicleHint",
      choices: vehicles.map(({ reference, stock_plate: plate, name }) => [
        reference,
        [plate, name].filter(Boolean).join(" · "),
      ]),
    },
    {
      name: "concept_id",
      kind: "choice",
      required: true,
      label: "expense.concept",
      choices: concepts
        .map(
          ({ id, name, expense_account_id: accountId }) => [String(id), `${accountName(accountId)} · ${name}`] as const,
        )
        .toSorted(([, text], [, other]) => text.localeCompare(other)),
    },
    { name: "date", kind: "date", required: true, label: "expense.date" },
    { name: "reference", kind: "text", label: "expense.paper" },
    { name: "supplier", kind: "text", label: "expense.supplier" },
    {
      ...{ name: "supplier_document_id", kind: "text", label: "expense.supplierTaxNumber" },
      ...getTaxNumberWarning(values["supplier_document_id"], { isCompany: true }),
    },
    { name: "description", kind: "text", isWide: true },
    { name: "total_without_taxes", kind: "money", label: "expense.net" },
    { name: "discount", kind: "money", label: "expense.discount" },
    { name: "tax_percent", kind: "percent", label: "expense.rate" },
    { name: "total_taxes", kind: "money", label: "expense.taxes", hint: "expense.taxesHint" },
    { name: "total", kind: "money", label: "total", hint: "expense.totalHint" },
    ...(branches.length > 1
      ? [
          {
            name: "rental_location_code",
            kind: "choice",
            label: "branch",
            required: isChange,
            ...(!isChange && { hint: "expense.branchHint" as const }),
            choices: branches,
          } as const,
        ]
      : []),
  ];
}

function Outcome({ formValues }: { readonly formValues: FormValues }) {
  const amounts = calculateExpenseAmounts(formValues);
  const { currency_decimals: decimals } = account.value;
  const text = (cents: number | undefined) =>
    cents === undefined ? t("nothing") : formatMoney(toAmount(cents, decimals));
  return (
    <div class="quote" role="status">
      <dl class="outcome">
        <dt>{t("expense.subtotal")}</dt>
        <dd class="number">{text(amounts?.subtotalCents)}</dd>
        <dt>{t("expense.taxes")}</dt>
        <dd class="number">{text(amounts?.taxesCents)}</dd>
        <dt>{t("total")}</dt>
        <dd class="number">
          <strong>{text(amounts?.totalCents)}</strong>
        </dd>
      </dl>
    </div>
  );
}
