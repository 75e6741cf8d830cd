/** What a user writes: texts for detection, answers to a question, and the history that comes with them. */
import { readFileSync } from "node:fs";
import type { Reply } from "./gateway.ts";
import { bytesOf, fill, type HostileInput, MAX_BYTES, noise } from "./hostile-input.ts";
import { outcomeOf } from "./outcome.ts";

const SIZE = MAX_BYTES - 1_000;

/** Each is repeated to its full length. What scripts, quotations, negation, addresses and dates are told by is among them. */
const units: Readonly<Record<string, string>> = {
  "one letter": "a",
  spaces: " ",
  "line breaks": "\n",
  dots: ".",
  commas: "a, ",
  apostrophes: "'",
  "apostrophes in words": "a'b ",
  "quotation marks": '"',
  "quotation marks that open": " „a",
  "quoted words": '"make a quiz" ',
  backticks: "`a` ",
  fences: "```\na\n```\n",
  "quoted lines": "> make me a quiz\n",
  brackets: "([{",
  "at signs": "a@",
  addresses: "a.b@c.de ",
  "dots and at signs": "a.a.a.a@",
  URLs: "http://a.b/c?d=e&f ",
  "beginnings of URLs": "http://",
  paths: "a/b.c/",
  "file names": "a.txt ",
  digits: "1",
  dates: "2026-01-31 ",
  "dates in words": "the 3rd of January 2026, tomorrow at 5pm ",
  quantities: "5 kg and 3 hours ",
  requests: "make me a quiz and explain the grammar test of my progress, talk flashcards for me. ",
  refusals: "do not make me a quiz, no test. ",
  "lists of refusals": "no quiz, exam, test, flashcards, ",
  negations: "not no never don't nor without ",
  clauses: "and then make but also create, please ",
  conjunctions: "and or and or ",
  questions: "how do I make a quiz about why ",
  "follow-ups": "yes the second one ",
  Japanese: "日本語の文法を説明してください。quizは作らないで。",
  "Japanese follow-ups": "はいうん好的对吗",
  Chinese: "不要做测验，请解释语法。",
  Korean: "문법을 설명하고 퀴즈는 만들지 마. ",
  Thai: "ทำแบบทดสอบให้หน่อย ",
  Arabic: "لا تصنع اختبارا ",
  German: "mach mir bitte kein Quiz, sondern erkläre die Grammatik. ",
  "combining marks": "e\u0301",
  "many marks on one letter": `a${"\u0301".repeat(30)}`,
  "full width": "ＡＢＣ１２３　",
  "half-width kana": "ｶﾞ",
  "emoji joined": "👨‍👩‍👧‍👦",
  "zero-width characters": "a\u200b",
  "marks of direction": "\u202ea\u202c",
  "lone surrogates": "\ud800",
  "letters that fold to several": "ﬃ",
  "dotted capitals": "İ",
  "XML tags": "<a><b>",
  "tags of clients": "<system-reminder>x</system-reminder>",
  tables: "|a|b|\n|-|-|\n",
  "code lines": "const a = b(c); // d\n",
  commands: "/toolgate undo ",
};

const texts: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(units).map(([name, unit]) => [name, fill(unit, SIZE)])),
  "noise of letters": noise("abcdefghij \n", SIZE),
  "noise of marks": noise("a.,;:!?'\"()<>@/\\`*_-#+=|~^ \n", SIZE),
  "noise of scripts": noise("aé日本ถ한א 1.,'\"\n", Math.floor(SIZE / 3)),
  "noise of words": Array.from({ length: 12_000 }, (_, i) => noise("aeiou", 4, i + 1))
    .join(" ")
    .slice(0, SIZE),
};

const policyOf = (name: string): unknown =>
  JSON.parse(readFileSync(new URL(`../../../policies/${name}.json`, import.meta.url), "utf8"));

/** The shipped policies that look for most. */
const policies: Readonly<Record<string, unknown>> = {
  "study-agent": policyOf("study-agent-managed"),
  "intent-guard": policyOf("intent-guard"),
  default: policyOf("default"),
};

