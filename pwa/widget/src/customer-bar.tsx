import { useLayoutEffect, useRef } from "preact/hooks";
import { fill } from "./texts.ts";
import type { BookingFlow } from "./use-shop.ts";

/**
 * Bar above each step to sign in to a customer account and out. Without accounts, links to the page to find a booking.
 */
export function CustomerBar({ shop, hasAccounts }: { readonly shop: BookingFlow; readonly hasAccounts: boolean }) {
  const { texts, customer, place } = shop;
  const bar = useRef<HTMLParagraphElement>(null);
  const isLeaving = useRef(false);
  // The sign-out button disappears, so focus the sign-in button.
  useLayoutEffect(() => {
    if (isLeaving.current && !customer) bar.current?.querySelector("button")?.focus();
    isLeaving.current = false;
  }, [customer]);
  const account = () => shop.go({ step: "account", search: place.search });
  if (!customer) {
    if (place.step === "account") return null;
    return (
      <p class="who" ref={bar}>
        <button
          type="button"
          class="link"
          {...(hasAccounts ? { "data-sign-in": true } : { "data-find-booking": true })}
          onClick={account}
        >
          {hasAccounts ? texts.signIn : texts.findBooking}
        </button>
      </p>
    );
  }
  return (
    <p class="who">
      <span data-customer>{fill(texts.signedInAs, { name: customer })}</span>
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
  );
}
