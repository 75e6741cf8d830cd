/**
 * The verbs of tools' names and descriptions, by what a tool does that is called so. One meaning a block, one language a line; the words that
 * people say to a model stand in `spoken-acts.ts`. `~` stands before a verb that is as often a noun, `'` and `^`
 * before one that a draft alone, or the judgement of a call alone, takes for a noun: "a run", but `run_list` runs.
 *
 * A verb has one place. What a call of such a tool does and what a draft takes the tool for are two questions: `merge` makes something
 * binding (`commit`), and is a change of the user's own things in a draft. Where one of them is left out, the word says too little for it.
 */
import { once } from "../once.ts";

/**
 * - `destroy`, `commit`, `pay`, `access`: what it does to its object cannot simply be taken back: deletes or cancels it, makes
 *   it binding or public, spends on it, gives somebody access to it.
 * - `send`: something reaches somebody.
 * - `deliver`: something reaches a place.
 * - `change`, `create`, `read`: as they say.
 * - `execute`: runs what an argument says.
 */
export type CallEffect =
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

/** In a draft `commit` is what commits somebody without money: a booking, a signature, a shipment. */
export type DraftEffect = Exclude<CallEffect, "deliver">;

interface VerbBlock {
  /** What a call does. */
  readonly calls?: readonly CallEffect[];
  /** What a draft of a policy takes the tool for. */
  readonly draft?: DraftEffect;
  readonly en?: string;
  /** With its marks: `ö` is also found as `oe` and `o`. */
  readonly de?: string;
  readonly es?: string;
  /** Romanised Japanese and Chinese, as they stand in names. */
  readonly romanised?: string;
  readonly others?: string;
  /** Chinese and Japanese, anywhere in a text without spaces. */
  readonly unspaced?: string;
}

