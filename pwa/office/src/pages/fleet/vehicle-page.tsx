import { useRef, useState } from "preact/hooks";
import {
  formatDay,
  formatKilometres,
  formatMoment,
  getBranchName,
  getCategoryName,
  hasUserRight,
} from "../../account.ts";
import { type OfficeResponse, sendOfficeRequest, toOfficePath } from "../../api.ts";
import { ConfirmButton } from "../../desk/confirm-button.tsx";
import { LabelledValueList } from "../../desk/fact-list.tsx";
import { formatVehicleFuelLevel, getFuelLabel, parseFuelLevel } from "../../desk/fuel-levels.ts";
import { toRefusalTexts } from "../../desk/refusals.ts";
import { Skeleton } from "../../desk/skeleton.tsx";
import { PagePlaceholder, useResource } from "../../desk/use-resource.tsx";
import { linkTo, linkToWithQuery } from "../../route.ts";
import { t, tOr } from "../../texts.ts";
import { ReservationHistory } from "../reservations/reservation-history.tsx";
import { VehicleExpenses } from "./expenses.tsx";
import { VehicleMaintenanceHistory } from "./services.tsx";
import type { Damage, VehicleBlock, VehicleDetail } from "./vehicle.ts";
import { VehicleRenterSearch } from "./vehicle-renter-search.tsx";
import { VehicleStateBadge } from "./vehicle-search.tsx";
import { VehicleSheet, type VehicleSheetAction } from "./vehicle-sheets.tsx";

interface Open {
  readonly action: VehicleSheetAction;
  readonly block?: VehicleBlock;
}

const PROBLEMS = { 400: "noSuchVehicle", 404: "noSuchVehicle" } as const;

interface VehiclePageProps {
  readonly reference: string;
  /** Panel that is open initially. */
  readonly action: string | undefined;
}

/** Vehicle page with location, data, blocks, damage, history and actions. */
export function VehiclePage({ reference, action }: VehiclePageProps) {
  const [notice, setNotice] = useState("");
  const [wrong, setWrong] = useState("");
  const [open, setOpen] = useState<Open | undefined>(
    action === "due" && hasUserRight("manage") ? { action } : undefined,
  );
  const status = useRef<HTMLParagraphElement>(null);
  const path = `/vehicles/${encodeURIComponent(reference)}`;
  const { whole, setWhole, problem, read, retry } = useResource<VehicleDetail>(toOfficePath(path), {
    problems: PROBLEMS,
  });
  if (problem)
    return (
      <PagePlaceholder
        title={reference}
        problem={problem}
        onRetry={retry}
        list={linkTo("fleet")}
        listName={t("fleet")}
      />
    );
  if (!whole)
    return (
      <main class="status">
        <Skeleton />
      </main>
    );
  const { vehicle: currentVehicle, history } = whole;
  const showSuccess = ({ body: { vehicle, history: entries } }: OfficeResponse<VehicleDetail>, words: string) => {
    setOpen(undefined);
    setWrong("");
    setNotice(words);
    // The response to a change of a block contains only the block, so the vehicle is loaded again.
    if (vehicle && entries) setWhole({ vehicle, history: entries });
    else void read();
    status.current?.focus();
  };
  const send = (method: string, to: string, words: string) =>
    sendOfficeRequest<VehicleDetail, object>(method, toOfficePath(to), method === "POST" ? { body: {} } : {}).then(
      (answer) => {
        if (answer.status < 300) return showSuccess(answer, words);
        const { fields, notice: text } = toRefusalTexts(answer);
        setWrong([text, ...Object.values(fields)].join(" "));
      },
      () => setWrong(t("notSent")),
    );
  return (
    <main class="reservation">
      <p class="crumbs">
        <a href={linkTo("fleet")}>{t("fleet")}</a>
      </p>
      <div class="title">
        <h1>
          {currentVehicle.stock_plate ?? currentVehicle.reference} · {currentVehicle.name}
        </h1>
        <VehicleStateBadge of={currentVehicle} />
        {!currentVehicle.assignable && (
          <span class="state" data-state="cancelled">
            {t("notAssigned")}
          </span>
        )}
      </div>
      <p class="done" role="status" ref={status} tabIndex={-1}>
        {notice}
      </p>
      {wrong && <p role="alert">{wrong}</p>}
      <VehicleActions of={currentVehicle} onOpen={(action) => setOpen({ action })} />
      <div class="columns">
        <div class="column">
          <Blocks
            blocks={currentVehicle.blocks}
            onChange={(block) => setOpen({ action: "block", block })}
            onRemove={({ id }) =>
              send("DELETE", `/blocks/${id}`, t("unblocked", { vehicle: currentVehicle.reference }))
            }
          />
          <Damages
            damages={currentVehicle.damages}
            onRepaired={({ id }) => send("POST", `${path}/damages/${id}/repaired`, t("vehicleDid.repaired"))}
          />
          <ReservationHistory entries={history} />
        </div>
        <div class="column narrow">
          <Facts of={currentVehicle} />
          <VehicleRenterSearch reference={currentVehicle.reference} />
          <VehicleMaintenanceHistory
            reference={currentVehicle.reference}
            units={currentVehicle.usage_units}
            onChange={read}
          />
          <VehicleExpenses reference={currentVehicle.reference} />
        </div>
      </div>
      {open && (
        <VehicleSheet
          key={`${open.action}-${open.block?.id ?? ""}`}
          of={currentVehicle}
          action={open.action}
          block={open.block}
          onDone={showSuccess}
          onClose={() => setOpen(undefined)}
        />
      )}
    </main>
  );
}

