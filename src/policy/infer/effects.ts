/** The effects that a tool may have, in the order of harm, and the category of each. Pure. */
import type { Category } from "../selectors.ts";

/** In the order of how much harm an attacker could do: if words have several effects, the last one decides. */
const effects = [
  "read",
  /** Reads from an address that an argument names: the address itself can carry data out. */
  "reach",
  /** Writes something that only the user sees and that the user can undo. */
  "note",
  "create",
  "change",
  "execute",
  "destroy",
  /** Gives a person access, or changes who has it. */
  "access",
  /** Sends something to other people. */
  "send",
  /** Binds a person, without paying: a booking, a prescription, a signature, a shipment. */
  "commit",
  "pay",
] as const;
export type InferredEffect = (typeof effects)[number];

/** Effects that reach other people, bind a person, spend money or follow an address are `external`; all others change things of the user. */
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
