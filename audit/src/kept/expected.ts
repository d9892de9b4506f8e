/** What was put into a place by an earlier version, and what later versions must therefore find there. */
export interface Expected {
  /** The secrets of keys that work, by their names. They were made for this and open nothing. */
  readonly working: { readonly [name: string]: string }
  /** Secrets that are refused: of keys that were disabled, revoked, or have expired. */
  readonly refused: { readonly [name: string]: string }
  /** Of a key that may call the admin API. */
  readonly admin: string
  /** Of a server only: the local key and a key of the configuration. */
  readonly local?: string
  readonly configured: string
  /** The keys as the admin API showed them. */
  readonly keys: readonly object[]
  readonly records: readonly object[]
  /** Sums by key, owner, model and provider. */
  readonly usage: readonly object[]
  /** Of each key that had budgets, by its id. */
  readonly balances: { readonly [key: string]: readonly object[] }
  /** Administrators' actions, oldest first. */
  readonly audit: readonly { readonly id: string; readonly action: string; readonly target: string }[]
  readonly bodies: { readonly id: string; readonly request: string; readonly answer: string }
  /** A video operation, and the name of the working key that began it. */
  readonly video: { readonly name: string; readonly key: string }
  /** A call that was open when its instance died: it is charged once, with its estimate. */
  readonly open: { readonly key: string; readonly cost: string }
}

/** Beside the audit's upstream, providers that servers and workers of all versions know by these variables. */
export function providerVariables(url: string): { readonly [name: string]: string } {
  return {
    OPENAI_API_KEY: 'sk-upstream',
    OPENAI_BASE_URL: `${url}/v1`,
    ANTHROPIC_API_KEY: 'sk-upstream',
    ANTHROPIC_BASE_URL: url,
    GEMINI_API_KEY: 'sk-upstream',
    GEMINI_BASE_URL: url,
  }
}

/** Of the configuration, at least 32 characters, so that it stays long enough. */
export const CONFIGURED_SECRET = 'sk-of-the-configuration-0123456789abcdef'
/** The admin key of a worker is a variable. */
export const WORKER_ADMIN = 'admin-of-the-worker-0123456789abcdefghij'
/** A worker has its sealing key from a variable. */
export const WORKER_SEALING_KEY = 'sealing-key-of-the-worker-0123456789abcdef'

/** The model of most calls, and of those that are held. */
export const MODEL = 'openai/gpt-5.6-luna'
export const UPSTREAM_MODEL = 'gpt-5.6-luna'
