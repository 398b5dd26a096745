import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { ActionProblem } from "./action-problem.tsx";
import {
  type ContractField,
  findContractFieldErrors,
  findMissingFieldErrors,
  getMaxOtherDrivers,
  listContractFieldGroups,
} from "./contract-fields.ts";
import { ContractInput, useContractLists } from "./contract-input.tsx";
import type { Contract, Reservation, Settings } from "./model.ts";
import { fillPlaceholders } from "./texts.ts";
import type { BookingFlow } from "./use-booking-flow.ts";
import { useFieldErrors } from "./use-field-errors.ts";

interface Props {
  readonly shop: BookingFlow;
  readonly settings: Settings;
  readonly reservation: Reservation;
  readonly contract: Contract;
}

/** Data required before the hand-over: missing fields, and a form for them. */
export function ContractCard({ shop, settings, reservation, contract }: Props) {
  const { texts } = shop;
  const draft = shop.remembered.contract?.reservation === reservation.id ? shop.remembered.contract.fields : undefined;
  const [isOpen, setIsOpen] = useState(draft !== undefined);
  const [text, setSaid] = useState("");
  const status = useRef<HTMLParagraphElement>(null);
  const missing = Object.keys(findMissingFieldErrors(contract.fields, contract.required, texts)).length;
  return (
    <section class="card" aria-label={texts.contract} data-missing={missing}>
      <h3>{texts.contract}</h3>
      <p role="status" ref={status} tabIndex={-1}>
        {text || (missing > 0 ? fillPlaceholders(texts.contractMissing, { n: missing }) : texts.contractDone)}
      </p>
      {isOpen ? (
        <ContractForm
          {...{ shop, settings, reservation, contract, draft: draft ?? {} }}
          onSaved={(left) => {
            setSaid(left > 0 ? fillPlaceholders(texts.savedPartly, { n: left }) : "");
            setIsOpen(left > 0);
            // The form and its submit button disappear, so move the focus.
            if (left === 0) status.current?.focus();
          }}
        />
      ) : (
        <button type="button" class="other" data-contract onClick={() => setIsOpen(true)}>
          {missing > 0 ? texts.contractOpen : texts.contractAgain}
        </button>
      )}
    </section>
  );
}

/** Titles of additional drivers. */
const DRIVERS = ["contractSecond", "contractThird"] as const;

type FormProps = Props & {
  readonly draft: Readonly<Record<string, string>>;
  /** Called with the number of missing required fields. */
  readonly onSaved: (missing: number) => void;
};

function ContractForm({ shop, settings, reservation, contract, draft, onSaved }: FormProps) {
  const { texts, problem } = shop;
  const [typed, setTyped] = useState(draft);
  const values = { ...contract.fields, ...typed };
  const { wrong, form, show, clear } = useFieldErrors(problem?.at === "contract" ? problem : undefined);
  const lists = useContractLists(shop);
  const others = countOthers(values, getMaxOtherDrivers(settings));
  const drives = values["driver_is_customer"] === "true";
  const parts = listContractFieldGroups(settings, contract, { drives, others });
  // Focus an opened form or added driver, because the pressed button may disappear.
  useLayoutEffect(() => form.current?.querySelector("legend")?.focus(), []);
  const isMore = useRef(false);
  useLayoutEffect(() => {
    if (isMore.current)
      form.current?.querySelector<HTMLElement>(`[data-part="${DRIVERS[others - 1]}"] legend`)?.focus();
    isMore.current = false;
  }, [others]);
  const change = (name: string, value: string) => {
    clear(name);
    setTyped((before) => {
      const next = { ...before, [name]: value };
      shop.keepContract(next);
      return next;
    });
  };
  const save = async () => {
    const fields = parts.flatMap((part) => part.fields);
    const problems = findContractFieldErrors(values, fields, toTripDates(reservation, settings), texts);
    if (!show(problems) || !(await shop.complete(toSend(values, fields)))) return;
    setTyped({});
    shop.keepContract(undefined);
    // Saved values are retained. Missing ones are marked at their fields.
    const missing = findMissingFieldErrors(values, contract.required, texts);
    show(missing);
    onSaved(Object.keys(missing).length);
  };
  const check = (name: string, label: string, isChecked: boolean, onCheck: (isChecked: boolean) => void) => (
    <label class="check">
      <input
        type="checkbox"
        name={name}
        checked={isChecked}
        onChange={(event) => onCheck(event.currentTarget.checked)}
      />
      {label}
    </label>
  );
  const input = (field: ContractField) => (
    <ContractInput
      key={field.name}
      {...{ field, texts, lists }}
      value={values[field.name] ?? ""}
      isRequired={contract.required.includes(field.name)}
      problem={wrong[field.name]}
      onChange={(value) => change(field.name, value)}
    />
  );
  return (
    <form
      noValidate
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      {parts.map(({ title: name, fields }) => (
        <fieldset key={name} data-part={name}>
          <legend tabIndex={-1}>{texts[name]}</legend>
          {name === "contractDriver" &&
            check("drives", texts.drives, drives, (is) => change("driver_is_customer", String(is)))}
          <div class="legs">{fields.map(input)}</div>
        </fieldset>
      ))}
      {others < getMaxOtherDrivers(settings) && (
        <button
          type="button"
          class="link"
          data-more-drivers
          onClick={() => {
            isMore.current = true;
            change("others", String(others + 1));
          }}
        >
          + {texts[DRIVERS[others] ?? "contractThird"]}
        </button>
      )}
      <ActionProblem
        shop={shop}
        at="contract"
        fields={parts.flatMap((part) => part.fields.map(({ name: field }) => field))}
      />
      <button type="submit" class="main" part="button" data-save>
        {texts.save}
      </button>
    </form>
  );
}

// Counts the drivers already named or added.
function countOthers(values: Readonly<Record<string, string>>, maxDrivers: number): number {
  const namedDriverCount = [2, 1].find((number) => values[`additional_driver_${number}_name`]) ?? 0;
  return Math.min(Math.max(namedDriverCount, Number(values["others"] ?? 0)), maxDrivers);
}

function toTripDates({ trip }: Reservation, settings: Settings) {
  return { today: settings.server_date, last: trip.legs.at(-1)?.date ?? settings.server_date };
}

function toSend(values: Readonly<Record<string, string>>, fields: readonly ContractField[]) {
  const names = [...fields.map(({ name }) => name), "driver_is_customer"];
  return Object.fromEntries(names.map((name) => [name, values[name]?.trim() ?? ""]));
}
