import { useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import { MAX_DATE_TIME } from "#shared/max-date.ts";
import type { VehicleRenterMessage } from "#worker/api/office/vehicle-messages.ts";
import { formatMoment, getCompanyDateTime } from "../../account.ts";
import { type OfficeResponse, sendOfficeRequest, toOfficePath } from "../../api.ts";
import { toRefusalTexts } from "../../desk/refusals.ts";
import { linkTo } from "../../route.ts";
import { t } from "../../texts.ts";

type Use = Immutable<VehicleRenterMessage["data"][number]>;

/** Finds who had a vehicle at a given time, for example for a fine. */
export function VehicleRenterSearch({ reference }: { readonly reference: string }) {
  const [at, setAt] = useState(() => Object.values(getCompanyDateTime()).join("T"));
  const [uses, setUses] = useState<readonly Use[]>();
  const [wrong, setWrong] = useState("");
  const take = (answer: OfficeResponse<VehicleRenterMessage>) => {
    if (answer.status === 200) return setUses(answer.body.data);
    const { fields, notice } = toRefusalTexts(answer);
    setWrong([notice, ...Object.values(fields)].join(" "));
  };
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    setUses(undefined);
    setWrong("");
    const path = `/vehicles/${encodeURIComponent(reference)}/use?${new URLSearchParams({ at })}`;
    sendOfficeRequest<VehicleRenterMessage>("GET", toOfficePath(path)).then(take, () => setWrong(t("notSent")));
  };
  return (
    <section class="panel" aria-labelledby="use">
      <h2 id="use">{t("whoHadIt")}</h2>
      <form class="ask-line" onSubmit={handleSubmit}>
        <label>
          {t("whenHadIt")}
          <input
            type="datetime-local"
            max={MAX_DATE_TIME}
            required
            value={at}
            onInput={({ currentTarget }) => setAt(currentTarget.value)}
          />
        </label>
        <button type="submit">{t("lookWhoHadIt")}</button>
      </form>
      <div role="status">
        {wrong && <p class="problem">{wrong}</p>}
        {uses?.length === 0 && <p class="calm">{t("nobodyHadIt")}</p>}
        {uses && uses.length > 0 && (
          <ul class="plain rows">
            {uses.map((use) => (
              <li key={use.reservation_id}>
                <span>
                  <strong>
                    <a href={linkTo("reservations", use.reservation_id)}>{use.customer_fullname}</a>
                  </strong>
                  {use.driver_fullname && use.driver_fullname !== use.customer_fullname && (
                    <small>{t("drivenBy", { name: use.driver_fullname })}</small>
                  )}
                  <small>
                    {formatMoment(use.out)} – {use.back ? formatMoment(use.back) : t("outStill")}
                  </small>
                </span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </section>
  );
}
