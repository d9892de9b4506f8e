import { isObject } from '../lib/json.ts'
import type { Feature, FindFeatures } from './feature.ts'
import {
  FEATURES_OF_GROUP,
  FEATURE_OF_MEMBER,
  FEATURE_OF_SETTING,
  featuresOfTool,
  featuresOfCitation,
  featuresOfMessage,
  featuresOfPart,
  type FeaturesOf,
} from './features-of.ts'
import type { Loss, Path } from './loss.ts'
import type { Part } from './part.ts'
import type { ModelRequest } from './request.ts'
import { withValue } from './values.ts'
import { valueAt } from '../lib/json-path.ts'

/**
 * Finds the features that each loss of a request counts against: those of which something is in the original and not in what arrives.
 *
 * - What is dropped is missing with everything in it: a message with its images, a part with its cache mark. A value without effect is not
 *   missing: a choice of tools that is `auto`, plain text as the format, an empty text.
 * - What is changed is missing if the new value does not have it: reasoning that is turned off, an instruction that becomes a turn of the
 *   user, an image in a document that becomes text. Another number, name or spelling is not missing, and neither is a source that is given
 *   as text. A schema is missing if it is reported as weaker.
 * - What is moved, merged or added is not missing.
 */
export const findFeatures: FindFeatures = (losses, request) => {
  let beside: Map<string | number | undefined, Uses> | undefined
  return losses.map((loss) => {
    if (loss.kind !== 'dropped' && loss.kind !== 'changed') return []
    if (loss.path.includes('extras')) return ['vendor-members']
    if (loss.kind === 'changed' && loss.weaker) return [loss.path[0] === 'output' ? 'structured-output' : 'tools']
    if (loss.path[0] !== 'messages') return unique(missingOutside(loss, request))
    const { node, depth, featuresOf } = innermost(request, loss.path)
    const missing = difference(node, loss.path.slice(depth), loss, featuresOf)
    if (missing.length === 0 || !canHoldMedia(node)) return unique(missing)
    beside ??= addedParts(losses)
    return unique(without(missing, beside.get(loss.path[1])))
  })
}

type Taken = Extract<Loss, { kind: 'dropped' | 'changed' }>

function missingOutside(loss: Taken, request: ModelRequest): readonly Feature[] {
  const [head = '', member = ''] = loss.path
  if (head === 'tools' && loss.path.length > 1)
    return difference(valueAt(request, loss.path.slice(0, 2)), loss.path.slice(2), loss, featuresOfTool)
  if (Object.hasOwn(FEATURES_OF_GROUP, head)) {
    const group = head as keyof typeof FEATURES_OF_GROUP // a key of the table
    return difference(valueAt(request, [group]), loss.path.slice(1), loss, FEATURES_OF_GROUP[group])
  }
  const feature = head === 'settings' ? FEATURE_OF_SETTING[member] : FEATURE_OF_MEMBER[head]
  const value = valueAt(request, loss.path)
  const isNone = Array.isArray(value) && value.length === 0 // such as no stop sequences
  return loss.kind === 'changed' || feature === undefined || isNone ? [] : [feature]
}

interface Found {
  readonly node: unknown
  readonly depth: number
  readonly featuresOf: FeaturesOf
}

/** The innermost message, part or citation around a path: to compare whole messages would be slow for many losses. */
function innermost(request: ModelRequest, path: Path): Found {
  let depth = 2
  let featuresOf: FeaturesOf = featuresOfMessage
  for (let index = 2; index < path.length - 1; index++) {
    const key = path[index]
    if (key === 'arguments' || key === 'json') break // the keys inside are data
    if (typeof path[index + 1] !== 'number' || (key !== 'parts' && key !== 'citations')) continue
    depth = index + 2
    featuresOf = key === 'parts' ? featuresOfPart : featuresOfCitation
  }
  return { node: valueAt(request, path.slice(0, depth)), depth, featuresOf }
}

/** What a node has and does not have any more. */
function difference(node: unknown, keys: Path, loss: Taken, featuresOf: FeaturesOf): readonly Feature[] {
  if (node === undefined) return []
  const before = featuresOf(node, loss.kind === 'changed')
  if (before.length === 0) return before
  const now = withValue(node, keys, loss.kind === 'changed' ? loss.to : undefined)
  return now === undefined ? before : without(before, countUses(featuresOf(now, false)))
}

/** The media of tool results and documents can arrive as parts beside them. */
function canHoldMedia(node: unknown): boolean {
  const { type, kind } = node as Partial<Part & { kind: string }> // a part, a message or a citation
  return type === 'tool-result' || (type === 'media' && kind === 'document')
}

/** How often each feature is used. */
type Uses = Map<Feature, number>

function countUses(features: readonly Feature[], uses: Uses = new Map()): Uses {
  for (const feature of features) uses.set(feature, (uses.get(feature) ?? 0) + 1)
  return uses
}

/** The uses in the parts that are added to each message. */
function addedParts(losses: readonly Loss[]): Map<string | number | undefined, Uses> {
  const added = new Map<string | number | undefined, Uses>()
  for (const { kind, path, ...loss } of losses) {
    if (kind !== 'added' || path.length !== 4 || path[2] !== 'parts' || !('to' in loss) || !isObject(loss.to)) continue
    added.set(path[1], countUses(featuresOfPart(loss.to, false), added.get(path[1])))
  }
  return added
}

/** Takes what it finds out of the uses, so that each of them counts once. */
function without(features: readonly Feature[], uses: Uses | undefined): readonly Feature[] {
  return features.filter((feature) => {
    const count = uses?.get(feature) ?? 0
    if (count > 0) uses?.set(feature, count - 1)
    return count === 0
  })
}

function unique(features: readonly Feature[]): readonly Feature[] {
  return features.length < 2 ? features : [...new Set(features)]
}
