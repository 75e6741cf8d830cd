/** The console's service worker: shows a notification for a waiting call, and opens the inbox when it is pressed. It caches nothing. */
interface PushedCall {
  readonly id: string;
  readonly tool: string;
}

/** The used part of a service worker's scope: the page's types describe only windows. */
interface WorkerScope {
  readonly registration: { showNotification(title: string, options: object): Promise<void> };
  readonly clients: {
    matchAll(options: object): Promise<readonly { readonly url: string; focus(): Promise<unknown> }[]>;
    openWindow(url: string): Promise<unknown>;
  };
  readonly navigator: { readonly language: string };
  skipWaiting(): Promise<void>;
  addEventListener(type: string, listener: (event: WorkerEvent) => void): void;
}

interface WorkerEvent {
  readonly data?: { json(): unknown } | null;
  readonly notification?: { readonly data: PushedCall; close(): void };
  waitUntil(work: Promise<unknown>): void;
}

const scope = globalThis as unknown as WorkerScope;
const INBOX = "/console/approvals";

const titles: Readonly<Record<string, (tool: string) => string>> = {
  zh: (tool) => `${tool} 等待您的答复`,
  ja: (tool) => `${tool} が回答を待っています`,
  de: (tool) => `${tool} wartet auf Antwort`,
  es: (tool) => `${tool} espera respuesta`,
  fr: (tool) => `${tool} attend une réponse`,
  ko: (tool) => `${tool} 호출이 답을 기다립니다`,
};

const titleOf = (tool: string): string =>
  (titles[scope.navigator.language.slice(0, 2)] ?? ((name) => `${name} waits for your answer`))(tool);

scope.addEventListener("install", (event) => event.waitUntil(scope.skipWaiting()));

scope.addEventListener("push", (event) => {
  const call = event.data?.json() as PushedCall | undefined;
  if (call) event.waitUntil(scope.registration.showNotification(titleOf(call.tool), { tag: call.id, data: call }));
});

scope.addEventListener("notificationclick", (event) => {
  event.notification?.close();
  event.waitUntil(openInbox());
});

async function openInbox(): Promise<void> {
  const windows = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  const open = windows.find(({ url }) => new URL(url).pathname.startsWith("/console"));
  await (open ? open.focus() : scope.clients.openWindow(INBOX));
}
