import { useState } from "preact/hooks";
import { ask, office } from "../../api.ts";
import { labelOf, wordsFor } from "../../desk/fields.ts";
import { refusedBy } from "../../desk/refusals.ts";
import { useSending } from "../../desk/sending.ts";
import { Sheet } from "../../desk/sheet.tsx";
import { Trouble } from "../../desk/trouble.tsx";
import { useCustomers } from "../../desk/use-customers.ts";
import { t } from "../../texts.ts";
import { type Customer, customerFields, nameOf, phoneOf, staying } from "./customer.ts";

const SHOWN = 8;

interface MergeSheetProps {
  readonly of: Customer;
  /** With the id of the one that stays. */
  readonly onDone: (kept: number, words: string) => void;
  readonly onClose: () => void;
}

/** Makes one customer of two: the other one is looked for, and what stays is shown before it is done. */
export function MergeSheet({ of, onDone, onClose }: MergeSheetProps) {
  const [other, setOther] = useState<Customer>();
  return (
    <Sheet title={`${t("mergeCustomer")} · ${nameOf(of)}`} onClose={onClose}>
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
  // Who is there twice is there under the same name most often.
  const [text, setText] = useState(nameOf(of));
  const { found: all, problem, again } = useCustomers<Customer>(text, SHOWN);
  const found = all?.filter(({ id }) => id !== of.id);
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
      <Trouble problem={problem} onRetry={again} />
      <p class="soft" role="status">
        {found?.length === 0 && t("noOther")}
      </p>
      <ul class="plain choices">
        {found?.map((one) => (
          <li key={one.id}>
            <button type="button" onClick={() => onChoose(one)}>
              <span class="strong">{nameOf(one)}</span>
              <span class="soft">{[one.document_id, one.email, phoneOf(one)].filter(Boolean).join(" · ")}</span>
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
  const [kept, gone] = stays === "this" ? [of, other] : [other, of];
  const fields = customerFields().filter(({ name }) => of[name] != null || other[name] != null);
  const { isBusy, send } = useSending({
    draft: ["merge", String(of.id)],
    title: t("mergeCustomer"),
    take: (answer) => {
      if (!answer) return setProblem(t("notSent"));
      const { fields: wrong, notice } = refusedBy(answer);
      if (answer.status < 300) onDone(kept.id, t("merged", { who: nameOf(gone) }));
      else setProblem([notice, ...Object.values(wrong)].join(" "));
    },
  });
  const merge = () => {
    const body = { into: kept.id, ...(reason.trim() && { reason: reason.trim() }) };
    return send(body, (key) => ask("POST", office(`/customers/${gone.id}/merge`), { body, key }));
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
        {(["this", "other"] as const).map((one) => (
          <label key={one}>
            <input type="radio" name="stays" checked={stays === one} onChange={() => setStays(one)} />
            {nameOf(one === "this" ? of : other)} · {t("numbered", { n: (one === "this" ? of : other).id })}
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
            {fields.map((one) => {
              const after = wordsFor(one, staying(one.name, kept, gone));
              const isFilled = after !== wordsFor(one, kept[one.name]);
              return (
                <tr key={one.name}>
                  <th scope="row">{labelOf(one)}</th>
                  <td>{wordsFor(one, gone[one.name])}</td>
                  <td>{wordsFor(one, kept[one.name])}</td>
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
