import { useState } from "preact/hooks";
import { COUNTRY_CODES } from "#domain/countries.ts";
import {
  COMPLETION_FIELD_KINDS,
  type CompletionField,
  type CompletionFieldKind,
} from "#domain/ministry-reports/completion-fields.ts";
import type { Immutable } from "#shared/immutable.ts";
import { isolateRightToLeft } from "#shared/locale.ts";
import type { MunicipalitiesMessage } from "#worker/api/office/ministry-report-list-messages.ts";
import type { MinistryReportsMessage, MissingReportDataRequest } from "#worker/api/office/ministry-report-messages.ts";
import { getUserLanguage, hasUserRight } from "../../account.ts";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import type { FormField } from "../../desk/fields.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import { LoadErrorMessage, PanelLoadError } from "../../desk/load-error.tsx";
import { getCountryName } from "../../desk/names.ts";
import { formatAuthorityReportProblem, formatAuthorityReportState } from "../../desk/report-texts.ts";
import type { Reservation } from "../../desk/reservation.ts";
import { useResource } from "../../desk/use-resource.tsx";
import { linkTo } from "../../route.ts";
import { type TextKey, t, tOr } from "../../texts.ts";

type Municipality = Immutable<MunicipalitiesMessage["data"][number]>;

const KINDS: Partial<Readonly<Record<CompletionFieldKind, FormField["kind"]>>> = { date: "date", email: "email" };
const HINTS: Readonly<Record<string, TextKey>> = {
  customer_second_surname: "twoSurnamesHint",
  driver_second_surname: "twoSurnamesHint",
  representative_name: "representativeHint",
};

const isCompletingField = (name: string): name is CompletionField => Object.hasOwn(COMPLETION_FIELD_KINDS, name);
const formatMissingField = (name: string) => tOr(`lack.${name}`, name);

export interface AuthoritiesProps {
  readonly of: Reservation;
  readonly onDone: (words: string) => unknown;
}

/** Reports of a reservation to the authorities, missing data and a form to add it. */
export default function ReservationAuthorityReports({ of, onDone }: AuthoritiesProps) {
  const path = toOfficePath(`/reservations/${of.id}/ses`);
  const { whole: ministryReports, problem, retry } = useResource<MinistryReportsMessage>(path, { turn: of.version });
  const [isOpen, setOpen] = useState(false);
  if (problem) return <PanelLoadError title={t("authorities")} problem={problem} onRetry={retry} />;
  if (!ministryReports || ministryReports.length === 0) return null;
  const lacks = [...new Set(ministryReports.flatMap(({ missing }) => missing))];
  const optionalFields = [...new Set(ministryReports.flatMap(({ wished }) => wished))];
  const shortenedFields = [...new Set(ministryReports.flatMap(({ shortened }) => shortened))];
  const askable = [...lacks, ...optionalFields].filter(isCompletingField);
  return (
    <section class="panel" aria-labelledby="authorities">
      <h2 id="authorities">{t("authorities")}</h2>
      <ul class="plain">
        {ministryReports.map((ministryReport) => (
          <li
            key={`${ministryReport.kind}${ministryReport.unit_id}/${ministryReport.vehicle_number}/${ministryReport.part}`}
            class="stacked"
          >
            <span>
              <span class="strong">
                {t(`told.${ministryReport.kind}`)}
                {ministryReport.plate && ` · ${ministryReport.plate}`}
                {ministryReport.part > 1 && ` · ${t("furtherDriver")}`}
              </span>{" "}
              <span class="state" data-state={ministryReport.state}>
                {formatAuthorityReportState(ministryReport)}
              </span>
              {ministryReport.error && <small>{formatAuthorityReportProblem(ministryReport)}</small>}
              {ministryReport.register && (
                <small>
                  {t("byHandAt", { register: tOr(`register.${ministryReport.register}`, ministryReport.register) })}
                </small>
              )}
            </span>
          </li>
        ))}
      </ul>
      {lacks.length > 0 ? (
        <>
          <h3>{t("missingForAuthorities")}</h3>
          <Lacks of={of} names={lacks} />
        </>
      ) : (
        ministryReports.some(({ register }) => !register) && <p class="calm">{t("nothingLacks")}</p>
      )}
      {optionalFields.length > 0 && (
        <p class="soft">
          {t("wishedForAuthorities")}: {optionalFields.map(formatMissingField).join(", ")}
        </p>
      )}
      {shortenedFields.length > 0 && (
        <p class="soft">
          {t("shortenedForAuthorities")}: {shortenedFields.map(formatMissingField).join(", ")}
        </p>
      )}
      {askable.length > 0 && hasUserRight("hand_over") && of.status !== "cancelled" && (
        <button type="button" class="small" onClick={() => setOpen(true)}>
          {t("fillIn")}
        </button>
      )}
      {isOpen && (
        <FillIn
          of={of}
          names={askable}
          province={ministryReports.find(({ province }) => province)?.province ?? undefined}
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false);
            onDone(t("filledIn"));
          }}
        />
      )}
    </section>
  );
}

