/** "Send it off", "raus damit", "删吧": the words that order one act, in the languages that can be answered in. Pure. */
import { once } from "../../lib/once.ts";
import type { AskedWords } from "./acts.ts";
import { begins, isWithin, UNSPACED } from "./acts.ts";

/**
 * One act a line: the beginnings of the words that a question asks with, then the orders that mean the same act. All in lower case and
 * without accents. `send|off`: the object may stand between them ("send it off"). Finer than `ACTS`: "merge" is no yes to a push. No words
 * that name how something is sent ("email it"), that ask for another value ("change it"), or that may report ("gelöscht").
 */
const IMPERATIVES = `
  delete remov erase drop rm purge trash losch entfern borr elimin quit supprim 删 刪 移除 削除 消 삭제 지워 =
    delete remove erase purge trash bin|it bin|that bin|this bin|them get|rid|of throw|away throw|out chuck chuck|out toss toss|out
    losch losche loschen entferne entfernen weg|damit hau|weg hau|raus wirf|weg wirf|raus schmeiss|weg schmeiss|raus raus|damit
    borra borralo borrala borralos borralas borrar elimina eliminalo eliminala eliminalos eliminalas eliminar quitalo quitala quitar
    supprime supprimer supprimez efface effacer effacez enleve enlever enlevez vire virer
    删 刪 删除 刪除 删掉 刪掉 移除 清掉 消して 削除 削除して 捨てて 지워 삭제해
  send mail email message text sms notify forward reply schick send verschick envi mand envoi envoy 发 發 寄 送 보내 =
    send send|off send|out send|away fire|off schick schicks schicke schicken schick|ab schicks|ab schick|raus schicks|raus abschicken
    losschicken hau|raus haus|raus raus|damit sende senden send|ab absenden
    envia envialo enviala envialos envialas enviar manda mandalo mandala mandalos mandalas mandar
    envoie envoyer envoyez expedie expedier
    发 發 发送 發送 发出 發出 寄 寄出 送って 送信 送信して 出して 보내
  pay zahl bezahl pagar paga 付 支付 支払 払 결제 =
    pay zahl zahle zahlen bezahl bezahle bezahlen paga pagalo pagala pagar paie paye payer payez 付 付款 支付 払って 支払って 결제해
  transfer uberweis transfier vir 转 轉 振込 振り込 송금 =
    transfer uberweis uberweise uberweisen transfiere transfierelo transferir transfere transferer 转 轉 转账 轉帳 振り込んで 송금해
  refund reimburse erstatt reembols devuelv rembours 退 返金 払い戻 환불 =
    refund reimburse pay|back give|back erstatte erstatten zahl|zuruck zahls|zuruck zuruckzahlen
    reembolsa reembolsalo reembolsar devuelve devuelvelo devuelvela devolver rembourse rembourser remboursez 退 退款 返金 返金して 払い戻して 환불해
  book reserv schedul buch eintrag trag agend 预约 預約 预订 預訂 预定 予約 예약 =
    book reserve schedule buch buche buchen reserviere reservieren trag|ein trags|ein eintragen reserva reservalo reservala reservar agenda reserve reserver reservez
    agendalo agendala 预约 預約 预订 預訂 订 訂 予約 予約して 예약해
  create add insert new erstell anleg leg trag cre anad 创建 創建 新建 作成 만들 =
    create add insert leg|an legs|an anlegen erstell erstelle erstellen trag|ein trags|ein eintragen crea crealo creala crear anadelo anadir
    cree creer creez ajoute ajouter ajoutez     创建 創建 新建 建 作成 作成して 作って 만들어
  write save schreib speicher escrib guard 写 寫 保存 書 저장 =
    write write|down save schreib schreibs schreibe schreiben speichere speichern escribe escribelo guarda guardalo guardala guardar
    ecris ecrire ecrivez enregistre enregistrer enregistrez sauvegarde sauvegarder
    写 寫 保存 保存して 書いて 저장해
  move mv mov muev verschieb deplac 移 옮 = move verschieb verschiebe verschieben mueve muevelo muevela mover deplace deplacer deplacez 移 移动 移動 移動して 옮겨
  rename umbenenn renombr renomm 改名 重命名 名前 = rename renombra renombralo renombrar renomme renommer renommez 改名 重命名
  run execut ausfuhr fuhr ejecut lanc 运行 運行 执行 執行 実行 실행 =
    run execute fuhr|aus ausfuhren ejecuta ejecutalo ejecutala ejecutar
    execute executer executez lance lancer lancez 运行 運行 跑 执行 執行 実行 実行して 走らせて 走らせ 실행해
  start launch demarr lanc 启动 啟動 起動 = start launch starte starten demarre demarrer lance lancer 启动 啟動 起動して
  deploy deploi desplieg 部署 배포 デプロイ = deploy deploye deployen deploie deployer deployez despliega despliegalo 部署
  install = install installier installiere installieren instala instalalo instalar installer installez 安装 安裝
  publish post veroffentlich public 发布 發佈 公開 게시 =
    publish post veroffentliche veroffentlichen publica publicalo publicala publicar publie publier publiez 发布 發佈 公開して 게시해
  share teil compart partag 分享 共有 = share teile teilen comparte compartelo compartir partage partager partagez 分享 共有して
  upload hochlad subir sube 上传 上傳 = upload hochladen sube subelo subir 上传 上傳
  merge = merge merge|in mergen zusammenfuhren fusiona fusionalo 合并 合併 マージして
  push = push pushe pushen 推送 プッシュして
  commit = commit committen 提交 コミットして
  clos schliess cierr ferm 关闭 關閉 閉 닫 =
    close schliesse schliessen cierra cierralo cierrala ferme fermer fermez 关 關 关闭 關閉 关掉 關掉 閉じて
`;

