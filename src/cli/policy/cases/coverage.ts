/** The parts of a policy that no case touches: rules (by their reason codes), tools, intents, modes and roles. Pure. */
import type { CompiledPolicy } from "../../../policy/compile.ts";
import { mustMatch, trustMatters } from "../../../policy/handshake.ts";
import { mcpToolName } from "../../../policy/mcp-tools.ts";
import type { ReasonCode } from "../../../policy/reasons.ts";
import type { SelectorSet } from "../../../policy/selectors.ts";
import { traitsOf } from "../../../policy/traits.ts";
import { reasonNotes } from "../../docs/error-notes.ts";
import type { CaseFile, PolicyCase } from "./case-schema.ts";
import type { ObservedTurn } from "./play-case.ts";

export interface Coverage {
  /** Codes of reasons that this policy can give and no case saw. */
  readonly rules: readonly string[];
  /** Listed by name, and neither decided on nor withheld in any case. */
  readonly tools: readonly string[];
  /** Held by no turn. */
  readonly intents: readonly string[];
  readonly modes: readonly string[];
  readonly roles: readonly string[];
}

/** Reasons of no rule: a broken schema or stream, a race, a forged or replayed answer, a rule that threw. */
const FAILURES: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  "schema_invalid",
  "approval_mismatch",
  "already_undone",
  "stream_disorderly",
  "rule_failed",
]);

export interface CaseTurns {
  readonly policyCase: PolicyCase;
  readonly turns: readonly ObservedTurn[];
}

/** @param mcp what the servers of the policy offer in the cases. */
export function uncovered(policy: CompiledPolicy, played: readonly CaseTurns[], mcp: CaseFile["mcp"]): Coverage {
  const seen = { rules: new Set(), tools: new Set(), intents: new Set(), modes: new Set(), roles: new Set() };
  for (const { policyCase, turns } of played) {
    seen.roles.add(policyCase.principal.role);
    for (const { steps, audit } of turns) {
      for (const [tool, codes] of steps.flatMap(({ withheld }) => Object.entries(withheld))) {
        seen.tools.add(tool);
        for (const code of codes) seen.rules.add(code);
      }
      for (const { tool, reasons } of audit?.decisions ?? []) {
        seen.tools.add(tool);
        for (const { code } of reasons as { code: unknown }[]) seen.rules.add(code);
      }
      // An approval that ended without an answer was not decided again.
      for (const { event } of audit?.approvals ?? []) seen.rules.add(`approval_${event}`);
      seen.modes.add(audit?.turn.mode);
      for (const intent of [audit?.turn.intents ?? []].flat()) seen.intents.add(intent);
    }
  }
  const without = (names: Iterable<string>, touched: ReadonlySet<unknown>) =>
    [...names].filter((name) => !touched.has(name));
  return {
    rules: without(
      (Object.keys(reasonNotes) as ReasonCode[]).filter((code) => !FAILURES.has(code) && canGive(policy, code)),
      seen.rules,
    ),
    tools: without(new Set([...policy.tools.keys(), ...mcpNames(policy, mcp)]), seen.tools),
    intents: policy.handshake.select === "off" ? [] : without(policy.intents.keys(), seen.intents),
    modes: without(policy.modes.keys(), seen.modes),
    roles: without(policy.roles, seen.roles),
  };
}

/** The servers' tools that go by their own name. */
export const mcpNames = ({ tools }: Pick<CompiledPolicy, "tools">, mcp: CaseFile["mcp"]): readonly string[] =>
  Object.entries(mcp).flatMap(([server, offers]) =>
    offers.tools
      .map(({ name }) => name)
      .filter(
        (tool) =>
          ![...tools].some(
            ([name, { run }]) => run?.kind === "mcp" && run.server === server && (run.tool ?? name) === tool,
          ),
      )
      .map((tool) => mcpToolName(server, tool)),
  );

/** Whether something in the policy makes the rule speak at all; for most codes a call is enough. */
function canGive(policy: CompiledPolicy, code: ReasonCode): boolean {
  const settings = [...policy.tools.values(), ...policy.groups.map((group) => group.settings)];
  const intents = policy.handshake.select === "off" ? [] : [...policy.intents.values()];
  const anyTool: AnyTool = (holds) => [...policy.tools.keys()].some((name) => holds(traitsOf(policy, name)));
  switch (code) {
    case "unlisted_tool":
      return policy.deniesUnlisted;
    case "mode_forbids":
      return [...policy.modes.values()].some(({ allow, deny, roles }) => roles || !isEmpty(deny) || !isAll(allow));
    case "state_forbids":
    case "intent_unknown":
      return policy.handshake.select !== "off";
    case "intent_not_detected":
      return mustMatch(policy) && !trustMatters(policy) && intents.length > 1;
    case "intent_undetected":
      return trustMatters(policy) && intents.length > 1;
    case "intent_forbids":
      return intents.some(({ tools }) => tools !== undefined);
    case "family_blocked":
      return intents.some(({ families }) => families !== undefined);
    case "soft_limit_reached":
      return intents.some(({ families }) => (families?.softAllowedFamilies.length ?? 0) > 0);
    case "role_forbids":
      return settings.some(({ roles }) => roles !== undefined);
    case "auth_required":
      return settings.some(({ requiresAuth }) => requiresAuth === true);
    case "connection_missing":
      return settings.some(({ connection }) => connection !== undefined);
    case "instructions_found":
      return policy.results.instructions === "ask";
    case "arguments_suspicious":
      return policy.injection.sets.length > 0 || settings.some(({ injection }) => !!injection && !!injection.sets);
    case "condition_denies":
      return settings.some(({ conditions = [] }) => conditions.some(({ effect }) => effect === "deny"));
    case "condition_asks":
      return settings.some(({ conditions = [] }) => conditions.some(({ effect }) => effect === "ask"));
    case "after_unmet":
      return settings.some(({ after }) => (after?.length ?? 0) > 0);
    case "never_after":
      return settings.some(({ neverAfter }) => (neverAfter?.length ?? 0) > 0);
    case "at_most_reached":
      return settings.some(({ atMost }) => atMost !== undefined);
    case "rate_limited":
      return policy.groups.some(({ windows }) => windows.length > 0) || anyTool(({ windows }) => windows.length > 0);
    case "first_use":
      return policy.gates.requireFirstTime && (policy.unlistedTools === "external" || anyTool(({ gate }) => !!gate));
    case "confirmation_required":
    case "approval_denied":
    case "approval_expired":
    case "approval_cancelled":
      return asksAnybody(policy, anyTool);
    default:
      return true;
  }
}

type AnyTool = (holds: (traits: ReturnType<typeof traitsOf>) => boolean) => boolean;

const asksAnybody = (policy: CompiledPolicy, anyTool: AnyTool): boolean =>
  anyTool(({ needsConfirmation, gate }) => needsConfirmation || gate) ||
  (!policy.deniesUnlisted && traitsOf(policy, UNLISTED).needsConfirmation);

/** A name that no policy lists, and no glob is about. */
const UNLISTED = "\u0000";

const isAll = ({ patterns }: SelectorSet): boolean => patterns.some(({ kind }) => kind === "all");
const isEmpty = ({ names, patterns }: SelectorSet): boolean => names.size === 0 && patterns.length === 0;
