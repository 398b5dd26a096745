/** Lines of the icons, drawn in a square of 24. */
const PATHS = {
  today: "M4 5h16v15H4zM4 9h16M8 3v4M16 3v4M8 13h3v3H8z",
  planning: "M3 6h10M7 12h12M5 18h8",
  reservations: "M6 3h9l4 4v14H6zM14 3v5h5M9 13h7M9 17h7",
  fleet: "M4 16v-4l2-5h12l2 5v4zM4 12h16M7 16v2M17 16v2",
  customers: "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21c0-4 4-6 8-6s8 2 8 6",
  money: "M3 6h18v12H3zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM6 9v6M18 9v6",
  reports: "M4 20V4M4 20h16M8 16v-5M12 16V8M16 16v-8",
  settings: "M4 7h10M18 7h2M4 17h2M10 17h10M16 9a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM8 19a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5",
  bell: "M6 17V11a6 6 0 1 1 12 0v6l2 2H4zM10 21h4",
  plus: "M12 5v14M5 12h14",
  menu: "M4 6h16M4 12h16M4 18h16",
} as const;

export type IconName = keyof typeof PATHS;

/** All icons. */
export const ICON_NAMES = Object.keys(PATHS) as readonly IconName[];

/** Icon next to a text with its meaning. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false">
      <path
        d={PATHS[name]}
        fill="none"
        stroke="currentColor"
        stroke-width="1.75"
        stroke-linejoin="round"
        stroke-linecap="round"
      />
    </svg>
  );
}
