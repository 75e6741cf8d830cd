/** Drafts the settings of a tool that acts: when it asks, which arguments must be the user's, and which values always ask. Pure. */
import { argumentsOf } from "../../../policy/infer/arguments.ts";
import type { ToolWords } from "../../../policy/infer/evidence.ts";
import type { InferredTool } from "../../../policy/infer/infer-tool.ts";
import { nameWords } from "../../../policy/infer/name-words.ts";
import { isGesture } from "../../../policy/infer/reviewed-words.ts";
import { actConditions, bulkConditions } from "./act-conditions.ts";
import { amountConditions, type DraftCondition } from "./amount-limits.ts";
import { askedAlways } from "./asked-always.ts";
import { type AuthorityArgument, authorityArguments, statedArguments } from "./authority-arguments.ts";
import { contentArguments } from "./own-arguments.ts";
import { type DraftedSettings, idFields, type Settings } from "./reader-settings.ts";

/**
 * Asks if the object of the act is not the user's own choice; always, if the call does not say its object or the act is too grave for a word.
 * @param accounts arguments that say in which account of the user's all tools of the server work.
 */
export function actorSettings(
  words: ToolWords,
  inferred: InferredTool,
  accounts: ReadonlySet<string>,
): DraftedSettings {
  const { effect, effects, category, nouns } = inferred;
  // A tool may destroy, although its verb does not ask for an object. Then the object must be held: an id or a path names it.
  const destroysMore = effects.has("destroy") && effect !== "send" && !effects.has("pay") && !effects.has("execute");
  const settled = contentArguments(words, accounts);
  const authority = authorityArguments(words, category, {
    ...{ sends: effect === "send", changes: effect === "change", destroysMore, settled },
  });
  const because = askedAlways(words, inferred, authority.length > 0);
  if (because !== undefined)
    return {
      values: { confirm: "ask", ...(category === "external" ? { sensitive: true } : {}) },
      reasons: [`asks each time: ${because}`],
    };
  const held = [...authority, ...statedArguments(words, inferred)];
  const records = held.filter(({ role, isRecord }) => isRecord === true || role === "object").map(({ key }) => key);
  const conditions = [
    ...[...amountConditions(words, inferred), ...actConditions(words), ...pressConditions(words)],
    ...(effect === "change" || effect === "destroy" ? bulkConditions(words, records) : []),
  ];
  const roles = { ...settled, ...Object.fromEntries(held.map(({ key, role }) => [key, { role }])) };
  return {
    // The destination of each call is looked at, so its first use needs no consent of its own.
    values: {
      confirm: "ungrounded",
      ...(category === "external" ? { firstTime: false } : {}),
      // Written down so that an operator sees and corrects them; a guess that the policy repeats is the same guess.
      ...(Object.keys(roles).length > 0 ? { arguments: roles } : {}),
      ...(conditions.length > 0 ? { conditions } : {}),
      // The made record has an id that its own system gave it; the rest of the result repeats the model's arguments.
      ...(effect === "create" || effect === "note" ? { trusted: idFields(nouns) } : {}),
    },
    reasons: [
      `runs unasked where the user asks for it (${effect}), and asks where what it acts on comes from somebody else's text`,
      ...conditions.map(({ say }) => `asks each time where a call has ${say}`),
      ...held.map(heldReason),
      ...settledReason(settled, isGesture(words)),
    ],
  };
}

function settledReason(settled: Settings, onPage: boolean): readonly string[] {
  const keys = Object.keys(settled).map((key) => `\`${key}\``);
  if (keys.length === 0) return [];
  const why = onPage ? "points at what a page shows" : "is the account that the other tools work in";
  return [`${keys.join(", ")} ${why}, so no question is about it`];
}

const heldReason = ({ key, role, because, isRecord }: AuthorityArgument): string =>
  role === "amount" || isRecord
    ? `\`${key}\` must be what the user says (${because})`
    : `\`${key}\` is the ${role} (${because})`;

/** Labels of buttons that pay, send or delete: a click on one of them is more than a click. */
const PRESSED =
  "(?:^|[^\\p{L}])(?:[Bb]uy|[Pp]ay|[Oo]rder|[Pp]urchase|[Cc]heck ?out|[Ss]end|[Ss]ubmit|[Cc]onfirm|[Dd]elete|[Rr]emove|[Tt]ransfer|[Pp]ublish|[Ll]öschen|[Bb]estellen|[Kk]aufen|[Bb]ezahlen|[Ss]enden|[Cc]omprar|[Pp]agar|[Ee]nviar)(?:[^\\p{L}]|$)";

function pressConditions(words: ToolWords): readonly DraftCondition[] {
  const [verb = ""] = nameWords(words.name).filter((word) => word !== "browser" && word !== "page");
  const shown = argumentsOf(words.parameters).some(({ name }) => name === "element");
  if (!isGesture(words) || !shown || !["click", "tap", "press"].includes(verb)) return [];
  return [
    {
      if: { properties: { element: { pattern: PRESSED } }, required: ["element"] },
      effect: "ask",
      say: "an element that pays, sends or deletes",
    },
  ];
}
