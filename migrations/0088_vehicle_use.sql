-- Who had a vehicle at a moment: what came back in exchange is found by its vehicle. An exchange writes one entry more.
CREATE INDEX exchanged_vehicles_by_vehicle ON exchanged_vehicles (vehicle_reference);
