import { useState } from "preact/hooks";
import { DatePicker } from "./date-picker.tsx";
import { type TransferPointOption, transferListRequests } from "./engines/transfers.ts";
import { type FieldError, getErrorAttributes, InputField, SelectField } from "./field.tsx";
import { addDays } from "./format.ts";
import type { SearchValues, Settings } from "./model.ts";
import { fillPlaceholders, type Texts } from "./texts.ts";
import { TimePicker } from "./time-picker.tsx";
import type { BookingFlow } from "./use-booking-flow.ts";
import { useFormData } from "./use-form-data.ts";

interface Props {
  readonly shop: BookingFlow;
  readonly settings: Settings;
  readonly search: SearchValues;
  readonly onChange: (part: SearchValues) => void;
  readonly fieldError: FieldError;
  /** Id of the error text. */
  readonly wrongId: string;
  /** Agreed values. An agreed time stays selectable even if no longer offered. */
  readonly agreed?: SearchValues;
  /** Called once origin and destination are selected. */
  readonly onReady?: () => void;
}

type End = keyof typeof ADDRESS_FIELDS;
type AddressField = (typeof ADDRESS_FIELDS)[End];

/** Field of the exact address at each end of one's own transfer. Only ends that are an area have a value. */
const ADDRESS_FIELDS = {
  origin_point_id: "detailed_origin_address",
  destination_point_id: "detailed_destination_address",
} as const;

/** Fields of the flight of one's own transfer at the airport of an end. Empty texts until the customer states it. */
const ARRIVAL_FIELDS = ["flight_number", "flight_time"] as const;
const DEPARTURE_FIELDS = ["flight_number_departure", "flight_time_departure"] as const;
type FlightField = (typeof ARRIVAL_FIELDS | typeof DEPARTURE_FIELDS)[number];

// Returns the flight fields of an end. A round trip also departs from its origin.
function listFlightFields(name: End, isRound: boolean): readonly FlightField[] {
  if (name === "origin_point_id") return isRound ? [...ARRIVAL_FIELDS, ...DEPARTURE_FIELDS] : ARRIVAL_FIELDS;
  return isRound ? [] : DEPARTURE_FIELDS;
}

const COUNT_ATTRIBUTES = { type: "number", min: "0", max: "99" };

/** Returns the error of a return before the outward trip. Undefined if there's none. */
export function findReturnBeforeOutwardError(search: SearchValues, texts: Texts): FieldError | undefined {
  const getValue = (name: keyof SearchValues) => search[name] ?? "";
  const isBackwards =
    `${getValue("return_date")} ${getValue("return_time")}` <= `${getValue("date")} ${getValue("time")}`;
  if (getValue("return_date") === "" || !isBackwards) return undefined;
  return { at: getValue("return_date") === getValue("date") ? "return_time" : "return_date", text: texts.returnBefore };
}

/** Returns the error of an end without its required address. Undefined if there's none. */
export function findMissingAddressError(search: SearchValues, texts: Texts): FieldError | undefined {
  const at = Object.values(ADDRESS_FIELDS).find((name) => search[name]?.trim() === "");
  return at && { at, text: fillPlaceholders(texts.required, { field: texts[at] }) };
}

