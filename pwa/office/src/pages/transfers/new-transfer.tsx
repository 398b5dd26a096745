import { useState } from "preact/hooks";
import type { Typed } from "#shared/typed-requests.ts";
import type { NewTransferQuoteRequest } from "#worker/api/office/new-transfer-messages.ts";
import { getCompanyDateTime } from "../../account.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../../api.ts";
import { ActionFieldInput, ExtraQuantitiesInput } from "../../desk/action-field.tsx";
import type { NewTransferQuote } from "../../desk/quote.ts";
import { listReasons, translateReason } from "../../desk/refusals.ts";
import { isFieldVisible, TRANSFER_FIELDS } from "../../desk/transfer-form.ts";
import { useOptions } from "../../desk/use-options.ts";
import { type TextKey, t } from "../../texts.ts";
import { readFormDraft, saveFormDraft } from "../form-drafts.ts";
import { CustomerChoice } from "../reservations/customer-choice.tsx";
import { ShortageChoice } from "../reservations/sale-details.tsx";
import { isBuyerChanged } from "../reservations/sale-form.ts";
import { isSoldOut, useLoadedQuote } from "../reservations/sale-quotes.ts";
import { SellingPage } from "../reservations/selling-page.tsx";
import { useSalesForm } from "../reservations/use-sales-form.ts";
import {
  getInitialTransferDraft,
  listMissingTransferFields,
  setTransferDraftValue,
  TRANSFER_VEHICLE_FIELD,
  type TransferDraft,
  toTransferQuoteRequest,
  toTransferRequest,
} from "./transfer-draft.ts";
import { AdditionalTransferFields, TransferSummary, TransferVehicleChoices } from "./transfer-form-parts.tsx";

const LIST = "transfer";
const TRAVELLER_FIELDS = ["transfer.adults", "transfer.children", "transfer.infants"];
const EXTRAS = "transfer.extras";

/** New transfer at the desk or by phone, fully usable by keyboard: trips, customer, travellers and vehicle. */
export function NewTransfer() {
  const [ride, setRide] = useState<TransferDraft>(firstRide);
  const points = useOptions("transfer-points");
  const selling = useSalesForm({
    title: "newTransfer",
    list: LIST,
    path: "/transfers",
    missing: () => listMissingTransferFields(ride, points),
    body: () => toTransferRequest(ride),
  });
  const { wrong, refusals, settle } = selling;
  const [turn, setTurn] = useState(0);
  const quoted = useLoadedQuote(toTransferQuoteRequest(ride), readQuote, refusals + turn);
  const { quote } = quoted;
  const change = (to: (before: TransferDraft) => TransferDraft, isOtherBuyer = false) => {
    settle(isOtherBuyer);
    setRide((before) => {
      const next = to(before);
      saveFormDraft(LIST, undefined, next as unknown as Readonly<Record<string, unknown>>);
      return next;
    });
  };
  const updateDraft = (changes: Partial<TransferDraft>) =>
    change((before) => ({ ...before, ...changes }), isBuyerChanged(changes));
  const askFor = (name: string, value: unknown) => change((before) => setTransferDraftValue(before, name, value));
  const getFieldProblem = (name: string) => wrong.fields[name] ?? findQuoteReason(quote, name);
  const fields = TRANSFER_FIELDS.filter((actionField) => isFieldVisible(actionField, ride.formValues));
  const field = (actionField: (typeof fields)[number]) => (
    <ActionFieldInput
      key={actionField.name}
      field={actionField}
      value={ride.formValues[actionField.name]}
      problem={getFieldProblem(actionField.name)}
      onChange={(value) => askFor(actionField.name, value)}
    />
  );
  const group = (title: TextKey, belongsToGroup: (actionField: (typeof fields)[number]) => boolean) => (
    <fieldset class="group">
      <legend>{t(title)}</legend>
      {fields.filter(belongsToGroup).map(field)}
    </fieldset>
  );
  return (
    <SellingPage
      title="newTransfer"
      list={LIST}
      selling={selling}
      quoted={quoted}
      onRetry={() => setTurn(turn + 1)}
      submit={ride.status === "confirmed" ? "confirmSale" : "holdSale"}
      summary={<TransferSummary ride={ride} quote={quote} isReading={quoted.isReading} />}
      terms={
        <ShortageChoice
          sale={ride}
          isSoldOut={isSoldOut(quote)}
          problem={getFieldProblem("reason")}
          onSay={updateDraft}
        />
      }
      onChooseCustomer={updateDraft}
      onDiscard={() => setRide(getInitialTransferDraft(getCompanyDateTime().date))}
    >
      {group("groupOutward", (actionField) => actionField.group === "outward")}
      {group("groupReturn", (actionField) => actionField.group === "return")}
      {group("groupPeople", (actionField) => TRAVELLER_FIELDS.includes(actionField.name))}
      <TransferVehicleChoices
        ride={ride}
        quote={quote}
        problem={getFieldProblem(TRANSFER_VEHICLE_FIELD)}
        onChoose={(id) => askFor(TRANSFER_VEHICLE_FIELD, id)}
      />
      <fieldset class="group">
        <legend>{t("customer")}</legend>
        <div class="wide">
          <CustomerChoice sale={ride} problems={wrong.fields} needsPhone onSay={updateDraft} />
        </div>
      </fieldset>
      {group("groupFlights", ({ group: name, isQuoted }) => name === "what" && !isQuoted)}
      <fieldset class="group">
        <legend>{t("in.extras")}</legend>
        <div class="wide">
          <ExtraQuantitiesInput
            kind="transferExtras"
            value={ride.formValues[EXTRAS]}
            onChange={(value) => askFor(EXTRAS, value)}
          />
          {getFieldProblem(EXTRAS) && <p class="problem">{getFieldProblem(EXTRAS)}</p>}
        </div>
      </fieldset>
      <AdditionalTransferFields ride={ride} problemOf={getFieldProblem} onSay={updateDraft} />
    </SellingPage>
  );
}

function firstRide(): TransferDraft {
  return {
    ...getInitialTransferDraft(getCompanyDateTime().date),
    ...(readFormDraft(LIST, undefined) as Partial<TransferDraft>),
  };
}

// Returns the reason against a field. At the vehicle field, also that the chosen vehicle is sold out.
function findQuoteReason(quote: NewTransferQuote | undefined, name: string): string | undefined {
  const belongsToGroup = (reason: NewTransferQuote["reasons"][number]) =>
    reason.field === name || (name === TRANSFER_VEHICLE_FIELD && reason.code === "sold_out");
  const reason = quote?.reasons.find(belongsToGroup);
  return reason && translateReason(reason);
}

async function readQuote(quoteRequest: Typed<NewTransferQuoteRequest>): Promise<NewTransferQuote> {
  const answer = await sendOfficeRequest<NewTransferQuote, Typed<NewTransferQuoteRequest>>(
    "POST",
    toOfficePath("/transfers/quote"),
    {
      body: quoteRequest,
    },
  );
  const refused = { available: false, vehicles: [], quote: null };
  return getSuccessfulContent(answer) ?? { ...refused, reasons: listReasons(answer) };
}
