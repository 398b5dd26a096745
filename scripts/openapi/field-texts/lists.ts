import type { FieldTexts } from "../describe-fields.ts";
import { analyticsTexts } from "./analytics.ts";
import { checkInTexts } from "./check-in.ts";
import { commonTexts } from "./common.ts";
import { contractDataTexts } from "./contract-data.ts";
import { customerAccessTexts } from "./customer-access.ts";
import { documentTexts } from "./documents.ts";
import { engineTexts } from "./engines.ts";
import { integrationTexts } from "./integration.ts";
import { officeWorkTexts } from "./office.ts";
import { officeSettingsTexts } from "./office-settings.ts";
import { otaTexts } from "./ota.ts";
import { operationsTexts, paymentTexts, promotionCodeTexts } from "./payments-and-operations.ts";
import { websiteSettingsTexts } from "./website-settings.ts";

/** Texts of each document. The first list that has a key wins. */
export const fieldTexts: Readonly<Record<string, readonly FieldTexts[]>> = {
  ota: [otaTexts, commonTexts],
  "rental-engine": [engineTexts, websiteSettingsTexts, contractDataTexts, commonTexts],
  "transfer-engine": [engineTexts, websiteSettingsTexts, contractDataTexts, commonTexts],
  "promotion-codes": [promotionCodeTexts, commonTexts],
  "customer-access": [customerAccessTexts, commonTexts],
  payments: [paymentTexts, commonTexts],
  integration: [documentTexts, integrationTexts, commonTexts],
  documents: [documentTexts, commonTexts],
  "check-in": [checkInTexts, contractDataTexts, commonTexts],
  analytics: [analyticsTexts, commonTexts],
  "staff-analytics": [analyticsTexts, commonTexts],
  operations: [operationsTexts, commonTexts],
  office: [
    officeWorkTexts,
    officeSettingsTexts,
    websiteSettingsTexts,
    documentTexts,
    integrationTexts,
    contractDataTexts,
    commonTexts,
  ],
};
