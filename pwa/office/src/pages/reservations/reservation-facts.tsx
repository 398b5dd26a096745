import { toMailLink, toPhoneLink } from "#shared/links.ts";
import { formatDay, formatMoment, getBranchName, getCategoryName, getPlaceName } from "../../account.ts";
import { formatTravellers } from "../../desk/format-travellers.ts";
import { getLanguageName } from "../../desk/names.ts";
import type { Reservation, ReservationDetail, Transfer, TransferTrip } from "../../desk/reservation.ts";
import { useTransferPointNames, useTransferVehicleAndExtraNames } from "../../desk/transfer-names.ts";
import { linkTo, linkToWithQuery } from "../../route.ts";
import { type TextKey, t } from "../../texts.ts";

/** Trips of a transfer with time, route, vehicle and travellers. */
function TransferTrips({ transfer, branch }: { readonly transfer: Transfer; readonly branch: string }) {
  const translatePoint = useTransferPointNames(true);
  const translateContent = useTransferVehicleAndExtraNames(true);
  const [outward, back] = transfer.trips;
  const formatFlight = (number: string | null, time: string | null) =>
    number !== null && t("flightIs", { flight: [number, time].filter(Boolean).join(" ") });
  const arrival = formatFlight(transfer.flight_number, transfer.flight_time);
  const departure = formatFlight(transfer.flight_number_departure, transfer.flight_time_departure);
  const travellerSummary = (
    <p class="who">
      <strong>{translateContent(transfer.vehicle)}</strong>
      <br />
      {formatTravellers(transfer)}
    </p>
  );
  const trip = (transferTrip: TransferTrip | undefined, title: TextKey, flights: readonly (string | false)[]) =>
    transferTrip && (
      <div>
        <p class="soft">{t(title)}</p>
        <p class="big">
          {formatDay(transferTrip.date)} <span>{transferTrip.time}</span>
        </p>
        <p>
          {translatePoint(transferTrip.origin)} – {translatePoint(transferTrip.destination)}
        </p>
        {[transferTrip.origin_address, transferTrip.destination_address, ...flights].map(
          (text) => text && <p key={text}>{text}</p>,
        )}
        <p class="soft">{getBranchName(branch)}</p>
      </div>
    );
  return (
    <section class="trip" aria-label={t("period")}>
      {trip(outward, "groupOutward", back ? [arrival] : [arrival, departure])}
      {travellerSummary}
      {trip(back, "groupReturn", [departure])}
    </section>
  );
}

type Period = Pick<
  Reservation,
  | "date_from"
  | "time_from"
  | "pickup_place"
  | "pickup_place_id"
  | "rental_location_code"
  | "date_to"
  | "time_to"
  | "return_place"
  | "return_place_id"
  | "return_rental_location_code"
  | "days"
>;

/** Pickup and return with time and place. */
export function PickupAndReturn({ of }: { readonly of: Period & Partial<Pick<Reservation, "transfer">> }) {
  if (of.transfer) return <TransferTrips transfer={of.transfer} branch={of.rental_location_code} />;
  return (
    <section class="trip" aria-label={t("period")}>
      <div>
        <p class="soft">{t("pickup")}</p>
        <p class="big">
          {formatDay(of.date_from)} <span>{of.time_from}</span>
        </p>
        <Where
          place={getPlaceName(of.pickup_place_id, of.pickup_place)}
          branch={getBranchName(of.rental_location_code)}
        />
      </div>
      <p class="days" aria-hidden="true">
        {t("days", { n: of.days })}
      </p>
      <div>
        <p class="soft">{t("return")}</p>
        <p class="big">
          {formatDay(of.date_to)} <span>{of.time_to}</span>
        </p>
        <Where
          place={getPlaceName(of.return_place_id, of.return_place)}
          branch={getBranchName(of.return_rental_location_code)}
        />
      </div>
    </section>
  );
}

// Omits a place named like its branch.
function Where({ place, branch }: { readonly place: string; readonly branch: string }) {
  return (
    <>
      <p>{place}</p>
      {branch !== place && <p class="soft">{branch}</p>}
    </>
  );
}

interface CustomerProps {
  readonly of: Reservation;
  readonly terms: ReservationDetail["accepted_terms"];
}

/** Customer with contact data, and the terms accepted online. */
export function ReservationCustomerPanel({ of, terms }: CustomerProps) {
  const { customer_id: customer, customer_email: mail, customer_phone: phone } = of;
  return (
    <section class="panel" aria-labelledby="customer">
      <h2 id="customer">{t("customer")}</h2>
      <p class="strong">
        {customer === null ? of.customer_fullname : <a href={linkTo("customers", customer)}>{of.customer_fullname}</a>}
      </p>
      {mail && <a href={toMailLink(mail)}>{mail}</a>}
      {phone && <a href={toPhoneLink(phone)}>{phone}</a>}
      {of.customer_document_id && <p>{of.customer_document_id}</p>}
      <p class="soft">
        {[getLanguageName(of.customer_language), of.driver_age && t("driverAged", { n: of.driver_age })]
          .filter(Boolean)
          .join(" · ")}
      </p>
      {customer !== null && (
        <a href={linkToWithQuery({ customer_id: customer }, "reservations")}>{t("theirReservations")}</a>
      )}
      {terms && <p class="soft">{t("termsAccepted", { at: formatMoment(terms.at), version: terms.version })}</p>}
      {of.notes && <p class="notes">{of.notes}</p>}
    </section>
  );
}

/** Vehicles with hand-over and return times. A cancelled reservation lists only assigned ones. */
export function ReservedVehicles({ of }: { readonly of: Reservation }) {
  const units = of.units.filter(({ reference }) => reference !== null || of.status !== "cancelled");
  if (units.length === 0) return null;
  const resources = of.reservation_lines.flatMap((line) =>
    line.reservation_line_resources.map(
      (resource) =>
        [resource.id, { ...resource, category: getCategoryName(line.item_id, line.item_description) }] as const,
    ),
  );
  const byUnit = new Map(resources);
  return (
    <section class="panel" aria-labelledby="vehicles">
      <h2 id="vehicles">{t("vehicles")}</h2>
      <ul class="plain">
        {units.map(({ id, reference, delivered, collected }) => (
          <li key={id}>
            <p class="strong">
              {reference === null ? t("noVehicle") : <a href={linkTo("fleet", reference)}>{reference}</a>}{" "}
              <span class="plate">{byUnit.get(id)?.stock_plate}</span>
            </p>
            <p class="soft">{byUnit.get(id)?.category}</p>
            {delivered && <p>{t("handedOverAt", { at: formatMoment(delivered) })}</p>}
            {collected && <p>{t("takenBackAt", { at: formatMoment(collected) })}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}