/** In a draft an unspaced text is of the first block that fits. */
const BLOCKS: readonly VerbBlock[] = [
  {
    calls: ["read"],
    draft: "read",
    en: `get ~list ~search find read fetch lookup ~look ~query ~view show describe ~count browse ~check retrieve summarize summarise analyze
      analyse inspect head tail ~download`,
    de: `abrufen ruft auflisten listet suche suchen sucht lies lesen liest zeigen zeigt anzeigen finden findet holen holt laden lädt prüfen
      prüft berechnen berechnet übersetzen übersetzt zusammenfassen`,
    es: `buscar busca obtener obtiene listar lista leer lee mostrar muestra consultar consulta ver encontrar encuentra calcular calcula
      verificar verifica traducir resumir`,
    romanised: "kensaku shutoku hyouji sagasu yomu itiran ichiran chaxun huoqu sousuo duqu",
    unspaced: `查询 查詢 搜索 搜尋 获取 獲取 读取 讀取 查看 列出 显示 顯示 检索 查找 検索 取得 参照 読み 一覧 表示 調べ`,
  },
  { calls: ["read"], en: "~stat grep glob ls ~cat" },
  {
    draft: "read",
    en: `~display track verify validate calculate compute compare translate extract ~estimate predict recommend suggest ~monitor ~wait detect
      classify identify locate geocode obtain ~access load ~see ~watch ~review ~preview ~scan determine tell explain evaluate ~measure ~filter
      peek whoami ~provide resolve discover examine recognize`,
    unspaced: "翻译 计算 計算 翻訳 確認し",
  },
  { calls: ["change"], draft: "read", en: "~sort convert" },
  { calls: ["commit"], draft: "read", en: "~return" },
  {
    calls: ["create"],
    draft: "create",
    en: "create ~make ~new generate ~draft compose ~open ~build init",
    de: "erstellen erstelle erstellt anlegen legt notieren notiert",
    es: "crear crea generar anotar",
    romanised: "sakusei touroku chuangjian",
    unspaced: "创建 創建 新建 新增 生成 作成 新規",
  },
  {
    calls: ["change"],
    draft: "create",
    en: "~write append add ~save ~store insert ~schedule import",
    de: "speichern speichert hinzufügen fügt schreiben",
    es: "añadir añade agregar agrega guardar guarda escribir",
    romanised: "tsuika hozon tianjia baocun",
    unspaced: "添加 追加 保存 写入 書き込",
  },
  { calls: ["send"], draft: "create", en: "~upload", de: "hochladen", es: "subir", unspaced: "上传" },
  { calls: ["commit"], draft: "create", en: "register" },
  { calls: ["create"], en: "initiate ~place" },
  {
    draft: "create",
    en: "~record ~log attach ~copy clone duplicate ~fork prepare initialize jot remember ~remind bookmark highlight annotate ~plan",
    unspaced: "记录 記錄 登録 記録し",
  },
  {
    calls: ["change"],
    draft: "change",
    en: `~commit ~update edit modify ~set ~change rename patch put upsert reschedule toggle adjust ~mark ~pin ~star ^archive ~complete unlike
      ~play ~leave ~label ~tag resize sync configure`,
    de: `ändern ändert aktualisieren aktualisiert bearbeiten bearbeitet verschieben verschiebt umbenennen setzen setzt einschalten ausschalten
      aktivieren deaktivieren`,
    es: "actualizar actualiza modificar modifica cambiar cambia editar edita mover mueve renombrar activar desactivar configurar",
    romanised: "henkou koushin henshuu xiugai gengxin",
    unspaced: "修改 更新 更改 编辑 移动 設定 设置 変更 編集 移動",
  },
  { calls: ["deliver", "change"], draft: "change", en: "~move" },
  { calls: ["destroy"], draft: "change", en: "disable unsubscribe reject unpublish close ^replace unlink" },
  {
    calls: ["commit"],
    draft: "change",
    en: "merge approve activate enable manage",
    es: "aprobar",
    unspaced: "批准 承認",
  },
  { calls: ["access"], draft: "change", en: "unblock assign unfollow join", unspaced: "分配 割り当て" },
  { calls: ["send"], draft: "change", en: "escalate" },
  {
    draft: "change",
    en: `~turn ~switch unarchive ~restore unassign reassign untag unpin mute unmute ~transition rebase squash hover unstar ~flag ~triage
      increase decrease ~scale ~lock ~arm ~pause resume reopen synchronize freeze unfreeze ~block ~skip ~stop snooze amend correct revise
      reorder crop rotate ~link ~subscribe revert undo redo select ~stage decline ~format mount unmount allocate bind adopt customize ~control
      give ~process ~handle acknowledge ack dim brighten reroute redirect hold withhold dispute deny suspend defer postpone extend renew waive
      ~ring ~beep vibrate`,
  },
  { calls: ["change"], en: "~input finish organize organise tick increment" },
  {
    calls: ["destroy"],
    draft: "destroy",
    en: `delete remove cancel drop erase purge ~clear wipe revoke uninstall terminate overwrite ~reset truncate destroy discard trash ~empty
      dismiss evict expire deactivate prune rm shred uninvite unregister dequeue ~void`,
    de: `löschen lösche löscht lösch losch entfernen entferne entfernt stornieren storniere storniert absagen sagt abbrechen kündigen verwerfen`,
    es: "eliminar elimina borrar borra quitar cancelar cancela anular vaciar",
    romanised: "sakujo torikeshi shanchu quxiao",
    others: `eliminare cancella cancellare rimuovi rimuovere annulla annullare disdici excluir exclua apagar apague remover supprimer supprime
      annuler usun usunac skasuj anuluj verwijder verwijderen annuleer удалить удали отменить отмени`,
    unspaced: "删除 刪除 移除 取消 清空 撤销 解除 重置 削除 消去 破棄 取り消 キャンセル 初期化",
  },
  { draft: "destroy", en: "~pop ~drain" },
  { calls: ["destroy"], en: "del" },
  {
    calls: ["send"],
    draft: "send",
    en: "send ~forward notify ~email ~mail ~message ~sms ~call ~reply broadcast transmit ~contact ~dm ~ping ~request ~ask dial announce",
    de: `senden sendet sende schicken schicke schickt verschicken benachrichtigen benachrichtigt antworten antwortet weiterleiten leitet`,
    es: "enviar envía envia mandar manda responder responde reenviar reenvía notificar notifica",
    romanised: "soushin henshin tensou tsuuchi fasong zhuanfa huifu",
    unspaced: "发送 發送 发给 转发 回复 通知 送信 送り 転送 返信",
  },
  { calls: ["send"], unspaced: "邮件发 連絡" },
  {
    calls: ["commit", "send"],
    draft: "send",
    en: "publish submit ~tweet ~post retweet repost blog",
    de: "veröffentlichen posten",
    es: "publicar publica",
    romanised: "toukou fabu",
    unspaced: "提交 发布 公開 投稿",
  },
  {
    calls: ["access", "send"],
    draft: "send",
    en: "~share invite",
    de: "teilen teile teilt einladen",
    es: "compartir comparte invitar",
    romanised: "kyouyuu fenxiang",
    unspaced: "分享 共享 邀请 共有 招待",
  },
  { calls: ["access"], draft: "send", en: "~follow" },
  { calls: ["commit"], draft: "send", en: "~push 'apply" },
  { calls: ["deliver"], draft: "send", en: "deliver", de: "liefern versenden", es: "entregar" },
  { calls: ["change"], draft: "send", en: "~like" },
  { calls: ["read"], draft: "send", en: "~export" },
  {
    draft: "send",
    en: "~text ~respond ~answer ~alert ~comment ~react upvote downvote ~rate ~vote ~report ~file ~release ~page ~fax complain swipe",
  },
  {
    calls: ["commit"],
    draft: "commit",
    en: `~sign reserve enroll enrol ~book ~rent hire rebook prescribe administer dispense admit countersign employ recruit appoint finalize
      finalise`,
    de: `buchen buche bucht reservieren reserviert verschreiben verschreibt verordnen verordnet unterschreiben unterschreibt einstellen anmelden
      immatrikulieren`,
    es: "reservar reserva recetar receta firmar firma contratar contrata matricular matricula",
    romanised: "yoyaku yuding",
    unspaced: "预订 預訂 予約 开药 開藥 处方し 処方し 签署 簽署 署名し",
  },
  { calls: ["deliver"], draft: "commit", en: "~ship" },
  { draft: "commit", en: "~discharge" },
  {
    calls: ["commit"],
    en: "accept confirm migrate",
    de: "bestätigen",
    es: "confirmar desplegar",
    unspaced: "确认 確定",
  },
  {
    calls: ["pay"],
    draft: "pay",
    en: `'pay buy ~purchase ~order ~charge checkout refund 'withdraw ~deposit donate spend sell ~bid ~trade remit reimburse payout invest
      ~redeem lend borrow preorder ~wire ~settle`,
    de: "bezahlen bezahle bezahlt zahlen zahle zahlt überweisen überweise überweist kaufen kaufe kauft bestellen bestelle bestellt erstatten",
    es: "pagar paga comprar compra transferir transfiere vender pedir reembolsar ordenar",
    romanised: "shiharai kounyuu soukin chuumon zhifu goumai zhuanzhang tuikuan",
    others: `pagare comprare bonifica acquista pague compre payer acheter virer zaplac kup betaal betalen оплатить оплати перевести переведи
      купить купи`,
    unspaced: "支付 付款 转账 轉帳 购买 購買 下单 退款 汇款 送金 振込 支払 購入 注文 返金 決済",
  },
  { calls: ["send", "change"], draft: "pay", en: "~transfer" },
  { calls: ["commit"], draft: "pay", en: "~exchange" },
  { draft: "pay", en: "~tip ~stake ~swap ~upgrade ~bill ~debit" },
  {
    calls: ["execute"],
    draft: "execute",
    en: "'run execute exec eval invoke",
    de: "ausführen führt",
    es: "ejecutar ejecuta",
    romanised: "jikkou zhixing yunxing",
    unspaced: "执行 執行 运行 運行 実行",
  },
  {
    calls: ["create"],
    draft: "execute",
    en: "~start",
    de: "starten startet",
    es: "iniciar inicia",
    unspaced: "启动 起動",
  },
  {
    calls: ["commit"],
    draft: "execute",
    en: "deploy rollback install restart shutdown reboot",
    unspaced: "部署 デプロイ",
  },
  { calls: ["destroy"], draft: "execute", en: "kill" },
  { calls: ["send", "deliver"], draft: "execute", en: "~dispatch" },
  { calls: ["deliver"], draft: "execute", en: "navigate" },
  { calls: ["change"], draft: "execute", en: "click" },
  { draft: "execute", en: "launch ~trigger train ~type ~press tap scroll ~fill drag ~print operate simulate" },
  { calls: ["deliver"], en: "~drive fly" },
  { calls: ["execute"], en: "interpret" },
  {
    calls: ["access"],
    draft: "access",
    en: "grant authorize authorise permit unlock allow whitelist impersonate delegate expose disarm elevate unban",
    de: "berechtigen entsperren erlauben",
    es: "autorizar autoriza desbloquear conceder",
    unspaced: "授权 解锁 許可 権限を付与",
  },
  { calls: ["access", "commit"], draft: "access", de: "freigeben" },
  { calls: ["access"], de: "zuweisen", es: "asignar", others: "attribuer assegnare atribuir" },
  { calls: ["destroy"], draft: "access", en: "~ban" },
  { draft: "access", en: "login authenticate ~kick expel" },
];

