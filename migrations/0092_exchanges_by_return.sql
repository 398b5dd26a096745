-- The planning draws each vehicle of an exchange for its own time: what came back within a stretch is found by when it did. An exchange
-- writes one entry more.
CREATE INDEX exchanged_vehicles_by_return ON exchanged_vehicles (returned_at);
