import { fillMessage } from "#domain/problem-messages.ts";
import type { PlaceholderName, ProblemValue } from "#domain/problems.ts";

/** Reasons for which imported data is refused, by code. Developers and the command line read the English messages. */
const PROBLEMS = {
  // Files and columns
  file_empty: "is empty",
  csv_invalid: "is not valid CSV: a quote is unclosed or misplaced",
  json_invalid: "is not valid JSON",
  json_not_list: "must be a list of objects",
  workbook_invalid: "is not a readable workbook",
  workbook_too_large: "is too large to open",
  rows_too_many: "has too many rows",
  columns_too_many: "has more than {columns} columns",
  cells_too_many: "has too many cells",
  cells_far: "has {count} cells far from the table, such as {example}, which are ignored",
  rows_ignored: "has {count} rows around the table, such as {example}, which are ignored",
  table_unknown: "does not match any table",
  column_unknown: "is not a field of {table}",
  column_duplicated: "is duplicated",
  column_missing: "is required, but the file has no such column",
  cells_surplus: "has {cells} cells for {columns} columns",

  // Values
  missing: "is required",
  missing_without: "is required without {field}",
  missing_unit: "requires {field} in the same row",
  date_invalid: "is not a valid date",
  date_in_future: "is in the future",
  time_invalid: "is not a time of day",
  moment_invalid: "is not a valid date and time",
  number_invalid: "is not a number",
  decimals_invalid: "is not a number with at most two decimals",
  amount_invalid: "is not an amount in the account's currency",
  percentage_invalid: "is not a percentage",
  flag_invalid: "is not yes or no",
  type_invalid: "has the wrong type",
  value_unknown: "is not a known value",
  email: "is not an email address",
  telephone: "is not a phone number",
  document: "is not a document number",
  number_rounded: "is a number that a spreadsheet has rounded, so that its last digits are lost",
  country: "is not a country code",
  currency_invalid: "is not a currency code",
  language_invalid: "is not a language code",
  timezone_invalid: "is not a time zone",
  list_invalid: "is not a valid list",
  object_invalid: "is not a JSON object",
  image_invalid: "is not a PNG or JPEG image in base64",
  formula_error: "is an error of a spreadsheet formula",
  text_too_long: "has more than {characters} characters",
  letters_lost: "contains letters that were lost when the file was saved",
  control_characters: "contains control characters instead of letters",
  encoding_mixed: "contains letters that another program read in the wrong encoding",
  line_break: "contains a line break",
  person_name: "contains invisible characters",
  plain: "contains emoji, or characters that reverse the order of letters",
  not_allowed: "is not allowed",
  not_storable: "can't be saved: {rule}",

  // Rows
  reference_unknown: "does not match any row of {table}",
  reference_ambiguous: "matches several rows of {table}",
  reference_broken: "refers to a row that does not exist",
  line_duplicated: "is the same as line {line}",
  line_duplicated_in_file: "is the same as {file}, line {line}",
  already_exists: "already exists",
  combination_invalid: "does not match {fields}",
  together: "must be set together with {field}",
  not_after: "is not after {field}",
  sum_mismatch: "is not the sum of its parts",

  // Settings, places and fleet
  currency_fixed: "can't be changed once there are prices, contracts or documents",
  currency_decimals_mismatch: "is not the number of decimals of {currency}",
  branch_currency_mismatch: "is not the currency of the company",
  branch_group_in_use: "is another group, but vehicles or open reservations are in the current one",
  opening_hours_overlap: "overlaps other opening hours of this branch on that weekday",
  family_below_itself: "is the family itself or a family below it",
  plate_duplicated: "is the plate of several vehicles",

  // Prices and rules
  season_overlap: "overlaps the dates of another season",
  bracket_overlap: "overlaps another bracket of days of this tariff",
  bracket_gap: "leaves durations without a price after the previous bracket",
  driver_age_overlap: "overlaps the ages of another rule",

  // Contracts
  return_not_after_pickup: "is not after the pickup",
  access_id_guessable: "can be guessed, but opens the contract to anyone who has it",
  booking_line_missing: "has no line, so nothing is rented",
  booking_units_mismatch: "must have one unit for each vehicle of its quantity",
  booking_lines_sum_mismatch: "is not the sum of its lines",
  booking_vehicle_required: "must have a vehicle, which no other contract in progress has",
  booking_kind_fixed: "is a booking of another kind",
  booking_transition_invalid: "can't follow the current state of the contract",
  transfer_trips_missing: "is a transfer without vehicle and trips",
  vehicle_out: "is on rent with another contract in this period",
  vehicle_promised: "is assigned to another contract in this period",
  vehicle_blocked: "is blocked in this period",
  charge_fixed: "is an existing charge, which can't be changed",

  // Documents
  document_issued: "belongs to an issued document, which can't be changed",
  document_incomplete: "belongs to a document that is neither issued nor a draft",
  document_items_missing: "is issued, but has no items",
  document_items_sum_mismatch: "is not the sum of its items",
  document_taxes_sum_mismatch: "is not the sum of its tax rates",
  document_sums_mismatch: "is issued, but its amounts are not the sums of its items and tax rates",
  credit_exceeded: "credits more than its invoice, or an invoice that was replaced",
  document_date_in_future: "is in the future, which blocks new documents until then",
  document_date_too_early: "is before the last document of its series",
  document_date_too_late: "is after the first document issued here",
  document_draft_here: "is a draft of this system, which assigns the number itself",
  series_in_use: "is a series with documents issued here",
  series_continues: "has documents issued here and continues automatically",
} as const;

