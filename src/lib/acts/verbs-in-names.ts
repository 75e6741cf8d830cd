/**
 * The verbs of tools' names and descriptions, each with the effects of a tool whose name has it. Pure. The words that people say to a model
 * are in `spoken-acts.ts`.
 */
import { once } from "../once.ts";
import { readTable, type TableLine } from "./read-table.ts";

/**
 * - `destroy`, `commit`, `pay`, `access`: hard to take back: deletes or cancels its object, makes it binding or public, spends money on it,
 *   gives a person access to it.
 * - `send`: something reaches a person.
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

/** In a draft `commit` binds a person without money: a booking, a signature, a shipment. `reach` follows an address. */
export type DraftEffect = Exclude<CallEffect, "deliver"> | "reach";

/**
 * A block is one meaning, and each of its lines one language, English first. `more`: other languages, also romanised. `unspaced`: Chinese and
 * Japanese, anywhere in a text. `ö` is also found as `oe` and `o`.
 *
 * The head of a block has the effects of a call, and, after `/`, what a draft of a policy takes the tool for: `merge` makes something binding,
 * and in a draft is a change of the user's own things. `-`: the word alone says too little. In a draft the first block that fits an unspaced
 * text counts.
 *
 * Marks before a verb: `~`: as often a noun. `'`: a noun only in drafts. `^`: a noun only when a call is judged. So "a run" is a noun in a draft,
 * but a call of `run_list` runs. `look_up`: words that together mean something else than the first by itself.
 */
