/** The words for what a call does, in seven languages: "cancel", "stornieren", "取消". Pure. */
import { once } from "../../lib/once.ts";
import { proseParts } from "../../lib/text/prose.ts";
import { isOpposing, joinsActs, undoingWord } from "../../lib/text/tool-verb.ts";
import type { Approval } from "../approval.ts";
import { describeApproval } from "../disclosure/disclosure.ts";
import { plainWords } from "./message-phrases.ts";

/**
 * Beginnings of the words for one act, in lower case and without accents, as people say it and as tools are called. `call|off`: two
 * words that mean it together, in either order.
 */
const ACTS = {
  cancel: "cancel revoke call|off absag sag|ab stornier anul annul 取消 キャンセル 取り消 取消し 취소",
  delete:
    "delete remove erase drop rm purge trash losch entfern weg wirf borr elimin quit supprim efface enleve 删 刪 移除 削除 消 삭제 지워",
  send: "send mail email message text sms notify tell forward reply post schick abschick verschick schreib sag|bescheid envi mand escrib avis envoi envoy ecri 发 發 寄 通知 送 연락 보내",
  pay: "pay transfer charge buy order zahl bezahl uberweis kauf pag compr vir achet 付 支付 转 轉 买 支払 払 振込 振り込 결제 송금",
  refund:
    "refund reimburse back|pay back|give erstatt zuruck zuruck|zahl zuruck|gib reembols devuelv rembours 退 返金 払い戻 환불",
  book: "book schedule reserve add put enter buch eintrag trag reservier reserv agend inscri 预约 預約 预订 预定 予約 入れ 예약",
  move: "move reschedule rename mv shift verschieb umbuch benenn muev mov cambi deplac renomm 移 改 変更 変え 옮",
  update:
    "update change edit modify set replace patch ander aktualisier pass setz actualiz modific cambi met modifi chang 更新 修改 改 変更 編集 직 수정",
  create:
    "create make write save new insert append erstell anleg leg schreib speicher cre escrib guard haz ajout ecri enregistr 创建 新建 写 寫 保存 作 書 만들 저장",
  run: "run execute start launch deploy install ausfuhr fuhr ejecut corr lanz execut lanc 运行 執行 执行 启动 実行 起動 실행",
  stop: "stop close end finish pause schliess beend stopp halt cierr termin par ferm arret 停 关 關 结束 停止 閉 종료",
  copy: "copy duplicate clone kopier duplizier copi duplic 复制 複製 コピー 복사",
  reject: "reject decline ablehn lehn|ab rechaz declin refus 拒绝 拒絕 拒否 却下 거절",
  undo: "undo revert abort rollback ruckgangig deshac 撤销 撤銷 元に戻 되돌",
  publish:
    "publish share upload merge push commit veroffentlich teil hochlad public compart sub publi partag 发布 分享 上传 公開 共有 게시",
} as const;

export type Act = keyof typeof ACTS;

const acts = once((): ReadonlyMap<Act, readonly string[]> => {
  const names = Object.keys(ACTS) as Act[];
  return new Map(names.map((name) => [name, ACTS[name].split(" ")]));
});

export const stemsOf = (names: Iterable<Act>): readonly string[] =>
  [...names].flatMap((name) => acts().get(name) ?? []);

export interface AskedWords {
  /** Those of the question and of the tool's name. */
  readonly questionWords: readonly string[];
  /** Those of the question that are no values. */
  readonly titleWords: readonly string[];
  /** The word for what is done, where there is one. */
  readonly verb: string | undefined;
  /** What is done. */
  readonly acts: ReadonlySet<Act>;
  /** The tool's name holds several acts, or takes one back: an order to do one of them is no yes. */
  readonly isMixed: boolean;
}

export const askedBy = (approval: Approval): AskedWords =>
  askedIn(describeApproval(approval, "whole").title, approval.tool);

/** @param title of the question: its values stand as code. */
export function askedIn(title: string, toolName = ""): AskedWords {
  // A file may be called `send.txt`.
  const titleWords = proseParts(title).flatMap(({ text, isCode }) => (isCode ? [] : wordsIn(text)));
  const tool = wordsIn((toolName.split("__").at(-1) ?? "").replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2"));
  const questionWords = [...wordsIn(title), ...tool];
  const verb = verbIn(titleWords, tool, questionWords);
  const unspaced = [...titleWords, ...tool].filter((word) => UNSPACED.test(word));
  const inTitle = [...acts()].flatMap(([name, stems]) =>
    stems.some((stem) => unspaced.some((word) => isWithin(word, stem))) ? [name] : [],
  );
  const own = verb === undefined ? [] : actsOf(verb, questionWords);
  return {
    questionWords,
    titleWords,
    verb,
    acts: new Set([...own, ...inTitle]),
    isMixed: joinsActs(tool) || undoingWord(tool) !== undefined,
  };
}

/** A noun of the question ("the payment") may be the word for another act. Some languages end with the verb. */
function verbIn(title: readonly string[], tool: readonly string[], beside: readonly string[]): string | undefined {
  if (joinsActs(tool)) return undefined;
  const first = [title[0] ?? "", tool[0] ?? ""];
  const undoing = undoingWord(tool);
  if (undoing !== undefined) {
    // "Pay it" is no yes to `payment_cancel`.
    const own = actsOf(undoing, beside);
    return [...first, undoing, title.at(-1) ?? ""].find((word) =>
      actsOf(word, beside).some((act) => own.includes(act)),
    );
  }
  // To reject a refund is not to refund.
  const ends = first.some(isOpposing) ? first : [...first, tool.at(-1) ?? "", title.at(-1) ?? ""];
  return ends.find((word) => actsOf(word, beside).length > 0);
}

/** The acts that a word may mean. @param beside the words that it stands among. */
export const actsOf = (word: string, beside: readonly string[]): readonly Act[] =>
  [...acts()].flatMap(([name, stems]) => (stems.some((stem) => means(word, stem, beside)) ? [name] : []));

/** Whether a text names an act. @param text plain words. */
export function saysAct(text: string, act: Act): boolean {
  const words = wordsIn(text);
  return stemsOf([act]).some((stem) => words.some((one) => means(one, stem, words) || isWithin(one, stem)));
}

/** Of languages without blanks, where a word stands within others. */
export const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u;
export const isWithin = (word: string, stem: string): boolean => UNSPACED.test(stem) && word.includes(stem);

/** Shorter beginnings are whole words. */
const SHORTEST_STEM = 3;
/** What a word may have behind its beginning: "cancelling", "gelöscht" not. */
const LONGEST_END = 5;

export const begins = (word: string, stem: string): boolean =>
  word === stem || (stem.length >= SHORTEST_STEM && word.startsWith(stem) && word.length <= stem.length + LONGEST_END);

/** @param beside the words that it stands among. */
export function means(word: string, stem: string, beside: readonly string[]): boolean {
  const [first = "", second] = stem.split("|");
  if (second === undefined) return begins(word, first);
  const [hasFirst, hasSecond] = [first, second].map((part) => beside.some((one) => begins(one, part)));
  return (begins(word, first) && hasSecond === true) || (begins(word, second) && hasFirst === true);
}

/** `14:30` and `1,000.50` are one word: their parts are other values. */
const WORD = /[\p{L}\p{N}]+(?:(?<=\p{N})[.,:/-](?=\p{N})[\p{L}\p{N}]+)*/gu;

/** In lower case, without accents. */
export const wordsIn = (text: string): readonly string[] => plainWords(text).match(WORD) ?? [];
