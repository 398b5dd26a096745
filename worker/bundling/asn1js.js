// The one name of a class that code looks at: @peculiar/asn1-schema tells a sequence by it. wrangler.toml bundles this
// in place of the package, since no other names are kept (`keep_names`).
import { Sequence } from "../../node_modules/asn1js/build/index.es.js";

Object.defineProperty(Sequence, "name", { value: "Sequence" });

export * from "../../node_modules/asn1js/build/index.es.js";
