/** Every keyword and pattern of the shipped policies, in sentences that people would write. */
import { describe, expect, it } from "vitest";
import type { CompiledPolicy } from "../../../src/policy/compile.ts";
import { builtInIntents } from "../../../src/policy/intent-guard/built-in-intents.ts";
import { finder, shippedPolicy } from "./found.ts";

type Sentences = Readonly<Record<string, readonly string[]>>;

const study: Sentences = {
  CREATE_FLASHCARDS: [
    "Can you make me some flashcards about N4 grammar?",
    "One flashcard per verb, please",
    "generate flashcards",
    "I would like some flashcards",
    "flashcards for 助詞",
  ],
  CREATE_QUIZ: [
    "A quiz would be great",
    "give me a quiz",
    "Quiz me on keigo",
    "Could you test my knowledge?",
    "test my understanding of the て form",
  ],
  CREATE_EXAM: ["I want to take a test", "Prepare an exam with 10 questions", "TEST"],
  CHECK_PROGRESS: [
    "What is my progress?",
    "Did I keep my streak?",
    "How am I doing?",
    "how'm I doing",
    "view stats",
    "am I getting better",
    "Am I improving at all?",
  ],
  EXPLAIN_GRAMMAR: [
    "Explain は and が",
    "The meaning of 〜ば, please",
    "what is a particle",
    "tell me about verb conjugation",
    "wie konjugiert man 行く",
    "行くの活用を教えて",
    "how do I use the passive form",
    "the usage of です",
    "What's the difference between は and が in this sentence?",
    "When should I use keigo?",
    "when to use では",
  ],
  TRANSLATE: ["translate this sentence", "Please translate: 猫が好き"],
  PRACTICE_CONVERSATION: [
    "I want to practice",
    "Talk to me in Japanese",
    "let's talk",
    "Let’s talk!",
    "speak with me in Korean",
    "can we roleplay a restaurant",
    "conversation practice please",
  ],
  RECALL_PAST: [
    "Do you remember me?",
    "recall our lesson",
    "What was it last time?",
    "we talked on Monday",
    "we discussed it",
    "What did I learn yesterday?",
    "when did we study keigo",
    "you said it was easy",
    "You told me so",
    "you mentioned a book",
  ],
  VIEW_HISTORY: ["show me my history", "History please"],
  CREATE_PLAN: ["Draw up a plan", "I need a study plan for two weeks"],
  UPDATE_GOALS: ["Change my goals", "goals"],
  GET_SUGGESTIONS: ["Suggest something to study", "what do you suggest?"],
};

const guard: Sentences = {
  browser_access: [
    "open the browser",
    "open the page about tides",
    "browse example.com",
    "why don't you open the website?",
    "ブラウザで example.com を開いて",
    "用浏览器看一下",
    "请打开网页",
    "用浏览器打开这个网页",
    "visit the company's website",
    "open https://example.com and read it",
    "go to example.org",
    "click on the sign-in button",
    "fill in the contact form on their website",
    "log in to the site",
    "take a screenshot of the landing page",
    "book a table in the browser",
    "访问 https://example.cn 看看",
    "访问我们公司的官网",
    "https://example.jp を開いて",
    "ページを閲覧してください。URLを開いて",
  ],
  network_research: [
    "search the web for tides",
    "look up the tides",
    "搜索天气",
    "检索论文",
    "what is the latest news",
    "search for cheap flights online",
    "google the opening hours",
    "look up who discovered the tides online",
    "find the latest release of Node",
    "research how the tides work",
    "find papers on tides",
    "what's the current price of gold",
    "ネットで潮の満ち引きを調べて",
    "潮の情報を調べて",
  ],
  filesystem_ops: [
    "delete that file",
    "which folder is it in",
    "打开文件",
    "列出目录",
    "rename the files in this folder",
    "show me notes.txt",
    "open /etc/hosts",
    "what is in my downloads folder",
    "整理這些檔案",
    "フォルダの名前を変更して",
  ],
  code_edit: [
    "refactor this",
    "fix the bug in the parser",
    "implement the parser",
    "重构这里",
    "修改代码",
    "rewrite the login handler",
    "add unit tests",
    "修复登录的崩溃",
    "实现一个排序方法",
    "このバグの原因を調べ、バグを早く修正して",
  ],
  memory_ops: [
    "remember that I prefer tabs",
    "recall what I told you",
    "记住我的名字",
    "回忆一下",
    "remember this for tomorrow",
    "forget that I like tea",
    "save my address to your memory",
    "search for my address in your memory",
    "what did we decide on Monday",
    "还记得我的生日吗",
    "私の好みを覚えておいて",
  ],
};

