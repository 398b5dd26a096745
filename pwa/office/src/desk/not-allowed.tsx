import { t } from "../texts.ts";

/** Notice that the user may not see a page. */
export const NotAllowed = ({ title }: { readonly title: string }) => (
  <main>
    <h1>{title}</h1>
    <p>{t("notAllowed")}</p>
  </main>
);
