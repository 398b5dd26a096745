import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { hasCamera } from "../../capture/camera.ts";
import { type TextKey, t } from "../../i18n/texts.ts";
import { Icon } from "../../ui/icon.tsx";
import type { ScannerProps } from "./scanner.tsx";

interface ScanProps {
  readonly onCode: (text: string) => void;
  /** What the camera is to be held over. */
  readonly aim?: TextKey;
  /** The field whose text the scanner finds. */
  readonly children: ComponentChildren;
}

/** A field with a button to scan instead, where there is a camera; the scanner is loaded when it is first wanted. */
export function Scan({ onCode, aim = "scanAim", children }: ScanProps) {
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
