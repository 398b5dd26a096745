import { useRef } from "preact/hooks";
import { STAFF_CONFIRMATIONS } from "#domain/check-in/codes.ts";
import { t } from "../../i18n/texts.ts";
import type { WorkDraft } from "../../offline/items.ts";
import type { ContractText } from "../../state/contract.ts";
import { findLoadedBooking } from "../../state/day.ts";
import { session } from "../../state/device-session.ts";
import { type SignedContract, saveSignatureWithoutDrawing } from "../../state/save-captures.ts";
import { getTextTooLongMessage } from "../../state/text-lengths.ts";
import { changeOpenWork } from "../../state/work.ts";
import { Icon } from "../../ui/icon.tsx";
import { createLazyComponent, MissingPart } from "../../ui/lazy.tsx";
import { Choice, Field } from "../../ui/parts.tsx";
import { AuthorityFields } from "./authority-fields.tsx";
import { ContractReader } from "./contract-reader.tsx";
import { DriverDocuments, DriverWarnings } from "./driver-documents.tsx";
import type { StepProps } from "./step-props.ts";
import { isSignedTextOutdated, useContractText } from "./use-contract-text.ts";

/** Loaded on demand, because the pad is large and rarely shown. */
const SignatureInput = createLazyComponent(() => import("./signature-input.tsx"));

type Method = NonNullable<WorkDraft["signature"]>["method"];
const METHODS: readonly Method[] = ["drawn", "typed", "absent"];

/** Signing step: checks to confirm, name of the signer, and the signature. */
export function SignStep({ draft, frame, onNext }: StepProps) {
  const place = useRef<HTMLDivElement>(null);
  const booking = findLoadedBooking(draft.booking_id);
  const customer = booking?.customer.full_name ?? draft.label;
  const { signature } = draft;
  const { method, name } = draft.signing ?? { method: signature?.method ?? "drawn", name: signature?.name ?? customer };
  const { contract: contractText, onRetry } = useContractText(draft);
  // Proposes the signer's name: the customer's, or the employee's who confirms that the customer is absent.
  const usual = (method: Method) => (method === "absent" ? (session.value?.full_name ?? "") : customer);
  const choose = (next: Method) => {
    // Keep a name that the user typed.
    const isUsual = name.trim() === usual(method).trim() || name.trim() === "";
    const signing = { ...draft.signing, method: next, name: isUsual ? usual(next) : name };
    void changeOpenWork({ signing, signature: null, strokes: null });
  };
  const rename = (next: string) => {
    const signing = { ...draft.signing, method, name: next };
    void changeOpenWork({
      signing,
      ...(signature && next.trim() && { signature: { ...signature, name: next.trim() } }),
    });
  };
  return frame(
    signature ? (
      <button type="button" class="main" onClick={onNext}>
        {t("continue")}
      </button>
    ) : (
      <>
        <button type="button" class="main" onClick={() => showSignature(place.current)}>
          <Icon name="sign" />
          {t("signNow")}
        </button>
        <button type="button" class="other" onClick={onNext}>
          {t("continueUnsigned")}
        </button>
      </>
    ),
    <>
      {booking && draft.kind === "delivery" && (
        <>
          <DriverWarnings draft={draft} booking={booking} />
          <DriverDocuments draft={draft} booking={booking} />
          <AuthorityFields draft={draft} booking={booking} />
        </>
      )}
      <fieldset class="checks">
        <legend>{t("checks")}</legend>
        {draft.checks.length < STAFF_CONFIRMATIONS.length && (
          <button type="button" class="other" onClick={() => void changeOpenWork({ checks: [...STAFF_CONFIRMATIONS] })}>
            <Icon name="check" />
            {t("allChecked")}
          </button>
        )}
        {STAFF_CONFIRMATIONS.map((check) => (
          <label key={check}>
            <input
              type="checkbox"
              checked={draft.checks.includes(check)}
              onChange={({ currentTarget }) => {
                const others = draft.checks.filter((item) => item !== check);
                void changeOpenWork({ checks: currentTarget.checked ? [...others, check] : others });
              }}
            />
            <span>{t(`check_${check}`)}</span>
          </label>
        ))}
      </fieldset>
      <Choice
        legend={t("signature")}
        name="method"
        options={METHODS.map((method) => [method, t(`sign_${method}`)] as const)}
        value={method}
        onChange={choose}
      />
      <Field
        label={t(method === "absent" ? "signAbsentBy" : "signName")}
        warning={getTextTooLongMessage("signer", name)}
      >
        <input name="signer" value={name} onInput={({ currentTarget }) => rename(currentTarget.value)} />
      </Field>
      {contractText === "missing" && <MissingPart onRetry={onRetry} />}
      {contractText && contractText !== "missing" && (
        <div ref={place} class="signing" tabIndex={-1}>
          <Signing draft={draft} method={method} name={name.trim()} customer={customer} contractText={contractText} />
        </div>
      )}
    </>,
    signature ? "signed" : "unsigned",
  );
}

