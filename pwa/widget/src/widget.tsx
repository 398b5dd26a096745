import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { CustomerBar } from "./customer-bar.tsx";
import { CustomerPage } from "./customer-page.tsx";
import { DetailsStep } from "./details.tsx";
import { LiveRegionMessage } from "./live-region.tsx";
import type { Settings, WidgetStep } from "./model.ts";
import { OfferListStep } from "./offer-step.tsx";
import { RentalSearch } from "./rental-search.tsx";
import { ReservationStep } from "./reservation.tsx";
import { fillPlaceholders, type Texts, type WidgetLanguage } from "./texts.ts";
import { TransferSearch } from "./transfer-search.tsx";
import { type BookingFlow, useBookingFlow, type WidgetConfig } from "./use-booking-flow.ts";
import { useTexts } from "./use-texts.ts";

const STEPS: readonly WidgetStep[] = ["search", "choose", "details", "reservation"];

/** Complete booking flow in one element. */
export function Widget(config: WidgetConfig) {
  const shop = useBookingFlow(config);
  const { texts, place, problem, isBusy, settings, isClosed } = shop;
  const root = useRef<HTMLDivElement>(null);
  // Show an error above the step unless an action's button shows it, which is known only after the layout.
  const [laidOut, setLaidOut] = useState<object>();
  useLayoutEffect(() => setLaidOut(problem), [problem]);
  const atTop = laidOut === problem && shop.shownProblem !== problem ? problem : undefined;
  useEffect(() => {
    if (problem) root.current?.querySelector("[role=alert].problem:not(:empty)")?.scrollIntoView({ block: "nearest" });
  }, [problem, atTop]);
  if (!shop.hasTexts) return <div class="shop" lang={config.language} aria-busy />;
  if (isClosed) return <Closed texts={texts} onRetry={shop.retry} />;
  return (
    <div class="shop" lang={config.language} aria-busy={isBusy} data-step={place.step} ref={root}>
      {place.step !== "account" && <Steps step={place.step} texts={texts} />}
      {settings && <CustomerBar shop={shop} hasAccounts={settings.engine_customer_access === true} />}
      <p class="problem" role="alert">
        <LiveRegionMessage of={atTop} text={atTop ? atTop.text : ""} />
      </p>
      {shop.bookedNotice && place.step !== "reservation" && <Booked shop={shop} {...shop.bookedNotice} />}
      {settings && <StepView shop={shop} settings={settings} />}
      <p class="busy" role="status">
        {isBusy ? texts.loading : ""}
      </p>
      {problem && <Retry shop={shop} />}
    </div>
  );
}

interface BookedProps {
  readonly shop: BookingFlow;
  readonly number?: string;
}

/**
 * Notice of a booking that finished after the visitor left its step. Stays on the page and prevents a double
 * booking. Shows a booking of another tab by number, because this tab doesn't have its link.
 */
function Booked({ shop: { texts, place, remembered, go }, number }: BookedProps) {
  const isOwn = number === undefined;
  return (
    <p class="card" role="status" data-booked>
      {number && `${fillPlaceholders(texts.reservation, { n: number })}. `}
      {texts.isBooked}{" "}
      <button
        type="button"
        class="link"
        onClick={() =>
          go(
            isOwn
              ? { step: "reservation", search: {}, reservation: remembered.reservation ?? "" }
              : { step: "account", search: place.search },
          )
        }
      >
        {isOwn ? texts.mine : texts.findBooking}
      </button>
    </p>
  );
}

function Steps({ step: now, texts }: { readonly step: WidgetStep; readonly texts: Texts }) {
  return (
    <ol class="steps" part="steps" aria-label={texts.progress}>
      {texts.steps.split("|").map((step, index) => (
        <li
          key={step}
          aria-current={STEPS[index] === now ? "step" : undefined}
          class={index < STEPS.indexOf(now) ? "done" : undefined}
        >
          {step}
        </li>
      ))}
    </ol>
  );
}

function StepView({ shop, settings }: { readonly shop: BookingFlow; readonly settings: Settings }) {
  const { place, cart, reservation, kind } = shop;
  if (place.step === "search") {
    return kind === "rentals" ? (
      <RentalSearch shop={shop} settings={settings} />
    ) : (
      <TransferSearch shop={shop} settings={settings} />
    );
  }
  if (place.step === "account") return <CustomerPage shop={shop} settings={settings} />;
  if (place.step === "choose") return cart ? <OfferListStep shop={shop} settings={settings} cart={cart} /> : null;
  if (place.step === "details") return cart ? <DetailsStep shop={shop} settings={settings} cart={cart} /> : null;
  return reservation ? <ReservationStep shop={shop} settings={settings} reservation={reservation} /> : null;
}

// Retry button of an empty step. It stays while retrying to retain the focus.
function Retry({ shop }: { readonly shop: BookingFlow }) {
  const { place, cart, reservation, texts, isBusy } = shop;
  const isCartVisible =
    ["search", "account"].includes(place.step) || (place.step === "reservation" ? reservation : cart);
  if (isCartVisible && shop.settings) return null;
  return (
    <p>
      <button type="button" class="other" aria-disabled={isBusy} onClick={() => isBusy || shop.retry()}>
        {texts.retry}
      </button>
      <button type="button" class="link" onClick={() => shop.go({ step: "search", search: {} })}>
        {texts.again}
      </button>
    </p>
  );
}

interface ClosedProps {
  readonly texts: Texts;
  readonly onRetry: () => void;
}

interface UnavailableProps {
  readonly origin: string;
  readonly language: WidgetLanguage;
  readonly onRetry: () => void;
}

/** Notice of a widget without a company, with texts of the script's own address. */
export function WidgetUnavailable({ origin, language, onRetry }: UnavailableProps) {
  const texts = useTexts([origin], language);
  return texts ? <Closed texts={texts} onRetry={onRetry} /> : null;
}

/** Notice for visitors if the widget can't work as embedded. The developer sees details in the console. */
function Closed({ texts, onRetry }: ClosedProps) {
  return (
    <div class="shop">
      <p class="card" role="alert" data-closed>
        {texts.closed}
      </p>
      <button type="button" class="link" onClick={onRetry}>
        {texts.retry}
      </button>
    </div>
  );
}