/** Named with a word that also means "no": a yes must stand before it. */
const TAKES_BACK = `
  cancel revok storn absag sag annul anul 取消 キャンセル 取り消 취소 =
    cancel revoke call|off storniere stornieren sag|ab absagen cancela cancelalo cancelala cancelar anula anulalo anulala annule annuler annulez
    取消 キャンセルして 取り消して 취소해
`;

export interface Orders {
  /** Orders that are no answer by themselves: they need a yes before them. */
  readonly needYes: boolean;
  readonly orders: readonly string[];
}

interface ImperativeGroup extends Orders {
  readonly asked: readonly string[];
}

const groupsOf = (table: string, needYes: boolean): readonly ImperativeGroup[] =>
  table
    .trim()
    .split(/\s*\n(?! {4})\s*/)
    .map((line) => {
      const [asked = "", orders = ""] = line.split("=");
      return { needYes, asked: asked.trim().split(/\s+/), orders: orders.trim().split(/\s+/) };
    });

const groups = once(() => [...groupsOf(IMPERATIVES, false), ...groupsOf(TAKES_BACK, true)]);

const asksWith = ({ asked }: ImperativeGroup, word: string): boolean =>
  asked.some((stem) => begins(word, stem) || isWithin(word, stem));

/** Whether a word of a message names or orders the act that a tool's verb names. @param word in lower case and without accents. */
export const isSameAct = (verb: string, word: string): boolean =>
  groups().some(
    (group) =>
      asksWith(group, verb) &&
      (asksWith(group, word) || group.orders.some((one) => one === word || isWithin(word, one))),
  );

/** The orders for the one act that a question asks about. @returns undefined where it is about none of the acts, or perhaps about another. */
export function ordersFor({ verb, titleWords }: AskedWords): Orders | undefined {
  // The noun of `unpublish_post` is no act, whatever a word of it may mean elsewhere. German ends with the verb.
  const last = titleWords.at(-1);
  if (verb !== undefined && verb !== titleWords[0] && !(verb === last && /en$/.test(last))) return undefined;
  const words = verb === undefined ? titleWords.filter((word) => UNSPACED.test(word)) : [verb];
  const found = groups().filter((group) => words.some((word) => asksWith(group, word)));
  const [first] = found;
  if (!first || (verb === undefined && found.length > 1)) return undefined;
  return { needYes: found.some(({ needYes }) => needYes), orders: found.flatMap(({ orders }) => orders) };
}
