/** The rules, in the order in which their reasons are told. The same list serves the offer and the vetting of a call. */
import { argumentsInjection } from "./arguments-injection.ts";
import { argumentsSchema } from "./arguments-schema.ts";
import { argumentsUnambiguous } from "./arguments-unambiguous.ts";
import { authentication } from "./authentication.ts";
import { connection } from "./connection.ts";
import { definition } from "./definition.ts";
import { intentFamilies } from "./intent-families.ts";
import { intentTools } from "./intent-tools.ts";
import { knownAndOffered } from "./known-and-offered.ts";
import { listed } from "./listed.ts";
import { mode } from "./mode.ts";
import { role } from "./role.ts";
import { state } from "./state.ts";
import type { Rule } from "./subject.ts";
import { validSchema } from "./valid-schema.ts";

export const rules: readonly Rule[] = [
  knownAndOffered,
  listed,
  definition,
  validSchema,
  mode,
  state,
  intentTools,
  intentFamilies,
  role,
  authentication,
  connection,
  argumentsUnambiguous,
  argumentsSchema,
  argumentsInjection,
];
