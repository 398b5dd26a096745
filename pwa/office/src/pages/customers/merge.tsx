import type { Immutable } from "#shared/immutable.ts";
import type { CustomerMergeRequest } from "#worker/api/office/customer-messages.ts";
import "../../merge.css";
import { useState } from "preact/hooks";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import { toRefusalTexts } from "../../desk/refusals.ts";
import { Sheet } from "../../desk/sheet.tsx";
import { useSubmitOnce } from "../../desk/submit-once.ts";
import { useCustomers } from "../../desk/use-customers.ts";
import { t } from "../../texts.ts";
import { type Customer, formatPhone, getCustomerName } from "./customer.ts";
import { MergePreview } from "./merge-preview.tsx";
import { type ChosenMergeSides, listFieldsToCopy, listMergeRows, type MergeSide, pickMergeSide } from "./merge-rows.ts";

const MAX_VISIBLE_MATCHES = 8;

interface MergeSheetProps {
  readonly of: Customer;
  /** The other customer, if it's already chosen. */
  readonly with?: Customer;
  /** Called with the id of the remaining customer. */
  readonly onDone: (targetId: number, words: string) => void;
  readonly onClose: () => void;
}

/** Merges two customers: search for the other one, and preview the result. */
export function MergeSheet({ of, with: chosen, onDone, onClose }: MergeSheetProps) {
  const [other, setOther] = useState(chosen);
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
  const { matchingCustomers: all, problem, again } = useCustomers(text, MAX_VISIBLE_MATCHES);
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

const SIDES = ["this", "other"] as const;

function Both({ of, other, onOther, onDone, onClose }: BothProps) {
  const [stays, setStays] = useState<MergeSide>("other");
  const [chosen, setChosen] = useState<ChosenMergeSides>({});
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState("");
  const both = { this: of, other };
  const removedSide = stays === "this" ? "other" : "this";
  const [target, source] = [both[stays], both[removedSide]];
  const rows = listMergeRows(of, other);
  const { isBusy, send } = useSubmitOnce<object>({
    draft: ["merge", String(of.id)],
    title: t("mergeCustomer"),
    take: (answer) => {
      if (!answer) return setProblem(t("notSent"));
      const { fields: fieldProblems, notice } = toRefusalTexts(answer);
      if (answer.status < 300) onDone(target.id, t("merged", { who: getCustomerName(source) }));
      else setProblem([notice, ...Object.values(fieldProblems)].join(" "));
    },
  });
  const merge = () => {
    const take = listFieldsToCopy(rows, chosen, stays);
    const body: Immutable<CustomerMergeRequest> = {
      into: target.id,
      take: take.length > 0 ? take : undefined,
      reason: reason.trim() || undefined,
    };
    return send(body, (key) =>
      sendOfficeRequest<object, CustomerMergeRequest>("POST", toOfficePath(`/customers/${source.id}/merge`), {
        body,
        key,
      }),
    );
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
        {SIDES.map((side) => (
          <label key={side}>
            <input type="radio" name="stays" checked={stays === side} onChange={() => setStays(side)} />
            {getCustomerName(both[side])} · {t("numbered", { n: both[side].id })}
          </label>
        ))}
      </fieldset>
      <fieldset class="wide merge-rows" disabled={isBusy}>
        <legend>{t("mergeRows")}</legend>
        <div class="merge-heads" aria-hidden="true">
          <span />
          {SIDES.map((side) => (
            <span key={side}>{t("numbered", { n: both[side].id })}</span>
          ))}
        </div>
        {rows.map((row) => (
          <fieldset key={row.name} aria-label={row.label}>
            <span class="soft" aria-hidden="true">
              {row.label}
            </span>
            {SIDES.map((side) => {
              const isSelected = pickMergeSide(row, chosen, stays) === side;
              if (row.isSame)
                return (
                  side === "this" && (
                    <span key={side} class="both">
                      {row.texts.this}
                    </span>
                  )
                );
              return (
                <label key={side} class={isSelected ? "selected" : ""}>
                  <input
                    type="radio"
                    name={`keep-${row.name}`}
                    checked={isSelected}
                    disabled={row.texts[side] === ""}
                    onChange={() => setChosen({ ...chosen, [row.name]: side })}
                  />
                  {row.texts[side] || t("nothing")}
                </label>
              );
            })}
          </fieldset>
        ))}
      </fieldset>
      <MergePreview source={source} target={target} />
      <label class="wide">
        {t("in.reason")}
        <input value={reason} autocomplete="off" onInput={(event) => setReason(event.currentTarget.value)} />
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
