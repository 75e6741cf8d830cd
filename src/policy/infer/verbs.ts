/**
 * Verbs and the effect that a tool has which is named by one. Pure.
 *
 * English verbs stand in their base form; `verbOf` also knows the third person and the form in -ing. A past participle is no
 * verb of the tool: "messages sent to the user". Verbs of other languages stand in the forms that names and descriptions use.
 */
import { lazyRegExp } from "../../lib/once.ts";
import type { InferredEffect } from "./effects.ts";

const english: Readonly<Record<Exclude<InferredEffect, "reach" | "note">, string>> = {
  read: `get list search find read fetch retrieve view show lookup query count check describe return inspect browse display
    track verify validate calculate compute convert compare analyze analyse summarize summarise translate extract estimate predict
    recommend suggest monitor wait detect classify identify locate geocode download obtain access load see watch review preview scan
    determine tell explain evaluate measure filter sort peek whoami provide resolve discover examine look recognize tail head`,
  create: `create add make insert append save store record write compose draft generate log upload import attach copy clone
    duplicate fork register schedule open new build prepare initialize init jot remember remind bookmark highlight annotate plan`,
  change: `update edit modify change set rename move reschedule adjust configure enable disable turn toggle switch mark
    complete archive unarchive restore replace merge assign unassign reassign label tag untag pin unpin mute unmute
    transition rebase squash hover star unstar flag triage increase decrease scale lock arm activate pause resume close reopen patch put upsert sync synchronize escalate freeze unfreeze block unblock
    unfollow unsubscribe unlike leave play skip stop snooze approve amend correct revise reorder resize crop rotate link unlink subscribe
    revert undo redo select commit stage decline reject format mount unmount allocate bind join adopt customize manage control give
    process handle apply acknowledge ack dim brighten reroute redirect hold withhold dispute deny suspend defer postpone extend renew waive unpublish ring beep vibrate`,
  execute: `run execute exec start launch restart reboot deploy trigger invoke call eval install uninstall train
    click type press tap scroll navigate fill drag shutdown kill rollback print dispatch operate simulate`,
  destroy: `delete remove destroy drop erase wipe purge clear empty truncate cancel terminate deactivate discard trash uninstall
    overwrite reset revoke expire dismiss close_account unregister evict prune pop dequeue drain`,
  access: `grant authorize authorise permit allow unlock disarm impersonate login authenticate invite delegate expose
    whitelist elevate ban unban kick expel`,
  send: `send email mail message text sms forward reply respond answer post publish share tweet retweet notify alert announce
    broadcast submit comment react upvote downvote like follow rate vote contact call invite push transmit deliver export report
    file release ping page fax dm complain apply swipe request ask escalate_to`,
  commit: `book reserve hire rent rebook prescribe administer dispense admit discharge enroll enrol sign countersign ship employ recruit
    appoint finalize finalise`,
  pay: `pay transfer buy purchase order checkout refund withdraw deposit donate tip charge trade sell invest bid reimburse redeem lend
    borrow stake swap remit wire settle preorder upgrade spend payout exchange bill debit`,
};

/** Two words of a name or a description that mean something else than the first alone. */
const phrases: ReadonlyMap<string, InferredEffect> = new Map(
  Object.entries<InferredEffect>({
    "look up": "read",
    "look at": "read",
    "check in": "change",
    "check out": "pay",
    "sign up": "send",
    "sign in": "access",
    "log in": "access",
    "log out": "change",
    "set up": "create",
    "write down": "create",
    "opt out": "change",
    "opt in": "change",
    "turn on": "change",
    "turn off": "change",
    "shut down": "execute",
    "tear down": "destroy",
    "make public": "access",
    "make request": "send",
    "place order": "pay",
    "close account": "destroy",
    "disable alarm": "access",
    "take screenshot": "read",
    "navigate to": "reach",
    "go to": "reach",
    "take snapshot": "read",
    "take note": "create",
    "transfer to human": "send",
    "check availability": "read",
    "checkout branch": "change",
  }),
);

