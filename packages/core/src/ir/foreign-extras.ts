import { isEmpty, isObject, type Json } from '../lib/json.ts'
import type { Extras, Node } from './extras.ts'
import type { Losses, Path } from './loss.ts'
import type { Message, ModelRequest } from './request.ts'
import type { Part } from './part.ts'
import type { Candidate, Logprob, ModelResponse } from './response.ts'
import type { ImageAnswer, ImageRequest } from './image.ts'
import type { VideoRequest } from './video.ts'

/**
 * Reports the extras of other protocols as lost, member by member, for a node and everything in it: a request or
 * response after it is encoded, or one part of a stream. Encoders never do this themselves.
 */
export function reportForeign(node: ModelRequest | ModelResponse | Part, protocol: string, losses: Losses): void {
  // One list for the whole walk: most nodes have no extras and need no path.
  const at: (string | number)[] = []
  const own = ({ extras }: Node) => {
    if (extras !== undefined) reportForeignExtras(extras, protocol, losses, at)
  }
  const each = <T extends Node>(member: string, list: readonly T[] | undefined, visit: (item: T) => void) => {
    if (list === undefined || list.length === 0) return
    at.push(member, 0)
    const last = at.length - 1
    for (let index = 0; index < list.length; index++) {
      at[last] = index
      visit(list[index] as T) // within the list
    }
    at.pop()
    at.pop()
  }
  const within = (member: string, visit: () => void) => {
    at.push(member)
    visit()
    at.pop()
  }
  const turn = (message: Message | Candidate) => {
    own(message)
    each('parts', message.parts, part)
  }
  const part = (value: Part) => {
    own(value)
    if (value.type === 'text') each('citations', value.citations, own)
    else if (value.type === 'search-hit') each('parts', value.parts, part)
    else if (value.type === 'tool-result') within('output', () => each('parts', value.output.parts, part))
    else if (value.type === 'media' && value.source.kind === 'parts') {
      const { parts } = value.source
      within('source', () => each('parts', parts, part))
    }
  }
  if ('type' in node) return part(node)
  own(node)
  if ('messages' in node) {
    each('messages', node.messages, turn)
    each('tools', node.tools, own)
  } else {
    within('usage', () => own(node.usage ?? {}))
    each('candidates', node.candidates, (candidate) => {
      turn(candidate)
      for (const [index, token] of candidate.logprobs?.tokens.entries() ?? [])
        reportForeignToken(token, protocol, losses, [...at, 'logprobs', 'tokens', index])
    })
  }
}

/** The same for a token of a response and its alternatives. */
export function reportForeignToken({ extras, top = [] }: Logprob, protocol: string, losses: Losses, at: Path): void {
  reportForeignExtras(extras, protocol, losses, at)
  for (const [index, other] of top.entries()) reportForeignExtras(other.extras, protocol, losses, [...at, 'top', index])
}

/** With `protocol` undefined, its own extras are lost too. */
export function reportForeignExtras(
  extras: Extras | undefined,
  protocol: string | undefined,
  losses: Losses,
  at: Path = [],
): void {
  if (extras === undefined) return
  for (const owner of Object.keys(extras)) {
    if (owner === protocol) continue
    dropMembers(extras[owner], 3, [...at, 'extras', owner], `only ${owner} has this`, losses)
  }
}

/** Member by member, also inside objects: extras of a member are nested in it. */
function dropMembers(
  value: Json | undefined,
  levels: number,
  at: (string | number)[],
  why: string,
  losses: Losses,
): void {
  if (levels === 0 || !isObject(value) || isEmpty(value)) return losses.dropped(at, why)
  for (const key in value) {
    at.push(key)
    dropMembers(value[key], levels - 1, at, why, losses)
    at.pop()
  }
}

/** Reports the extras of other protocols as lost, for a request for images and all images in it. */
export function reportForeignRequest(
  { extras, references = [], mask }: ImageRequest,
  protocol: string,
  losses: Losses,
): void {
  reportForeignExtras(extras, protocol, losses)
  for (const [index, reference] of references.entries())
    reportForeignExtras(reference.extras, protocol, losses, ['references', index])
  reportForeignExtras(mask?.extras, protocol, losses, ['mask'])
}

/** The same for an answer. */
export function reportForeignAnswer({ extras, images, usage }: ImageAnswer, protocol: string, losses: Losses): void {
  reportForeignExtras(extras, protocol, losses)
  for (const [index, image] of images.entries()) reportForeignExtras(image.extras, protocol, losses, ['images', index])
  reportForeignExtras(usage?.extras, protocol, losses, ['usage'])
}

/** Reports the extras of other protocols as lost, for a request for videos and all images in it. Without a protocol, all are lost. */
export function reportVideoExtras(
  { extras, image, lastFrame, references = [] }: VideoRequest,
  protocol: string | undefined,
  losses: Losses,
): void {
  reportForeignExtras(extras, protocol, losses)
  reportForeignExtras(image?.extras, protocol, losses, ['image'])
  reportForeignExtras(lastFrame?.extras, protocol, losses, ['lastFrame'])
  for (const [index, reference] of references.entries())
    reportForeignExtras(reference.extras, protocol, losses, ['references', index])
}
