import { useEffect, useState } from "preact/hooks";
import { account } from "../../account.ts";
import { ask, contentOf, office } from "../../api.ts";
import type { SaleQuote } from "../../desk/quote.ts";
import { reasonsOf } from "../../desk/refusals.ts";
import { quoteOf, type Sale } from "./sale.ts";

const WAIT_MILLISECONDS = 250;

async function readQuote(asked: object): Promise<SaleQuote> {
  const answer = await ask("POST", office("/reservations/quote"), { body: asked });
  const refused = { available: false, warnings: [], quote: null };
  return contentOf<SaleQuote>(answer) ?? { ...refused, reasons: reasonsOf(answer) };
}

/** What each category would cost in a sale's time and place, by its code; read again when one of them changes. */
export function useCategoryQuotes(sale: Sale): ReadonlyMap<string, SaleQuote> {
  const [quotes, setQuotes] = useState<ReadonlyMap<string, SaleQuote>>(new Map());
  const codes = account.value.categories.map(({ code }) => code);
  const bare: Sale = { ...sale, extras: {}, other_price: "", quantity: "1", promotion_code: "" };
  const asked = JSON.stringify(codes.map((code) => quoteOf(bare, code)));
  useEffect(() => {
    let isOver = false;
    setQuotes(new Map());
    const timer = setTimeout(() => {
      for (const code of codes) {
        const body = quoteOf(bare, code);
        if (body)
          readQuote(body).then(
            (quote) => {
              if (!isOver) setQuotes((before) => new Map([...before, [code, quote]]));
            },
            () => undefined,
          );
      }
    }, WAIT_MILLISECONDS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [asked]);
  return quotes;
}

/** What the sale as it is said would cost; what was known before stays until the next answer. */
export const useSaleQuote = (sale: Sale) => useQuoted(quoteOf(sale), readQuote);

interface Quoted<Told> {
  readonly quote: Told | undefined;
  readonly isReading: boolean;
}

/** What is told of what is asked for; asked again when that changes, or in another turn. The last answer counts. */
export function useQuoted<Told>(
  what: object | undefined,
  read: (asked: object) => Promise<Told>,
  turn = 0,
): Quoted<Told> {
  const [quote, setQuote] = useState<Told>();
  const [isReading, setReading] = useState(false);
  const asked = JSON.stringify(what ?? null);
  useEffect(() => {
    const body = JSON.parse(asked) as object | null;
    if (!body) return setQuote(undefined);
    let isOver = false;
    setReading(true);
    const timer = setTimeout(() => {
      read(body)
        .then(
          (told) => {
            if (!isOver) setQuote(told);
          },
          () => {
            if (!isOver) setQuote(undefined);
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
  }, [asked, turn]);
  return { quote, isReading };
}
