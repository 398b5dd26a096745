import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { resolveLocale } from "#shared/locale.ts";
import { ActionQueue } from "./action-queue.ts";
import { createClient, ServerRefusal } from "./client.ts";
import { type Credentials, ownDataRequests, signIn, signOut, signUp, useCustomer } from "./customer.ts";
import type { CartSnapshot, WidgetEngine } from "./engines/engine.ts";
import { rentalEngine, rentalListRequests } from "./engines/rentals.ts";
import { transferEngine } from "./engines/transfers.ts";
import { enableHeadingFocus } from "./heading.tsx";
import type {
  Cart,
  EngineSettings,
  Extra,
  OwnActionQuote,
  OwnBookingActionRequest,
  OwnReservationListItem,
  Reservation,
  SearchValues,
  WidgetKind,
  WidgetPosition,
} from "./model.ts";
import { openPaymentPage } from "./open-payment-page.ts";
import { findRefusedExtra, getConsoleAdvice, toVisitorProblem } from "./problems.ts";
import { findBookedReservationNumber, readTabState, saveBookedCart, saveTabState } from "./stored-state.ts";
import { en } from "./texts/en.ts";
import type { Texts, WidgetLanguage } from "./texts.ts";
import { getPageAddress, readUrlPosition, toCanonicalSearch, writeUrlPosition } from "./url-state.ts";
import { useTexts } from "./use-texts.ts";

/** Configuration of the widget on a website. */
export interface WidgetConfig {
  readonly origin: string;
  /** Address of the script, whose texts are used if the company's can't be loaded. */
  readonly scriptOrigin: string;
  readonly apiKey: string | undefined;
  readonly language: WidgetLanguage;
  readonly kind: WidgetKind;
  /** Sends an event to the website: `search`, `select`, `book` or `pay`. Without personal data or the link's id. */
  readonly announce: (name: string, detail: object) => void;
}

/** Payment method and part. */
export interface PaymentSelection {
  readonly method: string;
  readonly part: "deposit" | "total" | "pending";
}

/** Navigation of an action, valid while the visitor stays on the page. */
interface Way {
  readonly isHere: () => boolean;
  readonly goOn: (next: WidgetPosition, isInstead?: boolean) => void;
}

/** Notice that a reservation was made. */
interface BookedNotice {
  /** Number of a reservation made in another tab, empty if unknown. Absent for the tab's own reservation. */
  readonly number?: string;
}

type Work = (way: Way) => Promise<void>;

/** Actions whose queued repetition is dropped after a success. A repeated click must not book twice. */
const NON_REPEATABLE_ACTIONS = new Set(["book", "enter", "link", "move"]);
/** Rejections because the offer is sold out. Another one may be available. */
const NOT_SOLD: ReadonlySet<ServerRefusal["code"]> = new Set(["CRBOOK002", "product_not_sold"] as const);
const NO_CART = { cart: undefined, search: undefined };
/** Fields of dates and times in both searches. */
const SEARCH_TIME = /^(return_)?(date|time)(_|$)/;
const ENGINES: Readonly<Record<WidgetKind, WidgetEngine>> = { rentals: rentalEngine, transfers: transferEngine };

