import { useLayoutEffect, useRef } from "preact/hooks";
import { fillPlaceholders } from "./texts.ts";
import type { BookingFlow } from "./use-booking-flow.ts";

/**
 * Bar above each step to find a booking, and to sign in to a customer account and out if the company has accounts.
 */
export function CustomerBar({ shop, hasAccounts }: { readonly shop: BookingFlow; readonly hasAccounts: boolean }) {
  const { texts, customer, place } = shop;
  const bar = useRef<HTMLParagraphElement>(null);
  const isLeaving = useRef(false);
  // The sign-out button disappears, so focus the sign-in button.
  useLayoutEffect(() => {
    if (isLeaving.current && !customer) bar.current?.querySelector<HTMLElement>("button:last-child")?.focus();
    isLeaving.current = false;
  }, [customer]);
  const account = () => shop.go({ step: "account", search: place.search });
  // Focus the form to find a booking, because the page begins with the sign-in form.
  const findBooking = ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    const root = currentTarget.getRootNode() as ShadowRoot;
    account();
    setTimeout(() => root.querySelector<HTMLElement>("[data-find] input")?.focus());
  };
  if (!customer) {
    if (place.step === "account") return null;
    return (
      <p class="who" ref={bar}>
        <button type="button" class="link" data-find-booking onClick={findBooking}>
          {texts.findBooking}
        </button>
        {hasAccounts && (
          <button type="button" class="link" data-sign-in onClick={account}>
            {texts.signIn}
          </button>
        )}
      </p>
    );
  }
  return (
    <>
      <p class="who">
        <span data-customer>{fillPlaceholders(texts.signedInAs, { name: customer })}</span>
        {place.step !== "account" && (
          <button type="button" class="link" data-own onClick={account}>
            {texts.mineAll}
          </button>
        )}
        <button
          type="button"
          class="link"
          data-sign-out
          onClick={() => {
            isLeaving.current = true;
            shop.signOut();
          }}
        >
          {texts.signOut}
        </button>
      </p>
      {shop.signedUpEmail && place.step !== "reservation" && (
        <p role="status" data-confirm-email>
          {fillPlaceholders(texts.confirmEmail, { email: shop.signedUpEmail })}
        </p>
      )}
    </>
  );
}