function VehicleActions({
  of,
  onOpen,
}: {
  readonly of: VehicleDetail["vehicle"];
  readonly onOpen: (action: VehicleSheetAction) => void;
}) {
  const isIn = of.state !== "retired";
  const vehicleActions: readonly VehicleSheetAction[] = [
    ...(hasUserRight("sell") && isIn ? (["block"] as const) : []),
    ...(hasUserRight("manage") ? (["change", "due", "costs"] as const) : []),
    ...(hasUserRight("manage") && isIn ? (["move", "retire"] as const) : []),
    ...(hasUserRight("manage") && of.purchasable_sold_release_date ? (["keep"] as const) : []),
  ];
  return (
    <div class="buttons">
      {vehicleActions.map((action, index) => (
        <button
          key={action}
          type="button"
          class={action === "retire" ? "danger" : index === 0 ? "main" : ""}
          onClick={() => onOpen(action)}
        >
          {t(`vehicleDo.${action}`)}
        </button>
      ))}
      <a class="button quiet" href={linkToWithQuery({ storage: of.rental_storage_id }, "planning")}>
        {t("seeInPlanning")}
      </a>
      <a class="button quiet" href={linkToWithQuery({ q: of.stock_plate ?? of.reference }, "reservations")}>
        {t("itsReservations")}
      </a>
    </div>
  );
}

const DESCRIPTION = ["stock_brand", "stock_model", "stock_color", "stock_reference", "stock_vin"] as const;

function Facts({ of }: { readonly of: VehicleDetail["vehicle"] }) {
  const retires = of.purchasable_sold_release_date;
  const rows: readonly (readonly [string, string | null | undefined])[] = [
    [t("vehicleReference"), of.reference],
    [t("category"), getCategoryName(of.category_code)],
    [t("standsAt"), getBranchName(of.rental_location_code)],
    [tOr("back.parking_place", ""), of.parking_place],
    [tOr("back.key_number", ""), of.key_number],
    [tOr("back.vehicle_needs", ""), formatNeeds(of)],
    [t("back.inspection_due"), of.inspection_due && formatDay(of.inspection_due)],
    [t("back.insured_until"), of.insured_until && formatDay(of.insured_until)],
    [t("nextService"), formatService(of)],
    [t("in.kilometres"), formatKilometres(of.usage_units)],
    [getFuelLabel("fuel_eighths", of), formatStoredFuel(of)],
    ...DESCRIPTION.map((name) => [tOr(`back.${name}`, name), of[name]] as const),
    [t("field.fuel"), tOr(`option.${of.fuel}`, of.fuel)],
    [t("inFleetSince"), of.purchasable_adquisition_date ? formatDay(of.purchasable_adquisition_date) : null],
    [t(of.state === "retired" ? "retiredSince" : "retiresOn"), retires && formatDay(retires)],
  ];
  return (
    <section class="panel" aria-labelledby="facts">
      <h2 id="facts">{t("aboutVehicle")}</h2>
      <LabelledValueList rows={rows} />
    </section>
  );
}

