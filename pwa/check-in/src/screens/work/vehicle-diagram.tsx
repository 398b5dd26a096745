import {
  getVehiclePartCentre,
  isGlassPart,
  VEHICLE_OUTLINE_PARTS as PARTS,
  VEHICLE_OUTLINE_WHEELS as WHEELS,
} from "#domain/check-in/vehicle-outline.ts";
import { t } from "../../i18n/texts.ts";
import type { WorkDraft } from "../../offline/items.ts";

type Part = WorkDraft["damages"][number]["part"];

const CORNER = 18;

interface Mark {
  readonly damage_id: string;
  readonly x: number;
  readonly y: number;
}

interface DiagramProps {
  readonly earlier: readonly Mark[];
  readonly added: readonly Mark[];
  readonly onPart: (part: Part, x: number, y: number) => void;
}

/** Diagram of the vehicle. Each part is a button and also appears in the list below. */
export function VehicleDiagram({ earlier, added, onPart }: DiagramProps) {
  const touch = (part: Part, event: MouseEvent) => {
    const box = (event.currentTarget as Element).closest("svg")?.getBoundingClientRect();
    // Keyboard events have no position, so use the centre of the part.
    if (!box || event.detail === 0) return onPart(part, ...getVehiclePartCentre(part));
    const x = Math.round(((event.clientX - box.left) / box.width) * 1000);
    const y = Math.round(((event.clientY - box.top) / box.height) * 1000);
    onPart(part, Math.min(1000, Math.max(0, x)), Math.min(1000, Math.max(0, y)));
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: there is no fieldset inside a drawing
    <svg class="diagram" viewBox="0 0 500 1000" role="group" aria-label={t("diagram")}>
      {WHEELS.map(([x, y]) => (
        <rect key={`${x}-${y}`} class="wheel" x={x} y={y} width="26" height="100" rx="12" />
      ))}
      {PARTS.map(([part, x, y, width, height]) => (
        // biome-ignore lint/a11y/useSemanticElements: a button cannot be drawn inside an SVG
        <g
          key={part}
          role="button"
          // SVG attributes are written as they are, so `tabIndex` would have no effect.
          tabindex={0}
          aria-label={t("addDamageAt", { part: t(`part_${part}`) })}
          onClick={(event) => touch(part, event)}
          onKeyDown={({ key }) => (key === "Enter" || key === " ") && onPart(part, ...getVehiclePartCentre(part))}
        >
          <rect
            class={isGlassPart(part) ? "part glass" : "part"}
            x={x}
            y={y}
            width={width}
            height={height}
            rx={CORNER}
          />
        </g>
      ))}
      {earlier.map(({ damage_id, x, y }) => (
        <circle key={damage_id} class="known" cx={x / 2} cy={y} r="16" />
      ))}
      {added.map(({ damage_id, x, y }, index) => (
        <g key={damage_id} class="new">
          <rect x={x / 2 - 22} y={y - 22} width="44" height="44" rx="6" />
          <text x={x / 2} y={y + 11} text-anchor="middle">
            {index + 1}
          </text>
        </g>
      ))}
    </svg>
  );
}
