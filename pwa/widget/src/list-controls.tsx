import type { ComponentChildren } from "preact";
import { Field } from "./field.tsx";
import type { ListedProduct } from "./model.ts";
import { findDistinguishingFilters, type ListChoice, type SortOrder } from "./offer-list.ts";
import { fillPlaceholders, type Texts } from "./texts.ts";

interface Props {
  readonly offers: readonly ListedProduct[];
  readonly choice: ListChoice;
  readonly texts: Texts;
  readonly onChange: (choice: ListChoice) => void;
}

/** Order and filters of the list, as far as they make a difference. */
export function ListControls({ offers, choice, texts, onChange }: Props) {
  const { gearboxes, seats } = findDistinguishingFilters(offers);
  if (offers.length < 3) return null;
  const select = (
    label: string,
    name: string,
    value: string,
    set: (value: string) => ListChoice,
    options: ComponentChildren,
  ) => (
    <Field label={label}>
      {(wiring) => (
        <select {...wiring} name={name} value={value} onChange={(event) => onChange(set(event.currentTarget.value))}>
          {options}
        </select>
      )}
    </Field>
  );
  return (
    <div class="controls" part="controls">
      {select(
        texts.sort,
        "sort",
        choice.sort,
        (value) => ({ ...choice, sort: value as SortOrder }),
        <>
          <option value="offered">{texts.sortOffered}</option>
          <option value="price">{texts.sortPrice}</option>
          {seats.length > 0 && <option value="size">{texts.sortSize}</option>}
        </>,
      )}
      {gearboxes.length > 0 &&
        select(
          texts.gearbox,
          "gearbox",
          choice.gearbox ?? "",
          (value) => ({ ...choice, gearbox: gearboxes.find((gearbox) => gearbox === value) ?? null }),
          <>
            <option value="">{texts.anyValue}</option>
            {gearboxes.map((gearbox) => (
              <option key={gearbox} value={gearbox}>
                {texts[gearbox]}
              </option>
            ))}
          </>,
        )}
      {seats.length > 0 &&
        select(
          texts.seatsFrom,
          "seats",
          String(choice.seats ?? 0),
          (value) => ({ ...choice, seats: Number(value) }),
          <>
            <option value="0">{texts.anyValue}</option>
            {seats.map((count) => (
              <option key={count} value={count}>
                {fillPlaceholders(texts.orMore, { n: count })}
              </option>
            ))}
          </>,
        )}
    </div>
  );
}