/** State and actions of the booking flow: current step, selection, errors and all transitions. */
export function useBookingFlow({ origin, scriptOrigin, apiKey, language, kind, announce }: WidgetConfig) {
  const engine = ENGINES[kind];
  const loadedTexts = useTexts([origin, scriptOrigin], language);
  const texts: Texts = loadedTexts ?? en;
  const memory = `rental-booking ${origin} ${kind}`;
  const { name: customer, session, welcome } = useCustomer(origin);
  const client = useMemo(() => createClient(origin, apiKey, language, session), [origin, apiKey, language, session]);
  const [place, setPlace] = useState<WidgetPosition>(() => readUrlPosition(kind, location.search));
  const [settings, setSettings] = useState<EngineSettings>();
  const [cart, setCart] = useState<Cart>();
  const [reservation, setReservation] = useState<Reservation>();
  const [listed, setListed] = useState<readonly OwnReservationListItem[]>();
  // The error's text follows the language, also if the texts are loaded later.
  const [failed, setFailed] = useState<{ readonly error: unknown; readonly at?: string }>();
  // Error that the button of its action shows.
  const [shownProblem, setShownProblem] = useState<object>();
  // Extras of the cart or of an own reservation. Errors name them.
  const extras = useRef<readonly Pick<Extra, "code" | "name">[]>([]);
  const problem = useMemo(
    () => failed && { ...toVisitorProblem(failed.error, texts, extras.current), at: failed.at },
    [failed, texts],
  );
  // Increases with every attempt to load the lists of a form.
  const [attempt, setAttempt] = useState(0);
  // Number of the attempt whose lists couldn't be loaded. Stays set if another action clears the error.
  const [missingSince, setMissingSince] = useState<number>();
  const [isClosed, setIsClosed] = useState(false);
  // Notice of a booking made in another tab, or whose step or reservation page the visitor has left.
  const [bookedNotice, setBookedNotice] = useState<BookedNotice>();
  const [signedUpEmail, setSignedUpEmail] = useState("");
  const [isBusy, setIsBusy] = useState(true);
  // Key of the loaded data, to avoid repeated requests.
  const fresh = useRef("");
  // Cart version known to this window. A duplicated tab uses the same cart.
  const shownCartVersion = useRef<number | undefined>(undefined);
  const busy = useRef(0);
  const turns = useMemo(() => new ActionQueue<Work>(), []);
  // Requested quantities of offers and extras without a response yet.
  const [wanted, setWanted] = useState<Readonly<Record<string, number>>>({});
  // Whether an error caused the navigation to this step, which then shows the error.
  const isGuided = useRef(false);

  useEffect(() => {
    const follow = () => setPlace(readUrlPosition(kind, location.search));
    // Pages restored from the back/forward cache may be outdated after a payment or booking.
    const comeBack = ({ persisted }: PageTransitionEvent) => {
      if (!persisted) return;
      fresh.current = "";
      follow();
    };
    addEventListener("popstate", follow);
    addEventListener("pageshow", comeBack);
    return () => {
      removeEventListener("popstate", follow);
      removeEventListener("pageshow", comeBack);
    };
  }, [kind]);

  const go = useCallback(
    (next: WidgetPosition, isInstead = false) => {
      const address = writeUrlPosition(kind, location.href, next);
      if (address !== location.href) history[isInstead ? "replaceState" : "pushState"](history.state, "", address);
      setPlace(next);
    },
    [kind],
  );
  const toStepKey = (step: string, search: SearchValues) => `${language} ${step} ${toCanonicalSearch(kind, search)}`;
  const keep = ({ isHere }: Way, answer: Cart, step: "choose" | "details", search: SearchValues) => {
    saveTabState(memory, { cart: answer.id, search });
    shownCartVersion.current = answer.version;
    if (!isHere()) return;
    extras.current = answer.extras;
    fresh.current = toStepKey(step, search);
    setCart((before) => withKnownLists(answer, before, step));
  };
  const getCurrentUrl = () => writeUrlPosition(kind, "http://here/", readUrlPosition(kind, location.search));
  const clearStoredCart = () => saveTabState(memory, NO_CART);

  const wayOn = (): Way => {
    let at = getCurrentUrl();
    const isHere = () => getCurrentUrl() === at;
    const goOn: Way["goOn"] = (next, isInstead) => {
      if (!isHere()) return;
      go(next, isInstead);
      at = getCurrentUrl();
    };
    return { isHere, goOn };
  };
  const reportFailure = (failure: { readonly error: unknown } | undefined, isReported: boolean, at = "find") =>
    setFailed((before) => (failure ? { error: failure.error, at } : isReported ? before : undefined));
  const settleOthers = (resource: string | undefined, hasFailed: boolean) => {
    if (hasFailed) turns.afterFailureOf(resource);
    else if (resource && NON_REPEATABLE_ACTIONS.has(resource)) turns.forget(resource);
  };
  // Reloads the shown page after an action from a page that the visitor left, because its data may have
  // changed.
  const readAgain = () => {
    fresh.current = "";
    setPlace(readUrlPosition(kind, location.search));
  };
  /**
   * Runs an action, then shows its error or the resulting step. If the visitor has left the page in the
   * meantime, shows neither. Returns whether the action succeeded.
   */
  const doing = async (work: Work, isReported = false, resource?: string): Promise<boolean> => {
    busy.current += 1;
    setIsBusy(true);
    const way = wayOn();
    const failure = await work(way).then(() => undefined, toFailure);
    if (way.isHere()) reportFailure(failure, isReported, resource);
    if (failure) await recover(failure.error, way).catch(() => undefined);
    if (resource && !way.isHere()) readAgain();
    busy.current -= 1;
    settleOthers(resource, failure !== undefined);
    const next = busy.current === 0 ? turns.next(location.href) : undefined;
    if (next) void doing(next.work, false, next.resource).then(next.settle);
    setIsBusy(busy.current > 0);
    return failure === undefined;
  };
  // If the server misses the customer's name, the session has ended. Sign out, so that the form asks for it.
  const clearExpiredFields = ({ fields }: ServerRefusal) => {
    if (customer && fields.includes("customer_name")) session.renew(undefined);
  };
  // Goes to another step and keeps the error visible there.
  const guideTo = (way: Way, step: "search" | "choose", isInstead?: boolean) => {
    isGuided.current = way.isHere();
    way.goOn({ step, search: place.search }, isInstead);
  };
  // Continues after another window has changed the cart. If the trip is the same, shows the current cart. Otherwise the
  // other window keeps that cart, and a new search starts here.
  const goOnApart = async (way: Way, id = "") => {
    const step = place.step === "choose" ? "choose" : "details";
    const now = await engine.read(client, id, step === "choose" ? "products" : "extras").catch(() => undefined);
    const isSameTrip = JSON.stringify(now?.trip.legs) === JSON.stringify(cart?.trip.legs);
    if (now && isSameTrip && (now.isChosen || step === "choose")) return keep(way, now, step, place.search);
    clearStoredCart();
    fresh.current = "";
    guideTo(way, "choose");
  };
  // Drops a cart that another tab has booked, with a notice. Returns whether there was one.
  const dropBookedCart = (): boolean => {
    const number = findBookedReservationNumber(memory, readTabState(memory).cart);
    if (number === undefined) return false;
    clearStoredCart();
    setBookedNotice({ number });
    return true;
  };
  const guideToSearch = (error: ServerRefusal, way: Way) => {
    const isCartMissing = error.code === "cart_not_found";
    if (isCartMissing && dropBookedCart()) setFailed(undefined);
    if (isCartMissing) clearStoredCart();
    if (isCartMissing || areDatesRefused(error, place)) guideTo(way, "search", isCartMissing);
  };
  const reloadCart = async (way: Way, id: string, step: "choose" | "details") => {
    keep(way, await engine.read(client, id, step === "choose" ? "products" : "extras"), step, place.search);
    if (step === "choose") guideTo(way, step);
  };
  const recover = async (error: unknown, way: Way) => {
    if (!(error instanceof ServerRefusal)) return;
    clearExpiredFields(error);
    const id = readTabState(memory).cart;
    if (error.code === "cart_changed") return goOnApart(way, id);
    const step = getStepToReload(error);
    if (step && id) return reloadCart(way, id, step);
    guideToSearch(error, way);
  };
  // Returns the cart to change. Undefined if a value was removed, because a cart keeps omitted values.
  const cartFor = (search: SearchValues) => {
    const { cart: id, search: before = {} } = readTabState(memory);
    const names = Object.keys(before) as (keyof SearchValues)[];
    return names.every((name) => !before[name] || search[name]) ? id : undefined;
  };
  const searchAgain = (search: SearchValues) => {
    const id = cartFor(search);
    return engine.search(client, id, search).catch((error: unknown) => {
      const isCartMissing = error instanceof ServerRefusal && error.code === "cart_not_found";
      if (id && isCartMissing) return engine.search(client, undefined, search);
      throw error;
    });
  };
  // Returns the stored cart if it's for this search. Undefined if the page was opened with another search.
  const findOrCreateCart = (search: SearchValues) => {
    const known = readTabState(memory);
    return toCanonicalSearch(kind, known.search ?? {}) === toCanonicalSearch(kind, search) ? known.cart : undefined;
  };
  // If the visitor is already at the list of offers, keep the step and its messages.
  const offersFrom = ({ goOn }: Way, step: string) =>
    step === "choose" || goOn({ step: "choose", search: place.search }, true);
  // Don't store results of a page that the visitor left, because newer ones may exist.
  const show: typeof keep = (way, ...read) => {
    if (way.isHere()) keep(way, ...read);
  };
  // After Back from a reservation to its search, shows a notice that prevents a second booking by mistake.
  const showEarlierBooking = () => {
    const { reservation: booked, bookedSearch } = readTabState(memory);
    const isSameSearch = toCanonicalSearch(kind, bookedSearch ?? {}) === toCanonicalSearch(kind, place.search);
    if (booked && isSameSearch) setBookedNotice((notice) => notice ?? {});
  };
  const announceSearch = (search: SearchValues, { offers }: Cart) =>
    announce("search", { search, offers: offers.length });
  const loadCart = async (way: Way, step: "choose" | "details") => {
    showEarlierBooking();
    const known = findOrCreateCart(place.search);
    if (known) {
      const answer = await engine.read(client, known, step === "choose" ? "products" : "extras");
      if (step === "choose" || answer.isChosen) return show(way, answer, step, place.search);
    }
    if (!engine.isComplete(place.search)) return way.goOn({ step: "search", search: place.search }, true);
    const searchResult = await searchAgain(place.search).catch((error: unknown) => {
      // An outdated link: the visitor can correct the search in the form.
      if (error instanceof ServerRefusal && error.fields.length > 0) guideTo(way, "search", true);
      throw error;
    });
    show(way, searchResult, "choose", place.search);
    announceSearch(place.search, searchResult);
    offersFrom(way, step);
  };
  const loadReservation = async ({ isHere }: Way, id: string | undefined) => {
    const mark = `${language} ${id}`;
    if (!id) throw new ServerRefusal(404, "booking_not_found", "", []);
    if (fresh.current === mark) return;
    setReservation(undefined);
    const storedReservation = await engine.reservation(client, id);
    if (!isHere()) return;
    setReservation(storedReservation);
    const { bookedCart, reservation: booked } = readTabState(memory);
    if (bookedCart && booked === id) saveBookedCart(memory, bookedCart, storedReservation.number);
    fresh.current = mark;
  };
  const load = async (way: Way) => {
    if (!settings) setSettings(await rentalListRequests.settings(client).catch(closed));
    setIsClosed(false);
    dropBookedCart();
    if (place.step === "reservation") await loadReservation(way, place.reservation);
    else if (place.step === "account") {
      setListed(undefined);
      if (customer) setListed(await ownDataRequests.reservations(client, kind));
    } else if (place.step !== "search" && fresh.current !== toStepKey(place.step, place.search)) {
      await loadCart(way, place.step);
    }
  };
  const closed = (error: unknown): never => {
    console.error(getConsoleAdvice(error, origin, apiKey !== undefined));
    setIsClosed(true);
    throw error;
  };
  const nothingSold = () => {
    console.error(`<rental-booking>: ${origin} sells no ${kind}`);
    setIsClosed(true);
  };
  useEffect(() => {
    const isReported = isGuided.current;
    isGuided.current = false;
    if (!isReported) setFailed(undefined);
    void doing(load, isReported);
  }, [client, place]);

  const payFor = (id: string, { method, part }: PaymentSelection) => {
    saveTabState(memory, { paying: id });
    announce("pay", { method, part });
    const summary = writeUrlPosition(kind, location.href, { step: "reservation", search: {}, reservation: id });
    openPaymentPage(new URL(engine.payPath, origin).href, {
      id,
      payment: part,
      payment_method_id: method,
      summary_url: summary,
    });
  };
  /** Runs actions one at a time, queueing others. Resolves to whether the action was executed. */
  const enqueueWork = (resource: string, work: Work): Promise<boolean> =>
    busy.current === 0 ? doing(work, false, resource) : turns.enqueue(resource, location.href, work);
  const withCart = async (resource: string, work: (cart: CartSnapshot, way: Way) => Promise<void>) =>
    cart !== undefined && enqueueWork(resource, (way) => work({ id: cart.id, version: shownCartVersion.current }, way));
  // Shows the new quantity immediately, and reverts it if rejected.
  const counted = async (resource: string, quantity: number, work: (cart: CartSnapshot, way: Way) => Promise<void>) => {
    setWanted((before) => ({ ...before, [resource]: quantity }));
    await withCart(resource, work);
    setWanted((before) => {
      const { [resource]: last, ...others } = before;
      return last === quantity ? others : before;
    });
  };
  const withReservation = async (resource: string, work: (id: string, way: Way) => Promise<void>) =>
    reservation !== undefined && enqueueWork(resource, (way) => work(reservation.id, way));
  // Signs in, then returns to the cart, or to the customer page if there's no cart.
  const enter = (work: () => Promise<string>) =>
    enqueueWork("enter", async ({ goOn }) => {
      welcome(await work());
      goOn({ step: findOrCreateCart(place.search) ? "details" : "account", search: place.search }, true);
    });

  const locale = resolveLocale(language, settings?.country_code ?? "");
  return {
    locale,
    settings: settings && { ...settings, locale },
    ...{
      texts,
      hasTexts: loadedTexts !== undefined,
      language,
      kind,
      client,
      place,
      cart,
      reservation,
      problem,
      isBusy,
      isClosed,
      go,
    },
    ...{ customer, listed, wanted, bookedNotice, signedUpEmail, attempt, shownProblem, setShownProblem },
    remembered: readTabState(memory),
    /** Whether a list of the form couldn't be loaded. The next attempt loads it again. */
    isListMissing: missingSince === attempt,
    /** Runs a loader of form choices. If it fails while the form still needs it, the form shows the error. */
    ask: (work: () => Promise<void>, isNeeded = () => true) =>
      void work().catch((error: unknown) => {
        if (!isNeeded()) return;
        setFailed({ error });
        setMissingSince(attempt);
      }),
    nothingSold,
    retry: () => {
      enableHeadingFocus();
      setAttempt(attempt + 1);
      void doing(load);
    },
    find: (search: SearchValues) =>
      void enqueueWork("find", async (way) => {
        const searchResult = await searchAgain(search);
        keep(way, searchResult, "choose", search);
        announceSearch(search, searchResult);
        if (turns.isSuperseded("find")) return;
        // Back shows the form with the sent values.
        way.goOn({ step: "search", search }, true);
        way.goOn({ step: "choose", search });
      }),
    choose: (offer: string) =>
      void withCart("choose", async (cart, way) => {
        const chosen = await engine.choose(client, cart, offer);
        // If another offer was chosen in the meantime, don't show this result.
        shownCartVersion.current = chosen.version;
        if (turns.isSuperseded("choose")) return;
        announce("select", { offer, total: chosen.trip.total });
        keep(way, chosen, "details", place.search);
        way.goOn({ step: "details", search: place.search });
      }),
    /** Sets the quantity of an offer, if several can be chosen. */
    setOffer: (offer: string, quantity: number) =>
      counted(`offer ${offer}`, quantity, async (cart, way) => {
        const answer = await engine.setOffer?.(client, cart, offer, quantity);
        if (!answer) return;
        if (quantity > 0) announce("select", { offer, total: answer.trip.total });
        keep(way, answer, "choose", place.search);
      }),
    setExtra: (extra: string, quantity: number) =>
      counted(`extra ${extra}`, quantity, async (cart, way) =>
        keep(way, await engine.setExtra(client, cart, extra, quantity), "details", place.search),
      ),
    keepDetails: (details: Readonly<Record<string, string>>) => saveTabState(memory, { details }),
    book: (details: Readonly<Record<string, string>>, paying: PaymentSelection | undefined) =>
      void withCart("book", async ({ id, version }, way) => {
        const placed = await engine.place(client, id, {
          ...details,
          customer_language: language,
          page: getPageAddress(),
          total_cost: cart?.trip.total,
          expected_version: version,
          payment: paying?.method ?? "none",
          complete_action: paying ? "pay_now" : "request_reservation",
        });
        const booked = placed.free_access_id;
        announce("book", { total: cart?.trip.total, currency: settings?.currency });
        const bookedSearch = place.search;
        saveTabState(memory, { ...NO_CART, details: undefined, reservation: booked, bookedCart: id, bookedSearch });
        saveBookedCart(memory, id);
        setBookedNotice(way.isHere() ? undefined : {});
        way.goOn({ step: "reservation", search: {}, reservation: booked });
        if (paying && way.isHere()) payFor(booked, paying);
      }),
    payFor,
    /** Clears the error. */
    forgive: () => setFailed(undefined),
    signIn: (credentials: Credentials) => enter(() => signIn(client, session, credentials)),
    signUp: (credentials: Credentials) =>
      enter(async () => {
        const name = await signUp(client, session, credentials);
        setSignedUpEmail(credentials.email);
        return name;
      }),
    sendLink: (email: string) => enqueueWork("link", async () => void (await ownDataRequests.sendLink(client, email))),
    /** Mails the link of a reservation, if number and email belong together. */
    findBooking: (number: number, email: string) =>
      enqueueWork("findBooking", async () => void (await ownDataRequests.findBooking(client, number, email))),
    signOut: () =>
      void enqueueWork("leave", () => {
        setSignedUpEmail("");
        return signOut(client, session);
      }),
    keepContract: (fields: Readonly<Record<string, string>> | undefined) =>
      saveTabState(memory, { contract: fields && { reservation: reservation?.id ?? "", fields } }),
    /** Completes the contract of the shown reservation. Resolves to whether it succeeded. */
    complete: (fields: Readonly<Record<string, string>>) =>
      withReservation("contract", async (id, { isHere }) => {
        const completed = await engine.complete?.(client, id, fields);
        if (isHere()) setReservation(completed);
      }),
    /** Loads the quote of a change to the shown reservation. Undefined if it's not possible. */
    quote: async (requestedChange: OwnBookingActionRequest): Promise<OwnActionQuote | undefined> => {
      let quoted: OwnActionQuote | undefined;
      await withReservation("quote", async (id) => {
        quoted = await ownDataRequests.quote(client, id, requestedChange);
        extras.current = quoted.extras;
      });
      return quoted;
    },
    /** Applies a quoted change. Resolves to whether it succeeded. */
    make: (requestedChange: OwnBookingActionRequest, { booking: { version } }: OwnActionQuote) =>
      withReservation("move", async (id, { isHere }) => {
        await ownDataRequests.make(client, id, requestedChange, version);
        const changed = await engine.reservation(client, id);
        if (isHere()) setReservation(changed);
      }),
  };
}

// Each answer contains the list of its step only. Keeping the other one shows it at once after Back or Forward, so that
// the browser finds the earlier scroll position.
function withKnownLists(answer: Cart, before: Cart | undefined, step: "choose" | "details"): Cart {
  if (before?.id !== answer.id) return answer;
  return step === "choose" ? { ...answer, extras: before.extras } : { ...answer, offers: before.offers };
}

// Returns the step whose offers, extras or price are outdated.
function getStepToReload(error: ServerRefusal): "choose" | "details" | undefined {
  if (error.code === "price_changed" || findRefusedExtra(error)) return "details";
  return NOT_SOLD.has(error.code) || error.fields.includes("product") ? "choose" : undefined;
}

// Only the search can change dates that have become invalid since.
const areDatesRefused = ({ fields }: ServerRefusal, { step }: WidgetPosition) =>
  step === "details" && fields.some((name) => SEARCH_TIME.test(name));

const toFailure = (error: unknown) => ({ error });

/** State and actions of a booking in the widget. */
export type BookingFlow = ReturnType<typeof useBookingFlow>;
