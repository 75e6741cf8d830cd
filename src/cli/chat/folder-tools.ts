/** Tools on the files of one folder, for `--folder`. The gateway decides before whether a call of them may run. */
import { lstat, mkdir, readdir, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import type { ToolCall } from "../../api-views/chat-views.ts";
import { isObject } from "../../lib/json/json-value.ts";
import { parseStrictJson } from "../../lib/json/strict-json.ts";
import type { LocalResult, LocalTools } from "./conversation.ts";

/** Characters of a file that the model gets. */
const MAX_TEXT = 200_000;
const MAX_FILES = 500;

const path = { type: "string", description: "relative to the folder, with forward slashes" };
const tool = (name: string, description: string, properties: object, required: readonly string[]) => ({
  type: "function",
  function: { name, description, parameters: { type: "object", properties, required, additionalProperties: false } },
});

const definitions = [
  tool("list_files", "List the files and folders below a folder", { path }, []),
  tool("read_file", "Read a text file", { path }, ["path"]),
  tool("write_file", "Write a text file, replacing what it held", { path, content: { type: "string" } }, [
    "path",
    "content",
  ]),
  tool("delete_file", "Delete a file", { path }, ["path"]),
];

type Arguments = Readonly<Record<string, unknown>>;

export async function folderTools(folder: string): Promise<LocalTools> {
  const root = await realpath(folder);
  return { definitions, run: (call) => runCall(root, call) };
}

async function runCall(root: string, { function: { name, arguments: text } }: ToolCall): Promise<LocalResult> {
  const startedAt = performance.now();
  const end = (status: string, text: string): LocalResult => ({
    tool: name,
    status,
    ms: Math.round(performance.now() - startedAt),
    trusted: true,
    suspicious: false,
    text,
  });
  const args = parseStrictJson(text);
  if (!args.ok || !isObject(args.value)) return end("failed", JSON.stringify({ error: "the arguments are no object" }));
  try {
    return end("succeeded", await act(root, name, args.value));
  } catch (error) {
    return end("failed", JSON.stringify({ error: (error as Error).message.replaceAll(root, ".") }));
  }
}

async function act(root: string, name: string, args: Arguments): Promise<string> {
  const at = await within(root, typeof args.path === "string" ? args.path : ".");
  switch (name) {
    case "list_files":
      return listFiles(root, at);
    case "read_file":
      return (await readFile(at, "utf8")).slice(0, MAX_TEXT);
    case "write_file": {
      const content = String(args.content);
      await mkdir(dirname(at), { recursive: true });
      await writeFile(at, content);
      return `wrote ${Buffer.byteLength(content)} bytes to ${relative(root, at)}`;
    }
    case "delete_file":
      await rm(at);
      return `deleted ${relative(root, at)}`;
    default:
      throw new Error(`there is no tool \`${name}\``);
  }
}

async function listFiles(root: string, at: string): Promise<string> {
  const entries = await readdir(at, { withFileTypes: true });
  const names = entries
    .map((entry) => `${relative(root, join(at, entry.name))}${entry.isDirectory() ? "/" : ""}`)
    .sort();
  const left = names.length - MAX_FILES;
  return [...names.slice(0, MAX_FILES), ...(left > 0 ? [`… ${left} more`] : [])].join("\n") || "the folder is empty";
}

/** The path inside the folder. Attack: `..`, an absolute path, and a link that leads out. */
async function within(root: string, named: string): Promise<string> {
  const at = resolve(root, named);
  const outside = new Error(`\`${named}\` is outside the folder`);
  if (at !== root && !at.startsWith(root + sep)) throw outside;
  for (let part = at; part !== root; part = dirname(part)) {
    const found = await lstat(part).catch(() => undefined);
    if (found?.isSymbolicLink()) throw outside;
  }
  return at;
}
