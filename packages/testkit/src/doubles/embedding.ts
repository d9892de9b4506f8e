import { acceptPart } from './genai-parts.ts'
import {
  filled,
  flag,
  list,
  nonEmpty,
  object,
  oneOf,
  only,
  optional,
  refuse,
  string,
  whole,
  within,
  type Wire,
} from './refuse.ts'
import { ANY_SEAL } from './seal-rules.ts'

const FORMATS = ['float', 'base64']
const MOST_OF_CHAT = 2048
const MOST_OF_A_BATCH = 100

/** Throws if OpenAI would refuse the body of `/embeddings`. */
export function acceptChatEmbeddings(body: unknown): void {
  const request = object(body, 'body')
  only(request, 'model input dimensions encoding_format user', 'body')
  nonEmpty(request['model'], 'model')
  const { input } = request
  if (typeof input === 'string') nonEmpty(input, 'input')
  else {
    const items = filled(input, 'input')
    if (items.length > MOST_OF_CHAT) refuse('input', `must have at most ${MOST_OF_CHAT} items`)
    const kind = typeof items[0]
    for (const [index, item] of items.entries()) {
      const path = `input.${index}`
      if (typeof item !== kind) refuse(path, 'must be like the others')
      if (kind === 'string') nonEmpty(item, path)
      else if (kind === 'number') whole(item, 0, Infinity, path)
      else for (const token of filled(item, path)) whole(token, 0, Infinity, path)
    }
  }
  optional(request['dimensions'], (value) => whole(value, 1, Infinity, 'dimensions'))
  optional(request['encoding_format'], (value) => oneOf(value, FORMATS, 'encoding_format'))
  optional(request['user'], (value) => string(value, 'user'))
}

/** Throws if the openai SDK could not read the answer of `/embeddings`. */
export function acceptChatEmbeddingAnswer(body: unknown): void {
  const answer = object(body, 'body')
  oneOf(answer['object'], ['list'], 'object')
  string(answer['model'], 'model')
  const usage = object(answer['usage'], 'usage')
  whole(usage['prompt_tokens'], 0, Infinity, 'usage.prompt_tokens')
  whole(usage['total_tokens'], 0, Infinity, 'usage.total_tokens')
  for (const [index, item] of list(answer['data'], 'data').entries()) {
    const entry = object(item, `data.${index}`)
    oneOf(entry['object'], ['embedding'], `data.${index}.object`)
    oneOf(entry['index'], [index], `data.${index}.index`)
    if (typeof entry['embedding'] !== 'string') numbers(entry['embedding'], `data.${index}.embedding`)
  }
}

const OPTIONS = 'taskType title outputDimensionality'

/** Throws if the Gemini API would refuse the body of `:embedContent`. */
export function acceptEmbedContent(body: unknown, path = 'body'): void {
  const request = object(body, path)
  only(request, `model content embedContentConfig ${OPTIONS}`, path)
  const content = object(request['content'], `${path}.content`)
  only(content, 'role parts', `${path}.content`)
  for (const [index, part] of filled(content['parts'], `${path}.content.parts`).entries())
    acceptPart(part, `${path}.content.parts.${index}`, 'upstream', ANY_SEAL)
  acceptOptions(request, path)
  optional(request['embedContentConfig'], (value) => {
    const config = object(value, `${path}.embedContentConfig`)
    only(config, `autoTruncate documentOcr audioTrackExtraction ${OPTIONS}`, `${path}.embedContentConfig`)
    acceptOptions(config, `${path}.embedContentConfig`)
    optional(config['autoTruncate'], (cut) => flag(cut, `${path}.embedContentConfig.autoTruncate`))
  })
}

function acceptOptions(options: Wire, path: string): void {
  optional(options['taskType'], (value) => string(value, `${path}.taskType`))
  optional(options['title'], (value) => string(value, `${path}.title`))
  optional(options['outputDimensionality'], (value) => whole(value, 1, Infinity, `${path}.outputDimensionality`))
}

/** Throws if the Gemini API would refuse the body of `:batchEmbedContents`: every request names its model. */
export function acceptBatchEmbed(body: unknown): void {
  const batch = object(body, 'body')
  only(batch, 'requests', 'body')
  const requests = filled(batch['requests'], 'requests')
  if (requests.length > MOST_OF_A_BATCH) refuse('requests', `at most ${MOST_OF_A_BATCH} requests can be in one batch`)
  for (const [index, request] of requests.entries()) {
    acceptEmbedContent(request, `requests.${index}`)
    if (!nonEmpty(object(request, '')['model'], `requests.${index}.model`).startsWith('models/'))
      refuse(`requests.${index}.model`, 'must be a resource name')
  }
}

/** Throws if Vertex AI would refuse the body of `:predict` for a model that embeds texts. */
export function acceptPredictEmbed(body: unknown): void {
  const request = object(body, 'body')
  only(request, 'instances parameters', 'body')
  for (const [index, item] of filled(request['instances'], 'instances').entries()) {
    const instance = object(item, `instances.${index}`)
    nonEmpty(instance['content'], `instances.${index}.content`)
    optional(instance['task_type'], (value) => string(value, `instances.${index}.task_type`))
    optional(instance['title'], (value) => string(value, `instances.${index}.title`))
  }
  optional(request['parameters'], (value) => {
    const { outputDimensionality, autoTruncate } = object(value, 'parameters')
    optional(outputDimensionality, (size) => whole(size, 1, Infinity, 'parameters.outputDimensionality'))
    optional(autoTruncate, (cut) => flag(cut, 'parameters.autoTruncate'))
  })
}

/** Throws if Google's SDK could not read an answer of the operation. */
export function acceptGenaiEmbeddingAnswer(body: unknown, operation: string): void {
  const answer = object(body, 'body')
  if (operation === 'predict') {
    for (const [index, item] of filled(answer['predictions'], 'predictions').entries()) {
      const { values, statistics } = object(
        object(item, 'predictions')['embeddings'],
        `predictions.${index}.embeddings`,
      )
      numbers(values, `predictions.${index}.embeddings.values`)
      optional(statistics, (counts) => object(counts, `predictions.${index}.embeddings.statistics`))
    }
  } else if (operation === 'embedding-batch') {
    for (const [index, item] of list(answer['embeddings'], 'embeddings').entries())
      numbers(object(item, `embeddings.${index}`)['values'], `embeddings.${index}.values`)
  } else numbers(object(answer['embedding'], 'embedding')['values'], 'embedding.values')
}

function numbers(value: unknown, path: string): void {
  for (const number of list(value, path)) within(number, -Infinity, Infinity, path)
}
