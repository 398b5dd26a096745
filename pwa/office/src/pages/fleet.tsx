import { go } from "../route.ts";
import { VehiclePage } from "./fleet/one.tsx";
import { VehicleSearch } from "./fleet/search.tsx";
import { NewVehicleSheet } from "./fleet/sheets.tsx";
import type { VehicleDetail } from "./fleet/vehicle.ts";

/** Fleet list, new vehicle form, or one vehicle with its actions. */
export default function Fleet({ path }: { readonly path: readonly string[] }) {
  const [reference, doing] = path;
  if (reference && reference !== "new") return <VehiclePage key={reference} reference={reference} doing={doing} />;
  return (
    <>
      <VehicleSearch />
      {reference === "new" && (
        <NewVehicleSheet
          onDone={({ body }) => go("fleet", (body["vehicle"] as VehicleDetail["vehicle"]).reference)}
          onClose={() => go("fleet")}
        />
      )}
    </>
  );
}
