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

function operationOf(name: string): MediaOperation {
  const [first = imageRules, second, ...others] = kinds.filter(({ operations }) => Object.hasOwn(operations, name))
  return second === undefined ? mediaOperation(first, name) : sharedOperation(name, [first, second, ...others])
}

/** The operations of media that have a body: those of every kind. */
export const mediaOperations: readonly RoutedOperation[] = [
  ...[...new Set(kinds.flatMap(({ operations }) => Object.keys(operations)))].map(operationOf),
  submit,
]
