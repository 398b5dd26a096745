import type { ComponentChildren } from "preact";
import { formatMoney } from "../../account.ts";
import { CheckBox } from "../../desk/inputs.tsx";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import { linkTo } from "../../route.ts";
import { type TextKey, t } from "../../texts.ts";
import { deleteFormDraft } from "../form-drafts.ts";
import type { Buyer } from "./sale-form.ts";
import type { useLoadedQuote } from "./sale-quotes.ts";
import type { useSalesForm } from "./use-sales-form.ts";

interface AvailableQuote {
  readonly available: boolean;
  readonly quote: { readonly total_cost: string } | null;
}

interface SellingPageProps {
  readonly title: TextKey;
  /** List name of the draft to discard. */
  readonly list: string;
  readonly id?: string | undefined;
  readonly selling: ReturnType<typeof useSalesForm>;
  readonly quoted: ReturnType<typeof useLoadedQuote<AvailableQuote, object>>;
  readonly onRetry: () => void;
  /** Text of the submit button. */
  readonly submit: TextKey;
  /** Whether what isn't available can be submitted anyway. */
  readonly isForced?: boolean;
  /** Price with all parts. */
  readonly summary: ComponentChildren;
  readonly onDiscard: () => void;
  readonly onChooseCustomer: (customer: Pick<Buyer, "customer_id" | "customer_name">) => void;
  /** Fields above the submit button. */
  readonly terms?: ComponentChildren;
  /** Form fields in groups. */
  readonly children: ComponentChildren;
}

/** Layout of a sales form with price and submit button next to it. */
export function SellingPage({ title, list, selling, quoted, summary, children, ...props }: SellingPageProps) {
  const { form, wrong, isBusy, settle, onSubmit, confirmations, confirm, candidates } = selling;
  const { quote, isReading, problem } = quoted;
  const parent = title === "newQuote" || title === "changeQuote" ? "quotes" : "reservations";
  return (
    <main class="sale">
      <p class="crumbs">
        <a href={linkTo(parent)}>{t(parent)}</a>
      </p>
      <h1>{t(title)}</h1>
      <form ref={form} noValidate onSubmit={onSubmit}>
        <div class="steps">{children}</div>
        <aside class="panel summary" aria-label={t("whatItCosts")}>
          <LoadErrorMessage problem={problem} onRetry={props.onRetry} />
          <div aria-live="polite" aria-busy={isReading}>
            {problem === "" && summary}
          </div>
          <p role="alert" class="problem">
            {wrong.notice}
          </p>
          {candidates.map((candidate) => (
            <button
              key={candidate.id}
              type="button"
              class="small"
              onClick={() =>
                props.onChooseCustomer({ customer_id: candidate.id, customer_name: candidate.full_name ?? "" })
              }
            >
              {t("useCustomer", { who: describeCandidate(candidate) })}
            </button>
          ))}
          {confirmations.map(([field, isConfirmed]) => (
            <CheckBox
              key={field}
              label={t(`field.${field}`)}
              checked={isConfirmed}
              onChange={(isChecked) => confirm(field, isChecked)}
            />
          ))}
          {props.terms}
          <button type="submit" class="main" disabled={isBusy || (quote?.available === false && !props.isForced)}>
            {t(props.submit)}
            {quote?.quote ? ` · ${formatMoney(quote.quote.total_cost)}` : ""}
          </button>
          <button
            type="button"
            onClick={() => {
              deleteFormDraft(list, props.id);
              props.onDiscard();
              settle(true);
            }}
          >
            {t("discard")}
          </button>
          <p class="soft key-hint">{t("saleKeys")}</p>
        </aside>
      </form>
    </main>
  );
}

const describeCandidate = (candidate: ReturnType<typeof useSalesForm>["candidates"][number]) =>
  [candidate.full_name, candidate.document_id, candidate.email].filter(Boolean).join(" · ");
