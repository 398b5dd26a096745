import { useState } from "preact/hooks";
import { getVehiclePartCentre } from "#domain/check-in/vehicle-outline.ts";
import { DAMAGE_KINDS, DAMAGE_SEVERITIES, VEHICLE_PARTS } from "#domain/contracts/damage.ts";
import { type TextKey, t, tOr } from "../../i18n/texts.ts";
import { createUuidV7 } from "../../offline/ids.ts";
import type { WorkDraft } from "../../offline/items.ts";
import { replaceDamagePrice } from "../../state/damage-prices.ts";
import { getReplacementVehicle, pickPhotosAndDamages } from "../../state/exchange.ts";
import { formatDay } from "../../state/format-time.ts";
import { openRoute, replaceRoute, toHref } from "../../state/route.ts";
import { addPhotosToWork } from "../../state/save-captures.ts";
import { getTextTooLongMessage } from "../../state/text-lengths.ts";
import { removeFromWork } from "../../state/undo-removal.ts";
import { changeOpenWork } from "../../state/work.ts";
import { findUnfinishedDamage, getNothingFoundChange, type WorkStep } from "../../state/work-steps.ts";
import { Icon } from "../../ui/icon.tsx";
import { Choice, Field } from "../../ui/parts.tsx";
import { StoredPicture } from "../../ui/stored-picture.tsx";
import { getDraftVehicle } from "./closing-costs.ts";
import { DamagePriceField, DamagePriceText } from "./damage-price.tsx";
import { CAPTURE_ERROR_TEXTS, PhotoErrorNotice, PhotoInput } from "./photo-input.tsx";
import type { StepProps } from "./step-props.ts";
import { VehicleDiagram } from "./vehicle-diagram.tsx";

type Damage = WorkDraft["damages"][number];
type Part = Damage["part"];

/** Route value for damage that is described for the first time. */
const OPEN = "new";

/** Damage on a diagram and as a list, including damage from earlier rentals. */
export function DamageStep({ draft, vehicle, part, frame, onNext }: StepProps) {
  const step = vehicle ? "damage_out" : "damage";
  const open = part === OPEN ? draft.open_damage : draft.damages.find(({ damage_id }) => damage_id === part);
  if (open) return <OpenDamage draft={draft} damage={open} isNew={part === OPEN} step={step} frame={frame} />;
  const { damages } = pickPhotosAndDamages(draft, vehicle);
  const earlier = (vehicle ? getReplacementVehicle(draft) : getDraftVehicle(draft))?.damages ?? [];
  const add = (where: Part, x: number, y: number) => {
    const damage: Damage = {
      ...{ damage_id: createUuidV7(Date.now()), part: where, kind: "scratch", severity: "light", x, y, photos: [] },
      ...(vehicle && { vehicle }),
    };
    // Damage that was described without saving it isn't lost.
    const unfinished = findUnfinishedDamage(draft);
    const allDamages = unfinished ? [...draft.damages, unfinished] : draft.damages;
    void changeOpenWork({ damages: allDamages, open_damage: damage }).then(() =>
      openRoute("work", draft.key, step, OPEN),
    );
  };
  return frame(
    <Next draft={draft} vehicle={vehicle} step={step} isEmpty={damages.length === 0} onNext={onNext} />,
    <>
      {draft.open_damage?.vehicle === vehicle && <StartedDamage draft={draft} step={step} />}
      <p class="lead">{t("damageLead")}</p>
      <VehicleDiagram earlier={earlier} added={damages} onPart={add} />
      <label class="field">
        <span class="label">{t("damageByList")}</span>
        <select
          value=""
          onChange={({ currentTarget }) => {
            const chosen = VEHICLE_PARTS.find((item) => item === currentTarget.value);
            if (chosen) add(chosen, ...getVehiclePartCentre(chosen));
          }}
        >
          <option value="">{t("choosePart")}</option>
          {VEHICLE_PARTS.map((item) => (
            <option key={item} value={item}>
              {t(`part_${item}`)}
            </option>
          ))}
        </select>
      </label>
      <h2>{t("newDamage")}</h2>
      {damages.length === 0 && <p class="soft">{t("noneYet")}</p>}
      <ol class="plain">
        {damages.map((damage, index) => (
          <li key={damage.damage_id}>
            <a class="entry" href={toHref("work", draft.key, step, damage.damage_id)}>
              <span class="pin new">{index + 1}</span>
              <span class="grow">
                <b class="who">{t(`part_${damage.part}`)}</b>
                <span class="where">
                  {t(`damage_${damage.kind}`)} · {t(`severity_${damage.severity}`)}
                  <DamagePriceText draft={draft} damageId={damage.damage_id} />
                </span>
              </span>
              <Icon name="next" />
            </a>
          </li>
        ))}
      </ol>
      <h2>{t("earlierDamage")}</h2>
      {earlier.length === 0 && <p class="soft">{t("none")}</p>}
      <ul class="plain">
        {earlier.map((damage) => (
          <li key={damage.damage_id} class="entry">
            <span class="pin known" />
            <span class="grow">
              <b class="who">{tOr(`part_${damage.part}`, damage.part)}</b>
              <span class="where">
                {tOr(`damage_${damage.kind}`, damage.kind)} · {tOr(`severity_${damage.severity}`, damage.severity)} ·{" "}
                {t("since", { date: formatDay(damage.since) })}
              </span>
              {damage.note && <span class="where">{damage.note}</span>}
              {damage.is_charged && <span class="where">{t("damageCharged")}</span>}
            </span>
          </li>
        ))}
      </ul>
    </>,
  );
}

