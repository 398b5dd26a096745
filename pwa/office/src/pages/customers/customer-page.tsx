import { useEffect, useRef, useState } from "preact/hooks";
import { toPhoneLink } from "#shared/links.ts";
import type { CustomerChangeRequest, CustomerErasureRequest } from "#worker/api/office/customer-messages.ts";
import { hasUserRight } from "../../account.ts";
import { type OfficeResponse, sendOfficeRequest, toOfficePath } from "../../api.ts";
import { type FormField, formatFieldValue, getFieldLabel } from "../../desk/fields.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import { getCountryName } from "../../desk/names.ts";
import { toRefusalTexts } from "../../desk/refusals.ts";
import { PagePlaceholder, StaleDataNotice, useResource } from "../../desk/use-resource.tsx";
import { goToPage, linkTo } from "../../route.ts";
import { t, tOr } from "../../texts.ts";
import { ReservationHistory } from "../reservations/reservation-history.tsx";
import { CustomerMarketingConsent } from "./consent.tsx";
import { CustomerContracts } from "./contracts.tsx";
import { type Customer, type CustomerDetail, formatPhone, getCustomerName, listCustomerFields } from "./customer.ts";
import { DoNotRentMark } from "./do-not-rent-mark.tsx";
import { CustomerFiles } from "./files.tsx";
import { MergeSheet } from "./merge.tsx";
import { CustomerNotes } from "./notes.tsx";
import { canExportAndEraseCustomers, downloadCustomerData, eraseCustomer } from "./personal-data.ts";

type CustomerAction = "change" | "merge" | "erase";

const PROBLEMS = { 400: "noSuchCustomer", 404: "noSuchCustomer" } as const;

// The success text of a merge is shown on the remaining customer's page.
let carriedNotice = "";

