/** Coding agents as people install them, each run against a gateway in a home and a workspace of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { accessSync, constants, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { root } from "../../../src/cli/settings.ts";

export interface AgentCli {
  readonly name: string;
  readonly program: string;
  /** What the agent calls its tools, and what it sends to them. */
  readonly run: (command: string) => AgentCall;
  /** Absent: it does all with commands. */
  readonly files?: {
    readonly list: (folder: string) => AgentCall;
    readonly read: (path: string) => AgentCall;
    readonly write: (path: string, content: string) => AgentCall;
  };
  /** A tool that only the agent itself has, where its sub-agents read files too. */
  readonly ownTool?: string;
  /** Writes its settings. @returns variables of its environment. */
  readonly configure: (
    place: Place,
    gateway: { readonly baseURL: string; readonly key: string },
  ) => Record<string, string>;
  /** @param goesOn it continues the conversation before. */
  readonly prompt: (words: string, goesOn: boolean) => readonly string[];
}

export interface AgentCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface Place {
  readonly home: string;
  readonly workspace: string;
}

/** The folder that `npm i --prefix` filled, or nothing: then they are looked for on the PATH. */
const installed = process.env.TOOLGATE_CLIS;
const folders = [
  ...(installed === undefined ? [] : [join(installed, "node_modules/.bin")]),
  ...(process.env.PATH ?? "").split(delimiter),
];

/** @returns where the program is; undefined where nobody installed it. */
export function findProgram(program: string): string | undefined {
  return folders.map((folder) => join(folder, program)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const writeJson = (folder: string, name: string, value: unknown): void => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), JSON.stringify(value));
};

export const agentClis: readonly AgentCli[] = [
  {
    name: "opencode",
    program: "opencode",
    run: (command) => ({ name: "bash", arguments: { command } }),
    files: {
      list: (path) => ({ name: "glob", arguments: { pattern: "*", path } }),
      read: (path) => ({ name: "read", arguments: { filePath: path } }),
      write: (path, content) => ({ name: "write", arguments: { filePath: path, content } }),
    },
    configure({ home, workspace }, { baseURL, key }) {
      const models = { demo: { name: "demo", tool_call: true } };
      const options = { baseURL, apiKey: key };
      const gate = { npm: "@ai-sdk/openai-compatible", name: "gate", options, models };
      const settings = { model: "gate/demo", autoupdate: false, share: "disabled", provider: { gate } };
      writeJson(workspace, "opencode.json", settings);
      return Object.fromEntries(
        ["DATA", "CONFIG", "CACHE", "STATE"].map((kind) => [`XDG_${kind}_HOME`, join(home, kind.toLowerCase())]),
      );
    },
    prompt: (words, goesOn) => ["run", ...(goesOn ? ["--continue"] : []), words],
  },
  {
    name: "pi",
    program: "pi",
    run: (command) => ({ name: "bash", arguments: { command } }),
    files: {
      list: (path) => ({ name: "ls", arguments: { path } }),
      read: (path) => ({ name: "read", arguments: { path } }),
      write: (path, content) => ({ name: "write", arguments: { path, content } }),
    },
    configure({ home }, { baseURL, key }) {
      const models = [{ id: "demo", name: "demo", contextWindow: 100_000, maxTokens: 4_000 }];
      const gate = { baseUrl: baseURL, api: "openai-completions", apiKey: key, models };
      writeJson(home, "models.json", { providers: { gate } });
      return { PI_CODING_AGENT_DIR: home, PI_OFFLINE: "1", PI_TELEMETRY: "0" };
    },
    prompt: (words, goesOn) => [
      ...(goesOn ? ["--continue"] : []),
      ...["--provider", "gate", "--model", "demo", "--tools", "read,bash,edit,write,ls", "-p", words],
    ],
  },
  {
    name: "qwen-code",
    program: "qwen",
    ownTool: "agent",
    run: (command) => ({ name: "run_shell_command", arguments: { command, is_background: false } }),
    files: {
      list: (path) => ({ name: "glob", arguments: { pattern: "*", path } }),
      read: (path) => ({ name: "read_file", arguments: { file_path: path } }),
      write: (path, content) => ({ name: "write_file", arguments: { file_path: path, content } }),
    },
    configure({ home }, { baseURL, key }) {
      writeJson(join(home, ".qwen"), "settings.json", {
        // Else most of its tools hide behind one.
        tools: { toolSearch: { enabled: false } },
        // Its second agent, which writes down what it remembers, goes on from the same messages: it must cancel nothing.
        memory: { enableManagedAutoMemory: true },
        general: { disableAutoUpdate: true },
        privacy: { usageStatisticsEnabled: false },
      });
      return { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: key, OPENAI_MODEL: "demo" };
    },
    // Nobody sits there whom qwen could ask, and what it may do the gateway says.
    prompt: (words, goesOn) => [
      ...(goesOn ? ["--continue"] : []),
      ...["--auth-type", "openai", "--model", "demo", "--yolo", "-p", words],
    ],
  },
  {
    name: "codex",
    program: "codex",
    run: (cmd) => ({ name: "exec_command", arguments: { cmd } }),
    configure({ home }, { baseURL, key }) {
      mkdirSync(home, { recursive: true });
      // What it may do the gateway says; its search would be run by the provider.
      const settings = [
        'model = "demo"',
        'model_provider = "gate"',
        'approval_policy = "never"',
        'sandbox_mode = "danger-full-access"',
        'web_search = "disabled"',
        "[model_providers.gate]",
        'name = "gate"',
        `base_url = "${baseURL}"`,
        'env_key = "GATE_KEY"',
        'wire_api = "responses"',
      ];
      writeFileSync(join(home, "config.toml"), settings.join("\n"));
      return { CODEX_HOME: home, GATE_KEY: key };
    },
    prompt: (words, goesOn) => ["exec", ...(goesOn ? ["resume", "--last"] : []), "--skip-git-repo-check", words],
  },
];

/** A run that takes longer hangs. */
const MAX_RUN_MS = 120_000;

/** @returns what it printed. It ends with the gateway's question like with any other answer. */
export async function runAgent(
  program: string,
  args: readonly string[],
  { home, workspace }: Place,
  variables: Readonly<Record<string, string>>,
): Promise<string> {
  // The agents need the Node that runs the tests, not the machine's.
  const PATH = [dirname(process.execPath), join(root, "node_modules/.bin"), ...folders].join(delimiter);
  const child = spawn(program, args, {
    cwd: workspace,
    env: { PATH, HOME: home, TERM: "dumb", NO_COLOR: "1", ...variables },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: MAX_RUN_MS,
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${program} ${args.join(" ")} ended with ${code}:\n${output}`);
  return output;
}
