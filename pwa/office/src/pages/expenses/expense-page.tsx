import { useRef, useState } from "preact/hooks";
import { fieldBuilders } from "#domain/catalogue/resources/fields.ts";
import type { ExpenseDetailMessage } from "#worker/api/office/expense-messages.ts";
import {
  account,
  formatDay,
  formatMoney,
  formatSignedMoney,
  getBranchName,
  hasUserRight,
  isZeroAmount,
} from "../../account.ts";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import { ConfirmButton } from "../../desk/confirm-button.tsx";
import { LabelledValueList } from "../../desk/fact-list.tsx";
import { toRefusalTexts } from "../../desk/refusals.ts";
import { showDeferredNotice, usePageStillOpen } from "../../desk/submit-once.ts";
import { PagePlaceholder, StaleDataNotice, useResource } from "../../desk/use-resource.tsx";
import { linkTo, linkToWithQuery } from "../../route.ts";
import { t } from "../../texts.ts";
import { RecordHistory } from "../history.tsx";
import type { ResourceOptions } from "../resources.ts";
import type { Expense } from "./expense.ts";
import type { ExpenseConcepts } from "./expense-choices.ts";
import { ExpenseSheet } from "./expense-sheet.tsx";

const PROBLEMS = { 400: "noSuchExpense", 404: "noSuchExpense" } as const;

interface ExpensePageProps {
  readonly id: string;
  readonly concepts: ExpenseConcepts;
  readonly onTakenBack: (successText: string) => void;
}

/** Expense page with data, actions and history. */
export function ExpensePage({ id, concepts, onTakenBack }: ExpensePageProps) {
  const path = `/expenses/${encodeURIComponent(id)}`;
  const { whole, setWhole, problem, retry } = useResource<ExpenseDetailMessage>(toOfficePath(path), {
    problems: PROBLEMS,
  });
  const [isChanging, setChanging] = useState(false);
  const [notice, setNotice] = useState("");
  const [wrong, setWrong] = useState("");
  const isHere = usePageStillOpen();
  const status = useRef<HTMLParagraphElement>(null);
  if (!whole)
    return (
      <PagePlaceholder
        title={t("expenses")}
        problem={problem}
        onRetry={retry}
        list={linkTo("expenses")}
        listName={t("expenses")}
      />
    );
  const { expense: currentExpense } = whole;
  const plate = currentExpense.stock_plate ?? currentExpense.booking_item_reference;
  const removeExpense = () =>
    sendOfficeRequest<ExpenseDetailMessage>(
      "DELETE",
      toOfficePath(`${path}?expected_version=${currentExpense.version}`),
    ).then(
      (answer) => {
        const successText = t("did.expenseTakenBack", { total: formatMoney(currentExpense.total), plate });
        if (answer.status === 204) return isHere() ? onTakenBack(successText) : showDeferredNotice(successText);
        const { expense } = answer.body;
        if (!expense) return setWrong(toRefusalTexts(answer).notice);
        setWhole({ expense });
        setWrong(t("expense.changedFirst"));
      },
      () => setWrong(t("notSent")),
    );
  return (
    <main class="reservation">
      <p class="crumbs">
        <a href={linkTo("expenses")}>{t("expenses")}</a>
      </p>
      <h1>
        {currentExpense.concept} · {plate} · {formatMoney(currentExpense.total)}
      </h1>
      <p class="done" role="status" ref={status} tabIndex={-1}>
        {notice}
      </p>
      <StaleDataNotice problem={problem} onRetry={retry} />
      {wrong && <p role="alert">{wrong}</p>}
      <div class="buttons">
        {hasUserRight("manage") && (
          <>
            <button type="button" class="main" onClick={() => setChanging(true)}>
              {t("changeExpense")}
            </button>
            <ConfirmButton text={t("takeBackExpense")} isDanger onSure={removeExpense} />
          </>
        )}
        <a
          class="button quiet"
          href={linkToWithQuery({ booking_item_reference: currentExpense.booking_item_reference }, "expenses")}
        >
          {t("itsExpenses")}
        </a>
      </div>
      <div class="columns">
        <div class="column">
          <Facts of={currentExpense} />
          <RecordHistory
            resource={SUCCESS_TEXT_KEYS}
            path={path}
            version={currentExpense.version}
            options={toConceptOptions(concepts)}
          />
        </div>
        <div class="column narrow">
          <Sums of={currentExpense} />
        </div>
      </div>
      {isChanging && (
        <ExpenseSheet
          concepts={concepts}
          of={currentExpense}
          onDone={(expense) => {
            setChanging(false);
            setWrong("");
            setWhole({ expense });
            setNotice(t("did.expenseChanged"));
            status.current?.focus();
          }}
          onClose={() => setChanging(false)}
        />
      )}
    </main>
  );
}

// Fields with which the change history names the changed values of an expense.
const SUCCESS_TEXT_KEYS = {
  fields: [
    fieldBuilders.text("booking_item_reference", "", 50),
    fieldBuilders.reference("concept_id", "", "expense-concepts"),
    fieldBuilders.date("date", ""),
    fieldBuilders.text("description", "", 500),
    fieldBuilders.text("reference", "", 60),
    fieldBuilders.reference("rental_location_code", "", "branches"),
    ...["total_without_taxes", "discount", "subtotal", "total_taxes", "total"].map((name) =>
      fieldBuilders.money(name, ""),
    ),
  ],
};

function toConceptOptions({ concepts }: ExpenseConcepts): ResourceOptions {
  const branches = account.value.rental_locations.map(({ code, name }) => ({ id: code, name }));
  return { concept_id: concepts, rental_location_code: branches };
}

function Facts({ of }: { readonly of: Expense }) {
  const plate = of.stock_plate ?? of.booking_item_reference;
  const vehicle = (
    <>
      <a href={linkTo("fleet", of.booking_item_reference)}>{plate}</a> · {of.name}
    </>
  );
  const rows = [
    [t("expense.vehicle"), vehicle],
    [t("expense.concept"), `${of.account} · ${of.concept}`],
    [t("expense.date"), formatDay(of.date, "long")],
    [t("expense.paper"), of.reference],
    [t("field.description"), of.description],
    [t("branch"), getBranchName(of.rental_location_code)],
    ...(of.vehicle_service_id === null
      ? []
      : [[t("list.vehicle-services"), <ServiceLink key="service" id={of.vehicle_service_id} />] as const]),
  ] as const;
  return (
    <section class="panel" aria-labelledby="paper">
      <h2 id="paper">{t("document")}</h2>
      <LabelledValueList rows={rows} />
    </section>
  );
}

function ServiceLink({ id }: { readonly id: number }) {
  return <a href={linkTo("list", "vehicle-services", id)}>{id}</a>;
}

function Sums({ of }: { readonly of: Expense }) {
  const parts = [
    [t("expense.net"), formatMoney(of.total_without_taxes)],
    ...(isZeroAmount(of.discount) ? [] : [[t("expense.discount"), formatSignedMoney(`-${of.discount}`)] as const]),
    [t("expense.subtotal"), formatMoney(of.subtotal)],
    [t("expense.taxes"), formatMoney(of.total_taxes)],
  ] as const;
  return (
    <section class="panel" aria-labelledby="amounts">
      <h2 id="amounts">{t("row.amount")}</h2>
      <table class="sums">
        <tbody>
          {parts.map(([name, text]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="number">{text}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t("total")}</th>
            <td class="number">{formatMoney(of.total)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}
