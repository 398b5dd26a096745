import { useId, useState } from "preact/hooks";
import { FieldFrame } from "../../desk/field-frame.tsx";
import { Trouble } from "../../desk/trouble.tsx";
import { useCustomers } from "../../desk/use-customers.ts";
import { t } from "../../texts.ts";
import type { Buyer } from "./sale.ts";

const SHOWN = 7;

interface FoundCustomer {
  readonly id: number;
  readonly full_name?: string;
  readonly name: string | null;
  readonly surname: string | null;
  readonly email: string | null;
  readonly phone_number: string | null;
  readonly document_id: string | null;
}

interface CustomerChoiceProps {
  readonly sale: Buyer;
  readonly problems: Readonly<Record<string, string>>;
  readonly onSay: (said: Partial<Buyer>) => void;
}

const NEW_FIELDS = ["name", "surname", "email", "phone", "document_id"] as const;

/** Who it is for: found by any part of what is known of them, or somebody new. */
export function CustomerChoice({ sale, problems, onSay }: CustomerChoiceProps) {
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
      <Finder onSay={onSay} />
      <div class="fields">
        {NEW_FIELDS.map((name) => (
          <NewField
            key={name}
            name={name}
            sale={sale}
            problem={problems[name] ?? problems[`customer.${name}`]}
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
  readonly onSay: CustomerChoiceProps["onSay"];
}

function NewField({ name, sale, problem, onSay }: NewFieldProps) {
  return (
    <FieldFrame label={t(`in.customer.${name}`)} isRequired={name === "name" || name === "surname"} problem={problem}>
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

const nameOf = ({ name, surname, full_name }: FoundCustomer) => full_name ?? [name, surname].filter(Boolean).join(" ");

function Finder({ onSay }: { readonly onSay: CustomerChoiceProps["onSay"] }) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const id = useId();
  const { found: all, problem, again } = useCustomers<FoundCustomer>(text, SHOWN);
  const found = all ?? [];
  const choose = (one: FoundCustomer | undefined) => {
    if (one) onSay({ customer_id: one.id, customer_name: nameOf(one) });
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && found.length > 0) setAt((before) => (before + step + found.length) % found.length);
    else if (event.key === "Enter" && found.length > 0) choose(found[at]);
    else if (event.key === "Escape") setText("");
    else return;
    event.preventDefault();
  };
  const isOpen = found.length > 0;
  return (
    <div class="finder">
      <label for={id}>{t("findCustomer")}</label>
      <input
        id={id}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen ? `${id}-${at}` : undefined}
        placeholder={t("findCustomerHint")}
        value={text}
        onKeyDown={onKey}
        onInput={(event) => {
          setAt(0);
          setText(event.currentTarget.value);
        }}
      />
      <div id={`${id}-list`} role="listbox" tabIndex={-1} aria-label={t("customer")} hidden={!isOpen}>
        {found.map((one, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: its keys are those of the combobox.
          <div
            key={one.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            tabIndex={-1}
            onClick={() => choose(one)}
          >
            <span class="strong">{nameOf(one)}</span>
            <span class="soft">{[one.email, one.phone_number, one.document_id].filter(Boolean).join(" · ")}</span>
          </div>
        ))}
      </div>
      <Trouble problem={problem} onRetry={again} />
      <p class="soft" role="status">
        {all?.length === 0 ? t("noCustomerFound") : ""}
      </p>
    </div>
  );
}
