/** What a call of a tool does to the world, as far as its words say. Pure. */
import type { Category } from "../selectors.ts";

/** In the order of how much harm an attacker could do: the last one decides where words of several effects stand together. */
const effects = [
  "read",
  /** Reads from an address that an argument names: the address itself can carry data out. */
  "reach",
  /** Writes something that only the user sees and can take back. */
  "note",
  "create",
  "change",
  "execute",
  "destroy",
  /** Gives somebody access, or changes who has it. */
  "access",
  /** Leaves to other people. */
  "send",
  /** Commits somebody, and no money by itself: a booking, a prescription, a signature, a shipment. */
  "commit",
  "pay",
] as const;
export type InferredEffect = (typeof effects)[number];

/** What leaves to others, commits somebody or money, or follows an address is `external`; all other effects change what is the user's. */
export const categoryOf: Readonly<Record<InferredEffect, Category>> = {
  read: "read_only",
  reach: "external",
  note: "note_taking",
  create: "modification",
  change: "modification",
  execute: "modification",
  destroy: "modification",
  access: "modification",
  send: "external",
  commit: "external",
  pay: "external",
};

export const strongest = (some: Iterable<InferredEffect>): InferredEffect =>
  [...some].reduce((one, other) => (effects.indexOf(other) > effects.indexOf(one) ? other : one), "read");
