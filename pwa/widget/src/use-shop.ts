import { useCallback, useEffect, useMemo, useRef, useState } from "preact/hooks";
import { readAddress, searchText, writeAddress } from "./address.ts";
import { createClient, Refused } from "./client.ts";
import type { Engine } from "./engines/engine.ts";
import { rentalLists, rentals } from "./engines/rentals.ts";
import { transfers } from "./engines/transfers.ts";
import { recall, remember } from "./memory.ts";
import type { Cart, Kind, Place, Reservation, Search, Settings } from "./model.ts";
import { pay } from "./pay.ts";
import { adviceOf, type Problem, problemOf } from "./problems.ts";
import { en } from "./texts/en.ts";
import { languages, type Texts } from "./texts.ts";

export interface Embedding {
  readonly origin: string;
  readonly apiKey: string | undefined;
  readonly language: string;
  readonly kind: Kind;
}

/** How a visitor pays: by which method, and which part. */
export interface Paying {
  readonly method: string;
  readonly part: "deposit" | "total" | "pending";
}

const ENGINES: Readonly<Record<Kind, Engine>> = { rentals, transfers };

/** The visitor's way through the shop: where they are, what is chosen, what went wrong, and every step they may take. */
export function useShop({ origin, apiKey, language, kind }: Embedding) {
  const engine = ENGINES[kind];
  const texts: Texts = languages[language] ?? en;
  const memory = `rental-booking ${origin} ${kind}`;
  const client = useMemo(() => createClient(origin, apiKey, language), [origin, apiKey, language]);
  const [place, setPlace] = useState<Place>(() => readAddress(kind, location.search));
  const [settings, setSettings] = useState<Settings>();
  const [cart, setCart] = useState<Cart>();
  const [reservation, setReservation] = useState<Reservation>();
  const [problem, setProblem] = useState<Problem>();
  const [isClosed, setIsClosed] = useState(false);
  const [isBusy, setIsBusy] = useState(true);
  // What the answer at hand is of: the same is not asked for twice.
  const fresh = useRef("");
  const busy = useRef(0);

  useEffect(() => {
    const follow = () => setPlace(readAddress(kind, location.search));
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, [kind]);

  const go = useCallback(
    (next: Place, isInstead = false) => {
      const address = writeAddress(kind, location.href, next);
      if (address !== location.href) history[isInstead ? "replaceState" : "pushState"](history.state, "", address);
      setPlace(next);
    },
    [kind],
  );
  const markOf = (step: string, search: Search) => `${language} ${step} ${searchText(kind, search)}`;
  const keep = (answer: Cart, step: "choose" | "details", search: Search) => {
    remember(memory, { cart: answer.id, search });
    fresh.current = markOf(step, search);
    setCart(answer);
  };
  const forgetCart = () => remember(memory, { cart: undefined, search: undefined });

  /** Whatever is under way: one at a time, its failure in words, and the place that the failure leads to. */
  const doing = async (work: () => Promise<void>) => {
    busy.current += 1;
    setIsBusy(true);
    try {
      await work();
      setProblem(undefined);
    } catch (error) {
      await recover(error).catch(() => undefined);
      setProblem(problemOf(error, texts));
    }
    busy.current -= 1;
    setIsBusy(busy.current > 0);
  };
  const recover = async (error: unknown) => {
    if (!(error instanceof Refused)) return;
    const id = recall(memory).cart;
    if (error.code === "cart_not_found") {
      forgetCart();
      go({ step: "search", search: place.search }, true);
    } else if (error.code === "price_changed" && id) {
      keep(await engine.read(client, id, "extras"), "details", place.search);
    } else if ((error.code === "CRBOOK002" || error.code === "product_not_sold") && id) {
      keep(await engine.read(client, id, "products"), "choose", place.search);
      go({ step: "choose", search: place.search });
    }
  };
  const searchAnew = async (search: Search) => {
    const { cart: id } = recall(memory);
    const found = await engine.search(client, id, search).catch((error: unknown) => {
      const isGone = error instanceof Refused && error.code === "cart_not_found";
      if (id && isGone) return engine.search(client, undefined, search);
      throw error;
    });
    keep(found, "choose", search);
  };
  // The remembered cart, where it is of that search: a link may bring another.
  const cartOf = (search: Search) => {
    const known = recall(memory);
    return searchText(kind, known.search ?? {}) === searchText(kind, search) ? known.cart : undefined;
  };
  const loadCart = async (step: "choose" | "details") => {
    const known = cartOf(place.search);
    if (known) {
      const answer = await engine.read(client, known, step === "choose" ? "products" : "extras");
      if (step === "choose" || answer.isChosen) return keep(answer, step, place.search);
    }
    if (!engine.isComplete(place.search)) return go({ step: "search", search: place.search }, true);
    await searchAnew(place.search);
    go({ step: "choose", search: place.search }, true);
  };
  const load = async () => {
    if (!settings) setSettings(await rentalLists.settings(client).catch(closed));
    if (place.step === "reservation") {
      const mark = `${language} ${place.reservation}`;
      if (!place.reservation || fresh.current === mark) return;
      setReservation(undefined);
      setReservation(await engine.reservation(client, place.reservation));
      fresh.current = mark;
    } else if (place.step !== "search" && fresh.current !== markOf(place.step, place.search)) {
      await loadCart(place.step);
    }
  };
  const closed = (error: unknown): never => {
    console.error(adviceOf(error, origin, apiKey !== undefined));
    setIsClosed(true);
    throw error;
  };
  useEffect(() => {
    setProblem(undefined);
    void doing(load);
  }, [client, place]);

  const payFor = (id: string, { method, part }: Paying) => {
    remember(memory, { paying: id });
    const summary = writeAddress(kind, location.href, { step: "reservation", search: {}, reservation: id });
    pay(new URL(engine.payPath, origin).href, { id, payment: part, payment_method_id: method, summary_url: summary });
  };
  const withCart = (work: (id: string) => Promise<void>) => {
    if (cart && busy.current === 0) void doing(() => work(cart.id));
  };

  return {
    ...{ texts, language, kind, client, place, settings, cart, reservation, problem, isBusy, isClosed, go },
    remembered: recall(memory),
    /** Loads a list of a form; without it the form says why. */
    ask: (work: () => Promise<void>) => void work().catch((error: unknown) => setProblem(problemOf(error, texts))),
    retry: () => {
      setIsClosed(false);
      void doing(load);
    },
    find: (search: Search) =>
      void doing(async () => {
        await searchAnew(search);
        go({ step: "choose", search });
      }),
    choose: (offer: string) =>
      withCart(async (id) => {
        keep(await engine.choose(client, id, offer), "details", place.search);
        go({ step: "details", search: place.search });
      }),
    setExtra: (extra: string, quantity: number) =>
      withCart(async (id) => keep(await engine.setExtra(client, id, extra, quantity), "details", place.search)),
    keepDetails: (details: Readonly<Record<string, string>>) => remember(memory, { details }),
    book: (details: Readonly<Record<string, string>>, paying: Paying | undefined) =>
      withCart(async (id) => {
        const placed = await engine.place(client, id, {
          ...details,
          customer_language: language,
          total_cost: cart?.trip.total,
          payment: paying?.method ?? "none",
          complete_action: paying ? "pay_now" : "request_reservation",
        });
        const booked = placed.free_access_id;
        remember(memory, { cart: undefined, search: undefined, details: undefined, reservation: booked });
        go({ step: "reservation", search: {}, reservation: booked });
        if (paying) payFor(booked, paying);
      }),
    payFor,
  };
}

export type Shop = ReturnType<typeof useShop>;
