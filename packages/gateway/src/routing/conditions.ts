import type { Protocol } from '@dragoman/core'
import type { Candidate } from './candidates.ts'
import type { Survey } from '../bodies/survey.ts'

/** The facts of a call that conditions are about. */
interface CallFacts {
  readonly inbound: Protocol
  readonly stream: boolean
  readonly survey: Survey | undefined
}

/** Why a route is not for a call; undefined if it is. */
export function conditionAgainst({ when }: Candidate, { inbound, stream, survey }: CallFacts): string | undefined {
  if (when === undefined) return undefined
  const { protocols, tools, images, promptTokens: { min = 0, max = Number.POSITIVE_INFINITY } = {} } = when
  if (protocols !== undefined && !protocols.includes(inbound.name))
    return `it is for calls in ${protocols.join(' or ')}`
  if (when.stream !== undefined && when.stream !== stream) return `it is for ${stream ? 'whole answers' : 'streams'}`
  if (tools !== undefined && tools !== (survey?.hasTools ?? false))
    return `it is for calls ${tools ? 'with' : 'without'} tools`
  if (images !== undefined && images !== (survey?.hasImages ?? false))
    return `it is for calls ${images ? 'with' : 'without'} images`
  const tokens = survey?.promptTokens ?? 0
  if (tokens < min) return `it is for prompts of at least ${min} tokens, and this has about ${tokens}`
  if (tokens > max) return `it is for prompts of at most ${max} tokens, and this has about ${tokens}`
  return undefined
}
