import { t } from "../../i18n/texts.ts";
import { EmptyState } from "../../ui/parts.tsx";

/** Instructions if the device prevents the app from storing data. Pending work is retained. */
export default function UnusableStorageScreen() {
  return (
    <div class="screen">
      <header class="top">
        <div class="title">
          <h1>Check-in</h1>
        </div>
      </header>
      <main>
        <div role="alert">
          <EmptyState icon="refused" title={t("unusable")}>
            <p>{t("unusableWhy")}</p>
          </EmptyState>
        </div>
      </main>
      <footer class="action">
        <button type="button" class="main" onClick={() => location.reload()}>
          {t("retry")}
        </button>
      </footer>
    </div>
  );
}
