/**
 * The arguments mean one thing to every reader. We judge what ours reads, and the client's tool runs what its own reads:
 * beside `path`, which was judged, a reader that ignores case would take `Path`.
 */
import { findAmbiguity } from "../../lib/json/find-ambiguity.ts";
import { deny, noObjection } from "../decision.ts";
import type { Rule } from "./subject.ts";

export const argumentsUnambiguous: Rule = {
  name: "arguments-unambiguous",
  judge({ traits, call, work }) {
    const issue = call && findAmbiguity(call.arguments, work);
    return issue ? deny({ code: "arguments_invalid", tool: traits.name, issues: [issue] }) : noObjection;
  },
};
