import { useState } from "preact/hooks";
import type { CheckInOperationMessage, OperationResultsMessage } from "#worker/api/check-in/operation-messages.ts";
import { sendOfficeRequest } from "../../api.ts";
import { ConfirmButton } from "../../desk/confirm-button.tsx";
import { formatRefusal } from "../../desk/refusals.ts";
import type { ReservationListItem } from "../../desk/reservation.ts";
import { t } from "../../texts.ts";

interface NoShowButtonProps {
  readonly of: Pick<ReservationListItem, "id" | "version" | "customer_fullname">;
  readonly position: ReservationListItem["trips"][number]["position"];
  readonly onDone: () => void;
}

/** Reports that a trip's customer didn't come, as the driver does in the check-in app. The fee is decided later. */
export default function NoShowButton({
  of: { id, version, customer_fullname: name },
  position,
  onDone,
}: NoShowButtonProps) {
  const [problem, setProblem] = useState("");
  // The same report again after a lost answer, which the server stores once.
  const [report, setReport] = useState<CheckInOperationMessage>();
  const send = async () => {
    const operation = report ?? createReport(id, version, position);
    setReport(operation);
    const answer = await sendOfficeRequest<OperationResultsMessage, CheckInOperationMessage>(
      "POST",
      "/api/v1/booking/check-in-operations",
      { body: operation },
    ).catch(() => undefined);
    if (answer?.status === 200) return onDone();
    setProblem(answer ? formatRefusal(answer) : t("notSent"));
  };
  return (
    <>
      <ConfirmButton text={t("do.no-show")} of={name} onSure={send} />
      {problem && <span role="alert">{problem}</span>}
    </>
  );
}

function createReport(id: number, version: number, position: NoShowButtonProps["position"]): CheckInOperationMessage {
  const opId = crypto.randomUUID();
  return {
    ...{ op_id: opId, device_id: `office-${opId}`, seq: 1, recorded_at: new Date().toISOString() },
    ...{ booking_id: id, base_version: version },
    kind: "evidence",
    trip: { position, moment: "nobody_came" },
  };
}
