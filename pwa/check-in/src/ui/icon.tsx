// Icons on a 24 px grid with a single stroke, readable at arm's length in sunlight.
const PATHS = {
  back: "M15 5l-7 7 7 7",
  next: "M9 5l7 7-7 7",
  check: "M4.5 12.5l5 5 10-11",
  clock: "M12 7v5l3.5 2M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z",
  up: "M12 19V6M6 12l6-6 6 6",
  down: "M12 5v13M6 12l6 6 6-6",
  offline: "M3 3l18 18M5 9.5a12 12 0 0 1 4-2.4M19 9.5a12 12 0 0 0-5.6-2.9M8.5 13.4a6 6 0 0 1 2.5-1.3M12 18h.01",
  refused: "M12 8v5M12 16.5h.01M10.3 3.9L2.5 18a2 2 0 0 0 1.7 3h15.6a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0z",
  draft: "M4 20h4L19 9l-4-4L4 16v4zM13.5 6.5l4 4",
  key: "M15 9a4 4 0 1 0-3.9 5L13 16h2v2h2v2h3v-3l-5.2-5.2A4 4 0 0 0 15 9zM10 9h.01",
  car: "M4 16v2M20 16v2M3 16h18v-4l-2.2-1L17 6H7l-1.8 5L3 12v4zM7 13.5h.01M17 13.5h.01M5.5 11h13",
  camera: "M4 8h3l2-3h6l2 3h3v11H4V8zM12 16.5a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7z",
  search: "M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13zM15.5 15.5L21 21",
  scan: "M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M4 12h16",
  day: "M4 6h16v14H4V6zM4 10h16M8 3v4M16 3v4",
  outbox: "M4 13v6h16v-6M12 15V4M7.5 8.5L12 4l4.5 4.5",
  office: "M4 21V5l8-2v18M12 8l8 2v11M3 21h18M7 8h2M7 12h2M7 16h2M15.5 13h1.5M15.5 17h1.5",
  more: "M4 7h16M4 12h16M4 17h16",
  close: "M5 5l14 14M19 5L5 19",
  plus: "M12 5v14M5 12h14",
  minus: "M5 12h14",
  sign: "M3 18c3-1 4-9 6.5-9S9 17 12 17s2-5 4-5 .5 4 5 4M3 21h18",
  phone: "M6 3h4l1.5 5L9 9.5a11 11 0 0 0 5.5 5.5L16 12.5l5 1.5v4a3 3 0 0 1-3 3C10.300 21 3 13.700 3 6a3 3 0 0 1 3-3z",
  fuel: "M5 21V4h9v17M3.500 21h12M14 10h2.500v7a1.700 1.700 0 0 0 3.500 0V9l-3-3M7.500 7.500h4v4h-4z",
  money: "M3 7h18v11H3V7zM12 15a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5zM6 10h.01M18 15h.01",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.500 11v5M13.500 11v5",
  torch: "M8 3h8v4l-2 4v10h-4V11L8 7V3zM8 7h8",
  map: "M12 21s-7-6.500-7-11.500a7 7 0 0 1 14 0C19 14.500 12 21 12 21zM12 12a2.500 2.500 0 1 0 0-5 2.500 2.500 0 0 0 0 5z",
  message: "M4 5h16v11H10l-4 4v-4H4V5zM8 9h8M8 12h5",
  flight: "M3 13l18-8-6 16-3-7-9-1z",
  store: "M5 5h14v5H5V5zM5 14h14v5H5v-5zM8 7.500h.01M8 16.500h.01",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 24 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
