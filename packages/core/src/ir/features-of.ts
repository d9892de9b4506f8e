import { isEmpty, isObject, listOf } from '../lib/json.ts'
import type { Feature } from './feature.ts'
import { featuresOfNode } from './features-of-message.ts'
import type { ModelRequest } from './request.ts'
import type { OutputOptions, ReasoningOptions, Settings } from './settings.ts'
import type { BuiltinTool, Schema, Tool, ToolChoice } from './tool.ts'

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
  if (on === false || effort === 'none' || budget === 0) return [] // to have it off is no feature
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
