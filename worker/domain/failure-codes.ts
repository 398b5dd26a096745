import type { ImportProblemCode, UndoProblemCode } from "./operations/import-problems.ts";
import type { ProblemCode } from "./problems.ts";

/** Codes of errors before or outside of a use case, of every interface. */
const COMMON = [
  "account_moving",
  "account_paused",
  "account_unavailable",
  "internal_error",
  "invalid_input",
  "malformed_request",
  "method_not_allowed",
  "migrating",
  "overloaded",
  "storage_full",
  "unknown_path",
] as const;
/** Codes of refused bodies. */
const BODY = ["not_json", "request_timeout", "too_large"] as const;
/** Codes of refused tokens of users. */
const SIGNED_IN = ["device_revoked", "not_signed_in", "role_forbidden", "second_factor_missing"] as const;
/** Codes of refused keys and signatures of partners. */
const PARTNER = ["bad_signature", "out_of_scope", "quota_exceeded", "too_many_attempts"] as const;

/** Codes of unknown entries of the office lists, one for each kind of entry. */
export const RESOURCE_NOT_FOUND_CODES = [
  "branch_group_not_found",
  "branch_not_found",
  "opening_hours_not_found",
  "closed_date_not_found",
  "special_hours_not_found",
  "place_not_found",
  "sales_channel_not_found",
  "family_not_found",
  "legal_text_not_found",
  "category_not_found",
  "extra_not_found",
  "season_not_found",
  "price_not_found",
  "offer_not_found",
  "promotion_code_not_found",
  "driver_age_rule_not_found",
  "one_way_fee_not_found",
  "selling_rule_not_found",
  "cancellation_term_not_found",
  "repatriation_not_found",
  "transfer_zone_not_found",
  "transfer_point_not_found",
  "transfer_vehicle_not_found",
  "transfer_price_not_found",
  "transfer_extra_not_found",
  "supplement_not_found",
  "service_plan_not_found",
  "vehicle_service_not_found",
  "expense_account_not_found",
  "expense_concept_not_found",
  "agency_not_found",
  "agent_not_found",
  "user_not_found",
  "partner_key_not_found",
  "engine_key_not_found",
  "gateway_not_found",
  "webhook_not_found",
  "calendar_not_found",
  "document_series_not_found",
  "settings_not_found",
] as const;

/** Codes of deliveries and returns that can't be applied. */
export const HAND_OVER_FAILURE_CODES = [
  "already_collected",
  "already_delivered",
  "already_exchanged",
  "before_delivery",
  "booking_cancelled",
  "booking_closed",
  "handover_blocked",
  "more_than_due",
  "no_return_trip",
  "not_confirmed",
  "not_delivered",
  "unit_gone",
  "unknown_booking",
  "unknown_vehicle",
  "vehicle_unavailable",
] as const;
export type HandOverFailureCode = (typeof HAND_OVER_FAILURE_CODES)[number];

/** Codes of the office. */
export const OFFICE_FAILURE_CODES = [
  ...COMMON,
  ...BODY,
  ...SIGNED_IN,
  ...RESOURCE_NOT_FOUND_CODES,
  ...HAND_OVER_FAILURE_CODES,
  "action_required",
  "already_invoiced",
  "amount_exceeds_capture",
  "amount_exceeds_deposit",
  "block_not_found",
  "branch_forbidden",
  "cash_closed",
  "category_mismatch",
  "changed_meanwhile",
  "charge_not_found",
  "closing_not_found",
  "commission_invoiced",
  "commission_settled",
  "ministry_report_not_found",
  "ministry_report_not_refused",
  "customer_exists",
  "customer_has_contracts",
  "customer_incomplete",
  "customer_merged",
  "customer_not_found",
  "damage_not_found",
  "different_issuers",
  "discount_limit",
  "discount_limit_exceeded",
  "do_not_rent",
  "document_is_credit",
  "document_is_draft",
  "document_not_found",
  "document_replaced",
  "einvoice_incomplete",
  "erasure_blocked_by_report",
  "expense_known",
  "expense_not_found",
  "hold_in_progress",
  "hold_not_authorised",
  "hold_not_found",
  "idempotency_key_reused",
  "import_conflict",
  "import_has_problems",
  "import_not_found",
  "import_not_undoable",
  "import_running",
  "import_too_large",
  "import_unavailable",
  "in_use",
  "internal_customer_not_allowed",
  "message_not_found",
  "message_outdated",
  "more_than_held",
  "more_than_paid",
  "action_not_allowed",
  "no_unit_to_assign",
  "not_awaiting_manual_cancellation",
  "note_not_found",
  "nothing_due",
  "nothing_to_invoice",
  "nothing_to_refund",
  "other_payer",
  "payment_link_not_found",
  "payment_link_used",
  "permission_denied",
  "possible_duplicate",
  "quote_closed",
  "quote_expired",
  "quote_not_found",
  "record_incomplete",
  "record_missing",
  "record_not_kept",
  "reference_taken",
  "refund_decided",
  "refund_in_progress",
  "refund_not_found",
  "refund_reported",
  "reservation_not_found",
  "second_approver_required",
  "second_factor_stale",
  "sold_out",
  "taken",
  "task_not_found",
  "tax_record_pending",
  "too_many_files",
  "too_many_tax_rates",
  "unknown_file",
  "vehicle_blocked",
  "vehicle_in_other_group",
  "vehicle_not_found",
  "vehicle_out",
  "vehicle_promised",
  "vehicle_retiring",
  "view_not_found",
] as const;

