import type { Loss, Path } from './loss.ts'

/** The members of a request or a response that a loss can be about, by the words that its code has for them. */
const SUBJECT_OF = {
  model: 'model',
  messages: 'message',
  tools: 'tool',
  toolChoice: 'tool-choice',
  settings: 'setting',
  reasoning: 'reasoning-setting',
  output: 'output-format',
  safety: 'safety-setting',
  cachedContent: 'cached-content',
  user: 'user',
  metadata: 'metadata',
  serviceTier: 'service-tier',
  promptCacheKey: 'prompt-cache-option',
  promptCacheRetention: 'prompt-cache-option',
  promptCacheOptions: 'prompt-cache-option',
  moderation: 'moderation',
  delivery: 'delivery-option',
  routing: 'routing-option',
  extras: 'vendor-member',
  candidates: 'candidate',
  usage: 'usage',
  blocked: 'block-reason',
  id: 'id',
  created: 'time',
} as const

/** The same for members of messages, tools and candidates. */
const INNER_SUBJECT_OF = {
  parts: 'part',
  role: 'role',
  seal: 'seal',
  cache: 'cache-mark',
  citations: 'citation',
  source: 'media-source',
  id: 'id',
  callId: 'id',
  name: 'name',
  arguments: 'arguments',
  output: 'tool-output',
  schema: 'schema',
  finish: 'finish-reason',
  logprobs: 'logprobs',
  grounding: 'grounding',
  safety: 'safety-rating',
} as const

/** Lists whose elements are nodes; a loss is about a node, or about a member of it. */
const MEMBER_OF = {
  message: 'message-member',
  part: 'part-member',
  tool: 'tool-member',
  candidate: 'candidate-member',
} as const

type ValueOf<Table> = Table[keyof Table]

/** What a loss is about. */
export type LossSubject =
  | ValueOf<typeof SUBJECT_OF>
  | ValueOf<typeof INNER_SUBJECT_OF>
  | ValueOf<typeof MEMBER_OF>
  | 'member'

/** A stable name of a loss, for programs: what happened, and to what. */
export type LossCode = `${Loss['kind']}-${LossSubject}`

/** The code of a loss. It follows from the kind and the path alone, so the wording of reasons can change. */
export function lossCode({ kind, path }: Pick<Loss, 'kind' | 'path'>): LossCode {
  return `${kind}-${subjectOf(path)}`
}

function subjectOf(path: Path): LossSubject {
  if (path.includes('extras')) return 'vendor-member'
  let subject: LossSubject = lookUp(SUBJECT_OF, path[0]) ?? 'member'
  if (lookUp(MEMBER_OF, subject) === undefined) return subject
  for (let index = 1; index < path.length; index++) {
    const key = path[index]
    if (typeof key === 'number') continue
    subject = lookUp(INNER_SUBJECT_OF, key) ?? lookUp(MEMBER_OF, subject) ?? subject
    if (subject === 'schema' || subject === 'arguments') break // the keys inside are data
  }
  return subject
}

function lookUp<Table extends object>(table: Table, key: string | number | undefined): ValueOf<Table> | undefined {
  return key !== undefined && Object.hasOwn(table, key) ? table[key as keyof Table] : undefined // it is a key of the table
}
