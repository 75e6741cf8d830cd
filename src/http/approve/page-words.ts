/** What the pages of a signed link say besides the disclosure, in each of its languages. Pure. */
import type { ApprovalStatus, Channel } from "../../approvals/approval.ts";
import type { Language } from "../../approvals/disclosure/disclosed.ts";

type Decided = Exclude<ApprovalStatus, "pending">;

/** Why a link or a form is not taken. */
export type Refusal = "link_invalid" | "link_expired" | "form_invalid" | "form_elsewhere" | "unavailable";

export interface PageWords {
  /** Holds nothing of the call: previews of links show it. */
  readonly title: string;
  readonly answersAs: (user: string, tenant: string) => string;
  readonly arguments: string;
  readonly noArguments: string;
  /** What who approves says of values that scroll. */
  readonly read: (names: readonly string[]) => string;
  /** Of a first use: what is allowed beyond this call. */
  readonly enable: Readonly<Record<"session" | "lasting", (tool: string) => string>>;
  readonly changes: string;
  readonly added: string;
  readonly removed: string;
  readonly asked: string;
  readonly until: string;
  readonly left: (time: string) => string;
  readonly learnMore: string;
  readonly reason: string;
  readonly approve: string;
  readonly deny: string;
  /** Heading and text once it is decided. */
  readonly decided: Readonly<Record<Decided, readonly [heading: string, text: string]>>;
  /** Of a call that is a step of a plan: where it goes on, and what became of it where the plan was cancelled. */
  readonly plan: Readonly<Record<"goesOn" | "cancelled", string>>;
  /** Where the call goes on, once it is approved. */
  readonly goesOn: Readonly<Record<Channel, string>>;
  readonly answeredAt: string;
  readonly reasonGiven: string;
  readonly refusals: Readonly<Record<Refusal, readonly [heading: string, text: string]>>;
}

const en: PageWords = {
  title: "A call waits for an answer",
  answersAs: (user, tenant) => `You answer as ${user} (${tenant})`,
  arguments: "With these values",
  noArguments: "It takes no values.",
  read: (names) => `I have looked at all of ${names.join(", ")}.`,
  enable: {
    session: (tool) => `Also enable ${tool} for this session`,
    lasting: (tool) => `Also enable ${tool} from now on, until I withdraw it`,
  },
  changes: "What changes",
  added: "added",
  removed: "removed",
  asked: "Asked",
  until: "Can be answered until",
  left: (time) => `${time} left`,
  learnMore: "Learn more",
  reason: "Reason, if you deny (optional)",
  approve: "Approve",
  deny: "Deny",
  decided: {
    approved: ["Approved", "This one call may run, once."],
    denied: ["Denied", "The call does not run. The assistant is told."],
    expired: ["Expired", "Nobody answered in time, so the call does not run. Nothing was changed."],
    cancelled: ["Cancelled", "The conversation went on without this call. It does not run."],
  },
  plan: {
    goesOn: "It runs when the plan goes on.",
    cancelled: "Its plan was cancelled. It does not run.",
  },
  goesOn: {
    inline: "Go back to the chat and write “continue” there: then it runs.",
    hold: "The chat goes on by itself.",
    native: "It runs when the app goes on.",
  },
  answeredAt: "Answered",
  reasonGiven: "Reason",
  refusals: {
    link_invalid: [
      "This link is not valid",
      "It was changed, cut off, or is of a key that is no longer used. Nothing was changed.",
    ],
    link_expired: ["This link has expired", "The time to answer with it is over. Nothing was changed just now."],
    form_invalid: [
      "That answer could not be read",
      "Open the link again, and choose Approve or Deny. Nothing was changed.",
    ],
    form_elsewhere: [
      "That answer came from another page",
      "Only the page of the link itself may answer. Nothing was changed.",
    ],
    unavailable: [
      "This cannot be reached just now",
      "Open the link again in a moment, to see whether it was answered.",
    ],
  },
};

