/** `toolgate chat`: a conversation with a gateway in the terminal. */

import { randomUUID } from "node:crypto";
import { DEFAULT_GATEWAY, type GatewayAddress, readGatewayAddress, requestGateway } from "../gateway-client.ts";
import { firstChatModel } from "../models/first-chat-model.ts";
import { printUsage, readArguments } from "../program-arguments.ts";
import { fail } from "../subcommands.ts";
import { linesAsker } from "./ask-lines.ts";
import { windowAsker } from "./ask-window.ts";
import { wrapped } from "./box.ts";
import { type Conversation, type ConversationSettings, openConversation, type SayEnd } from "./conversation.ts";
import { folderTools } from "./folder-tools.ts";
import { resultSections } from "./result-box.ts";
import { openScreen, type Screen } from "./screen.ts";
import { offerLines } from "./status-line.ts";

const chatUsage = `toolgate chat [--gateway URL] [--model NAME] [--session ID] [--mode NAME] [--user NAME] [--folder PATH] [--message TEXT]
a conversation with a gateway; the key is TOOLGATE_KEY, on this machine \`tg-dev-user\` where there is none
--folder offers tools on the files of that folder; --message says that, and ends (it may be given again)
without a window: a message or an answer a line, exit code 0: all was answered, 1: a failure, 3: a call was left waiting`;

const options = {
  gateway: { type: "string", default: DEFAULT_GATEWAY },
  model: { type: "string" },
  session: { type: "string" },
  mode: { type: "string" },
  user: { type: "string" },
  folder: { type: "string" },
  message: { type: "string", multiple: true },
} as const;

export async function chatCommand(args: readonly string[]): Promise<number> {
  const read = readArguments(args, chatUsage, options);
  if (!read.ok) return printUsage(read.error);
  const { gateway: url, message: messages = [], session = randomUUID(), mode, user, folder } = read.value;
  const gateway = readGatewayAddress(url, process.env, "tg-dev-user");
  if (!gateway.ok) return fail(gateway.error);
  const model = read.value.model ?? (await modelOf(gateway.value));
  if (typeof model !== "string") return fail(model.error);
  const isWindow = process.stdin.isTTY === true && process.stdout.isTTY === true && process.env.TERM !== "dumb";
  const screen = openScreen(isWindow);
  const asker = isWindow ? windowAsker(screen) : linesAsker(screen, process.stdin.isTTY ? "> " : "");
  try {
    const tools = folder === undefined ? undefined : await folderTools(folder);
    const headers = { session, mode, user };
    return await hold({ gateway: gateway.value, model, headers, screen, asker, tools }, messages);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return fail([`there is no folder \`${folder}\``]);
  } finally {
    // A reader of lines would keep the process.
    process.stdin.destroy();
  }
}

async function modelOf(gateway: GatewayAddress): Promise<string | { readonly error: readonly string[] }> {
  const models = await requestGateway<{ readonly data?: readonly { readonly id?: unknown }[] }>(gateway, "/v1/models");
  if (!models.ok) return { error: models.error };
  const model = firstChatModel(models.value.data);
  return model ?? { error: ["the provider lists no model: name one with --model"] };
}

/** @returns the exit code. */
async function hold(settings: ConversationSettings, messages: readonly string[]): Promise<number> {
  const { gateway, screen, asker, model } = settings;
  const conversation = openConversation(settings);
  if (screen.isWindow) {
    const words = `${gateway.url}, model ${model}. /help shows what else can be written; Ctrl-D ends.`;
    for (const line of wrapped(words, screen.style.width)) screen.line(screen.style.paint("dim", line));
  }
  let worst: SayEnd = "done";
  for (const text of messages) worst = worseOf(worst, await conversation.say(text));
  if (messages.length > 0) return exitCodes[worst];
  for (;;) {
    const text = await asker.message();
    if (text === undefined) break;
    const command =
      text.startsWith("/") && !text.startsWith("/toolgate") ? runCommand(text, conversation, screen) : undefined;
    if (command === "quit") break;
    const end = command === undefined ? await conversation.say(text) : await command;
    if (end !== undefined) worst = worseOf(worst, end);
  }
  // A person has seen what went wrong.
  return screen.isWindow ? 0 : exitCodes[worst];
}

const exitCodes: Readonly<Record<SayEnd, number>> = { done: 0, failed: 1, left: 3 };

const worseOf = (one: SayEnd, other: SayEnd): SayEnd => (one === "done" ? other : one);

const help = `/why        which tools the model was offered, and what stands against the others
/last       the last results, whole
/ask        asks again what was left open
/continue   goes on with what was answered elsewhere
/mode NAME  another mode for this session
/quit       ends (Ctrl-D does, too)
/toolgate … is for the gateway: status, reset, undo`;

/** Undefined: nothing to note of it. */
function runCommand(text: string, conversation: Conversation, screen: Screen): "quit" | Promise<SayEnd | undefined> {
  const [name, argument] = text.slice(1).trim().split(/\s+/, 2);
  const { last, results } = conversation;
  const print = async (lines: readonly string[]): Promise<undefined> => {
    for (const line of lines) screen.line(line);
  };
  switch (name) {
    case "quit":
    case "exit":
      return "quit";
    case "ask":
      return conversation.askAgain();
    case "continue":
      return conversation.goOn();
    case "why":
      return print(last ? offerLines(last) : ["Nothing was asked yet."]);
    case "last":
      for (const result of results) screen.box(resultSections(result, screen.style, { whole: true }));
      return print(results.length === 0 ? ["No tool ran in the last turn."] : []);
    case "mode":
      if (argument) conversation.setMode(argument);
      return print([argument ? `The next message is said in the mode ${argument}.` : "Name a mode: /mode read_only"]);
    default:
      return print(help.split("\n"));
  }
}
