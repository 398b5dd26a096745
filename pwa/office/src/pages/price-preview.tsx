import { useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import { MAX_DATE } from "#shared/max-date.ts";
import type { Typed } from "#shared/typed-requests.ts";
import type { PricePreviewMessage, PricePreviewRequest } from "#worker/api/office/resources/price-table-messages.ts";
import { type OfficeResponse, sendOfficeRequest, toOfficePath } from "../api.ts";
import { t } from "../texts.ts";
import type { PriceTable } from "./price-cells.ts";

type Line = Immutable<PricePreviewMessage["data"][number]>;

const DAY_MILLISECONDS = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * DAY_MILLISECONDS).toISOString().slice(0, 10);

interface PreviewProps {
  readonly table: PriceTable;
  readonly query: string;
  /** Called with the response if the table is invalid. */
  readonly onRefused: (answer: OfficeResponse) => void;
}

/** Previews the price of a period before and after the change, without saving. */
export function PricePreview({ table, query, onRefused }: PreviewProps) {
  const [from, setFrom] = useState(inDays(30));
  const [to, setTo] = useState(inDays(37));
  const [lines, setLines] = useState<readonly Line[]>();
  const [notice, setNotice] = useState("");
  const read = async () => {
    const rows = table.rows.map(({ name: _, ...row }) => row);
    const body: Typed<PricePreviewRequest> = {
      brackets: table.brackets,
      rows,
      dates: [{ date_from: from, date_to: to }],
    };
    try {
      const answer = await sendOfficeRequest<PricePreviewMessage, Typed<PricePreviewRequest>>(
        "POST",
        toOfficePath(`/prices/preview${query}`),
        {
          body,
        },
      );
      setLines(answer.body.data);
      setNotice("");
      if (answer.status !== 200) onRefused(answer);
    } catch {
      setNotice(t("failed"));
    }
  };
  const names = new Map(table.rows.map(({ category_code, name }) => [category_code, name]));
  return (
    <section aria-labelledby="preview">
      <h2 id="preview">{t("preview")}</h2>
      <div class="line">
        <label>
          {t("pickup")}
          <input type="date" max={MAX_DATE} value={from} onInput={(event) => setFrom(event.currentTarget.value)} />
        </label>
        <label>
          {t("return")}
          <input type="date" max={MAX_DATE} value={to} onInput={(event) => setTo(event.currentTarget.value)} />
        </label>
        <button type="button" onClick={read}>
          {t("preview")}
        </button>
      </div>
      <p role="status">{notice}</p>
      {lines && (
        <table class="preview">
          <thead>
            <tr>
              <th scope="col">{t("category")}</th>
              <th scope="col">{t("before")}</th>
              <th scope="col">{t("after")}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.category_code} class={line.before === line.after ? "" : "changed"}>
                <th scope="row">{names.get(line.category_code) ?? line.category_code}</th>
                <td class="number">{line.before ?? t("noPrice")}</td>
                <td class="number">{line.after ?? t("noPrice")}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
