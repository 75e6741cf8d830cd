/** The rule that asks where the arguments of a call come from. Pure. */
import { confirm, noObjection } from "../decision.ts";
import { callValues, rolesOf } from "../origin/argument-roles.ts";
import { authorityOf } from "../origin/authority.ts";
import { judgeOrigins } from "../origin/judge-origins.ts";
import { toolEffects } from "../origin/tool-verbs.ts";
import { isHandoff, isOutput, type Rule } from "./rule.ts";

/**
 * Once untrusted text is in the conversation, a call goes only where the user or a trusted source said; else a person is asked.
 * The text of a mail may lead the model to the right tool with another recipient, and no rule about tools would see it.
 *
 * Which intents may be held after untrusted text is the handshake's affair (`handshake.mustMatchDetected`), so here the intent
 * counts as the user's. Not for output that the application reads, and not for undoing: the user asked for that, and its arguments
 * are the gateway's own record.
 */
export const argumentOrigins: Rule = {
  name: "argument-origins",
  judge(subject) {
    const { facts, traits, definition, call, work } = subject;
    if (call === undefined || facts.sources === undefined || facts.undoes === true) return noObjection;
    if (isOutput(subject) || isHandoff(subject)) return noObjection;
    const description = traits.description ?? definition?.description;
    const authority = authorityOf({ ...traits, effects: toolEffects(traits.name, description) });
    const parameters = traits.parameters ?? definition?.parameters;
    const roles = rolesOf({ name: traits.name, description, parameters }, traits.arguments, work);
    const values = callValues(roles, call.arguments, work);
    const { reasons } = judgeOrigins({
      tool: traits.name,
      intentHeldByUser: true,
      authority,
      isDestructive: traits.class === "destructive",
      values,
      sources: facts.sources,
    });
    const reason = reasons.find((one) => one.code === "argument_untrusted");
    return reason ? confirm(reason) : noObjection;
  },
};