/** Whole words of other languages, as they stand in names and at the beginning of descriptions. */
const foreign: Readonly<Partial<Record<InferredEffect, string>>> = {
  read: `abrufen ruft auflisten listet suchen sucht lesen liest zeigen zeigt anzeigen finden findet holen holt laden lädt prüfen prueft prüft
    berechnen berechnet übersetzen übersetzt zusammenfassen
    buscar busca obtener obtiene listar lista leer lee mostrar muestra consultar consulta ver encontrar encuentra calcular calcula
    verificar verifica traducir resumir
    kensaku shutoku hyouji sagasu yomu itiran ichiran chaxun huoqu sousuo duqu`,
  create: `erstellen erstellt anlegen legt hinzufügen hinzufuegen fügt speichern speichert notieren notiert hochladen
    crear crea añadir añade agregar agrega guardar guarda subir anotar
    sakusei tsuika hozon touroku chuangjian tianjia baocun`,
  change: `ändern aendern ändert aktualisieren aktualisiert bearbeiten bearbeitet verschieben verschiebt umbenennen setzen setzt
    einschalten ausschalten aktivieren deaktivieren
    actualizar actualiza modificar modifica cambiar cambia editar edita mover mueve renombrar activar desactivar configurar
    henkou koushin henshuu xiugai gengxin`,
  destroy: `löschen loeschen löscht entfernen entfernt stornieren storniert absagen sagt kündigen kuendigen verwerfen
    eliminar elimina borrar borra quitar cancelar cancela anular
    sakujo torikeshi shanchu quxiao`,
  send: `senden sendet sende schicken schickt verschicken benachrichtigen benachrichtigt antworten antwortet weiterleiten leitet
    veröffentlichen teilen teilt einladen lädt_ein posten
    enviar envía envia mandar manda responder responde reenviar reenvía publicar publica compartir comparte notificar notifica invitar
    soushin henshin tensou kyouyuu toukou tsuuchi fasong zhuanfa huifu fabu fenxiang`,
  commit: `buchen bucht reservieren reserviert verschreiben verschreibt verordnen verordnet unterschreiben unterschreibt einstellen
    anmelden immatrikulieren reservar reserva recetar receta firmar firma contratar contrata matricular matricula yoyaku yuding`,
  pay: `bezahlen bezahlt zahlen zahlt überweisen ueberweisen überweist kaufen kauft bestellen bestellt erstatten
    pagar paga comprar compra transferir transfiere pedir reembolsar ordenar
    shiharai kounyuu soukin chuumon zhifu goumai zhuanzhang tuikuan`,
  execute: "ausführen ausfuehren führt starten startet ejecutar ejecuta iniciar inicia jikkou zhixing yunxing",
  access: "freigeben berechtigen entsperren autorizar autoriza desbloquear conceder",
};

/** Verbs of Chinese and Japanese, which stand anywhere in a text without spaces. */
const unspaced: Readonly<Partial<Record<InferredEffect, string>>> = {
  read: "查询 查詢 获取 獲取 搜索 搜尋 读取 讀取 查看 列出 显示 顯示 检索 查找 翻译 计算 検索 取得 表示 一覧 読み取 調べ 計算 翻訳 確認し",
  create: "创建 創建 新建 添加 新增 保存 记录 記錄 上传 作成 追加 登録 記録し",
  change: "修改 更新 更改 编辑 移动 設定 设置 変更 編集 移動",
  destroy: "删除 刪除 取消 清空 移除 削除 消去 取り消",
  send: "发送 發送 发给 转发 回复 发布 分享 通知 邀请 送信 送り 転送 返信 投稿 共有 招待",
  commit: "预订 預訂 予約 开药 開藥 处方し 処方し 签署 簽署 署名し",
  pay: "支付 付款 转账 轉帳 购买 購買 下单 退款 支払 購入 送金 注文 振込 返金",
  execute: "执行 運行 运行 启动 実行 起動",
  access: "授权 解锁 許可 権限を付与",
};

const split = (words: string): string[] => words.split(/\s+/).filter(Boolean);

/** Where two lists have a word, the later one counts: the effects stand in the order of their harm. */
function indexed(lists: Readonly<Partial<Record<InferredEffect, string>>>): ReadonlyMap<string, InferredEffect> {
  return new Map(
    Object.entries(lists).flatMap(([effect, words]) => split(words).map((word) => [word, effect as InferredEffect])),
  );
}

const englishVerbs = indexed(english);
const foreignVerbs = indexed(foreign);

/** Of a verb in its base form. */
export const effectOfVerb = (verb: string): InferredEffect | undefined => englishVerbs.get(verb);
const unspacedVerbs = [...indexed(unspaced)];

/** Words that are more often a noun, where they do not begin a clause: "the posts of a channel", "a list of orders". */
const alsoNouns: ReadonlySet<string> = new Set(
  split(`access alert answer apply arm ask bid block book build call change charge check comment commit contact copy count display
    deposit discharge dispatch download draft email estimate exchange export fax file filter fill follow format forward label lease leave like link list
    load lock log look mail make mark measure message move name new note open order page pay pin plan play post press preview print process
    provide purchase push query rate record release remind rent reply report request reset respond return review run sale save scale schedule
    search see set share sms sort start stop store subscribe swap switch tag text think tip trade transfer trigger turn tweet type
    transition star flag triage kick ban wait update upgrade upload view vote watch wire withdraw write control handle complete empty clear skip settle stage sign ship
    monitor scan restore pause redeem stake dm fax ping react start fork ring beep pop drain bill debit`),
);

