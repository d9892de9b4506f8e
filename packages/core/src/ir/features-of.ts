import { isEmpty, isObject, listOf } from '../lib/json.ts'
import type { Feature } from './feature.ts'
import type { ModelRequest, Message, OutputOptions, ReasoningOptions, Settings } from './request.ts'
import type { BuiltinTool, Schema, Tool, ToolChoice } from './tool.ts'
import type { Node } from './extras.ts'
import type { CacheMark, Citation, Media, Part } from './part.ts'
import type { Seal } from './seal.ts'

/** The features that a node uses, once for each use. With `isText`, sources whose text the model reads count as text. */
export type FeaturesOf = (node: unknown, isText: boolean) => readonly Feature[]

/** What is lost with a setting. */
export const FEATURE_OF_SETTING: { readonly [setting: string]: Feature | undefined } = {
  maxTokens: 'max-tokens',
  temperature: 'sampling',
  topP: 'sampling',
  topK: 'sampling',
  stop: 'stop',
  presencePenalty: 'sampling',
  frequencyPenalty: 'sampling',
  seed: 'sampling',
  logitBias: 'sampling',
  logprobs: 'logprobs',
  candidates: 'candidates',
} satisfies { readonly [Setting in keyof Required<Settings>]: Feature }

/** What is lost with other members of a request. */
export const FEATURE_OF_MEMBER: { readonly [member: string]: Feature | undefined } = {
  safety: 'safety',
  cachedContent: 'cache',
  user: 'user',
  metadata: 'metadata',
} satisfies { readonly [Member in keyof ModelRequest]?: Feature }

/** The members of a request whose values decide what is lost with them. */
export const FEATURES_OF_GROUP = {
  tools: featuresOfTools,
  toolChoice: featuresOfChoice,
  reasoning: featuresOfReasoning,
  output: featuresOfOutput,
} as const satisfies { readonly [Member in keyof ModelRequest]?: FeaturesOf }

const FEATURE_OF_KIND: { readonly [Kind in BuiltinTool['kind']]: Feature } = {
  'web-search': 'search',
  'url-context': 'search',
  retrieval: 'search',
  'code-execution': 'code-execution',
  shell: 'tools',
  editor: 'tools',
  other: 'tools',
}

function featuresOfTools(node: unknown): readonly Feature[] {
  return listOf(node as readonly Tool[]).flatMap(featuresOfTool) // found at its path
}

/** The features that a tool uses, once for each use. */
export function featuresOfTool(node: unknown): readonly Feature[] {
  const tool = node as Tool // found at the path of a tool
  if (tool.type === 'builtin') return [FEATURE_OF_KIND[tool.kind], ...featuresOfNode(tool)]
  const features: Feature[] = ['tools', ...featuresOfNode(tool)]
  if (tool.type === 'custom') {
    if (tool.grammar !== undefined) features.push('structured-output')
    return features
  }
  if (tool.strict === true) features.push('structured-output')
  if (hasProperties(tool.schema)) features.push('tools')
  return features
}

function hasProperties(schema: Schema | undefined): boolean {
  if (schema === undefined) return false
  const { properties } = schema.value
  return isObject(properties) ? !isEmpty(properties) : Object.keys(schema.value).some((keyword) => keyword !== 'type')
}

/** A choice that is left to the model has no effect. */
function featuresOfChoice(node: unknown): readonly Feature[] {
  const { mode = 'auto', names, parallel } = node as ToolChoice // found at its path
  return [mode !== 'auto', names !== undefined, parallel === false].flatMap((is) => (is ? 'tool-choice' : []))
}

function featuresOfReasoning(node: unknown): readonly Feature[] {
  const { on, effort, budget, show } = node as ReasoningOptions // found at its path
  if (on === false || effort === 'none' || budget === 0) return [] // turning it off is not a feature
  const hasAmount = effort !== undefined || budget !== undefined
  return [on !== undefined || hasAmount, hasAmount, show === true].flatMap((is) => (is ? 'reasoning' : []))
}

