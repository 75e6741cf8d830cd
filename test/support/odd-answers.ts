/** Answers of an upstream with one call, as JSON text in which odd members stand anywhere, some of them twice or escaped. */
import fc from "fast-check";

/** Where a member is put in. */
const LEVELS = ["answer", "choice", "words", "call", "function", "vendor", "google", "arguments"] as const;
type Level = (typeof LEVELS)[number];

export interface OddMember {
  readonly level: Level;
  /** Before which of the members that stand there. */
  readonly at: number;
  readonly key: string;
  /** JSON text. */
  readonly value: string;
  /** Whether the key is written with an escape. */
  readonly escaped: boolean;
}

const NAMES = [
  ...["choices", "delta", "message", "usage", "error", "toolgate", "object", "finish_reason", "role", "content"],
  ...["tool_calls", "function_call", "function", "id", "type", "index", "name", "arguments", "input", "custom"],
  ...["parameters", "extra_content", "google", "thought_signature", "vendor", "path", "note"],
];
const replaced = (from: string, to: string) => (name: string) => name.replaceAll(from, to);
const SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => name.charAt(0).toUpperCase() + name.slice(1),
  (name) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
  (name) => String.fromCodePoint(name.charCodeAt(0) + 0xfee0) + name.slice(1),
  (name) => `${name.slice(0, 2)}\u200b${name.slice(2)}`,
  replaced("s", "\u017f"),
  replaced("i", "\u0131"),
];

const evil = { name: "delete_file", arguments: '{"path":"/"}' };
const other = { name: "write_file", arguments: '{"path":"/etc/passwd"}' };
const call = (called: object) => ({ index: 0, id: "c9", type: "function", function: called });
const VALUES: readonly string[] = [
  ...[evil, other, call(evil), [call(other)], { tool_calls: [call(evil)] }, [{ delta: { tool_calls: [call(evil)] } }]],
  ...[
    { google: { thought_signature: "sig", function: evil } },
    {},
    [],
    null,
    1,
    "",
    "delete_file",
    '{"path":"/"}',
    "sig",
  ],
].map((value) => JSON.stringify(value));

const key = fc
  .tuple(fc.constantFrom(...NAMES), fc.constantFrom(...SPELLINGS, ...SPELLINGS.slice(0, 1)))
  .map(([name, spell]) => spell(name));

export const oddMembers: fc.Arbitrary<readonly OddMember[]> = fc.array(
  fc.record({
    level: fc.constantFrom(...LEVELS, "call" as const, "function" as const, "vendor" as const),
    at: fc.nat(4),
    key,
    value: fc.constantFrom(...VALUES),
    escaped: fc.boolean(),
  }),
  { maxLength: 4 },
);

/** @param said where the words of a choice stand. */
export function oddAnswer(said: "delta" | "message", tool: string, odd: readonly OddMember[]): string {
  const google = objectText(odd, "google", { thought_signature: '"sig"' });
  const args = objectText(odd, "arguments", { path: '"ok.txt"' });
  const called = { name: JSON.stringify(tool), arguments: JSON.stringify(args) };
  const made = objectText(odd, "call", {
    index: "0",
    id: '"c1"',
    type: '"function"',
    function: objectText(odd, "function", called),
    extra_content: objectText(odd, "vendor", { google }),
  });
  return answerText(odd, said, { role: '"assistant"', content: "null", tool_calls: `[${made}]` });
}

/** An event of words. */
export const oddWords = (content: string, odd: readonly OddMember[]): string =>
  answerText(odd, "delta", { content: JSON.stringify(content) });

function answerText(
  odd: readonly OddMember[],
  said: "delta" | "message",
  words: Readonly<Record<string, string>>,
): string {
  const reason = said === "delta" ? "null" : '"tool_calls"';
  const choice = { index: "0", [said]: objectText(odd, "words", words), finish_reason: reason };
  const choices = `[${objectText(odd, "choice", choice)}]`;
  return objectText(odd, "answer", { id: '"a"', object: '"x"', created: "1", model: '"m"', choices });
}

function objectText(odd: readonly OddMember[], level: Level, members: Readonly<Record<string, string>>): string {
  const written = Object.entries(members).map(([name, value]) => `"${name}":${value}`);
  for (const one of odd) if (one.level === level) written.splice(one.at, 0, memberText(one));
  return `{${written.join(",")}}`;
}

function memberText({ key: name, value, escaped }: OddMember): string {
  const text = JSON.stringify(name).slice(1, -1);
  const hex = name.charCodeAt(0).toString(16).padStart(4, "0");
  return `"${escaped ? `\\u${hex}${text.slice(1)}` : text}":${value}`;
}
