/** Paths of the icons in a box of 24 × 24 units. Each fills the inner 18 × 18, so that all look equally large. */
const PATHS = {
  today: "M5 5h14a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zM3 10h18M8 3v4M16 3v4",
  planning: "M3 6h10M7 12h11M12 18h9",
  reservations: "M14 3H7a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8zM14 3v5h5M9 13h6M9 17h6",
  fleet:
    "M5 11l1.6-4.6A2 2 0 0 1 8.5 5h7a2 2 0 0 1 1.9 1.4L19 11M5 11h14a2 2 0 0 1 2 2v4H3v-4a2 2 0 0 1 2-2zM6 17v2M18 17v2",
  customers:
    "M9 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM3 21v-1a5 5 0 0 1 5-5h2a5 5 0 0 1 5 5v1M16 3.4a4 4 0 0 1 0 7.2M18 15.4a5 5 0 0 1 3 4.6v1",
  person: "M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21v-1a5 5 0 0 1 5-5h6a5 5 0 0 1 5 5v1",
  money: "M5 6h14a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  reports: "M3 3v16a2 2 0 0 0 2 2h16M8 17v-4M13 17V8M18 17V5",
  settings: "M3 7h11M18 7h3M3 17h3M10 17h11M16 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  search: "M11 19a8 8 0 1 0 0-16 8 8 0 0 0 0 16zM21 21l-4.3-4.3",
  bell: "M6 9a6 6 0 1 1 12 0c0 5 3 7 3 7H3s3-2 3-7zM10 20a2.2 2.2 0 0 0 4 0",
  plus: "M12 4v16M4 12h16",
  menu: "M3 6h18M3 12h18M3 18h18",
  close: "M5 5l14 14M19 5L5 19",
  more: "M4 12h.01M12 12h.01M20 12h.01",
  up: "M12 20V4M5 11l7-7 7 7",
  down: "M12 4v16M5 13l7 7 7-7",
  previous: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  check: "M4 12.5l5.5 5.5L20 7",
} as const;

export type IconName = keyof typeof PATHS;

/** All icons. */
export const ICON_NAMES = Object.keys(PATHS) as readonly IconName[];

interface IconProps {
  readonly name: IconName;
  /** Whether the icon is in a row, a chip or a heading. */
  readonly isSmall?: boolean;
}

/** Icon next to a text with its meaning. The stroke doesn't scale with the size. */
export function Icon({ name, isSmall = false }: IconProps) {
  const size = isSmall ? 14 : 20;
  return (
    <svg class="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" focusable="false">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        stroke-width={name === "more" ? "2.5" : "1.5"}
        stroke-linejoin="round"
        stroke-linecap="round"
        vector-effect="non-scaling-stroke"
      />
    </svg>
  );
}
