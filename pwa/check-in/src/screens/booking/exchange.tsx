import { useEffect, useState } from "preact/hooks";
import type { Booking, RentalUnit, Vehicle } from "../../api/messages.ts";
import { t } from "../../i18n/texts.ts";
import { fleet, loadFleet, renewFleet } from "../../state/day.ts";
import { folded } from "../../state/entries.ts";
import {
  EMPTY_EXCHANGE,
  type ExchangeForm,
  exchangeOf,
  improbableIn,
  offeredFor,
  truthsOfUnit,
} from "../../state/exchange.ts";
import { countText } from "../../state/moments.ts";
import { type Asked, type MoveQuote, makeExchange, quoteExchange } from "../../state/moves.ts";
import { isOnline } from "../../state/outbox.ts";
import type { VehicleTruth } from "../../state/vehicle-truth.ts";
import { Icon } from "../../ui/icon.tsx";
import { Field, Plate } from "../../ui/parts.tsx";
import { Oddities, StateChip } from "../work/vehicle-parts.tsx";
import { Costs, Trouble, troubleOf } from "./move-answer.tsx";

interface Props {
  readonly booking: Booking;
  readonly unit: RentalUnit;
}

/** The vehicle that is out comes back and another one goes out, with both readings. Needs the network. */
export default function ExchangeCard({ booking, unit }: Props) {
  const [isOpen, setOpen] = useState(false);
  const [isDone, setDone] = useState(false);
  if (isDone) {
    return (
      <p class="note" role="status">
        <Icon name="check" />
        {t("exchangeDone")}
      </p>
    );
  }
  if (isOpen) return <Form booking={booking} unit={unit} onDone={() => setDone(true)} />;
  return (
    <button type="button" class="other" onClick={() => setOpen(true)}>
      <Icon name="car" />
      {t("exchange")}
    </button>
  );
}

function Form({ booking, unit, onDone }: Props & { readonly onDone: () => void }) {
  const [form, setForm] = useState<ExchangeForm>(EMPTY_EXCHANGE);
  const [quote, setQuote] = useState<Asked<MoveQuote> | undefined>(undefined);
  const [failed, setFailed] = useState<Asked<unknown> | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => void loadFleet().then(renewFleet), []);
  const truth = truthsOfUnit(booking, unit);
  const out = fleet.value.find(({ reference }) => reference === form.reference);
  const set = (changes: Partial<ExchangeForm>) => {
    setForm({ ...form, readings_confirmed: false, ...changes });
    setQuote(undefined);
    setFailed(undefined);
  };
  const improbable = improbableIn(unit, form);
  const wanted = improbable && !form.readings_confirmed ? undefined : exchangeOf(unit, form);
  const ask = async () => {
    if (!wanted) return;
    setBusy(true);
    setQuote(await quoteExchange(booking, wanted));
    setBusy(false);
  };
  const make = async () => {
    if (!wanted) return;
    setBusy(true);
    const made = await makeExchange(booking, wanted);
    setBusy(false);
    if (made.kind === "ok") onDone();
    else setFailed(made);
  };
  return (
    <section class="exchange">
      <h2>{t("exchange")}</h2>
      {!isOnline.value && <p class="soft">{t("exchangeOffline")}</p>}
      {out ? (
        <Chosen vehicle={out} truth={truth(out)} category={unit.category_name} onOther={() => set({ reference: "" })} />
      ) : (
        <Choose unit={unit} truth={truth} onChoose={({ reference }) => set({ reference })} />
      )}
      <Reading label={t("exchangeIn", { plate: plateOf(unit.vehicle) })} side="in" form={form} onChange={set} />
      {out && <Reading label={t("exchangeOut", { plate: plateOf(out) })} side="out" form={form} onChange={set} />}
      {improbable && (
        <label class="sure">
          <input
            type="checkbox"
            checked={form.readings_confirmed}
            onChange={({ currentTarget }) => set({ readings_confirmed: currentTarget.checked })}
          />
          <span>{t("confirmReadings", { km: countText(improbable.kilometres) })}</span>
        </label>
      )}
      {out && out.category_code !== unit.category_code && (
        <Field label={t("upgradePrice")} hint={t("upgradePriceHint")}>
          <input
            inputMode="decimal"
            name="upgrade-price"
            value={form.upgrade_price}
            onInput={({ currentTarget }) => set({ upgrade_price: currentTarget.value })}
          />
        </Field>
      )}
      <Field label={t("exchangeReason")}>
        <input
          value={form.reason}
          maxLength={400}
          onInput={({ currentTarget }) => set({ reason: currentTarget.value })}
        />
      </Field>
      <Trouble text={troubleOf(failed) ?? troubleOf(quote)} />
      {quote?.kind === "ok" && quote.value.allowed ? (
        <>
          <Costs quote={quote.value} />
          <button type="button" class="other" disabled={isBusy || !wanted} onClick={() => void make()}>
            {t("exchange")}
          </button>
        </>
      ) : (
        <button type="button" class="other" disabled={isBusy || !wanted || !isOnline.value} onClick={() => void ask()}>
          {t("askPrice", { what: t("exchange") })}
        </button>
      )}
    </section>
  );
}