/** Suggested fixes by code. */
const REMEDIES = {
  // Files and columns
  save_as_utf8: "save the file again as UTF-8, or set --encoding",
  save_as_xlsx: "save the file again as .xlsx, without a password",
  double_quote: 'write a quote inside quotes as ""',
  choose_table: "add its table ({tables}, …) to mapping.json, or null to skip the file",
  choose_field: "add its field ({fields}) to mapping.json, or null to skip the column",
  one_column_per_field: "one column for each field",
  one_line_per_row: "one line for each row",
  file_of_table: "add a file of {table}",

  // Values
  save_as_text: "format the column as text, enter the numbers again and save the file",
  exact_value: "{value}",
  example: "for example {example}",
  two_examples: "for example {example} or {other}",
  decimal_examples: "for example {point}, or {comma} in the whole file",
  weekday_example: "weekday numbers from 1 for Monday, for example {example}",
  two_letter_code: "two letters, for example {example}",
  lower_case_code: "two lower-case letters, for example {example}",
  base64_image: "a PNG or JPEG image in base64, for example from {command}",
  plain_text: "plain text in one line: {text}",
  one_of: "one of {values}",
  yes_or_no: "yes or no",
  whole_number: "a whole number",
  upper_case: "capital letters",
  characters_between: "{min} to {max} characters",
  characters_exactly: "{count} characters",
  between: "{min} to {max}",
  at_least: "at least {min}",
  more_than: "more than {limit}",
  sum: "{terms}",
  all_or_none: "all of {fields}, or none",
  column_of_row: "the {column} of one row",
  other_id: "another id, or none",
  without_id_column: "a file without the column id, which changes the existing row",

  // Rules
  branch_group_current: "its current group, until it has no vehicles and no open reservations",
  consecutive_hours: "opening hours that follow each other",
  other_family: "a family that is not below it, or none",
  one_vehicle_per_plate: "one vehicle per plate. Set sold_release_date or active = no for the others",
  season_dates: "dates that belong to one season only",
  consecutive_brackets: "brackets that follow each other",
  consecutive_ages: "ages that follow each other",
  later_return: "a return after the pickup",
  new_access_id: "no column free_access_id, or at least 16 random letters and digits",
  booking_category: "the columns category_code and vehicle_reference, or a row of booking_lines",
  unit_per_vehicle: "a row of booking_units for each vehicle, with or without vehicle_reference",
  vehicle_on_rent: "the plate of the vehicle that is on rent",
  office_actions: "use the actions of the office",
  transfer_rows: "a row of transfer_bookings, and a row of transfer_trips for each trip",
  one_open_contract: "one open contract for each vehicle",
  other_vehicle: "another vehicle, or none",
  reversing_charge: "a charge that reverses it",
  credit_note: "a credit note",
  document_items: "the column vat_percent, which creates one item, or rows of document_items",
  document_taxes: "the column vat_percent, or a row of document_taxes for each tax rate",
  issue_date: "the date on which it was issued",
  last_document_date: "the date of its last document",
  other_system_series: "the series of the other system",
  issue_here: "issue it here",
} as const;

/** Reasons why an import can't be undone, by code. */
const UNDO_PROBLEMS = {
  no_import: "there is no import to undo",
  not_last: "it is not the last import",
  row_changed: "{table} {row} was changed since",
  rows_added: "{count} new rows of {table} refer to imported rows of {parent}",
} as const;

/** A code of a table of messages, with a value for each placeholder of its message. */
type Coded<Messages> = {
  readonly [Code in keyof Messages]: [PlaceholderName<Messages[Code]>] extends [never]
    ? { readonly code: Code; readonly params?: undefined }
    : { readonly code: Code; readonly params: Readonly<Record<PlaceholderName<Messages[Code]>, ProblemValue>> };
}[keyof Messages];

export type ImportProblemCode = keyof typeof PROBLEMS;
export type ImportRemedyCode = keyof typeof REMEDIES;
export type UndoProblemCode = keyof typeof UNDO_PROBLEMS;

/** Suggested fix. Clients translate it by `code` and `params`. */
export type ImportRemedy = Coded<typeof REMEDIES>;

/** Problem of imported data and its fix, if known. Clients translate it by `code` and `params`. */
export type ImportProblem = Coded<typeof PROBLEMS> & { readonly remedy?: ImportRemedy | undefined };

/** Reason why an import can't be undone. Clients translate it by `code` and `params`. */
export type UndoProblem = Coded<typeof UNDO_PROBLEMS>;

/** Returns the English message of a problem, for developers and the command line. */
export function formatImportProblem({ code, params }: Coded<typeof PROBLEMS>): string {
  return fillMessage(PROBLEMS[code], params);
}

/** Returns the English message of a fix, for developers and the command line. */
export function formatImportRemedy({ code, params }: ImportRemedy): string {
  return fillMessage(REMEDIES[code], params);
}

/** Returns the English message of a reason against undoing, for developers and the command line. */
export function formatUndoProblem({ code, params }: UndoProblem): string {
  return fillMessage(UNDO_PROBLEMS[code], params);
}

/** All messages, for tests and documents. */
export const IMPORT_MESSAGES = { problems: PROBLEMS, remedies: REMEDIES, undoProblems: UNDO_PROBLEMS };

export const IMPORT_PROBLEM_CODES = Object.keys(PROBLEMS) as readonly ImportProblemCode[];
export const IMPORT_REMEDY_CODES = Object.keys(REMEDIES) as readonly ImportRemedyCode[];
export const UNDO_PROBLEM_CODES = Object.keys(UNDO_PROBLEMS) as readonly UndoProblemCode[];
