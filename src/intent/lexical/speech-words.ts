/** What tells, before a colon, that somebody else speaks behind it: "my boss wrote", "a sign at the pool", "sie rief", 貼り紙に. Pure. */

const spoken = [
  "said|says|wrote|writes|texted(?: me)?|told me|tells me|reads|shout(?:s|ed)|asks|asked|answer(?:s|ed)|repl(?:ies|ied)|commented|goes",
  `states|stated|guidelines state|warn(?:s|ed)|insist(?:s|ed)|demand(?:s|ed)|suggests|yell(?:s|ed)|scream(?:s|ed)|whisper(?:s|ed)|mutter(?:s|ed)|scribbled|keeps? (?:saying|nagging|shouting|repeating|telling me)|(?:begins|opens|ends|closes) with|white (?:text )?on white|in (?:big|huge|red|capital) letters`,
  "schrieb|schreibt|sagte|sagt|meinte|steht|rief|ruft|fragte|antwortete?|heißt es|hieß es|da stand|warnt|warnte|verlangt|verlangte|brüllt|brüllte|flüstert|flüsterte|prangt|prangte",
  "dice|decía|dijo|escribió|escribe|pone|pon[ií]a|gritó|gritaba|preguntó|respondió|contestó|reza|rezaba|soltó|nos pide|me pide|a écrit|dit",
  "说|說|写道|寫道|写着|寫著|写|寫|留言|发消息说|喊|回复|回覆|原话|原文|一行小?字",
  String.raw`言って(?:た|いた|る)?|書いて(?:ある|あった|きた)|とのこと|コメント\S{0,3}`,
];

/** Things that speak to everybody, and that nobody asks an assistant to make in such words. */
const signs = [
  "pop-?ups?|(?:an?|the|that|this|one|another) (?:\\w+ )?sign|poster|notice|circular|sticker|billboard|graffiti|plaque|sticky note|post-it|leaflet|flyer",
  "popup-?fenster|rundschreiben|schild|plakat|zettel|aushang|aufkleber|spruchband|durchsage",
  "cartel|pancarta|letrero|pegatina|nota pegada|ventana emergente",
].join("|");
const places = `(?:on|in|at|by|over|above|under|outside|near|next to|from|up|am|im|neben|über|unter|vor|vom|bei|beim|en|sobre|junto a|encima|de la|del)`;
const own = `(?:voice ?mail|voice ?memo|answer(?:ing machine|phone)|horoscope|fortune cookie|circular|anrufbeantworter|sprachnachricht|horoskop|glückskeks|rundschreiben|buz[oó]n de voz|hor[oó]scopo|galleta de la suerte|contestador)`;
const unspaced =
  "弹窗|彈窗|横幅|标语|告示|贴着|贴了|语音里|星座说|貼り紙|張り紙|看板|留守電|ポップアップ|付箋|横断幕|標語|おみくじ";

export const speech = [
  ...spoken,
  `(?:${signs})(?= ${places}\\b)`,
  `(?:left|on|from|my|this|the|per|im|auf|mein|das|el|mi|la|sali[oó])(?: (?:me|us|a|an|the|my|dem|den|der|una?|el|la)){0,3} (?:${own}|pop-?up|ventana|aviso)`,
  unspaced,
].join("|");

/** Said without a colon, in the capitals of a title: "a poster that goes Mind Every Step You Take". */
export const titleSpeech = String.raw`\b(?:goes|says|said|reads|saying|reading) (?<words>\p{Lu}[\p{L}'’]*(?: \p{Lu}[\p{L}'’]*){2,20})`;