function featuresOfOutput(node: unknown): readonly Feature[] {
  const { format, schema, modalities, speech, image, verbosity } = node as OutputOptions // found at its path
  const features: Feature[] = []
  if (format === 'json' || format === 'enum') features.push('structured-output')
  if (schema !== undefined) features.push('structured-output')
  for (const each of listOf(modalities)) if (each !== 'text') features.push('media-output')
  if (speech !== undefined) features.push('media-output')
  if (image !== undefined) features.push('media-output')
  if (verbosity !== undefined) features.push('sampling')
  return features
}

/** The features that a node of a conversation uses, once for each use. */
export function featuresOfMessage(node: unknown, isText: boolean): readonly Feature[] {
  const { role, parts, extras } = node as Message // found at the path of a message
  const isInstruction = (role === 'system' || role === 'developer') && listOf(parts).some((part) => !isEmptyText(part))
  const own: readonly Feature[] = isInstruction ? ['system', ...featuresOfNode({ extras })] : featuresOfNode({ extras })
  return [...own, ...featuresOfParts(parts, isText)]
}

/** With `isText`, sources whose text the model reads count as text. */
export function featuresOfPart(node: unknown, isText: boolean): readonly Feature[] {
  const part = node as Part // found at the path of a part
  return [...featuresOfNode(part), ...featuresOfContent(part, isText)]
}

export function featuresOfCitation(node: unknown): readonly Feature[] {
  const { source, extras } = node as Citation // found at the path of a citation
  const seal = source?.kind === 'url' ? source.seal : undefined
  return ['citations', ...featuresOfNode({ seal, extras })]
}

/** The features of the members that many nodes can have. */
function featuresOfNode({ cache, seal, extras }: Marked): readonly Feature[] {
  if (cache === undefined && seal === undefined && extras === undefined) return NONE
  const features: Feature[] = []
  if (cache !== undefined) features.push('cache')
  if (seal !== undefined) features.push('signatures')
  if (extras !== undefined) features.push('vendor-members')
  return features
}

interface Marked {
  readonly cache?: CacheMark | undefined
  readonly seal?: Seal | undefined
  readonly extras?: Node['extras'] | undefined
}

const NONE: readonly Feature[] = []

function featuresOfContent(part: Part, isText: boolean): readonly Feature[] {
  switch (part.type) {
    case 'text':
      return listOf(part.citations).flatMap(featuresOfCitation)
    case 'reasoning':
      return part.text === '' && part.seal === undefined ? NONE : ['reasoning']
    case 'media':
      return featuresOfMedia(part, isText)
    case 'tool-call':
      return [FEATURE_OF_RUNNER[part.by]]
    case 'tool-result':
      return [FEATURE_OF_RUNNER[part.by], ...featuresOfParts(part.output?.parts, isText)]
    case 'search-hit':
      return [...(isText ? NONE : SEARCH), ...citable(part.cite), ...featuresOfParts(part.parts, isText)]
    case 'code':
    case 'code-output':
      return isText ? NONE : ['code-execution']
    case 'opaque':
      return isText ? NONE : ['vendor-members']
    default:
      return NONE
  }
}

const SEARCH: readonly Feature[] = ['search']
const FEATURE_OF_RUNNER = { client: 'tools', server: 'search' } as const
const FEATURE_OF_MEDIA = { image: 'images', audio: 'audio', video: 'video', document: 'files' } as const

function featuresOfMedia({ kind, source, cite, clip }: Media, isText: boolean): readonly Feature[] {
  const inner = source?.kind === 'parts' ? featuresOfParts(source.parts, isText) : NONE
  const own: readonly Feature[] =
    isText && (source?.kind === 'text' || source?.kind === 'parts') ? NONE : [FEATURE_OF_MEDIA[kind]]
  return [...own, ...(clip === undefined ? NONE : own), ...citable(cite), ...inner]
}

function citable(cite: boolean | undefined): readonly Feature[] {
  return cite === true ? ['citations'] : NONE
}

function featuresOfParts(parts: readonly Part[] | undefined, isText: boolean): readonly Feature[] {
  return listOf(parts).flatMap((part) => featuresOfPart(part, isText))
}

function isEmptyText(part: Part): boolean {
  return part.type === 'text' && part.text === ''
}