function formatStoredFuel(of: VehicleDetail["vehicle"]): string | null {
  const eighths = parseFuelLevel(of.usage_available_fuel);
  return eighths === undefined ? of.usage_available_fuel : formatVehicleFuelLevel(eighths, of);
}

// Formats when service is due: by date or kilometres, whichever comes first.
function formatService({ service_due, service_due_units }: VehicleDetail["vehicle"]): string | null {
  const by = [
    service_due && formatDay(service_due),
    service_due_units !== null && `${formatKilometres(service_due_units)} km`,
  ];
  return by.filter(Boolean).join(" · ") || null;
}

/** Returns what the vehicle needs before its next rental, or undefined. */
function formatNeeds({ needs_cleaning, needs_fuel }: VehicleDetail["vehicle"]): string | undefined {
  const needTexts = [needs_cleaning && t("back.needs_cleaning"), needs_fuel && t("back.needs_fuel")].filter(Boolean);
  return needTexts.length > 0 ? needTexts.join(", ") : undefined;
}

interface BlocksProps {
  readonly blocks: readonly VehicleBlock[];
  readonly onChange: (block: VehicleBlock) => void;
  readonly onRemove: (block: VehicleBlock) => Promise<unknown>;
}

function Blocks({ blocks, onChange, onRemove }: BlocksProps) {
  return (
    <section class="panel" aria-labelledby="blocks">
      <h2 id="blocks">{t("blocks")}</h2>
      {blocks.length === 0 && <p class="calm">{t("noBlocks")}</p>}
      <ul class="plain rows">
        {blocks.map((block) => {
          const name = `${tOr(`block.${block.reason}`, block.reason)}, ${formatMoment(block.from)} – ${formatMoment(block.to)}`;
          return (
            <li key={block.id}>
              <span>
                <strong>{tOr(`block.${block.reason}`, block.reason)}</strong>
                <small>
                  {formatMoment(block.from)} – {formatMoment(block.to)}
                </small>
                {block.note && <small>{block.note}</small>}
              </span>
              {hasUserRight("sell") && block.reason !== "away" && (
                <>
                  <button
                    type="button"
                    class="small"
                    aria-label={`${t("changeBlock")}: ${name}`}
                    onClick={() => onChange(block)}
                  >
                    {t("changeBlock")}
                  </button>
                  <ConfirmButton text={t("unblock")} of={name} onSure={() => onRemove(block)} />
                </>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

interface DamagesProps {
  readonly damages: readonly Damage[];
  readonly onRepaired: (damage: Damage) => Promise<unknown>;
}

function Damages({ damages, onRepaired }: DamagesProps) {
  return (
    <section class="panel" aria-labelledby="damages">
      <h2 id="damages">{t("damages")}</h2>
      {damages.length === 0 && <p class="calm">{t("noDamages")}</p>}
      <ul class="plain rows">
        {damages.map((damage) => {
          const name = `${tOr(`damage.${damage.kind}`, damage.kind)}, ${tOr(`vehiclePart.${damage.part}`, damage.part.replaceAll("_", " "))}`;
          return (
            <li key={damage.id}>
              <span>
                <strong>{name}</strong>
                <small>
                  {tOr(`severity.${damage.severity}`, damage.severity)} · {formatDay(damage.since)}
                  {damage.booking_id !== null && (
                    <>
                      {" · "}
                      <a href={linkTo("reservations", damage.booking_id)}>
                        {t("reservationNo", { id: damage.booking_id })}
                      </a>
                    </>
                  )}
                </small>
                {damage.note && <small>{damage.note}</small>}
              </span>
              {hasUserRight("sell") && (
                <ConfirmButton text={t("repaired")} of={name} onSure={() => onRepaired(damage)} />
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
