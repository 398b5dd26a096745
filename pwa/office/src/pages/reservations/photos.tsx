import { useEffect, useState } from "preact/hooks";
import { ask, fetchFile } from "../../api.ts";
import { t, tOr } from "../../texts.ts";

interface Photo {
  readonly hash: string;
  readonly view: string;
}

interface Operation {
  readonly kind: string;
  readonly state: string;
  readonly operation: { readonly photos?: readonly Photo[] };
}

interface Sides {
  readonly out: readonly Photo[];
  readonly back: readonly Photo[];
}

/** The photos of a vehicle going out and coming back, side by side by what they show. */
export function Photos({ id }: { readonly id: number }) {
  const [sides, setSides] = useState<Sides>();
  useEffect(() => {
    ask("GET", `/api/v1/booking/${id}/check-in`).then(
      ({ status, body }) =>
        setSides(status === 200 ? sidesOf((body["operations"] ?? []) as readonly Operation[]) : undefined),
      () => undefined,
    );
  }, [id]);
  if (!sides || sides.out.length + sides.back.length === 0) return null;
  const views = [...new Set([...sides.out, ...sides.back].map(({ view }) => view))];
  const of = (side: readonly Photo[], view: string) => side.filter((one) => one.view === view);
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
              {[of(sides.out, view), of(sides.back, view)].map((photos, side) => (
                <td key={String(side)}>
                  {photos.map(({ hash }) => (
                    <Shown
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

function sidesOf(operations: readonly Operation[]): Sides {
  const of = (kind: string) =>
    operations.filter((one) => one.kind === kind).flatMap(({ operation }) => operation.photos ?? []);
  return { out: of("delivery"), back: of("collection") };
}

function Shown({ id, hash, name }: { readonly id: number; readonly hash: string; readonly name: string }) {
  const [address, setAddress] = useState("");
  useEffect(() => {
    let made = "";
    fetchFile(`/api/v1/booking/${id}/check-in-files/${hash}`).then(
      (file) => {
        if (file) made = URL.createObjectURL(file);
        setAddress(made);
      },
      () => undefined,
    );
    return () => URL.revokeObjectURL(made);
  }, [id, hash]);
  if (address === "") return <span class="soft">{t("photoMissing")}</span>;
  return (
    <a href={address} target="_blank" rel="noreferrer">
      <img src={address} alt={name} loading="lazy" />
    </a>
  );
}
