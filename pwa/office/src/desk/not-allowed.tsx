import type { Right } from "#domain/access/rights.ts";
import { linkTo } from "../route.ts";
import { t } from "../texts.ts";
import { formatMissingRight } from "./refusals.ts";

interface NotAllowedProps {
  readonly title: string;
  readonly right: Right;
}

/** Notice that the user may not open a page, with the roles that may. */
export const NotAllowed = ({ title, right }: NotAllowedProps) => (
  <main>
    <h1>{title}</h1>
    <p class="notice refused" role="alert">
      {formatMissingRight(right)}
    </p>
    <p>
      <a class="button" href={linkTo("today")}>
        {t("today")}
      </a>
    </p>
  </main>
);
