import type {
  VehicleBlockChangeRequest,
  VehicleBlockMessage,
  VehicleBlockRequest,
  VehicleChangeRequest,
  VehicleCreationRequest,
  VehicleRelocationRequest,
  VehicleRetirementRequest,
} from "#worker/api/office/vehicle-messages.ts";
import { getBranchName, getCompanyDateTime } from "../../account.ts";
import { type OfficeResponse, sendOfficeRequest, toOfficePath } from "../../api.ts";
import { FormSheet } from "../../desk/form-sheet.tsx";
import { t } from "../../texts.ts";
import {
  listNewVehicleFields,
  listVehicleCostFields,
  listVehicleFields,
  listVehicleMoveFields,
  VEHICLE_DUE_DATE_FIELDS,
  VEHICLE_RETIREMENT_FIELDS,
  type VehicleBlock,
  type VehicleDetail,
} from "./vehicle.ts";
import { getVehicleBlockForm } from "./vehicle-block-form.tsx";

/** Form to open for a vehicle. `due` changes its due dates, `keep` cancels its retirement. */
export type VehicleSheetAction = "change" | "due" | "costs" | "block" | "move" | "retire" | "keep";

interface SheetProps {
  readonly onDone: (answer: OfficeResponse<VehicleDetail>, words: string) => void;
  readonly onClose: () => void;
}

/** Form to add a vehicle to the fleet. */
export function NewVehicleSheet({ onDone, onClose }: SheetProps) {
  return (
    <FormSheet<VehicleDetail, VehicleCreationRequest>
      title={t("newVehicle")}
      draft={["vehicle", "new"]}
      fields={listNewVehicleFields()}
      begin={{ fuel: "none", assignable: true }}
      submit={t("newVehicle")}
      send={(body, key) =>
        sendOfficeRequest<VehicleDetail, VehicleCreationRequest>("POST", toOfficePath("/vehicles"), { body, key })
      }
      onDone={(answer) => onDone(answer, t("did.newVehicle"))}
      onClose={onClose}
    />
  );
}

interface VehicleSheetProps extends SheetProps {
  readonly of: VehicleDetail["vehicle"];
  readonly action: VehicleSheetAction;
  /** Block to change. Undefined for a new one and for other actions. */
  readonly block: VehicleBlock | undefined;
}

const FIELDS = { change: listVehicleFields, due: () => VEHICLE_DUE_DATE_FIELDS, costs: listVehicleCostFields } as const;

const getVehicle = ({ vehicle }: OfficeResponse<VehicleDetail>["body"]) => vehicle;

/** Form of a vehicle action with its consequences and conflicting changes of other users. */
export function VehicleSheet({ of, action, block, onDone, onClose }: VehicleSheetProps) {
  const path = `/vehicles/${encodeURIComponent(of.reference)}`;
  const title = `${t(`vehicleDo.${action}`)} · ${of.stock_plate ?? of.reference}`;
  const common = { title, submit: t(`vehicleDo.${action}`), introduction: t(`vehicleAbout.${action}`), onClose };
  const handleDone = (answer: OfficeResponse<VehicleDetail>) => onDone(answer, t(`vehicleDid.${action}`));
  const { date } = getCompanyDateTime();
  switch (action) {
    case "change":
    case "due":
    case "costs":
      return (
        <FormSheet<VehicleDetail, VehicleChangeRequest>
          {...common}
          draft={[action === "change" ? "vehicle" : `vehicle-${action}`, of.reference]}
          fields={FIELDS[action]()}
          submit={t(action === "change" ? "vehicleDo.change" : "save")}
          originalValues={of}
          isChange
          send={(body, key) =>
            sendOfficeRequest<VehicleDetail, VehicleChangeRequest>("PATCH", toOfficePath(path), { body, key })
          }
          thingOf={getVehicle}
          onDone={handleDone}
        />
      );
    case "block":
      return (
        <FormSheet<VehicleBlockMessage, VehicleBlockRequest & VehicleBlockChangeRequest>
          {...common}
          draft={["block", String(block?.id ?? of.reference)]}
          {...getVehicleBlockForm([of.reference], block)}
          originalValues={block}
          isChange={block !== undefined}
          submit={t(block ? "save" : "vehicleDo.block")}
          send={(body, key) =>
            block
              ? sendOfficeRequest<VehicleBlockMessage, VehicleBlockChangeRequest>(
                  "PATCH",
                  toOfficePath(`/blocks/${block.id}`),
                  {
                    body,
                    key,
                  },
                )
              : sendOfficeRequest<VehicleBlockMessage, VehicleBlockRequest>("POST", toOfficePath(`${path}/blocks`), {
                  body,
                  key,
                })
          }
          thingOf={(body) => body.block}
          onDone={(answer) => onDone(answer, t(block ? "vehicleDid.blockChange" : "vehicleDid.block"))}
        />
      );
    case "move":
      return (
        <FormSheet<VehicleDetail, VehicleRelocationRequest>
          {...common}
          introduction={t("vehicleAbout.move", { branch: getBranchName(of.rental_location_code) })}
          draft={["vehicle-move", of.reference]}
          fields={listVehicleMoveFields()}
          begin={{ at: `${date}T${getCompanyDateTime().time}` }}
          send={(body, key) =>
            sendOfficeRequest<VehicleDetail, VehicleRelocationRequest>("POST", toOfficePath(`${path}/move`), {
              body,
              key,
            })
          }
          onDone={handleDone}
        />
      );
    case "retire":
      return (
        <FormSheet<VehicleDetail, VehicleRetirementRequest>
          {...common}
          isDanger
          draft={["vehicle-retire", of.reference]}
          fields={VEHICLE_RETIREMENT_FIELDS}
          originalValues={of}
          compared={listVehicleFields()}
          begin={{ date }}
          send={(body, key) =>
            sendOfficeRequest<VehicleDetail, VehicleRetirementRequest>("POST", toOfficePath(`${path}/retire`), {
              body,
              key,
            })
          }
          thingOf={getVehicle}
          onDone={handleDone}
        />
      );
    case "keep":
      return (
        <FormSheet<VehicleDetail, VehicleRetirementRequest>
          {...common}
          draft={["vehicle-keep", of.reference]}
          fields={[]}
          originalValues={of}
          send={(body, key) =>
            sendOfficeRequest<VehicleDetail, VehicleRetirementRequest>("POST", toOfficePath(`${path}/retire`), {
              body: { ...body, date: null },
              key,
            })
          }
          thingOf={getVehicle}
          onDone={handleDone}
        />
      );
  }
}
