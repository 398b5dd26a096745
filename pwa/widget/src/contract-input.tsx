import { useEffect, useState } from "preact/hooks";
import type { ContractField } from "./contract-fields.ts";
import { contractListRequests } from "./engines/rentals.ts";
import { Field } from "./field.tsx";
import { getFieldLabel } from "./problems.ts";
import type { Texts } from "./texts.ts";
import type { BookingFlow } from "./use-booking-flow.ts";

interface Option {
  readonly value: string;
  readonly label: string;
}

interface Lists {
  readonly country: readonly Option[];
  readonly document: readonly Option[];
}

/** Loads the choices of the contract form in the visitor's language. */
export function useContractLists(shop: BookingFlow): Lists {
  const [lists, setLists] = useState<Lists>({ country: [], document: [] });
  useEffect(() => {
    shop.ask(async () => {
      const [countries, documents] = await Promise.all([
        contractListRequests.countries(shop.client),
        contractListRequests.documents(shop.client),
      ]);
      setLists({
        country: countries.map(({ code, name }) => ({ value: code, label: name })),
        document: documents.map(({ id, label }) => ({ value: id, label })),
      });
    });
  }, [shop.client]);
  return lists;
}

interface Props {
  readonly field: ContractField;
  readonly texts: Texts;
  readonly lists: Lists;
  readonly value: string;
  readonly isRequired: boolean;
  readonly problem: string | undefined;
  readonly onChange: (value: string) => void;
}

const INPUT_ATTRIBUTES: Readonly<Record<string, object>> = {
  past: { type: "date" },
  future: { type: "date" },
  time: { type: "time" },
  email: { inputMode: "email" },
  tel: { inputMode: "tel" },
};

/** Contract field as text, date or choice. */
export function ContractInput({ field, texts, lists, value, isRequired, problem, onChange }: Props) {
  const { name, kind, autocomplete } = field;
  return (
    <Field label={getFieldLabel(name, texts) ?? name} hint={isRequired ? undefined : texts.optional} {...{ problem }}>
      {(wiring) => {
        const shared = { ...wiring, name, value, autocomplete, "aria-required": isRequired };
        if (kind !== "country" && kind !== "document")
          return (
            <input {...shared} {...INPUT_ATTRIBUTES[kind]} onInput={(event) => onChange(event.currentTarget.value)} />
          );
        return (
          <select {...shared} onChange={(event) => onChange(event.currentTarget.value)}>
            {withValue(lists[kind], value).map((option) => (
              <option key={option.value} value={option.value} selected={option.value === value}>
                {option.label}
              </option>
            ))}
          </select>
        );
      }}
    </Field>
  );
}

// Adds an option for an empty or custom value.
function withValue(options: readonly Option[], value: string): readonly Option[] {
  const isKnown = value === "" || options.some((option) => option.value === value);
  return [{ value: "", label: "–" }, ...(isKnown ? [] : [{ value, label: value }]), ...options];
}
