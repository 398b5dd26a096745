import { useEffect, useState } from "preact/hooks";
import { isolateRightToLeft } from "#shared/locale.ts";
import type { Office, Operation, OperationRecord } from "../../api/messages.ts";
import { type TextKey, t, tOr } from "../../i18n/texts.ts";
import { loadedVehicles, loadStoredFleet } from "../../state/day.ts";
import { hasOfficeRole } from "../../state/device-session.ts";
import { formatMoment } from "../../state/format-time.ts";
import {
  isOfficeListForbidden,
  isOfficeListReachable,
  loadOfficeOperations,
  OFFICE_LIST_FILTERS,
  officeListFilter,
  officeOperationList,
  resolveOperation,
  stopOfficeListRetries,
} from "../../state/office-review.ts";
import { toHref } from "../../state/route.ts";
import { Icon } from "../../ui/icon.tsx";
import { Chip, EmptyState, Plate } from "../../ui/parts.tsx";
import { OperationRemarks } from "../../ui/remarks.tsx";
import { Screen } from "../../ui/screen.tsx";
import { StoredPicture } from "../../ui/stored-picture.tsx";
import { UnbookedMoney } from "../../ui/unbooked-money.tsx";

/** Work that needs a decision, and devices with unsent work. Shows server data, so it needs the network. */
export default function OfficeReviewScreen() {
  useEffect(() => {
    void loadStoredFleet();
    void loadOfficeOperations(officeListFilter.peek());
    return stopOfficeListRetries;
  }, []);
  const known = officeOperationList.value;
  if (isOfficeListForbidden.value || !hasOfficeRole.value) return <UnauthorizedNotice />;
  return (
    <Screen title={t("navOffice")}>
      <fieldset class="groups" aria-label={t("whichState")}>
        {OFFICE_LIST_FILTERS.map((state) => (
          <button
            key={state}
            type="button"
            aria-pressed={officeListFilter.value === state}
            onClick={() => void loadOfficeOperations(state)}
          >
            {t(`office_${state}`)}
          </button>
        ))}
      </fieldset>
      {!isOfficeListReachable.value && (
        <EmptyState icon="offline" title={t("officeOffline")}>
          <button type="button" class="other" onClick={() => void loadOfficeOperations(officeListFilter.peek())}>
            {t("retry")}
          </button>
        </EmptyState>
      )}
      {isOfficeListReachable.value && known && (
        <>
          {known.data.length === 0 && <EmptyState icon="check" title={t("officeEmpty")} />}
          <ul class="plain">
            {known.data.map((record) => (
              <RecordCard key={record.op_id} record={record} />
            ))}
          </ul>
          <Devices devices={known.devices} />
        </>
      )}
    </Screen>
  );
}

function UnauthorizedNotice() {
  return (
    <Screen title={t("navOffice")}>
      <EmptyState icon="key" title={t("officeForbidden")}>
        <p>{t("officeForbiddenWhy")}</p>
        <a class="other" href={toHref("day")}>
          {t("officeForbiddenDay")}
        </a>
      </EmptyState>
    </Screen>
  );
}

const RECORD_TONES = {
  applied: "done",
  held: "held",
  conflict: "refused",
  accepted: "done",
  dismissed: "held",
} as const;

