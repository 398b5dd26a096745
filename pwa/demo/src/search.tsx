import { useEffect, useState } from "preact/hooks";
import { api, type Place, type Settings } from "./api.ts";
import { Field, money } from "./parts.tsx";
import type { Language, Texts } from "./texts.ts";

export interface Search {
  readonly date_from: string;
  readonly time_from: string;
  readonly date_to: string;
  readonly time_to: string;
  readonly pickup_place: string;
  readonly return_place: string;
  readonly promotion_code: string;
}

interface Props {
  readonly texts: Texts;
  readonly language: Language;
  readonly settings: Settings;
  readonly known: Search | undefined;
  readonly onSearch: (search: Search) => void;
}

/** The first search: a week from next week, from and to the first place. */
function firstSearch(today: string): Search {
  const day = (days: number) =>
    new Date(Date.parse(`${today}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
  return {
    date_from: day(30),
    time_from: "10:00",
    date_to: day(37),
    time_to: "10:00",
    pickup_place: "",
    return_place: "",
    promotion_code: "",
  };
}

export function SearchForm({ texts, language, settings, known, onSearch }: Props) {
  const [search, setSearch] = useState(known ?? firstSearch(settings.server_date));
  const [pickups, setPickups] = useState<readonly Place[]>([]);
  const [returns, setReturns] = useState<readonly Place[]>([]);
  const change = (part: Partial<Search>) => setSearch((now) => ({ ...now, ...part }));

  useEffect(() => {
    void api.pickupPlaces(language).then((places) => {
      setPickups(places);
      if (!search.pickup_place && places[0]) change({ pickup_place: places[0].id, return_place: places[0].id });
    });
  }, [language]);
  useEffect(() => {
    if (search.pickup_place) void api.returnPlaces(language, search.pickup_place).then(setReturns);
  }, [language, search.pickup_place]);

  const place = ({ id, name, price }: Place) => (
    <option key={id} value={id}>
      {Number(price) > 0 ? `${name} (+ ${money(price, settings)})` : name}
    </option>
  );
  const leg = (
    name: "pickup" | "return",
    places: readonly Place[],
    date: "date_from" | "date_to",
    time: "time_from" | "time_to",
    least: string,
  ) => (
    <fieldset>
      <legend>{texts[name]}</legend>
      <select
        aria-label={texts[name]}
        value={search[`${name}_place`]}
        onChange={(event) =>
          change({
            [`${name}_place`]: event.currentTarget.value,
            ...(name === "pickup" && { return_place: event.currentTarget.value }),
          })
        }
      >
        {places.map(place)}
      </select>
      <div class="pair">
        <Field label={texts.date}>
          <input
            type="date"
            required
            min={least}
            value={search[date]}
            onInput={(event) => change({ [date]: event.currentTarget.value })}
          />
        </Field>
        <Times
          texts={texts}
          language={language}
          name={name}
          date={search[date]}
          place={search[`${name}_place`]}
          value={search[time]}
          onChange={(value) => change({ [time]: value })}
        />
      </div>
    </fieldset>
  );

  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(search);
      }}
    >
      <h1>{texts.title}</h1>
      <div class="legs">
        {leg("pickup", pickups, "date_from", "time_from", settings.server_date)}
        {leg("return", returns, "date_to", "time_to", search.date_from)}
      </div>
      {settings.promotion_code && (
        <Field label={texts.code}>
          <input
            value={search.promotion_code}
            autocomplete="off"
            onInput={(event) => change({ promotion_code: event.currentTarget.value })}
          />
        </Field>
      )}
      <button type="submit" class="main">
        {texts.search}
      </button>
    </form>
  );
}

interface TimesProps {
  readonly texts: Texts;
  readonly language: Language;
  readonly name: "pickup" | "return";
  readonly date: string;
  readonly place: string;
  readonly value: string;
  readonly onChange: (time: string) => void;
}

function Times({ texts, language, name, date, place, value, onChange }: TimesProps) {
  const [times, setTimes] = useState<readonly string[]>([value]);
  useEffect(() => {
    const action = name === "pickup" ? "deliveries" : "collections";
    if (date && place) void api.times(language, date, action, place).then(setTimes);
  }, [date, place]);
  return (
    <Field label={texts.time}>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {times.map((time) => (
          <option key={time}>{time}</option>
        ))}
      </select>
    </Field>
  );
}
