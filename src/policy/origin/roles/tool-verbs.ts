/**
 * What a tool does, read from the verbs of its name and, where that has none, of its description's first sentence. Pure.
 * The name of a tool that the policy does not list is a stranger's choice: callers use this to be stricter, never looser.
 */
import { isCjkWord, nameWords, singulars } from "./name-words.ts";

/**
 * - `destroy`, `commit`, `pay`, `access`: what it does to its object cannot simply be taken back: deletes or cancels it, makes
 *   it binding or public, spends on it, gives somebody access to it.
 * - `send`: something reaches somebody.
 * - `deliver`: something reaches a place.
 * - `change`, `create`, `read`: as they say.
 * - `execute`: runs what an argument says.
 */
export type ToolEffect =
  | "destroy"
  | "commit"
  | "pay"
  | "access"
  | "send"
  | "deliver"
  | "change"
  | "create"
  | "read"
  | "execute";

/** Words that are hardly ever nouns in a tool's name. */
const VERBS: Readonly<Record<ToolEffect, string>> = {
  destroy:
    "delete remove cancel drop erase purge clear wipe revoke disable uninstall terminate kill overwrite reset unsubscribe reject void " +
    "truncate destroy unpublish discard trash rm del empty shred dismiss ban evict expire deactivate close replace unlink uninvite prune " +
    "loschen loesche loesch losche entfernen entferne stornieren storniere abbrechen kundigen kuendigen eliminar borrar quitar cancelar anular vaciar " +
    "elimina eliminare cancella cancellare rimuovi rimuovere annulla annullare disdici excluir exclua apagar apague remover supprimer supprime annuler " +
    "usun usunac skasuj anuluj verwijder verwijderen annuleer удалить удали отменить отмени",
  commit:
    "merge push deploy publish approve sign submit reserve accept confirm rollback migrate install activate enable " +
    "apply enroll register return exchange manage book rent hire restart shutdown reboot veroffentlichen veroeffentlichen buchen buche bestatigen bestaetigen " +
    "freigeben publicar aprobar firmar confirmar reservar desplegar",
  pay:
    "pay buy purchase order charge checkout refund withdraw deposit donate spend sell bid trade remit reimburse payout " +
    "bezahlen bezahle zahlen zahle uberweisen ueberweisen uberweise ueberweise kaufen kaufe bestellen bestelle pagar comprar transferir vender " +
    "paga pagare comprare bonifica acquista pague compre payer acheter virer zaplac kup betaal betalen оплатить оплати перевести переведи купить купи",
  access:
    "share grant invite authorize authorise permit unlock allow unblock whitelist impersonate delegate assign asignar zuweisen attribuer assegnare atribuir expose follow unfollow join " +
    "teilen teile einladen erlauben compartir invitar autorizar conceder",
  send:
    "send forward notify email mail message sms call dial tweet reply broadcast upload share invite transmit dispatch contact submit escalate dm ping transfer request ask " +
    "senden sende schicken schicke weiterleiten antworten enviar envia reenviar responder notificar",
  deliver: "ship deliver dispatch move navigate drive fly liefern versenden entregar",
  change:
    "commit update edit modify set write change rename move patch put append add save store upsert insert reschedule schedule toggle adjust " +
    "mark pin star archive complete finish organize organise like unlike play click input leave label tag sort transfer tick resize increment sync import convert configure " +
    "andern aendern bearbeiten schreiben speichern actualizar editar modificar cambiar guardar escribir",
  create:
    "create make new generate draft compose open build init start initiate place erstellen erstelle anlegen crear generar",
  read:
    "get list search find read fetch lookup look query view show describe count browse check retrieve summarize summarise analyze " +
    "analyse inspect stat grep glob ls cat head tail download export lesen lies suchen suche zeigen finden abrufen buscar leer obtener listar mostrar consultar",
  execute: "run execute exec eval invoke interpret ausfuhren ausfuehren ejecutar",
};

