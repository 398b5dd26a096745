import { LEGAL_DOCUMENTS, MAX_LEGAL_TEXT_LENGTH } from "#domain/catalogue/legal-texts.ts";
import { REGISTERS } from "#domain/catalogue/registers.ts";
import { TERRITORIES } from "#domain/catalogue/tax-territories.ts";
import { ADDRESS, field, PLACE_TYPES } from "./fields.ts";
import type { Resource } from "./resource.ts";
import {
  checkBranch,
  checkClosedHours,
  checkFamily,
  checkLegalText,
  checkPlace,
  checkSpecialHours,
} from "./rule-checks.ts";

const SOMETHING = { nullable: true } as const;
const REQUIRED = { required: true } as const;
const MANAGED = { tag: "Company", seeing: "see", changing: "manage", isRemovable: true } as const;

/** Company structure: groups, branches, hours, places, channels. */
export const COMPANY = [
  {
    ...MANAGED,
    name: "branch-groups",
    singular: "branch_group",
    about: "Groups of branches that share their vehicles: what is free is counted for each group",
    key: ["id"],
    isCounted: true,
    fields: [
      field.text("name", "name", 80, REQUIRED),
      field.text("external_code", "externalCode", 30, SOMETHING),
      field.text("timezone", "timezone", 50, { form: "timezone", initial: { setting: "timezone" } }),
      ...ADDRESS,
    ],
  },
  {
    ...MANAGED,
    name: "branches",
    singular: "branch",
    about: "Where customers are served",
    key: ["code"],
    branch: "code",
    check: checkBranch,
    fields: [
      field.text("code", "code", 30, { ...REQUIRED, fixed: true, form: "code", about: "Short and for ever: PMI" }),
      field.text("name", "name", 80, REQUIRED),
      field.reference("rental_storage_id", "branchGroupId", "branch-groups", {
        ...REQUIRED,
        isNumber: true,
        about: "The group of branches whose vehicles it shares",
      }),
      field.choice("place_type", "placeType", PLACE_TYPES, { initial: { is: "location" } }),
      field.text("external_code", "externalCode", 30, SOMETHING),
      field.text("timezone", "timezone", 50, { form: "timezone", initial: { setting: "timezone" } }),
      field.text("currency", "currency", 3, { form: "currency", initial: { setting: "currency" } }),
      field.text("company_name", "companyName", 120, { ...SOMETHING, about: "As it stands on papers" }),
      field.text("document_id", "documentId", 50, {
        ...SOMETHING,
        form: "document",
        about: "The tax number on papers",
      }),
      field.text("phone_number", "phoneNumber", 30, { ...SOMETHING, form: "phone" }),
      field.text("whatsapp_number", "whatsappNumber", 30, { ...SOMETHING, form: "phone" }),
      field.text("email", "email", 120, { ...SOMETHING, form: "email" }),
      field.text("emergency_number", "emergencyNumber", 30, { ...SOMETHING, form: "phone" }),
      field.text("commercial_register", "commercialRegister", 200, SOMETHING),
      field.text("ses_establishment_code", "sesEstablishmentCode", 10, {
        ...SOMETHING,
        about: "The code of the place of business at SES.HOSPEDAJES",
      }),
      field.choice("rental_register", "rentalRegister", REGISTERS, {
        initial: { is: "ses_hospedajes" },
        about:
          "Whom its rentals are communicated to. Only ses_hospedajes is built: what mossos, ertzaintza and others want to know is told by hand",
      }),
      field.choice("tax_territory", "taxTerritory", TERRITORIES, {
        initial: { is: "iva" },
        about: "The tax that is paid there: igic on the Canary Islands, ipsi in Ceuta and Melilla",
      }),
      ...ADDRESS,
    ],
  },
  {
    ...MANAGED,
    name: "opening-hours",
    singular: "opening_hours",
    about: "When a branch is open, by weekday; a branch without any is open at any time",
    key: ["rental_location_code", "weekday", "opens"],
    branch: "rental_location_code",
    fields: [
      field.reference("rental_location_code", "branchCode", "branches", REQUIRED),
      field.whole("weekday", "weekday", [1, 7], { ...REQUIRED, about: "Monday is 1" }),
      field.time("opens", "opens", REQUIRED),
      field.time("closes", "closes", REQUIRED),
    ],
    check: checkClosedHours,
  },
  {
    ...MANAGED,
    name: "closed-dates",
    singular: "closed_date",
    about: "Days on which a branch is closed whatever its hours",
    key: ["rental_location_code", "date"],
    branch: "rental_location_code",
    fields: [
      field.reference("rental_location_code", "branchCode", "branches", REQUIRED),
      field.date("date", "date", REQUIRED),
      field.text("reason", "reason", 120, { initial: { is: "" } }),
      field.flag("out_of_hours", "outOfHours", false, { about: "Whether out-of-hours work is taken all the same" }),
    ],
  },
  {
    ...MANAGED,
    name: "special-hours",
    singular: "special_hours",
    about: "Opening hours of a date instead of its weekday; without times the branch is closed",
    key: ["id"],
    isCounted: true,
    branch: "rental_location_code",
    unique: [["rental_location_code", "date"]],
    fields: [
      field.date("date", "date", REQUIRED),
      field.reference("rental_location_code", "branchCode", "branches", {
        ...SOMETHING,
        about: "Nothing: all branches",
      }),
      {
        kind: "rows",
        name: "times",
        column: "",
        initial: { is: [] },
        about: "When it is open, without overlap; none: closed all day",
        fields: [field.time("opens", "opens", REQUIRED), field.time("closes", "closes", REQUIRED)],
      },
      field.text("reason", "reason", 120, { initial: { is: "" } }),
    ],
    check: checkSpecialHours,
  },
  {
    ...MANAGED,
    name: "places",
    singular: "place",
    about: "Where vehicles are handed over and taken back",
    key: ["id"],
    isCounted: true,
    branch: "rental_location_code",
    fields: [
      field.text("name", "name", 120, REQUIRED),
      field.reference("rental_location_code", "branchCode", "branches", REQUIRED),
      field.choice("place_type", "placeType", PLACE_TYPES, { initial: { is: "location" } }),
      field.flag("is_pickup", "isPickup", true),
      field.flag("is_return", "isReturn", true),
      field.flag("web_public", "webPublic", true, { about: "Whether websites and agencies see it" }),
      field.money("price", "priceCents", { initial: { is: 0 }, about: "What it costs to be served there" }),
      field.text("iata", "iata", 3, SOMETHING),
      field.whole("position", "position", [0, 9999], { initial: { is: 0 } }),
      ...ADDRESS,
      {
        kind: "references",
        name: "return_place_ids",
        column: "returnPlaceId",
        to: "places",
        isNumber: true,
        initial: { is: [] },
        about: "Where a rental from here may end; none: anywhere",
      },
      field.texts("name"),
    ],
    check: checkPlace,
  },
  {
    ...MANAGED,
    name: "sales-channels",
    singular: "sales_channel",
    about: "Ways of selling, each with prices and rules of its own where it needs them",
    key: ["code"],
    fields: [
      field.text("code", "code", 30, { ...REQUIRED, fixed: true, form: "code" }),
      field.text("name", "name", 80, REQUIRED),
      field.flag("is_public", "isPublic", false, { about: "Whether anybody may name it" }),
    ],
  },
  {
    ...MANAGED,
    name: "families",
    singular: "family",
    about: "Families of categories, as websites group them",
    key: ["id"],
    isCounted: true,
    unique: [["code"]],
    fields: [
      field.text("code", "code", 30, { ...REQUIRED, form: "code" }),
      field.text("name", "name", 80, REQUIRED),
      field.reference("parent_id", "parentId", "families", { ...SOMETHING, isNumber: true }),
      field.texts("name"),
    ],
    check: checkFamily,
  },
  {
    ...MANAGED,
    name: "legal-texts",
    singular: "legal_text",
    about: "Terms and privacy notice that customers read before they book, by language: a text, or its address",
    key: ["id"],
    isCounted: true,
    unique: [["document", "language"]],
    fields: [
      field.choice("document", "document", LEGAL_DOCUMENTS, REQUIRED),
      field.text("language", "language", 2, { ...REQUIRED, form: "language" }),
      field.text("url", "url", 300, { ...SOMETHING, form: "address" }),
      field.text("text", "text", MAX_LEGAL_TEXT_LENGTH, SOMETHING),
    ],
    check: checkLegalText,
  },
] as const satisfies readonly Resource[];
