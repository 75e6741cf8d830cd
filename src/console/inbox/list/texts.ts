import { textsIn } from "../../texts/texts.ts";

const answers = (count: number) => (count === 1 ? "1 call" : `${count} calls`);

export const texts = textsIn({
  en: {
    list: "What waits",
    yours: "You",
    wrote: (words: string) => `“${words}”`,
    back: "All calls",
    swipeDeny: "Deny",
    swipeOpen: "Open",
    choose: (act: string) => `Choose ${act}`,
    grave: "cannot be taken back",
    chosen: (count: number) => `${answers(count)} chosen`,
    alike: "Choose all of this kind",
    none: "Choose none",
    deny: (count: number) => `Deny ${answers(count)}`,
    approve: (count: number) => `Approve ${answers(count)}`,
    oneByOne: (count: number) =>
      `${count === 1 ? "One of them has" : `${count} of them have`} more to read, or wait${count === 1 ? "s" : ""} for somebody else: to approve, open them one by one.`,
    done: {
      approve: (count: number, act: string | undefined) =>
        `${act === undefined ? answers(count) : `“${act}”`} will be approved.`,
      deny: (count: number, act: string | undefined) =>
        `${act === undefined ? answers(count) : `“${act}”`} will be denied.`,
    },
    whose: "Asked of",
  },
  zh: {
    list: "等待答复",
    yours: "您",
    wrote: (words: string) => `“${words}”`,
    back: "所有调用",
    swipeDeny: "否决",
    swipeOpen: "打开",
    choose: (act: string) => `选择 ${act}`,
    grave: "无法撤回",
    chosen: (count: number) => `已选 ${count} 个调用`,
    alike: "选择所有同类",
    none: "取消选择",
    deny: (count: number) => `否决 ${count} 个调用`,
    approve: (count: number) => `批准 ${count} 个调用`,
    oneByOne: (count: number) => `其中 ${count} 个还有内容要看，或在等别人答复：请逐个打开后批准。`,
    done: {
      approve: (count: number, act: string | undefined) =>
        `将批准${act === undefined ? ` ${count} 个调用` : `“${act}”`}。`,
      deny: (count: number, act: string | undefined) =>
        `将否决${act === undefined ? ` ${count} 个调用` : `“${act}”`}。`,
    },
    whose: "询问对象",
  },
  ja: {
    list: "回答待ち",
    yours: "あなた",
    wrote: (words: string) => `「${words}」`,
    back: "すべての呼び出し",
    swipeDeny: "拒否",
    swipeOpen: "開く",
    choose: (act: string) => `${act} を選ぶ`,
    grave: "取り消せません",
    chosen: (count: number) => `${count} 件を選択中`,
    alike: "同じ種類をすべて選ぶ",
    none: "選択を解除",
    deny: (count: number) => `${count} 件を拒否`,
    approve: (count: number) => `${count} 件を承認`,
    oneByOne: (count: number) =>
      `うち ${count} 件はまだ読む内容があるか、ほかの人への質問です。承認するには一件ずつ開いてください。`,
    done: {
      approve: (count: number, act: string | undefined) =>
        `${act === undefined ? `${count} 件` : `「${act}」`}を承認します。`,
      deny: (count: number, act: string | undefined) =>
        `${act === undefined ? `${count} 件` : `「${act}」`}を拒否します。`,
    },
    whose: "質問先",
  },
});