const zh: PageWords = {
  title: "有一个操作等待答复",
  answersAs: (user, tenant) => `您将以 ${user}（${tenant}）的身份答复`,
  arguments: "使用以下参数",
  noArguments: "没有参数。",
  read: (names) => `我已查看 ${names.join("、")} 的全部内容。`,
  enable: {
    session: (tool) => `同时在本次会话中启用 ${tool}`,
    lasting: (tool) => `同时从现在起启用 ${tool}，直到我撤回为止`,
  },
  changes: "将发生的更改",
  added: "新增",
  removed: "删除",
  asked: "提问时间",
  until: "答复截止时间",
  left: (time) => `剩余 ${time}`,
  learnMore: "了解更多",
  reason: "拒绝的理由（可选）",
  approve: "批准",
  deny: "拒绝",
  decided: {
    approved: ["已批准", "这一次操作可以执行，仅限一次。"],
    denied: ["已拒绝", "该操作不会执行，助手会得知您的决定。"],
    expired: ["已过期", "没有及时收到答复，该操作不会执行。没有任何更改。"],
    cancelled: ["已取消", "对话已继续进行，该操作不会执行。"],
  },
  plan: { goesOn: "计划继续时执行。", cancelled: "所属计划已取消，该操作不会执行。" },
  goesOn: {
    inline: "请回到对话中输入“继续”，操作随后执行。",
    hold: "对话会自动继续。",
    native: "应用继续时执行。",
  },
  answeredAt: "答复时间",
  reasonGiven: "理由",
  refusals: {
    link_invalid: ["此链接无效", "链接被改动、不完整，或所用密钥已停用。没有任何更改。"],
    link_expired: ["此链接已过期", "已超过答复时间。此次没有任何更改。"],
    form_invalid: ["无法读取该答复", "请重新打开链接，选择“批准”或“拒绝”。没有任何更改。"],
    form_elsewhere: ["该答复来自其他页面", "只能在链接自身的页面上答复。没有任何更改。"],
    unavailable: ["暂时无法访问", "请稍后重新打开链接，查看是否已经答复。"],
  },
};

const ja: PageWords = {
  title: "回答待ちの操作があります",
  answersAs: (user, tenant) => `${user}（${tenant}）として回答します`,
  arguments: "使用する値",
  noArguments: "値はありません。",
  read: (names) => `${names.join("、")} の内容をすべて確認しました。`,
  enable: {
    session: (tool) => `このセッションで ${tool} を有効にする`,
    lasting: (tool) => `取り消すまで、今後も ${tool} を有効にする`,
  },
  changes: "変更内容",
  added: "追加",
  removed: "削除",
  asked: "質問日時",
  until: "回答期限",
  left: (time) => `残り ${time}`,
  learnMore: "詳細",
  reason: "拒否する理由（任意）",
  approve: "承認",
  deny: "拒否",
  decided: {
    approved: ["承認済み", "この操作を一度だけ実行できます。"],
    denied: ["拒否済み", "操作は実行されません。アシスタントに伝えられます。"],
    expired: ["期限切れ", "期限までに回答がなかったため、操作は実行されません。何も変更されていません。"],
    cancelled: ["取り消し済み", "会話が先に進んだため、この操作は実行されません。"],
  },
  plan: {
    goesOn: "計画が続行すると実行されます。",
    cancelled: "計画が取り消されたため、この操作は実行されません。",
  },
  goesOn: {
    inline: "チャットに戻って「続けて」と入力すると実行されます。",
    hold: "チャットは自動的に続きます。",
    native: "アプリが続行すると実行されます。",
  },
  answeredAt: "回答日時",
  reasonGiven: "理由",
  refusals: {
    link_invalid: [
      "このリンクは無効です",
      "変更されたか、途中で切れているか、使われなくなった鍵のものです。何も変更されていません。",
    ],
    link_expired: ["このリンクは期限切れです", "回答の期限が過ぎています。今回は何も変更されていません。"],
    form_invalid: [
      "回答を読み取れませんでした",
      "リンクを開き直し、「承認」か「拒否」を選んでください。何も変更されていません。",
    ],
    form_elsewhere: ["別のページからの回答です", "回答できるのはリンクのページ自身だけです。何も変更されていません。"],
    unavailable: ["現在アクセスできません", "しばらくしてからリンクを開き直し、回答されたか確認してください。"],
  },
};

export const pageWords: Readonly<Record<Language, PageWords>> = { en, zh, ja };