export const isAlsoNoun = (verb: string): boolean => alsoNouns.has(verb);

/** A verb that a text has, in its base form. */
export interface FoundVerb {
  readonly verb: string;
  readonly effect: InferredEffect;
  readonly form: "base" | "third" | "ing";
  /** Its language may put the verb last in a name. */
  readonly foreign?: true;
}

export const isForeign = ({ foreign }: FoundVerb): boolean => foreign === true;

/** @param word in lower case. */
export function verbOf(word: string): FoundVerb | undefined {
  const known = (verb: string, form: FoundVerb["form"]) => {
    const effect = englishVerbs.get(verb);
    return effect && { verb, effect, form };
  };
  const other = foreignVerbs.get(word);
  return (
    known(word, "base") ??
    (other && { verb: word, effect: other, form: "third" as const, foreign: true as const }) ??
    thirdPerson(word)
      .map((verb) => known(verb, "third"))
      .find(Boolean) ??
    presentParticiple(word)
      .map((verb) => known(verb, "ing"))
      .find(Boolean)
  );
}

/** Participles that no rule makes. */
const irregular: ReadonlyMap<string, string> = new Map(
  split(`bid:bid bound:bind bought:buy built:build dealt:deal drawn:draw frozen:freeze given:give held:hold hidden:hide left:leave lent:lend
    made:make overwritten:overwrite paid:pay put:put redone:redo reset:reset rebuilt:rebuild rung:ring run:run rerun:rerun sent:send resent:resend
    set:set shut:shut sold:sell spent:spend taken:take undone:undo unfrozen:unfreeze withdrawn:withdraw withheld:withhold written:write`).map(
    (pair) => pair.split(":") as [string, string],
  ),
);

/** The changing verb whose past participle a word is: "purged", "booked", "sent". @param word in lower case. */
export function participleOf(word: string): { readonly verb: string; readonly effect: InferredEffect } | undefined {
  const stem = word.slice(0, -2);
  const doubled = /(.)\1$/.test(stem) ? [stem.slice(0, -1)] : [];
  const regular = word.endsWith("ied") ? [`${word.slice(0, -3)}y`] : [stem, `${stem}e`, ...doubled];
  const verbs = [irregular.get(word) ?? "", ...(/..ed$/.test(word) ? regular : [])];
  const verb = verbs.find((one) => (englishVerbs.get(one) ?? "read") !== "read");
  const effect = verb === undefined ? undefined : englishVerbs.get(verb);
  return verb !== undefined && effect ? { verb, effect } : undefined;
}

/** "Followed by removal", "with deletion": the noun of a verb that destroys. @param word in lower case. */
export function isDestruction(word: string): boolean {
  const stem = /^(\p{L}{4,})(?:ation|ion|al)$/u.exec(word)?.[1];
  if (stem === undefined) return false;
  const verbs = [
    stem,
    `${stem}e`,
    `${stem}ate`,
    stem.slice(0, -1),
    word.replace(/ion$/, "e"),
    word.replace(/ion$/, ""),
  ];
  return verbs.some((verb) => englishVerbs.get(verb) === "destroy");
}

function thirdPerson(word: string): string[] {
  if (!word.endsWith("s") || word.length < 4) return [];
  const [short, shorter] = [word.slice(0, -1), word.slice(0, -2)];
  return word.endsWith("ies") ? [`${word.slice(0, -3)}y`] : word.endsWith("es") ? [short, shorter] : [short];
}

function presentParticiple(word: string): string[] {
  if (!word.endsWith("ing") || word.length < 6) return [];
  const stem = word.slice(0, -3);
  const doubled = /(.)\1$/.test(stem) ? [stem.slice(0, -1)] : [];
  return [stem, `${stem}e`, ...doubled];
}

const phraseStarts: ReadonlySet<string> = new Set([...phrases.keys()].map((phrase) => phrase.split(" ")[0] ?? ""));

/** The phrase that begins with the word at `at`, whose verb may stand in the third person. */
export function phraseAt(words: readonly string[], at: number): InferredEffect | undefined {
  const first = words[at] ?? "";
  const verb = [first, ...thirdPerson(first)].find((one) => phraseStarts.has(one));
  if (verb === undefined) return undefined;
  for (const length of [3, 2]) {
    const effect = words.length >= at + length && phrases.get([verb, ...words.slice(at + 1, at + length)].join(" "));
    if (effect) return effect;
  }
  return undefined;
}

const cjk = lazyRegExp(String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`, "u");

/** Effects of the verbs in a text without spaces, in the order of the lists. */
export function unspacedEffects(text: string): readonly (readonly [verb: string, effect: InferredEffect])[] {
  return cjk().test(text) ? unspacedVerbs.filter(([verb]) => text.includes(verb)) : [];
}
