import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { api, type BookingAnswer, type CartAnswer, type Settings } from "./api.ts";
import { Choose } from "./choose.tsx";
import { Complete } from "./complete.tsx";
import type { Details } from "./details.tsx";
import { Frame, type STEPS } from "./parts.tsx";
import { pay } from "./pay.ts";
import { Reservation } from "./reservation.tsx";
import { type Search, SearchForm } from "./search.tsx";
import type { Language } from "./texts.ts";
import { TransferShop } from "./transfer-shop.tsx";
import { formDate, useShop } from "./use-shop.ts";
import "./style.css";

type Step = (typeof STEPS)[number];

function App() {
  const bookingId = new URLSearchParams(location.search).get("id");
  const { language, setLanguage, texts, problem, isBusy, doing } = useShop();
  const [step, setStep] = useState<Step>(bookingId ? "reservation" : "search");
  const [settings, setSettings] = useState<Settings>();
  const [search, setSearch] = useState<Search>();
  const [cart, setCart] = useState<CartAnswer>();
  const [booking, setBooking] = useState<BookingAnswer>();
  const cartId = cart?.shopping_cart.free_access_id;

  useEffect(() => {
    document.documentElement.lang = language;
    void doing(async () => {
      setSettings(await api.settings(language));
      if (step === "reservation" && bookingId) setBooking(await api.booking(language, bookingId));
    });
  }, [language]);

  const find = (wanted: Search) =>
    doing(async () => {
      setSearch(wanted);
      setCart(
        await api.search(language, cartId, {
          ...wanted,
          date_from: formDate(wanted.date_from),
          date_to: formDate(wanted.date_to),
          include_products: true,
        }),
      );
      setStep("choose");
    });
  const choose = (code: string) =>
    doing(async () => {
      if (cartId) setCart(await api.choose(language, cartId, code));
      setStep("complete");
    });
  const setExtra = (code: string, quantity: number) =>
    doing(async () => {
      if (cartId) setCart(await api.setExtra(language, cartId, code, quantity));
    });
  const book = (details: Details, method: string | undefined) =>
    doing(async () => {
      if (!cart) return;
      const booked = await placeBooking(language, cart, details, method);
      const summary = new URL(location.href);
      summary.searchParams.set("id", booked.free_access_id);
      if (booked.payment_method_id) return pay("/reserva/pagar", booked, cart.sales_process, summary.href);
      history.pushState(null, "", summary);
      setBooking(await api.booking(language, booked.free_access_id));
      setStep("reservation");
    });

  return (
    <Frame language={language} onLanguage={setLanguage} isBusy={isBusy} step={step} problem={problem}>
      {settings && step === "search" && (
        <SearchForm
          texts={texts}
          language={language}
          settings={settings}
          known={search}
          onSearch={(wanted) => void find(wanted)}
        />
      )}
      {settings && step === "choose" && (
        <Choose
          texts={texts}
          settings={settings}
          products={cart?.products ?? []}
          onChoose={(code) => void choose(code)}
          onBack={() => setStep("search")}
        />
      )}
      {cart && step === "complete" && (
        <Complete
          texts={texts}
          answer={cart}
          onExtra={(code, quantity) => void setExtra(code, quantity)}
          onBook={(details, method) => void book(details, method)}
          onBack={() => setStep("search")}
        />
      )}
      {booking && step === "reservation" && (
        <Reservation texts={texts} answer={booking} onAgain={() => location.assign(location.pathname)} />
      )}
    </Frame>
  );
}

function placeBooking(
  language: Language,
  { shopping_cart: cart }: CartAnswer,
  details: Details,
  method: string | undefined,
) {
  return api.placeBooking(language, cart.free_access_id, {
    ...details,
    total_cost: cart.total_cost,
    payment: method ?? "none",
    complete_action: method ? "pay_now" : "request_reservation",
  });
}

const root = document.getElementById("app");
const isOfTransfers = new URLSearchParams(location.search).get("shop") === "transfers";
if (root) render(isOfTransfers ? <TransferShop /> : <App />, root);
