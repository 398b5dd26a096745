import { useEffect, useId, useState } from "preact/hooks";
import { ask, office } from "../../api.ts";
import { t } from "../../texts.ts";
import type { Sale } from "./sale.ts";

const WAIT_MILLISECONDS = 200;
const SHOWN = "7";

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
  readonly sale: Sale;
  readonly problems: Readonly<Record<string, string>>;
  readonly onSay: (said: Partial<Sale>) => void;
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
  readonly sale: Sale;
  readonly problem: string | undefined;
  readonly onSay: CustomerChoiceProps["onSay"];
}

function NewField({ name, sale, problem, onSay }: NewFieldProps) {
  const id = useId();
  const isNeeded = name === "name" || name === "surname";
  return (
    <div class="field">
      <label for={id}>
        <span>
          {t(`in.customer.${name}`)}
          {isNeeded && <span aria-hidden="true"> *</span>}
        </span>
      </label>
      <input
        id={id}
        name={name}
        inputMode={name === "email" ? "email" : name === "phone" ? "tel" : "text"}
        autocomplete="off"
        value={sale[name]}
        aria-invalid={problem !== undefined}
        aria-describedby={problem ? `${id}-problem` : undefined}
        onInput={(event) => onSay({ [name]: event.currentTarget.value })}
      />
      {problem && (
        <p class="problem" id={`${id}-problem`}>
          {problem}
        </p>
      )}
    </div>
  );
}

function useFound(text: string): readonly FoundCustomer[] {
  const [found, setFound] = useState<readonly FoundCustomer[]>([]);
  useEffect(() => {
    if (text.trim().length < 2) return setFound([]);
    let isOver = false;
    const timer = setTimeout(() => {
      ask("GET", office(`/customers?${new URLSearchParams({ q: text.trim(), page_size: SHOWN })}`)).then(
        ({ status, body }) => {
          if (!isOver) setFound(status === 200 ? (body["data"] as readonly FoundCustomer[]) : []);
        },
        () => undefined,
      );
    }, WAIT_MILLISECONDS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [text]);
  return found;
}

const nameOf = ({ name, surname, full_name }: FoundCustomer) => full_name ?? [name, surname].filter(Boolean).join(" ");

function Finder({ onSay }: { readonly onSay: CustomerChoiceProps["onSay"] }) {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const id = useId();
  const found = useFound(text);
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
      <p class="soft" role="status">
        {text.trim().length >= 2 && !isOpen ? t("noCustomerFound") : ""}
      </p>
    </div>
  );
}
