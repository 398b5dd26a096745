import { useEffect, useState } from "preact/hooks";
import { api, type Settings } from "./api.ts";
import { type Details, DetailsForm } from "./details.tsx";
import { ExtraRow } from "./extra-row.tsx";
import { Frame, money, type STEPS } from "./parts.tsx";
import { pay } from "./pay.ts";
import { type TransferAnswer, type TransferReservation, transferApi } from "./transfer-api.ts";
import { ChooseVehicle, TransferReserved, TransferSum } from "./transfer-parts.tsx";
import { type TransferSearch, TransferSearchForm } from "./transfer-search.tsx";
import { transferTexts } from "./transfer-texts.ts";
import { formDate, useShop } from "./use-shop.ts";

/** The shop of transfers: points, vehicle, extras, details, payment, reservation. */
export function TransferShop() {
  const reservationId = new URLSearchParams(location.search).get("id");
  const { language, setLanguage, texts, problem, isBusy, doing } = useShop();
  const [step, setStep] = useState<(typeof STEPS)[number]>(reservationId ? "reservation" : "search");
  const [settings, setSettings] = useState<Settings>();
  const [search, setSearch] = useState<TransferSearch>();
  const [cart, setCart] = useState<TransferAnswer>();
  const [reserved, setReserved] = useState<TransferReservation>();
  const words = transferTexts[language];
  const cartId = cart?.shopping_cart.free_access_id;

  useEffect(() => {
    document.documentElement.lang = language;
    void doing(async () => {
      setSettings(await api.settings(language));
      if (step === "reservation" && reservationId) setReserved(await transferApi.reservation(language, reservationId));
    });
  }, [language]);

  const find = (wanted: TransferSearch) =>
    doing(async () => {
      setSearch(wanted);
      const isRound = wanted.round_trip === "true";
      setCart(
        await transferApi.search(language, cartId, {
          ...wanted,
          date: formDate(wanted.date),
          return_date: isRound ? formDate(wanted.return_date) : "",
          return_time: isRound ? wanted.return_time : "",
          include_products: true,
        }),
      );
      setStep("choose");
    });
  const choose = (id: number) =>
    doing(async () => {
      if (cartId) setCart(await transferApi.choose(language, cartId, id));
      setStep("complete");
    });
  const setExtra = (id: number, quantity: number) =>
    doing(async () => {
      if (cartId) setCart(await transferApi.setExtra(language, cartId, id, quantity));
    });
  const book = (details: Details, method: string | undefined) =>
    doing(async () => {
      if (!cart || !cartId) return;
      const booked = await transferApi.placeBooking(language, cartId, {
        ...details,
        total_cost: cart.shopping_cart.total_cost,
        payment: method ?? "none",
        complete_action: method ? "pay_now" : "request_reservation",
      });
      const summary = new URL(location.href);
      summary.searchParams.set("id", booked.free_access_id);
      if (booked.payment_method_id) return pay("/reserva-transfer/pagar", booked, cart.sales_process, summary.href);
      history.pushState(null, "", summary);
      setReserved(await transferApi.reservation(language, booked.free_access_id));
      setStep("reservation");
    });

  return (
    <Frame language={language} onLanguage={setLanguage} isBusy={isBusy} step={step} problem={problem}>
      {(step === "choose" || step === "complete") && (
        <button type="button" class="link" onClick={() => setStep("search")}>
          ← {texts.change}
        </button>
      )}
      {settings && step === "search" && (
        <TransferSearchForm
          texts={texts}
          language={language}
          settings={settings}
          known={search}
          onSearch={(wanted) => void find(wanted)}
        />
      )}
      {settings && step === "choose" && (
        <ChooseVehicle
          texts={texts}
          settings={settings}
          vehicles={cart?.products ?? []}
          onChoose={(id) => void choose(id)}
        />
      )}
      {settings && cart && step === "complete" && (
        <div class="columns">
          <div>
            <section class="card">
              <h2>{texts.extras}</h2>
              <ul class="extras">
                {(cart.extras ?? []).map((extra) => (
                  <ExtraRow
                    key={extra.id}
                    extra={extra}
                    price={money(extra.unit_price, settings)}
                    quantity={cart.shopping_cart.extras.find(({ extra_id: id }) => id === extra.id)?.quantity ?? 0}
                    onExtra={(_, quantity) => void setExtra(extra.id, quantity)}
                  />
                ))}
              </ul>
            </section>
            <DetailsForm
              texts={texts}
              settings={settings}
              process={cart.sales_process}
              deposit={cart.shopping_cart.booking_amount}
              total={cart.shopping_cart.total_cost}
              more={{ flight_number: words.flight }}
              onBook={(details, method) => void book(details, method)}
            />
          </div>
          <TransferSum texts={texts} words={words} settings={settings} transfer={cart.shopping_cart} />
        </div>
      )}
      {settings && reserved && step === "reservation" && (
        <TransferReserved
          texts={texts}
          words={words}
          settings={settings}
          booking={reserved.booking}
          onAgain={() => location.assign(`${location.pathname}?shop=transfers`)}
        />
      )}
    </Frame>
  );
}
