import { useEffect, useId, useMemo, useState } from "preact/hooks";
import { ServerRefusal } from "./client.ts";
import { DatePicker } from "./date-picker.tsx";
import {
  createInitialRentalSearch,
  type DriverAgeOption,
  type PickupPlace,
  rentalListRequests,
} from "./engines/rentals.ts";
import { getErrorAttributes, InputField, joinFieldErrors, NO_FIELD_ERROR, SelectField } from "./field.tsx";
import { addDays, formatAmount, isDateText } from "./format.ts";
import { LiveRegionMessage } from "./live-region.tsx";
import type { SearchValues, Settings } from "./model.ts";
import { SearchFrame } from "./search-frame.tsx";
import { TimePicker } from "./time-picker.tsx";
import type { BookingFlow } from "./use-booking-flow.ts";
import { useFormData } from "./use-form-data.ts";
import { useProposedOpenDay } from "./use-open-day.ts";

interface Props {
  readonly shop: BookingFlow;
  readonly settings: Settings;
}

type Side = "from" | "to";
const SIDE_FIELDS: Readonly<Record<Side, readonly string[]>> = {
  from: ["pickup_place", "date_from", "time_from"],
  to: ["return_place", "date_to", "time_to"],
};
const ACTIONS = { from: "deliveries", to: "collections" } as const;

// An outdated link may contain an unknown pickup place, which the form replaces.
function toNoPlaces(error: unknown): readonly PickupPlace[] {
  if (error instanceof ServerRefusal && error.fields.includes("pickup_place")) return [];
  throw error;
}

const isListed = (places: readonly PickupPlace[], place: string | undefined) => places.some(({ id }) => id === place);

