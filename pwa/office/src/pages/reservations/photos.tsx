import { useEffect, useState } from "preact/hooks";
import type { Immutable } from "#shared/immutable.ts";
import type { BookingOperationsMessage, CheckInOperationMessage } from "#worker/api/check-in/operation-messages.ts";
import { fetchFile } from "../../api.ts";
import { LoadErrorMessage, PanelLoadError } from "../../desk/load-error.tsx";
import { useResource } from "../../desk/use-resource.tsx";
import { t, tOr } from "../../texts.ts";

type Operation = FieldWork["operations"][number];

type Photos = NonNullable<Immutable<CheckInOperationMessage>["photos"]>;
type FieldWork = Immutable<BookingOperationsMessage>;

/** Photos of a vehicle from one view, before and after its rental. */
interface PhotoRow {
  readonly vehicle: string;
  readonly view: Photos[number]["view"];
  readonly out: Photos;
  readonly back: Photos;
}

/** Photos of hand-over and return, side by side by vehicle and view. */
export function HandOverAndReturnPhotos({ id }: { readonly id: number }) {
  const { whole, problem, retry } = useResource<BookingOperationsMessage>(`/api/v1/booking/${id}/check-in`);
  if (problem) return <PanelLoadError title={t("photos")} problem={problem} onRetry={retry} />;
  const rows = listPhotoRows(whole?.operations ?? []);
  if (rows.length === 0) return null;
  const hasSeveralVehicles = rows.some(({ vehicle }) => vehicle !== rows[0]?.vehicle);
  return (
    <section class="panel" aria-labelledby="photos">
      <h2 id="photos">{t("photos")}</h2>
      <table class="photos">
        <thead>
          <tr>
            <td />
            <th scope="col">{t("photosOut")}</th>
            <th scope="col">{t("photosBack")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ vehicle, view, out, back }) => {
            const name = [...(hasSeveralVehicles ? [vehicle] : []), tOr(`view.${view}`, view)].join(" · ");
            return (
              <tr key={`${vehicle} ${view}`}>
                <th scope="row">{name}</th>
                {([out, back] as const).map((photos, side) => (
                  <td key={String(side)}>
                    {photos.map(({ hash }) => (
                      <ReservationPhoto
                        key={hash}
                        id={id}
                        hash={hash}
                        name={`${name}, ${t(side === 0 ? "photosOut" : "photosBack")}`}
                      />
                    ))}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

// The record contains the operation as the device sent it.
const getSent = ({ operation }: Operation): Partial<Immutable<CheckInOperationMessage>> => operation;

interface UnitState {
  readonly vehicle: string;
  readonly side: "out" | "back";
}

/**
 * Sorts the photos of field work by vehicle and view. An exchange has photos of both vehicles, and later photos belong
 * to the side that their unit has reached. Photos that were marked as mistakes are omitted.
 */
export function listPhotoRows(operations: readonly Operation[]): readonly PhotoRow[] {
  const removed = new Set(operations.flatMap((operation) => getSent(operation).removed_photos ?? []));
  const units = new Map<number | null, UnitState>();
  const rows = new Map<string, PhotoRow>();
  for (const operation of operations.toSorted((item, other) => item.recorded_at.localeCompare(other.recorded_at))) {
    const before = units.get(operation.resource_id) ?? [...units.values()].at(-1) ?? { vehicle: "", side: "out" };
    const { current, after } = getUnitStates(operation, before);
    const shownPhotos = (getSent(operation).photos ?? []).filter(({ hash }) => !removed.has(hash));
    for (const photo of shownPhotos) addPhoto(rows, photo.vehicle === "replacement" ? after : current, photo);
    if (STATE_CHANGES.includes(operation.kind)) units.set(operation.resource_id, after);
  }
  return [...rows.values()];
}

const STATE_CHANGES: readonly string[] = ["delivery", "collection", "exchange"];

// Returns which vehicle and side an operation's photos show, and which the unit's later photos will show.
function getUnitStates(operation: Operation, before: UnitState): { current: UnitState; after: UnitState } {
  const { kind, vehicle_reference: named } = operation;
  const vehicle = named ?? before.vehicle;
  switch (kind) {
    case "exchange":
      return {
        current: { ...before, side: "back" },
        after: { vehicle: getSent(operation).exchange?.vehicle_reference ?? before.vehicle, side: "out" },
      };
    case "delivery":
    case "collection": {
      const current: UnitState = { vehicle, side: kind === "delivery" ? "out" : "back" };
      return { current, after: current };
    }
    default:
      return { current: { ...before, vehicle }, after: before };
  }
}

function addPhoto(rows: Map<string, PhotoRow>, { vehicle, side }: UnitState, photo: Photos[number]): void {
  const { view } = photo;
  const key = `${vehicle} ${view}`;
  const row = rows.get(key) ?? { vehicle, view, out: [], back: [] };
  rows.set(key, { ...row, [side]: [...row[side], photo] });
}

/** Photo of a reservation, loaded with the token. */
export function ReservationPhoto({
  id,
  hash,
  name,
}: {
  readonly id: number;
  readonly hash: string;
  readonly name: string;
}) {
  const [address, setAddress] = useState<string>();
  const [hasFailed, setFailed] = useState(false);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let objectUrl = "";
    setFailed(false);
    fetchFile(`/api/v1/booking/${id}/check-in-files/${hash}`).then(
      (file) => {
        if (file) objectUrl = URL.createObjectURL(file);
        setAddress(objectUrl);
      },
      () => setFailed(true),
    );
    return () => URL.revokeObjectURL(objectUrl);
  }, [id, hash, turn]);
  if (hasFailed) return <LoadErrorMessage problem={t("notLoaded")} onRetry={() => setTurn(turn + 1)} />;
  if (address === undefined) return <span class="soft">{t("loading")}</span>;
  if (address === "") return <span class="soft">{t("photoMissing")}</span>;
  return (
    <a href={address} target="_blank" rel="noreferrer">
      <img src={address} alt={name} loading="lazy" />
    </a>
  );
}
