import { useId, useState } from "preact/hooks";
import { FieldFrame } from "../../desk/field-frame.tsx";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import { getDocumentNumberHint } from "../../desk/tax-number-warning.ts";
import { useCustomers } from "../../desk/use-customers.ts";
import { type TextKey, t } from "../../texts.ts";
import { type Customer, getCustomerName } from "../customers/customer.ts";
import type { Buyer } from "./sale-form.ts";

const MAX_VISIBLE_MATCHES = 7;

interface CustomerChoiceProps {
  readonly sale: Buyer;
  readonly problems: Readonly<Record<string, string>>;
  /** Whether a new customer must have a phone number. */
  readonly needsPhone?: boolean;
  readonly onSay: (changes: Partial<Buyer>) => void;
}

const NEW_FIELDS = ["name", "surname", "email", "phone", "document_id"] as const;

/** Choice of the customer: search by any data, or enter a new one. */
export function CustomerChoice({ sale, problems, needsPhone = false, onSay }: CustomerChoiceProps) {
  if (sale.customer_id !== null)
    return (
      <div class="chosen">
        <p class="strong">{sale.customer_name}</p>
        <button type="button" onClick={() => onSay({ customer_id: null, customer_name: "" })}>
          {t("otherCustomer")}
        </button>
      </div>
    );
  return (
    <>
      <CustomerFinder
        label="findCustomer"
        onChoose={(customer) => onSay({ customer_id: customer.id, customer_name: getCustomerName(customer) })}
      />
      <div class="fields">
        {NEW_FIELDS.map((name) => (
          <NewField
            key={name}
            name={name}
            sale={sale}
            problem={problems[name] ?? problems[`customer.${name}`]}
            isRequired={name === "name" || name === "surname" || (needsPhone && name === "phone")}
            onSay={onSay}
          />
        ))}
      </div>
    </>
  );
}

interface NewFieldProps {
  readonly name: (typeof NEW_FIELDS)[number];
  readonly sale: Buyer;
  readonly problem: string | undefined;
  readonly isRequired: boolean;
  readonly onSay: CustomerChoiceProps["onSay"];
}

function NewField({ name, sale, problem, isRequired, onSay }: NewFieldProps) {
  return (
    <FieldFrame
      label={t(`in.customer.${name}`)}
      isRequired={isRequired}
      {...getDocumentNumberHint(name, sale[name])}
      problem={problem}
    >
      {({ id, describedBy }) => (
        <input
          id={id}
          name={name}
          inputMode={name === "email" ? "email" : name === "phone" ? "tel" : "text"}
          autocomplete="off"
          value={sale[name]}
          aria-invalid={problem !== undefined}
          aria-describedby={describedBy}
          onInput={(event) => onSay({ [name]: event.currentTarget.value })}
        />
      )}
    </FieldFrame>
  );
}

interface CustomerFinderProps {
  readonly label: TextKey;
  readonly problem?: string | undefined;
  readonly onChoose: (customer: Customer) => void;
}

/** Search for a customer by name, email, phone or document. */
export function CustomerFinder({ label, problem: fieldProblem, onChoose }: CustomerFinderProps) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const id = useId();
  const { matchingCustomers: all, problem, again } = useCustomers(text, MAX_VISIBLE_MATCHES);
  const matches = all ?? [];
  const choose = (foundCustomer: Customer | undefined) => {
    if (!foundCustomer) return;
    setText("");
    onChoose(foundCustomer);
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && matches.length > 0) setAt((before) => (before + step + matches.length) % matches.length);
    else if (event.key === "Enter" && matches.length > 0) choose(matches[at]);
    else if (event.key === "Escape") setText("");
    else return;
    event.preventDefault();
  };
  const isOpen = matches.length > 0;
  return (
    <div class="finder">
      <label for={id}>{t(label)}</label>
      <input
        id={id}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen ? `${id}-${at}` : undefined}
        aria-invalid={fieldProblem !== undefined}
        aria-describedby={fieldProblem ? `${id}-problem` : undefined}
        placeholder={t("findCustomerHint")}
        value={text}
        onKeyDown={onKey}
        onInput={(event) => {
          setAt(0);
          setText(event.currentTarget.value);
        }}
      />
      <div id={`${id}-list`} role="listbox" tabIndex={-1} aria-label={t("customer")} hidden={!isOpen}>
        {matches.map((foundCustomer, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are those of the combobox.
          <div
            key={foundCustomer.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            tabIndex={-1}
            onClick={() => choose(foundCustomer)}
          >
            <span class="strong">{getCustomerName(foundCustomer)}</span>
            <span class="soft">
              {[foundCustomer.email, foundCustomer.phone_number, foundCustomer.document_id].filter(Boolean).join(" · ")}
            </span>
          </div>
        ))}
      </div>
      {fieldProblem && (
        <p class="problem" id={`${id}-problem`}>
          {fieldProblem}
        </p>
      )}
      <LoadErrorMessage problem={problem} onRetry={again} />
      <p class="soft" role="status">
        {all?.length === 0 ? t("noCustomerFound") : ""}
      </p>
    </div>
  );
}
