/** How many are told at most. */
import * as z from "zod";

const MOST = 50;
const USUAL = 10;

export const limitSchema = { type: "integer", minimum: 1, maximum: MOST, default: USUAL };

/** A policy's own schema may allow more than is given. */
export const limitOf = () =>
  z
    .int({ error: "`limit` must be a whole number" })
    .nullish()
    .transform((limit) => Math.min(MOST, Math.max(1, limit ?? USUAL)));
