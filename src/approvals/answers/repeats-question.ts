/**
 * Whether words only repeat what a question asks: "cancel it" where it says "Cancel the appointment?". Behind a yes they add nothing to
 * it; alone they may mean the call, or that it shall not run. Pure.
 */
import { once } from "../../lib/once.ts";
import type { Approval } from "../approval.ts";
import { describeApproval } from "../disclosure/disclosure.ts";
import { plainWords } from "./message-phrases.ts";

/**
 * Beginnings of the words for one act, in lower case and without accents, as people say it and as tools are called. `call|off`: two
 * words that mean it together, in either order.
 */
const ACTS = [
  "cancel revoke call|off absag sag|ab stornier cancel anul annul 取消 キャンセル 取り消 取消し 취소",
  "delete remove erase drop rm purge trash losch entfern weg wirf borr elimin quit supprim efface enleve 删 刪 移除 削除 消 삭제 지워",
  "send mail email message text sms notify tell forward reply post schick send abschick verschick schreib sag|bescheid envi mand escrib avis envoi envoy ecri 发 發 寄 通知 送 연락 보내",
  "pay transfer charge buy order zahl bezahl uberweis kauf pag transfer compr pay vir achet 付 支付 转 轉 买 支払 払 振込 振り込 결제 송금",
  "refund reimburse back|pay back|give erstatt zuruck zuruck|zahl zuruck|gib reembols devuelv rembours 退 返金 払い戻 환불",
  "book schedule reserve add put enter buch eintrag trag reservier reserv agend inscri 预约 預約 预订 预定 予約 入れ 예약",
  "move reschedule rename mv shift verschieb umbuch benenn muev mov cambi deplac renomm 移 改 変更 変え 옮",
  "update change edit modify set replace patch ander aktualisier pass setz actualiz modific cambi edit met modifi chang 更新 修改 改 変更 更新 編集 직 수정",
  "create make write save new insert append erstell anleg leg schreib speicher cre escrib guard haz ajout cre ecri enregistr 创建 新建 写 寫 保存 作 書 保存 만들 저장",
  "run execute start launch deploy install ausfuhr fuhr start ejecut corr lanz execut lanc 运行 執行 执行 启动 実行 起動 실행",
  "stop close end finish pause schliess beend stopp halt cierr termin par ferm arret 停 关 關 结束 停止 閉 종료",
  "publish share upload merge push commit veroffentlich teil hochlad public compart sub publi partag 发布 分享 上传 公開 共有 게시",
];

/** Words that say nothing about what is done. */
const FILLERS = `it this that them those these the a an one to of for in on at from with by as his her their its my our your me him us now then
  please thanks go ahead and do so just too i we want would like you can may is fine ok okay yes yeah right way ll d s
  es das sie ihn ihm ihr ihnen den die der dem des ein eine einen bitte mal jetzt dann ruhig doch und mach mir uns ab an aus ein raus damit
  zum zur vom im am fur auf mit gern gerne so ja
  lo la los las le les el un una por favor ya ahora entonces y se a de al del si
  l lui leur une il te vous plait alors et au du les moi oui`;

/** Of languages without blanks: they say nothing either. */
const UNSPACED_FILLERS =
  /お願いします|おねがいします|してください|して下さい|ください|下さい|それ|これ|あれ|して|って|します|する|を|に|は|が|の|で|と|よ|ね|し|해주세요|해줘요|해줘|주세요|줘|그거|이거|그걸|이걸|을|를|해|这个|這個|那个|那個|把|它|他|她|给|給|请|請|就|吧|了|的|掉|去|我|是|好|对|對|한/gu;
const UNSPACED = /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}]/u;
const SEPARATORS = /[^\p{L}\p{N}]+/u;

const fillers = once((): ReadonlySet<string> => new Set(FILLERS.split(/\s+/)));
const acts = once((): readonly (readonly string[])[] => ACTS.map((words) => words.split(" ")));

/** Shorter beginnings are whole words. */
const SHORTEST_STEM = 3;
/** What a word may have behind its beginning: "cancelling", "gelöscht" not. */
const LONGEST_END = 5;

const begins = (word: string, stem: string): boolean =>
  word === stem || (stem.length >= SHORTEST_STEM && word.startsWith(stem) && word.length <= stem.length + LONGEST_END);

