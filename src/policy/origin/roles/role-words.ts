/**
 * What the words of argument names mean, in English, German, Spanish, French, Italian, Portuguese, Dutch, Russian,
 * Chinese, Japanese and Korean. Latin words are in lower case
 * and without marks (`empfänger` is `empfanger`). Pure data.
 */
import { once } from "../../../lib/once.ts";

/**
 * - `address`: a destination that the tool reaches over the network: a URL, a host.
 * - `destination`: a person or a thing that receives.
 * - `command`: code or a shell command, which itself says what it changes and where.
 * - `person`: receives if the tool sends or gives access; else it says which record.
 * - `place`: a destination if the tool delivers; else content.
 * - `open`: has no meaning of its own, the word before it decides (`channel_name`).
 */
export type WordMeaning =
  | "address"
  | "destination"
  | "command"
  | "person"
  | "place"
  | "id"
  | "object"
  | "amount"
  | "content"
  | "open";

const WORDS: Readonly<Record<WordMeaning, string>> = {
  address:
    "url uri href link host hostname domain server endpoint webhook callback ip ipv port proxy remote website site homepage " +
    "broker gateway smtp imap nameserver dns cname redirect forwarding upstream via " +
    "enlace sitio dominio servidor webseite adresszeile lien serveur domaine sito ссылка сервер 링크 서버 도메인",
  destination:
    "recipient receiver to cc bcc addressee payee beneficiary creditor destination dest channel chat mailbox inbox phone telephone " +
    "tel mobile fax sms whatsapp email mail iban bic swift account acct wallet address addr street zip postcode postal mailto " +
    "participant attendee invitee guest collaborator follower requestee counterparty password passwd passphrase pwd secret credential " +
    "apikey token publickey key handle audience visibility privacy subscriber recip rcpt sendto msisdn holder charity pharmacy delegate principal arn cidr dsn reviewer oculta bucket destinatario target assignee " +
    "spender payer lender biller merchant heir trustee signatory subscriber printer bank routing blz queue " +
    "empfanger empfaenger konto kontonummer adresse anschrift strasse plz postleitzahl handynummer telefon telefonnummer rufnummer ziel kanal " +
    "teilnehmer teilnehmende begunstigter beguenstigter zahlungsempfanger zahlungsempfaenger passwort kennwort eingeladene gaste gaeste " +
    "receptor beneficiario cuenta direccion correo telefono movil canal destino contrasena clave calle invitado asistente participante banco impresora " +
    "bankleitzahl drucker zielkonto zustandiger bearbeiter destinataire beneficiaire compte adresse courriel telephone canal destination " +
    "participant motdepasse rue banque imprimante indirizzo conto beneficiario cellulare invitato partecipante banca stampante " +
    "destinatario endereco conta telefone celular senha convidado participante impressora ontvanger rekening adres telefoonnummer " +
    "wachtwoord genodigde deelnemer получатель адрес счет счёт телефон почта пароль канал участник 받는사람 수신자 수신 계좌 계좌번호 이메일 메일 전화 " +
    "전화번호 주소 비밀번호 채널 참석자 dropoff inhaber kontoinhaber zahler empfangskonto titular titulaire intestatario ordinante destinataria chave chavepix agencia " +
    "carteira senhas ramal odbiorca odbiorcy odbiorce adresat adresaci rachunek rachunku konta nadawca haslo klucz kanal skrzynka zaproszeni uczestnik " +
    "получателя получатели получателю адреса адресат адресата счета счёта счету телефона номертелефона почты карта карты карту владелец владельца участники " +
    "куда кому реквизиты кошелек кошелёк ключ",
  command: "command cmd commandline script shell sql soql statement bytecode calldata exec befehl skript comando",
  person:
    "user customer client contact member person people friend employee patient doctor colleague owner teammate username login author " +
    "sender from team group organization organisation org company thread conversation room space workspace reviewer manager " +
    "supplier vendor seller landlord tenant driver courier dentist lawyer teacher tutor coach medico vendedor student agent traveller traveler passenger kunde benutzer nutzer mitglied kontakt freund absender gruppe firma " +
    "mitarbeiter usuario cliente contacto miembro persona amigo remitente grupo empresa equipo vendedor empleado " +
    "utilisateur client contact membre personne ami expediteur groupe entreprise equipe employe utente contatto membro amico " +
    "mittente gruppo azienda squadra usuario contato grupo equipe gebruiker klant lid vriend afzender groep bedrijf " +
    "пользователь клиент контакт отправитель группа команда 사용자 고객 연락처 회원 친구 팀",
  place: "location place city town country state region ort stadt land standort ciudad pais lugar ubicacion provincia",
  id: "id ids pid uuid guid identifier identificador kennung pk oid uid",
  object:
    "path file filename filepath folder directory dir repo repository branch commit sha ref product sku item order invoice ticket issue pr pull " +
    "event meeting task document doc record row table database db collection bucket object resource device instance cluster pod " +
    "container image volume service app application package module job workflow pipeline environment env attachment media photo video " +
    "playlist booking reservation appointment flight hotel ticker symbol isin contract policy rule card transaction subscription " +
    "entity source selector element slug calendar notebook applet payment bill shipment spreadsheet sheet worksheet dataset " +
    "permission role scope drive node asset listing medication prescription lead deal opportunity " +
    "datei dateiname pfad ordner verzeichnis bestellung rechnung auftrag produkt artikel termin aufgabe dokument projekt buchung " +
    "archivo fichero ruta carpeta pedido factura producto articulo evento tarea documento proyecto reserva cita " +
    "fichier chemin dossier commande facture produit tache projet rendezvous percorso cartella ordine fattura prodotto evento " +
    "compito progetto prenotazione arquivo caminho encomenda fatura produto tarefa projeto bestand " +
    "plik pliku sciezka folderu zamowienie zamowienia faktura faktury produkt produktu zadanie dokumentu wydarzenie spotkanie rezerwacja ficheiro pasta " +
    "pedido compromisso scheda cartelle " +
    "файла пути заказа товара документа проекта задачи встречи заявка заявки бронь брони " +
    "файл путь папка заказ товар документ проект задача встреча 파일 경로 폴더 주문 상품 문서 예약 일정",
  amount:
    "amount price cost sum total quantity qty cap replica pack mile fee budget tip salary balance refund amt threshold percent percentage pct " +
    "discount redemption copy mg mcg ml kg gram dose unitprice " +
    "betrag preis menge anzahl summe gebuhr gebuehr prozent rabatt schwelle dosis stuckzahl kopie " +
    "cantidad precio monto importe suma coste porcentaje descuento copia montant prix quantite somme pourcentage remise " +
    "importo prezzo quantita somma percentuale sconto quantia preco quantidade bedrag prijs hoeveelheid aantal korting " +
    "kwota kwote ilosc liczba cena ceny suma rabat oplata limitu quantia preco desconto taxa montante soma prezzi sconti stueckzahl " +
    "сумма суммы цена цены количество процент скидка лимит 금액 가격 수량 개수 할인",
  content:
    "subject body text message purpose coupon cupon design variable include regex param spoiler version emoji block importance protocol signal property properties what q " +
    "bemerkung verwendungszweck symptome campo at first last full given family middle display content title description note comment summary query keyword search caption remark reason prompt question review " +
    "html markdown md json xml csv paragraph headline heading reply answer post tweet bio about topic memo page " +
    "payload template label tag category type kind status priority level format language lang locale timezone tz date time datetime " +
    "timestamp start end day hour minute second month year week weekday duration deadline due when since until before after limit max min count " +
    "offset page size top n k cursor sort sorting direction filter mode color colour theme style width height depth recurrence recurring repeat frequency " +
    "interval reminder currency unit unity encoding mime verbose flag option setting preference metadata meta field column thought " +
    "expression rating score rank index position lastname firstname surname nickname gender dosage age birthday size temperature action operation " +
    "betreff nachricht inhalt beschreibung notiz kommentar zusammenfassung suchbegriff frage antwort grund titel datum uhrzeit zeit sprache " +
    "asunto cuerpo texto mensaje contenido titulo descripcion nota comentario resumen consulta pregunta respuesta motivo fecha hora idioma razon " +
    "objet sujet corps texte contenu titre commentaire reponse heure duree langue oggetto corpo testo messaggio contenuto titolo descrizione " +
    "commento risposta durata lingua assunto mensagem conteudo descricao comentario resposta duracao onderwerp tekst bericht inhoud tytul tresc wiadomosc opis temat komentarz godzina jezyk " +
    "titel omschrijving datum tijd тема текст сообщение описание комментарий дата время язык 제목 내용 본문 메시지 설명 날짜 시간 언어 검색어",
  open: "name number no nr num value list array string data info information detail method new old current my the code reference nombre numero nummer valor wert liste lista",
};

