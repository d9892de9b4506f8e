import { connect } from 'node:net'
import { isObject, parseJson, type Json } from '@dragoman/core'
import {
  sendWhole,
  type Call,
  type Deadlines,
  type Environment,
  type ExtraModel,
  type Fields,
  type Provider,
  type Transport,
} from '@dragoman/core/provider'
import { variablesOf } from '@dragoman/provider-openai-compatible/environment'
import { choiceOf, refuse, type Wrong } from './settings.ts'
import { VARIABLES } from './variables.ts'

/** The default address of a local Ollama. */
const USUAL = 'http://127.0.0.1:11434'
/** The time limit of a probe. Nothing waits for it. */
const DEADLINES: Deadlines = { connect: 1000, head: 2000, idle: 2000, total: 3000 }
const LARGEST = 4 * 1024 * 1024

/** The base URL of Ollama, from the settings of its own client; undefined if the search is disabled. */
export function ollamaBase(
  environment: Environment,
  configured: string | undefined,
  wrong: Wrong = refuse,
): string | undefined {
  if (!isWanted(environment, wrong)) return undefined
  const { [variablesOf.ollama.baseURL]: base = '', [VARIABLES.ollamaHost]: host = '' } = environment
  if (configured !== undefined) return configured
  if (base !== '') return base
  return `${hostURL(host) ?? USUAL}/v1`
}

/** Whether an Ollama is looked for. */
function isWanted(environment: Environment, wrong: Wrong): boolean {
  const { [VARIABLES.ollama]: text = '' } = environment
  const given = { [VARIABLES.ollama]: text.toLowerCase() }
  return !OFF.includes(choiceOf(given, VARIABLES.ollama, [...ON, ...OFF], 'on', wrong))
}

const ON: readonly string[] = ['on', 'true', '1']
const OFF: readonly string[] = ['off', 'false', '0']

/** `OLLAMA_HOST` is a URL, an address with or without a port, or a port. An address for all interfaces means this machine. */
function hostURL(host: string): string | undefined {
  const text = host.trim().replace(/\/+$/, '')
  if (text === '') return undefined
  const url = `${text.includes('://') ? '' : 'http://'}${text.startsWith(':') ? '127.0.0.1' : ''}${text}`
  if (!URL.canParse(url)) return undefined
  const parsed = new URL(url)
  if (parsed.hostname === '0.0.0.0' || parsed.hostname === '[::]') parsed.hostname = '127.0.0.1'
  if (parsed.port === '' && !/^https?:\/\//.test(text)) parsed.port = '11434'
  return parsed.href.replace(/\/+$/, '')
}

/** The models of the Ollama at a base URL, as cards; undefined if there is none. Uses the key of the provider, if it has one. */
export async function findOllama(
  transport: Transport,
  baseURL: string,
  provider: Provider | undefined,
): Promise<readonly ExtraModel[] | undefined> {
  const root = baseURL.replace(/\/v1\/?$/, '')
  if (!(await isOpen(new URL(root)))) return undefined
  const { headers = {} } = provider?.visit?.(root, { headers: {}, deadlines: DEADLINES }) ?? {}
  const ask = (path: string, body?: object) => askJson(transport, `${root}${path}`, headers, body)
  const tags = await ask('/api/tags')
  const list = isObject(tags) ? tags['models'] : undefined
  if (!Array.isArray(list)) return undefined
  const names = (list as readonly Json[]).flatMap((entry) => {
    const name = isObject(entry) ? (entry['model'] ?? entry['name']) : undefined
    return typeof name === 'string' && name !== '' ? [name] : []
  })
  const cards = await Promise.all(names.map(async (name) => cardOf(name, await ask('/api/show', { model: name }))))
  return cards.flatMap((card) => card ?? [])
}

/** Checks whether a port of this machine is open, before the upstream client is loaded. Other machines may be behind a proxy. */
function isOpen({ protocol, hostname, port }: URL): Promise<boolean> {
  if (hostname !== '127.0.0.1' && hostname !== 'localhost') return Promise.resolve(true)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || (protocol === 'https:' ? 443 : 80)) })
    const end = (open: boolean) => (): void => {
      socket.destroy()
      resolve(open)
    }
    socket.setTimeout(DEADLINES.connect, end(false)).once('connect', end(true)).once('error', end(false))
  })
}

/** Undefined for a model that only embeds. Old versions do not list capabilities. */
function cardOf(name: string, shown: Json | undefined): ExtraModel | undefined {
  const listed = isObject(shown) ? shown['capabilities'] : undefined
  const capabilities = Array.isArray(listed) ? (listed as readonly Json[]) : ['completion']
  if (!capabilities.includes('completion')) return undefined
  return {
    name,
    owner: 'ollama',
    input: capabilities.includes('vision') ? ['text', 'image'] : ['text'],
    ...(capabilities.includes('thinking') ? { reasoning: {} } : {}),
  }
}

/** Undefined for every answer but a JSON document with status 200. */
async function askJson(transport: Transport, url: string, headers: Fields, body?: object): Promise<Json | undefined> {
  const content = body === undefined ? {} : { 'content-type': 'application/json' }
  const call: Call = {
    url,
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...content },
    body: body === undefined ? undefined : JSON.stringify(body),
    deadlines: DEADLINES,
  }
  const answer = await sendWhole(transport, call, { limit: LARGEST }).catch(() => undefined) // nothing listens there
  return answer?.status === 200 ? parseJson(answer.text()) : undefined
}
