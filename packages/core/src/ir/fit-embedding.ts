import { defined } from '../lib/members.ts'
import type { EmbeddingFacts, EmbeddingInput, EmbeddingOptions, EmbeddingRequest } from './embedding.ts'
import { DragomanError } from './error.ts'
import type { Path } from './loss.ts'
import type { MediaFit } from './media-kind.ts'
import type { Modality } from './part.ts'
import type { Media, Part } from './part.ts'

/** `takes` says which of `tokens`, `parts` and `dimensions` the upstream's protocol can express; `dimensions` are those of each input. */
type EmbeddingFit = Omit<MediaFit<EmbeddingFacts>, 'isSameProtocol'>

/**
 * A request that conforms to the card of its model. What the model cannot embed and lengths that it does not have are refused; options
 * that it does not take are left out and reported.
 */
export function fitEmbedding(request: EmbeddingRequest, fit: EmbeddingFit): EmbeddingRequest {
  const { facts, losses } = fit
  const { inputs, truncate, user } = request
  if (facts?.most !== undefined && inputs.length > facts.most)
    throw refused(fit, ['inputs'], `has ${inputs.length} inputs, and this model takes at most ${facts.most}`)
  if (request.dimensions !== undefined) checkDimensions(request.dimensions, [], fit)
  const drops: Drop[] = [...unsupportedOptions(request, [], fit)]
  if (truncate !== undefined && facts !== undefined && facts.truncate !== true)
    drops.push(['truncate', 'this model cannot be told whether to cut long inputs'])
  if (user !== undefined && facts?.user === false) drops.push(['user', 'this model takes no identifiers of users'])
  for (const [member, reason] of drops) losses.dropped([member], reason)
  const fitted = inputs.map((input, index) => fitInput(input, index, fit))
  // The caller gets the encoding that it asked for in any case.
  const encoding = request.encoding === 'base64' && facts?.base64 === false ? 'float' : request.encoding
  const { dimensions, ...others } = without(request, drops)
  // Upstreams of a model that has only one length refuse to be told.
  const isUsual = facts?.sizes === undefined && dimensions === facts?.dimensions
  const options = defined({ dimensions: isUsual ? undefined : dimensions, encoding })
  return { ...others, ...options, inputs: fitted }
}

/** The requests of one upstream call each, if the model takes fewer inputs at once. */
export function splitEmbedding(request: EmbeddingRequest, perCall: number | undefined): readonly EmbeddingRequest[] {
  const { inputs } = request
  if (perCall === undefined || inputs.length <= perCall) return [request]
  const calls = Math.ceil(inputs.length / perCall)
  return Array.from({ length: calls }, (_, call) => ({
    ...request,
    inputs: inputs.slice(call * perCall, (call + 1) * perCall),
  }))
}

function fitInput(input: EmbeddingInput, index: number, fit: EmbeddingFit): EmbeddingInput {
  const at: Path = ['inputs', index]
  const { facts, takes, losses } = fit
  if (input.type === 'tokens') {
    const isTaken = takes.includes('tokens') && (facts === undefined || facts.tokens === true)
    if (!isTaken) throw refused(fit, at, 'is given as tokens, and this model takes only texts')
    checkLength(input.tokens.length, at, fit)
  } else if (input.type === 'parts') {
    for (const [position, part] of input.parts.entries()) checkPart(part, [...at, 'parts', position], fit)
  }
  if (input.dimensions !== undefined) {
    if (!takes.includes('dimensions'))
      throw refused(fit, [...at, 'dimensions'], 'must be the same for all inputs of this model')
    checkDimensions(input.dimensions, at, fit)
  }
  const drops = unsupportedOptions(input, at, fit)
  if (drops.length === 0) return input
  for (const [member, reason] of drops) losses.at('inputs', index).dropped([member], reason)
  return without(input, drops)
}

function checkLength(tokens: number, at: Path, fit: EmbeddingFit): void {
  const maxTokens = fit.facts?.maxTokens
  if (maxTokens !== undefined && tokens > maxTokens)
    throw refused(fit, at, `has ${tokens} tokens, and this model takes at most ${maxTokens}`)
}

const MODALITY_OF: { readonly [Kind in Media['kind']]: Modality } = {
  image: 'image',
  audio: 'audio',
  video: 'video',
  document: 'file',
}

function checkPart(part: Part, at: Path, fit: EmbeddingFit): void {
  if (part.type === 'text') return
  const modality = part.type === 'media' ? MODALITY_OF[part.kind] : undefined
  if (modality === undefined) throw refused(fit, at, 'cannot be embedded')
  if (!fit.takes.includes('parts') || !fit.accepts.includes(modality))
    throw refused(fit, at, `this model takes no ${modality}`)
}

function checkDimensions(dimensions: number, at: Path, fit: EmbeddingFit): void {
  const { dimensions: usual, sizes = usual === undefined ? undefined : [usual] } = fit.facts ?? {}
  if (sizes === undefined) return
  const path = [...at, 'dimensions']
  if ('min' in sizes) {
    if (dimensions < sizes.min || dimensions > sizes.max)
      throw refused(fit, path, `must be from ${sizes.min} to ${sizes.max} for this model`)
  } else if (!sizes.includes(dimensions)) {
    throw refused(fit, path, `must be ${sizes.join(' or ')} for this model`)
  }
}

type Drop = readonly [member: 'taskType' | 'title' | 'truncate' | 'user', reason: string]

/** The options that the model does not take. Refuses a task type that it does not have beside others. */
function unsupportedOptions({ taskType, title }: EmbeddingOptions, at: Path, fit: EmbeddingFit): readonly Drop[] {
  if (fit.facts === undefined) return []
  const { tasks, title: takesTitles } = fit.facts
  const drops: Drop[] = []
  if (taskType !== undefined && tasks === undefined) drops.push(['taskType', 'this model has no task types'])
  else if (taskType !== undefined && tasks?.includes(taskType) === false)
    throw refused(fit, [...at, 'taskType'], `must be ${tasks.join(' or ')} for this model`)
  if (title !== undefined && takesTitles !== true) drops.push(['title', 'this model takes no titles'])
  return drops
}

function without<T extends EmbeddingOptions>(node: T, drops: readonly Drop[]): T {
  if (drops.length === 0) return node
  const copy: { [Member in Drop[0]]?: unknown } = { ...node }
  for (const [member] of drops) delete copy[member]
  return copy as T // only optional members are gone
}

function refused({ locate }: EmbeddingFit, path: Path, why: string): DragomanError {
  const param = locate(path).join('.')
  return new DragomanError('invalid-request', `${param}: ${why}.`, { param })
}
