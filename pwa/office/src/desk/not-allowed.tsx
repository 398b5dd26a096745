import { t } from "../texts.ts";

/** A page that whoever is signed in may not see, under its name. */
export const NotAllowed = ({ title }: { readonly title: string }) => (
  <main>
    <h1>{title}</h1>
    <p>{t("notAllowed")}</p>
  </main>
);
