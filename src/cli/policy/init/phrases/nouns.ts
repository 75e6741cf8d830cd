/** Names of the things that tools work on, in five languages. A thing that is not here is called by the tool's own word, in English. */

export type Language = "en" | "de" | "es" | "zh" | "ja";

/** English and its plural; German and Spanish with their article, and the plural; Chinese; Japanese. */
const table = `
booking, bookings | die Buchung, Buchungen | la reserva, reservas | 预订 | 予約
reservation, reservations | die Reservierung, Reservierungen | la reserva, reservas | 预订 | 予約
trip, trips | die Reise, Reisen | el viaje, viajes | 行程 | 旅行
flight, flights | der Flug, Flüge | el vuelo, vuelos | 航班 | フライト
hotel, hotels | das Hotel, Hotels | el hotel, hoteles | 酒店 | ホテル
room, rooms | das Zimmer, Zimmer | la habitación, habitaciones | 房间 | 部屋
table, tables | der Tisch, Tische | la mesa, mesas | 餐位 | テーブル
restaurant, restaurants | das Restaurant, Restaurants | el restaurante, restaurantes | 餐厅 | レストラン
ride, rides | die Fahrt, Fahrten | el trayecto, trayectos | 车 | 配車
taxi, taxis | das Taxi, Taxis | el taxi, taxis | 出租车 | タクシー
car, cars | der Wagen, Wagen | el coche, coches | 车 | 車
appointment, appointments | der Termin, Termine | la cita, citas | 预约 | 予約
event, events | der Termin, Termine | el evento, eventos | 日程 | 予定
meeting, meetings | das Treffen, Treffen | la reunión, reuniones | 会议 | 会議
calendar, calendar entries | der Kalender, Termine | el calendario, eventos | 日历 | カレンダー
email, emails | die E-Mail, E-Mails | el correo, correos | 邮件 | メール
mail, mails | die Mail, Mails | el correo, correos | 邮件 | メール
inbox, mails | der Posteingang, Mails | la bandeja de entrada, correos | 收件箱 | 受信箱
message, messages | die Nachricht, Nachrichten | el mensaje, mensajes | 消息 | メッセージ
chat, chats | der Chat, Chats | el chat, chats | 聊天 | チャット
channel, channels | der Kanal, Kanäle | el canal, canales | 频道 | チャンネル
file, files | die Datei, Dateien | el archivo, archivos | 文件 | ファイル
document, documents | das Dokument, Dokumente | el documento, documentos | 文档 | ドキュメント
folder, folders | der Ordner, Ordner | la carpeta, carpetas | 文件夹 | フォルダ
contact, contacts | der Kontakt, Kontakte | el contacto, contactos | 联系人 | 連絡先
employee, employees | der Mitarbeiter, Mitarbeiter | el empleado, empleados | 员工 | 社員
member, members | das Mitglied, Mitglieder | el miembro, miembros | 成员 | メンバー
user, users | der Nutzer, Nutzer | el usuario, usuarios | 用户 | ユーザー
payment, payments | die Zahlung, Zahlungen | el pago, pagos | 付款 | 支払い
transaction, transactions | die Buchung, Umsätze | el movimiento, movimientos | 交易 | 取引
transfer, transfers | die Überweisung, Überweisungen | la transferencia, transferencias | 转账 | 振込
standing order, standing orders | der Dauerauftrag, Daueraufträge | la orden permanente, órdenes permanentes | 定期转账 | 自動送金
invoice, invoices | die Rechnung, Rechnungen | la factura, facturas | 账单 | 請求書
bill, bills | die Rechnung, Rechnungen | la factura, facturas | 账单 | 請求書
refund, refunds | die Erstattung, Erstattungen | el reembolso, reembolsos | 退款 | 返金
expense, expenses | die Ausgabe, Ausgaben | el gasto, gastos | 费用 | 経費
balance, balances | der Kontostand, Kontostände | el saldo, saldos | 余额 | 残高
account, accounts | das Konto, Konten | la cuenta, cuentas | 账户 | 口座
user account, user accounts | das Benutzerkonto, Benutzerkonten | la cuenta de usuario, cuentas de usuario | 用户账号 | アカウント
card, cards | die Karte, Karten | la tarjeta, tarjetas | 卡 | カード
profile, profiles | das Profil, Profile | el perfil, perfiles | 资料 | プロフィール
address, addresses | die Adresse, Adressen | la dirección, direcciones | 地址 | 住所
password, passwords | das Passwort, Passwörter | la contraseña, contraseñas | 密码 | パスワード
subscription, subscriptions | das Abo, Abos | la suscripción, suscripciones | 订阅 | 定期購読
course, courses | der Kurs, Kurse | el curso, cursos | 课程 | 講座
student, students | der Schüler, Schüler | el alumno, alumnos | 学生 | 学生
contract, contracts | der Vertrag, Verträge | el contrato, contratos | 合同 | 契約
order, orders | die Bestellung, Bestellungen | el pedido, pedidos | 订单 | 注文
cart, carts | der Warenkorb, Warenkörbe | el carrito, carritos | 购物车 | カート
parcel, parcels | das Paket, Pakete | el paquete, paquetes | 包裹 | 荷物
package, packages | das Paket, Pakete | el paquete, paquetes | 包裹 | 荷物
shipment, shipments | die Lieferung, Lieferungen | el envío, envíos | 货 | 配送
delivery, deliveries | die Lieferung, Lieferungen | la entrega, entregas | 配送 | 配達
stock, stocks | der Bestand, Bestände | el stock, stocks | 库存 | 在庫
inventory, inventories | der Bestand, Bestände | el inventario, inventarios | 库存 | 在庫
discount code, discount codes | der Rabattcode, Rabattcodes | el código de descuento, códigos de descuento | 优惠码 | 割引コード
discount, discounts | der Rabatt, Rabatte | el descuento, descuentos | 折扣 | 割引
coupon, coupons | der Gutschein, Gutscheine | el cupón, cupones | 优惠券 | クーポン
voucher, vouchers | der Gutschein, Gutscheine | el vale, vales | 代金券 | クーポン券
promo code, promo codes | der Aktionscode, Aktionscodes | el código promocional, códigos promocionales | 促销码 | プロモコード
gift card, gift cards | die Geschenkkarte, Geschenkkarten | la tarjeta regalo, tarjetas regalo | 礼品卡 | ギフトカード
product, products | das Produkt, Produkte | el producto, productos | 商品 | 商品
item, items | der Artikel, Artikel | el artículo, artículos | 商品 | 商品
grocery, groceries | der Einkauf, Lebensmittel | la compra, alimentos | 菜 | 食料品
review, reviews | die Bewertung, Bewertungen | la reseña, reseñas | 评价 | レビュー
page, pages | die Seite, Seiten | la página, páginas | 网页 | ページ
website, websites | die Website, Websites | la web, webs | 网站 | サイト
article, articles | der Artikel, Artikel | el artículo, artículos | 文章 | 記事
post, posts | der Beitrag, Beiträge | la publicación, publicaciones | 帖子 | 投稿
comment, comments | der Kommentar, Kommentare | el comentario, comentarios | 评论 | コメント
ticket, tickets | das Ticket, Tickets | el ticket, tickets | 工单 | チケット
issue, issues | das Ticket, Tickets | la incidencia, incidencias | 问题 | 課題
bug, bugs | der Fehler, Fehler | el error, errores | 错误 | バグ
case, cases | der Fall, Fälle | el caso, casos | 案例 | 案件
incident, incidents | die Störung, Störungen | el incidente, incidentes | 故障 | 障害
alert, alerts | der Alarm, Alarme | la alerta, alertas | 警报 | アラート
repository, repositories | das Repository, Repositories | el repositorio, repositorios | 仓库 | リポジトリ
branch, branches | der Branch, Branches | la rama, ramas | 分支 | ブランチ
project, projects | das Projekt, Projekte | el proyecto, proyectos | 项目 | プロジェクト
report, reports | der Bericht, Berichte | el informe, informes | 报告 | レポート
note, notes | die Notiz, Notizen | la nota, notas | 笔记 | メモ
task, tasks | die Aufgabe, Aufgaben | la tarea, tareas | 任务 | タスク
todo, todos | die Aufgabe, Aufgaben | la tarea, tareas | 待办 | タスク
reminder, reminders | die Erinnerung, Erinnerungen | el recordatorio, recordatorios | 提醒 | リマインダー
database, databases | die Datenbank, Datenbanken | la base de datos, bases de datos | 数据库 | データベース
row, rows | die Zeile, Zeilen | la fila, filas | 行 | 行
record, records | der Datensatz, Datensätze | el registro, registros | 记录 | 記録
light, lights | das Licht, Lichter | la luz, luces | 灯 | 電気
lamp, lamps | die Lampe, Lampen | la lámpara, lámparas | 台灯 | ランプ
thermostat, thermostats | das Thermostat, Thermostate | el termostato, termostatos | 温控器 | サーモスタット
heating, heaters | die Heizung, Heizungen | la calefacción, radiadores | 暖气 | 暖房
door, doors | die Tür, Türen | la puerta, puertas | 门 | ドア
alarm, alarms | der Wecker, Wecker | la alarma, alarmas | 闹钟 | アラーム
camera, cameras | die Kamera, Kameras | la cámara, cámaras | 摄像头 | カメラ
device, devices | das Gerät, Geräte | el aparato, aparatos | 设备 | 機器
server, servers | der Server, Server | el servidor, servidores | 服务器 | サーバー
service, services | der Dienst, Dienste | el servicio, servicios | 服务 | サービス
deployment, deployments | das Deployment, Deployments | el despliegue, despliegues | 部署 | デプロイ
job, jobs | der Job, Jobs | el trabajo, trabajos | 作业 | ジョブ
command, commands | der Befehl, Befehle | el comando, comandos | 命令 | コマンド
script, scripts | das Skript, Skripte | el script, scripts | 脚本 | スクリプト
patient, patients | der Patient, Patienten | el paciente, pacientes | 病人 | 患者
medicine, medicines | das Medikament, Medikamente | el medicamento, medicamentos | 药 | 薬
medication, medications | das Medikament, Medikamente | el medicamento, medicamentos | 药 | 薬
prescription, prescriptions | das Rezept, Rezepte | la receta, recetas | 处方 | 処方箋
weather, forecasts | das Wetter, Vorhersagen | el tiempo, pronósticos | 天气 | 天気
temperature, temperatures | die Temperatur, Temperaturen | la temperatura, temperaturas | 温度 | 温度
song, songs | das Lied, Lieder | la canción, canciones | 歌 | 曲
music, songs | die Musik, Lieder | la música, canciones | 音乐 | 音楽
playlist, playlists | die Playlist, Playlists | la lista, listas | 歌单 | プレイリスト
video, videos | das Video, Videos | el vídeo, vídeos | 视频 | 動画
customer, customers | der Kunde, Kunden | el cliente, clientes | 客户 | 顧客
client, clients | der Kunde, Kunden | el cliente, clientes | 客户 | 顧客
lead, leads | der Interessent, Interessenten | el contacto, contactos | 线索 | 見込み客
deal, deals | das Geschäft, Geschäfte | el trato, tratos | 交易 | 商談
permission, permissions | die Berechtigung, Berechtigungen | el permiso, permisos | 权限 | 権限
role, roles | die Rolle, Rollen | el rol, roles | 角色 | 役割
`;

