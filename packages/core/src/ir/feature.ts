import type { Loss } from './loss.ts'
import type { ModelRequest } from './request.ts'

/** What a request can use and a route can lose, in the words of configuration files, with what each one means. */
export const ABOUT_FEATURE = {
  tools: 'tools of the client, their schemas, and the calls and results of the conversation',
  'tool-choice': 'which tools the model may or must call, and whether several at once',
  'structured-output': 'an answer in JSON or by a schema, strict tools, and grammars of tools',
  system: 'instructions, as instructions',
  images: 'images in the conversation',
  audio: 'audio in the conversation',
  video: 'videos in the conversation, and the requested part of each',
  files: 'documents in the conversation',
  'media-output': 'images and speech in the answer',
  reasoning: 'reasoning, whether it is shown, and the reasoning of earlier turns',
  signatures: 'signatures and encrypted content of earlier turns',
  cache: 'cache marks, and cached content',
  citations: 'sources that the model may cite, and the citations of earlier turns',
  search: 'web search, URL context and retrieval by the upstream, and their results',
  'code-execution': 'code that the upstream runs, and its output',
  sampling: 'temperature, top P, top K, penalties, seed, token biases, verbosity',
  stop: 'stop sequences',
  'max-tokens': 'the limit of the answer',
  logprobs: 'log probabilities',
  candidates: 'several answers to one request',
  safety: 'safety settings',
  user: 'the identifier of the end user',
  metadata: 'metadata of the request',
  'vendor-members': 'members and blocks that only one protocol or vendor has',
} as const

/** The name of something that a request can use and a route can lose. */
export type Feature = keyof typeof ABOUT_FEATURE

/** Finds the features that each loss of a request counts against. */
export type FindFeatures = (losses: readonly Loss[], request: ModelRequest) => readonly (readonly Feature[])[]

/** The names of all features. */
export const FEATURES = Object.keys(ABOUT_FEATURE) as readonly Feature[] // typed above

/** A loss of a request, with the features that do not arrive because of it. Absent if there are none. */
export type RequestLoss = Loss & { readonly features?: readonly Feature[] }

/** The features that do not arrive because of some losses, each once, in the order of the report. */
export function lostFeatures(losses: readonly RequestLoss[]): readonly Feature[] {
  return [...new Set(losses.flatMap(({ features = [] }) => features))]
}