/** Words that mean one thing in Chinese or Japanese anywhere in a name; the first that fits decides. */
const CJK_WORDS: readonly (readonly [meaning: WordMeaning, words: string])[] = [
  [
    "content",
    "症状 主题 标题 正文 内容 备注 描述 说明 原因 日期 时间 关键词 查询 語言 语言 类型 状态 件名 本文 備考 説明 理由 日付 日時 時刻 時間 検索 種類 言語 メモ タイトル コメント",
  ],
  ["address", "网址 链接 域名 主机 服务器 网站 リンク ホスト ドメイン サーバ サイト"],
  [
    "destination",
    "收件人 收款 接收 抄送 密送 邮箱 邮件地址 电邮 手机 电话 账户 账号 帐户 帐号 频道 群 地址 密码 参会 与会 参与者 目标地址 受取 宛先 宛名 受信者 送信先 送り先 送金先 振込先 転送先 届け先 メールアドレス アドレス 電話 携帯 口座 チャンネル 住所 パスワード 参加者 出席者 银行 銀行 支行 支店 担当者 负责人 打印机 プリンタ",
  ],
  ["command", "命令 指令 脚本 コマンド スクリプト"],
  ["id", "编号 标识 識別子 番号"],
  [
    "object",
    "文件 路径 目录 文件夹 仓库 订单 产品 商品 发票 任务 事件 会议 ファイル パス フォルダ リポジトリ 注文 製品 請求書 タスク 予定 会議 予約",
  ],
  ["person", "用户 客户 联系人 成员 好友 发件人 ユーザ 顧客 連絡先 メンバー 友達 差出人"],
  ["amount", "金额 数量 价格 金額 価格 個数 合計 折扣 割引 份数 部数 阈值"],
];

const latin = once(() => {
  const meanings = new Map<string, WordMeaning>();
  for (const [meaning, words] of Object.entries(WORDS) as [WordMeaning, string][])
    for (const word of words.split(" ")) if (!meanings.has(word)) meanings.set(word, meaning);
  return meanings;
});

const asian = once(() => CJK_WORDS.flatMap(([meaning, words]) => words.split(" ").map((word) => ({ word, meaning }))));

export const latinMeaning = (word: string): WordMeaning | undefined => latin().get(word);

export const cjkMeaning = (name: string): { readonly word: string; readonly meaning: WordMeaning } | undefined =>
  asian().find(({ word }) => name.includes(word));
