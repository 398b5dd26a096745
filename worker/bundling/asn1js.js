// The only class name that code checks. @peculiar/asn1-schema recognizes a sequence by it. wrangler.toml bundles this
// file instead of the package, because other names aren't kept (`keep_names`).
import { Sequence } from "../../node_modules/asn1js/build/index.es.js";

Object.defineProperty(Sequence, "name", { value: "Sequence" });

export * from "../../node_modules/asn1js/build/index.es.js";