/** Route, time and travellers of a search or of one's own transfer. */
export function TransferFields({ shop, settings, search, agreed, fieldError, wrongId, onChange, onReady }: Props) {
  const { texts, client } = shop;
  const [origins, setOrigins] = useState<readonly TransferPointOption[]>([]);
  const [destinations, setDestinations] = useState<readonly TransferPointOption[]>([]);
  const getValue = (name: keyof SearchValues) => search[name] ?? "";
  const origin = getValue("origin_point_id");
  const isRound = getValue("return_date") !== "";

  // Another point needs another address, and another airport another flight.
  const choose = (name: End, points: readonly TransferPointOption[], value: string) => {
    const kind = points.find(({ id }) => String(id) === value)?.point_type;
    const isAgreed = agreed?.[name] === value;
    const address = isAgreed ? agreed[ADDRESS_FIELDS[name]] : "";
    const flight = kind === "airport" && !isAgreed ? "" : undefined;
    onChange({
      [name]: value,
      ...(agreed && {
        [ADDRESS_FIELDS[name]]: kind === "location" ? address : undefined,
        ...Object.fromEntries(listFlightFields(name, isRound).map((field) => [field, flight])),
      }),
    });
  };
  // An unavailable point changes to the first available one.
  const offer = (name: End, points: readonly TransferPointOption[]) => {
    const isKnown = points.some(({ id }) => String(id) === search[name]);
    if (!isKnown && points[0]) choose(name, points, String(points[0].id));
  };
  useFormData(
    shop,
    [],
    () => transferListRequests.origins(client),
    (points) => {
      setOrigins(points);
      offer("origin_point_id", points);
      if (points.length === 0 && onReady) shop.nothingSold();
    },
  );
  useFormData(shop, [origin], origin !== "" && (() => transferListRequests.destinations(client, origin)), (points) => {
    setDestinations(points);
    offer("destination_point_id", points);
    if (points.length > 0) onReady?.();
  });

  const input = (name: "number_of_adults" | "number_of_children" | AddressField | FlightField, attributes: object) => (
    <InputField
      key={name}
      label={texts[name]}
      {...getErrorAttributes(fieldError, name, wrongId)}
      {...attributes}
      name={name}
      value={getValue(name)}
      onInput={(value) => onChange({ [name]: value })}
    />
  );
  const point = (name: End, points: readonly TransferPointOption[]) => (
    <div>
      <SelectField
        label={texts[name]}
        name={name}
        value={getValue(name)}
        options={points.map(({ id, name: text }) => ({ value: String(id), label: text }))}
        onChange={(value) => choose(name, points, value)}
      />
      {search[ADDRESS_FIELDS[name]] !== undefined && input(ADDRESS_FIELDS[name], { maxLength: 256 })}
      {listFlightFields(name, isRound)
        .filter((field) => search[field] !== undefined)
        .map((field) => input(field, field.includes("time") ? { type: "time" } : { maxLength: 10 }))}
    </div>
  );
  const moment = (date: "date" | "return_date", time: "time" | "return_time", least: string) => (
    <div class="pair">
      <DatePicker
        label={texts.date}
        name={date}
        value={getValue(date)}
        least={least}
        errorAttributes={getErrorAttributes(fieldError, date, wrongId)}
        locale={shop.locale}
        texts={texts}
        loadDays={(from, to) => transferListRequests.days(client, origin, from, to)}
        onChange={(day) => onChange({ [date]: day })}
      />
      <TimePicker
        label={texts.time}
        name={time}
        value={getValue(time)}
        errorAttributes={getErrorAttributes(fieldError, time, wrongId)}
        loadKey={origin && `${origin} ${getValue(date)}`}
        agreed={agreed?.[date] === getValue(date) ? agreed?.[time] : undefined}
        load={() => transferListRequests.times(client, origin, getValue(date))}
        onChange={(value) => onChange({ [time]: value })}
      />
    </div>
  );
  return (
    <>
      <div class="legs">
        {point("origin_point_id", origins)}
        {point("destination_point_id", destinations)}
        {moment("date", "time", settings.server_date)}
        <div class="pair">
          {input("number_of_adults", COUNT_ATTRIBUTES)}
          {input("number_of_children", COUNT_ATTRIBUTES)}
        </div>
      </div>
      <label class="check">
        <input
          type="checkbox"
          name="round_trip"
          checked={isRound}
          onChange={(event) => {
            const back = event.currentTarget.checked ? addDays(getValue("date"), settings.selector_date_to_days) : "";
            onChange({ return_date: back, return_time: getValue("return_time") || getValue("time") });
          }}
        />
        {texts.both}
      </label>
      {isRound && (
        <fieldset>
          <legend>{texts.back}</legend>
          {moment("return_date", "return_time", getValue("date"))}
        </fieldset>
      )}
    </>
  );
}
