import { useEffect, useState } from "preact/hooks";
import type { CustomerListMessage } from "#worker/api/office/customer-messages.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../api.ts";
import type { Customer } from "../pages/customers/customer.ts";
import { t } from "../texts.ts";
import { toRefusalTexts } from "./refusals.ts";

const WAIT_MILLISECONDS = 200;
const MIN_QUERY_LENGTH = 2;

interface CustomerSearch {
  /** Undefined if the text is too short, nothing is loaded or loading failed. */
  readonly matchingCustomers: readonly Customer[] | undefined;
  readonly problem: string;
  readonly again: () => void;
}

/** Searches customers while typing, up to a limit. Also returns the error. */
export function useCustomers(text: string, maxCount: number): CustomerSearch {
  const [customers, setCustomers] = useState<readonly Customer[]>();
  const [problem, setProblem] = useState("");
  const [attempt, setAttempt] = useState(0);
  const query = text.trim();
  useEffect(() => {
    const take = (rows: readonly Customer[] | undefined, errorText: string) => {
      setCustomers(rows);
      setProblem(errorText);
    };
    if (query.length < MIN_QUERY_LENGTH) return take(undefined, "");
    let isOver = false;
    const timer = setTimeout(() => {
      sendOfficeRequest<CustomerListMessage>(
        "GET",
        toOfficePath(`/customers?${new URLSearchParams({ q: query, page_size: String(maxCount) })}`),
      ).then(
        (answer) => {
          const rows = getSuccessfulContent(answer)?.data;
          if (!isOver) take(rows, rows ? "" : toRefusalTexts(answer).notice);
        },
        () => {
          if (!isOver) take(undefined, t("notLoaded"));
        },
      );
    }, WAIT_MILLISECONDS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [query, attempt]);
  return { matchingCustomers: customers, problem, again: () => setAttempt(attempt + 1) };
}