// Scrolls to the signature pad, which is at the end of a long page, below the contract.
function showSignature(place: HTMLElement | null): void {
  place?.scrollIntoView({ block: "end" });
  place?.focus({ preventScroll: true });
}

interface SigningProps {
  readonly draft: WorkDraft;
  readonly method: Method;
  readonly name: string;
  readonly customer: string;
  readonly contractText: ContractText | "none";
}

/** The text to sign and the signature below. Changing the language changes the text. */
function Signing({ draft, method, name, customer, contractText }: SigningProps) {
  const agreed: SignedContract = { hash: findLoadedBooking(draft.booking_id)?.contract_hash ?? "" };
  const contract = contractText === "none" ? agreed : contractText;
  return (
    <>
      {contractText !== "none" && (
        <ContractReader contract={contractText} isOutdated={isSignedTextOutdated(draft, contractText)} />
      )}
      {contractText === "none" && agreed.hash && (
        <p class="soft contract">{t("contract", { hash: agreed.hash.slice(0, 12) })}</p>
      )}
      {method === "drawn" ? (
        <SignatureInput key={draft.contract_language} draft={draft} name={name || customer} contract={contract} />
      ) : (
        // If the customer is absent, no text is shown.
        <WrittenSignature
          key={method}
          draft={draft}
          method={method}
          name={name}
          contract={method === "absent" ? agreed : contract}
        />
      )}
    </>
  );
}

interface WrittenProps {
  readonly draft: WorkDraft;
  readonly method: "typed" | "absent";
  readonly name: string;
  readonly contract: SignedContract;
}

/** Signature without a drawing: a name and a checkbox, or the reason for the customer's absence. */
function WrittenSignature({ draft, method, name, contract }: WrittenProps) {
  const reason = draft.signing?.absent_reason ?? draft.signature?.absent_reason ?? "";
  const isSigned = draft.signature?.method === method;
  const explain = async (absenceReason: string) => {
    await changeOpenWork({ signing: { name, ...draft.signing, method, absent_reason: absenceReason } });
    if (isSigned) sign(true, absenceReason);
  };
  const sign = (isOn: boolean, absenceReason = reason) => {
    if (!isOn || !name) return void changeOpenWork({ signature: null });
    const signed = { method, name, signed_at: new Date().toISOString() };
    const isExplained = method === "absent" && absenceReason.trim() !== "";
    return void saveSignatureWithoutDrawing(
      { ...signed, ...(isExplained && { absent_reason: absenceReason.trim() }) },
      contract,
    );
  };
  return (
    <>
      {method === "absent" && (
        <Field label={t("absentReason")} warning={getTextTooLongMessage("absenceReason", reason)}>
          <input value={reason} onInput={({ currentTarget }) => void explain(currentTarget.value)} />
        </Field>
      )}
      <fieldset class="checks">
        <legend class="hidden">{t("signature")}</legend>
        <label>
          <input
            type="checkbox"
            checked={isSigned}
            disabled={!name}
            onChange={({ currentTarget }) => sign(currentTarget.checked)}
          />
          <span>{t(method === "absent" ? "confirmAbsent" : "confirmTyped")}</span>
        </label>
      </fieldset>
      {isSigned && (
        <p class="note">
          <Icon name="check" />
          {t("signed")}
        </p>
      )}
    </>
  );
}
