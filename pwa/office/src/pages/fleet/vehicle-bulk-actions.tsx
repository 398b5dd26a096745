import { useState } from "preact/hooks";
import type { VehicleBlockRequest, VehicleRelocationRequest } from "#worker/api/office/vehicle-messages.ts";
import { getCompanyDateTime, hasUserRight } from "../../account.ts";
import { toOfficePath } from "../../api.ts";
import { BULK_ACTION_STARTED_RESPONSE, toRowOutcome, useBulkAction } from "../../desk/bulk-actions.ts";
import { BulkBar } from "../../desk/bulk-bar.tsx";
import type { BulkActionsProps } from "../../desk/bulk-part.tsx";
import { FormSheet } from "../../desk/form-sheet.tsx";
import { sendWithIdempotencyKey } from "../../desk/submit-once.ts";
import { linkTo } from "../../route.ts";
import { t } from "../../texts.ts";
import { type ListedVehicle, listVehicleMoveFields } from "./vehicle.ts";
import { getVehicleBlockForm } from "./vehicle-block-form.tsx";

const nameRow = ({ reference, stock_plate: plate }: ListedVehicle) => ({
  id: reference,
  name: plate ?? reference,
  href: linkTo("fleet", reference),
});

const ACTIONS = {
  block: { path: "blocks", text: "bulkBlock" },
  move: { path: "move", text: "bulkMove" },
} as const;

type Action = keyof typeof ACTIONS;

type ActionRequest = VehicleBlockRequest | VehicleRelocationRequest;

async function apply(action: Action, { reference }: ListedVehicle, body: ActionRequest) {
  const path = toOfficePath(`/vehicles/${encodeURIComponent(reference)}/${ACTIONS[action].path}`);
  const answer = await sendWithIdempotencyKey<object, ActionRequest>("POST", path, body);
  return toRowOutcome(answer, t(`vehicleDid.${action}`));
}

/** Actions for the selected vehicles, with the result of each. */
export default function VehicleBulkActions({ rows, onDone, onClear, onAll }: BulkActionsProps<ListedVehicle>) {
  const { results, isBusy, start } = useBulkAction({ rows, nameRow, onDone });
  const [action, setAction] = useState<Action>();
  const { date, time } = getCompanyDateTime();
  const getSheetProps = (name: Action) => ({
    title: `${t(ACTIONS[name].text)} · ${t("selectedCount", { n: rows.length })}`,
    draft: [`vehicle-${name}`, "selection"] as const,
    submit: t(ACTIONS[name].text),
    send: async (body: ActionRequest) => {
      void start((row) => apply(name, row, body));
      return BULK_ACTION_STARTED_RESPONSE;
    },
    onDone: () => setAction(undefined),
    onClose: () => setAction(undefined),
  });
  return (
    <>
      <BulkBar {...{ isBusy, results, onAll, onClear }} count={rows.length}>
        {hasUserRight("sell") &&
          (["block", "move"] as const).map((name) => (
            <button key={name} type="button" class="small" disabled={isBusy} onClick={() => setAction(name)}>
              {t(ACTIONS[name].text)}
            </button>
          ))}
      </BulkBar>
      {action === "block" && (
        <FormSheet<object, VehicleBlockRequest>
          {...getSheetProps(action)}
          {...getVehicleBlockForm(rows.map(({ reference }) => reference))}
        />
      )}
      {action === "move" && (
        <FormSheet<object, VehicleRelocationRequest>
          {...getSheetProps(action)}
          fields={listVehicleMoveFields()}
          begin={{ at: `${date}T${time}` }}
        />
      )}
    </>
  );
}
