/**
 * Guesses the role of an argument. An attacker who steers the model wants to change to whom, where, which or how much: so arguments have
 * roles, and the values of some must come from the user or a trusted source. Pure.
 *
 * A role is guessed from the argument's name, its `format`, the tool's verb and the description. In doubt the stricter
 * role is guessed. The policy overrides a guess with `tools.X.arguments.Y.role`.
 */
import { baseOf, meaningOf } from "./name-meaning.ts";
import type { Neighbours } from "./neighbours.ts";
import type { WordMeaning } from "./role-words.ts";
import { isChoice, isChoiceOfWays, saysIdOf, saysKindOf, textOf, typesOf } from "./schema-hints.ts";
import { changes, namedByTool, nounOf, SAYS_TOOLS_NOUN, setsAmount } from "./tool-nouns.ts";
import type { ToolEffect } from "./tool-verbs.ts";

export const argumentRoles = ["destination", "object", "amount", "content"] as const;
export type ArgumentRole = (typeof argumentRoles)[number];

export interface RoleGuess {
  readonly role: ArgumentRole;
  /** For the operator: a clause in English, which may quote the argument's name. */
  readonly because: string;
  /** A destination that the tool reaches over the network (a URL, a host): even a tool that only reads leaks through it. */
  readonly reaches?: true;
  /** Neither name nor schema decides: the value's own form may make it stricter. */
  readonly unsure?: true;
  /** A fixed choice of what the tool does: the role depends on the value. */
  readonly choosesAct?: true;
}

export interface ArgumentFacts {
  readonly tool: string;
  readonly effects: ReadonlySet<ToolEffect>;
  readonly name: string;
  /** The names of the objects and arrays that hold the argument, outermost first. */
  readonly path: readonly string[];
  /** It is an element of a list that has the name. */
  readonly isElement?: boolean;
  /** The argument's own JSON Schema; undefined if the tool's schema does not list it. */
  readonly schema?: unknown;
  /** Absent: the other arguments of the tool are not known. */
  readonly neighbours?: Neighbours;
}

const DESTINATION_FORMATS = new Set(["email", "idn-email"]);
const REACHED_FORMATS = new Set(
  "uri url iri uri-reference iri-reference uri-template hostname idn-hostname ipv4 ipv6 ip".split(" "),
);
const OBJECT_FORMATS = new Set(["uuid", "guid", "json-pointer"]);
const CONTENT_FORMATS = new Set("date date-time time duration markdown html textarea color regex".split(" "));

export function guessRole(argument: ArgumentFacts): RoleGuess {
  const { schema, effects } = argument;
  const format = textOf(schema, "format")?.toLowerCase() ?? "";
  const quoted = `its format is \`${format}\``;
  if (DESTINATION_FORMATS.has(format)) return { role: "destination", because: quoted };
  if (REACHED_FORMATS.has(format)) return { role: "destination", because: quoted, reaches: true };
  const type = typesOf(schema);
  if (type.size > 0 && [...type].every((one) => one === "boolean" || one === "null"))
    return { role: "content", because: "it is a yes or no" };
  const isNumber = type.size > 0 && [...type].every((one) => one === "number" || one === "integer" || one === "null");
  const form = {
    ...{ isNumber, isCount: isNumber && argument.isElement !== true, isChoice: isChoice(schema) },
    ...{ isWay: isChoiceOfWays(schema), isId: !isNumber && saysIdOf(schema), neighbours: argument.neighbours },
    saysAddress: SAYS_DESTINATION.test(textOf(schema, "description")?.slice(0, 500) ?? ""),
    isKind: saysKindOf(schema) || (argument.isElement === true && nounOf(argument.tool)?.meaning !== "address"),
  };
  const byName = roleOfNames([...argument.path, argument.name], argument.tool, effects, form);
  if (byName) return byName;
  if (OBJECT_FORMATS.has(format)) return { role: "object", because: quoted };
  if (CONTENT_FORMATS.has(format)) return { role: "content", because: quoted };
  return (
    byDescription(schema) ?? byType(schema, { isNumber, isOfAmount: isNumber && setsAmount(argument.tool, effects) })
  );
}