/** Customer page with data, contracts, history and actions. */
export function CustomerPage({ id }: { readonly id: string }) {
  const [notice, setNotice] = useState("");
  const [wrong, setWrong] = useState("");
  const [open, setOpen] = useState<CustomerAction>();
  const status = useRef<HTMLParagraphElement>(null);
  const path = `/customers/${encodeURIComponent(id)}`;
  const { whole, setWhole, problem, read, retry } = useResource<CustomerDetail>(toOfficePath(path), {
    problems: PROBLEMS,
  });
  useEffect(() => {
    setNotice(carriedNotice);
    carriedNotice = "";
  }, [id]);
  if (!whole)
    return (
      <PagePlaceholder
        title={t("customer")}
        problem={problem}
        onRetry={retry}
        list={linkTo("customers")}
        listName={t("customers")}
      />
    );
  const { customer: currentCustomer, history } = whole;
  const showSuccess = ({ body: { customer, history: entries } }: OfficeResponse<CustomerDetail>, words: string) => {
    setOpen(undefined);
    setWrong("");
    setNotice(words);
    if (customer && entries) setWhole({ customer, history: entries });
    else void read();
    status.current?.focus();
  };
  const downloadData = () =>
    downloadCustomerData(currentCustomer.id).then(
      (refusal) => {
        const { notice: words } = refusal ? toRefusalTexts(refusal) : { notice: "" };
        setWrong(words);
        setNotice(refusal ? "" : t("exported"));
      },
      () => setWrong(t("failed")),
    );
  return (
    <main class="reservation">
      <p class="crumbs">
        <a href={linkTo("customers")}>{t("customers")}</a>
      </p>
      <div class="title">
        <h1>{getCustomerName(currentCustomer)}</h1>
        <span class="soft">
          {t("numbered", { n: currentCustomer.id })} ·{" "}
          {tOr(`customerType.${currentCustomer.customer_type}`, currentCustomer.customer_type)}
        </span>
      </div>
      <p class="done" role="status" ref={status} tabIndex={-1}>
        {notice}
      </p>
      <StaleDataNotice problem={problem} onRetry={retry} />
      {wrong && <p role="alert">{wrong}</p>}
      {currentCustomer.merged_into_id !== null ? (
        <p class="notice waiting">
          {t("mergedInto")}{" "}
          <a href={linkTo("customers", currentCustomer.merged_into_id)}>
            {t("numbered", { n: currentCustomer.merged_into_id })}
          </a>
        </p>
      ) : (
        <div class="buttons">
          {hasUserRight("sell") && (
            <button type="button" class="main" onClick={() => setOpen("change")}>
              {t("changeCustomer")}
            </button>
          )}
          {hasUserRight("manage") && (
            <button type="button" onClick={() => setOpen("merge")}>
              {t("mergeCustomer")}
            </button>
          )}
          {hasUserRight("administer") && canExportAndEraseCustomers.value && (
            <button type="button" onClick={downloadData}>
              {t("exportCustomer")}
            </button>
          )}
          {hasUserRight("manage") && canExportAndEraseCustomers.value && (
            <button type="button" class="danger" onClick={() => setOpen("erase")}>
              {t("eraseCustomer")}
            </button>
          )}
        </div>
      )}
      <div class="columns">
        <div class="column">
          <CustomerContracts of={currentCustomer} count={currentCustomer.contracts} />
          <CustomerNotes of={currentCustomer} onDone={setNotice} />
          <CustomerFiles of={currentCustomer} onDone={setNotice} />
          <ReservationHistory entries={history} />
        </div>
        <div class="column narrow">
          <Known of={currentCustomer} />
          <DoNotRentMark
            of={currentCustomer}
            onDone={showSuccess}
            onRemoved={(words) => {
              setNotice(words);
              void read();
            }}
          />
          {currentCustomer.marketing && (
            <CustomerMarketingConsent of={currentCustomer} marketing={currentCustomer.marketing} onDone={showSuccess} />
          )}
        </div>
      </div>
      {open === "change" && (
        <FormSheet<CustomerDetail, CustomerChangeRequest>
          title={`${t("changeCustomer")} · ${getCustomerName(currentCustomer)}`}
          introduction={t("aboutCustomerChange")}
          draft={["customer", id]}
          fields={listCustomerFields}
          originalValues={currentCustomer}
          isChange
          submit={t("save")}
          send={(body, key) =>
            sendOfficeRequest<CustomerDetail, CustomerChangeRequest>("PATCH", toOfficePath(path), { body, key })
          }
          thingOf={(body) => body.customer}
          onDone={(answer) => showSuccess(answer, t("saved"))}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === "merge" && (
        <MergeSheet
          of={currentCustomer}
          onClose={() => setOpen(undefined)}
          onDone={(targetId, words) => {
            setOpen(undefined);
            carriedNotice = words;
            if (targetId === currentCustomer.id) void read().then(() => setNotice(words));
            else goToPage("customers", targetId);
          }}
        />
      )}
      {open === "erase" && (
        <FormSheet<CustomerDetail, CustomerErasureRequest>
          title={`${t("eraseCustomer")} · ${getCustomerName(currentCustomer)}`}
          introduction={t("aboutErase")}
          draft={["customer-erase", id]}
          fields={[{ name: "reason", kind: "text", required: true, isWide: true }]}
          submit={t("eraseCustomer")}
          isDanger
          send={(body, key) => eraseCustomer(currentCustomer.id, body, key)}
          onDone={(answer) => showSuccess(answer, t("erased"))}
          onClose={() => setOpen(undefined)}
        />
      )}
    </main>
  );
}

const ZERO_BY_DEFAULT: ReadonlySet<string> = new Set(["discount_percent", "payment_terms_days"]);
const COUNTRIES: ReadonlySet<string> = new Set(["origin_country", "address_country"]);

function Known({ of }: { readonly of: CustomerDetail["customer"] }) {
  const phone = formatPhone(of);
  const isFilled = ({ name }: FormField<keyof Customer>) =>
    of[name] != null &&
    of[name] !== "" &&
    !(phone && name === "phone_number_prefix") &&
    !(ZERO_BY_DEFAULT.has(name) && Number(of[name]) === 0);
  const formatFieldText = (askedField: FormField<keyof Customer>) => {
    if (askedField.name === "phone_number") return <a href={toPhoneLink(phone)}>{phone}</a>;
    return COUNTRIES.has(askedField.name)
      ? getCountryName(String(of[askedField.name]))
      : formatFieldValue(askedField, of[askedField.name]);
  };
  return (
    <section class="panel" aria-labelledby="known">
      <h2 id="known">{t("aboutCustomer")}</h2>
      <dl class="facts">
        {listCustomerFields()
          .filter(isFilled)
          .map((customerField) => (
            <div key={customerField.name}>
              <dt>{getFieldLabel(customerField)}</dt>
              <dd>{formatFieldText(customerField)}</dd>
            </div>
          ))}
      </dl>
    </section>
  );
}
