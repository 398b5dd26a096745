import type { AccountName } from "#tools/platform/client.ts";
import type { ChaosWriter } from "./context.ts";
import { writeOfficeResource } from "./office-requests.ts";

/** Creates a user who adds, blocks, moves and removes vehicles. */
export function createFleetWriter(account: AccountName): ChaosWriter {
  return async (context) => {
    const { accountData, random } = context;
    const { codes, branches } = accountData[account];
    const reference = `CHAOS-${random.hex(8).toUpperCase()}`;
    const at = random.pick(branches);
    // Not for rent, so that availability for others doesn't change.
    const body = {
      reference,
      name: "Chaos",
      category_code: random.pick(codes),
      rental_location_code: at,
      assignable: false,
    };
    const createdVehicle = await writeOfficeResource(context, {
      account,
      method: "POST",
      path: "/vehicles",
      body,
      kind: "vehicles",
    });
    if (!createdVehicle) return;
    const path = `/vehicles/${reference}`;
    const writeTarget = { account, method: "POST", kind: "vehicles", id: reference } as const;
    const vehicleBlock = { from: "2040-03-01T10:00", to: "2040-03-02T10:00", reason: "workshop", note: "chaos" };
    const block = await writeOfficeResource(context, {
      ...writeTarget,
      path: `${path}/blocks`,
      body: vehicleBlock,
      kind: "blocks",
    });
    if (block) {
      const longer = { expected_version: block.version, to: "2040-03-03T10:00" };
      const known = { account, path: `/blocks/${block.id}`, kind: "blocks", id: block.id } as const;
      await writeOfficeResource(context, { ...known, method: "PATCH", body: longer });
      await writeOfficeResource(context, { ...known, method: "DELETE" });
    }
    const relocation = { rental_location_code: random.pick(branches), at: "2040-03-01T10:00" };
    const relocatedVehicle = await writeOfficeResource(context, {
      ...writeTarget,
      path: `${path}/move`,
      body: relocation,
    });
    const colour = { expected_version: relocatedVehicle?.version ?? createdVehicle.version, stock_color: "red" };
    const painted = await writeOfficeResource(context, { ...writeTarget, method: "PATCH", path, body: colour });
    if (painted)
      await writeOfficeResource(context, {
        ...writeTarget,
        path: `${path}/retire`,
        body: { expected_version: painted.version },
      });
  };
}