const TABLE = `
read / read
  en: get ~list ~search find read fetch lookup ~look ~query ~view show describe ~count browse ~check retrieve summarize summarise analyze analyse
    inspect head tail ~download
  de: abrufen ruft auflisten listet suche suchen sucht lies lesen liest zeigen zeigt anzeigen finden findet holen holt laden lädt prüfen prüft
    berechnen berechnet übersetzen übersetzt zusammenfassen
  es: buscar busca obtener obtiene listar lista leer lee mostrar muestra consultar consulta ver encontrar encuentra calcular calcula verificar
    verifica traducir resumir
  more: kensaku shutoku hyouji sagasu yomu itiran ichiran chaxun huoqu sousuo duqu
  unspaced: 查询 查詢 搜索 搜尋 获取 獲取 读取 讀取 查看 列出 显示 顯示 检索 查找 検索 取得 参照 読み 一覧 表示 調べ
read / - en: ~stat grep glob ls ~cat
- / read
  en: ~display track verify validate calculate compute compare translate extract ~estimate predict recommend suggest ~monitor ~wait detect classify
    identify locate geocode obtain ~access load ~see ~watch ~review ~preview ~scan determine tell explain evaluate ~measure ~filter peek whoami
    ~provide resolve discover examine recognize look_up look_at take_screenshot take_snapshot check_availability
  unspaced: 翻译 计算 計算 翻訳 確認し
change / read en: ~sort convert
commit / read en: ~return
create / create
  en: create ~make ~new generate ~draft compose ~open ~build init
  de: erstellen erstelle erstellt anlegen legt notieren notiert
  es: crear crea generar anotar
  more: sakusei touroku chuangjian
  unspaced: 创建 創建 新建 新增 生成 作成 新規
change / create
  en: ~write append add ~save ~store insert ~schedule import
  de: speichern speichert hinzufügen fügt schreiben
  es: añadir añade agregar agrega guardar guarda escribir
  more: tsuika hozon tianjia baocun
  unspaced: 添加 追加 保存 写入 書き込
send / create en: ~upload de: hochladen es: subir unspaced: 上传
commit / create en: register
create / - en: initiate ~place
- / create
  en: ~record ~log attach ~copy clone duplicate ~fork prepare initialize jot remember ~remind bookmark highlight annotate ~plan set_up write_down
    take_note
  unspaced: 记录 記錄 登録 記録し
change / change
  en: ~commit ~update edit modify ~set ~change rename patch put upsert reschedule toggle adjust ~mark ~pin ~star ^archive ~complete unlike ~play
    ~leave ~label ~tag resize sync configure
  de: ändern ändert aktualisieren aktualisiert bearbeiten bearbeitet umbenennen setzen setzt
  es: actualizar actualiza modificar modifica cambiar cambia editar edita renombrar configurar
  more: henkou koushin henshuu xiugai gengxin
  unspaced: 修改 更新 更改 编辑 設定 设置 変更 編集
deliver+change / change en: ~move de: verschieben verschiebt es: mover mueve unspaced: 移动 移動
destroy / change en: disable unsubscribe reject unpublish close ^replace unlink
commit / change en: merge approve activate enable manage es: aprobar unspaced: 批准 承認
access / change en: unblock assign unfollow join unspaced: 分配 割り当て
send / change en: escalate
- / change
  en: ~turn ~switch unarchive ~restore unassign reassign untag unpin mute unmute ~transition rebase squash hover unstar ~flag ~triage increase
    decrease ~scale ~lock ~arm ~pause resume reopen synchronize freeze unfreeze ~block ~skip ~stop snooze amend correct revise reorder crop rotate
    ~link ~subscribe revert undo redo select ~stage decline ~format mount unmount allocate bind adopt customize ~control give ~process ~handle
    acknowledge ack dim brighten reroute redirect hold withhold dispute deny suspend defer postpone extend renew waive ~ring ~beep vibrate check_in
    log_out opt_out opt_in turn_on turn_off checkout_branch
  de: einschalten ausschalten aktivieren deaktivieren
  es: activar desactivar
change / - en: ~input finish organize organise tick increment
destroy / destroy
  en: delete remove cancel drop erase purge ~clear wipe revoke uninstall terminate overwrite ~reset truncate destroy discard trash ~empty dismiss
    evict expire deactivate prune rm shred uninvite unregister dequeue ~void
  de: löschen lösche löscht lösch losch entfernen entferne entfernt stornieren storniere storniert absagen sagt abbrechen kündigen verwerfen
  es: eliminar elimina borrar borra quitar cancelar cancela anular vaciar
  more: eliminare cancella cancellare rimuovi rimuovere annulla annullare disdici excluir exclua apagar apague remover supprimer supprime annuler usun
    usunac skasuj anuluj verwijder verwijderen annuleer удалить удали отменить отмени sakujo torikeshi shanchu quxiao
  unspaced: 删除 刪除 移除 取消 清空 撤销 解除 重置 削除 消去 破棄 取り消 キャンセル 初期化
- / destroy en: ~pop ~drain tear_down close_account
destroy / - en: del
send / send
  en: send ~forward notify ~email ~mail ~message ~sms ~call ~reply broadcast transmit ~contact ~dm ~ping ~request ~ask dial announce
  de: senden sendet sende schicken schicke schickt verschicken benachrichtigen benachrichtigt antworten antwortet weiterleiten leitet
  es: enviar envía envia mandar manda responder responde reenviar reenvía notificar notifica
  more: soushin henshin tensou tsuuchi fasong zhuanfa huifu
  unspaced: 发送 發送 发给 转发 回复 通知 送信 送り 転送 返信
send / - unspaced: 邮件发 連絡
commit+send / send
  en: publish submit ~tweet ~post retweet repost blog
  de: veröffentlichen posten
  es: publicar publica
  more: toukou fabu
  unspaced: 提交 发布 公開 投稿
access+send / send en: ~share invite de: teilen teile teilt einladen es: compartir comparte invitar more: kyouyuu fenxiang unspaced: 分享 共享 邀请 共有 招待
access / send en: ~follow
commit / send en: ~push 'apply
deliver / send en: deliver de: liefern versenden es: entregar
change / send en: ~like
read / send en: ~export
- / send
  en: ~text ~respond ~answer ~alert ~comment ~react upvote downvote ~rate ~vote ~report ~file ~release ~page ~fax complain swipe sign_up make_request
    transfer_to_human
commit / commit
  en: ~sign reserve enroll enrol ~book ~rent hire rebook prescribe administer dispense admit countersign employ recruit appoint finalize finalise
  de: buchen buche bucht reservieren reserviert verschreiben verschreibt verordnen verordnet unterschreiben unterschreibt einstellen anmelden
    immatrikulieren
  es: reservar reserva recetar receta firmar firma contratar contrata matricular matricula
  more: yoyaku yuding
  unspaced: 预订 預訂 予約 开药 開藥 处方し 処方し 签署 簽署 署名し
deliver / commit en: ~ship
- / commit en: ~discharge
commit / - en: accept confirm migrate de: bestätigen es: confirmar desplegar unspaced: 确认 確定
pay / pay
  en: 'pay buy ~purchase ~order ~charge checkout refund 'withdraw ~deposit donate spend sell ~bid ~trade remit reimburse payout invest ~redeem lend
    borrow preorder ~wire ~settle
  de: bezahlen bezahle bezahlt zahlen zahle zahlt überweisen überweise überweist kaufen kaufe kauft bestellen bestelle bestellt erstatten
  es: pagar paga comprar compra transferir transfiere vender pedir reembolsar ordenar
  more: pagare comprare bonifica acquista pague compre payer acheter virer zaplac kup betaal betalen оплатить оплати перевести переведи купить купи
    shiharai kounyuu soukin chuumon zhifu goumai zhuanzhang tuikuan
  unspaced: 支付 付款 转账 轉帳 购买 購買 下单 退款 汇款 送金 振込 支払 購入 注文 返金 決済
send+change / pay en: ~transfer
commit / pay en: ~exchange
- / pay en: ~tip ~stake ~swap ~upgrade ~bill ~debit check_out place_order
execute / execute en: 'run execute exec eval invoke de: ausführen führt es: ejecutar ejecuta more: jikkou zhixing yunxing unspaced: 执行 執行 运行 運行 実行
create / execute en: ~start de: starten startet es: iniciar inicia unspaced: 启动 起動
commit / execute en: deploy rollback install restart shutdown reboot unspaced: 部署 デプロイ
destroy / execute en: kill
send+deliver / execute en: ~dispatch
deliver / execute en: navigate
change / execute en: click
- / execute en: launch ~trigger train ~type ~press tap scroll ~fill drag ~print operate simulate shut_down
deliver / - en: ~drive fly
execute / - en: interpret
access / access
  en: grant authorize authorise permit unlock allow whitelist impersonate delegate expose disarm elevate unban
  de: berechtigen entsperren erlauben
  es: autorizar autoriza desbloquear conceder
  unspaced: 授权 解锁 許可 権限を付与
access+commit / access de: freigeben
access / - de: zuweisen es: asignar more: attribuer assegnare atribuir
destroy / access en: ~ban
- / access en: login authenticate ~kick expel sign_in log_in make_public disable_alarm
- / reach en: navigate_to go_to
`;

