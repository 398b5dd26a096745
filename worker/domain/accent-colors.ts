/** Color as `#rrggbb`. */
type HexColor = string;

const BLACK: HexColor = "#000000";
const WHITE: HexColor = "#ffffff";
const LINEAR_LIMIT = 0.04045;
/** Luminances at which the contrast is 4.5 to the ground of light pages and to the cards of dark ones (WCAG 1.4.3). */
const MAX_LUMINANCE_ON_LIGHT = 0.163;
const MIN_LUMINANCE_ON_DARK = 0.246;
const STEPS = 50;

const listChannels = (color: HexColor): readonly number[] =>
  [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));

/** Returns a color's relative luminance, 0 to 1 (WCAG 2.2). */
export function getRelativeLuminance(color: HexColor): number {
  const [red = 0, green = 0, blue = 0] = listChannels(color).map((channel) => {
    const part = channel / 255;
    return part <= LINEAR_LIMIT ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Returns a company's color for texts and buttons: darkened for light pages and lightened for dark ones as needed. */
export function deriveAccentColors(color: HexColor): { readonly light: HexColor; readonly dark: HexColor } {
  return {
    light: mixUntil(color, BLACK, (luminance) => luminance <= MAX_LUMINANCE_ON_LIGHT),
    dark: mixUntil(color, WHITE, (luminance) => luminance >= MIN_LUMINANCE_ON_DARK),
  };
}

function mixUntil(color: HexColor, target: HexColor, isReadable: (luminance: number) => boolean): HexColor {
  const ends = listChannels(target);
  for (let step = 0; step < STEPS; step += 1) {
    const channels = listChannels(color).map((channel, index) =>
      Math.round(channel + (((ends[index] ?? 0) - channel) * step) / STEPS),
    );
    const mixedColor = `#${channels.map((channel) => channel.toString(16).padStart(2, "0")).join("")}`;
    if (isReadable(getRelativeLuminance(mixedColor))) return mixedColor;
  }
  return target;
}
