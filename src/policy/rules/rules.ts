/** All pure rules, in the order in which a decision lists their reasons. The offer and the vetting of a call use this one list. */
import { argumentsInjection, argumentsSchema, argumentsUnambiguous } from "./argument-rules.ts";
import { intentFamilies, intentTools, state } from "./intent-rules.ts";
import { authentication, connection, mode, role } from "./principal-rules.ts";
import type { Rule } from "./subject.ts";
import { definition, knownAndOffered, listed, validSchema } from "./tool-rules.ts";

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
