import {
  BEARER,
  catalogueOf,
  defineProvider,
  effortQuirks,
  enableProviders,
  listOf,
  modelsIn,
  MAX_TOKENS,
  variableName,
  wrongOption,
  type Auth,
  type Catalogues,
  type Environment,
  type Provider,
  type ProviderDefinition,
  type ProviderOptions,
} from '@dragoman/core/provider'
import { COMPATIBLE } from './environment.ts'
import { cerebras } from './vendors/cerebras.ts'
import { deepseek } from './vendors/deepseek.ts'
import { fireworks } from './vendors/fireworks.ts'
import { groq } from './vendors/groq.ts'
import { lmstudio } from './vendors/lmstudio.ts'
import { mistral } from './vendors/mistral.ts'
import { moonshot } from './vendors/moonshot.ts'
import { ollama } from './vendors/ollama.ts'
import { openrouter } from './vendors/openrouter.ts'
import { perplexity } from './vendors/perplexity.ts'
import { together } from './vendors/together.ts'
import { vllm } from './vendors/vllm.ts'
import { xai } from './vendors/xai.ts'
import { zhipu } from './vendors/zhipu.ts'

/** The known upstreams of this kind. */
export const vendors: readonly ProviderDefinition[] = [
  deepseek,
  groq,
  mistral,
  xai,
  moonshot,
  zhipu,
  together,
  fireworks,
  openrouter,
  cerebras,
  perplexity,
  ollama,
  vllm,
  lmstudio,
]

/** Assumptions about an unknown upstream. */
export const compatible: ProviderDefinition = {
  name: 'compatible',
  endpoints: { chat: '.' },
  auth: { ...BEARER, optional: true },
  list: './models',
  models: [],
  quirks: { chat: [MAX_TOKENS, ...effortQuirks()] },
  extensions: { chat: { allowedTools: false, serving: [], user: 'user' } },
}

export interface CompatibleOptions extends ProviderOptions {
  readonly name: string
  readonly baseURL: string
  /** The known upstream that it behaves like, such as `deepseek`; everything except its models is used. */
  readonly like?: string | undefined
  /**
   * Where each protocol is spoken, best first: `{ chat: '.', responses: '.' }` for an upstream that has the Responses API too. Absent: that of
   * the known upstream, or chat at the base URL.
   */
  readonly endpoints?: ProviderDefinition['endpoints'] | undefined
  /** The header of its key; `{ header: 'api-key' }` for Azure. Absent: that of the known upstream, or a bearer token. */
  readonly auth?: Auth | undefined
}

/** Any upstream with a chat completions or Responses API at a base URL. */
export function createCompatible({ like, endpoints, auth: header, ...options }: CompatibleOptions): Provider {
  const model = like === undefined ? compatible : vendors.find(({ name }) => name === like)
  if (model === undefined) throw wrongOption('like', `must be one of ${vendors.map(({ name }) => name).join(', ')}`)
  const issuer = options.name
  const auth = { ...(header ?? model.auth ?? BEARER), optional: true } as const
  const own = { name: options.name, issuer, auth, endpoints: endpoints ?? model.endpoints }
  return defineProvider({ ...model, ...own, models: [], environment: undefined }, options)
}

/**
 * The known upstreams with a key or a base URL in the environment, and those in `DRAGOMAN_COMPATIBLE`, separated by commas: each has its
 * `DRAGOMAN_<NAME>_BASE_URL` and, if needed, `_API_KEY`, `_MODELS` and `_LIKE`.
 */
export function fromEnvironment(environment: Environment, catalogues: Catalogues = {}): readonly Provider[] {
  const named = listOf(environment[COMPATIBLE]).map((name) => {
    const variable = `DRAGOMAN_${variableName(name)}`
    const baseURL = environment[`${variable}_BASE_URL`]
    if (baseURL === undefined || baseURL === '') throw wrongOption(`${variable}_BASE_URL`, `is required by ${name}`)
    const keys = listOf(environment[`${variable}_API_KEY`])
    return createCompatible({
      name,
      baseURL,
      ...(keys.length === 0 ? {} : { keys }),
      models: modelsIn(environment, `${variable}_MODELS`),
      like: environment[`${variable}_LIKE`] || undefined,
      ...catalogueOf(catalogues, name),
    })
  })
  return [...enableProviders(environment, vendors, catalogues), ...named]
}
