import type { FieldDescriptions } from "../describe-fields.ts";
import { analyticsFieldDescriptions } from "./analytics.ts";
import { checkInFieldDescriptions } from "./check-in.ts";
import { commonFieldDescriptions } from "./common.ts";
import { contractDataFieldDescriptions } from "./contract-data.ts";
import { customerAccessFieldDescriptions } from "./customer-access.ts";
import { documentFieldDescriptions } from "./documents.ts";
import { engineFieldDescriptions } from "./engines.ts";
import { integrationFieldDescriptions } from "./integration.ts";
import { officeWorkFieldDescriptions } from "./office.ts";
import { officeSettingsFieldDescriptions } from "./office-settings.ts";
import { otaTexts } from "./ota.ts";
import { operationsTexts, paymentTexts, promotionCodeTexts } from "./payments-and-operations.ts";
import { websiteSettingsTexts } from "./website-settings.ts";

/** Texts of each document. The first list that has a key wins. */
export const fieldTexts: Readonly<Record<string, readonly FieldDescriptions[]>> = {
  ota: [otaTexts, commonFieldDescriptions],
  "rental-engine": [
    engineFieldDescriptions,
    websiteSettingsTexts,
    contractDataFieldDescriptions,
    commonFieldDescriptions,
  ],
  "transfer-engine": [
    engineFieldDescriptions,
    websiteSettingsTexts,
    contractDataFieldDescriptions,
    commonFieldDescriptions,
  ],
  "promotion-codes": [promotionCodeTexts, commonFieldDescriptions],
  "customer-access": [customerAccessFieldDescriptions, commonFieldDescriptions],
  payments: [paymentTexts, commonFieldDescriptions],
  integration: [documentFieldDescriptions, integrationFieldDescriptions, commonFieldDescriptions],
  documents: [documentFieldDescriptions, commonFieldDescriptions],
  "check-in": [checkInFieldDescriptions, contractDataFieldDescriptions, commonFieldDescriptions],
  analytics: [analyticsFieldDescriptions, commonFieldDescriptions],
  "staff-analytics": [analyticsFieldDescriptions, commonFieldDescriptions],
  operations: [operationsTexts, commonFieldDescriptions],
  office: [
    officeWorkFieldDescriptions,
    officeSettingsFieldDescriptions,
    websiteSettingsTexts,
    documentFieldDescriptions,
    integrationFieldDescriptions,
    contractDataFieldDescriptions,
    commonFieldDescriptions,
  ],
};
