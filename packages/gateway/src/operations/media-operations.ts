import { KINDS, type MediaKind } from '@dragoman/core/media'
import { imageRules } from '../media/image-rules.ts'
import { mediaOperation, sharedOperation, type MediaOperation } from '../media/media-operation.ts'
import type { MediaRules } from '../media/rules.ts'
import type { RoutedOperation } from '../pipeline/operation.ts'
import { submit } from '../video/submit.ts'

/** The kinds for which a gateway has rules of its own. */
const OWN_RULES: { readonly [kind: string]: MediaRules } = { image: imageRules }

/** The kinds that answer at once. Videos take minutes. */
const kinds: readonly MediaRules[] = KINDS.filter(({ name }) => name !== submit.codec).map(rulesOf)

function rulesOf(kind: MediaKind): MediaRules {
  return OWN_RULES[kind.name] ?? kind
}

/** The kinds of an operation: most have one. */
type Sharing = readonly [MediaRules, ...MediaRules[]]

function kindsByOperation(): ReadonlyMap<string, Sharing> {
  const found = new Map<string, Sharing>()
  for (const rules of kinds)
    for (const name of Object.keys(rules.operations)) {
      const others = found.get(name)
      found.set(name, others === undefined ? [rules] : [...others, rules])
    }
  return found
}

function operationOf([name, [first, second, ...others]]: readonly [string, Sharing]): MediaOperation {
  return second === undefined ? mediaOperation(first, name) : sharedOperation(name, [first, second, ...others])
}

/** The operations of media that have a body: those of every kind. */
export const mediaOperations: readonly RoutedOperation[] = [...[...kindsByOperation()].map(operationOf), submit]
