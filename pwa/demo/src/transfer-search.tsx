import { useEffect, useState } from "preact/hooks";
import type { Settings } from "./api.ts";
import { Field } from "./parts.tsx";
import type { Language, Texts } from "./texts.ts";
import { type Point, transferApi } from "./transfer-api.ts";
import { transferTexts } from "./transfer-texts.ts";

/** As the search form sends it: all text. */
export interface TransferSearch {
  readonly date: string;
  readonly time: string;
  readonly origin_point_id: string;
  readonly destination_point_id: string;
  readonly round_trip: "true" | "false";
  readonly return_date: string;
  readonly return_time: string;
  readonly number_of_adults: string;
  readonly number_of_children: string;
}

interface Props {
  readonly texts: Texts;
  readonly language: Language;
  readonly settings: Settings;
  readonly known: TransferSearch | undefined;
  readonly onSearch: (search: TransferSearch) => void;
}

function firstSearch(today: string): TransferSearch {
  const day = (days: number) =>
    new Date(Date.parse(`${today}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
  return {
    date: day(30),
    time: "10:00",
    origin_point_id: "",
    destination_point_id: "",
    round_trip: "false",
    return_date: day(37),
    return_time: "10:00",
    number_of_adults: "2",
    number_of_children: "0",
  };
}

export function TransferSearchForm({ texts, language, settings, known, onSearch }: Props) {
  const words = transferTexts[language];
  const [search, setSearch] = useState(known ?? firstSearch(settings.server_date));
  const [origins, setOrigins] = useState<readonly Point[]>([]);
  const [destinations, setDestinations] = useState<readonly Point[]>([]);
  const [times, setTimes] = useState<readonly string[]>([search.time]);
  const change = (part: Partial<TransferSearch>) => setSearch((now) => ({ ...now, ...part }));
  const origin = search.origin_point_id;

  useEffect(() => {
    void transferApi.origins(language).then(({ data }) => {
      setOrigins(data);
      if (!origin && data[0]) change({ origin_point_id: String(data[0].id) });
    });
  }, [language]);
  useEffect(() => {
    if (!origin) return;
    void transferApi.destinations(language, origin).then(({ data }) => {
      setDestinations(data);
      const isValid = data.some(({ id }) => String(id) === search.destination_point_id);
      if (!isValid && data[0]) change({ destination_point_id: String(data[0].id) });
    });
  }, [language, origin]);
  useEffect(() => {
    if (search.date) void transferApi.times(language, search.date, origin).then(setTimes);
  }, [search.date, origin]);

  const points = (name: "origin_point_id" | "destination_point_id", label: string, offered: readonly Point[]) => (
    <Field label={label}>
      <select name={name} value={search[name]} onChange={(event) => change({ [name]: event.currentTarget.value })}>
        {offered.map((point) => (
          <option key={point.id} value={String(point.id)}>
            {point.name}
          </option>
        ))}
      </select>
    </Field>
  );
  const moment = (date: "date" | "return_date", time: "time" | "return_time") => (
    <div class="pair">
      <Field label={texts.date}>
        <input
          type="date"
          name={date}
          required
          min={date === "date" ? settings.server_date : search.date}
          value={search[date]}
          onInput={(event) => change({ [date]: event.currentTarget.value })}
        />
      </Field>
      <Field label={texts.time}>
        <select name={time} value={search[time]} onChange={(event) => change({ [time]: event.currentTarget.value })}>
          {times.map((one) => (
            <option key={one}>{one}</option>
          ))}
        </select>
      </Field>
    </div>
  );
  const people = (name: "number_of_adults" | "number_of_children", label: string) => (
    <Field label={label}>
      <input
        type="number"
        name={name}
        min="0"
        max="99"
        value={search[name]}
        onInput={(event) => change({ [name]: event.currentTarget.value })}
      />
    </Field>
  );

  return (
    <form
      class="card"
      onSubmit={(event) => {
        event.preventDefault();
        onSearch(search);
      }}
    >
      <h1>{words.title}</h1>
      <div class="legs">
        {points("origin_point_id", words.from, origins)}
        {points("destination_point_id", words.to, destinations)}
        {moment("date", "time")}
        <div class="pair">
          {people("number_of_adults", words.adults)}
          {people("number_of_children", words.children)}
        </div>
      </div>
      <label class="check">
        <input
          type="checkbox"
          name="round_trip"
          checked={search.round_trip === "true"}
          onChange={(event) => change({ round_trip: event.currentTarget.checked ? "true" : "false" })}
        />
        {words.both}
      </label>
      {search.round_trip === "true" && (
        <fieldset>
          <legend>{words.back}</legend>
          {moment("return_date", "return_time")}
        </fieldset>
      )}
      <button type="submit" class="main" disabled={!search.destination_point_id}>
        {texts.search}
      </button>
    </form>
  );
}