interface NextProps extends Pick<StepProps, "draft" | "vehicle" | "onNext"> {
  readonly step: WorkStep;
  readonly isEmpty: boolean;
}

/** Main action: finish a described damage, or continue. */
function Next({ draft, vehicle, step, isEmpty, onNext }: NextProps) {
  const damage = findUnfinishedDamage(draft);
  if (damage && damage.vehicle === vehicle) {
    return (
      <button type="button" class="main" onClick={() => openRoute("work", draft.key, step, OPEN)}>
        {t("damageBegun", { part: t(`part_${damage.part}`) })}
      </button>
    );
  }
  const goOn = () => void changeOpenWork(isEmpty ? getNothingFoundChange(draft, step) : {}).then(onNext);
  return (
    <button type="button" class="main" onClick={goOn}>
      {t(isEmpty ? "noNewDamage" : "continue")}
    </button>
  );
}

/** Unfinished damage, which doesn't count until saved. */
export function StartedDamage({ draft, step }: { readonly draft: WorkDraft; readonly step: WorkStep }) {
  const { open_damage: damage } = draft;
  if (!damage) return null;
  return (
    <p class="note wrap" data-tone="waiting">
      <Icon name="draft" />
      <a class="link grow begun" href={toHref("work", draft.key, step, OPEN)}>
        {t("damageBegun", { part: t(`part_${damage.part}`) })}
      </a>
      <button
        type="button"
        class="small"
        onClick={() => removeFromWork(t(`part_${damage.part}`), removeDamage(draft, damage))}
      >
        {t("damageNone")}
      </button>
    </p>
  );
}

interface OpenProps extends Pick<StepProps, "draft" | "frame"> {
  readonly damage: Damage;
  readonly step: WorkStep;
  /** Whether the damage is new and not yet saved. */
  readonly isNew: boolean;
}

function OpenDamage({ draft, damage, step, isNew, frame }: OpenProps) {
  const [trouble, setTrouble] = useState<TextKey | undefined>(undefined);
  const close = () => replaceRoute("work", draft.key, step);
  const keep = () =>
    void changeOpenWork(isNew ? { damages: [...draft.damages, damage], open_damage: null } : {}).then(close);
  return frame(
    <>
      <PhotoErrorNotice text={trouble} />
      <button type="button" class="main" onClick={keep}>
        {t("damageDone")}
      </button>
    </>,
    <DamageForm draft={draft} damage={damage} isNew={isNew} onTrouble={setTrouble} onClose={close} />,
  );
}

/** Returns the work without a damage and its photos. */
function removeDamage(draft: WorkDraft, damage: Damage | null | undefined): Partial<WorkDraft> {
  const removedPhotos = new Set(damage?.photos ?? []);
  return {
    open_damage: draft.open_damage?.damage_id === damage?.damage_id ? null : (draft.open_damage ?? null),
    damages: draft.damages.filter(({ damage_id }) => damage_id !== damage?.damage_id),
    ...(draft.surcharges && damage && { surcharges: replaceDamagePrice(draft, damage.damage_id) }),
    photos: draft.photos.filter(({ hash }) => !removedPhotos.has(hash)),
  };
}

interface FormProps {
  readonly draft: WorkDraft;
  readonly damage: Damage;
  readonly isNew: boolean;
  readonly onTrouble: (text: TextKey | undefined) => void;
  readonly onClose: () => void;
}

function DamageForm({ draft, damage, isNew, onTrouble, onClose }: FormProps) {
  const set = (changes: Partial<Damage>) => {
    const next = { ...damage, ...changes };
    void changeOpenWork(
      isNew
        ? { open_damage: next }
        : { damages: draft.damages.map((item) => (item.damage_id === damage.damage_id ? next : item)) },
    );
  };
  const remove = () => {
    removeFromWork(t(`part_${damage.part}`), removeDamage(draft, damage));
    onClose();
  };
  const photograph = async (files: FileList | null) => {
    const subject = { damageId: damage.damage_id, vehicle: damage.vehicle };
    const outcome = await addPhotosToWork(files ?? [], "damage", subject);
    onTrouble(CAPTURE_ERROR_TEXTS[outcome]);
  };
  return (
    <>
      <h2>{t(`part_${damage.part}`)}</h2>
      <Choice
        legend={t("damageKind")}
        name="damage-kind"
        options={DAMAGE_KINDS.map((kind) => [kind, t(`damage_${kind}`)] as const)}
        value={damage.kind}
        onChange={(kind) => set({ kind })}
      />
      <Choice
        legend={t("damageSeverity")}
        name="damage-severity"
        options={DAMAGE_SEVERITIES.map((severity) => [severity, t(`severity_${severity}`)] as const)}
        value={damage.severity}
        onChange={(severity) => set({ severity })}
      />
      <Field label={t("notes")} warning={getTextTooLongMessage("damageNote", damage.note)}>
        <input value={damage.note ?? ""} onInput={({ currentTarget }) => set({ note: currentTarget.value })} />
      </Field>
      {draft.kind === "collection" && <DamagePriceField draft={draft} damageId={damage.damage_id} />}
      <ul class="shots">
        {(damage.photos ?? []).map((hash) => (
          <li key={hash} class="shot">
            <StoredPicture bookingId={draft.booking_id} hash={hash} alt={t("view_damage")} />
          </li>
        ))}
      </ul>
      <label class="other as-button">
        <Icon name="camera" />
        {t("photographDamage")}
        <PhotoInput onFiles={(files) => void photograph(files)} />
      </label>
      <button type="button" class="other danger" onClick={remove}>
        <Icon name="trash" />
        {t("removeDamage")}
      </button>
    </>
  );
}
