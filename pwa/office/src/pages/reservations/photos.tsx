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

interface Sides {
  readonly out: Photos;
  readonly back: Photos;
}

/** Photos of hand-over and return, side by side by view. */
export function HandOverAndReturnPhotos({ id }: { readonly id: number }) {
  const { whole, problem, retry } = useResource<BookingOperationsMessage>(`/api/v1/booking/${id}/check-in`);
  if (problem) return <PanelLoadError title={t("photos")} problem={problem} onRetry={retry} />;
  const sides = splitBySide(whole?.operations ?? []);
  if (sides.out.length + sides.back.length === 0) return null;
  const views = [...new Set([...sides.out, ...sides.back].map(({ view }) => view))];
  const viewPhotos = (side: Photos, view: string) => side.filter((photo) => photo.view === view);
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
          {views.map((view) => (
            <tr key={view}>
              <th scope="row">{tOr(`view.${view}`, view)}</th>
              {[viewPhotos(sides.out, view), viewPhotos(sides.back, view)].map((photos, side) => (
                <td key={String(side)}>
                  {photos.map(({ hash }) => (
                    <ReservationPhoto
                      key={hash}
                      id={id}
                      hash={hash}
                      name={`${tOr(`view.${view}`, view)}, ${t(side === 0 ? "photosOut" : "photosBack")}`}
                    />
                  ))}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

// The record contains the operation as the device sent it.
const getPhotos = (operation: Partial<Immutable<CheckInOperationMessage>>): Photos => operation.photos ?? [];

function splitBySide(operations: readonly Operation[]): Sides {
  const viewPhotos = (kind: string) =>
    operations.filter((operation) => operation.kind === kind).flatMap(({ operation }) => getPhotos(operation));
  return { out: viewPhotos("delivery"), back: viewPhotos("collection") };
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
