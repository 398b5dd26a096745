import { useState } from "preact/hooks";
import { DAMAGE_KINDS, DAMAGE_SEVERITIES, VEHICLE_PARTS } from "#domain/check-in/codes.ts";
import { type TextKey, t, tOr } from "../../i18n/texts.ts";
import { newId } from "../../offline/ids.ts";
import type { Draft } from "../../offline/items.ts";
import { dayText } from "../../state/moments.ts";
import { change, takePhoto } from "../../state/work.ts";
import { Icon } from "../../ui/icon.tsx";
import { Choice, Field } from "../../ui/parts.tsx";
import { Picture } from "../../ui/picture.tsx";
import { vehicleOf } from "./closing.ts";
import { centreOf, Diagram } from "./diagram.tsx";
import { CAPTURE_TEXTS, PhotoInput, PhotoTrouble } from "./photos-step.tsx";
import type { StepProps } from "./step-props.ts";

type Damage = Draft["damages"][number];
type Part = Damage["part"];

/** Damage on a drawing and, the same, as a list; what the vehicle carries from before is there already. */
export function DamageStep({ draft, frame, onNext }: StepProps) {
  const [openId, setOpenId] = useState<string | undefined>(undefined);
  const earlier = vehicleOf(draft)?.damages ?? [];
  const open = draft.damages.find(({ damage_id }) => damage_id === openId);
  const add = (part: Part, x: number, y: number) => {
    const damage: Damage = { damage_id: newId(Date.now()), part, kind: "scratch", severity: "light", x, y, photos: [] };
    void change({ damages: [...draft.damages, damage] });
    setOpenId(damage.damage_id);
  };
  const action = open ? (
    <button type="button" class="main" onClick={() => setOpenId(undefined)}>
      {t("damageDone")}
    </button>
  ) : (
    <button type="button" class="main" onClick={onNext}>
      {t(draft.damages.length === 0 ? "noNewDamage" : "continue")}
    </button>
  );
  if (open) return frame(action, <DamageForm draft={draft} damage={open} onClose={() => setOpenId(undefined)} />);
  return frame(
    action,
    <>
      <p class="lead">{t("damageLead")}</p>
      <Diagram earlier={earlier} added={draft.damages} onPart={add} />
      <label class="field">
        <span class="label">{t("damageByList")}</span>
        <select
          value=""
          onChange={({ currentTarget }) => {
            const part = VEHICLE_PARTS.find((one) => one === currentTarget.value);
            if (part) add(part, ...centreOf(part));
          }}
        >
          <option value="">{t("choosePart")}</option>
          {VEHICLE_PARTS.map((part) => (
            <option key={part} value={part}>
              {t(`part_${part}`)}
            </option>
          ))}
        </select>
      </label>
      <h2>{t("newDamage")}</h2>
      {draft.damages.length === 0 && <p class="soft">{t("noneYet")}</p>}
      <ol class="plain">
        {draft.damages.map((damage, index) => (
          <li key={damage.damage_id}>
            <button type="button" class="entry" onClick={() => setOpenId(damage.damage_id)}>
              <span class="pin new">{index + 1}</span>
              <span class="grow">
                <b class="who">{t(`part_${damage.part}`)}</b>
                <span class="where">
                  {t(`damage_${damage.kind}`)} · {t(`severity_${damage.severity}`)}
                </span>
              </span>
              <Icon name="next" />
            </button>
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
                {t("since", { date: dayText(damage.since) })}
              </span>
              {damage.note && <span class="where">{damage.note}</span>}
            </span>
          </li>
        ))}
      </ul>
    </>,
  );
}

interface FormProps {
  readonly draft: Draft;
  readonly damage: Damage;
  readonly onClose: () => void;
}

function DamageForm({ draft, damage, onClose }: FormProps) {
  const [trouble, setTrouble] = useState<TextKey | undefined>(undefined);
  const set = (changes: Partial<Damage>) =>
    void change({
      damages: draft.damages.map((one) => (one.damage_id === damage.damage_id ? { ...one, ...changes } : one)),
    });
  const remove = () => {
    void change({ damages: draft.damages.filter(({ damage_id }) => damage_id !== damage.damage_id) });
    onClose();
  };
  const photograph = async (files: FileList | null) => {
    for (const file of files ?? []) {
      const outcome = await takePhoto(file, "damage", damage.damage_id);
      setTrouble(outcome === "kept" ? undefined : CAPTURE_TEXTS[outcome]);
    }
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
      <Field label={t("notes")}>
        <input
          value={damage.note ?? ""}
          maxLength={500}
          onInput={({ currentTarget }) => set({ note: currentTarget.value })}
        />
      </Field>
      <PhotoTrouble text={trouble} />
      <ul class="shots">
        {(damage.photos ?? []).map((hash) => (
          <li key={hash} class="shot">
            <Picture bookingId={draft.booking_id} hash={hash} alt={t("view_damage")} />
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
