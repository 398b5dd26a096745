/** Decodes the ASCII form of an international domain (`xn--…`, RFC 3492) to the letters that people read. */
export function toReadableDomain(domain: string): string {
  const readable = domain.split(".").map((label) => decodeLabel(label) ?? label);
  return readable.some((label) => NOT_ASCII.test(label)) ? readable.join(".").toLowerCase() : domain;
}

const NOT_ASCII = /[\u0080-\u{10ffff}]/u;
const PREFIX = /^xn--/i;

// Undefined if the label isn't a valid ASCII form.
function decodeLabel(label: string): string | undefined {
  if (!PREFIX.test(label)) return undefined;
  const encoded = label.slice(4).toLowerCase();
  const lastDash = encoded.lastIndexOf("-");
  const points = lastDash < 0 ? [] : [...encoded.slice(0, lastDash)].map((letter) => letter.charCodeAt(0));
  return insertPoints(points, encoded.slice(lastDash + 1));
}

// Parameters of RFC 3492, section 5.
const BASE = 36;
const MIN_THRESHOLD = 1;
const MAX_THRESHOLD = 26;
const SKEW = 38;
const DAMP = 700;
const FIRST_BIAS = 72;
const FIRST_POINT = 128;
const MAX_POINT = 0x10_ff_ff;

// Inserts the code points that the digits describe, each by its distance from the one before.
function insertPoints(points: number[], digits: string): string | undefined {
  let [point, index, bias, at] = [FIRST_POINT, 0, FIRST_BIAS, 0];
  while (at < digits.length) {
    const number = readNumber(digits, at, bias);
    if (!number) return undefined;
    const length = points.length + 1;
    bias = adaptBias(number.value, length, index === 0 && point === FIRST_POINT);
    point += Math.floor((index + number.value) / length);
    index = (index + number.value) % length;
    if (point > MAX_POINT || (point >= 0xd8_00 && point <= 0xdf_ff)) return undefined;
    points.splice(index, 0, point);
    index += 1;
    at = number.end;
  }
  const text = String.fromCodePoint(...points);
  return text.normalize("NFC") === text ? text : undefined;
}

function readNumber(digits: string, start: number, bias: number): { value: number; end: number } | undefined {
  let [value, weight] = [0, 1];
  for (let at = start, step = BASE; at < digits.length; at++, step += BASE) {
    const digit = "abcdefghijklmnopqrstuvwxyz0123456789".indexOf(digits[at] ?? "");
    if (digit < 0) return undefined;
    value += digit * weight;
    const threshold = Math.min(MAX_THRESHOLD, Math.max(MIN_THRESHOLD, step - bias));
    if (digit < threshold) return { value, end: at + 1 };
    weight *= BASE - threshold;
    if (weight > Number.MAX_SAFE_INTEGER / BASE) return undefined;
  }
  return undefined;
}

function adaptBias(delta: number, length: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2));
  rest += Math.floor(rest / length);
  let steps = 0;
  for (; rest > Math.floor(((BASE - MIN_THRESHOLD) * MAX_THRESHOLD) / 2); steps += BASE)
    rest = Math.floor(rest / (BASE - MIN_THRESHOLD));
  return steps + Math.floor(((BASE - MIN_THRESHOLD + 1) * rest) / (rest + SKEW));
}