/** Pickup and return place and time of a rental. */
export function RentalSearch({ shop, settings }: Props) {
  const { texts, client, problem } = shop;
  const linkedSearch = shop.place.search;
  const [search, setSearch] = useState<SearchValues>(() => createInitialRentalSearch(settings, linkedSearch));
  const [isProposed, setIsProposed] = useState({
    from: !isDateText(linkedSearch["date_from"]),
    to: !isDateText(linkedSearch["date_to"]),
  });
  const [pickups, setPickups] = useState<readonly PickupPlace[]>([]);
  const [returns, setReturns] = useState<readonly PickupPlace[]>([]);
  const [ages, setAges] = useState<readonly DriverAgeOption[]>([]);
  // An outdated link: the visitor needs new dates.
  const [wrong, setWrong] = useState(() => {
    const isPast = isDateText(linkedSearch["date_from"]) && linkedSearch["date_from"] < settings.server_date;
    return isPast ? { at: "date_from", text: texts.pastDates } : NO_FIELD_ERROR;
  });
  const wrongId = useId();
  const change = (part: SearchValues) => {
    // If only a time changed, keep the error of a date, because another time doesn't make the date valid.
    const isTimeOnly = Object.keys(part).every((name) => name.startsWith("time_"));
    setWrong((now) => (isTimeOnly && now.at.startsWith("date_") ? now : NO_FIELD_ERROR));
    setSearch((now) => ({ ...now, ...part }));
  };
  // Show server errors at their fields.
  useEffect(() => {
    if (problem?.wrong) setWrong(joinFieldErrors(problem.wrong));
  }, [problem]);
  // The age, and each side's place, date and time, have their error below. Others share one above the button.
  const ageProblem = wrong.at === "driver_age_rule" ? wrong.text : undefined;
  const isAtSide = (side: Side) => SIDE_FIELDS[side].includes(wrong.at);
  const isPlaced = ageProblem !== undefined || isAtSide("from") || isAtSide("to");
  // Create a new object when the ages have loaded, too, so that a refused age gets the focus.
  const formError = useMemo(() => ({ ...wrong, text: isPlaced ? "" : wrong.text }), [wrong, ages]);
  const checkAge = (id: string): boolean => {
    const isRefused = ages.some((age) => String(age.id) === id && !age.allowed);
    if (isRefused) setWrong({ at: "driver_age_rule", text: texts.ageRefused });
    return !isRefused;
  };
  const getValue = (name: keyof SearchValues) => search[name] ?? "";
  const pickup = getValue("pickup_place");
  const places = { from: pickup, to: getValue("return_place") };
  const loadDays = (side: Side) => (from: string, to: string) =>
    rentalListRequests.days(client, ACTIONS[side], places[side], from, to);
  const setDay = (side: Side, date: string) => {
    // An unchosen or too early return date follows the pickup date.
    const follows = side === "from" && (isProposed.to || date >= getValue("date_to"));
    if (follows) setIsProposed((now) => ({ ...now, to: true }));
    change({ [`date_${side}`]: date, ...(follows && { date_to: addDays(date, settings.selector_date_to_days) }) });
  };
  const proposal = (side: Side) => ({
    day: getValue(`date_${side}`),
    isProposed: isProposed[side],
    place: places[side],
    loadDays: loadDays(side),
    onMove: (day: string) => setDay(side, day),
  });
  const areOpen = [useProposedOpenDay(proposal("from")), useProposedOpenDay(proposal("to"))];

  useFormData(
    shop,
    [],
    () => rentalListRequests.pickups(client),
    (places) => {
      setPickups(places);
      if (places.length === 0) shop.nothingSold();
      const [first] = places;
      setSearch((now) =>
        !first || isListed(places, now.pickup_place) ? now : { ...now, pickup_place: first.id, return_place: first.id },
      );
    },
  );
  useFormData(shop, [], settings.use_driver_age_rules && (() => rentalListRequests.ages(client)), setAges);
  useFormData(
    shop,
    [pickup],
    pickup !== "" && (() => rentalListRequests.returns(client, pickup).catch(toNoPlaces)),
    (places) => {
      setReturns(places);
      const [first] = places;
      if (!first) setWrong({ at: "pickup_place", text: texts.placeGone });
      else setSearch((now) => (isListed(places, now.return_place) ? now : { ...now, return_place: first.id }));
    },
  );

  const place = ({ id, name, price }: PickupPlace) => ({
    value: id,
    label: Number(price) > 0 ? `${name} (+ ${formatAmount(price, settings)})` : name,
  });
  const leg = (name: "pickup" | "return", side: Side, offered: readonly PickupPlace[], least: string) => {
    const where = places[side];
    return (
      <fieldset>
        <legend>{texts[name]}</legend>
        <SelectField
          label={texts.place}
          name={`${name}_place`}
          value={where}
          options={offered.map(place)}
          {...getErrorAttributes(wrong, `${name}_place`, `${wrongId}-${side}`)}
          onChange={(value) => change({ [`${name}_place`]: value, ...(name === "pickup" && { return_place: value }) })}
        />
        <div class="pair">
          <DatePicker
            label={texts[`date_${side}`]}
            name={`date_${side}`}
            value={getValue(`date_${side}`)}
            least={least}
            errorAttributes={getErrorAttributes(wrong, `date_${side}`, `${wrongId}-${side}`)}
            locale={shop.locale}
            texts={texts}
            loadDays={loadDays(side)}
            onChange={(date) => {
              setIsProposed((now) => ({ ...now, [side]: false }));
              setDay(side, date);
            }}
          />
          {!(side === "to" && settings.same_pickup_return_time) && (
            <TimePicker
              label={texts.time}
              name={`time_${side}`}
              value={getValue(`time_${side}`)}
              errorAttributes={getErrorAttributes(wrong, `time_${side}`, `${wrongId}-${side}`)}
              loadKey={where && getValue(`date_${side}`)}
              load={() => rentalListRequests.times(client, ACTIONS[side], where, getValue(`date_${side}`))}
              onChange={(time) => change({ [`time_${side}`]: time })}
            />
          )}
        </div>
        <p class="wrong" role="alert" id={`${wrongId}-${side}`}>
          <LiveRegionMessage of={wrong} text={isAtSide(side) ? wrong.text : ""} />
        </p>
      </fieldset>
    );
  };
  const submit = () => {
    const begin = `${getValue("date_from")} ${getValue("time_from")}`;
    const searchRequest = settings.same_pickup_return_time ? { ...search, time_to: getValue("time_from") } : search;
    const end = `${getValue("date_to")} ${searchRequest["time_to"] ?? ""}`;
    if (!getValue("date_from") || !getValue("date_to") || end <= begin) {
      const isTime = getValue("date_from") === getValue("date_to") && !settings.same_pickup_return_time;
      return setWrong({ at: isTime ? "time_to" : "date_to", text: texts.returnBefore });
    }
    if (checkAge(getValue("driver_age_rule"))) shop.find(searchRequest);
  };

  // A search without the age would show other prices.
  const hasAges = ages.length > 0 || !settings.use_driver_age_rules;
  return (
    <SearchFrame
      shop={shop}
      title={texts.title}
      isBar
      {...{ fieldError: formError, wrongId }}
      isReady={pickups.length > 0 && returns.length > 0 && hasAges && areOpen.every(Boolean)}
      onSubmit={submit}
    >
      <div class="legs">
        {leg("pickup", "from", pickups, settings.server_date)}
        {leg("return", "to", returns, getValue("date_from") || settings.server_date)}
      </div>
      <div class="legs">
        {ages.length > 0 && (
          <SelectField
            label={texts.driver_age_rule}
            name="driver_age_rule"
            value={getValue("driver_age_rule")}
            options={[
              { value: "", label: "–" },
              ...ages.map(({ id, description }) => ({ value: String(id), label: description })),
            ]}
            problem={ageProblem}
            onChange={(value) => {
              change({ driver_age_rule: value });
              checkAge(value);
            }}
          />
        )}
        {settings.promotion_code && (
          <InputField
            label={texts.promotion_code}
            hint={texts.optional}
            name="promotion_code"
            value={getValue("promotion_code")}
            autocomplete="off"
            onInput={(value) => change({ promotion_code: value.trim() })}
          />
        )}
      </div>
    </SearchFrame>
  );
}
