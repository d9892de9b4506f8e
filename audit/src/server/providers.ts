import { CONFIGURED_PRICES } from '../money/prices.ts'

/** Each call of the audit asks for a model of its own: its name is the same in the ledger of the upstream and in the records of the server. */
const MODELS = [{ name: 'm-*', context: 1_000_000, maxOutput: 300_000, prices: CONFIGURED_PRICES }]
/** They are billed by tokens. */
const RANKERS = [{ name: 'm-*', rerank: {}, prices: CONFIGURED_PRICES }]

/** The protocols of conversations, each with the provider that speaks it alone. */
export const PROVIDER_OF = { chat: 'house', messages: 'lodge', genai: 'mill', responses: 'quay' } as const

export type Spoken = keyof typeof PROVIDER_OF

export const PROTOCOLS = Object.keys(PROVIDER_OF) as readonly Spoken[] // its own names

/** The forms of calls: the protocols of conversations, and reranking. */
export type Form = Spoken | 'rerank'

export function providerOf(form: Form): string {
  return form === 'rerank' ? 'sieve' : PROVIDER_OF[form]
}

/** Providers of the configuration: one for each form, all at the same upstream. */
export function auditProviders(url: string): { readonly [name: string]: object } {
  const at = (endpoints: object, models: readonly object[] = MODELS): object => ({
    baseURL: url,
    endpoints,
    key: '${AUDIT_KEY}',
    models,
  })
  return {
    house: at({ chat: `${url}/v1` }),
    lodge: at({ messages: url }),
    mill: at({ genai: `${url}/v1beta` }),
    quay: at({ responses: `${url}/v1` }),
    sieve: at({ chat: `${url}/v1` }, RANKERS),
  }
}

/** A provider of its own for the configuration, with a pattern of models that have these prices in dollars per million tokens. */
export function priced(name: string, url: string, pattern: string, prompt: number, completion: number): object {
  const price = (value: number): object[] => [{ value, unit: 'perMTokens', currency: 'USD' }]
  const models = [{ name: pattern, prices: { prompt: price(prompt), completion: price(completion) } }]
  return { [name]: { baseURL: `${url}/v1`, key: '${AUDIT_KEY}', models } }
}

/** `gift/free-*` costs nothing, by its card. */
export function free(url: string): object {
  return priced('gift', url, 'free-*', 0, 0)
}

export const AUDIT_ENVIRONMENT = { AUDIT_KEY: 'sk-of-the-upstream' }