interface ValueForm {
  readonly isNumber: boolean;
  /** A number that a plural name counts by. In a list such numbers are ids. */
  readonly isCount: boolean;
  /** The tool's author lists the possible values. */
  readonly isChoice: boolean;
  /** Means to reach a person: `sms`, `email`. */
  readonly isWay: boolean;
  /** Its description says that it is the id of something. */
  readonly isId: boolean;
  /** Its description mentions an address. */
  readonly saysAddress: boolean;
  /** A kind of device: its description or its examples say so, or it is one of a list in a tool that is not named after it. */
  readonly isKind: boolean;
  readonly neighbours: Neighbours | undefined;
}

/** A number of these in the plural counts them: `guests`, `passengers`, `rooms`. */
const COUNTED: ReadonlySet<WordMeaning> = new Set<WordMeaning>(["person", "destination"]);

/** The innermost name decides; if it says nothing (`value`, `name`), the name around it does. */
function roleOfNames(
  names: readonly string[],
  tool: string,
  effects: ReadonlySet<ToolEffect>,
  form: ValueForm,
): RoleGuess | undefined {
  let open: RoleGuess | undefined;
  for (const name of names.toReversed()) {
    const found = meaningOf(name);
    if (found === undefined) continue;
    const because = `its name says \`${found.word}\``;
    const named =
      found.meaning === "content" && !form.isChoice && namedByTool(found.word, tool, effects, form.isNumber);
    if (named) return { role: named, because: `${because}, and so does its tool's name` };
    if (form.isCount && COUNTED.has(found.meaning) && baseOf(found.word) !== found.word)
      return { role: "amount", because: `${because}, and it is how many` };
    if (found.meaning !== "open") return roleOf(found.meaning, because, effects, form);
    open ??= toolsNounRole(found.word, tool, effects, form) ?? openRole(found.word, because);
  }
  return open;
}

/** `phone_call.number`, `set_webhook.value`, `update_deal.value`: the tool says which. */
function toolsNounRole(
  word: string,
  tool: string,
  effects: ReadonlySet<ToolEffect>,
  form: ValueForm,
): RoleGuess | undefined {
  if (!SAYS_TOOLS_NOUN.has(word)) return undefined;
  const noun = nounOf(tool);
  if (noun) return roleOf(noun.meaning, `its tool's name says \`${noun.word}\``, effects, form);
  const isSpent = form.isNumber ? changes(effects) : effects.has("pay");
  return isSpent && word !== "number" && word !== "no"
    ? { role: "amount", because: `its name says \`${word}\`, and the tool changes something` }
    : undefined;
}

const SAYS_CONTENT = new Set("value list array string data info information detail method".split(" "));

const openRole = (word: string, because: string): RoleGuess =>
  SAYS_CONTENT.has(word) ? { role: "content", because, unsure: true } : { role: "object", because, unsure: true };

const LEVELS = ["`permission`", "`role`", "`scope`"];
const SENDS: readonly ToolEffect[] = ["send", "access", "pay"];

function roleOf(
  meaning: Exclude<WordMeaning, "open">,
  because: string,
  effects: ReadonlySet<ToolEffect>,
  form: ValueForm,
): RoleGuess {
  const { isNumber, isChoice } = form;
  const acts = (wanted: readonly ToolEffect[]) => wanted.some((effect) => effects.has(effect));
  switch (meaning) {
    case "address":
      return addressRole(because, effects, form);
    case "destination":
      if (form.isWay) return { role: "content", because: `${because}, with a fixed choice of ways` };
      return { role: "destination", because };
    case "command":
      if (isChoice) return { role: "content", because: `${because}, with a fixed choice`, choosesAct: true };
      return { role: "destination", because: `${because}, and a command says where it acts` };
    case "person":
      // The receivers are those of the channel or the address that the call must name.
      if (says(because, ["thread`"]) && form.neighbours?.namesReceiver)
        return { role: "object", because: `${because}, and another argument says where that is` };
      if (isChoice && !acts(SENDS)) return { role: "content", because: `${because}, with a fixed choice` };
      if (acts(SENDS)) return { role: "destination", because: `${because}, and the tool sends, pays or gives access` };
      return { role: "object", because };
    case "place":
      return acts(["deliver", "pay"])
        ? { role: "destination", because: `${because}, and the tool delivers or pays` }
        : { role: "content", because };
    case "id":
      return { role: "object", because };
    case "object":
      // An attacker wants to change who gets it.
      if (isChoice && LEVELS.some((level) => because.includes(level)))
        return { role: "content", because: `${because}, with a fixed choice of levels` };
      return { role: "object", because };
    case "amount":
      if (form.isId) return { role: "object", because: `${because}, and its description says that it is an id` };
      return { role: isNumber || !isChoice ? "amount" : "content", because };
    case "content":
      return contentRole(because, effects, form);
  }
}

