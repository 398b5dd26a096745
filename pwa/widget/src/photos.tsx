import { useState } from "preact/hooks";
import { fillPlaceholders, type Texts } from "./texts.ts";

interface Props {
  readonly photos: readonly string[];
  readonly origin: string;
  readonly texts: Texts;
}

type Point = Pick<Touch, "clientX" | "clientY">;

const MIN_SWIPE_PX = 40;

/** Photos of a vehicle: one large, and smaller ones to choose if there are several. Phones also swipe. */
export function Photos({ photos, origin, texts }: Props) {
  const [index, setIndex] = useState(0);
  const [start, setStart] = useState<Point>();
  const show = (photo: string | undefined, size: object) =>
    photo && <img src={new URL(photo, origin).href} alt="" loading="lazy" {...size} />;
  const count = photos.length;
  return (
    <div
      class="photos"
      part="photos"
      onTouchStart={({ touches }) => setStart(touches[0])}
      onTouchEnd={({ changedTouches: [end] }) => {
        const [x, y] = start && end ? [end.clientX - start.clientX, end.clientY - start.clientY] : [0, 0];
        // A finger that scrolls the list also moves sideways.
        const isSwipe = Math.abs(x) >= MIN_SWIPE_PX && Math.abs(x) > Math.abs(y);
        if (isSwipe) setIndex((index - Math.sign(x) + count) % count);
      }}
    >
      {show(photos[index], { width: 360, height: 240 })}
      {count > 1 && (
        <div class="thumbs">
          {photos.map((photo, at) => (
            <button
              key={photo}
              type="button"
              aria-label={fillPlaceholders(texts.photoOf, { n: at + 1, count })}
              aria-pressed={at === index}
              onClick={() => setIndex(at)}
            >
              {show(photo, { width: 60, height: 40 })}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
