import { CREDIT_REASONS, isTaxOnlyCredit } from "#domain/documents/credit-reasons.ts";
import type { CreditNoteQuoteRequest } from "#worker/api/documents/messages.ts";
import { formatMoney } from "../../account.ts";
import { buildRequestBody, type FormField, type FormValues, listMissingFields } from "../../desk/fields.ts";
import { t } from "../../texts.ts";
import type { ListedDocument } from "./money.ts";

type CreditedDocument = Pick<ListedDocument, "document_kind" | "payment_status" | "contracts">;

/** Lists the fields of a credit note for the entered values. Crediting only the tax of a debt needs one contract. */
export function listCreditFields(
  { document_kind: kind, payment_status: payment, contracts }: CreditedDocument,
  values: FormValues,
): readonly FormField<keyof CreditNoteQuoteRequest>[] {
  const isTaxOnly = isTaxOnlyCredit(CREDIT_REASONS.find((reason) => reason === values["reason"]));
  return [
    {
      name: "reason",
      kind: "choice",
      label: "creditWhy",
      required: true,
      isWide: true,
      // An unpaid debt needs a full invoice, because only full invoices name the debtor.
      choices: CREDIT_REASONS.filter((item) => (kind === "full" && payment !== "paid") || !isTaxOnlyCredit(item)).map(
        (item) => [item, t(`creditReason.${item}`)] as const,
      ),
    },
    ...(isTaxOnly && contracts.length > 0 ? [createContractField(contracts)] : []),
    { name: "amount", kind: "money", hint: isTaxOnly ? "creditTaxHint" : "creditAmountHint" },
  ];
}

const createContractField = (contracts: CreditedDocument["contracts"]) =>
  ({
    name: "reservation_id",
    kind: "choice",
    label: "contract",
    hint: "creditContractHint",
    required: true,
    isWide: true,
    choices: contracts.map(({ reservation_id: id, reference_detail: plates, total }) => [
      String(id),
      [t("reservationNo", { id }), formatMoney(total), plates].filter(Boolean).join(" · "),
    ]),
  }) satisfies FormField<keyof CreditNoteQuoteRequest>;

/** Values of the form as they are sent. A chosen contract is a text. */
export interface CreditForm extends Omit<CreditNoteQuoteRequest, "reservation_id"> {
  readonly reservation_id?: string;
}

/** Converts the form to the request. */
export function toCreditRequest({ reservation_id: contract, ...request }: CreditForm): CreditNoteQuoteRequest {
  return contract === undefined ? request : { ...request, reservation_id: Number(contract) };
}

/** Builds the preview request for the entered values. Undefined while a required value is missing. */
export function toCreditQuoteRequest(of: CreditedDocument, values: FormValues): CreditNoteQuoteRequest | undefined {
  const fields = listCreditFields(of, values);
  if (listMissingFields(fields, values).length > 0) return undefined;
  // The fields are named after the members of the form.
  return toCreditRequest(buildRequestBody(fields, values) as CreditForm);
}
