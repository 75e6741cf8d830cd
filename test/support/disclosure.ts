/** A disclosure as it is kept, for tests that are about something else. */
import type { Disclosure } from "../../src/approvals/disclosure/disclosed.ts";

export const disclosureOf = (more: Partial<Disclosure> = {}): Disclosure => ({
  language: "en",
  tool: "write_file",
  category: "modification",
  listed: true,
  reversible: false,
  undo: null,
  destination: null,
  template: null,
  description: null,
  more: null,
  preview: null,
  order: [],
  hides: [],
  suspicious: null,
  undoes: null,
  persistsGate: true,
  ...more,
});
