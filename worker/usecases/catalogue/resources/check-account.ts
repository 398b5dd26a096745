import type { Catalogue, Settings } from "#domain/catalogue/catalogue.ts";
import type { ResourceName } from "#domain/catalogue/resources/names.ts";
import { listSetupSteps, type SetupStep } from "#domain/catalogue/setup.ts";
import type { TaxTerritory } from "#domain/catalogue/tax-territories.ts";
import { type BasisPoints, formatRateAsPercent } from "#domain/money.ts";
import { isCurrencyAcceptedBy } from "#domain/payments/currencies.ts";
import type { OnlineMethod } from "#domain/payments/gateway-notices.ts";
import type { GatewayConfigurationTest, GatewayTestProblem } from "#domain/payments/gateway-test.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { canReportTaxRate } from "#domain/tax-records/recording.ts";
import { parseSpanishTaxId } from "#domain/tax-records/tax-id.ts";
import { gateways, getPaymentFormUrl } from "#worker/gateways/gateways.ts";
import { accountReadinessQueries } from "#worker/store/catalogue/resources/account-queries.ts";
import { gatewaysQuery } from "#worker/store/payments/gateways.ts";
import { findMissingRightRefusal } from "#worker/usecases/office/office-context.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import { callGateway, type SendToGateway } from "#worker/usecases/shared/call-gateway.ts";
import {
  getPublicOrigin,
  getSimulatorOrigin,
  type OpenGateway,
  openGateway,
} from "#worker/usecases/shared/open-gateway.ts";
import type { ResourceRefusal } from "./resource-refusals.ts";

/** Setup problem that blocks a function, and the page to fix it. */
export interface SetupObstacle {
  readonly blockedFunction: "selling" | "paying" | "invoicing" | "reporting";
  readonly code: string;
  readonly why: string;
  readonly page: ResourceName | "vehicles";
}

/** Missing settings of an account and its setup progress. */
export interface AccountSetupCheck {
  readonly obstacles: readonly SetupObstacle[];
  readonly steps: readonly SetupStep[];
}

interface Counts {
  readonly administrators: number;
  readonly staff: number;
  readonly engineKeys: number;
  readonly branchGroups: number;
  readonly vehicles: number;
  readonly withoutTaxNumber: number;
  readonly rates: readonly BasisPoints[];
}

const NOTHING: Counts = {
  administrators: 0,
  staff: 0,
  engineKeys: 0,
  branchGroups: 0,
  vehicles: 0,
  withoutTaxNumber: 0,
  rates: [],
};

/**
 * Returns the settings that prevent selling, payments, invoicing or reporting, and the completed setup steps. One round
 * trip.
 */
export async function checkAccountSetup(
  request: StaffRequest,
): Promise<Result<StaffAnswer<AccountSetupCheck>, ResourceRefusal>> {
  const { tenant } = request;
  const read = await readAsStaff(
    request,
    () => [...accountReadinessQueries(tenant.db), gatewaysQuery(tenant.db)] as const,
  );
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const refused = findMissingRightRefusal(staff, "administer");
  if (refused) return refused;
  const [[counted], unpriced, empty, issuers, item] = rows;
  const opened = await Promise.all(item.map((row) => openGateway(tenant, row)));
  const open = new Set<string>(
    opened.flatMap((openGateway) =>
      openGateway && isCurrencyAcceptedBy(openGateway.method, catalogue.settings.currency) ? [openGateway.method] : [],
    ),
  );
  const counts = counted ?? NOTHING;
  const withoutPrice = unpriced.map(({ code }) => code);
  const obstacles = [
    ...findSellingObstacles(catalogue, counts, withoutPrice),
    ...findPaymentObstacles(catalogue, open),
    ...findDocumentObstacles(catalogue, counts),
    ...findReportingObstacles(catalogue, issuers, counts.rates),
  ];
  const steps = listSetupSteps(catalogue, {
    staff: counts.staff,
    withoutTaxNumber: counts.withoutTaxNumber,
    withoutVehicle: empty.map(({ code }) => code),
    withoutPrice,
    closedMethods: catalogue.settings.paymentMethods.filter((method) => !open.has(method)),
    hasEngineKey: counts.engineKeys > 0,
  });
  return ok({ value: { obstacles, steps }, freshToken });
}