type Headers = Readonly<Record<string, string>>;

export const textInputs: readonly HostileInput[] = Object.entries(policies).flatMap(([policy, document]) =>
  Object.entries(texts).map(
    ([name, text]): HostileInput => ({
      name: `text: ${name}, detected under ${policy}`,
      prepare: (gateway, salt) => gateway.tenant(document, salt),
      async send(gateway, salt, headers) {
        const said = `${salt} ${text}`;
        return sentOf(said, await gateway.send("POST", "/v1/intents/detect", { text: said }, headers as Headers));
      },
    }),
  ),
);

const sentOf = (input: unknown, { text, status }: Reply) => ({
  bytes: Math.min(bytesOf(input), MAX_BYTES),
  outcome: outcomeOf(text, status),
});

const asking = { handshake: { select: "off" }, detection: { layers: [] } };
const tool = { type: "function", function: { name: "write_file", parameters: { type: "object" } } };
const chat = (messages: unknown, more: object = {}) => ({ model: "m", stream: true, messages, tools: [tool], ...more });
const codeOf = (text: string): string => /⟦([A-Z0-9]+)⟧/.exec(text)?.[1] ?? "none";

interface Question {
  readonly headers: Headers;
  readonly words: string;
  readonly code: string;
}

async function ask(gateway: Parameters<HostileInput["send"]>[0], salt: string): Promise<Question> {
  const headers = await gateway.tenant(asking, salt);
  gateway.script({ calls: [{ name: "write_file", arguments: '{"path":"a","text":"b"}' }] });
  const { text } = await gateway.send(
    "POST",
    "/v1/chat/completions",
    chat([{ role: "user", content: `go ${salt}` }]),
    headers,
  );
  const words = [...text.matchAll(/"content":"((?:[^"\\]|\\.)*)"/g)]
    .map(([, part]) => JSON.parse(`"${part}"`))
    .join("");
  gateway.script({ text: "ok" });
  return { headers, words, code: codeOf(words) };
}

const answers: Readonly<Record<string, (code: string) => string>> = {
  ...Object.fromEntries(
    ["yes ", "no ", "yes and no ", "edit ", "はい", "好的", "y", "no: ", "ja bitte ", "yes, ", "oui ", "예"].map(
      (word) => [word.trim(), () => fill(word, SIZE)],
    ),
  ),
  "yes and much more": (code) => `yes ${code} ${fill("please ", SIZE)}`,
  "an edit of many fields": (code) => `edit ${code} ${fill("path=a ", SIZE)}`,
  "an edit of commas": (code) => `edit ${code} path=${fill("a,", SIZE)}`,
  "an edit of quotation marks": (code) => `edit ${code} path=${fill('"a', SIZE)}`,
  "an edit of brackets": (code) => `edit ${code} path=${fill("[{", SIZE)}`,
  "an edit of lines": (code) => `edit ${code}\n${fill("path: a\n", SIZE)}`,
  "an edit of JSON": (code) =>
    `edit ${code} ${JSON.stringify(Object.fromEntries(Array.from({ length: 5_000 }, (_, i) => [`k${i}`, 1])))}`,
  "an edit of equal signs": (code) => `edit ${code} ${fill("a=b=c=", SIZE)}`,
  codes: (code) => fill(`${code} `, SIZE),
  "codes in frames": (code) => `yes ${fill(`⟦${code}⟧ `, SIZE)}`,
  "a refusal with a long reason": (code) => `no ${code}: ${fill("because ", SIZE)}`,
  ...Object.fromEntries(Object.entries(units).map(([name, unit]) => [`${name}`, () => `yes ${fill(unit, SIZE)}`])),
};

