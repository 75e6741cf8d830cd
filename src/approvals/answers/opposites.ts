/**
 * Whether a message says the opposite of what a question asks: "yes, turn it on" where it says "Turn off `hall`?". Pure. Such a message is
 * no yes, though it may be made of the question's own words, or be one that is a yes elsewhere ("enable it", "ship it").
 */
import { once } from "../../lib/once.ts";
import { type AskedWords, isWithin, means, UNSPACED, wordsIn } from "./acts.ts";
import { findPhrases } from "./message-phrases.ts";

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

/** "Continue" is a yes to a deletion, and none to a pause. */
const HALTS = `pause paus suspend stop halt end anhalt halt|an beend pausier stopp deten detener termin arret suspen 暂停 暫停 停 止め 中断 中斷 停止 일시 중지 정지 멈`;
const GOES_ON = `continu carry|on keep|going let|rip full|steam weiter weitermach fortfahr fahr|fort fahre|fort fortsetz sigue siga segui contin poursui 继续 繼續 続け 続行 계속`;

/** "Approved" is a yes to a deletion, and may mean the request that is to be rejected. */
const DENIES = `deny deni declin refus reject revok disallow forbid prohibit block ban remov|access remov|permission delet|access delet|permission
  ablehn lehn|ab abgelehn verweiger verbiet widerruf entzieh sperr blockier rechaz deneg denieg nieg revoc prohib bloque rejet revoq interdi
  拒绝 拒絕 否决 驳回 駁回 撤销 撤銷 吊销 禁止 屏蔽 拒否 却下 断 取り消 ブロック 거절 거부 반려 철회 차단`;
const GRANTS = `accept approv allow grant permi authori unblock genehmig erlaub zulass zugelass akzeptier annehm nimm|an freigeb freigegeb gib|frei
  acept aprob aprueb apruebo autoriz conced approuv autoris accord permet
  接受 批准 同意 允许 允許 许可 許可 准许 准許 授权 授權 承認 承諾 受け入れ 認め 승인 허용 허락 수락 동의`;

const pairs = once(() =>
  [
    [ENDS, BEGINS],
    [HALTS, GOES_ON],
    [DENIES, GRANTS],
  ].map((pair) => pair.map((words) => words.trim().split(/\s+/))),
);

/** @param text all of a message, or what stands behind its yes. */
export const saysOpposite = (text: string, asked: AskedWords): boolean =>
  endsOtherwise(text, asked) ||
  pairs().some(([one = [], other = []]) => isOpposite(text, asked, one, other) || isOpposite(text, asked, other, one));

/** "Yes, hall on". Not "go on" and "nur zu", which are a yes, nor the question's own act: "halt ihn an". */
function endsOtherwise(text: string, { titleWords, toolWords, acts }: AskedWords): boolean {
  if (acts.has("delete") || acts.has("cancel") || findPhrases(text) !== undefined) return false;
  const asked = [...titleWords, ...toolWords];
  const said = wordsIn(text);
  const last = said.at(-1) ?? "";
  const [[ends = [], begins = []] = []] = pairs();
  const otherwise = (own: readonly string[]) => says(asked, own) && !says(said, own);
  return (
    (otherwise(ends) && /^(?:on|an|ein|auf)$/.test(last)) || (otherwise(begins) && /^(?:off|aus|ab|zu)$/.test(last))
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