function findSellingObstacles(
  catalogue: Catalogue,
  { vehicles, branchGroups }: Counts,
  unpriced: readonly string[],
): readonly SetupObstacle[] {
  const places = [...catalogue.places.values()];
  const none = (
    isNone: boolean,
    page: SetupObstacle["page"],
    code: string,
    explanation: string,
  ): readonly SetupObstacle[] => (isNone ? [{ blockedFunction: "selling", code, why: explanation, page }] : []);
  return [
    ...none(branchGroups === 0, "branch-groups", "no_branch_group", "There is no branch group"),
    ...none(catalogue.branches.size === 0, "branches", "no_branch", "There is no branch"),
    ...none(!places.some(({ isPickup }) => isPickup), "places", "no_pickup_place", "There is no place to pick up"),
    ...none(!places.some(({ isReturn }) => isReturn), "places", "no_return_place", "There is no place to return to"),
    ...none(catalogue.categories.size === 0, "categories", "no_category", "There is no category in use"),
    ...none(vehicles === 0, "vehicles", "no_vehicle", "There is no vehicle that can be rented"),
    ...unpriced.flatMap((code) => none(true, "prices", "no_price", `${code} has no prices`)),
  ];
}

function findPaymentObstacles({ settings }: Catalogue, open: ReadonlySet<string>): readonly SetupObstacle[] {
  const { paymentMethods, paymentOptions } = settings;
  const obstacle = (code: string, explanation: string, page: SetupObstacle["page"]): SetupObstacle => ({
    blockedFunction: "paying",
    code,
    why: explanation,
    page,
  });
  if (paymentMethods.length === 0) return [obstacle("no_method", "No payment method is offered", "settings")];
  return [
    ...(paymentOptions.length === 0
      ? [obstacle("no_option", "Neither deposit nor total can be paid", "settings")]
      : []),
    ...paymentMethods
      .filter((method) => !open.has(method))
      .map((method) => obstacle("gateway_closed", `${method} is offered and its gateway is not ready`, "gateways")),
  ];
}

function findDocumentObstacles(
  { settings }: Catalogue,
  { withoutTaxNumber, administrators }: Counts,
): readonly SetupObstacle[] {
  return [
    ...(withoutTaxNumber > 0
      ? [
          {
            blockedFunction: "invoicing",
            code: "no_tax_number",
            why: `${withoutTaxNumber} branches have no company name or tax number`,
            page: "branches",
          } as const,
        ]
      : []),
    ...(settings.baseUrl === undefined
      ? [
          {
            blockedFunction: "reporting",
            code: "no_address",
            why: "Mails link to the platform: the company's own address is not set",
            page: "settings",
          } as const,
        ]
      : []),
    ...(administrators < 2
      ? [
          {
            blockedFunction: "reporting",
            code: "one_administrator",
            why: "One administrator alone: nobody could let them in again",
            page: "users",
          } as const,
        ]
      : []),
  ];
}

interface Issuing {
  readonly documentId: string | null;
  readonly territory: TaxTerritory;
}

// Finds settings that keep every invoice a draft if invoices are reported to the tax agency.
function findReportingObstacles(
  { settings }: Catalogue,
  branches: readonly Issuing[],
  rates: readonly BasisPoints[],
): readonly SetupObstacle[] {
  const issuers = branches.filter(({ territory }) => settings.taxRecords[territory] === "verifactu");
  const invalidIssuers = issuers.filter(({ documentId }) => documentId && parseSpanishTaxId(documentId) === undefined);
  const unsupportedRates = [...new Set(issuers.map(({ territory }) => territory))].flatMap((territory) =>
    rates
      .filter((vat) => !canReportTaxRate(territory, settings.taxRateCodes, vat))
      .map((vat) => `${territory.toUpperCase()} ${formatRateAsPercent(vat)}`),
  );
  const obstacle = (code: string, explanation: string, page: SetupObstacle["page"]): SetupObstacle => ({
    blockedFunction: "invoicing",
    code,
    why: explanation,
    page,
  });
  return [
    ...(invalidIssuers.length > 0
      ? [
          obstacle(
            "wrong_tax_number",
            `${invalidIssuers.length} branches have a tax number that is no Spanish one`,
            "branches",
          ),
        ]
      : []),
    ...(unsupportedRates.length > 0
      ? [
          obstacle(
            "no_rate_code",
            `${unsupportedRates.join(", ")}: nothing says what the tax agency is told of it`,
            "settings",
          ),
        ]
      : []),
  ];
}