interface NameVerb {
  readonly calls: readonly CallEffect[];
  readonly draft: DraftEffect | undefined;
  readonly nounIn: "both" | "calls" | "drafts" | "neither";
  /** Not English: the verb may be last in a name, and names hold inflected forms of it. */
  readonly isForeign: boolean;
}

type VerbLine = Pick<NameVerb, "calls" | "draft"> & TableLine;

const lines = once((): readonly VerbLine[] =>
  readTable(TABLE).flatMap(({ head, lines: languages }) => {
    const [calls = "-", draft = "-"] = head.split(" / ");
    const effects = {
      calls: calls === "-" ? [] : (calls.split("+") as CallEffect[]),
      draft: draft === "-" ? undefined : (draft as DraftEffect),
    };
    return languages.map((line) => ({ ...effects, ...line }));
  }),
);

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

const index = once((): ReadonlyMap<string, NameVerb> => {
  const found = new Map<string, NameVerb>();
  const english = lines().filter(({ language }) => language === "en");
  const foreign = lines().filter(({ language }) => language !== "en" && language !== "unspaced");
  for (const { calls, draft, language, words } of [...english, ...foreign])
    for (const marked of words) {
      const nounIn = NOUN_MARKS.get(marked.charAt(0)) ?? "neither";
      const word = nounIn === "neither" ? marked : marked.slice(1);
      for (const spelling of spellings(word))
        if (!found.has(spelling)) found.set(spelling, { calls, draft, nounIn, isForeign: language !== "en" });
    }
  return found;
});

/** @param word in lower case. */
export const nameVerb = (word: string): NameVerb | undefined => index().get(word);

/** The first words of the verbs that have several. */
export const phraseStarts = once(
  (): ReadonlySet<string> => new Set([...index().keys()].flatMap((verb) => /^(.+?)_/.exec(verb)?.[1] ?? [])),
);

const unspaced = once(() => lines().filter(({ language }) => language === "unspaced"));

/** The verbs within a text of a language without spaces, in the order of the table. */
export const unspacedVerbs = (text: string): readonly (Pick<NameVerb, "calls" | "draft"> & { verb: string })[] =>
  unspaced().flatMap(({ words, ...effects }) =>
    words.filter((verb) => text.includes(verb)).map((verb) => ({ verb, ...effects })),
  );