const apps: Sentences = {
  EMAIL: [
    "an email to Anna",
    "my emails, please",
    "what is in my inbox",
    "show me my e-mails",
    "write an e-mail to Anna",
    "email John the sales report",
    "show me emails from John",
    "show my emails from today",
  ],
  CRM: [
    "find the sales lead",
    "add Sarah as a contact",
    "the opportunity is lost",
    "open salesforce",
    "create a lead",
    "update the opportunity",
  ],
  CALENDAR: [
    "a meeting at noon",
    "what is in my calendar",
    "schedule it for Monday",
    "schedule a meeting",
    "set up a call",
    "create a follow-up",
    "create a meeting with Sarah tomorrow at 3pm",
  ],
};

const plain: Sentences = {
  CODE: [
    "refactor the parser",
    "there is a bug",
    "list all bugs",
    "read the code",
    "commit it",
    "which file is it in",
    "rename that function",
  ],
  TAKE_NOTE: ["a note: buy milk", "write down what I say", "Jot down the date", "make a note"],
  RESEARCH: ["research the tides", "look up the tides", "search the web for tides"],
};

/** Hundreds, in four scripts, and each of them said as it is written: they are their own sentences. */
const builtInKeywords = (policy: CompiledPolicy): readonly (readonly [keyword: string, intent: string])[] =>
  [...builtInIntents.keys()].flatMap((name) =>
    (policy.intents.get(name)?.keywords ?? []).map((keyword) => [keyword, name] as const),
  );

const libraries = [
  ["default", plain],
  ["study-agent", study],
  ["app-orchestrator", apps],
] as const;

/** Its phrases are many, and have sentences of their own in `test/policy/intent-guard`. */
describe("intent-guard", () => {
  const find = finder(shippedPolicy("intent-guard"));
  const cases = Object.entries(guard).flatMap(([intent, texts]) => texts.map((text) => [text, intent] as const));

  it.each(cases)("%j is %s", (text, intent) => {
    expect(find(text).intents.map((found) => found.name)).toEqual([intent]);
  });

  it.each(["which browser is best?", "what is a browser?", "不要打开浏览器", "ブラウザを開かないで", "open the door"])(
    "%j is not for the browser",
    (text) => {
      expect(find(text).intents.map((found) => found.name)).toEqual([]);
    },
  );
});

describe.each(libraries)("%s", (name, sentences) => {
  const policy = shippedPolicy(name);
  const find = finder(policy);
  const cases = Object.entries(sentences).flatMap(([intent, texts]) => texts.map((text) => [text, intent] as const));

  it.each(cases)("%j is %s", (text, intent) => {
    expect(find(text).intents.map((found) => found.name)).toEqual([intent]);
  });

  it("leaves no keyword and no pattern without a sentence", () => {
    const texts = [...cases.map(([text]) => text), ...builtInKeywords(policy).map(([keyword]) => keyword)];
    const met = new Set(
      texts.flatMap((text) => find(text).intents.flatMap((intent) => intent.evidence.map(({ source }) => source))),
    );
    const sources = [...policy.intents.values()].flatMap((intent) => [
      ...intent.keywords,
      ...(policy.detection.layers.includes("patterns") ? intent.patterns : []),
    ]);
    expect(sources.filter((source) => !met.has(source))).toEqual([]);
  });

  it.each(["the latest contest", "hello there", "profile", "misleading", "what is the weather like", "talkative"])(
    "%j is none of them",
    (text) => {
      expect(find(text)).toMatchObject({ intents: [], discounted: [] });
    },
  );
});

it("finds each keyword of the built-in intents alone, as its own intent's", () => {
  const policy = shippedPolicy("intent-guard");
  const find = finder(policy);
  const keywords = builtInKeywords(policy);
  expect(keywords.length).toBeGreaterThan(300);
  for (const [keyword, intent] of keywords) {
    expect([keyword, find(keyword).intents.map((found) => found.name)]).toEqual([keyword, [intent]]);
  }
});

describe("handshake", () => {
  it("has no words, and finds nothing", () => {
    expect(finder(shippedPolicy("handshake"))("add a dark theme, fix the bug, make a note")).toMatchObject({
      intents: [],
      discounted: [],
    });
  });
});
