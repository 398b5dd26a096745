import { useEffect, useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import type { Typed } from "#shared/typed-requests.ts";
import type { NextFreeDatesMessage } from "#worker/api/office/free-date-messages.ts";
import type { SaleQuoteRequest } from "#worker/api/office/request-messages.ts";
import { account } from "../../account.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../../api.ts";
import type { RefusalReason, SaleQuote } from "../../desk/quote.ts";
import { listReasons } from "../../desk/refusals.ts";
import { t } from "../../texts.ts";
import { type SaleFormValues, toSaleQuoteRequest } from "./sale-form.ts";

const WAIT_MILLISECONDS = 250;

async function readQuote(quoteRequest: Typed<SaleQuoteRequest>): Promise<SaleQuote> {
  const answer = await sendOfficeRequest<SaleQuote, Typed<SaleQuoteRequest>>(
    "POST",
    toOfficePath("/reservations/quote"),
    {
      body: quoteRequest,
    },
  );
  return getSuccessfulContent(answer) ?? refusedSale(listReasons(answer));
}

const refusedSale = (reasons: readonly RefusalReason[]): SaleQuote => ({
  available: false,
  warnings: [],
  quote: null,
  reasons,
});
const UNREAD: readonly RefusalReason[] = [{ code: "" }];

/** Loads the quotes of all categories for the period and places, by code. Reloads when these or `turn` change. */
export function useCategoryQuotes(sale: SaleFormValues, turn: number): ReadonlyMap<string, SaleQuote> {
  const [quotes, setQuotes] = useState<ReadonlyMap<string, SaleQuote>>(new Map());
  const codes = account.value.categories.map(({ code }) => code);
  const bare: SaleFormValues = {
    ...{ ...sale, extras: {}, other_price: "", quantity: "1", promotion_code: "" },
    ...{ discount_value: "", accept_shortage: false },
  };
  const quoteRequest = JSON.stringify(codes.map((code) => toSaleQuoteRequest(bare, code)));
  useEffect(() => {
    let isOver = false;
    setQuotes(new Map());
    const timer = setTimeout(() => {
      for (const code of codes) {
        const body = toSaleQuoteRequest(bare, code);
        if (body)
          readQuote(body).then(
            (quote) => {
              if (!isOver) setQuotes((before) => new Map([...before, [code, quote]]));
            },
            () => {
              if (!isOver) setQuotes((before) => new Map([...before, [code, refusedSale(UNREAD)]]));
            },
          );
      }
    }, WAIT_MILLISECONDS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [quoteRequest, turn]);
  return quotes;
}

/** Whether no vehicle of the quoted category is free. */
export const isSoldOut = (quote: Pick<SaleQuote, "reasons"> | undefined): boolean =>
  quote?.reasons.some(({ code }) => code === "sold_out") ?? false;

/**
 * Loads the next free date of each category, by code, once a category is sold out for the period. One request for all
 * categories, and none while vehicles of each are free.
 */
export function useNextFreeDates(
  sale: SaleFormValues,
  quotes: ReadonlyMap<string, SaleQuote>,
): ReadonlyMap<string, string> {
  const isNeeded = [...quotes.values()].some(isSoldOut) && quotes.size === account.value.categories.length;
  const { date_from, time_from, date_to, time_to, pickup_place, return_place } = sale;
  const query = isNeeded ? { date_from, time_from, date_to, time_to, pickup_place, return_place } : undefined;
  const dates = useLoadedQuote(query, readNextFreeDates).quote ?? [];
  return new Map(dates.flatMap(({ category_code: code, date_from: date }) => (date ? [[code, date]] : [])));
}

// Reads the next free dates. Empty if the request fails, so that the page shows no dates.
async function readNextFreeDates(
  query: Readonly<Record<string, string>>,
): Promise<Immutable<NextFreeDatesMessage>["data"]> {
  const path = toOfficePath(`/free-dates?${new URLSearchParams(query)}`);
  return getSuccessfulContent(await sendOfficeRequest<NextFreeDatesMessage>("GET", path))?.data ?? [];
}

/** Returns the reason of a field for which no category is available, such as a return before the pickup. */
export function findCommonRefusalReason(
  quotes: ReadonlyMap<string, SaleQuote>,
  field: string,
): RefusalReason | undefined {
  const reasons = [...quotes.values()].map((quote) => quote.reasons.find((reason) => reason.field === field));
  return reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined;
}

/** Loads the quote of the current values. The previous one stays until the response arrives. */
export const useSaleQuote = (sale: SaleFormValues, turn: number) =>
  useLoadedQuote(toSaleQuoteRequest(sale), readQuote, turn);

interface Quoted<Told> {
  readonly quote: Told | undefined;
  readonly isReading: boolean;
  /** Reason why there's no quote. */
  readonly problem: string;
}

/** Loads a quote and reloads it when the request or `turn` changes. Only the latest response counts. */
export function useLoadedQuote<Told, Request extends object>(
  request: Request | undefined,
  read: (quoteRequest: Request) => Promise<Told>,
  turn = 0,
): Quoted<Told> {
  const [quote, setQuote] = useState<Told>();
  const [isReading, setReading] = useState(false);
  const [problem, setProblem] = useState("");
  const quoteRequest = JSON.stringify(request ?? null);
  useEffect(() => {
    const body = JSON.parse(quoteRequest) as Request | null;
    const take = (quoteResult: Told | undefined, errorText: string) => {
      setQuote(quoteResult);
      setProblem(errorText);
    };
    if (!body) return take(undefined, "");
    let isOver = false;
    setReading(true);
    const timer = setTimeout(() => {
      read(body)
        .then(
          (quoteResult) => {
            if (!isOver) take(quoteResult, "");
          },
          () => {
            if (!isOver) take(undefined, t("notLoaded"));
          },
        )
        .finally(() => {
          if (!isOver) setReading(false);
        });
    }, WAIT_MILLISECONDS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [quoteRequest, turn]);
  return { quote, isReading, problem };
}