// Links to where missing data that isn't about a person can be fixed.
function Lacks({ of, names }: { readonly of: Reservation; readonly names: readonly string[] }) {
  const reference = of.units.find((unit) => unit.reference)?.reference;
  const vehicleFields = names.filter((name) => name.startsWith("stock_"));
  const addressFields = names.filter((name) => name.endsWith("_place_address"));
  const codeFields = names.filter((name) => name === "brand_code" || name === "color_code");
  return (
    <ul class="lacks">
      {names.filter(isCompletingField).map((name) => (
        <li key={name}>{formatMissingField(name)}</li>
      ))}
      {vehicleFields.length > 0 && (
        <li>
          {reference ? (
            <a href={linkTo("fleet", reference)}>
              {t("atTheVehicle", { what: vehicleFields.map(formatMissingField).join(", ") })}
            </a>
          ) : (
            t("noVehicleYet")
          )}
        </li>
      )}
      {addressFields.length > 0 && (
        <li>
          <a href={linkTo("list", "branches", of.rental_location_code)}>
            {t("atTheBranch", { what: addressFields.map(formatMissingField).join(", ") })}
          </a>
        </li>
      )}
      {codeFields.map((name) => (
        <li key={name}>
          <a href={linkTo("ministry-reports", "codes")}>{formatMissingField(name)}</a>
        </li>
      ))}
    </ul>
  );
}

interface FillInProps {
  readonly of: Reservation;
  readonly names: readonly CompletionField[];
  readonly province: string | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

function FillIn({ of, names, province, onClose, onDone }: FillInProps) {
  const needsCityCode = province !== undefined && names.includes("customer_address[city_code]");
  const path = toOfficePath(`/ministry-reports/municipalities?province=${province}`);
  // Municipalities of the postcode's province, if known.
  const list = useResource<MunicipalitiesMessage>(path, { isNeeded: needsCityCode });
  return (
    <FormSheet<object, Omit<MissingReportDataRequest, "expected_version">>
      title={`${t("missingForAuthorities")} · ${isolateRightToLeft(of.customer_fullname)}`}
      introduction={t("aboutFillIn")}
      draft={["authorities", String(of.id)]}
      fields={names.map((name) => toField(name, list.whole?.data ?? []))}
      outcome={() => <LoadErrorMessage problem={list.problem && t("municipalitiesUnread")} onRetry={list.read} />}
      submit={t("save")}
      send={(body, key) =>
        sendOfficeRequest<object, MissingReportDataRequest>("PATCH", toOfficePath(`/reservations/${of.id}/ses`), {
          body: { expected_version: of.version, ...body },
          key,
        })
      }
      onDone={onDone}
      onClose={onClose}
    />
  );
}

function toField(name: CompletionField, municipalities: readonly Municipality[]): FormField<CompletionField> {
  const field: FormField<CompletionField> = {
    name,
    kind: KINDS[COMPLETION_FIELD_KINDS[name]] ?? "text",
    label: `lack.${name}`,
  };
  const hint = HINTS[name];
  if (COMPLETION_FIELD_KINDS[name] === "country") return { ...field, kind: "choice", choices: countryChoices() };
  const choices = municipalities.map(({ code, name: town }) => [code, `${town} (${code})`] as const);
  if (name !== "customer_address[city_code]") return { ...field, ...(hint && { hint }) };
  return choices.length > 0
    ? { ...field, hint: "municipalityHint", kind: "choice", choices }
    : { ...field, hint: "municipalityCodeHint" };
}

// Returns countries with names from the browser, in the user's language.
function countryChoices(): readonly (readonly [code: string, name: string])[] {
  const language = getUserLanguage();
  const sorted = new Intl.Collator(language);
  return COUNTRY_CODES.map((code) => [code, getCountryName(code)] as const).sort(([, text], [, other]) =>
    sorted.compare(text, other),
  );
}
