import {
  createAccounts,
  createKeyManager,
  createMemoryStore,
  type AccountsOptions,
  type KeySettings,
  type NewSecret,
  type Store,
} from '@dragoman/accounts'
import { usd, type Card, type Provider, type Receiver, type Transport } from '@dragoman/core/provider'
import { readContent } from '@dragoman/core/provider'
import {
  createFetchHandler,
  createGateway,
  createManualClock,
  type Clock,
  type Gateway,
  type GatewayOptions,
  type Stage,
} from '@dragoman/gateway'

/** Nano-dollars of one token: of the prompt, and of the answer. */
export const PRICE = { input: 1000, output: 10_000 }
/** The prompt of `CHAT` as the gateway estimates it. */
export const CHAT = { model: 'acme/m', messages: [{ role: 'user', content: 'Hello.' }], max_tokens: 100 }
export const START = Date.UTC(2026, 0, 31, 23, 50, 0)

const prices = usd({ prompt: 1, completion: 10 })
const CARDS: readonly Card[] = [
  { name: 'm', input: ['text'], output: ['text'], prices, priceVersion: 'v1' },
  { name: 'drawn', input: ['text'], output: ['image'], image: { most: 4 }, prices: usd({ image: 40 }) },
  { name: 'vectors', input: ['text'], output: [], embedding: {}, prices },
]

/** A call as the upstream sees it. The test answers it. */
export interface Seen {
  readonly id: string
  readonly url: string
  readonly body: string
  isCancelled: boolean
  answer(body: object): void
  /** Answers with usage of so many tokens. */
  chat(input: number, output: number): void
  head(status: number, type?: string): void
  chunk(text: string): void
  end(): void
  refuse(status: number, body?: object): void
  /** The connection breaks. */
  fail(): void
}

export interface Instance {
  readonly accounts: ReturnType<typeof createAccounts>
  readonly gateway: Gateway
  readonly fetch: (path: string, init: RequestInit, address?: string) => Promise<Response>
  /** Ends it abruptly: it does nothing any more, and its store gets no message from it. */
  readonly kill: () => void
  /** Cuts its connection to the store, or mends it. */
  readonly cut: (isCut: boolean) => void
  /** Sends a chat request. */
  readonly chat: (secret: string, more?: object, options?: { signal?: AbortSignal }) => Promise<Response>
}

export interface World {
  readonly clock: Clock & { advance(ms: number): void }
  readonly store: Store
  /** What upstreams have seen, in order. */
  readonly seen: Seen[]
  readonly failures: unknown[]
  /** Resolves with the call of this position when an upstream has seen it. */
  readonly call: (position: number) => Promise<Seen>
  /** Lets time pass in steps, and waits after each of them for everything that it causes. */
  readonly pass: (ms: number) => Promise<void>
  readonly create: (settings?: Partial<KeySettings>) => Promise<NewSecret>
  readonly manager: ReturnType<typeof createKeyManager>
  readonly instance: (options?: Partial<AccountsOptions>, gateway?: Partial<GatewayOptions>) => Instance
  /** A provider of these models; by default of the usual ones. */
  readonly provider: (name: string, models?: readonly Card[]) => Provider
  /** The upstream answers every call at once with these tokens. If it is undefined, the test answers. */
  auto: { readonly input: number; readonly output: number } | undefined
}

export const TESTER = { id: 'terminal', address: '' }
const SETTINGS: KeySettings = {
  name: 'test',
  labels: {},
  scopes: ['inference'],
  limits: {},
  budgets: {},
  disabled: false,
}

