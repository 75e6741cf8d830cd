/** The policy's JSON Schema with a description for each key: the zod schema's own, else that of `policyTexts`. */
import * as z from "zod";
import { policyDocument } from "../../policy/document/document-schema.ts";

export interface SchemaNode {
  readonly type?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly oneOf?: readonly SchemaNode[];
}

/** Throws where a key has no description, or a text has no key: the page would be wrong. */
export function describedPolicySchema(): SchemaNode {
  /** Of what a person writes, not of what it is read into: defaults are optional and durations are text. */
  const schema: SchemaNode = z.toJSONSchema(policyDocument(), { io: "input", target: "draft-2020-12" }) as SchemaNode;
  const used = new Set<string>();
  const missing: string[] = [];
  const described = describe(schema, "", (path) => {
    used.add(path);
    if (policyTexts[path] === undefined) missing.push(path);
    return policyTexts[path];
  });
  const unused = Object.keys(policyTexts).filter((path) => !used.has(path));
  if (missing.length > 0 || unused.length > 0)
    throw new Error(
      `src/cli/docs/described-schema.ts: ${[
        ...missing.map((path) => `say what \`${path}\` is for, here or by \`.describe()\``),
        ...unused.map((path) => `remove \`${path}\`, which the schema describes itself or does not have`),
      ].join("; ")}`,
    );
  return described;
}

function describe(node: SchemaNode, path: string, textOf: (path: string) => string | undefined): SchemaNode {
  const under = (name: string) => (path === "" ? name : `${path}.${name}`);
  const inner = (one: SchemaNode) => describe(one, path, textOf);
  const { properties, additionalProperties: others, items, anyOf, oneOf } = node;
  return {
    ...node,
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, child]) => {
          const description = child.description ?? textOf(under(name));
          return [
            name,
            { ...(description === undefined ? {} : { description }), ...describe(child, under(name), textOf) },
          ];
        }),
      ),
    }),
    ...(typeof others === "object" && { additionalProperties: describe(others, under("*"), textOf) }),
    ...(items && { items: inner(items) }),
    ...(anyOf && { anyOf: anyOf.map(inner) }),
    ...(oneOf && { oneOf: oneOf.map(inner) }),
  };
}

/**
 * What the policy's keys are for, where the zod schema has no description of its own. They stand in the JSON Schema, which editors
 * show, and in the reference page; the Worker does not carry them. `*` stands for a name that the author chooses.
 */
const policyTexts: Readonly<Record<string, string>> = {
  $schema: "where editors find the JSON Schema",
  name: "shown in the console, in records and by `/toolgate status`",
  modes: "named baselines of permitted tools; `default` holds where none is chosen",
  "modes.*.description": "for people",
  "modes.*.allow": "selectors of the tools that the mode permits",
  "modes.*.deny": "selectors of the tools that it does not permit; they win over `allow`",
  "modes.*.roles": "the roles that may choose the mode; absent: all",
  "tools.*.category": "how careful to be with it; absent: that of `unlistedTools`",
  "tools.*.class": "`safe`: offered before an intent is held; absent: `read_only` is safe, all else destructive",
  "tools.*.families":
    "the families it belongs to, in place of the built-in one; `families` of the document adds others",
  "tools.*.description": "what the model reads about it; absent: the client's own",
  "tools.*.roles": "the roles that may use it; absent: all",
  "tools.*.requiresAuth": "whether anonymous users are refused it",
  "tools.*.connection": "the provider that the user must have linked",
  "tools.*.confirm":
    "`auto`: runs unasked; `ungrounded`: a person is asked only where the user's words do not hold where the call goes: what others wrote in the conversation, or what the model made up; `ask`: a person is always asked; absent: by category",
  "tools.*.arguments.*.role":
    "what the argument is for; absent: guessed from its name and schema. Values of a `destination`, of an `object` where the call deletes, commits, pays or gives access, and of an `amount` that is set here must come from the user or a trusted source",
  "tools.*.directory": "whether its results list whom calls may go to; by the tool's own name alone",
  "tools.*.preview.before": "JSON pointer to the argument with the text before",
  "tools.*.preview.after": "JSON pointer to the argument with the text after",
  "tools.*.rateLimits": "uses per user; all limits of the list apply",
  "tools.*.rateLimits.window": "a duration",
  "tools.*.reversible": "whether it can be undone; the question says so",
  "tools.*.undo.tool": "the name of the undoing tool",
  "tools.*.sensitive": "whether an external tool asks at each use, not only at the first",
  "tools.*.trusted":
    "whether its results count as trusted, or JSON pointers to the fields that do (`/id`, `/*/id`, `/*_id`); by the tool's own name alone",
  "tools.*.injection": "how its arguments are searched for injection; false: not at all",
  "tools.*.injection.sets": "the sets of patterns; absent: those of the policy",
  "tools.*.injection.action": "what a match does; absent: as the policy says",
  "tools.*.run": "how the gateway runs it; absent: the client does",
  "tools.*.run.kind": "who runs it",
  "tools.*.run.method": "the HTTP method",
  "tools.*.run.timeout": "how long it may take",
  "tools.*.run.maxResponseBytes": "what is longer is an error",
  "mcpServers.*.url": "the server's endpoint of Streamable HTTP",
  "mcpServers.*.timeout": "how long a call may take",
  "mcpServers.*.maxResponseBytes": "what is longer is an error",
  "rateLimits.*.window": "a duration",
  injection: "how all tools' arguments are searched for injection",
  "injection.sets":
    "the sets of patterns: `shell`, `sql`, `path_traversal`, `prompt_injection`, `markup`, or of `custom`",
  "injection.action": "what a match does: a person is asked, or the call is refused",
  intents: "what users want, by name; without any there is one, `general`, that narrows nothing",
  "intents.*.description": "what the model reads about it when it chooses",
  "intents.*.keywords": "words and phrases that name it",
  "intents.*.patterns": "RE2 patterns that name it",
  "intents.*.examples": "messages that mean it, for the layer `semantic`; five or more",
  "intents.*.primaryTool": "the tool that does it; `system_first` runs this one",
  "intents.*.families": "tool families that its task is held to",
  "intents.*.families.enabled": "whether it is in force",
  "intents.*.families.allowedFamilies": "free",
  "intents.*.families.softBlockAfter": "how many detours a task has",
  "intents.*.entities": "the entities that are looked for under this intent",
  entities: "values in the user's words, by name",
  "entities.*.pattern.match": "an RE2 pattern",
  detection: "how the user's words are read for intents",
  "detection.semanticThreshold": "below this confidence the layer `semantic` says nothing",
  "detection.semantic": "the layer `semantic`",
  "detection.semantic.source": "word vectors that ship, or the embedding model of the settings",
  handshake: "how an intent comes to be held",
  "handshake.select":
    "`detected`: by detection, else by the model; `model`: by the model alone; `off`: no intent is needed",
  "handshake.selectAt":
    "the confidence from which a detected intent is held; absent: what the layer `semantic` finds for it in training, else 0.9",
  "handshake.tool": "the name of the handshake tool",
  "handshake.forced": "whether a `tool_choice` that names a tool passes without an intent",
  "handshake.mustMatchDetected":
    "an intent that the model selects and the user's words do not hold: `afterUntrusted`: is held, and once others have written text in the conversation its calls with effects are asked about or refused; before, they are asked about where the message asks for nothing to be done (a plan whose wish holds pasted text does not get it); `always`: is refused; `never`: is like any other. Without words to detect by, none of this is in force",
  intentGuard: "tool families and guarded intents that come built in; absent: off",
  "intentGuard.enabled": "whether it is in force",
  "intentGuard.detector": "`model`: the layer `model` is asked last",
  "intentGuard.intents": "by name; what is not given comes from the built-in intent",
  "intentGuard.intents.*.allowedFamilies": "free",
  "intentGuard.intents.*.softBlockAfter": "how many detours a task has",
  "intentGuard.browser.allowedFamilies": "free",
  "intentGuard.browser.softBlockAfter": "how many detours a task has",
  words: "what the model may write",
  results: "what the model gets of tools that are not `trusted`",
  confirmation: "how people are asked",
  "confirmation.autoConfirmReadOnly": "whether `read_only` tools run unasked",
  "confirmation.autoConfirmNoteTaking": "whether `note_taking` tools run unasked",
  "confirmation.channel": "how a person is asked where the request does not say",
  "confirmation.timeoutSeconds": "how long a held reply waits",
  "confirmation.inlineExpiresAfter": "how long a question in the chat waits",
  "confirmation.typedCode": "when a *yes* in the chat needs the question's code",
  "confirmation.grants": "permissions for later calls (`always`)",
  "confirmation.grants.enabled": "whether people may make them, and endorse messages",
  gates: "first-time consent for external tools",
  "gates.requireFirstTime": "whether the first use of an external tool needs consent",
  "gates.persistApprovals": "whether consent outlives the session",
  execution: "how a turn runs",
  "execution.maxSteps": "calls of the model in one turn",
  "execution.maxCorrections": "refused steps in one turn before it stops",
  plans: "plans",
  "plans.enabled": "whether plans may be made",
  "plans.maxSteps": "steps of a plan",
  audit: "what is recorded, and for how long",
  "audit.logToolCalls": "whether records hold arguments; decisions are always recorded",
  "audit.logMessages":
    "whether records hold the first 1,000 characters of each message of the user, with what was heard in it marked; none where any tool redacts arguments, or `logToolCalls` is off",
  "audit.logMissedMessages":
    "whether records hold a message that no intent took and for which the model named one: its first 200 characters, for suggestions of examples; none where any tool redacts arguments, or `logToolCalls` is off",
  "audit.logConfirmations": "whether records hold what people were shown and what they wrote",
  "audit.retentionDays": "how long records are kept",
  "invariants.never": "what does not happen, to a tool that meets all that is named here",
  "invariants.never.category": "tools of this category",
  "invariants.never.class": "tools of this class",
  "invariants.never.family": "tools of this family",
  "invariants.when":
    "the situations that it is about; absent: all. A tool that the application demands by `tool_choice` is not the model's choice, and outside",
  "invariants.when.mode": "absent: every mode",
  "invariants.when.state": "absent: every state",
};