/** @param said what stands behind a yes, or all of a message. */
export function repeatsQuestion(said: string, approval: Approval): boolean {
  const { asked, act } = askedBy(approval);
  const words = tokensOf(said);
  let [repeated, saysAct, saysOther] = [0, false, false];
  for (const word of words) {
    const isAct = act.some((stem) => means(word, stem, words));
    saysAct ||= isAct;
    if (UNSPACED.test(word)) {
      const rest = withoutStems(
        word,
        [...asked, ...act].filter((one) => UNSPACED.test(one)),
      );
      if (rest.length < word.length) repeated += 1;
      if (rest.replace(UNSPACED_FILLERS, "") !== "") return false;
    } else if (isAct || asked.includes(word) || isInflected(word, asked)) {
      repeated += 1;
      saysOther ||= !isAct && acts().some((stems) => stems.some((stem) => means(word, stem, words)));
    } else if (!fillers().has(word)) return false;
  }
  // "Delete the email?" holds a word for another act: "yes, email it" is no yes to it.
  return repeated > 0 && (saysAct || !saysOther);
}

/** What stands for the call, or for what it is about. */
const PRONOUNS = new Set("it this that es das ihn lo la le ello".split(" "));

/**
 * Whether a wish beside a yes may be about the call itself: "refund 100" where the question is to refund 120, "send it to Anna" where it
 * sends to Bob. A number belongs to the call unless the wish names another act.
 */
export function mayChangeCall(wish: string, approval: Approval): boolean {
  const { asked, act: own } = askedBy(approval);
  // Who pays back pays.
  const act = own.some((stem) => MONEY.has(stem)) ? acts().filter(movesMoney).flat() : own;
  const words = tokensOf(wish);
  const saysAct = words.some((word) => act.some((stem) => means(word, stem, words) || isWithin(word, stem)));
  const others = acts().filter((stems) => !stems.some((stem) => act.includes(stem)));
  const saysOther = others.some((stems) =>
    stems.some((stem) => words.some((word) => means(word, stem, words) || isWithin(word, stem))),
  );
  const hasNumber = words.some((word) => /\p{N}/u.test(word) && !asked.includes(word));
  if (hasNumber && (saysAct || !saysOther)) return true;
  return saysAct && words.some((word) => PRONOUNS.has(word));
}

const MONEY = new Set(["pay", "refund"]);
const movesMoney = (stems: readonly string[]): boolean => stems.some((stem) => MONEY.has(stem));

const isWithin = (word: string, stem: string): boolean => UNSPACED.test(stem) && word.includes(stem);

interface AskedWords {
  /** Those of the question and of the tool's name. */
  readonly asked: readonly string[];
  /** Beginnings of the words for what is done. */
  readonly act: readonly string[];
}

function askedBy(approval: Approval): AskedWords {
  const { title } = describeApproval(approval, "whole");
  const tool = tokensOf((approval.tool.split("__").at(-1) ?? "").replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2"));
  const asked = [...tokensOf(title), ...tool];
  return {
    asked,
    act: acts()
      .filter(actsIn(actWords(tokensOf(title), tool), asked))
      .flat(),
  };
}

/** The words of a question that say what is done: a noun of it ("the payment") may be the word for another act. */
function actWords(title: readonly string[], tool: readonly string[]): readonly string[] {
  // Some languages end with the verb.
  return [title[0] ?? "", tool[0] ?? "", tool.at(-1) ?? "", title.at(-1) ?? ""];
}

/** Whether an act is the one that the question asks about: by the first of these words that means any. */
function actsIn(verbs: readonly string[], asked: readonly string[]): (stems: readonly string[]) => boolean {
  const verb = verbs.find((word) => acts().some((stems) => stems.some((stem) => means(word, stem, asked))));
  const unspaced = asked.filter((word) => UNSPACED.test(word));
  return (stems) =>
    stems.some(
      (stem) =>
        (verb !== undefined && means(verb, stem, asked)) ||
        (UNSPACED.test(stem) && unspaced.some((word) => word.includes(stem))),
    );
}

/** @param beside the words that it stands among. */
function means(word: string, stem: string, beside: readonly string[]): boolean {
  const [first = "", second] = stem.split("|");
  if (second === undefined) return begins(word, first);
  const [hasFirst, hasSecond] = [first, second].map((part) => beside.some((one) => begins(one, part)));
  return (begins(word, first) && hasSecond === true) || (begins(word, second) && hasFirst === true);
}

const tokensOf = (text: string): readonly string[] =>
  plainWords(text)
    .split(SEPARATORS)
    .filter((word) => word !== "");

/** "appointments" for "appointment"; a word with a digit is a value, and stands as it is. */
const isInflected = (word: string, asked: readonly string[]): boolean =>
  word.length >= 4 &&
  !/\p{N}/u.test(word) &&
  asked.some(
    (one) => one.length >= 4 && (begins(word, one) || begins(one, word)) && Math.abs(one.length - word.length) <= 3,
  );

const withoutStems = (word: string, stems: readonly string[]): string =>
  [...stems].sort((one, other) => other.length - one.length).reduce((rest, stem) => rest.replaceAll(stem, ""), word);
