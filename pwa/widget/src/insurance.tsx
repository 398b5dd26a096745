import { ActionProblem } from "./action-problem.tsx";
import { formatAmount, formatAveragePerDay } from "./format.ts";
import type { Cart, Extra, InsuranceAmounts, Settings } from "./model.ts";
import { fillPlaceholders } from "./texts.ts";
import type { BookingFlow } from "./use-booking-flow.ts";

interface Props {
  readonly shop: BookingFlow;
  readonly settings: Settings;
  readonly cart: Cart;
}

/** Extras that lower the deposit or the excess, and that can be booked. */
export const listInsurances = ({ extras }: Pick<Cart, "extras">): readonly InsuranceExtra[] =>
  extras.filter((extra): extra is InsuranceExtra => extra.insurance !== undefined && extra.most > 0);

type InsuranceExtra = Extra & { readonly insurance: InsuranceAmounts };

/** Cards with the cover, price, deposit and excess of each insurance. One is chosen. */
export function InsuranceCards({ shop, settings, cart }: Props) {
  const { texts, wanted } = shop;
  const insurances = listInsurances(cart);
  const [first] = insurances;
  if (!first) return null;
  const getQuantity = ({ id }: Extra) =>
    wanted[`extra ${id}`] ?? cart.trip.extras.find((extra) => extra.id === id)?.quantity ?? 0;
  const chosen = insurances.filter((extra) => getQuantity(extra) > 0);
  const choose = (insurance: Extra | undefined) => {
    for (const other of chosen) if (other !== insurance) void shop.setExtra(other.id, 0);
    if (insurance && !chosen.some(({ id }) => id === insurance.id)) void shop.setExtra(insurance.id, 1);
  };
  const { depositWithout, excessWithout } = first.insurance;
  // A company that asks for a deposit only must not promise "No excess" for its basic cover.
  const hasExcess = Number(excessWithout) > 0;
  const card = (
    insurance: InsuranceExtra | undefined,
    name: string,
    text: string,
    { deposit, excess }: Pick<InsuranceAmounts, "deposit" | "excess">,
  ) => (
    <label key={insurance?.id ?? ""} class="cover" part="insurance">
      <span class="check">
        <input
          type="radio"
          name="insurance"
          data-insurance={insurance?.code ?? ""}
          checked={insurance ? chosen[0] === insurance : chosen.length === 0}
          onChange={() => choose(insurance)}
        />
        <b>{name}</b>
      </span>
      {text && <span class="quiet">{text}</span>}
      {insurance && <Price price={insurance.price} {...{ shop, settings, cart }} />}
      <span>{amountText(deposit, [texts.deposit, texts.noDeposit], settings)}</span>
      {hasExcess && <span>{amountText(excess, [texts.excess, texts.noExcess], settings)}</span>}
    </label>
  );
  return (
    <fieldset class="covers">
      <legend class="unseen">{texts.insurance}</legend>
      {card(undefined, texts.basicCover, texts.basicCoverText, { deposit: depositWithout, excess: excessWithout })}
      {insurances.map((extra) => card(extra, extra.name, extra.text ?? "", extra.insurance))}
      {insurances.map(({ id }) => (
        <ActionProblem key={id} shop={shop} at={`extra ${id}`} />
      ))}
    </fieldset>
  );
}

function Price({ price, shop, settings, cart }: Props & { readonly price: string }) {
  const { days } = cart.trip;
  return (
    <span>
      <b>{formatAmount(price, settings)}</b>
      {days !== null && days > 1 && (
        <small>
          {" "}
          {fillPlaceholders(shop.texts.perDay, { amount: formatAmount(formatAveragePerDay(price, days), settings) })}
        </small>
      )}
    </span>
  );
}

const amountText = (amount: string, [some, none]: readonly [string, string], settings: Settings) =>
  Number(amount) > 0 ? fillPlaceholders(some, { amount: formatAmount(amount, settings) }) : none;
