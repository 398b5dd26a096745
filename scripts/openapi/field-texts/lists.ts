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
import { otaFieldDescriptions } from "./ota.ts";
import {
  operationsFieldDescriptions,
  paymentFieldDescriptions,
  promotionCodeFieldDescriptions,
} from "./payments-and-operations.ts";
import { websiteSettingsFieldDescriptions } from "./website-settings.ts";

/** Texts of each document. The first list that has a key wins. */
export const fieldDescriptionsByDocument: Readonly<Record<string, readonly FieldDescriptions[]>> = {
  ota: [otaFieldDescriptions, commonFieldDescriptions],
  "rental-engine": [
    engineFieldDescriptions,
    websiteSettingsFieldDescriptions,
    contractDataFieldDescriptions,
    commonFieldDescriptions,
  ],
  "transfer-engine": [
    engineFieldDescriptions,
    websiteSettingsFieldDescriptions,
    contractDataFieldDescriptions,
    commonFieldDescriptions,
  ],
  "promotion-codes": [promotionCodeFieldDescriptions, commonFieldDescriptions],
  "customer-access": [customerAccessFieldDescriptions, commonFieldDescriptions],
  payments: [paymentFieldDescriptions, commonFieldDescriptions],
  integration: [documentFieldDescriptions, integrationFieldDescriptions, commonFieldDescriptions],
  documents: [documentFieldDescriptions, commonFieldDescriptions],
  "check-in": [checkInFieldDescriptions, contractDataFieldDescriptions, commonFieldDescriptions],
  analytics: [analyticsFieldDescriptions, commonFieldDescriptions],
  "staff-analytics": [analyticsFieldDescriptions, commonFieldDescriptions],
  operations: [operationsFieldDescriptions, commonFieldDescriptions],
  office: [
    officeWorkFieldDescriptions,
    officeSettingsFieldDescriptions,
    websiteSettingsFieldDescriptions,
    documentFieldDescriptions,
    integrationFieldDescriptions,
    contractDataFieldDescriptions,
    commonFieldDescriptions,
  ],
};
