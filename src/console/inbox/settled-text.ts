/** Texts for the outcome of a call that was answered elsewhere, or that no longer waits. */

import type { ApprovalView } from "../../api-views/approval-views.ts";
import type { AnswerAction } from "../../approvals/approval.ts";
import { texts as common, textsIn, when } from "../texts/texts.ts";

const inEnglish = {
  approved: (by: string, time: string) => `Already approved${by && ` by ${by}`}${time && ` at ${time}`}.`,
  edited: (by: string, time: string) => `Already approved with changes${by && ` by ${by}`}${time && ` at ${time}`}.`,
  denied: (by: string, time: string) => `Already denied${by && ` by ${by}`}${time && ` at ${time}`}.`,
  cancelled: (tool: string) => `${tool} waits no more: the conversation went on without it.`,
  label: "Waits no more",
  notCounted: {
    approve: "Your yes did not count.",
    deny: "Your no did not count.",
    edit: "Your changes did not count.",
  },
  several: (count: number) => `${count} calls were answered before; your answer to them did not count.`,
  stillWaits: (count: number) =>
    count === 1 ? "1 call was not answered; it still waits." : `${count} calls were not answered; they still wait.`,
};

const texts = textsIn<typeof inEnglish>({
  en: inEnglish,
  zh: {
    approved: (by, time) => `已批准${by && `，由 ${by}`}${time && `，${time}`}。`,
    edited: (by, time) => `已按修改批准${by && `，由 ${by}`}${time && `，${time}`}。`,
    denied: (by, time) => `已否决${by && `，由 ${by}`}${time && `，${time}`}。`,
    cancelled: (tool) => `${tool} 不再等待：对话已继续，未用此调用。`,
    label: "不再等待",
    notCounted: { approve: "您的同意未生效。", deny: "您的否决未生效。", edit: "您的修改未生效。" },
    several: (count) => `${count} 个调用此前已答复；您的答复未生效。`,
    stillWaits: (count) => `${count} 个调用未能答复，仍在等待。`,
  },
  ja: {
    approved: (by, time) => `${by && `${by} が`}${time && ` ${time} に`}すでに承認しています。`,
    edited: (by, time) => `${by && `${by} が`}${time && ` ${time} に`}すでに編集して承認しています。`,
    denied: (by, time) => `${by && `${by} が`}${time && ` ${time} に`}すでに拒否しています。`,
    cancelled: (tool) => `${tool} はもう待っていません：会話はこの呼び出しなしで進みました。`,
    label: "もう待っていません",
    notCounted: {
      approve: "承認は反映されませんでした。",
      deny: "拒否は反映されませんでした。",
      edit: "編集は反映されませんでした。",
    },
    several: (count) => `${count} 件はすでに回答済みです。今回の回答は反映されませんでした。`,
    stillWaits: (count) => `${count} 件に回答できませんでした。まだ待っています。`,
  },
});

export function settledText({ status, tool, answer, answered_at }: ApprovalView): string {
  if (status === "expired") return common.expired.announced(tool);
  if (status !== "approved" && status !== "denied") return texts.cancelled(tool);
  const how = answer?.action === "edit" ? "edited" : status;
  return texts[how](answer?.by ?? "", answered_at ? when(answered_at) : "");
}

export const settledLabel = ({ status }: ApprovalView): string =>
  status === "expired" ? common.expired.label : texts.label;

/** The text for an answer that came too late: the outcome that counts instead. */
export function lateText(found: ApprovalView, action: AnswerAction): string {
  const isAnswered = found.status === "approved" || found.status === "denied";
  const same = action !== "edit" && found.answer?.action === action;
  return same || !isAnswered ? settledText(found) : `${settledText(found)} ${texts.notCounted[action]}`;
}

/** The text for answers to several calls. */
export function failedText(late: readonly ApprovalView[], waiting: number, action: AnswerAction): string {
  const [first] = late;
  return [
    ...(first ? [late.length === 1 ? lateText(first, action) : texts.several(late.length)] : []),
    ...(waiting > 0 ? [texts.stillWaits(waiting)] : []),
  ].join(" ");
}
