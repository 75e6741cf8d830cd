/** Texts of the verification of record chains. */
import { textsIn } from "../texts/texts.ts";

export const sealTexts = textsIn({
  en: {
    check: "Check the seal",
    checking: "Checking …",
    note: "Each record holds the hash of the one before, signed with the gateway's key.",
    whole: (from: number, to: number) => `Records ${from} to ${to} of this user are whole and unaltered.`,
    waiting: (count: number) => (count === 1 ? "1 is not delivered yet." : `${count} are not delivered yet.`),
    empty: "This user has no records.",
    broken: "The chain does not hold:",
    checkpoint: "the checkpoint that retention left does not fit it",
    record: "See this record",
    all: "Verify all users",
    progress: (done: number, of: number) => (of === 0 ? "Checking …" : `Checking ${done + 1} of ${of} …`),
    last: (users: number, broken: number) =>
      broken > 0 ? `${broken} of ${users} chains did not hold,` : `${users} chains were whole,`,
    notWhole: "Not whole",
  },
  zh: {
    check: "检查封印",
    checking: "检查中……",
    note: "每条记录都含有前一条的哈希，并由网关的密钥签名。",
    whole: (from: number, to: number) => `此用户的记录 ${from} 至 ${to} 完整且未被改动。`,
    waiting: (count: number) => `${count} 条尚未送达。`,
    empty: "此用户没有记录。",
    broken: "链条不成立：",
    checkpoint: "保留期留下的检查点与链条不符",
    record: "查看这条记录",
    all: "验证所有用户",
    progress: (done: number, of: number) => (of === 0 ? "检查中……" : `检查中 ${done + 1}/${of}……`),
    last: (users: number, broken: number) =>
      broken > 0 ? `${users} 条链中有 ${broken} 条不成立，` : `${users} 条链完整，`,
    notWhole: "不完整",
  },
  ja: {
    check: "封印を確かめる",
    checking: "確認中…",
    note: "各記録は前の記録のハッシュを持ち、ゲートウェイの鍵で署名されています。",
    whole: (from: number, to: number) => `この利用者の記録 ${from}〜${to} は完全で、改変されていません。`,
    waiting: (count: number) => `${count} 件は未配送です。`,
    empty: "この利用者の記録はありません。",
    broken: "鎖がつながりません：",
    checkpoint: "保存期間が残したチェックポイントと合いません",
    record: "この記録を見る",
    all: "全員の記録を検証",
    progress: (done: number, of: number) => (of === 0 ? "確認中…" : `確認中 ${done + 1}/${of}…`),
    last: (users: number, broken: number) =>
      broken > 0 ? `${users} 本中 ${broken} 本の鎖がつながらず、` : `${users} 本の鎖は完全、`,
    notWhole: "不完全",
  },
});