/**
 * Tests a gateway's configuration: whether its secret opens and a payment form can be created in the account's
 * currency. Asks a gateway with an API whether it knows the key and sends its events. Moves no money.
 */
export async function testGatewayConfiguration(
  request: StaffRequest,
  method: OnlineMethod,
  sendToGateway: SendToGateway,
): Promise<Result<StaffAnswer<GatewayConfigurationTest>, ResourceRefusal>> {
  const { tenant, now } = request;
  const read = await readAsStaff(request, () => [gatewaysQuery(tenant.db)] as const);
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const refused = findMissingRightRefusal(staff, "administer");
  if (refused) return refused;
  const row = rows[0].find((item) => item.method === method);
  if (!row) return err({ kind: "resourceNotFound" });
  const { settings } = catalogue;
  const site = getPublicOrigin(tenant, settings);
  const open = await openGateway(tenant, row);
  const target = open && buildTest(open, { site, settings, now });
  const problems = [
    ...(open ? [] : [createTestProblem("data_invalid")]),
    ...(open && !target ? [createTestProblem("currency_unsupported", { currency: settings.currency })] : []),
    ...(open && target ? await checkEvents(open, `${site}/charge-processed/${method}`, sendToGateway) : []),
    ...(settings.paymentMethods.includes(method) ? [] : [createTestProblem("not_offered")]),
  ];
  const address = target && (target.url ?? getPaymentFormUrl(method, row.environment, getSimulatorOrigin(tenant)));
  return ok({ value: { isReady: problems.length === 0, problems, address }, freshToken });
}

/** Builds a payment without sending it. Undefined if the gateway can't take it. */
function buildTest(
  { method, environment, credentials: [credentials] }: OpenGateway,
  { site, settings, now }: { readonly site: string; readonly settings: Settings; readonly now: number },
): { readonly url?: string } | undefined {
  const { protocol } = gateways[method];
  const payment = {
    ...{ order: "0000AAAAAAAA", intentId: "0".repeat(32), isHold: false, amountCents: 100 },
    currency: settings.currency,
    decimals: settings.currencyDecimals,
    language: settings.defaultLanguage,
    description: "Test",
    notifyUrl: `${site}/`,
    okUrl: `${site}/`,
    cancelUrl: `${site}/`,
    at: now,
    expiresAt: now + 3_600_000,
  };
  if (!protocol.checkout) return protocol.buildForm(credentials, payment) && {};
  const page = protocol.checkout.build(environment, credentials, payment);
  return page && { url: page.url };
}

const createTestProblem = (
  code: GatewayTestProblem["code"],
  params: GatewayTestProblem["params"] = {},
): GatewayTestProblem => ({ code, params });

/** Asks the gateway whether its key is valid and its events arrive. */
async function checkEvents(
  { method, environment, credentials: [credentials] }: OpenGateway,
  notifyUrl: string,
  sendToGateway: SendToGateway,
): Promise<readonly GatewayTestProblem[]> {
  const { events } = gateways[method].protocol;
  if (!events) return [];
  const answer = await callGateway(events.buildCheck(environment, credentials), sendToGateway);
  const problems = answer ? events.readCheck(answer, notifyUrl) : [createTestProblem("no_answer")];
  return credentials.webhookSecret ? problems : [...problems, createTestProblem("events_secret_missing")];
}
