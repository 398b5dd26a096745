import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { hasCamera } from "../../capture/camera.ts";
import { type TextKey, t } from "../../i18n/texts.ts";
import { Icon } from "../../ui/icon.tsx";
import type { ScannerProps } from "./scanner.tsx";

interface ScanProps {
  readonly onCode: (text: string) => void;
  /** Text that explains where to point the camera. */
  readonly aim?: TextKey;
  /** The field that receives the scanned text. */
  readonly children: ComponentChildren;
}

/** Field with a scan button if there's a camera. The scanner loads on first use. */
export function ScannableField({ onCode, aim = "scanAim", children }: ScanProps) {
  const [isPossible, setIsPossible] = useState(false);
  const [Scanner, setScanner] = useState<ComponentType<ScannerProps> | undefined>(undefined);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => void hasCamera().then(setIsPossible), []);
  const [isMissing, setIsMissing] = useState(false);
  const open = () => {
    setIsMissing(false);
    import("./scanner.tsx").then(
      ({ default: Loaded }) => setScanner(() => Loaded),
      () => setIsMissing(true),
    );
  };
  const close = () => {
    setScanner(undefined);
    button.current?.focus();
  };
  return (
    <>
      <div class="row scan-row">
        <div class="grow">{children}</div>
        {isPossible && (
          <button ref={button} type="button" class="small scan" aria-expanded={!!Scanner} onClick={open}>
            <Icon name="scan" />
            <span>{t("scan")}</span>
          </button>
        )}
      </div>
      {isMissing && (
        <p class="note" role="alert">
          {t("scanMissing")}
        </p>
      )}
      {Scanner && (
        <Scanner
          aim={aim}
          onClose={close}
          onCode={(text) => {
            close();
            onCode(text);
          }}
        />
      )}
    </>
  );
}
