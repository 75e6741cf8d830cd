/** Reads a tool's effects from the names of its arguments. Pure. */
import { isObject } from "../../lib/json/json-value.ts";
import { type InferredEffect, strongest } from "./effects.ts";
import type { Evidence, ToolWords } from "./evidence.ts";
import { nameWords, singular } from "./name-words.ts";
import { verbOf } from "./verbs.ts";

interface Argument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** The possible values, if its author lists them; empty if they are too many to read. */
  readonly choices?: readonly string[];
}

/** Clients choose schemas: further arguments are not read. */
const MAX_ARGUMENTS = 100;
const MAX_CHOICES = 100;

/** The arguments that an object's schema names as its own properties. */
export function argumentsOf(parameters: unknown): readonly Argument[] {
  if (!isObject(parameters) || !isObject(parameters.properties)) return [];
  const required = Array.isArray(parameters.required) ? parameters.required : [];
  return Object.entries(parameters.properties)
    .slice(0, MAX_ARGUMENTS)
    .map(([name, schema]) => ({
      name,
      description: isObject(schema) && typeof schema.description === "string" ? schema.description.slice(0, 1_000) : "",
      required: required.includes(name),
      ...(isObject(schema) && Array.isArray(schema.enum) ? { choices: choicesIn(schema.enum) } : {}),
    }));
}

const choicesIn = (values: readonly unknown[]): readonly string[] =>
  values.length > MAX_CHOICES ? [] : values.map(String);

/** An argument that no reader takes; a tool that has one does more than its name says. */
const payload = new Map<string, InferredEffect>([
  ...["recipient", "cc", "bcc", "attachment", "forward_to", "reply_to", "send_to", "notify", "invitee", "email_to"].map(
    (one) => [one, "send"] as const,
  ),
  ...["webhook", "callback", "webhook_url", "callback_url", "upload_url", "destination_url", "target_url"].map(
    (one) => [one, "send"] as const,
  ),
  ...["password", "new_password", "passcode"].map((one) => [one, "access"] as const),
  ...["command", "cmd", "shell", "script", "sql", "executable", "bash"].map((one) => [one, "execute"] as const),
  ...["delete", "overwrite", "purge", "force"].map((one) => [one, "destroy"] as const),
]);
/** An address that the tool goes to. */
const ADDRESSES = new Set([
  "url",
  "uri",
  "urls",
  "endpoint",
  "link",
  "website",
  "webpage",
  "host",
  "hostname",
  "domain",
  "href",
  "feed",
]);

export const isAddress = (name: string): boolean => ADDRESSES.has(singular(nameWords(name).at(-1) ?? ""));

export const takesAddress = (parameters: unknown): boolean =>
  argumentsOf(parameters).some(({ name }) => isAddress(name));

/** A receiver, or an amount. */
const RECEIVERS = /^(?:to|receiver|addressee|payee|beneficiary)$/;
const AMOUNTS = new Set(["amount", "sum", "price", "quantity", "qty"]);

export const takesReceiver = (parameters: unknown): boolean =>
  argumentsOf(parameters).some(({ name }) => {
    const words = nameWords(name).map(singular);
    return words.some((word, at) => RECEIVERS.test(word) && at < 2) || payload.get(words.join("_")) === "send";
  });

export const takesAmount = (parameters: unknown): boolean =>
  argumentsOf(parameters).some(({ name }) => AMOUNTS.has(singular(nameWords(name).at(-1) ?? "")));

const SHELLS = new Set(["shell", "bash", "cmd"]);

/** Text that is typed into something that runs it. */
const TYPED = /^(?:input|stdin|text|keys|data|line|lines)$/i;
const PROCESSES: ReadonlySet<string> = new Set("pid process terminal shell tty repl".split(" "));
/** Browsers, checkouts and games have such sessions too: the tool's words must say that it is one of a shell. */
const SESSIONS: ReadonlySet<string> = new Set(["session", "pane", "window"]);
const SAYS_SHELL = /\b(?:terminals?|shells?|process(?:es)?|repls?|consoles?|commands?|tmux|ssh|interpreters?)\b/i;

/** `interact_with_process(pid, input)`: whatever the tool calls it, the process runs what it is given. */
export function feedsProcess({ name, description = "", parameters }: ToolWords): boolean {
  const all = argumentsOf(parameters);
  if (!all.some((one) => TYPED.test(one.name))) return false;
  const words = all.filter((one) => !TYPED.test(one.name)).flatMap((one) => nameWords(one.name).map(singular));
  if (words.some((word) => PROCESSES.has(word))) return true;
  return (
    words.some((word) => SESSIONS.has(word)) &&
    (SAYS_SHELL.test(nameWords(name).join(" ")) || SAYS_SHELL.test(description))
  );
}

/** An argument of these names holds code if a text mentions a language; a discount has a code, and a sum is an expression. */
const CODE = /^(?:function|code|expression|snippet|javascript|python)$/;
const SAYS_CODE = /\b(?:java|type)script\b|\bpython\b|\bruby\b|\blua\b|\bsnippets?\b|=>|\b(?:source|arbitrary) code\b/i;

interface ArgumentReading {
  /** Words of the tool, in which a language may be mentioned. */
  readonly text?: string | undefined;
  /** The effect by the words other than the arguments. */
  readonly isReader: boolean;
  /** A person reviews it, so a fixed choice counts for what it offers. At run time a client that lies in one gains nothing. */
  readonly believesChoices: boolean;
}

export function argumentEvidence(
  parameters: unknown,
  { isReader, believesChoices, text = "" }: ArgumentReading,
): readonly Evidence[] {
  const all = argumentsOf(parameters);
  // A request of any kind to any address.
  const posts = all.some(({ name }) => /^(?:method|headers|body|payload|data)$/i.test(name));
  return all.flatMap(({ name, description, choices }): Evidence[] => {
    const words = nameWords(name);
    const key = words.map(singular).join("_");
    const last = singular(words.at(-1) ?? "");
    const why = `it takes \`${name}\``;
    const runs = words.some((word) => SHELLS.has(word)) ? "execute" : undefined;
    const effect = payload.get(key) ?? runs ?? (words.length > 1 && words[0] === "new" ? "change" : undefined);
    if (effect === "execute" && believesChoices && choices && choices.length > 0) return chosenEffects(choices, why);
    if (effect) return [{ effect, why }];
    if (CODE.test(key) && !choices && (SAYS_CODE.test(description) || SAYS_CODE.test(text)))
      return [{ effect: "execute", why }];
    if (last === "code" && /\b(?:python|javascript|source|script|execute|run)\b/i.test(description))
      return [{ effect: "execute", why }];
    if (/\bSQL\b/.test(description) && /^(?:query|statement)$/.test(last)) return [{ effect: "execute", why }];
    if (posts && ADDRESSES.has(last)) return [{ effect: "send", why: `it sends to the address in \`${name}\`` }];
    if (isReader && ADDRESSES.has(last)) return [{ effect: "reach", why: `it goes to the address in \`${name}\`` }];
    return [];
  });
}

/** A command of a fixed choice runs nothing else: `update_properties`, `insert_content`. One whose verb is unknown changes something. */
function chosenEffects(choices: readonly string[], why: string): Evidence[] {
  const effect = strongest(
    choices.flatMap((choice) => {
      const [first, ...others] = nameWords(choice).map((word) => verbOf(word)?.effect);
      return [first ?? "change", ...others.flatMap((other) => other ?? [])];
    }),
  );
  return effect === "read" ? [] : [{ effect, why }];
}
