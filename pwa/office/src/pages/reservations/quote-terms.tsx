import { FieldFrame } from "../../desk/field-frame.tsx";
import { BasicInput, CheckBox } from "../../desk/inputs.tsx";
import { t } from "../../texts.ts";
import type { SaleFormValues } from "./sale-form.ts";

interface QuoteTermsProps {
  readonly sale: SaleFormValues;
  /** Whether a reservation may be made from the form, too. */
  readonly isNew: boolean;
  readonly problemOf: (name: string) => string | undefined;
  readonly onSay: (changes: Partial<SaleFormValues>) => void;
}

/** Whether the sale is only quoted, until when the quote is valid, and whether it holds the vehicle. */
export function QuoteTerms({ sale, isNew, problemOf, onSay }: QuoteTermsProps) {
  return (
    <div class="quote-terms">
      {isNew && (
        <CheckBox
          label={t("saveAsQuote")}
          name="is_quote"
          checked={sale.is_quote}
          onChange={(isChecked) => onSay({ is_quote: isChecked })}
        />
      )}
      {sale.is_quote && (
        <>
          <FieldFrame label={t("validUntil")} isRequired problem={problemOf("valid_until")}>
            {({ id, describedBy }) => (
              <BasicInput
                id={id}
                name="valid_until"
                kind="moment"
                value={sale.valid_until}
                aria-describedby={describedBy}
                aria-invalid={problemOf("valid_until") !== undefined}
                onChange={(until) => onSay({ valid_until: String(until) })}
              />
            )}
          </FieldFrame>
          <CheckBox
            label={t("quoteHolds")}
            name="is_held"
            checked={sale.is_held}
            onChange={(isChecked) => onSay({ is_held: isChecked })}
          />
          <p class="soft">{t(isNew ? "quoteHoldsHint" : "quotePriceHint")}</p>
        </>
      )}
    </div>
  );
}
