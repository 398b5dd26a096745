import { useState } from "preact/hooks";
import { fill, type Texts } from "./texts.ts";

interface Props {
  readonly photos: readonly string[];
  readonly origin: string;
  readonly texts: Texts;
}

const MIN_SWIPE_PX = 40;

/** Photos of a vehicle: one large, and smaller ones to choose if there are several. Phones also swipe. */
export function Photos({ photos, origin, texts }: Props) {
  const [index, setIndex] = useState(0);
  const [startX, setStartX] = useState(0);
  const show = (photo: string | undefined, size: object) =>
    photo && <img src={new URL(photo, origin).href} alt="" loading="lazy" {...size} />;
  const count = photos.length;
  return (
    <div
      class="photos"
      part="photos"
      onTouchStart={({ touches }) => setStartX(touches[0]?.clientX ?? 0)}
      onTouchEnd={({ changedTouches }) => {
        const distance = (changedTouches[0]?.clientX ?? startX) - startX;
        if (Math.abs(distance) >= MIN_SWIPE_PX) setIndex((index - Math.sign(distance) + count) % count);
      }}
    >
      {show(photos[index], { width: 360, height: 240 })}
      {count > 1 && (
        <div class="thumbs">
          {photos.map((photo, at) => (
            <button
              key={photo}
              type="button"
              aria-label={fill(texts.photoOf, { n: at + 1, count })}
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
