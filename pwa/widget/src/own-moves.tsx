import { useState } from "preact/hooks";
import { money } from "./format.ts";
import type { OwnExtra, OwnQuote, OwnWish, Reservation, Settings } from "./model.ts";
import { OwnChange } from "./own-change.tsx";
import { OwnTransfer } from "./own-transfer.tsx";
import type { Texts } from "./texts.ts";
import type { Shop } from "./use-shop.ts";

interface Props {
  readonly shop: Shop;
  readonly settings: Settings;
  readonly reservation: Reservation;
}

const CHANGEABLE = ["pending_confirmation", "confirmed"];

/** Changing and cancelling one's own reservation, where the account allows it: first what it costs, then it is done. */
export function OwnMoves({ shop, settings, reservation }: Props) {
  const { texts } = shop;
  const [wish, setWish] = useState<OwnWish>();
  const [quote, setQuote] = useState<OwnQuote>();
  const [offered, setOffered] = useState<readonly OwnExtra[]>();
  const [isChanged, setIsChanged] = useState(false);
  const { period, ride } = reservation;
  if (!settings.customer_changes_allowed || !CHANGEABLE.includes(reservation.status)) return null;
  const ask = async (next: OwnWish) => {
    setWish(next);
    setIsChanged(false);
    setQuote(await shop.quote(next));
  };
  // What may be chosen comes with the price of no change.
  const begin = async () => {
    setIsChanged(false);
    setQuote(undefined);
    setOffered((await shop.quote({ move: "change" }))?.extras);
  };
  const leave = () => {
    setWish(undefined);
    setOffered(undefined);
    setQuote(undefined);
  };
  const make = async () => {
    if (!wish || !quote || !(await shop.make(wish, quote))) return;
    setIsChanged(true);
    leave();
  };
  return (
    <section class="card" data-moves>
      <p role="status" class="busy">
        {isChanged ? texts.changed : ""}
      </p>
      {wish === undefined && offered === undefined && (
        <Offered
          {...{ texts, reservation }}
          onChange={() => void begin()}
          onCancel={() => void ask({ move: "cancel" })}
        />
      )}
      {period && offered && !quote && (
        <OwnChange {...{ shop, settings, period, offered }} onAsk={(next) => void ask({ move: "change", ...next })} />
      )}
      {ride && offered && !quote && (
        <OwnTransfer {...{ shop, settings }} agreed={ride} onAsk={(next) => void ask({ move: "change", ...next })} />
      )}
      {wish && quote && <Quoted {...{ shop, settings, wish, quote }} onMake={() => void make()} />}
      {(wish ?? offered) && (
        <button type="button" class={wish?.move === "cancel" ? "main" : "other"} data-leave onClick={leave}>
          {texts.keepIt}
        </button>
      )}
    </section>
  );
}

interface OfferedProps {
  readonly texts: Texts;
  readonly reservation: Reservation;
  readonly onChange: () => void;
  readonly onCancel: () => void;
}

function Offered({ texts, reservation: { period, ride }, onChange, onCancel }: OfferedProps) {
  return (
    <>
      {(period ?? ride) && (
        <button type="button" class="other" data-move="change" onClick={onChange}>
          {ride ? texts.changeTrips : texts.changeBooking}
        </button>
      )}
      <button type="button" class="other" data-move="cancel" onClick={onCancel}>
        {texts.cancelIt}
      </button>
    </>
  );
}

interface QuotedProps {
  readonly shop: Shop;
  readonly settings: Settings;
  readonly wish: OwnWish;
  readonly quote: OwnQuote;
  readonly onMake: () => void;
}

function Quoted({ shop: { texts }, settings, wish, quote, onMake }: QuotedProps) {
  const isChange = wish.move === "change";
  const lines = isChange
    ? [
        [texts.difference, quote.difference],
        [texts.newTotal, quote.new_total_cost],
      ]
    : [
        [texts.fee, quote.fee],
        [texts.refund, quote.to_refund],
      ];
  return (
    <>
      {!isChange && <p role="alert">{texts.sure}</p>}
      <div role="status">
        <dl data-quote>
          {lines.flatMap(([name, amount = "0"]) => [
            <dt key={name}>{name}</dt>,
            <dd key={`${name} amount`}>{money(amount, settings)}</dd>,
          ])}
        </dl>
      </div>
      <button type="button" class={isChange ? "main" : "other"} data-confirm onClick={onMake}>
        {isChange ? texts.confirmChange : texts.confirmCancel}
      </button>
    </>
  );
}
