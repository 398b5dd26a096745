import { useEffect, useState } from "preact/hooks";
import { DatePicker } from "./date-picker.tsx";
import { type AgeRule, firstRental, type PickupPlace, rentalLists } from "./engines/rentals.ts";
import { Field, Pick } from "./field.tsx";
import { addDays, money } from "./format.ts";
import type { Search, Settings } from "./model.ts";
import { SearchFrame } from "./search-frame.tsx";
import { TimePick } from "./time-pick.tsx";
import type { Shop } from "./use-shop.ts";

interface Props {
  readonly shop: Shop;
  readonly settings: Settings;
}

/** Where and when a vehicle is picked up and returned. */
export function RentalSearch({ shop, settings }: Props) {
  const { texts, client } = shop;
  const [search, setSearch] = useState<Search>(() => firstRental(settings, shop.place.search));
  const [pickups, setPickups] = useState<readonly PickupPlace[]>([]);
  const [returns, setReturns] = useState<readonly PickupPlace[]>([]);
  const [ages, setAges] = useState<readonly AgeRule[]>([]);
  const [wrong, setWrong] = useState("");
  const change = (part: Search) => setSearch((now) => ({ ...now, ...part }));
  const of = (name: string) => search[name] ?? "";
  const pickup = of("pickup_place");

  useEffect(() => {
    shop.ask(async () => {
      const places = await rentalLists.pickups(client);
      setPickups(places);
      if (places.length === 0) shop.nothingSold();
      const isKnown = places.some(({ id }) => id === pickup);
      if (!isKnown && places[0]) change({ pickup_place: places[0].id, return_place: places[0].id });
    });
    if (settings.use_driver_age_rules) shop.ask(async () => setAges(await rentalLists.ages(client)));
  }, [client]);
  useEffect(() => {
    if (!pickup) return;
    shop.ask(async () => {
      const places = await rentalLists.returns(client, pickup);
      setReturns(places);
      const isKnown = places.some(({ id }) => id === search["return_place"]);
      if (!isKnown && places[0]) change({ return_place: places[0].id });
    });
  }, [client, pickup]);

  const place = ({ id, name, price }: PickupPlace) => ({
    value: id,
    label: Number(price) > 0 ? `${name} (+ ${money(price, settings)})` : name,
  });
  const leg = (name: "pickup" | "return", side: "from" | "to", places: readonly PickupPlace[], least: string) => {
    const action = name === "pickup" ? "deliveries" : "collections";
    const where = of(`${name}_place`);
    return (
      <fieldset>
        <legend>{texts[name]}</legend>
        <Pick
          label={texts.place}
          name={`${name}_place`}
          value={where}
          options={places.map(place)}
          onChange={(value) => change({ [`${name}_place`]: value, ...(name === "pickup" && { return_place: value }) })}
        />
        <div class="pair">
          <DatePicker
            label={texts[`${name}Date`]}
            name={`date_${side}`}
            value={of(`date_${side}`)}
            least={least}
            language={shop.language}
            texts={texts}
            loadDays={(from, to) => rentalLists.days(client, action, where, from, to)}
            onChange={(date) => change({ [`date_${side}`]: date, ...moved(search, side, date, settings) })}
          />
          {!(side === "to" && settings.same_pickup_return_time) && (
            <TimePick
              label={texts.time}
              name={`time_${side}`}
              value={of(`time_${side}`)}
              asked={where && of(`date_${side}`)}
              load={() => rentalLists.times(client, action, where, of(`date_${side}`))}
              onChange={(time) => change({ [`time_${side}`]: time })}
            />
          )}
        </div>
      </fieldset>
    );
  };
  const submit = () => {
    const begin = `${of("date_from")} ${of("time_from")}`;
    const asked = settings.same_pickup_return_time ? { ...search, time_to: of("time_from") } : search;
    const end = `${of("date_to")} ${asked["time_to"] ?? ""}`;
    if (!of("date_from") || !of("date_to") || end <= begin) return setWrong(texts.returnBefore);
    setWrong("");
    shop.find(asked);
  };

  return (
    <SearchFrame
      shop={shop}
      title={texts.title}
      wrong={wrong}
      isReady={pickups.length > 0 && returns.length > 0}
      onSubmit={submit}
    >
      <div class="legs">
        {leg("pickup", "from", pickups, settings.server_date)}
        {leg("return", "to", returns, of("date_from") || settings.server_date)}
      </div>
      <div class="legs">
        {ages.length > 0 && (
          <Pick
            label={texts.driverAge}
            name="driver_age_rule"
            value={of("driver_age_rule")}
            options={[
              { value: "", label: "–" },
              ...ages.map(({ id, description }) => ({ value: String(id), label: description })),
            ]}
            onChange={(value) => change({ driver_age_rule: value })}
          />
        )}
        {settings.promotion_code && (
          <Field label={texts.code} hint={texts.optional}>
            {(wiring) => (
              <input
                {...wiring}
                name="promotion_code"
                value={of("promotion_code")}
                maxLength={40}
                autocomplete="off"
                onInput={(event) => change({ promotion_code: event.currentTarget.value.trim() })}
              />
            )}
          </Field>
        )}
      </div>
    </SearchFrame>
  );
}

// A pickup after the return takes the return with it.
function moved(search: Search, side: "from" | "to", date: string, settings: Settings): Search {
  const isBehind = side === "from" && date >= (search["date_to"] ?? "");
  return isBehind ? { date_to: addDays(date, settings.selector_date_to_days) } : {};
}
