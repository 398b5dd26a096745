import { useEffect, useRef, useState } from "preact/hooks";
import { account, may } from "../../account.ts";
import { ask, office } from "../../api.ts";
import { refusedBy } from "../../desk/refusals.ts";
import type { Listed } from "../../desk/reservation.ts";
import { askFor, linkTo, query } from "../../route.ts";
import { t } from "../../texts.ts";
import { Rows } from "./rows.tsx";

const WAIT_MILLISECONDS = 200;
const PAGE = "50";
const STATUSES = ["pending_confirmation", "confirmed", "in_progress", "done", "cancelled"] as const;
const FILTERS = ["q", "status", "date_from", "date_to", "rental_location_code", "category_code", "kind", "attention"];

interface Found {
  readonly rows: readonly Listed[];
  readonly total: number;
  readonly next: string | null;
}

/** Reservations by any part of what is known of them; what is looked for stands in the address. */
export function ReservationSearch() {
  const [found, setFound] = useState<Found>();
  const [problem, setProblem] = useState("");
  const last = useRef(0);
  const asked = FILTERS.map((name) => query.value.get(name) ?? "");
  const read = async (before: readonly Listed[], after: string | null) => {
    last.current += 1;
    const turn = last.current;
    const said = FILTERS.flatMap((name, index) => (asked[index] ? [[name, asked[index] ?? ""]] : []));
    const params = new URLSearchParams([...said, ["page_size", PAGE], ...(after ? [["after", after]] : [])]);
    try {
      const answer = await ask("GET", office(`/reservations?${params}`));
      if (turn !== last.current) return;
      if (answer.status !== 200) {
        const { fields, notice } = refusedBy(answer);
        return setProblem([notice, ...Object.values(fields)].join(" "));
      }
      const { data, total, next } = answer.body as unknown as Omit<Found, "rows"> & { data: Listed[] };
      setProblem("");
      setFound({ rows: [...before, ...data], total, next });
    } catch {
      if (turn === last.current) setProblem(t("failed"));
    }
  };
  useEffect(() => {
    const timer = setTimeout(() => void read([], null), found ? WAIT_MILLISECONDS : 0);
    return () => clearTimeout(timer);
  }, [asked.join("\n")]);
  const isFiltered = asked.some((one) => one !== "");
  return (
    <main>
      <div class="head">
        <h1>{t("reservations")}</h1>
        {may("sell") && (
          <a class="button main" href={linkTo("reservations", "new")}>
            {t("newReservation")}
          </a>
        )}
      </div>
      <Filters />
      {problem && (
        <p role="alert">
          {problem}{" "}
          <button type="button" onClick={() => read([], null)}>
            {t("retry")}
          </button>
        </p>
      )}
      <p aria-live="polite" class="count">
        {!found && !problem && `${t("loading")}…`}
        {found &&
          (found.total > 0 ? t("found", { n: found.total }) : t(isFiltered ? "noReservation" : "noReservations"))}
      </p>
      {found && found.total > 0 && <Rows rows={found.rows} />}
      {found?.next && (
        <button type="button" class="more" onClick={() => read(found.rows, found.next)}>
          {t("more")}
        </button>
      )}
    </main>
  );
}

function Filters() {
  const value = (name: string) => query.value.get(name) ?? "";
  const said = (event: { readonly currentTarget: HTMLInputElement | HTMLSelectElement }) =>
    askFor({ [event.currentTarget.name]: event.currentTarget.value });
  const isFiltered = FILTERS.some((name) => name !== "q" && value(name) !== "");
  return (
    <search class="filters">
      <label class="wide">
        {t("findReservation")}
        <input type="search" name="q" value={value("q")} placeholder={t("findReservationHint")} onInput={said} />
      </label>
      <label>
        {t("in.status")}
        <select name="status" value={value("status")} onChange={said}>
          <option value="">{t("all")}</option>
          {STATUSES.map((one) => (
            <option key={one} value={one}>
              {t(`state.${one}`)}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t("pickupFrom")}
        <input type="date" name="date_from" value={value("date_from")} onChange={said} />
      </label>
      <label>
        {t("pickupUntil")}
        <input type="date" name="date_to" value={value("date_to")} onChange={said} />
      </label>
      <label>
        {t("branch")}
        <select name="rental_location_code" value={value("rental_location_code")} onChange={said}>
          <option value="">{t("all")}</option>
          {account.value.rental_locations.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t("category")}
        <select name="category_code" value={value("category_code")} onChange={said}>
          <option value="">{t("all")}</option>
          {account.value.categories.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t("kind")}
        <select name="kind" value={value("kind")} onChange={said}>
          <option value="">{t("all")}</option>
          <option value="rental">{t("kindRental")}</option>
          <option value="transfer">{t("kindTransfer")}</option>
        </select>
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={value("attention") === "true"}
          onChange={(event) => askFor({ attention: event.currentTarget.checked ? "true" : undefined })}
        />
        {t("needsAttention")}
      </label>
      {isFiltered && (
        <button
          type="button"
          onClick={() =>
            askFor(Object.fromEntries(FILTERS.filter((name) => name !== "q").map((name) => [name, undefined])))
          }
        >
          {t("clearFilters")}
        </button>
      )}
    </search>
  );
}
