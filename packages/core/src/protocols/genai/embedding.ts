import type { EmbeddingAnswer, EmbeddingRequest } from '../../ir/embedding.ts'
import type { Path } from '../../ir/loss.ts'
import { valueAt } from '../../lib/json-path.ts'
import { isObject, type JsonObject } from '../../lib/json.ts'
import type { EncodeContext } from '../context.ts'
import { reportForeignInputs } from '../embedding-inputs.ts'
import type { MediaCall, MediaCodec, MediaDecoding } from '../media.ts'
import { reportUnsupported, tablesOf } from '../member-tables.ts'
import { decodeEmbeddings, encodeEmbeddings, tapEmbeddings } from './embedding-answer.ts'
import { checkBatch, checkEmbed, decodeBatch, decodeEmbed, encodeBatch, encodeEmbed } from './embedding-content.ts'
import { checkPredict, decodePredict, encodePredict, PREDICT } from './embedding-predict.ts'
import { NAME } from './schema.ts'

/** How the upstream is called, if not by batches: by `:predict` or one by one, as the embedding models of Vertex AI are. */
function formOf(dialect: JsonObject | undefined): 'batch' | 'predict' | 'single' {
  const form = dialect?.['embedding']
  return form === 'predict' || form === 'single' ? form : 'batch'
}

const OPERATIONS_OF = {
  batch: ['embedding', 'embedding-batch'],
  predict: ['predict'],
  single: ['embedding'],
}

/** `:embedContent`, `:batchEmbedContents`, and `:predict` with texts. */
export const embedding: MediaCodec<EmbeddingRequest, EmbeddingAnswer> = {
  paths: { embedContent: 'embedding', batchEmbedContents: 'embedding-batch', predict: 'predict' },
  check(body, { operation }) {
    if (operation === 'predict') return checkPredict(body)
    return operation === 'embedding-batch' ? checkBatch(body) : checkEmbed(body)
  },
  claims({ instances }) {
    const [first] = Array.isArray(instances) ? (instances as readonly unknown[]) : []
    return isObject(first) && first['content'] !== undefined
  },
  takes: (dialect) => (formOf(dialect) === 'predict' ? [] : ['parts', 'dimensions']),
  relays: (operation, dialect) => OPERATIONS_OF[formOf(dialect)].includes(operation),
  decode,
  encode,
  locate,
  answer: { decode: decodeEmbeddings, encode: encodeEmbeddings },
  tap: tapEmbeddings,
}

function decode(body: JsonObject, context: MediaDecoding): EmbeddingRequest {
  if (context.operation === 'predict') return decodePredict(body, context)
  return context.operation === 'embedding-batch' ? decodeBatch(body, context) : decodeEmbed(body, context)
}

const MEMBERS = tablesOf(NAME)<EmbeddingRequest>(NAME, [
  'model',
  'inputs',
  'dimensions',
  'taskType',
  'title',
  'truncate',
  'extras',
])

function encode(request: EmbeddingRequest, context: EncodeContext): MediaCall {
  const { losses, dialect } = context
  reportUnsupported(request, MEMBERS, losses, context)
  const form = formOf(dialect)
  const owner = form === 'predict' ? PREDICT : NAME
  reportForeignInputs(request, owner, owner, losses)
  if (form === 'predict') return { operation: 'predict', body: encodePredict(request, context) }
  if (form === 'single') return { operation: 'embedding', body: encodeEmbed(request, context) }
  return { operation: 'embedding-batch', body: encodeBatch(request, context) }
}

/** The members of a request or of an input, in the order in which they are looked for. */
const SITES: { readonly [operation: string]: { readonly [member: string]: readonly Path[] } } = {
  predict: {
    dimensions: [['parameters', 'outputDimensionality']],
    truncate: [['parameters', 'autoTruncate']],
    taskType: [['task_type']],
    parts: [['content']],
  },
  other: {
    dimensions: [['outputDimensionality'], ['embedContentConfig', 'outputDimensionality']],
    truncate: [['embedContentConfig', 'autoTruncate']],
    taskType: [['taskType'], ['embedContentConfig', 'taskType']],
    title: [['title'], ['embedContentConfig', 'title']],
    parts: [['content', 'parts']],
  },
}
const LIST_OF: { readonly [operation: string]: string } = { predict: 'instances', 'embedding-batch': 'requests' }

function locate(path: Path, body: JsonObject, operation: string): Path {
  const list = LIST_OF[operation]
  const isInput = path[0] === 'inputs'
  const [index, ...inside] = isInput ? path.slice(1) : [0, ...path]
  const [member, ...rest] = inside
  if (member === 'extras' && !isInput) return rest.slice(1)
  // Options that all inputs share are shown where the first input has them.
  const isOfBody = list === 'instances' && (member === 'dimensions' || member === 'truncate')
  const start: Path = list === undefined || isOfBody ? [] : index === undefined ? [list] : [list, index]
  if (member === undefined) return start.length === 0 ? ['content'] : start
  if (member === 'extras') return [...start, ...rest.slice(1)]
  const sites = SITES[operation === 'predict' ? operation : 'other']?.[member] ?? [[member]]
  const found = sites.find((site) => valueAt(body, [...start, ...site]) !== undefined) ?? sites[0] ?? []
  return [...start, ...found, ...(operation === 'predict' ? [] : rest)]
}
