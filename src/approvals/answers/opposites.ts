/**
 * Whether a message says the opposite of what a question asks: "yes, turn it on" where it says "Turn off `hall`?". Pure. Such a message is
 * no yes, though it may be made of the question's own words, or be one that is a yes elsewhere ("enable it", "ship it").
 */
import { once } from "../../lib/once.ts";
import { type AskedWords, isWithin, means, UNSPACED, wordsIn } from "./acts.ts";

/** Words that end, close or take away something, and words that begin, open or bring it back. As in `src/lib/acts/spoken-acts.ts`. */
const ENDS = `turn|off switch|off shut|off shut|down power|off disabl deactivat paus suspend stop end halt close shut lock block mute cancel delet remov
  ausmach ausschalt abschalt mach|aus schalt|aus schalt|ab mach|zu deaktivier pausier stopp anhalt halt|an beend schliess zumach sperr verriegel losch entfern storn
  apag desactiv paus deten detener termin cierr cerrar bloque cancel borr elimin quit
  etein eteign desactiv suspen arret ferm verrouill annul supprim
  关 關 停 锁 鎖 禁用 取消 删 刪 閉 消し オフ 無効 止め 削除 中止 끄 꺼 닫 잠 비활성 중지 정지 멈 취소 삭제`;
const BEGINS = `turn|on switch|on power|on start|up enabl activat reactivat resum unpaus start restart launch open reopen unlock unblock unmute run ship deploy
  anmach anschalt einschalt mach|an schalt|an schalt|ein mach|auf aktivier reaktivier fortsetz setz|fort start offn aufmach entsperr aufsperr entriegel
  enciend encend prend activ reactiv reanud arranc inici abr reabr desbloque
  allum rallum activ reactiv repren demarr redemarr lanc relanc ouvr rouvr deverrouill debloqu
  打开 打開 开启 開啟 开吧 开灯 启用 啟用 启动 啟動 激活 恢复 恢復 继续 解锁 解鎖 開け 開い つけ 点け オン 有効 起動 開始 再開 켜 열 활성 시작 재개`;

const stems = once(() => [ENDS, BEGINS].map((words) => words.trim().split(/\s+/)));

/** @param text all of a message, or what stands behind its yes. */
export function saysOpposite(text: string, asked: AskedWords): boolean {
  const [ends = [], begins = []] = stems();
  return isOpposite(text, asked, ends, begins) || isOpposite(text, asked, begins, ends) || endsOtherwise(text, asked);
}

/** "Yes, hall on". Of a lamp: "yes, go on" may well delete. */
function endsOtherwise(text: string, { titleWords, toolWords, acts }: AskedWords): boolean {
  if (acts.has("delete") || acts.has("cancel")) return false;
  const asked = [...titleWords, ...toolWords];
  const last = wordsIn(text).at(-1) ?? "";
  const [ends = [], begins = []] = stems();
  return (
    (says(asked, ends) && /^(?:on|an|ein|auf)$/.test(last)) || (says(asked, begins) && /^(?:off|aus|ab|zu)$/.test(last))
  );
}

function isOpposite(
  text: string,
  { titleWords, toolWords, questionWords }: AskedWords,
  own: readonly string[],
  other: readonly string[],
): boolean {
  if (!says([...titleWords, ...toolWords], own)) return false;
  const said = wordsIn(text).map((word) => (UNSPACED.test(word) ? without(word, own) : word));
  // "Yes, stop `run-5`": a value may hold any word, if the act is named beside it.
  const known = says(wordsIn(text), own) ? questionWords : [...titleWords, ...toolWords];
  return said.some((word) => !known.includes(word) && saysOne(word, other, said));
}

const says = (words: readonly string[], all: readonly string[]): boolean =>
  words.some((word) => saysOne(word, all, words));

const saysOne = (word: string, all: readonly string[], beside: readonly string[]): boolean =>
  all.some((stem) => means(word, stem, beside) || isWithin(word, stem));

/** 비활성 holds 활성. */
const without = (word: string, own: readonly string[]): string =>
  own.reduce((rest, stem) => (UNSPACED.test(stem) ? rest.replaceAll(stem, " ") : rest), word);
