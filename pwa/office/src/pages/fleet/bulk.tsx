import { useState } from "preact/hooks";
import { may, nowThere } from "../../account.ts";
import { ask, office } from "../../api.ts";
import { STARTED, toOutcome, useBulk } from "../../desk/bulk-actions.ts";
import { BulkBar } from "../../desk/bulk-bar.tsx";
import type { BulkProps } from "../../desk/bulk-part.tsx";
import { FormSheet } from "../../desk/form-sheet.tsx";
import { linkTo } from "../../route.ts";
import { t } from "../../texts.ts";
import { blockFields, type ListedVehicle, moveFields } from "./vehicle.ts";

const nameRow = ({ reference, stock_plate: plate }: ListedVehicle) => ({
  id: reference,
  name: plate ?? reference,
  href: linkTo("fleet", reference),
});

const ACTIONS = {
  block: { path: "blocks", fields: blockFields, text: "bulkBlock" },
  move: { path: "move", fields: moveFields, text: "vehicleDo.move" },
} as const;

type Action = keyof typeof ACTIONS;

async function apply(action: Action, { reference }: ListedVehicle, body: object) {
  const path = office(`/vehicles/${encodeURIComponent(reference)}/${ACTIONS[action].path}`);
  return toOutcome(await ask("POST", path, { body }), t(`vehicleDid.${action}`));
}

/** Actions for the selected vehicles, with the result of each. */
export default function Bulk({ rows, onDone, onClear, onAll }: BulkProps<ListedVehicle>) {
  const { results, isBusy, start } = useBulk({ rows, nameRow, onDone });
  const [action, setAction] = useState<Action>();
  const { date, time } = nowThere();
  const begin = {
    block: { from: `${date}T08:00`, to: `${date}T20:00`, reason: "workshop" },
    move: { at: `${date}T${time}` },
  };
  return (
    <>
      <BulkBar {...{ isBusy, results, onAll, onClear }} count={rows.length}>
        {may("sell") &&
          (["block", "move"] as const).map((name) => (
            <button key={name} type="button" class="small" disabled={isBusy} onClick={() => setAction(name)}>
              {t(ACTIONS[name].text)}
            </button>
          ))}
      </BulkBar>
      {action && (
        <FormSheet
          title={`${t(ACTIONS[action].text)} · ${t("selectedCount", { n: rows.length })}`}
          draft={[`vehicle-${action}`, "selection"]}
          fields={ACTIONS[action].fields()}
          begin={begin[action]}
          submit={t(ACTIONS[action].text)}
          send={async (body) => {
            void start((row) => apply(action, row, body));
            return STARTED;
          }}
          onDone={() => setAction(undefined)}
          onClose={() => setAction(undefined)}
        />
      )}
    </>
  );
}
