/**
 * Which acts a message names, in the words of seven languages: deletes, pays, gives access, commits, sends, changes, makes, reads. An
 * unknown verb names none, so callers conclude nothing from a message without any. Pure, in linear time.
 */
import { lazyRegExp } from "../../lib/once.ts";
import type { UserActs } from "../../policy/origin/origin-types.ts";
import type { ToolEffect } from "../../policy/origin/roles/tool-verbs.ts";
import { splitByRefusal } from "../lexical/lexical.ts";

type Act = Exclude<ToolEffect, "deliver" | "execute">;

/**
 * Beginnings of words, in lower case and without accents, with an ending of at most eight letters. `=` stands before a whole word, `~`
 * before one that is as often a noun: it counts where a clause begins, or behind "to", "please", "and" and the like.
 */
const WORDS: Readonly<Record<Act, string>> = {
  destroy: `delet remov eras purg prun trash discard =scrap cancel revok uninstall terminat kill unsubscrib clear clean tidy wip =drop ~empty
    =void reject undo nuke ditch deactivat disabl dismiss dispos shred weed declutter
    losch gelosch entfern storn kundig abbestell =leere ausraum aufraum ausmist wegwerf schmeiss abzusag absag weg
    =borra =borrar =borre borral elimin cancel =anula =anular =vacia =vaciar limpi deshaz descarta
    supprim enlev effac =annule =annuler =annulez =vide =vider nettoi nettoy =jette =jeter resili debarrass`,
  pay: `=pay =pays =paying =paid buy bought purchas ~order refund reimburs ~transfer ~wire ~charge donat spend =sell ~tip =settle ~rent
    bezahl =zahl =zahle =zahlen =zuruckzahlen uberweis erstatt ruckerstatt kauf bestell
    =paga =pagar =pague compr transfier =transfiere reembols devuelv devolv =vende =dona =abona
    =paie =paye =payer acheter =achete rembours =rends =rendre =vire =virer =commande =verse =vends`,
  access: `~share invit =grant authori permi =allow unblock unlock
    =teil =teile =teilen freigeb freigib einlad =lad =lade berechtig erlaub
    =comparte =compartir =invita autoriz =permite partag =invite =inviter autoris`,
  commit: `commit push merg deploy publish ~release =ship submit approv ~sign ~book =reserve =reserving confirm accept =hire upload =prs? =pull
    ~post tweet =schedule =live veroffentlich =buch =buche =buchen reservier bestatig freigeb freigib genehmig einreich unterschreib ausroll
    =publica =publicar =reserva =reservar aprueb aprob =firma =firmar confirma despleg desplieg =sube =subir
    =publie =publier =reserve =reserver approuv =signe =signer confirm deploi =pousse =pousser =valide =soumets`,
  send: `send sent ~mail ~e-?mail ~message ~text repl ~answer ~forward notif =tell writ invit ~share ~post ~call remind
    schick sende =schreib =schreibe antwort weiterleit =leite benachrichtig =sag =sage bescheid
    =envia envial =manda mandal escrib respond contest reenvi =avisa avisal notific
    envoi envoy =ecris =ecrire repond transfer =previens =prevenir =dis`,
  change: `chang edit updat modif fix repair correct rewrit rewrot writ =put =set =setup sav =store =stored mov renam replac refactor =add =adds =adding append insert ~mark ~tag
    mak implement configur improv =merge convert translat =bump migrat upgrad instal appl adjust finish complet resolv solv tweak polish
    =ander =andere andert bearbeit schreib speicher verschieb umbenenn =benenn ersetz =fug =fuge erganz =trag =trage setz =leg =lege korrigier reparier =mach =mache =richte
    cambi =edita actualiz modific =corrige =arregla =escribe guard =mueve =mover renombr anad agreg =pon reemplaz =haz
    =change =changer modifi =mets =mettre corrig =repare ajout ecri enregistr deplac renomm remplac =fais =faire`,
  create: `creat mak build generat ~draft writ =add =adds =adding ~open ~start ~record =log regist ~note
    erstell anleg =leg =lege =mach =mache =bau generier schreib eroffn =offne eintrag trag
    =crea =crear creal crees cree =haz gener =abre =abrir escrib anad agreg registr redact
    =cree =creer =creez =fais =faire =ouvre =ecris redig ajout enregistr`,
  read: `read show ~list =look check find search =see tell explain describ review summari compar ~count what which =who =whose where =when =why =how ~view inspect translat
    lies lese zeig liste such =schau schauen =find prufe pruf =sag erklar beschreib =fass fasse =was welch =wer =wo =wann warum =wie =ob nachseh
    =lee =lea =leer muestr =lista =busca =mira =dime explic resum compar cuent =que =cual =quien =donde =cuando =como comprueb verific
    =lis =lire montr =cherche regard verifi expliqu resum =comment =quel =quelle =qui =quand pourquoi`,
};
/** Of scripts that need no blanks, and of Korean: anywhere. */
const PARTS: Readonly<Record<Act, string>> = {
  destroy:
    "删|刪|移除|取消|清空|清理|清除|撤销|撤銷|去掉|扔|整理掉|消し|消す|消去|削除|破棄|取り消|キャンセル|片付け|捨て|解約|삭제|지워|지우|제거|취소|없애|비워",
  pay: "支付|付款|付钱|付給|付给|付清|转账|轉帳|购买|購買|买|買|下单|退款|退.{0,6}(?:元|块|钱)|汇款|賠|返金|支払|払|振込|購入|注文|送金|결제|송금|환불|구매|주문|지불|사 ?줘",
  access: "分享|共享|授权|授權|邀请|邀請|共有|招待|許可|공유|초대|허용",
  commit:
    "提交|发布|發佈|批准|预订|預訂|预约|訂|订(?!单)|部署|合并|推送|签|上线|公開し|承認|確定|予約|投稿|デプロイ|コミット|プッシュ|マージ|提出|リリース|커밋|푸시|배포|병합|게시|승인|예약|제출",
  send: "发送|发给|發|发(?!生|现|布)|转发|回复|回覆|通知|告诉|告訴|写信|送信|送っ|送る|転送|返信|連絡|伝え|メールし|知らせ|보내|전송|답장",
  change:
    "改(?!动|变)|更新|编辑|編輯|添加|加上|写[到入进]|寫|保存|存[到入]|修(?!改记录)|移动|移到|重命名|変え|変更し|編集|追加|書い|書き|直し|直す|移動|修正|수정|고쳐|바꿔|변경해|추가|저장|옮|적어|써",
  create: "创建|創建|新建|建一?个|生成|写[个一份]|添加|登记|作っ|作ら|作成|新規|登録|書い|追加|만들|생성|작성|등록",
  read: "看|查|读|讀|显示|顯示|列出|搜|找|解释|解釋|说明|說明|总结|總結|什么|什麼|哪|谁|誰|吗|多少|見せ|見て|読|教え|調べ|探し|検索|確認|説明|要約|何|どの|どれ|いつ|보여|읽|찾|검색|확인|설명|요약|뭐|무엇|어디|언제",
};
/** What takes several words. */
const PHRASES: Partial<Record<Act, string>> = {
  destroy: String.raw`\b(?:get(?:ting)? rid of|throw\p{L}* .{0,40}\b(?:away|out)|shut .{0,40}\bdown|wirf .{0,40}\bweg|raum.{0,60}\bauf\b|sag.{1,40}\bab\b)|整理(?=.{0,4}(?:掉|旧|舊))`,
  pay: String.raw`\b(?:money|geld|dinero|argent)\b|[€$£¥]\s?\d|\d\s?(?:[€$£¥]|(?:euros?|dollars?|eur|usd)\b)`,
  access: String.raw`\b(?:access|zugriff|zugang|acceso|acces|permissions?|rights|rechte|derechos|droits)\b|权限|權限|権限|권한|\blet .{1,40}\b(?:see|edit|in)\b`,
  send: String.raw`\blet .{1,30}\bknow\b`,
};