/** Verbs that are as often nouns: they count at the beginning of a name, after a light verb, or where no other verb stands. */
const NOUNS_TOO = new Set(
  (
    "email mail message sms call tweet reply contact order book transfer charge trade bid share return exchange deposit refund " +
    "payout commit merge push sign post reserve log view check count search list query store set new draft open build " +
    "label tag sort leave dispatch input like request ask start move mark pin star archive import export update schedule fetch look head tail cat stat dm ping drive empty " +
    "close reset void register release access place make change replace"
  ).split(" "),
);

/** Verbs that say nothing without their noun: `create_payment` pays. */
const LIGHT = new Set([
  "create",
  "make",
  "new",
  "place",
  "do",
  "initiate",
  "start",
  "issue",
  "process",
  "submit",
  "perform",
  "add",
]);

/** What changes of these are payments, whatever the verb is: `update_scheduled_transaction`. */
const MONEY = new Set(
  (
    "transaction payment payout fund money salary wire invoice charge purchase stock ether crypto " +
    "uberweisung ueberweisung zahlung pago transferencia"
  ).split(" "),
);

/** Nouns that make a light verb grave. */
const NOUN_EFFECTS: Readonly<Record<string, ToolEffect>> = {
  order: "pay",
  purchase: "pay",
  transfer: "pay",
  booking: "pay",
  reservation: "commit",
  bid: "pay",
  share: "access",
  invite: "access",
  invitation: "access",
  access: "access",
  permission: "access",
  collaborator: "access",
  member: "access",
  guest: "access",
  release: "commit",
  deployment: "commit",
  link: "access",
  credit: "pay",
  voucher: "pay",
  message: "send",
  email: "send",
  mail: "send",
  reply: "send",
  comment: "send",
  post: "commit",
  tweet: "commit",
};

/** In the order in which they are looked for; each one that fits counts. */
const CJK_VERBS: readonly (readonly [ToolEffect, string])[] = [
  ["destroy", "删除 移除 取消 清空 撤销 解除 重置 削除 消去 破棄 取り消し キャンセル 取消 初期化"],
  ["pay", "支付 付款 转账 购买 下单 退款 汇款 送金 振込 支払 購入 注文 返金 決済"],
  ["commit", "提交 发布 批准 确认 预订 部署 公開 承認 確定 予約 投稿 デプロイ"],
  ["access", "分配 割り当て 分享 共享 授权 邀请 共有 招待 許可"],
  ["send", "发送 转发 回复 通知 邮件发 送信 転送 返信 連絡"],
  ["change", "修改 更新 编辑 添加 写入 保存 変更 編集 追加 書き込 保存"],
  ["create", "创建 新建 生成 作成 新規"],
  ["execute", "执行 运行 実行"],
  ["read", "查询 搜索 获取 读取 查看 列出 検索 取得 参照 読み 一覧 表示"],
];

const PUBLISHING = new Set(["post", "tweet", "retweet", "publish", "repost", "blog"]);

export function toolEffects(name: string, description = ""): ReadonlySet<ToolEffect> {
  const byName = effectsOf(nameWords(name));
  if (byName.size > 0) return byName;
  const [sentence = ""] = /^[^.!?。\n]{0,300}/u.exec(description) ?? [];
  return effectsOf(nameWords(sentence).slice(0, 12));
}

/** Names of what is only looked at: `kubectl rollout status`. */
const LOOKS = new Set("status history info details version help diff logs log state summary preview plan".split(" "));
const LIGHT_EFFECTS: readonly ToolEffect[] = ["read", "change", "create"];

/** Whether one of the acts that a tool offers as a fixed choice looks something up, or makes or changes what can be changed again. */
export function isHarmlessAct(act: string): boolean {
  const words = nameWords(act);
  if (words.length > 0 && words.every((word) => LOOKS.has(word))) return true;
  const effects = effectsOf(words);
  return effects.size > 0 && [...effects].every((effect) => LIGHT_EFFECTS.includes(effect));
}

