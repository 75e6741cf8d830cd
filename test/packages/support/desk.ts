/** A program of the AI SDK with a few tools and a governed model. */
import { isStepCount, tool } from "ai";
import { z } from "zod";
import {
  createToolgate,
  memoryStores,
  type Toolgate,
  type ToolgateOptions,
} from "../../../src/packages/ai-sdk/index.ts";
import { type ScriptedModel, scriptedModel } from "./scripted-model.ts";

export const deskPolicy = {
  name: "desk",
  tools: {
    read_file: { category: "read_only", trusted: true },
    fetch_page: { category: "read_only" },
    delete_file: { category: "modification", reversible: false },
    write_file: { category: "modification", confirm: "auto" },
  },
  intents: {
    EDIT: {
      description: "change files",
      keywords: ["edit", "delete"],
      tools: ["read_file", "fetch_page", "write_file", "delete_file"],
    },
  },
  handshake: { select: "model" },
  detection: { layers: ["keywords"] },
};

export type Ran = [tool: string, input: unknown][];

function deskTools(ran: Ran, results: Readonly<Record<string, unknown>> = {}) {
  const run = (name: string) => async (input: unknown) => {
    ran.push([name, input]);
    return results[name] ?? `result of ${name}`;
  };
  const path = z.object({ path: z.string() });
  return {
    read_file: tool({ description: "Read a file", inputSchema: path, execute: run("read_file") }),
    write_file: tool({
      description: "Write a file",
      inputSchema: z.object({ path: z.string(), text: z.string().default("empty") }),
      execute: run("write_file"),
    }),
    delete_file: tool({ description: "Delete a file", inputSchema: path, execute: run("delete_file") }),
  };
}

export interface Desk {
  readonly ran: Ran;
  readonly script: ScriptedModel;
  readonly toolgate: Toolgate;
  readonly settings: {
    readonly model: ReturnType<Toolgate["model"]>;
    readonly tools: ReturnType<typeof deskTools>;
    readonly toolApproval: Toolgate["toolApproval"];
    readonly stopWhen: ReturnType<typeof isStepCount>;
    readonly maxRetries: number;
  };
}

export function openDesk(
  options: Partial<ToolgateOptions> = {},
  results: Readonly<Record<string, unknown>> = {},
): Desk {
  const ran: Ran = [];
  const script = scriptedModel();
  const toolgate = createToolgate({
    policy: deskPolicy,
    principal: { user: "anna" },
    stores: memoryStores(),
    ...options,
  });
  const settings = {
    model: toolgate.model(script.model),
    tools: toolgate.tools(deskTools(ran, results)),
    toolApproval: toolgate.toolApproval,
    stopWhen: isStepCount(8),
    maxRetries: 0,
  };
  return { ran, script, toolgate, settings };
}
