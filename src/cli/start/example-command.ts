/** The request that the greeting shows: one safe tool that the message needs, and what the gateway withholds beside it. Pure. */
import type { CompiledPolicy } from "../../policy/compile.ts";

export interface ExampleOptions {
  readonly address: string;
  readonly model: string;
  /** The one in force; undefined where it is another than the file's. */
  readonly policy: CompiledPolicy | undefined;
  /** Whether the demo model answers: it knows how to fill a path. */
  readonly demo: boolean;
}

/** To be pasted into a shell. */
export function exampleCommand({ address, model, policy, demo }: ExampleOptions): string {
  const { content, tools, header = "" } = exampleRequest(policy, demo);
  const body = { model, messages: [{ role: "user", content }], ...(tools ? { tools } : {}) };
  return [
    `curl -s ${address}/chat/completions \\`,
    `  -H 'authorization: Bearer tg-dev-user' -H 'content-type: application/json'${header} \\`,
    // An apostrophe would end the shell's text.
    `  -d '${JSON.stringify(body).replaceAll("'", "\\u0027")}'`,
  ].join("\n");
}

interface ExampleRequest {
  readonly content: string;
  readonly tools?: readonly unknown[];
  readonly header?: string;
}

type ListedTool = readonly [
  name: string,
  settings: CompiledPolicy["tools"] extends ReadonlyMap<string, infer T> ? T : never,
];

const FILES = {
  content: "Read notes.txt and tell me what it says",
  tools: [
    definition("read_file", "Read a file", fields("path")),
    definition("write_file", "Write a file", fields("path", "content")),
    definition("send_mail", "Send a mail", fields("to", "text")),
  ],
} as const;

function exampleRequest(policy: CompiledPolicy | undefined, demo: boolean): ExampleRequest {
  const listed: readonly ListedTool[] = [...(policy?.tools ?? [])].filter(([name]) => /^[\w-]+$/.test(name));
  const managed = listed.find(([, { run, connection, category, roles }]) => {
    return run && category === "read_only" && connection === undefined && roles === undefined;
  });
  // One that the gateway runs for everybody, without asking: the client brings nothing.
  if (managed) return { content: `Use ${managed[0]} to find "hello"`, header: " -H 'x-toolgate-runs: tell'" };
  const brought = listed.filter(
    ([, { run, roles, connection }]) => !run && roles === undefined && connection === undefined,
  );
  const safe = brought.find(([, { category }]) => category === "read_only");
  if (demo || !safe) return FILES;
  const others = brought.filter(([, { category }]) => !/^(read_only|note_taking)$/.test(category ?? "")).slice(0, 2);
  const content =
    safe[0] === "read_file" ? FILES.content : `Try ${safe[0]} with arguments of your choice, and tell me what you see`;
  return { content, tools: [safe, ...others].map(offered) };
}

/** Where the policy says nothing of a tool's arguments, its name tells the usual ones. */
function offered([name, { description, parameters }]: ListedTool): unknown {
  const guessed = /file/.test(name)
    ? fields("path", ...(/write|edit/.test(name) ? ["content"] : []))
    : { type: "object" };
  return definition(name, description ?? name.replaceAll(/[_-]+/g, " "), parameters ?? guessed);
}

function definition(name: string, description: string, parameters: unknown) {
  return { type: "function", function: { name, description, parameters } };
}

function fields(...names: string[]) {
  return {
    type: "object",
    properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
    required: names,
  };
}
