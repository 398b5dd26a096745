import { t } from "../texts.ts";

/** Placeholder of a list or page that is loading: bars of the height of its rows. */
export const Skeleton = ({ rows = 12 }: { readonly rows?: number }) => (
  <div class="skeleton" role="status">
    <span class="unseen">{t("loading")}</span>
    {Array.from({ length: rows }, (_, index) => (
      <i key={index} />
    ))}
  </div>
);
