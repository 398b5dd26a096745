import { goToPage } from "../route.ts";
import { VehiclePage } from "./fleet/vehicle-page.tsx";
import { VehicleSearch } from "./fleet/vehicle-search.tsx";
import { NewVehicleSheet } from "./fleet/vehicle-sheets.tsx";

/** Fleet list, new vehicle form, or one vehicle with its actions. */
export default function Fleet({ path }: { readonly path: readonly string[] }) {
  const [reference, action] = path;
  if (reference && reference !== "new") return <VehiclePage key={reference} reference={reference} action={action} />;
  return (
    <>
      <VehicleSearch />
      {reference === "new" && (
        <NewVehicleSheet
          onDone={({ body }) => body.vehicle && goToPage("fleet", body.vehicle.reference)}
          onClose={() => goToPage("fleet")}
        />
      )}
    </>
  );
}