/**
 * The forms that slots ask for. German is declined: `the`, `a` and `my` are objects ("den Termin", "meinen Termin"), `nom` and `mynom`
 * are subjects ("der Termin"), `dat` follows "in" and "von" ("dem Termin").
 */
export interface NounForms {
  readonly n: string;
  readonly the: string;
  readonly a: string;
  readonly my: string;
  readonly all: string;
  readonly nom?: string;
  readonly mynom?: string;
  readonly dat?: string;
}

const rows = new Map(
  table
    .trim()
    .split("\n")
    .map((line) => {
      const cells = line.split(" | ");
      return [(cells[0] ?? "").split(", ")[0] ?? "", cells] as const;
    }),
);

/** A weak noun has another ending as an object: "den Kunden". */
const WEAK: ReadonlyMap<string, string> = new Map([
  ["Kunde", "Kunden"],
  ["Patient", "Patienten"],
  ["Interessent", "Interessenten"],
]);

/** No indefinite article: "play some music". */
const MASS: ReadonlySet<string> = new Set("music groceries grocery weather heating Musik Wetter música".split(" "));

const inLanguage: Readonly<Record<Language, (cell: string) => NounForms>> = {
  en: englishForms,
  de: (cell) => {
    const { article, noun: written, plural } = parsed(cell);
    const noun = WEAK.get(written) ?? written;
    const ending = { der: "en", die: "e", das: "" }[article] ?? "";
    const the = { der: "den", die: "die", das: "das" }[article] ?? article;
    const a = MASS.has(noun) ? noun : `ein${ending} ${noun}`;
    const subject = { nom: `${article} ${written}`, mynom: `mein${article === "die" ? "e" : ""} ${written}` };
    const dat = `${article === "die" ? "der" : "dem"} ${noun}`;
    return { n: written, the: `${the} ${noun}`, a, my: `mein${ending} ${noun}`, all: plural, ...subject, dat };
  },
  es: (cell) => {
    const { article, noun, plural } = parsed(cell);
    const a = MASS.has(noun) ? noun : `${article === "la" ? "una" : "un"} ${noun}`;
    return { n: noun, the: `${article} ${noun}`, a, my: `mi ${noun}`, all: plural };
  },
  zh: sameForms,
  ja: sameForms,
};

