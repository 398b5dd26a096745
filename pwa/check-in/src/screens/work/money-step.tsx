import type { ContractAmounts, HandOverSettlement, PaymentSource } from "#domain/check-in/settlement.ts";
import { t } from "../../i18n/texts.ts";
import { createUuidV7 } from "../../offline/ids.ts";
import type { WorkDraft } from "../../offline/items.ts";
import { calculateSoldExtrasCents } from "../../state/booking-settlement.ts";
import { sumDamagePrices } from "../../state/damage-prices.ts";
import { formatMoney, fromCents, toCents } from "../../state/money.ts";
import { changeOpenWork } from "../../state/work.ts";
import { Icon } from "../../ui/icon.tsx";
import { ChargeCard } from "./charge-card.tsx";
import { ClosingCostLines } from "./closing-cost-lines.tsx";
import { calculateDraftClosingCosts, getDraftVehicle } from "./closing-costs.ts";
import {
  calculateDraftSettlement,
  calculateUnsettledAmounts,
  type ProposedCardHoldAction,
  proposeCardHoldAction,
  suggestDraftCharges,
} from "./draft-settlement.ts";
import type { StepProps } from "./step-props.ts";

type Charge = WorkDraft["charges"][number];
type Kind = Charge["kind"];

/** Payments at the desk. Recorded here, but charged by the card terminal or the till. */
export function MoneyStep({ draft, frame, onNext }: StepProps) {
  const closing = draft.kind === "collection" ? calculateDraftClosingCosts(draft) : undefined;
  const known = calculateDraftSettlement(draft);
  const cardHold = proposeCardHoldAction(draft);
  const suggestions = listSuggestions(draft);
  // An exchange without an upgrade charges nothing, so an older debt must not hold it up.
  const due = calculateUnsettledAmounts(draft).sum > 0 ? suggestions[0] : undefined;
  return frame(
    <>
      {due && <Suggestion draft={draft} charges={due} isMain />}
      <button type="button" class={due ? "other" : "main"} onClick={onNext}>
        {t(due ? "continueUnpaid" : "continue")}
      </button>
    </>,
    <>
      {closing && <ClosingCostLines closing={closing} vehicle={getDraftVehicle(draft)} />}
      {known && <Sum draft={draft} {...known} />}
      {cardHold && <p class="note">{toCardHoldText(cardHold)}</p>}
      {suggestions
        .filter((charges) => charges !== due)
        .map((charges) => (
          <Suggestion key={charges[0]?.kind} {...{ draft, charges }} />
        ))}
      {draft.charges.map((charge) => (
        <ChargeCard key={charge.charge_id} draft={draft} charge={charge} />
      ))}
      {known && known.settlement.excessCents > 0 && (
        <p class="note" data-tone="refused" role="alert">
          <Icon name="refused" />
          {t("depositExcess", { amount: formatMoney(known.settlement.excessCents) })}
        </p>
      )}
      <OtherAmount draft={draft} isReturn={known?.account.isReturn ?? draft.kind === "collection"} />
    </>,
    due ? "due" : "settled",
  );
}

interface KnownProps {
  readonly draft: WorkDraft;
  readonly account: ContractAmounts;
  readonly settlement: HandOverSettlement;
}

/** The amount due, its parts and the remaining balance. */
function Sum({ draft, account, settlement }: KnownProps) {
  const soldCents = calculateSoldExtrasCents(draft);
  const damageCents = sumDamagePrices(draft);
  const { openCents } = settlement;
  const lines = [
    [t("contractTotal"), account.totalCents],
    [t("soldNow"), soldCents],
    [t("damageCharges"), damageCents],
    [t("closing"), account.addedCents - soldCents - damageCents],
    [t("paidBefore"), -account.paidCents],
  ] as const;
  return (
    <section class="card">
      <dl class="facts amounts">
        {lines
          .filter(([, cents]) => cents !== 0)
          .map(([label, cents]) => (
            <Line key={label} label={label} cents={cents} />
          ))}
        <Line label={t("due")} cents={Math.max(0, settlement.owedCents)} isStrong />
      </dl>
      <p class="line" data-state={openCents > 0 ? "open" : "settled"}>
        <Icon name={openCents > 0 ? "refused" : "check"} />
        {openText(openCents)}
      </p>
      {(account.depositCents > 0 || account.heldCents > 0) && (
        <p class="line" data-state={isDepositSettled(account, settlement) ? "settled" : "open"}>
          <Icon name={isDepositSettled(account, settlement) ? "check" : "refused"} />
          {depositText(account, settlement)}
        </p>
      )}
    </section>
  );
}

