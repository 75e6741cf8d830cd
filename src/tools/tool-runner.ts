/** The port that runs managed calls: one adapter for each kind of `run`. */
import type { JsonObject } from "../lib/json/json-value.ts";
import type { CompiledPolicy, DiscoveredTool } from "../policy/compile.ts";
import type { BuiltinRun, builtinNames } from "../policy/document/run-parts.ts";
import type { ToolDefinition } from "../policy/facts.ts";
import type { Principal } from "../session/principal.ts";
import type { ExecutionResult, RunEntry, RunOutcome } from "./run.ts";

/** The managed tools of a policy, as a turn begins. */
export interface ManagedTools {
  /** The policy, with the MCP tools that were found (`discovered`); the same object if there are none. */
  readonly policy: CompiledPolicy;
  /** In the policy's order, then the servers'. Arguments that the system fills in are not in their parameters. */
  readonly definitions: readonly ToolDefinition[];
  readonly names: ReadonlySet<string>;
  /** Names of MCP tools whose definition is not the accepted one. */
  readonly changed: ReadonlySet<string>;
}

/** A call that was allowed and entered in the ledger. */
export interface ManagedCall {
  /** The decision's: the same with every attempt, so that a tool can recognise a repetition. */
  readonly id: string;
  readonly tool: string;
  /** As vetted, without what the system fills in. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly principal: Principal;
  readonly session: string;
  readonly policy: CompiledPolicy;
  readonly deadline: number;
  /** UTF-16 units of the raw result that are stored beside the model's text; absent: as many as an undo may need. */
  readonly keeps?: number;
  /** Receives what an MCP server sends while it runs. */
  readonly relay?: McpRelay | undefined;
  /** Fires when the client goes away. */
  readonly signal: AbortSignal;
}

/** Messages of an MCP server that the text of a result cannot hold. Secrets are masked in it; it is as untrusted as the result. */
export interface McpRelay {
  /** The result, whole. */
  result(result: JsonObject): void;
  progress(params: JsonObject): void;
  /** A line of its log. */
  message(params: JsonObject): void;
  /** Absent: the client gets no question. */
  readonly questions?: McpQuestions | undefined;
}

/** Questions that a server may ask while its tool runs, if the policy relays them. */
export interface McpQuestions {
  /** Kinds of questions that the client takes. */
  readonly kinds: ReadonlySet<QuestionKind>;
  /** @returns the client's own result. Rejects if it has none, or disconnects. */
  ask(question: ServerQuestion): Promise<JsonObject>;
}

export type QuestionKind = "elicitation" | "sampling";

export interface ServerQuestion {
  readonly kind: QuestionKind;
  /** A name in `mcpServers`. */
  readonly server: string;
  /** As the protocol has them. */
  readonly params: JsonObject;
}

export interface ToolRunner {
  /**
   * Asked once a turn. An MCP server that does not answer leaves the tools that were accepted before. Never rejects.
   */
  managed(policy: CompiledPolicy, principal: Principal): Promise<ManagedTools>;
  /** The ledger's entry, made before the run. */
  entry(policy: CompiledPolicy, tool: string, now: number): RunEntry;
  /**
   * What the system fills in, for the record and the digest of the call: by argument name. A secret is
   * replaced by its kind (`[connection token]`).
   */
  systemArguments(policy: CompiledPolicy, tool: string, facts: SystemFacts): Readonly<Record<string, unknown>>;
  /** Runs it, within its deadline. Never rejects. */
  run(call: ManagedCall): Promise<RunOutcome>;
}

export interface SystemFacts {
  readonly principal: Principal;
  readonly session: string;
}

export interface PreparedCall extends ManagedCall {
  /** As vetted, with the system's values over them: for the executor, never for a record, a log or an error. */
  readonly arguments: Readonly<Record<string, unknown>>;
  /** Arguments that the system filled in, by name. */
  readonly system: Readonly<Record<string, unknown>>;
  /** Milliseconds since the epoch; before the ledger's own, so that the outcome still arrives. */
  readonly deadline: number;
  /** Providers that the tool needs: `{{connection.token}}` is of the one there is. */
  readonly connections: readonly string[];
}

export type BuiltinName = (typeof builtinNames)[number];

export interface BuiltinDefinition {
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

export interface BuiltinPort {
  definition(tool: BuiltinName): BuiltinDefinition;
  /** Within `call.deadline`. An exception becomes `unavailable`, without its message. */
  run(call: PreparedCall, tool: BuiltinName, settings: BuiltinRun): Promise<ExecutionResult>;
}

/** A server's tool in its accepted definition. */
export interface McpTool {
  /** Its name unless a tool of the policy runs it: `mcp__<server>__<tool>`. */
  readonly name: string;
  /** A name in `mcpServers`, and the server's own name of the tool. */
  readonly server: string;
  readonly tool: string;
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly traits: DiscoveredTool;
  /** The server offers another definition than the accepted one, or none was accepted yet. */
  readonly changed: boolean;
}

export interface McpCatalogue {
  /** In the order of the policy's servers, then the server's. */
  readonly tools: readonly McpTool[];
}

/** The server and tool that a call goes to. */
export interface McpTarget {
  readonly server: string;
  readonly tool: string;
  /** Absent: `tools/call`. */
  readonly method?: "resources/read" | "prompts/get";
}

export interface McpPort {
  /**
   * The tools of all servers of the policy. The same object as long as nothing changed: values
   * that are derived from it are cached by it. Never rejects.
   */
  catalogue(policy: CompiledPolicy, principal: Principal): Promise<McpCatalogue>;
  /** Within `call.deadline`. An exception becomes `unavailable`, without its message. */
  run(call: PreparedCall, target: McpTarget): Promise<ExecutionResult>;
}
