import { useEffect, useState } from "preact/hooks";
import { DatePicker } from "./date-picker.tsx";
import { firstTransfer, type Point, transferLists } from "./engines/transfers.ts";
import { Field, Pick } from "./field.tsx";
import { addDays } from "./format.ts";
import type { Search, Settings } from "./model.ts";
import { SearchFrame } from "./search-frame.tsx";
import { TimePick } from "./time-pick.tsx";
import type { Shop } from "./use-shop.ts";

interface Props {
  readonly shop: Shop;
  readonly settings: Settings;
}

type End = "origin_point_id" | "destination_point_id";

/** From where to where, when, and who travels. */
export function TransferSearch({ shop, settings }: Props) {
  const { texts, client } = shop;
  const [search, setSearch] = useState<Search>(() => firstTransfer(settings, shop.place.search));
  const [origins, setOrigins] = useState<readonly Point[]>([]);
  const [destinations, setDestinations] = useState<readonly Point[]>([]);
  const [wrong, setWrong] = useState("");
  const change = (part: Search) => setSearch((now) => ({ ...now, ...part }));
  const of = (name: string) => search[name] ?? "";
  const origin = of("origin_point_id");
  const isRound = of("return_date") !== "";

  // A point that is not offered becomes the first that is.
  const offer = (name: End, points: readonly Point[]) => {
    const isKnown = points.some(({ id }) => String(id) === search[name]);
    if (!isKnown && points[0]) change({ [name]: String(points[0].id) });
  };
  useEffect(() => {
    shop.ask(async () => {
      const points = await transferLists.origins(client);
      setOrigins(points);
      offer("origin_point_id", points);
    });
  }, [client]);
  useEffect(() => {
    if (!origin) return;
    shop.ask(async () => {
      const points = await transferLists.destinations(client, origin);
      setDestinations(points);
      offer("destination_point_id", points);
    });
  }, [client, origin]);

  const point = (name: End, label: string, points: readonly Point[]) => (
    <Pick
      label={label}
      name={name}
      value={of(name)}
      options={points.map(({ id, name: text }) => ({ value: String(id), label: text }))}
      onChange={(value) => change({ [name]: value })}
    />
  );
  const moment = (date: "date" | "return_date", time: "time" | "return_time", least: string) => (
    <div class="pair">
      <DatePicker
        label={texts.date}
        name={date}
        value={of(date)}
        least={least}
        language={shop.language}
        texts={texts}
        loadDays={(from, to) => transferLists.days(client, origin, from, to)}
        onChange={(day) => change({ [date]: day })}
      />
      <TimePick
        label={texts.time}
        name={time}
        value={of(time)}
        asked={origin && `${origin} ${of(date)}`}
        load={() => transferLists.times(client, origin, of(date))}
        onChange={(value) => change({ [time]: value })}
      />
    </div>
  );
  const people = (name: "number_of_adults" | "number_of_children", label: string) => (
    <Field label={label}>
      {(wiring) => (
        <input
          {...wiring}
          type="number"
          name={name}
          min="0"
          max="99"
          value={of(name)}
          onInput={(event) => change({ [name]: event.currentTarget.value })}
        />
      )}
    </Field>
  );
  const submit = () => {
    const isBefore = isRound && `${of("return_date")} ${of("return_time")}` <= `${of("date")} ${of("time")}`;
    setWrong(isBefore ? texts.returnBefore : "");
    if (!isBefore) shop.find(search);
  };

  return (
    <SearchFrame shop={shop} title={texts.transferTitle} wrong={wrong} isReady={origins.length > 0} onSubmit={submit}>
      <div class="legs">
        {point("origin_point_id", texts.from, origins)}
        {point("destination_point_id", texts.to, destinations)}
        {moment("date", "time", settings.server_date)}
        <div class="pair">
          {people("number_of_adults", texts.adults)}
          {people("number_of_children", texts.children)}
        </div>
      </div>
      <label class="check">
        <input
          type="checkbox"
          name="round_trip"
          checked={isRound}
          onChange={(event) => {
            const back = event.currentTarget.checked ? addDays(of("date"), settings.selector_date_to_days) : "";
            change({ return_date: back, return_time: of("return_time") || of("time") });
          }}
        />
        {texts.both}
      </label>
      {isRound && (
        <fieldset>
          <legend>{texts.back}</legend>
          {moment("return_date", "return_time", of("date"))}
        </fieldset>
      )}
    </SearchFrame>
  );
}
