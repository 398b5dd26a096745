import { useState } from "preact/hooks";
import { ask, office } from "../../api.ts";
import { formatFieldValue, getFieldLabel } from "../../desk/fields.ts";
import { refusedBy } from "../../desk/refusals.ts";
import { useSubmitOnce } from "../../desk/sending.ts";
import { Sheet } from "../../desk/sheet.tsx";
import { LoadErrorMessage } from "../../desk/trouble.tsx";
import { useCustomers } from "../../desk/use-customers.ts";
import { t } from "../../texts.ts";
import { type Customer, customerFields, formatPhone, getCustomerName, getMergedValue } from "./customer.ts";

const MAX_VISIBLE_MATCHES = 8;

interface MergeSheetProps {
  readonly of: Customer;
  /** Called with the id of the remaining customer. */
  readonly onDone: (targetId: number, words: string) => void;
  readonly onClose: () => void;
}

/** Merges two customers: search for the other one, and preview the result. */
export function MergeSheet({ of, onDone, onClose }: MergeSheetProps) {
  const [other, setOther] = useState<Customer>();
  return (
    <Sheet title={`${t("mergeCustomer")} · ${getCustomerName(of)}`} onClose={onClose}>
      <p class="lead">{t("aboutMerge")}</p>
      {other ? (
        <Both of={of} other={other} onOther={() => setOther(undefined)} onDone={onDone} onClose={onClose} />
      ) : (
        <Finder of={of} onChoose={setOther} />
      )}
    </Sheet>
  );
}

function Finder({ of, onChoose }: { readonly of: Customer; readonly onChoose: (other: Customer) => void }) {
  // Duplicates usually have the same name.
  const [text, setText] = useState(getCustomerName(of));
  const { found: all, problem, again } = useCustomers(text, MAX_VISIBLE_MATCHES);
  const matches = all?.filter(({ id }) => id !== of.id);
  return (
    <>
      <label>
        {t("otherOne")}
        <input
          type="search"
          value={text}
          placeholder={t("findCustomerHint")}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <LoadErrorMessage problem={problem} onRetry={again} />
      <p class="soft" role="status">
        {matches?.length === 0 && t("noOther")}
      </p>
      <ul class="plain choices">
        {matches?.map((customer) => (
          <li key={customer.id}>
            <button type="button" onClick={() => onChoose(customer)}>
              <span class="strong">{getCustomerName(customer)}</span>
              <span class="soft">
                {[customer.document_id, customer.email, formatPhone(customer)].filter(Boolean).join(" · ")}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}

interface BothProps extends MergeSheetProps {
  readonly other: Customer;
  readonly onOther: () => void;
}

function Both({ of, other, onOther, onDone, onClose }: BothProps) {
  const [stays, setStays] = useState<"this" | "other">("other");
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState("");
  const [targetId, customer] = stays === "this" ? [of, other] : [other, of];
  const fields = customerFields().filter(({ name }) => of[name] != null || other[name] != null);
  const { isBusy, send } = useSubmitOnce({
    draft: ["merge", String(of.id)],
    title: t("mergeCustomer"),
    take: (answer) => {
      if (!answer) return setProblem(t("notSent"));
      const { fields: wrong, notice } = refusedBy(answer);
      if (answer.status < 300) onDone(targetId.id, t("merged", { who: getCustomerName(customer) }));
      else setProblem([notice, ...Object.values(wrong)].join(" "));
    },
  });
  const merge = () => {
    const body = { into: targetId.id, ...(reason.trim() && { reason: reason.trim() }) };
    return send(body, (key) => ask("POST", office(`/customers/${customer.id}/merge`), { body, key }));
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void merge();
      }}
    >
      <fieldset class="wide checks" disabled={isBusy}>
        <legend>{t("whoStays")}</legend>
        {(["this", "other"] as const).map((item) => (
          <label key={item}>
            <input type="radio" name="stays" checked={stays === item} onChange={() => setStays(item)} />
            {getCustomerName(item === "this" ? of : other)} · {t("numbered", { n: (item === "this" ? of : other).id })}
          </label>
        ))}
      </fieldset>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table wider than the sheet is scrolled by keys. */}
      <section class="wide table" aria-label={t("whatStays")} tabIndex={0}>
        <table class="beside-table">
          <thead>
            <tr>
              <td />
              <th scope="col">{t("goes")}</th>
              <th scope="col">{t("stays")}</th>
              <th scope="col">{t("whatStays")}</th>
            </tr>
          </thead>
          <tbody>
            {fields.map((field) => {
              const after = formatFieldValue(field, getMergedValue(field.name, targetId, customer));
              const isFilled = after !== formatFieldValue(field, targetId[field.name]);
              return (
                <tr key={field.name}>
                  <th scope="row">{getFieldLabel(field)}</th>
                  <td>{formatFieldValue(field, customer[field.name])}</td>
                  <td>{formatFieldValue(field, targetId[field.name])}</td>
                  <td class={isFilled ? "changed" : ""}>
                    <strong>{after}</strong>
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </section>
      <label class="wide">
        {t("in.reason")}
        <input
          value={reason}
          maxLength={500}
          autocomplete="off"
          onInput={(event) => setReason(event.currentTarget.value)}
        />
      </label>
      <div class="foot">
        <p role="alert">{problem}</p>
        <button type="button" onClick={onClose}>
          {t("leave")}
        </button>
        <button type="button" onClick={onOther}>
          {t("otherOne")}
        </button>
        <button type="submit" class="danger" disabled={isBusy}>
          {t("mergeCustomer")}
        </button>
      </div>
    </form>
  );
}