export const answerInputs: readonly HostileInput[] = [
  ...Object.entries(answers).map(
    ([name, answer]): HostileInput => ({
      name: `answer: ${name}`,
      prepare: ask,
      async send(gateway, salt, prepared) {
        const { headers, words, code } = prepared as Question;
        const said = answer(code);
        const messages = [
          { role: "user", content: `go ${salt}` },
          { role: "assistant", content: words },
          { role: "user", content: said },
        ];
        return sentOf(said, await gateway.send("POST", "/v1/chat/completions", chat(messages), headers));
      },
    }),
  ),
  ...["⟦AB23⟧ ", "⟦", "[Proceed? yes / no / edit] ", "```\n", "<a ", "**a", "~~~\n"].map(
    (unit): HostileInput => ({
      name: `answer: yes to a message of ${JSON.stringify(unit)}`,
      prepare: ask,
      async send(gateway, salt, prepared) {
        const { headers, words } = prepared as Question;
        const content = `${fill(unit, SIZE - words.length)}${words}`;
        const messages = [
          { role: "user", content: `go ${salt}` },
          { role: "assistant", content },
          { role: "user", content: "yes" },
        ];
        return sentOf(content, await gateway.send("POST", "/v1/chat/completions", chat(messages), headers));
      },
    }),
  ),
];

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));
const call = (id: string) => ({ id, type: "function", function: { name: "write_file", arguments: "{}" } });

const histories: Readonly<Record<string, readonly unknown[]>> = {
  "many short messages": many(1_600, (i) => ({ role: i % 2 ? "assistant" : "user", content: "a" })),
  "many user messages": many(1_600, () => ({ role: "user", content: "a" })),
  "many empty parts": [{ role: "user", content: many(1_900, () => ({ type: "text", text: "" })) }],
  "many system messages": many(1_400, () => ({ role: "system", content: "a" })),
  "many results of one call": [
    { role: "user", content: "a" },
    { role: "assistant", content: null, tool_calls: [call("c")] },
    ...many(900, () => ({ role: "tool", tool_call_id: "c", content: "x" })),
  ],
  "many calls and results": [
    { role: "user", content: "a" },
    ...many(280, (i) => [
      { role: "assistant", content: null, tool_calls: [call(`c${i}`)] },
      { role: "tool", tool_call_id: `c${i}`, content: "x" },
    ]).flat(),
  ],
  "one message of many calls": [
    { role: "user", content: "a" },
    { role: "assistant", content: null, tool_calls: many(600, (i) => call(`c${i}`)) },
    ...many(1, () => ({ role: "tool", tool_call_id: "c1", content: "x" })),
  ],
  "many commands": many(900, (i) => ({ role: i % 2 ? "assistant" : "user", content: "/toolgate undo" })),
  "many frames": many(900, (i) => ({ role: i % 2 ? "assistant" : "user", content: i % 2 ? "⟦AB23⟧ Proceed?" : "yes" })),
  "deep content": [{ role: "user", content: "a", extra: JSON.parse(`${"[".repeat(90)}${"]".repeat(90)}`) as unknown }],
};

/** What is read of each message of a conversation, where the policy tells the user's words from what is pasted. */
const extracting = { ...asking, detection: { extract: "<said>(?P<text>[\\s\\S]*?)</said>" } };

export const historyInputs: readonly HostileInput[] = [
  ...Object.entries(histories).flatMap(([name, messages]) =>
    [asking, extracting].map(
      (policy, index): HostileInput => ({
        name: `history: ${name}${index === 1 ? ", extracted" : ""}`,
        prepare: (gateway, salt) => gateway.tenant(policy, salt),
        async send(gateway, salt, headers) {
          gateway.script({ text: "ok" });
          const all = [...messages, { role: "user", content: `last ${salt}` }];
          return sentOf(all, await gateway.send("POST", "/v1/chat/completions", chat(all), headers as Headers));
        },
      }),
    ),
  ),
  ...["<said>a</said>", "<said>", "</said>", "a<said>b"].map(
    (unit): HostileInput => ({
      name: `history: a message of ${unit}, extracted`,
      prepare: (gateway, salt) => gateway.tenant(extracting, salt),
      async send(gateway, salt, headers) {
        gateway.script({ text: "ok" });
        const all = [{ role: "user", content: `${salt}${fill(unit, SIZE)}` }];
        return sentOf(all, await gateway.send("POST", "/v1/chat/completions", chat(all), headers as Headers));
      },
    }),
  ),
];
