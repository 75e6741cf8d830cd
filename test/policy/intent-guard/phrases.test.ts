import { describe, expect, it } from "vitest";
import { compileLexical, findLexical } from "../../../src/intent/lexical/lexical.ts";
import { mergeLayers } from "../../../src/intent/merge-layers.ts";
import { workBudget } from "../../../src/lib/work-budget.ts";
import { compilePattern } from "../../../src/policy/arguments/linear-pattern.ts";
import { builtInIntents } from "../../../src/policy/intent-guard/built-in-intents.ts";
import { policyOf } from "../arbitraries.ts";

const intents = [...builtInIntents].map(([name, { phrases }]) => ({ name, ...phrases }));
const policy = policyOf({ intentGuard: {} });
const lexical = compileLexical(policy);

/** As the layers of words find it; the fallback is nothing found. */
function found(text: string): string[] {
  const detected = mergeLayers(policy, findLexical(lexical, text, workBudget()), [], false).intents;
  return detected.filter(({ layer }) => layer !== "fallback").map(({ name }) => name);
}

const browser = ["browser_access"];
const memory = ["memory_ops"];
const code = ["code_edit"];
const files = ["filesystem_ops"];
const research = ["network_research"];

describe("key phrases", () => {
  it("are each of one intent, with patterns that run in linear time, and say nothing else of its examples", () => {
    const keywords = intents.flatMap((intent) => intent.keywords);
    expect(keywords.filter((one, index) => keywords.indexOf(one) !== index)).toEqual([]);
    expect(keywords.filter((one) => one !== one.trim() || one.length < 2)).toEqual([]);
    for (const { patterns } of intents) {
      for (const pattern of patterns)
        expect([pattern, compilePattern(pattern, workBudget()).ok]).toEqual([pattern, true]);
    }
    for (const { name, examples } of intents) {
      for (const example of examples)
        expect([example, found(example).filter((one) => one !== name)]).toEqual([example, []]);
    }
  });

  it.each([
    ["Open https://example.com and tell me the headline", browser],
    ["please go to example.org", browser],
    ["Could you visit the company's website?", browser],
    ["Use the browser to book a table for two", browser],
    ["Search for cheap flights in the browser", browser],
    ["Take a screenshot of the landing page", browser],
    ["Click on the sign-in button", browser],
    ["Restart my browser, please", browser],
    ["start the browser and log in", browser],
    ["Could you look at this website?", browser],
    ["请打开浏览器", browser],
    ["访问 https://example.cn 看看", browser],
    ["幫我打開這個網站", browser],
    ["https://example.jp を開いて", browser],
    ["公式サイトにアクセスして価格を教えて", browser],
    ["Remember that I am allergic to nuts.", memory],
    ["What do you remember about my sister?", memory],
    ["Save this to your long-term memory", memory],
    ["Do you remember my birthday?", memory],
    ["请记住我的生日是五月一日", memory],
    ["你还记得我喜欢什么吗？", memory],
    ["私の好みを覚えておいて", memory],
    ["Fix the bug in src/parser.ts", code],
    ["refactor the login module", code],
    ["Please add unit tests for the date parser", code],
    ["Write a function that reverses a list", code],
    ["Implement the new caching feature", code],
    ["帮我修复这个bug", code],
    ["重构这个模块", code],
    ["登录的函数帮我修改代码", code],
    ["このバグを修正して", code],
    ["リファクタリングをお願いします", code],
    ["Rename all the files in this folder", files],
    ["Delete ./build/output.log", files],
    ["open /etc/hosts", files],
    ["What directory is the build output in?", files],
    ["create a new folder called reports", files],
    ["What's in this directory?", files],
    ["show me notes.txt", files],
    ["删除桌面上的文件", files],
    ["把这个保存到文件", files],
    ["建立一個資料夾", files],
    ["このファイルを削除して", files],
    ["フォルダの中を見せて", files],
    ["Search the web for the tallest building", research],
    ["Look up the latest Node release", research],
    ["look up tomorrow's weather in Turin", research],
    ["look up who invented the zip online", research],
    ["research how heat pumps work", research],
    ["what's the current exchange rate for the yen?", research],
    ["Find me some papers on graph colouring", research],
    ["上网查一下明天的天气", research],
    ["搜索关于量子计算的论文", research],
    ["ネットで調べてください", research],
    ["最新のニュースを教えて", research],
    ["Any latest news on the election?", research],
    ["Search the web for the spec and fix the bug in the parser", ["network_research", "code_edit"]],
    ["1. Open https://example.com 2. Save it to a file", ["browser_access", "filesystem_ops"]],
  ])("%s", (text, expected) => {
    expect(found(text).sort()).toEqual([...expected].sort());
  });

  it.each([
    "Which browser is best for privacy?",
    "My browser crashes when I open the page",
    "The layout is broken in the browser, why?",
    "When users click the button nothing happens",
    "What is a web page?",
    "Start the browser tests",
    "The tests pass when I start the browser",
    "read the web page component",
    "look up the definition of parseDate",
    "look up the weather function",
    "Which folder is best for components?",
    "I cannot remember the word for this",
    "How much memory does this laptop have?",
    "The latest release is slow",
    "Explain how a parser works",
    "Is Rust faster than Go?",
    "Tell me a joke",
    "I bought it on the internet",
    "The latest news made me sad",
    "Your memories are not mine",
    "我在网上买了一本书",
    "He filed a complaint",
    "Thanks, that was helpful",
    "浏览器是什么？",
    "記憶力を高める方法は？",
    "今天心情不好",
    "コードとは何ですか",
  ])("nothing in: %s", (text) => {
    expect(found(text)).toEqual([]);
  });
});