/**
 * A domain or a port addresses something together with a host or a URL. By itself it may be a kind of device or a number of the user's own machine,
 * unless its description or its value is an address, or the tool gives the domain something. A text may hold both, so in a tool that
 * changes something it is neither.
 */
function addressRole(because: string, effects: ReadonlySet<ToolEffect>, form: ValueForm): RoleGuess {
  const { neighbours, saysAddress, isNumber, isChoice, isKind } = form;
  const address: RoleGuess = { role: "destination", because, reaches: true };
  if (neighbours === undefined || neighbours.takesHost || saysAddress) return address;
  const mayChange = effects.size === 0 || changes(effects);
  const isPort = says(because, ["port`"]);
  if (mayChange && !isNumber && !isChoice && (isPort || !isKind)) return address;
  if (!isPort && (!says(because, ["domain`"]) || (SENDS.some((effect) => effects.has(effect)) && !isChoice)))
    return address;
  return { role: "content", because: `${because}, and the tool takes no host`, reaches: true, unsure: true };
}

const says = (because: string, words: readonly string[]): boolean =>
  words.some((word) => because.includes(`\`${word}`));

/** Words that name a text in one tool are something else in another. */
function contentRole(
  because: string,
  effects: ReadonlySet<ToolEffect>,
  { isNumber, isChoice }: Pick<ValueForm, "isNumber" | "isChoice">,
): RoleGuess {
  if (isNumber && says(because, ["count", "unit"]) && changes(effects))
    return { role: "amount", because: `${because}, and the tool changes something` };
  // A number counts pages; a text says which one.
  if (!isNumber && !isChoice && says(because, ["page`", "template`"])) return { role: "object", because };
  if (says(because, ["topic`"]) && effects.has("commit") && effects.has("send"))
    return { role: "destination", because: `${because}, and the tool publishes` };
  return { role: "content", because };
}

const SAYS_DESTINATION =
  /\b(e-?mail address|recipients?|phone number|iban|url|uri|hostname|ip address|webhook|web ?address|account number|send(s|ing)? (it )?to|e-?mail-adresse|empf[äa]nger|destinatario)\b|收件人|邮箱|网址|メールアドレス|宛先/iu;
const SAYS_OBJECT = /\b(ids?|uuid|identifier|unique|path|file ?name|which .{1,30} to)\b|编号|识别|識別/iu;

/** Only for a name that says nothing: a description mentions other arguments too. */
function byDescription(schema: unknown): RoleGuess | undefined {
  const description = textOf(schema, "description")?.slice(0, 500) ?? "";
  const [destination] = SAYS_DESTINATION.exec(description) ?? [];
  if (destination !== undefined)
    return {
      role: "destination",
      because: `its description says \`${destination.toLowerCase()}\``,
      ...(/url|uri|host|ip |web/i.test(destination) ? { reaches: true } : {}),
    };
  const [object] = SAYS_OBJECT.exec(description) ?? [];
  if (object !== undefined) return { role: "object", because: `its description says \`${object.toLowerCase()}\`` };
  return undefined;
}

function byType(
  schema: unknown,
  { isNumber, isOfAmount }: { readonly isNumber: boolean; readonly isOfAmount: boolean },
): RoleGuess {
  if (schema === undefined)
    return {
      role: "destination",
      because: "the tool's schema does not list it, and its name says nothing",
      unsure: true,
    };
  if (isChoice(schema)) return { role: "content", because: "the schema gives a fixed choice" };
  if (isOfAmount) return { role: "amount", because: "it is a number, and the tool's name says how much of what" };
  if (isNumber) return { role: "content", because: "it is a number whose name says nothing" };
  return { role: "object", because: "neither its name nor its schema says what it is", unsure: true };
}