function RecordCard({ record }: { readonly record: OperationRecord }) {
  const [isBusy, setIsBusy] = useState(false);
  const [hasFailed, setHasFailed] = useState(false);
  const decide = async (action: "accept" | "dismiss") => {
    setIsBusy(true);
    setHasFailed(!(await resolveOperation(record.op_id, action)));
    setIsBusy(false);
  };
  const photos = (record.operation["photos"] ?? []) as readonly { readonly hash: string; readonly view: string }[];
  const isOpen = record.state === "conflict" || record.state === "held";
  return (
    <li class="card">
      <div class="row">
        <span class="grow">
          <b class="who">{record.customer_fullname}</b>
          <span class="where">
            {tOr(`kind_${record.kind}`, record.kind)} · {t("booking", { id: record.booking_id })}
          </span>
        </span>
        {record.vehicle_reference && <Plate text={findPlate(record.vehicle_reference)} />}
      </div>
      <Chip tone={RECORD_TONES[record.state]}>{t(`record_${record.state}`)}</Chip>
      {record.code !== "applied" && <p>{tOr(`code_${record.code}` satisfies TextKey, t("code_invalid"))}</p>}
      {record.state === "conflict" && (
        <UnbookedMoney charges={(record.operation as Partial<Operation>).charges ?? []} />
      )}
      <OperationRemarks {...record} />
      <p class="soft">
        {isolateRightToLeft(record.author)} · {t("recordedAt", { time: formatMoment(record.recorded_at) })} ·{" "}
        {t("receivedAt", { time: formatMoment(record.received_at) })}
      </p>
      {record.files_total > 0 && (
        <p class="soft">{t("photosOf", { n: record.files_arrived, of: record.files_total })}</p>
      )}
      {record.files_arrived > 0 && (
        <ul class="thumbs">
          {photos.slice(0, 8).map(({ hash, view }) => (
            <li key={hash}>
              <StoredPicture bookingId={record.booking_id} hash={hash} alt={tOr(`view_${view}`, view)} mayDownload />
            </li>
          ))}
        </ul>
      )}
      {hasFailed && (
        <p class="note" data-tone="refused" role="alert">
          <Icon name="refused" />
          {t("officeFailed")}
        </p>
      )}
      {isOpen && (
        <div class="row wrap">
          <button type="button" class="small strong" disabled={isBusy} onClick={() => void decide("accept")}>
            {t("accept")}
          </button>
          <button type="button" class="small" disabled={isBusy} onClick={() => void decide("dismiss")}>
            {t("dismiss")}
          </button>
        </div>
      )}
    </li>
  );
}

const findPlate = (reference: string) =>
  loadedVehicles.value.find((vehicle) => vehicle.reference === reference)?.stock_plate ?? reference;

type Device = Office["devices"][number];

interface DevicesProps {
  readonly devices: readonly Device[];
}

function Devices({ devices }: DevicesProps) {
  const incompleteDevices = devices.filter(
    ({ missing, repeated = 0, waiting = 0, begun = [] }) => missing + repeated + waiting + begun.length > 0,
  );
  return (
    <section>
      <h2>{t("devices")}</h2>
      {incompleteDevices.length === 0 && <p class="soft">{t("devicesComplete")}</p>}
      <ul class="plain">
        {incompleteDevices.map((device) => (
          <li key={device.device_id} class="entry">
            <Icon name="phone" />
            <span class="grow">
              <b class="who">{device.user}</b>
              <span class="where">
                {device.device_id.slice(0, 8)} · {t("lastSeen", { time: formatMoment(device.last_seen_at) })}
              </span>
              <WasDoing device={device} />
            </span>
            {device.missing > 0 && <Chip tone="refused">{t("deviceMissing", { n: device.missing })}</Chip>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Work on a device when it last reported. Not available from older servers. */
function WasDoing({ device: { repeated = 0, waiting = 0, blocked = 0, begun = [] } }: { readonly device: Device }) {
  return (
    <>
      {repeated > 0 && <span class="where">{t("devicePutBack", { n: repeated })}</span>}
      {begun.map(({ booking_id, kind, step, at }) => (
        <span key={`${booking_id} ${kind}`} class="where">
          {tOr(`kind_${kind}`, kind)} · {t("booking", { id: booking_id })} · {tOr(`step_${step}`, step)} ·{" "}
          {formatMoment(at)}
        </span>
      ))}
      {waiting > 0 && <span class="where">{t("statusWaiting", { n: waiting })}</span>}
      {blocked > 0 && <span class="where">{t("deviceBlocked", { n: blocked })}</span>}
    </>
  );
}
