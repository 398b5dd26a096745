// What zod exports, without its words for errors in fifty languages: a seventh of what the Worker would weigh. wrangler.toml
// bundles this in place of the package; tests and types see the package itself, and a test holds the two against each other.

export * from "../../node_modules/zod/v4/classic/checks.js";
export * as coerce from "../../node_modules/zod/v4/classic/coerce.js";
export * from "../../node_modules/zod/v4/classic/compat.js";
export * from "../../node_modules/zod/v4/classic/errors.js";
export { input, output } from "../../node_modules/zod/v4/classic/in-out.js";
export * as iso from "../../node_modules/zod/v4/classic/iso.js";
export { ZodISODate, ZodISODateTime, ZodISODuration, ZodISOTime } from "../../node_modules/zod/v4/classic/iso.js";
export * from "../../node_modules/zod/v4/classic/parse.js";
export * from "../../node_modules/zod/v4/classic/schemas.js";
export {
  $brand,
  $input,
  $output,
  clone,
  compile,
  config,
  flattenError,
  formatError,
  getDiscriminatedOption,
  globalRegistry,
  INVALID,
  memoizer,
  NEVER,
  prettifyError,
  regexes,
  registry,
  TimePrecision,
  toZod,
  treeifyError,
  util,
  withParser,
  ZodCompileAsyncError,
  ZodCompileUnsupportedError,
} from "../../node_modules/zod/v4/core/index.js";
