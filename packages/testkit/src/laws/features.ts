import { isObject, translate, type Feature, type JsonObject, type ModelRequest, type Protocol } from '@dragoman/core'
import { findFeatures, lostFeatures } from '@dragoman/core/provider'
import { protocols } from '@dragoman/core/protocols'
import { show } from './same.ts'
import { sent as sentBody } from './subject.ts'

/**
 * Features: the report names what a request uses and an upstream of another protocol does not receive, and nothing else. The uses are counted here by the
 * members of both requests, and not by losses.
 */
export function mustNameLostFeatures(caller: Protocol, wire: JsonObject, lost = lostFeatures): void {
  const match = { model: 'some-model', stream: true }
  const body = caller.request.check(wire)
  const before = countUses(caller.request.decode(body, { issuer: caller.issuer, path: match }))
  for (const upstream of protocols.filter(({ name }) => name !== caller.name)) {
    const { body: sent, losses } = translate(caller, upstream, body, {
      match,
      features: findFeatures,
      id: () => 'new',
      now: 0,
    })
    const received = sentBody(sent)
    const after = countUses(upstream.request.decode(received, { issuer: upstream.issuer, path: match }))
    const named = lost(losses.filter((loss) => !('weaker' in loss))) // a weaker schema still arrives
    for (const feature of COUNTED) {
      const left = of(after, feature) + of(after, feature, 'as text')
      const mustName = left < of(before, feature)
      const mayName = left < of(before, feature) + of(before, feature, 'as text')
      if (named.includes(feature) ? !mayName : mustName)
        throw new Error(
          `${feature} ${mustName ? 'is' : 'is not'} lost toward ${upstream.name}: ${show(losses)}\n ${show(body)}`,
        )
    }
    const innocent = losses.find(({ kind, features }) => features !== undefined && !COUNTING.has(kind))
    if (innocent !== undefined) throw new Error(`${innocent.kind} is not a loss of a feature: ${show(innocent)}`)
  }
}

const COUNTING: ReadonlySet<string> = new Set(['dropped', 'changed'])

/** The features whose uses are never merged, defaulted or made up on the way. */
const COUNTED = [
  'tools',
  'images',
  'audio',
  'video',
  'files',
  'signatures',
  'cache',
  'citations',
  'search',
  'code-execution',
  'sampling',
  'stop',
  'logprobs',
  'candidates',
  'safety',
  'user',
  'metadata',
] as const satisfies readonly Feature[]

/** Uses per feature. What a model can read as text has a count of its own: it may arrive as text, which is not a loss. */
type Uses = ReadonlyMap<string, number>

function of(uses: Uses, feature: Feature, how: '' | 'as text' = ''): number {
  return uses.get(`${feature}${how}`) ?? 0
}

function countUses({ messages, tools = [], settings, output, ...request }: ModelRequest): Uses {
  const uses = new Map<string, number>()
  const add = (feature: Feature, many = 1, how: '' | 'as text' = '') =>
    uses.set(`${feature}${how}`, (uses.get(`${feature}${how}`) ?? 0) + many)
  countNodes(messages, add)
  countNodes(tools, add)
  const { stop = [], logprobs, candidates, maxTokens: _, ...sampling } = settings
  add('sampling', Object.keys({ ...sampling, ...(output?.verbosity === undefined ? {} : { verbosity: 1 }) }).length)
  add('stop', stop.length)
  if (logprobs !== undefined) add('logprobs')
  if (candidates !== undefined) add('candidates')
  if (request.cachedContent !== undefined) add('cache')
  add('safety', request.safety?.length ?? 0)
  if (request.user !== undefined) add('user')
  if (request.metadata !== undefined) add('metadata')
  return uses
}

type Add = (feature: Feature, many?: number, how?: '' | 'as text') => void

const FEATURE_OF_KIND: ReadonlyMap<unknown, Feature> = new Map(
  Object.entries({
    image: 'images',
    audio: 'audio',
    video: 'video',
    'web-search': 'search',
    'url-context': 'search',
    retrieval: 'search',
    'code-execution': 'code-execution',
    shell: 'tools',
    editor: 'tools',
    other: 'tools',
  } as const),
)
const DATA: ReadonlySet<string> = new Set(['extras', 'arguments', 'json', 'value', 'schema', 'options', 'format'])

/** Counts in all nodes of a tree, whatever holds them. */
function countNodes(node: unknown, add: Add): void {
  if (Array.isArray(node)) return node.forEach((each) => countNodes(each, add))
  if (!isObject(node)) return
  const { type, kind, by, source, cite, citations, cache, seal } = node
  if (type === 'function' || type === 'custom') add('tools')
  if (type === 'tool-call' || type === 'tool-result') add(by === 'server' ? 'search' : 'tools')
  if (type === 'search-hit') add('search', 1, 'as text')
  if (type === 'code' || type === 'code-output') add('code-execution', 1, 'as text')
  if (type === 'media' && kind === 'document') add('files', 1, isReadable(source) ? 'as text' : '')
  else if (type === 'media' || type === 'builtin') add(FEATURE_OF_KIND.get(kind) ?? 'tools')
  if (cite === true) add('citations')
  if (Array.isArray(citations)) add('citations', citations.length)
  if (cache !== undefined) add('cache')
  if (seal !== undefined) add('signatures')
  for (const [key, value] of Object.entries(node)) if (!DATA.has(key)) countNodes(value, add)
}

function isReadable(source: unknown): boolean {
  return isObject(source) && (source['kind'] === 'text' || source['kind'] === 'parts')
}