function Line({ label, cents, isStrong = false }: { label: string; cents: number; isStrong?: boolean }) {
  return (
    <>
      <dt>{label}</dt>
      <dd>{isStrong ? <b>{formatMoney(cents)}</b> : formatMoney(cents)}</dd>
    </>
  );
}

function toCardHoldText({ heldCents, captureCents }: ProposedCardHoldAction): string {
  const amount = formatMoney(heldCents);
  return captureCents > 0
    ? t("cardHoldCapture", { amount, due: formatMoney(captureCents) })
    : t("cardHoldRelease", { amount });
}

function openText(cents: number): string {
  if (cents === 0) return t("nothingOpen");
  return t(cents > 0 ? "stillOpen" : "overpaid", { amount: formatMoney(Math.abs(cents)) });
}

const isDepositSettled = ({ isReturn }: ContractAmounts, { depositOpenCents, heldCents }: HandOverSettlement) =>
  isReturn ? heldCents === 0 : depositOpenCents === 0;

function depositText({ isReturn }: ContractAmounts, { depositOpenCents, heldCents }: HandOverSettlement): string {
  if (isReturn)
    return heldCents === 0 ? t("depositSettled") : t("depositStillHeld", { amount: formatMoney(heldCents) });
  return depositOpenCents === 0
    ? t("depositIsHeld", { amount: formatMoney(heldCents) })
    : t("depositOpen", { amount: formatMoney(depositOpenCents) });
}

/** Lists the ways to settle the open amount: from the deposit, if it is held at a return, and by the customer. */
function listSuggestions(draft: WorkDraft) {
  const known = calculateDraftSettlement(draft);
  if (!known) return [];
  const { account, settlement } = known;
  const ways: readonly PaymentSource[] =
    account.isReturn && settlement.openCents > 0 && settlement.heldCents > 0 ? ["deposit", "customer"] : ["customer"];
  return ways.map((way) => suggestDraftCharges(draft, way)).filter((charges) => charges.length > 0);
}

interface SuggestionProps {
  readonly draft: WorkDraft;
  readonly charges: readonly Charge[];
  readonly isMain?: boolean;
}

/** Button that records the open amount with one tap, as a payment or from the deposit. */
function Suggestion({ draft, charges, isMain = false }: SuggestionProps) {
  return (
    <button
      type="button"
      class={isMain ? "main suggestion" : "other suggestion"}
      onClick={() => void changeOpenWork({ charges: [...draft.charges, ...charges] })}
    >
      <Icon name="money" />
      <span>{charges.map(toText).join(" · ")}</span>
    </button>
  );
}

const toText = ({ kind, amount }: Charge) => `${t(`take_${kind}`)} ${formatMoney(toCents(amount) ?? 0)}`;

const KINDS: Readonly<Record<"out" | "back", readonly Kind[]>> = {
  out: ["payment", "deposit_taken"],
  back: ["payment", "deposit_kept", "deposit_returned"],
};

/** Choice that adds an empty charge of a kind, if no suggestion fits. */
function OtherAmount({ draft, isReturn }: { readonly draft: WorkDraft; readonly isReturn: boolean }) {
  const add = (kind: Kind) =>
    void changeOpenWork({
      charges: [
        ...draft.charges,
        { charge_id: createUuidV7(Date.now()), kind, amount: fromCents(0), payment_method_id: "credit_card" },
      ],
    });
  return (
    <label class="field">
      <span class="label">{t("otherAmount")}</span>
      <select
        value=""
        onChange={({ currentTarget }) => {
          const kind = KINDS[isReturn ? "back" : "out"].find((item) => item === currentTarget.value);
          currentTarget.value = "";
          if (kind) add(kind);
        }}
      >
        <option value="">{t("chooseKind")}</option>
        {KINDS[isReturn ? "back" : "out"].map((kind) => (
          <option key={kind} value={kind}>
            {t(`charge_${kind}`)}
          </option>
        ))}
      </select>
    </label>
  );
}
