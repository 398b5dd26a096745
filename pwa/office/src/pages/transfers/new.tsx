import { useState } from "preact/hooks";
import { may, nowThere } from "../../account.ts";
import { ask, contentOf, office } from "../../api.ts";
import { Extras, MoveField } from "../../desk/move-field.tsx";
import type { NewTransferQuote } from "../../desk/quote.ts";
import { reasonsOf, reasonWords } from "../../desk/refusals.ts";
import { isAsked, TRANSFER_FIELDS } from "../../desk/transfer-form.ts";
import { type TextKey, t } from "../../texts.ts";
import { keepDraft, readDraft } from "../drafts.ts";
import { CustomerChoice } from "../reservations/customer-choice.tsx";
import { useQuoted } from "../reservations/sale-quotes.ts";
import { useSelling } from "../reservations/selling.ts";
import { SellingPage } from "../reservations/selling-page.tsx";
import { MoreOfRide, RideSummary, Vehicles } from "./parts.tsx";
import { bodyOf, missingOf, newRide, quoteOf, type Ride, VEHICLE, withAsked } from "./ride.ts";

const LIST = "transfer";
const PEOPLE = ["transfer.adults", "transfer.children", "transfer.infants"];
const EXTRAS = "transfer.extras";

/** A transfer at the desk or on the phone, made by keyboard alone: its trips, who and how many, what drives them. */
export function NewTransfer() {
  const [ride, setRide] = useState<Ride>(firstRide);
  const selling = useSelling({
    title: "newTransfer",
    list: LIST,
    path: "/transfers",
    missing: () => missingOf(ride),
    body: () => bodyOf(ride),
  });
  const { wrong, refusals, settle } = selling;
  const [turn, setTurn] = useState(0);
  const quoted = useQuoted(quoteOf(ride), readQuote, refusals + turn);
  const { quote } = quoted;
  const change = (to: (before: Ride) => Ride) => {
    settle();
    setRide((before) => {
      const next = to(before);
      keepDraft(LIST, undefined, next as unknown as Readonly<Record<string, unknown>>);
      return next;
    });
  };
  const say = (said: Partial<Ride>) => change((before) => ({ ...before, ...said }));
  const askFor = (name: string, value: unknown) => change((before) => withAsked(before, name, value));
  if (!may("sell")) return <main>{t("notAllowed")}</main>;
  const problemOf = (name: string) => wrong.fields[name] ?? reasonOf(quote, name);
  const fields = TRANSFER_FIELDS.filter((one) => isAsked(one, ride.asked));
  const field = (one: (typeof fields)[number]) => (
    <MoveField
      key={one.name}
      field={one}
      value={ride.asked[one.name]}
      problem={problemOf(one.name)}
      onChange={(value) => askFor(one.name, value)}
    />
  );
  const group = (title: TextKey, isOfIt: (one: (typeof fields)[number]) => boolean) => (
    <fieldset class="group">
      <legend>{t(title)}</legend>
      {fields.filter(isOfIt).map(field)}
    </fieldset>
  );
  return (
    <SellingPage
      title="newTransfer"
      list={LIST}
      selling={selling}
      quoted={quoted}
      onRetry={() => setTurn(turn + 1)}
      isConfirmed={ride.status === "confirmed"}
      summary={<RideSummary ride={ride} quote={quote} isReading={quoted.isReading} />}
      onDiscard={() => setRide(newRide(nowThere().date))}
    >
      {group("groupOutward", (one) => one.group === "outward")}
      {group("groupReturn", (one) => one.group === "return")}
      {group("groupPeople", (one) => PEOPLE.includes(one.name))}
      <Vehicles ride={ride} quote={quote} problem={problemOf(VEHICLE)} onChoose={(id) => askFor(VEHICLE, id)} />
      <fieldset class="group">
        <legend>{t("customer")}</legend>
        <div class="wide">
          <CustomerChoice sale={ride} problems={wrong.fields} onSay={say} />
        </div>
      </fieldset>
      <fieldset class="group">
        <legend>{t("in.extras")}</legend>
        <div class="wide">
          <Extras kind="transferExtras" value={ride.asked[EXTRAS]} onChange={(value) => askFor(EXTRAS, value)} />
          {problemOf(EXTRAS) && <p class="problem">{problemOf(EXTRAS)}</p>}
        </div>
      </fieldset>
      <MoreOfRide ride={ride} problemOf={problemOf} onSay={say} />
    </SellingPage>
  );
}

function firstRide(): Ride {
  return { ...newRide(nowThere().date), ...(readDraft(LIST, undefined) as Partial<Ride>) };
}

// Who is sold out is named beside the vehicles, too.
function reasonOf(quote: NewTransferQuote | undefined, name: string): string | undefined {
  const isOfIt = (reason: NewTransferQuote["reasons"][number]) =>
    reason.field === name || (name === VEHICLE && reason.code === "sold_out");
  const reason = quote?.reasons.find(isOfIt);
  return reason && reasonWords(reason);
}

async function readQuote(asked: object): Promise<NewTransferQuote> {
  const answer = await ask("POST", office("/transfers/quote"), { body: asked });
  const refused = { available: false, vehicles: [], quote: null };
  return contentOf<NewTransferQuote>(answer) ?? { ...refused, reasons: reasonsOf(answer) };
}