export function createWorld(wrap: (store: Store) => Store = (store) => store): World {
  const clock = createManualClock(START)
  const store = createMemoryStore({ clock })
  const used = wrap(store)
  const manager = createKeyManager(store, clock)
  const seen: Seen[] = []
  const failures: unknown[] = []
  const waiting: { readonly position: number; readonly resolve: (call: Seen) => void }[] = []
  const onSeen = (): void => {
    for (const { position, resolve } of waiting) {
      const call = seen[position]
      if (call !== undefined) resolve(call)
    }
  }
  const world: World = {
    clock,
    store,
    seen,
    failures,
    manager,
    call: (position) =>
      new Promise((resolve) => {
        waiting.push({ position, resolve })
        onSeen()
      }),
    async pass(ms) {
      for (let left = ms; left > 0; left -= 1000) {
        clock.advance(Math.min(1000, left))
        await settled()
      }
    },
    auto: { input: 10, output: 5 },
    provider,
    create: (settings) => manager.create({ ...SETTINGS, ...settings }, TESTER),
    instance(options, more) {
      const life: Life = { isOver: false, isCut: false }
      const accounts = createAccounts({
        store: mortal(used, life),
        clock: mortalClock(clock, life),
        onFailed: (thrown) => failures.push(thrown),
        ...options,
      })
      const gateway = createGateway({
        providers: [provider('acme'), provider('other')],
        aliases: { pool: { routes: ['acme/m', 'other/m'] } },
        transport: upstream(world, onSeen),
        keys: accounts.keys,
        stages: [...accounts.stages, mark],
        clock,
        ...more,
      })
      let address: string | undefined
      const handle = createFetchHandler(gateway, { addressOf: () => address })
      const send = (path: string, init: RequestInit, from?: string): Promise<Response> => {
        address = from
        return handle(new Request(`http://gateway.test${path}`, init))
      }
      const chat: Instance['chat'] = (secret, body = {}, init = {}) =>
        send('/api/v1/chat/completions', {
          method: 'POST',
          headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
          body: JSON.stringify({ ...CHAT, ...body }),
          ...init,
        })
      const kill = (): void => {
        life.isOver = true
      }
      const cut = (isCut: boolean): void => {
        life.isCut = isCut
      }
      return { accounts, gateway, fetch: send, chat, kill, cut }
    },
  }
  return world
}

/** A dead instance has no timers. */
function mortalClock(clock: Clock, life: Life): Clock {
  return { now: () => clock.now(), after: (ms, run) => clock.after(ms, () => (life.isOver ? undefined : run())) }
}

interface Life {
  isOver: boolean
  isCut: boolean
}

/** A dead instance never gets an answer. */
function mortal(store: Store, life: Life): Store {
  const never = new Promise<never>(() => undefined)
  return {
    ...store,
    commit(batch) {
      if (life.isCut) throw new Error('The connection is cut.')
      return life.isOver ? never : store.commit(batch)
    },
  }
}

/** Tells the upstream the ids of calls. */
const mark: Stage = {
  beforeCall: (call) => call.addUpstreamHeaders({ 'x-call': call.requestId.slice('req_'.length) }),
}

function provider(name: string, models: readonly Card[] = CARDS): Provider {
  return {
    name,
    models,
    protocols: ['chat', 'messages', 'genai', 'responses'],
    counts: ['messages'],
    call: (protocol, target, { headers, body, deadlines }) => ({
      url: `https://${name}.test/${protocol}${target.path}`,
      method: 'POST',
      headers: { ...headers, ...target.headers },
      body: readContent(target, body).bytes,
      deadlines,
    }),
  }
}

function upstream(world: World, onSeen: () => void): Transport {
  return {
    send({ headers, body, url }, receiver) {
      const text =
        body === undefined ? '' : typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array) // test bodies are small
      const call = seenCall(headers['x-call'] ?? '', url, text, receiver)
      world.seen.push(call)
      onSeen()
      if (world.auto !== undefined) call.chat(world.auto.input, world.auto.output)
      return {
        pause() {},
        resume() {},
        cancel() {
          if (call.isCancelled) return
          call.isCancelled = true
          receiver.onFail({ kind: 'cancelled', retryable: false })
        },
      }
    },
  }
}

function seenCall(id: string, url: string, body: string, receiver: Receiver): Seen {
  const header = (type: string) => (name: string) => (name === 'content-type' ? type : undefined)
  const encoder = new TextEncoder()
  const whole = (status: number, value: object): void => {
    receiver.onHead(status, header('application/json'))
    receiver.onChunk(encoder.encode(JSON.stringify(value)))
    receiver.onEnd()
  }
  return {
    id,
    url,
    body,
    isCancelled: false,
    answer: (value) => whole(200, value),
    chat: (input, output) => whole(200, chatAnswer(input, output)),
    head: (status, type = 'text/event-stream') => void receiver.onHead(status, header(type)),
    chunk: (text) => receiver.onChunk(encoder.encode(text)),
    end: () => receiver.onEnd(),
    refuse: (status, value = { error: { message: 'No.' } }) => whole(status, value),
    fail: () => receiver.onFail({ kind: 'reset', retryable: false }),
  }
}

function chatAnswer(input: number, output: number): object {
  const message = { role: 'assistant', content: 'Hi.' }
  return {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message, finish_reason: 'stop' }],
    usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output },
  }
}

/** Waits for everything that happens without the clock. Digests are made in other threads: one that begins later ends later. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) {
    await crypto.subtle.digest('SHA-256', new Uint8Array(1))
    await new Promise((resolve) => setImmediate(resolve))
  }
}
