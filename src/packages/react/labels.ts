/** The component's own texts. The question's text comes from the gateway, in the language of the conversation. */
export interface ToolApprovalLabels {
  readonly approve: string;
  readonly deny: string;
  readonly edit: string;
  readonly back: string;
  readonly approveEdited: string;
  readonly reason: string;
  readonly denyNow: string;
  readonly values: string;
  readonly noValues: string;
  readonly reveal: string;
  readonly hidden: string;
  readonly notJson: string;
  readonly always: string;
  readonly approved: string;
  readonly denied: string;
  readonly until: (time: string) => string;
  readonly enable: (tool: string, how: "session" | "withdrawn") => string;
  readonly endorse: (tool: string) => string;
}

const en: ToolApprovalLabels = {
  approve: "Approve",
  deny: "Deny",
  edit: "Edit",
  back: "Back",
  approveEdited: "Approve as edited",
  reason: "Why not? (optional; the assistant is told)",
  denyNow: "Deny",
  values: "With these values",
  noValues: "Without any values.",
  reveal: "Reveal",
  hidden: "hidden",
  notJson: "This must be JSON.",
  always: "Do not ask again in this conversation",
  approved: "Approved",
  denied: "Denied",
  until: (time) => `Waits until ${time}`,
  enable: (tool, how) =>
    how === "session"
      ? `Also enable ${tool} for this conversation`
      : `Also enable ${tool} from now on, until I withdraw it`,
  endorse: (tool) =>
    `Also accept other addresses, names and numbers from this result of ${tool} for this task, without asking again`,
};

const zh: ToolApprovalLabels = {
  approve: "批准",
  deny: "拒绝",
  edit: "编辑",
  back: "返回",
  approveEdited: "按编辑后批准",
  reason: "为什么拒绝？（可选，助手会得知）",
  denyNow: "拒绝",
  values: "使用以下值",
  noValues: "没有任何值。",
  reveal: "显示",
  hidden: "已隐藏",
  notJson: "必须是 JSON。",
  always: "本次对话中不再询问",
  approved: "已批准",
  denied: "已拒绝",
  until: (time) => `等待至 ${time}`,
  enable: (tool, how) =>
    how === "session" ? `同时在本次对话中启用 ${tool}` : `同时从现在起启用 ${tool}，直到我撤回为止`,
  endorse: (tool) => `本任务中也可使用 ${tool} 此结果里的其他地址、姓名和数字，不再询问`,
};

const ja: ToolApprovalLabels = {
  approve: "承認",
  deny: "拒否",
  edit: "編集",
  back: "戻る",
  approveEdited: "編集して承認",
  reason: "理由（任意。アシスタントに伝わります）",
  denyNow: "拒否",
  values: "次の値で",
  noValues: "値はありません。",
  reveal: "表示",
  hidden: "非表示",
  notJson: "JSON で入力してください。",
  always: "この会話では今後確認しない",
  approved: "承認しました",
  denied: "拒否しました",
  until: (time) => `${time} まで待ちます`,
  enable: (tool, how) =>
    how === "session" ? `この会話で ${tool} を有効にする` : `取り消すまで、今後も ${tool} を有効にする`,
  endorse: (tool) => `このタスクでは ${tool} のこの結果にあるほかの宛先・名前・数値も確認なしで使う`,
};

const languages = new Map([
  ["en", en],
  ["zh", zh],
  ["ja", ja],
]);

export const labelsFor = (language: string | undefined, own: Partial<ToolApprovalLabels> = {}): ToolApprovalLabels => ({
  ...(languages.get(language ?? "en") ?? en),
  ...own,
});