const plateOf = (vehicle: Vehicle | null) => vehicle?.stock_plate ?? vehicle?.reference ?? "–";

interface ChosenProps {
  readonly vehicle: Vehicle;
  readonly truth: VehicleTruth;
  readonly category: string;
  readonly onOther: () => void;
}

function Chosen({ vehicle, truth, category, onOther }: ChosenProps) {
  return (
    <>
      <div class="row">
        <Plate text={plateOf(vehicle)} />
        <StateChip state={truth.state} />
        <button type="button" class="link" onClick={onOther}>
          {t("otherVehicle")}
        </button>
      </div>
      <Oddities truth={truth} vehicle={vehicle} category={category} />
    </>
  );
}

interface ChooseProps {
  readonly unit: RentalUnit;
  readonly truth: (vehicle: Vehicle) => VehicleTruth;
  readonly onChoose: (vehicle: Vehicle) => void;
}

function Choose({ unit, truth, onChoose }: ChooseProps) {
  const [text, setText] = useState("");
  const offered = offeredFor(unit, folded(text), truth);
  return (
    <>
      <Field label={t("exchangeFor")}>
        <input
          type="search"
          autocapitalize="characters"
          placeholder={t("searchPlate")}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </Field>
      <ul class="entries">
        {offered.map((vehicle) => (
          <li key={vehicle.reference}>
            <button type="button" class="entry vehicle" onClick={() => onChoose(vehicle)}>
              <span class="grow">
                <span class="row wrap">
                  <Plate text={plateOf(vehicle)} />
                  <StateChip state={truth(vehicle).state} />
                </span>
                <b class="who">{vehicle.name}</b>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {offered.length === 0 && <p class="soft">{t("nothingFound")}</p>}
    </>
  );
}

const EIGHTHS = [8, 7, 6, 5, 4, 3, 2, 1, 0] as const;
const LONGEST_READING = 7;

interface ReadingProps {
  readonly label: string;
  readonly side: "in" | "out";
  readonly form: ExchangeForm;
  readonly onChange: (changes: Partial<ExchangeForm>) => void;
}

function Reading({ label, side, form, onChange }: ReadingProps) {
  const [kilometres, fuel] = [`kilometres_${side}`, `fuel_${side}`] as const;
  return (
    <fieldset>
      <legend>{label}</legend>
      <div class="row">
        <Field label={t("kilometres")}>
          <input
            inputMode="numeric"
            name={`kilometres-${side}`}
            value={form[kilometres]}
            onInput={({ currentTarget }) =>
              onChange({ [kilometres]: currentTarget.value.replace(/\D/g, "").slice(0, LONGEST_READING) })
            }
          />
        </Field>
        <Field label={t("fuel")}>
          <select
            name={`fuel-${side}`}
            value={form[fuel]}
            onChange={({ currentTarget }) => onChange({ [fuel]: currentTarget.value })}
          >
            <option value="">–</option>
            {EIGHTHS.map((eighths) => (
              <option key={eighths} value={String(eighths)}>
                {eighths}/8
              </option>
            ))}
          </select>
        </Field>
      </div>
    </fieldset>
  );
}
