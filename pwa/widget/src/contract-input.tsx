import { useEffect, useState } from "preact/hooks";
import type { ContractField } from "./contract-fields.ts";
import { contractListRequests } from "./engines/rentals.ts";
import { InputField, SelectField, type SelectOption } from "./field.tsx";
import { getFieldLabel } from "./problems.ts";
import type { Texts } from "./texts.ts";
import type { BookingFlow } from "./use-booking-flow.ts";

interface Lists {
  readonly country: readonly SelectOption[];
  readonly document: readonly SelectOption[];
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

/** Contract field as text, date or choice. */
export function ContractInput({ field, texts, lists, value, isRequired, problem, onChange }: Props) {
  const { name, kind, autocomplete } = field;
  const shared = {
    ...{ name, value, autocomplete, problem, "aria-required": isRequired },
    label: getFieldLabel(name, texts) ?? name,
    hint: isRequired ? undefined : texts.optional,
  };
  if (kind === "country" || kind === "document")
    return <SelectField {...shared} options={withValue(lists[kind], value)} onChange={onChange} />;
  return <InputField {...shared} type={kind === "past" || kind === "future" ? "date" : kind} onInput={onChange} />;
}

// Adds an option for an empty or custom value.
function withValue(options: readonly SelectOption[], value: string): readonly SelectOption[] {
  const isKnown = value === "" || options.some((option) => option.value === value);
  return [{ value: "", label: "–" }, ...(isKnown ? [] : [{ value, label: value }]), ...options];
}
