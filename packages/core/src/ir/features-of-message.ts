import { listOf } from '../lib/json.ts'
import type { Node } from './extras.ts'
import type { Feature } from './feature.ts'
import type { Message } from './message.ts'
import type { CacheMark, Citation, Media, Part } from './part.ts'
import type { Seal } from './seal.ts'

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
export function featuresOfNode({ cache, seal, extras }: Marked): readonly Feature[] {
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
const FEATURE_OF_KIND = { image: 'images', audio: 'audio', video: 'video', document: 'files' } as const

function featuresOfMedia({ kind, source, cite, clip }: Media, isText: boolean): readonly Feature[] {
  const inner = source?.kind === 'parts' ? featuresOfParts(source.parts, isText) : NONE
  const own: readonly Feature[] =
    isText && (source?.kind === 'text' || source?.kind === 'parts') ? NONE : [FEATURE_OF_KIND[kind]]
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