/** Verbs whose act is of a grave kind only together with what they are used for: `apply_patch` changes, `close_tab` loses nothing. */
const LIGHTER = new Set(
  (
    "replace overwrite reset close disable deactivate unlink empty apply install activate enable enroll register return exchange manage " +
    "migrate restart shutdown reboot rollback assign follow unfollow join order charge"
  ).split(" "),
);
const FINAL: readonly ToolEffect[] = ["destroy", "pay", "access", "commit"];

/** What a tool does by its name that stays done: it deletes, pays, gives access, or makes binding or public. Empty where that is not plain. */
export function finalActs(name: string): ReadonlySet<ToolEffect> {
  const words = nameWords(name);
  const effects = effectsOf(words.filter((word) => !LIGHTER.has(stemOf(word))));
  const found = FINAL.filter((effect) => effects.has(effect));
  return new Set(mainVerbs(words).some((verb) => stemOf(verb) === "commit") ? [...found, "commit"] : found);
}

/** `browser_open`, `navigate_page`: what one looks at is opened first. */
export function opensPage(name: string): boolean {
  const words = nameWords(name);
  return words.some((word) => PAGES.has(word)) && words.some((word) => VISITS.has(word)) && finalActs(name).size === 0;
}
const PAGES = new Set("browser page tab url site website web".split(" "));
const VISITS = new Set("open navigate visit goto scroll browse back reload".split(" "));

function effectsOf(words: readonly string[]): ReadonlySet<ToolEffect> {
  const effects = new Set<ToolEffect>();
  for (const word of words) if (isCjkWord(word)) for (const effect of cjkEffects(word)) effects.add(effect);
  const main = mainVerbs(words);
  for (const verb of main) for (const effect of verbEffects(verb)) effects.add(effect);
  if (main.some((verb) => LIGHT.has(verb)))
    for (const word of words)
      for (const form of singulars(word)) {
        const effect = Object.hasOwn(NOUN_EFFECTS, form) ? NOUN_EFFECTS[form] : undefined;
        if (effect !== undefined) effects.add(effect);
      }
  const onlyReads = effects.size > 0 && [...effects].every((effect) => effect === "read");
  if (!onlyReads && effects.size > 0 && words.some((word) => singulars(word).some((form) => MONEY.has(form))))
    effects.add("pay");
  return effects;
}

function mainVerbs(words: readonly string[]): readonly string[] {
  const joined = words.some((word) => ["and", "or", "then", "und", "y"].includes(word));
  const clear = words.filter((word) => verbEffects(word).length > 0 && !NOUNS_TOO.has(stemOf(word)));
  if (joined) return words.filter((word) => verbEffects(word).length > 0);
  const [first] = words;
  const begins = first !== undefined && verbEffects(first).length > 0 ? [first] : [];
  const found = clear.length > 0 ? clear.slice(0, 1) : words.filter((word) => verbEffects(word).length > 0).slice(0, 1);
  // `search_delete` deletes: a noun at the beginning does not hide the verb after it. `list_…` reads.
  return begins.length > 0 && !(clear.length > 0 && NOUNS_TOO.has(stemOf(begins[0] ?? ""))) ? begins : found;
}

const byVerb = new Map<string, ToolEffect[]>();
for (const [effect, verbs] of Object.entries(VERBS) as [ToolEffect, string][])
  for (const verb of verbs.split(" ")) byVerb.set(verb, [...(byVerb.get(verb) ?? []), effect]);
for (const verb of PUBLISHING) byVerb.set(verb, ["commit", "send"]);

/** `sends` is `send`: descriptions write the third person. */
const stemOf = (word: string): string => singulars(word).find((form) => byVerb.has(form)) ?? word;

const verbEffects = (word: string): readonly ToolEffect[] => byVerb.get(stemOf(word)) ?? [];

const cjkEffects = (word: string): ToolEffect[] =>
  CJK_VERBS.flatMap(([effect, verbs]) => (verbs.split(" ").some((verb) => word.includes(verb)) ? [effect] : []));
