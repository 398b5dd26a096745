import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { formatAmount, formatMoment } from "./format.ts";
import type { Cart, Settings } from "./model.ts";
import { fillPlaceholders } from "./texts.ts";
import type { BookingFlow } from "./use-booking-flow.ts";

interface Props {
  readonly shop: BookingFlow;
  readonly settings: Settings;
  readonly cart: Cart;
  readonly isAccepted: boolean;
  readonly problem: string | undefined;
  readonly onAccept: (isAccepted: boolean) => void;
}

/** Whether the visitor has to tick a box before the order. */
export const needsTermsCheckbox = ({ terms_url: url, terms_acceptance: form }: Settings) =>
  Boolean(url) && form === "checkbox";

/** Terms, privacy notice and cancellation, which a visitor reads before the order. */
export function Terms({ shop, settings, cart, isAccepted, problem, onAccept }: Props) {
  const { texts } = shop;
  const { terms_url: terms, privacy_url: privacy } = settings;
  const termsLink = terms && link(terms, texts.terms);
  return (
    <div class="terms" part="terms">
      <Cancellation {...{ shop, settings, cart }} />
      {termsLink &&
        (needsTermsCheckbox(settings) ? (
          <TermsBox isAccepted={isAccepted} problem={problem} onAccept={onAccept}>
            {around(texts.acceptTerms, "terms", termsLink)}
          </TermsBox>
        ) : (
          <p>{around(texts.orderTerms, "terms", termsLink)}</p>
        ))}
      {privacy && <p>{around(texts.privacyHint, "privacy", link(privacy, texts.privacy))}</p>}
    </div>
  );
}

function Cancellation({ shop: { texts, locale }, settings, cart }: Pick<Props, "shop" | "settings" | "cart">) {
  const { freeCancellationUntil: until, cancellationFee: fee } = cart;
  return (
    <p data-cancellation class={until ? "free" : undefined}>
      {until
        ? fillPlaceholders(texts.freeUntil, { moment: formatMoment(until, locale) })
        : `${texts.fee} ${formatAmount(fee, settings)}`}
    </p>
  );
}

type BoxProps = Pick<Props, "isAccepted" | "problem" | "onAccept"> & { readonly children: ComponentChildren };

function TermsBox({ isAccepted, problem, onAccept, children }: BoxProps) {
  const id = useId();
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          name="accepted_terms"
          checked={isAccepted}
          aria-required="true"
          aria-invalid={problem ? "true" : undefined}
          aria-describedby={problem ? id : undefined}
          onChange={(event) => onAccept(event.currentTarget.checked)}
        />
        <span>{children}</span>
      </label>
      {problem && (
        <p class="wrong" id={id}>
          {problem}
        </p>
      )}
    </>
  );
}

const link = (href: string, text: string) => (
  <a href={href} target="_blank" rel="noopener">
    {text}
  </a>
);

/** Returns a text with an element at its placeholder. */
function around(text: string, name: string, element: ComponentChildren) {
  const [before, after] = text.split(`{${name}}`);
  return (
    <>
      {before}
      {element}
      {after}
    </>
  );
}