/** Codes of check-in. Results of operations have their own. */
export const CHECK_IN_FAILURE_CODES = [
  ...COMMON,
  ...BODY,
  ...SIGNED_IN,
  "already_settled",
  "customer_erased",
  "hash_mismatch",
  "not_an_image",
  "not_cancellable",
  "signature_too_large",
  "too_many_files",
  "too_many_pixels",
  "unknown_booking",
  "unknown_branch",
  "unknown_branch_group",
  "unknown_file",
  "unknown_operation",
] as const;

/** Codes of the booking engines. */
export const ENGINE_FAILURE_CODES = [
  ...COMMON,
  ...BODY,
  "CRBOOK002",
  "bad_api_key",
  "booking_closed",
  "booking_not_found",
  "captcha_failed",
  "cart_busy",
  "cart_changed",
  "cart_empty",
  "cart_not_found",
  "extra_not_found",
  "not_form",
  "payment_required",
  "price_changed",
  "product_not_found",
  "product_not_sold",
  "too_many_attempts",
  "too_many_holds",
] as const;

/** Codes of agencies. Their responses contain messages only; the log of rejected requests has the codes. */
export const AGENCY_FAILURE_CODES = [
  ...COMMON,
  ...BODY,
  ...PARTNER,
  "booking_canceled",
  "booking_not_found",
  "changed_meanwhile",
  "action_not_allowed",
  "not_cancellable",
  "reference_taken",
  "sold_out",
] as const;

/** Codes of OpenTravel, which its messages carry as numbers. */
export const OPENTRAVEL_FAILURE_CODES = [
  ...COMMON,
  ...BODY,
  ...PARTNER,
  "booking_canceled",
  "booking_not_found",
  "changed_meanwhile",
  "location_not_found",
  "action_not_allowed",
  "no_availability",
  "not_cancellable",
  "not_xml",
  "reference_taken",
  "sold_out",
] as const;

/** Codes of integrations. */
export const INTEGRATION_FAILURE_CODES = [
  ...COMMON,
  ...BODY,
  ...PARTNER,
  "document_is_draft",
  "document_not_found",
  "einvoice_incomplete",
  "reservation_not_found",
] as const;

/** Codes of documents. */
export const DOCUMENT_FAILURE_CODES = [
  ...COMMON,
  ...BODY,
  ...SIGNED_IN,
  "amount_exceeds_balance",
  "approval_required",
  "booking_cancelled",
  "booking_not_found",
  "customer_incomplete",
  "discount_limit_exceeded",
  "document_is_credit",
  "document_is_draft",
  "document_not_found",
  "document_paid",
  "document_replaced",
  "internal_customer_not_allowed",
  "more_than_due",
  "more_than_paid",
  "no_deposit_held",
  "not_of_same_contract",
  "not_replaceable",
  "not_simplified",
  "nothing_to_invoice",
  "permission_denied",
  "reason_requires_full_invoice",
  "reason_requires_reservation",
  "refund_reported",
  "request_id_reused",
  "second_factor_stale",
  "tax_taken_back",
] as const;

/** Codes of analytics. */
export const ANALYTICS_FAILURE_CODES = [...COMMON, ...SIGNED_IN, ...PARTNER] as const;

/** Codes of payments. */
export const PAYMENT_CODES = [
  ...COMMON,
  "booking_not_found",
  "not_form",
  "not_payable",
  "payment_method_not_offered",
  "request_timeout",
  "too_large",
  "too_many_attempts",
] as const;

/** Codes of customer access. */
export const ACCESS_FAILURE_CODES = [
  ...COMMON,
  ...BODY,
  ...SIGNED_IN,
  "booked_by_agency",
  "booking_not_found",
  "changed_meanwhile",
  "invalid_code",
  "action_not_allowed",
  "no_second_factor",
  "not_allowed",
  "not_json_or_form",
  "document_not_found",
  "passkey_exists",
  "second_factor_exists",
  "second_factor_stale",
  "sold_out",
  "taken",
  "too_many_attempts",
  "weak_password",
  "wrong_passkey",
] as const;

/** Codes of the page of a quote. */
export const QUOTE_FAILURE_CODES = [
  ...COMMON,
  "changed_meanwhile",
  "not_form",
  "not_json",
  "quote_closed",
  "quote_expired",
  "quote_not_found",
  "request_timeout",
  "sold_out",
  "too_large",
  "too_many_attempts",
] as const;

/** Codes of operations. */
export const OPERATIONS_FAILURE_CODES = [...COMMON, ...SIGNED_IN] as const;

/** Own codes of the operator's interface. */
const OPERATOR = ["slot_not_bound", "statement_refused"] as const;

/** Code of a refusal of any interface. */
export type FailureCode =
  | (typeof OFFICE_FAILURE_CODES)[number]
  | (typeof CHECK_IN_FAILURE_CODES)[number]
  | (typeof ENGINE_FAILURE_CODES)[number]
  | (typeof OPENTRAVEL_FAILURE_CODES)[number]
  | (typeof INTEGRATION_FAILURE_CODES)[number]
  | (typeof DOCUMENT_FAILURE_CODES)[number]
  | (typeof ANALYTICS_FAILURE_CODES)[number]
  | (typeof PAYMENT_CODES)[number]
  | (typeof ACCESS_FAILURE_CODES)[number]
  | (typeof QUOTE_FAILURE_CODES)[number]
  | (typeof OPERATOR)[number];

/** Code of a refused value, of imported data or of an import that can't be undone. */
export type FieldCode = ProblemCode | ImportProblemCode | UndoProblemCode;