export interface NameVerb {
  readonly calls: readonly CallEffect[];
  readonly draft: DraftEffect | undefined;
  readonly nounIn: "both" | "calls" | "drafts" | "neither";
  /** Its language may put the verb last in a name, and names hold forms of it. */
  readonly isForeign: boolean;
}

const NOUN_MARKS: ReadonlyMap<string, NameVerb["nounIn"]> = new Map([
  ["~", "both"],
  ["'", "drafts"],
  ["^", "calls"],
]);

const latinMarks = /(?<=\p{sc=Latin})\p{M}+/gu;

/** `löschen`, `loeschen`, `loschen`. */
const spellings = (word: string): readonly string[] =>
  /^[a-z]+$/.test(word)
    ? [word]
    : [
        word,
        word.replace(/[äöü]/g, (vowel) => `${vowel.normalize("NFD")[0]}e`),
        word.normalize("NFD").replace(latinMarks, "").normalize("NFC"),
      ];

const split = (words = ""): readonly string[] => words.split(/\s+/).filter(Boolean);

const index = once((): ReadonlyMap<string, NameVerb> => {
  const found = new Map<string, NameVerb>();
  const add = ({ calls = [], draft }: VerbBlock, words: readonly string[], isForeign: boolean) => {
    for (const word of words) {
      const [mark = ""] = word;
      const nounIn = NOUN_MARKS.get(mark) ?? "neither";
      const verb = { calls, draft, nounIn, isForeign };
      for (const spelling of spellings(NOUN_MARKS.has(mark) ? word.slice(1) : word))
        if (!found.has(spelling)) found.set(spelling, verb);
    }
  };
  for (const block of BLOCKS) add(block, split(block.en), false);
  for (const block of BLOCKS) add(block, [block.de, block.es, block.romanised, block.others].flatMap(split), true);
  return found;
});

/** @param word in lower case. */
export const nameVerb = (word: string): NameVerb | undefined => index().get(word);

type UnspacedVerb = Pick<NameVerb, "calls" | "draft"> & { readonly verb: string };

const unspaced = once((): readonly UnspacedVerb[] =>
  BLOCKS.flatMap(({ calls = [], draft, unspaced: words }) => split(words).map((verb) => ({ verb, calls, draft }))),
);

/** The verbs within a text of a language without spaces. */
export const unspacedVerbs = (text: string): readonly UnspacedVerb[] =>
  unspaced().filter(({ verb }) => text.includes(verb));
