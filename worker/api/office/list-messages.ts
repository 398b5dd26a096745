import { z } from "zod";

/** Of a list that is too long to be counted on each request. */
export const totalIsExact = z.boolean().optional().meta({
  description:
    "false where the list is longer than `total`, the first 100 (or those of a longer page); absent otherwise",
});