const NOUN_AS_VERB = String.raw`(?<=^ ?|[.,;:!?\n…] ?|\b(?:to|please|pls|and|then|you|i|we|just|also|can|could|now|ok) )`;
const ENDING = String.raw`\p{sc=Latin}{0,8}`;

function patternOf(word: string): string {
  const [mark = ""] = word;
  const rest = mark === "=" || mark === "~" ? word.slice(1) : word;
  return `${mark === "~" ? NOUN_AS_VERB : ""}${rest}${mark === "=" ? "" : ENDING}`;
}

const acts = Object.keys(WORDS) as Act[];
const patterns = new Map(
  acts.map((act) => {
    const words = WORDS[act].trim().split(/\s+/).map(patternOf);
    const whole = String.raw`(?<![\p{sc=Latin}\p{N}_'])(?:${words.join("|")})(?![\p{sc=Latin}\p{N}_])`;
    return [act, lazyRegExp([whole, PARTS[act], PHRASES[act] ?? []].flat().join("|"), "u")] as const;
  }),
);
/** Files, addresses and the like: their names are no verbs. */
const names = lazyRegExp(String.raw`(?<![\w@-])[\w@-]*[/\\@][\w./@-]*|(?<![\w-])[\w-]+\.[a-z]\w{0,7}(?![\w.])`, "g");

export function namedActs(message: string): UserActs {
  const { wanted: asked, refused: forbidden } = splitByRefusal(message);
  const wanted = actsIn(asked);
  const refused = new Set([...actsIn(forbidden)].filter((act) => !wanted.has(act)));
  return { wanted, refused };
}

function actsIn(text: string): ReadonlySet<Act> {
  const read = text.replace(names(), "x");
  return new Set(acts.filter((act) => read !== "" && patterns.get(act)?.().test(read)));
}