function englishForms(cell: string): NounForms {
  const [noun = "", plural = pluralOf(noun)] = cell.split(", ");
  const word = noun === "grocery" ? "groceries" : noun;
  const a = MASS.has(word) ? `some ${word}` : `${/^[aeiou](?!ser|nit)/.test(word) ? "an" : "a"} ${word}`;
  return { n: word, the: `the ${word}`, a, my: `my ${word}`, all: plural };
}

/** The plural of a tool's own word, which no table knows: "queries", "losses". */
function pluralOf(noun: string): string {
  if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

function sameForms(n: string): NounForms {
  return { n, the: n, a: n, my: n, all: n };
}

function parsed(cell: string) {
  const [named = "", plural = named] = cell.split(", ");
  const at = named.indexOf(" ");
  return { article: named.slice(0, at), noun: named.slice(at + 1), plural };
}

const columns: readonly Language[] = ["en", "de", "es", "zh", "ja"];

export const isKnownNoun = (noun: string): boolean => rows.has(noun);

/** @param noun in English, in the singular. Undefined if it is not known in the language; in English any noun is known. */
export function nounForms(noun: string, language: Language): NounForms | undefined {
  const cell = rows.get(noun)?.[columns.indexOf(language)];
  if (cell !== undefined) return inLanguage[language](cell);
  return language === "en" ? englishForms(noun) : undefined;
}
