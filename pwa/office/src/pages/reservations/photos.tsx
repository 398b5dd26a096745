import { useEffect, useState } from "preact/hooks";
import { fetchFile } from "../../api.ts";
import { Trouble, Unread } from "../../desk/trouble.tsx";
import { useWhole } from "../../desk/use-whole.tsx";
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

interface FieldWork {
  readonly operations: readonly Operation[];
}

interface Sides {
  readonly out: readonly Photo[];
  readonly back: readonly Photo[];
}

/** The photos of a vehicle going out and coming back, side by side by what they show. */
export function Photos({ id }: { readonly id: number }) {
  const { whole, problem, read } = useWhole<FieldWork>(`/api/v1/booking/${id}/check-in`);
  if (problem) return <Unread title={t("photos")} problem={problem} onRetry={read} />;
  const sides = sidesOf(whole?.operations ?? []);
  if (sides.out.length + sides.back.length === 0) return null;
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
  const [address, setAddress] = useState<string>();
  const [hasFailed, setFailed] = useState(false);
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let made = "";
    setFailed(false);
    fetchFile(`/api/v1/booking/${id}/check-in-files/${hash}`).then(
      (file) => {
        if (file) made = URL.createObjectURL(file);
        setAddress(made);
      },
      () => setFailed(true),
    );
    return () => URL.revokeObjectURL(made);
  }, [id, hash, turn]);
  if (hasFailed) return <Trouble problem={t("failed")} onRetry={() => setTurn(turn + 1)} />;
  if (address === undefined) return <span class="soft">{t("loading")}…</span>;
  if (address === "") return <span class="soft">{t("photoMissing")}</span>;
  return (
    <a href={address} target="_blank" rel="noreferrer">
      <img src={address} alt={name} loading="lazy" />
    </a>
  );
}
