import type { ComponentChildren } from "preact";
import { money } from "../../account.ts";
import { LoadErrorMessage } from "../../desk/trouble.tsx";
import { linkTo } from "../../route.ts";
import { type TextKey, t } from "../../texts.ts";
import { dropDraft } from "../drafts.ts";
import type { useQuoted } from "./sale-quotes.ts";
import type { useSelling } from "./selling.ts";

interface Priced {
  readonly available: boolean;
  readonly quote: { readonly total_cost: string } | null;
}

interface SellingPageProps {
  readonly title: TextKey;
  /** List name of the draft to discard. */
  readonly list: string;
  readonly selling: ReturnType<typeof useSelling>;
  readonly quoted: ReturnType<typeof useQuoted<Priced>>;
  readonly onRetry: () => void;
  readonly isConfirmed: boolean;
  /** Price with all parts. */
  readonly summary: ComponentChildren;
  readonly onDiscard: () => void;
  /** Form fields in groups. */
  readonly children: ComponentChildren;
}

/** Layout of a sales form with price and submit button next to it. */
export function SellingPage({ title, list, selling, quoted, summary, children, ...props }: SellingPageProps) {
  const { form, wrong, isBusy, settle, onSubmit, isDuplicate, isNewConfirmed, setNewConfirmed } = selling;
  const { quote, isReading, problem } = quoted;
  return (
    <main class="sale">
      <p class="crumbs">
        <a href={linkTo("reservations")}>{t("reservations")}</a>
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
          {isDuplicate && (
            <label class="check">
              <input
                type="checkbox"
                checked={isNewConfirmed}
                onChange={(event) => setNewConfirmed(event.currentTarget.checked)}
              />
              {t("field.confirm_new")}
            </label>
          )}
          <button type="submit" class="main" disabled={isBusy || quote?.available === false}>
            {t(props.isConfirmed ? "confirmSale" : "holdSale")}
            {quote?.quote ? ` · ${money(quote.quote.total_cost)}` : ""}
          </button>
          <button
            type="button"
            onClick={() => {
              dropDraft(list, undefined);
              props.onDiscard();
              settle();
            }}
          >
            {t("discard")}
          </button>
          <p class="soft">{t("saleKeys")}</p>
        </aside>
      </form>
    </main>
  );
}
