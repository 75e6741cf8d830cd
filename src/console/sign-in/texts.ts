/** Texts of the sign-in page, in every language that questions are asked in. The other pages have fewer languages. */
import { languages } from "../../lib/text/languages.ts";
import { chosenOf } from "../texts/texts.ts";

const en = {
  noKey: "That is not a key: a key has no spaces.",
  title: "Sign in",
  lead: "See what your assistants are about to do, and decide.",
  refused: "This key is not accepted. Sign in with one that is valid.",
  with: (name: string) => `Sign in with ${name}`,
  or: "or with a key",
  key: "Key or token",
  keyHint: "The key that your chat uses too. It stays in this browser.",
  keep: "Stay signed in on this device",
  submit: "Sign in",
  development: "On this machine these development keys open. Choose the one that your chat uses.",
  coming: "One moment …",
  again: "Sign in again",
};

type SignInTexts = typeof en;

const zh: SignInTexts = {
  noKey: "这不是密钥：密钥是一个词，没有空格。",
  title: "登录",
  lead: "看清助手将要做什么，由您决定。",
  refused: "此密钥无效，请用有效的密钥登录。",
  with: (name) => `使用 ${name} 登录`,
  or: "或使用密钥",
  key: "密钥或令牌",
  keyHint: "与您的聊天所用的密钥相同，只保存在此浏览器中。",
  keep: "在此设备上保持登录",
  submit: "登录",
  development: "在本机可使用以下开发密钥，请选择聊天所用的那一个。",
  coming: "请稍候……",
  again: "重新登录",
};

const ja: SignInTexts = {
  noKey: "キーではありません。キーは空白のない一続きの文字です。",
  title: "サインイン",
  lead: "アシスタントがこれから行うことを確認し、あなたが決めます。",
  refused: "このキーは使えません。有効なキーでサインインしてください。",
  with: (name) => `${name} でサインイン`,
  or: "またはキーで",
  key: "キーまたはトークン",
  keyHint: "チャットで使っているものと同じキーです。このブラウザーにだけ保存されます。",
  keep: "この端末でサインインしたままにする",
  submit: "サインイン",
  development: "このマシンでは次の開発用キーが使えます。チャットで使っているものを選んでください。",
  coming: "お待ちください…",
  again: "もう一度サインイン",
};

const de: SignInTexts = {
  noKey: "Das ist kein Schlüssel: Ein Schlüssel hat keine Leerzeichen.",
  title: "Anmelden",
  lead: "Sehen, was die Assistenten gleich tun, und darüber entscheiden.",
  refused: "Dieser Schlüssel wird nicht angenommen. Bitte mit einem gültigen anmelden.",
  with: (name: string) => `Anmelden mit ${name}`,
  or: "oder mit einem Schlüssel",
  key: "Schlüssel oder Token",
  keyHint: "Derselbe Schlüssel, den der Chat benutzt. Er bleibt in diesem Browser.",
  keep: "Auf diesem Gerät angemeldet bleiben",
  submit: "Anmelden",
  development: "Auf diesem Rechner gelten diese Schlüssel für die Entwicklung. Bitte den wählen, den der Chat benutzt.",
  coming: "Einen Moment …",
  again: "Neu anmelden",
};

const es: SignInTexts = {
  noKey: "Eso no es una clave: una clave no lleva espacios.",
  title: "Iniciar sesión",
  lead: "Ver qué van a hacer los asistentes, y decidirlo.",
  refused: "Esta clave no se acepta. Hay que entrar con una válida.",
  with: (name: string) => `Entrar con ${name}`,
  or: "o con una clave",
  key: "Clave o token",
  keyHint: "La misma clave que usa el chat. Se queda en este navegador.",
  keep: "Mantener la sesión en este dispositivo",
  submit: "Entrar",
  development: "En este equipo valen estas claves de desarrollo. Hay que elegir la que usa el chat.",
  coming: "Un momento…",
  again: "Volver a entrar",
};

const fr: SignInTexts = {
  noKey: "Ce n'est pas une clé\u00a0: une clé n'a pas d'espaces.",
  title: "Se connecter",
  lead: "Voir ce que les assistants vont faire, et en décider.",
  refused: "Cette clé n'est pas acceptée. Se connecter avec une clé valable.",
  with: (name: string) => `Se connecter avec ${name}`,
  or: "ou avec une clé",
  key: "Clé ou jeton",
  keyHint: "La même clé que celle du chat. Elle reste dans ce navigateur.",
  keep: "Rester connecté sur cet appareil",
  submit: "Se connecter",
  development: "Sur cette machine, ces clés de développement sont valables. Choisir celle du chat.",
  coming: "Un instant…",
  again: "Se reconnecter",
};

const ko: SignInTexts = {
  noKey: "키가 아닙니다. 키에는 공백이 없습니다.",
  title: "로그인",
  lead: "어시스턴트가 하려는 일을 확인하고 결정하세요.",
  refused: "사용할 수 없는 키입니다. 유효한 키로 로그인해 주세요.",
  with: (name: string) => `${name} 계정으로 로그인`,
  or: "또는 키로 로그인",
  key: "키 또는 토큰",
  keyHint: "대화에서 쓰는 것과 같은 키입니다. 이 브라우저에만 남습니다.",
  keep: "이 기기에서 로그인 상태 유지",
  submit: "로그인",
  development: "이 컴퓨터에서는 다음 개발용 키를 쓸 수 있습니다. 대화에서 쓰는 키를 고르세요.",
  coming: "잠시만 기다려 주세요…",
  again: "다시 로그인",
};

export const signInLanguage = chosenOf(languages);
export const signInTexts: SignInTexts = { en, zh, ja, de, es, fr, ko }[signInLanguage];
